"""The problems' pictures, copied beside the page as the files they are."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mmmath_tasks import papers, sources
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import write_atomic
from mmmath_tasks.pictures import Picture
from mmmath_tasks.report.runs import Identity, Run, identity, samples
from mmmath_tasks.scoring import Benchmark, benchmark

_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"RIFF": "webp"}


@dataclass(frozen=True, slots=True)
class Saved:
    """The pictures of a report.

    Attributes:
        paths: benchmark, the split that a scorecard names, and problem to paths relative to the report's folder;
            problems that the data have otherwise, or without a picture that is there, are left out.
        elsewhere: a sentence for each run that was scored on another revision of the data than the pictures are from.
    """

    paths: Mapping[tuple[str, str | None, Identity], tuple[str, ...]]
    elsewhere: tuple[str, ...] = ()


def save_pictures(runs: Sequence[Run], out: Path, data_dir: str | None, split: str | None = None) -> Saved:
    """Copy the pictures of every problem that a run has a response to into pictures/, a file for each different one.

    They come from `data_dir` (None as in mmmath_tasks.sources), of `split` where a run's scorecard does not say.

    Raises:
        InputError: a run's split is not known, or the data cannot be had.
    """
    folder = out / "pictures"
    found: dict[tuple[str, str | None, Identity], tuple[str, ...]] = {}
    elsewhere = []
    kinds: dict[tuple[str, str | None], list[Run]] = {}
    for run in runs:
        kinds.setdefault((run.card.benchmark, papers.split_of(run.card)), []).append(run)
    for (name, named), chosen in kinds.items():
        if not named and not split:
            asked = f"which split of {name} is {chosen[0].name!r}?"
            raise InputError(f"--pictures: {asked} Its scorecard does not say; name it with --split")
        wanted = {identity(sample.problem) for run in chosen for sample in samples(run)}
        known, which = benchmark(name), str(named or split)
        source = sources.find_split(known, which, data_dir=data_dir)
        for problem, paths in _copied(known, source, wanted, folder):
            found[name, named, problem] = paths
        for run in chosen:
            revision = run.card.provenance.get("data_revision", source.revision)
            if revision != source.revision:
                elsewhere.append(f"{run.name}: scored on {revision}; pictures are from {source.revision}")
    return Saved(found, tuple(elsewhere))


def _copied(
    known: Benchmark, source: sources.Source, wanted: set[Identity], folder: Path
) -> Iterator[tuple[Identity, tuple[str, ...]]]:
    for row in source.rows:
        problem = known.problem(row)
        if identity(problem) in wanted:
            cells = known.rows.pictures(row)
            pictures = [Picture(cell["bytes"], cell["path"], f"{source.where}: problem {problem.id}") for cell in cells]
            saved = tuple(file for picture in pictures if (file := _file(picture, folder)))
            if saved:
                yield identity(problem), saved


def _file(picture: Picture, folder: Path) -> str | None:
    """Copy a picture and return its path in the report; None for one that is not there or cannot be read."""
    try:
        data = picture.read()
        ending = next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), None)
        if ending is None:  # no browser shows it as it is
            data, ending = base64.b64decode(picture.data_url().partition(",")[2]), "png"
    except InputError:
        return None
    path = folder / f"{hashlib.sha256(data).hexdigest()[:20]}.{ending}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)  # now, so that none is left where no data can be had
        write_atomic(path, data)
    return f"{folder.name}/{path.name}"
