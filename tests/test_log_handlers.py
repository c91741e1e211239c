"""Libraries keep the stderr of their first import; where that was a test's, it is closed when the next test logs."""

import logging

import pytest


@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_library_imported_under_a_test_still_logs(capsys, turn):
    library = logging.getLogger("imported_under_a_test")
    if not library.handlers:
        library.addHandler(logging.StreamHandler())
    library.warning("told in the %s", turn)
    assert "Logging error" not in capsys.readouterr().err
