"""`mmmath judge-agreement`: how far two judges, or a judge and human labels, agree."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from mmmath_tasks.errors import InputError

HELP = "agreement and kappas between two judges, or a judge and human labels"

EXAMPLES = """
    mmmath judge-agreement judged_a.jsonl judged_b.jsonl
    mmmath judge-agreement judged.jsonl labels.csv --column verdict.verified --column-second right --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "first", type=Path, metavar="A", help="labels by id: samples_*.jsonl of `mmmath judge`, a table"
    )
    parser.add_argument("second", type=Path, metavar="B", help="likewise")
    parser.add_argument(
        "--column", help="the label's column in both files, such as verdict.verified or verdict.scores.cot_e"
    )
    parser.add_argument("--column-second", help="the label's column in B, where it differs")
    parser.add_argument("--draws", type=int, default=1000, help="bootstrap resamples (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print agreement, both kappas with 95 % bootstrap intervals, and the table of label pairs."""
    from mmmath_tasks.judge.agreement import agreement, read_labels

    for name, least in (("draws", 1), ("seed", 0)):
        if getattr(args, name) < least:
            raise InputError(f"--{name} should be at least {least}, is {getattr(args, name)}")
    first = read_labels(args.first, args.column)
    second = read_labels(args.second, args.column_second or args.column)
    found = agreement(first, second, draws=args.draws, seed=args.seed)
    if args.json:
        table = [[a, b, n] for (a, b), n in sorted(found.table.items(), key=str)]
        counts = {"count": found.count, "only_first": found.only_first, "only_second": found.only_second}
        print(json.dumps({**counts, "scores": [s.to_dict() for s in found.scores], "table": table}))
        return 0
    print(f"{found.count} items labelled by both; only by A: {found.only_first}, only by B: {found.only_second}")
    for score in found.scores:
        print(f"  {score.metric:<16} {score.value:6.3f} [{score.low:.3f}, {score.high:.3f}]")
    print("  A, B: count")
    for (a, b), count in sorted(found.table.items(), key=lambda item: (-item[1], str(item[0])))[:20]:
        print(f"  {_shown(a)}, {_shown(b)}: {count}")
    return 0


def _shown(label: str | float) -> str:
    return label if isinstance(label, str) else f"{label:g}"
