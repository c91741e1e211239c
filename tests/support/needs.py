"""What a test needs beyond `.[dev]`, an extra of ours or a program: without it the test is skipped, and says why.

`@needs("sandbox", "bwrap")` marks tests (or `pytestmark` a file); `skip_without("hf")` does it inside a fixture.
"""

import shutil
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires, version

import pytest
from packaging.requirements import Requirement

_PROGRAMS = {
    "bwrap": (("bwrap",), "bubblewrap"),
    "chromium": (("chromium", "chromedriver"), "chromium chromium-driver"),
    "tex": (("pdflatex",), "texlive-latex-base texlive-pictures"),
}
_EXTRAS = distribution("mmmath-tasks").metadata.get_all("Provides-Extra")


def missing(*names: str) -> str:
    """Say what is absent of the extras and programs of these names, and how to get it; "" where nothing is."""
    return "; ".join(filter(None, map(_missing, names)))


def needs(*names: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test where an extra or a program is absent."""
    reason = missing(*names)
    return pytest.mark.skipif(bool(reason), reason=reason)


def skip_without(*names: str) -> None:
    """Skip the test that runs, or every test of the fixture that runs, where an extra or a program is absent."""
    if reason := missing(*names):
        pytest.skip(reason)


def _missing(name: str) -> str:
    if name in _PROGRAMS:
        programs, packages = _PROGRAMS[name]
        absent = [program for program in programs if shutil.which(program) is None]
        if absent:
            return f"no {' and no '.join(absent)} here (Debian: {packages})"
        return _unusable_jail() if name == "bwrap" else ""
    if name not in _EXTRAS:
        raise LookupError(f"neither an extra nor a program that is known here: {name}")
    wanted = [Requirement(text) for text in requires("mmmath-tasks") or ()]
    absent = [w.name for w in wanted if w.marker and w.marker.evaluate({"extra": name}) and not _installed(w.name)]
    return f"the extra {name!r} lacks {', '.join(absent)} (pip install -e '.[{name}]')" if absent else ""


@cache
def _unusable_jail() -> str:
    """Say why bubblewrap starts nothing here: most containers forbid it."""
    trial = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
    done = subprocess.run(trial, capture_output=True, text=True, check=False)
    return f"bubblewrap cannot start here: {done.stderr.strip()}" if done.returncode else ""


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True
