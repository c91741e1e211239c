"""A file of saved responses with the data set that was asked, scored and written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import open_atomic, write_atomic
from mmmath_tasks.outputs.names import run_name, split_named
from mmmath_tasks.outputs.run import Run, Sink, benchmark_of, problems_of, score_file
from mmmath_tasks.outputs.saved import open_saved
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.sources import is_named


def rescore(
    path: Path,
    *more: Path,
    name: str | None = None,
    split: str | None = None,
    data_dir: str | None = None,
    response_column: str | None = None,
    out: Path | None = None,
    sink: Sink | None = None,
    **options: Any,
) -> Run:
    """Score every response of a file; see `score_file` for what is not told here.

    Args:
        path: any file that `open_saved` knows.
        more: further files of the same model.
        name: the benchmark; None where the file says.
        split: upstream's name, or "sample"; None for the one that a harness's name of the file tells, else the
            benchmark's first.
        data_dir: the folder of the data set. Without it, MMMATH_DATA and `split` the problems are rebuilt from the
            file's own columns.
        response_column: as of `score_file`.
        out: where scorecard_<name>.json and samples_<name>.jsonl go, <name> as in `Run`, but the file's whole name
            where the responses themselves lie there under that name; None: nothing is written, and `sink` is called.
        sink: as of `score_file`.
        options: as of `score_file`.

    Raises:
        InputError: as `score_file`, or most rows belong to no problem of a split that nobody named.
    """
    known = benchmark_of(open_saved(path, response=response_column), name)
    problems = revision = None
    asked = is_named(data_dir, split)
    chosen = split or split_named(path, known.name, known.rows.SPLITS) or known.rows.SPLITS[0]
    if asked:
        problems, revision = problems_of(known.name, chosen, data_dir)
    written = path.stem if out and out.resolve() == path.resolve().parent else run_name(path)
    with _sink(out / f"samples_{written}.jsonl") if out else nullcontext(sink) as taker:
        found = score_file(
            path,
            *more,
            name=known.name,
            problems=problems,
            revision=revision,
            split=chosen if asked else None,
            response_column=response_column,
            sink=taker,
            **options,
        )
        extra, joined = len(found.account.extra), found.account.joined
        if extra > joined and not split:
            raise InputError(
                f"{path}: {joined} of its rows belong to {known.name} {chosen}, {extra} do not: another benchmark's, "
                "or another split's? Name the split with --split to score those that do"
            )
    if out:
        write_atomic(out / f"scorecard_{written}.json", found.card.to_json() + "\n")
    return found


@contextmanager
def _sink(path: Path) -> Iterator[Sink]:
    """Give a function that writes problem, response and verdict into a file of samples."""
    with open_atomic(path) as file:

        def write(problem: Problem, response: str, verdict: Verdict, short: str | None) -> None:
            row = {"problem": problem.to_dict(), "response": response, "verdict": verdict.to_dict()}
            detail = {} if short is None else {"detail": {"extraction": short}}
            file.write(json.dumps({**row, **detail}, ensure_ascii=False) + "\n")

        yield write
