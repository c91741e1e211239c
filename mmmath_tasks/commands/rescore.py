"""`mmmath rescore`: what saved responses are worth, from whatever harness they come."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError, said
from mmmath_tasks.outputs.place import make_folder, whole
from mmmath_tasks.problem import Problem, Score, Verdict

if TYPE_CHECKING:
    from mmmath_tasks.outputs.run import Run, Sink

HELP = "score saved responses of any harness, offline"

_NAMED = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.epilog = (
        "No model is asked anything here: `mmmath judge` has responses read by a judge, and what it writes "
        "(samples_*.jsonl) can be rescored and compared like any other file, the judge's short answers kept."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="responses: JSONL, JSON, CSV, TSV, xlsx, parquet"
    )
    parser.add_argument("--benchmark", help="the benchmark, where the file does not say")
    parser.add_argument("--data", metavar="DIR", help="the data set; default: MMMATH_DATA, else the file's own columns")
    parser.add_argument("--split", help="the split that was asked (default: the benchmark's first; sample: ours)")
    parser.add_argument("--rule", choices=("official", "verified", "both"), default="both", help="which scores to show")
    parser.add_argument(
        "--responses-only", action="store_true", help="ignore short answers that a judge left in the file"
    )
    parser.add_argument("--integer-rule", choices=("int_float", "int"), help="MathVista: how integers are read")
    parser.add_argument("--compare", action="store_true", help="paired differences between two files")
    parser.add_argument("--all", action="store_true", help="show every sub-score")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write scorecard and samples of every file there")


def run(args: argparse.Namespace) -> int:
    """Score the files, print what they are worth, write what was asked for; then name the files that are broken."""
    if args.compare and len(args.files) != 2:
        raise InputError(f"--compare takes two files, got {len(args.files)}")
    names = [path.stem for path in args.files]
    if args.out and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"--out: two files are called {twice!r}, and what is written is named for the file")
    if args.out:
        make_folder(args.out)
    runs, wrong = [], []
    for path in args.files:
        try:
            runs.append(_scored(path, args))
        except (InputError, OSError) as error:
            wrong.append(said(error))
    for found in runs:
        _print_account(found)
    rules = ("official", "verified") if args.rule == "both" else (args.rule,)
    if runs:
        print("\n".join(_side_by_side(runs, rules, args.all)))
    if wrong:
        raise InputError("\n".join(dict.fromkeys(wrong)))
    if args.compare:
        for rule in rules:
            print("\n".join(_differences(runs[0], runs[1], rule, args.all)))
    return 0


def _scored(path: Path, args: argparse.Namespace) -> Run:
    import os

    from mmmath_tasks.outputs.run import benchmark_of, problems_of, score_file
    from mmmath_tasks.outputs.saved import open_saved

    known = benchmark_of(open_saved(path), args.benchmark)
    problems = revision = split = None
    if args.data or os.environ.get("MMMATH_DATA") or args.split:
        problems, revision = problems_of(known.name, args.split, args.data)
        split = args.split or known.rows.SPLITS[0]
    options = {"integer_rule": args.integer_rule} if args.integer_rule else {}
    with _sink(args.out, path.stem) if args.out else nullcontext() as sink:
        found = score_file(
            path,
            name=known.name,
            problems=problems,
            revision=revision,
            split=split,
            use_extractions=not args.responses_only,
            options=options,
            sink=sink,
        )
        extra, joined = len(found.account.extra), found.account.joined
        if extra > joined and not args.split:
            raise InputError(
                f"{path}: {joined} of its rows belong to {known.name} {split}, {extra} do not: another benchmark's, or "
                "another split's? Name the split with --split to score those that do"
            )
    if args.out:
        with whole(args.out / f"scorecard_{path.stem}.json") as file:
            file.write(found.card.to_json() + "\n")
    return found


@contextmanager
def _sink(folder: Path, name: str) -> Iterator[Sink]:
    """Give a function that writes problem, response and verdict into samples_<name>.jsonl, which comes whole or not."""
    with whole(folder / f"samples_{name}.jsonl") as file:

        def write(problem: Problem, response: str, verdict: Verdict, short: str | None) -> None:
            row = {"problem": problem.to_dict(), "response": response, "verdict": verdict.to_dict()}
            detail = {} if short is None else {"detail": {"extraction": short}}
            file.write(json.dumps({**row, **detail}, ensure_ascii=False) + "\n")

        yield write


def _print_account(found: Run) -> None:
    counts = found.card.counts
    print(f"{found.file.path}: {found.file.format}, {found.card.benchmark}, {found.account.joined} responses")
    for line in found.account.lines():
        print(f"  {line}")
    causes = {
        name: counts[name]
        for name in ("empty", "refusal", "truncated", "unextracted", "unmatched", "unscored")
        if counts.get(name)
    }
    if causes:
        # share_unextracted, in the table, is of all responses without an answer
        said = {"unextracted": "unextracted otherwise"}
        print(f"  {', '.join(f'{n} {said.get(name, name)}' for name, n in causes.items())}")
    if found.disagree:
        some = ", ".join(found.disagree[:10]) + (", ..." if len(found.disagree) > 10 else "")
        print(f"  {len(found.disagree)} verdicts stored in the file are not ours (official): {some}")
    for note in found.card.notes:
        print(f"  note: {note}")


def _side_by_side(runs: Sequence[Run], rules: Sequence[str], everything: bool) -> Iterator[str]:
    """Yield a table: a line for each score, a column for each run; percent with its 95 % interval."""
    rows: dict[tuple[str, str, str], None] = {}
    for found in runs:
        for score in found.card.scores:
            verified = score.metric.endswith("_verified") or "_verified_" in score.metric
            if ("verified" if verified else "official") in rules and (everything or not score.group):
                rows[score.metric, score.group, score.slice] = None
    names = [" ".join(filter(None, (metric, group, slice_))) for metric, group, slice_ in rows]
    width = max(map(len, names), default=0)
    columns = [max(24, len(found.name)) for found in runs]
    yield ""
    yield " " * width + "  " + "  ".join(found.name.rjust(c) for found, c in zip(runs, columns, strict=True))
    for name, key in zip(names, rows, strict=True):
        cells = [shown(found.card.get(*key)) for found in runs]
        yield name.ljust(width) + "  " + "  ".join(cell.rjust(c) for cell, c in zip(cells, columns, strict=True))


def shown(score: Score | None) -> str:
    """Return "67.9 [65.0, 70.7] n=1000": percent (a rating as it is), interval, count; "-" where there is none."""
    if score is None or score.value != score.value:
        return "-"
    scale = 1 if score.metric.startswith("rating") else 100
    interval = "" if score.low != score.low else f" [{scale * score.low:.1f}, {scale * score.high:.1f}]"
    return f"{scale * score.value:.1f}{interval} n={score.count}"


def _differences(first: Run, second: Run, rule: str, everything: bool) -> Iterator[str]:
    from mmmath_tasks.outputs.comparison import compare, only_one_right

    if first.card.benchmark != second.card.benchmark:
        raise InputError(f"--compare: one file is {first.card.benchmark}, the other {second.card.benchmark}")
    problems = {problem.id: problem for problem in (*first.problems, *second.problems)}
    found = compare(list(problems.values()), first.verdicts, second.verdicts, rule)
    yield f"\n{second.name} less {first.name}, {rule}: points [95 %], McNemar p, right only in one"
    for d in found if everything else [d for d in found if not d.group]:
        where = f"{d.group} {d.slice}".strip() or "all"
        yield (
            f"  {where}: {100 * (d.second - d.first):+.1f} [{100 * d.low:+.1f}, {100 * d.high:+.1f}], p = {d.p:.3g}, "
            f"{d.only_first} : {d.only_second} of {d.count}"
        )
    if not found:
        yield "  no problem was scored in both"
    for run, ids in zip((first, second), only_one_right(first.verdicts, second.verdicts, rule), strict=True):
        if ids:
            yield f"  right only in {run.name}: {', '.join(ids[:_NAMED])}" + (", ..." if len(ids) > _NAMED else "")
