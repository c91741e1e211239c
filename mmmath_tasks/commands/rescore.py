"""`mmmath rescore`: what saved responses are worth, from whatever harness they come."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError, said
from mmmath_tasks.files import make_writable_folder, open_atomic, write_atomic
from mmmath_tasks.outputs.table_text import difference_table, notes, score_table, terminal_width, wrapped
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.truncation import MORE, complaint

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
    parser.add_argument("--response-column", metavar="NAME", help="the column of responses, where names do not say")
    short = parser.add_mutually_exclusive_group()
    short.add_argument(
        "--extraction-column", metavar="NAME", help="score the short answers in this column, not the responses"
    )
    short.add_argument(
        "--responses-only", action="store_true", help="read the responses, though the authors' rule reads short answers"
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
        make_writable_folder(args.out)
    runs, wrong = [], []
    for path in args.files:
        try:
            runs.append(_scored(path, args))
        except (InputError, OSError) as error:
            wrong.append(said(error))
    width = terminal_width()
    for found in runs:
        _print_account(found, width)
    rules = ("official", "verified") if args.rule == "both" else (args.rule,)
    if runs:
        print("\n".join(_tables(runs, rules, args.all, width)))
    if wrong:
        raise InputError("\n".join(dict.fromkeys(wrong)))
    if args.compare:
        for rule in rules:
            print("\n".join(_differences(runs[0], runs[1], rule, args.all, width)))
    return 0


def _scored(path: Path, args: argparse.Namespace) -> Run:
    import os

    from mmmath_tasks.outputs.run import benchmark_of, problems_of, score_file
    from mmmath_tasks.outputs.saved import open_saved

    known = benchmark_of(open_saved(path, response=args.response_column), args.benchmark)
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
            response_column=args.response_column,
            extraction_column=args.extraction_column,
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
        write_atomic(args.out / f"scorecard_{path.stem}.json", found.card.to_json() + "\n")
    return found


@contextmanager
def _sink(folder: Path, name: str) -> Iterator[Sink]:
    """Give a function that writes problem, response and verdict into samples_<name>.jsonl, which comes whole or not."""
    with open_atomic(folder / f"samples_{name}.jsonl") as file:

        def write(problem: Problem, response: str, verdict: Verdict, short: str | None) -> None:
            row = {"problem": problem.to_dict(), "response": response, "verdict": verdict.to_dict()}
            detail = {} if short is None else {"detail": {"extraction": short}}
            file.write(json.dumps({**row, **detail}, ensure_ascii=False) + "\n")

        yield write


def _print_account(found: Run, width: int) -> None:
    what = f"{found.file.format}, {found.card.benchmark}, {found.account.joined} responses"
    fits = len(f"{found.file.path}: {what}") <= width
    print(f"{found.file.path}:{' ' if fits else chr(10) + '  '}{what}")
    for line in found.lines():
        print("\n".join(wrapped(line, width)))


def _tables(runs: Sequence[Run], rules: Sequence[str], everything: bool, width: int) -> Iterator[str]:
    """Yield what the runs of each benchmark are worth, and what must be known of it."""
    for name in dict.fromkeys(found.card.benchmark for found in runs):
        own = [found for found in runs if found.card.benchmark == name]
        names, cards = [found.name for found in own], [found.card for found in own]
        keys: dict[tuple[str, str, str], None] = {}
        for score in (score for card in cards for score in card.scores):
            rule = "verified" if "_verified" in score.metric else "official"
            if rule in rules and (everything or not score.group):
                keys[score.metric, score.group, score.slice] = None
        yield ""
        yield from score_table(names, cards, list(keys), width)
        yield from notes(names, cards, width)
        cuts = [(found.name, found.card.counts["truncated"], len(found.verdicts)) for found in own]
        if line := complaint(cuts, f"ask the model again with a larger token limit ({MORE} where lm-eval asks)"):
            yield from wrapped(line, width)


def _differences(first: Run, second: Run, rule: str, everything: bool, width: int) -> Iterator[str]:
    from mmmath_tasks.outputs.comparison import compare, only_one_right

    if first.card.benchmark != second.card.benchmark:
        raise InputError(f"--compare: one file is {first.card.benchmark}, the other {second.card.benchmark}")
    problems = {problem.id: problem for problem in (*first.problems, *second.problems)}
    found = compare(list(problems.values()), first.verdicts, second.verdicts, rule)
    chosen = found if everything else [d for d in found if not d.group]
    yield ""
    yield from difference_table([first.name, second.name], [first.card, second.card], rule, chosen, width)
    for run, ids in zip((first, second), only_one_right(first.verdicts, second.verdicts, rule), strict=True):
        if ids:
            more = ", ..." if len(ids) > _NAMED else ""
            yield from wrapped(f"right only in {run.name}: {', '.join(ids[:_NAMED])}{more}", width)
