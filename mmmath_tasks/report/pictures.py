"""The problems' pictures, copied beside the page as the files they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from mmmath_tasks import papers, sources
from mmmath_tasks.errors import InputError
from mmmath_tasks.pictures import Picture
from mmmath_tasks.report.runs import Run, samples
from mmmath_tasks.scoring import benchmark

_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"RIFF": "webp"}


def save_pictures(
    runs: Mapping[str, Sequence[Run]], out: Path, data_dir: str | None, split: str | None = None
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Copy the pictures of every problem that a run has a response to.

    Args:
        runs: the runs of each benchmark; their splits must be known.
        out: the report's folder; files go to pictures/ in it, one for each different picture.
        data_dir: where the data lies; None as in mmmath_tasks.sources.
        split: of every run; None: what its scorecard says.

    Returns:
        (benchmark, problem id) to paths relative to `out`; problems whose picture is not there are left out.

    Raises:
        InputError: a run's split is not known, or the data cannot be had.
    """
    folder = out / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, chosen in runs.items():
        asked = {sample.problem.id for run in chosen for sample in samples(run)}
        for which in dict.fromkeys(split or _split(run) for run in chosen):
            found |= _copied(name, which, asked, folder, data_dir)
    return found


def _split(run: Run) -> str:
    split = papers.split_of(run.card)
    if split is None:
        asked = f"which split of {run.card.benchmark} is {run.name!r}?"
        raise InputError(f"--pictures: {asked} Its scorecard does not say; name it with --split")
    return split


def _copied(
    name: str, split: str, asked: set[str], folder: Path, data_dir: str | None
) -> dict[tuple[str, str], tuple[str, ...]]:
    known = benchmark(name)
    source = sources.find(known, split, data_dir=data_dir)
    found = {}
    for row in source.rows:
        problem = known.problem(row)
        if problem.id in asked:
            cells = known.rows.pictures(row)
            pictures = [Picture(cell["bytes"], cell["path"], f"{source.where}: problem {problem.id}") for cell in cells]
            saved = tuple(file for picture in pictures if (file := _file(picture, folder)))
            if saved:
                found[name, problem.id] = saved
    return found


def _file(picture: Picture, folder: Path) -> str | None:
    """Copy a picture and return its path in the report; None for one that is not there or cannot be read."""
    try:
        data = picture.read()
        ending = next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), None)
        if ending is None:  # no browser shows it as it is
            data, ending = picture.encoded(), "png"
    except InputError:
        return None
    path = folder / f"{hashlib.sha256(data).hexdigest()[:20]}.{ending}"
    if not path.exists():
        path.write_bytes(data)
    return f"{folder.name}/{path.name}"
