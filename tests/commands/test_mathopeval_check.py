"""`mmmath mathopeval-check`: numbers that make no sense are refused before a sandbox starts."""

import pytest

from mmmath_tasks.cli import main


@pytest.mark.parametrize(("option", "value"), [("every", "0"), ("every", "-1"), ("workers", "0")])
def test_a_number_below_one_is_refused(option, value, tmp_path, capsys):
    assert main(["mathopeval-check", str(tmp_path), f"--{option}", value]) == 2
    assert capsys.readouterr().err == f"mmmath: --{option} should be at least 1, is {value}\n"
