"""Saved responses in the authors' own layout: what a leaderboard or upstream's evaluation takes.

The layout is the `submission` function of a benchmark's module in hub_datasets; lm-eval runs use the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.join import Account, join
from mmmath_tasks.outputs.run import benchmark_of
from mmmath_tasks.outputs.saved import open_saved
from mmmath_tasks.outputs.upstream_row import upstream_row
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.scoring import benchmark, benchmarks


def layouts() -> tuple[str, ...]:
    """Return the benchmarks whose authors take files of responses."""
    return tuple(name for name in benchmarks() if benchmark(name).rows.submission)


def submission(
    path: Path,
    *,
    name: str | None = None,
    rows: Sequence[Mapping[str, Any]] | None = None,
    partial: bool = False,
    response_column: str | None = None,
) -> tuple[str, Any, Account]:
    """Return the content of a submission file, of saved responses in any format that `open_saved` knows.

    Args:
        path: the responses.
        name: the benchmark; None where the file says.
        rows: the split in upstream's columns and order (`rows_of`); None: from the file's own columns, in its order.
        partial: leave out problems without a response, rather than refuse.
        response_column: as of `open_saved`.

    Returns:
        the benchmark's name, the content (JSON values), and what did not fit.

    Raises:
        InputError: the file cannot be read, its benchmark is unknown or takes no files, responses are missing.
    """
    file = open_saved(path, name=name, response=response_column)
    known = benchmark_of(file, name)
    if (submission_of := known.rows.submission) is None:
        raise InputError(
            f"{path}: {known.name} takes no file of responses; there are layouts for {', '.join(layouts())}"
        )
    if rows is None and file.format == "mmmath samples":
        raise InputError(f"{path}: the authors' columns are not in the file; name the data with --data")
    by_id: dict[str, Mapping[str, Any]] = {}
    problems: list[Problem] | None = None
    if rows is not None:
        problems = [known.problem(row) for row in rows]
        by_id = {problem.id: row for problem, row in zip(problems, rows, strict=True)}
    account = Account()
    answers: dict[str, tuple[Mapping[str, Any], str, Verdict]] = {}
    for problem, saved in join(file, known.name, problems, account):
        if saved.responses:
            response = saved.responses[0]
            short = {} if saved.extraction is None else {"extraction": saved.extraction}
            row = by_id.get(problem.id) or upstream_row(known.name, saved)
            answers[problem.id] = row, response, known.score(problem, response, **short)
    lost = [*account.missing, *account.failed]
    if lost and not partial:
        raise InputError(f"{path}: {len(lost)} problems have no response ({some(lost)}); --partial leaves them out")
    ordered = [answers[key] for key in (by_id or answers) if key in answers]
    return known.name, submission_of(ordered), account


def rows_of(name: str, split: str | None, data_dir: str | None) -> list[dict[str, Any]]:
    """Return a split in upstream's columns, without its pictures.

    Raises:
        InputError: the data cannot be had.
    """
    from mmmath_tasks import sources

    return list(sources.find_split(benchmark(name), split, data_dir=data_dir).texts)
