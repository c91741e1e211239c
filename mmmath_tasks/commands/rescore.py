"""`mmmath rescore`: what saved responses are worth, from whatever harness they come."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.commands._parser import add_what_was_asked, what_was_asked
from mmmath_tasks.errors import InputError, message_of
from mmmath_tasks.files import make_writable_folder, write_json
from mmmath_tasks.outputs.names import run_name

if TYPE_CHECKING:
    from mmmath_tasks.outputs.run import Run

HELP = "score saved responses of any harness, offline"

EXAMPLES = """
    mmmath rescore samples_*.jsonl Model_MathVista_MINI.xlsx --out scored
    mmmath rescore ours.jsonl theirs.jsonl --benchmark mathvision --data DIR --compare
    mmmath rescore base.jsonl a.jsonl b.jsonl --compare --pairs all --out scored
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.epilog = (
        "No model is asked anything here: `mmmath judge` has responses read by a judge, and what it writes "
        "(samples_*.jsonl) can be rescored and compared like any other file, the judge's short answers kept."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="responses: JSONL, JSON, CSV, TSV, xlsx, parquet"
    )
    add_what_was_asked(parser)
    parser.add_argument("--rule", choices=("official", "verified", "both"), default="both", help="which scores to show")
    short = parser.add_mutually_exclusive_group()
    short.add_argument(
        "--extraction-column", metavar="NAME", help="score the short answers in this column, not the responses"
    )
    short.add_argument(
        "--responses-only", action="store_true", help="read the responses, though the authors' rule reads short answers"
    )
    parser.add_argument("--integer-rule", choices=("int_float", "int"), help="MathVista: how integers are read")
    several = parser.add_mutually_exclusive_group()
    several.add_argument("--compare", action="store_true", help="paired differences between the files")
    several.add_argument(
        "--samples", action="store_true", help="files, and rows that repeat an id, are samples of one model's responses"
    )
    parser.add_argument(
        "--pairs", choices=("first", "all"), default="first", help="--compare: from the first file, or all from all"
    )
    parser.add_argument("--all", action="store_true", help="show every sub-score")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="write scorecard and samples of every file there, with --compare also differences.json",
    )


def run(args: argparse.Namespace) -> int:
    """Score the files, print what they are worth, write what was asked for; then name the files that are broken."""
    if args.compare and len(args.files) < 2:
        raise InputError("--compare takes two files or more, got one")
    if args.pairs == "all" and not args.compare:
        raise InputError("--pairs needs --compare")
    groups = [args.files] if args.samples else [[path] for path in args.files]
    names = [run_name(paths[0]) for paths in groups]
    if args.out and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"--out: two files are called {twice!r}, and what is written is named for the file")
    if args.out:
        make_writable_folder(args.out)
    from mmmath_tasks.commands._colour import show
    from mmmath_tasks.outputs.rescoring import rescore
    from mmmath_tasks.outputs.run_text import account_lines, score_lines
    from mmmath_tasks.outputs.table_text import terminal_width

    runs, wrong = [], []
    for number, paths in enumerate(groups, 1):
        try:
            found = rescore(
                *paths,
                repeats=args.samples,
                **what_was_asked(args),
                out=args.out,
                use_extractions=not args.responses_only,
                extraction_column=args.extraction_column,
                place=f"{number} of {len(groups)}" if len(groups) > 1 else "",
                options={"integer_rule": args.integer_rule} if args.integer_rule else {},
            )
            runs.append(found)
        except (InputError, OSError) as error:
            wrong.append(message_of(error))
    width = terminal_width()
    for found in runs:
        show(account_lines(found, width))
    rules = ("official", "verified") if args.rule == "both" else (args.rule,)
    if runs:
        show(score_lines(runs, rules, args.all, width))
    if len(runs) > 2 and len({found.card.benchmark for found in runs}) > 1:
        print(f"\none table, models by benchmark: mmmath report {args.out or 'DIR (as of --out DIR)'} -o page")
    if wrong:
        raise InputError("\n".join(dict.fromkeys(wrong)))
    if args.compare:
        _compare(runs, rules, args, width)
    return 0


def _compare(runs: Sequence[Run], rules: Sequence[str], args: argparse.Namespace, width: int) -> None:
    """Print the differences and write them where that was asked for."""
    from mmmath_tasks.commands._colour import show
    from mmmath_tasks.outputs.comparison import compared, comparison_lines, comparison_record

    record = []
    for rule in rules:
        found = compared(runs, rule, args.pairs == "all")
        show(comparison_lines(found, rule, args.all, width))
        record += comparison_record(found, rule)
    if args.out:
        write_json(args.out / "differences.json", record)
