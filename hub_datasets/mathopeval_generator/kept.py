"""Drawn pictures on disk, each written as soon as it is drawn, so that a build that was stopped goes on from there.

A picture's file is named for all that its bytes depend on: its code, the renderer's own text, and the versions of the
programs that draw. A generator that was changed therefore finds nothing of what it would draw otherwise.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from mmmath_tasks.files import write_atomic
from mmmath_tasks.hub_datasets.mathopeval_generator import render

_PYTHON = ("matplotlib", "numpy", "pandas", "pillow", "seaborn")
_PROGRAMS = (("pdflatex", "--version"), ("pdftoppm", "-v"))


def draw(codes: Mapping[str, Sequence[str]], folder: Path) -> dict[str, Path]:
    """Return the PNG file of every code; those that the folder has not yet are drawn.

    Args:
        codes: language ("python" or "latex") to the codes to draw.
        folder: holds the pictures; created if missing.

    Raises:
        InputError: LaTeX stopped at an error.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Path] = {}
    for language, some in codes.items():
        files = {code: file(folder, language, code) for code in some}
        missing = [code for code, path in files.items() if not path.is_file()]
        for code, png in zip(missing, _pictures(language, missing, folder), strict=True):
            write_atomic(files[code], png)
        found |= files
    return found


def file(folder: Path, language: str, code: str) -> Path:
    """Return where the picture of a code is kept."""
    return folder / f"{sha256((_renderer(language) + code).encode()).hexdigest()}.png"


def _pictures(language: str, codes: Sequence[str], scratch: Path) -> Iterator[bytes]:
    if language == "python":
        yield from render.matplotlib_pictures(codes)
    elif codes:
        yield from render.tikz_pictures(codes, scratch)


@cache
def _renderer(language: str) -> str:
    own = sha256(Path(render.__file__).read_bytes()).hexdigest()
    if language == "python":
        return " ".join([own, *map(version, _PYTHON)])
    runs = [subprocess.run(words, capture_output=True, text=True, check=False) for words in _PROGRAMS]  # noqa: S603
    return " ".join([own, version("pillow"), *((run.stdout or run.stderr).partition("\n")[0] for run in runs)])
