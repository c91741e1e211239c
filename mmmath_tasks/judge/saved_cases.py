"""What is to be judged, from a file of saved responses and the data set that was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmmath_tasks import sources
from mmmath_tasks.judge.case import Case
from mmmath_tasks.number_text import counted
from mmmath_tasks.outputs.asked import Asked
from mmmath_tasks.outputs.join import Account, join
from mmmath_tasks.outputs.names import split_named
from mmmath_tasks.outputs.run import benchmark_of
from mmmath_tasks.outputs.saved import open_saved
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import Benchmark


@dataclass(frozen=True, slots=True)
class SavedCases:
    """The contents of a file of responses.

    Attributes:
        benchmark: its benchmark.
        cases: the first response to each problem, in the file's order; rows with an error for a response left out.
        problems: those of the split, or those in the file where no data set was named.
        revision: of the data set.
        remarks: sentences on what did not fit.
        how: how the model was asked, where the file records it.
    """

    benchmark: Benchmark
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]
    revision: str
    remarks: tuple[str, ...]
    how: Asked = field(default_factory=Asked)


def load(
    path: Path,
    *,
    name: str | None = None,
    split: str | None = None,
    data: str | None = None,
    pictures: bool = False,
    response_column: str | None = None,
) -> SavedCases:
    """Read a file that `mmmath rescore` reads, by the same arguments, and join it to its problems.

    Where no data is named and the problems are rebuilt from the file's own columns, they are without pictures;
    elsewhere they have theirs if the judge is shown `pictures`.

    Raises:
        InputError: file, benchmark or data cannot be had.
    """
    file = open_saved(path, name=name, response=response_column)
    found = benchmark_of(file, name)
    account = Account()
    cells: dict[str, list[Picture]] = {}
    revision, problems = "the file's own columns", None
    if sources.is_named(data, split):
        chosen = split or split_named(path, found.name, found.rows.SPLITS)
        source = sources.find_split(found, chosen, data_dir=data)
        problems = [found.problem(row) for row in source.texts]
        revision = source.revision
        if pictures:
            pairs = zip(problems, source.rows, strict=True)
            cells = {p.id: _pictures(found, row, f"{source.where}: problem {p.id}") for p, row in pairs}
    joined = list(join(file, found.name, problems, account))
    how = Asked()
    for _, saved in joined:
        how.add(file, saved)
    cases = tuple(Case(p, s.responses[0], tuple(cells.get(p.id, ()))) for p, s in joined if s.responses)
    spoken = Counter(saved.column for _, saved in joined if saved.responses)
    remarks = [f"judged: responses in column {column!r} ({counted(n, 'row')})" for column, n in spoken.items()]
    remarks += account.lines()
    blind = sum(not case.pictures for case in cases) if pictures else 0
    if blind:
        remarks.append(f"{blind} of {len(cases)} problems come without a picture: the judge sees their text only")
    asked = tuple(problems if problems is not None else (problem for problem, _ in joined))
    return SavedCases(found, cases, asked, revision, tuple(remarks), how)


def _pictures(found: Benchmark, row: Mapping[str, Any], where: str) -> list[Picture]:
    """Return the row's pictures that are there: upstream's files may lie without them, and the text is judged then."""
    cells = [cell for cell in found.rows.pictures(row) if cell]
    there = [cell for cell in cells if cell["bytes"] or (cell["path"] and Path(cell["path"]).is_file())]
    return [Picture(cell["bytes"], cell["path"], where) for cell in there]
