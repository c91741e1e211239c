"""What the tests of the sandbox share."""

import shutil
from importlib.util import find_spec

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


_absent = [name for name in ("matplotlib", "numpy", "pypdfium2", "pyseccomp", "scipy") if find_spec(name) is None]
_no_jail = (
    "bubblewrap is not installed"
    if shutil.which("bwrap") is None
    else f"the extra `sandbox` lacks {', '.join(_absent)}"
    if _absent
    else ""
)
needs_extra = pytest.mark.skipif(bool(_absent), reason=f"the extra `sandbox` lacks {', '.join(_absent)}")
needs_jail = pytest.mark.skipif(bool(_no_jail), reason=_no_jail)
needs_tex = pytest.mark.skipif(bool(_missing(_tex)), reason="TeX is not installed")
