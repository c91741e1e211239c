"""What the tests of the sandbox share."""

import shutil

import pytest

from mmmath_tasks.errors import InputError


def _missing(check):
    try:
        check()
    except InputError as error:
        return str(error)
    return ""


def _tex():
    from mmmath_tasks.sandbox.jail import need_tex

    need_tex()


_no_jail = "bubblewrap is not installed" if shutil.which("bwrap") is None else ""
needs_jail = pytest.mark.skipif(bool(_no_jail), reason=_no_jail)
needs_tex = pytest.mark.skipif(bool(_missing(_tex)), reason="TeX is not installed")
