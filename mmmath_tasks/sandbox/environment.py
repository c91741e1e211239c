"""What a script finds in the jail: named Python packages and LaTeX packages, the same on every machine.

Beyond the standard library a script may import what PYTHON names and what those need, and nothing else that happens to
be installed here. A TikZ picture may use what the Debian packages TEX hold; other LaTeX packages are hidden where
Debian's own lists of files tell them apart. What is missing is named by `differences`, the versions by `versions`;
both belong with a score.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from mmmath_tasks.errors import InputError

PYTHON = ("matplotlib", "numpy", "pandas", "pillow", "scipy", "seaborn", "sympy")
"""The Python packages that a script may import, by the name of their distribution."""

NEEDED = ("matplotlib", "numpy", "pillow", "pypdfium2")
"""Without these no figure can be drawn or read."""

TEX = ("texlive-base", "texlive-latex-base", "texlive-latex-recommended", "texlive-pictures")
"""The Debian packages with the LaTeX packages that a picture may use."""

_LISTS = Path("/var/lib/dpkg/info")
_TREES = ("/usr/share/texlive/texmf-dist/tex", "/usr/share/texmf/tex")
_LOCAL = "/usr/local/share/texmf"


def need_python() -> None:
    """Check that figures can be drawn and read.

    Raises:
        InputError: a package of NEEDED is missing.
    """
    for name in NEEDED:
        if _version(name) is None:
            raise InputError(
                f"model-written code runs only in a jail, and the Python package {name} is missing: "
                'pip install "mmmath-tasks[sandbox]"'
            )


def need_tex() -> None:
    """Check that TikZ can be typeset.

    Raises:
        InputError: TeX or TikZ is missing; the message names the Debian packages.
    """
    tikz = Path("/usr/share/texlive/texmf-dist/tex/latex/pgf/frontendlayer/tikz.sty")
    if shutil.which("pdflatex") is None or not tikz.is_file():
        raise InputError(
            "TikZ figures need TeX: install the Debian packages texlive-latex-base and texlive-pictures "
            "(apt-get install texlive-latex-base texlive-pictures)"
        )


def versions() -> dict[str, str]:
    """Return the versions on which a figure may depend: Python, the packages of PYTHON, TeX; "" where missing."""
    found = {"python": sys.version.split()[0], **{name: _version(name) or "" for name in PYTHON}}
    return {**found, "pypdfium2": _version("pypdfium2") or "", "tex": _tex_version()}


def differences() -> list[str]:
    """Return in words what of the named set this machine lacks, or has beyond it and cannot hide; [] is as it should.

    Scores of code that uses what is missing are lower here than elsewhere.
    """
    found = [f"the Python package {name} is missing" for name in PYTHON if _version(name) is None]
    if not _tex_version():
        return [*found, "TeX is missing"]
    lacking = [name for name in TEX if not (_LISTS / f"{name}.list").is_file()]
    if len(lacking) == len(TEX):
        return [*found, "TeX is not Debian's: which LaTeX packages there are is not known"]
    return [*found, *(f"the Debian package {name} is missing" for name in lacking)]


def account() -> dict[str, object]:
    """Return what a scorecard says of the sandbox: versions, and what differs from the named set."""
    return {"versions": versions(), "differs": differences()}


@cache
def python_files() -> dict[str, Path]:
    """Return the folders and modules that make up PYTHON, NEEDED and what they require, by their name in the jail."""
    found: dict[str, Path] = {}
    todo, seen = [*NEEDED, *PYTHON], set()
    while todo:
        name = todo.pop(0)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if package.metadata["Name"] in seen:
            continue
        seen.add(package.metadata["Name"])
        for first in {file.parts[0] for file in package.files or ()} or _importable(name):
            path = Path(str(package.locate_file(first)))
            if first not in ("..", "__pycache__") and path.suffix != ".pth" and path.exists():
                found.setdefault(first, path.resolve())
        todo += _requirements(package)
    return found


def hidden_tex() -> Iterator[Path]:
    """Yield the folders of LaTeX packages here that belong to no Debian package of TEX."""
    if Path(_LOCAL).is_dir():
        yield Path(_LOCAL)
    listed = {line for name in TEX for line in _lines(_LISTS / f"{name}.list")}
    if listed:
        for tree in map(Path, _TREES):
            yield from (folder for folder in sorted(tree.glob("*/*/")) if str(folder) not in listed)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def _importable(name: str) -> set[str]:
    """Return the name of a package whose distribution has no list of files (Debian's own)."""
    module = {"pillow": "PIL"}.get(name, name)
    spec = find_spec(module)
    return {module} if spec is not None and spec.submodule_search_locations else {f"{module}.py"}


def _requirements(package: metadata.Distribution) -> Iterator[str]:
    from packaging.requirements import InvalidRequirement, Requirement

    for line in package.requires or ():
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            continue
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            yield wanted.name


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


@cache
def _tex_version() -> str:
    program = shutil.which("pdflatex")
    if program is None:
        return ""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.partition("\n")[0].strip()
