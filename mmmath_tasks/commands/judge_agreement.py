"""`mmmath judge-agreement`: how far judges, or a judge and human labels, agree; and the verdict of their majority."""

from __future__ import annotations

import argparse
import itertools
import json
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.commands._parser import require_at_least
from mmmath_tasks.files import make_writable_folder

if TYPE_CHECKING:
    from mmmath_tasks.judge.agreement import Agreement
    from mmmath_tasks.problem import Score

HELP = "agreement and kappas between judges, or a judge and human labels; --out: the majority's verdicts"

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
    parser.add_argument("more", type=Path, nargs="*", metavar="C", help="further judges")
    parser.add_argument(
        "--column", help="the label's column in both files, such as verdict.verified or verdict.scores.cot_e"
    )
    parser.add_argument("--column-second", help="the label's column in B, where it differs")
    parser.add_argument("--draws", type=int, default=1000, help="bootstrap resamples (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write the majority's verdicts there: samples and scorecard of a panel"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print agreement and kappas with 95 % intervals and the table of labels; write the majority where asked to."""
    from mmmath_tasks.judge.agreement import agreement, read_labels
    from mmmath_tasks.judge.panel import fleiss

    require_at_least(args, draws=1, seed=0)
    if args.out:
        make_writable_folder(args.out)
    paths = [args.first, args.second, *args.more]
    columns = [args.column, args.column_second or args.column, *(args.column for _ in args.more)]
    labels = [read_labels(path, column) for path, column in zip(paths, columns, strict=True)]
    pairs = {
        (i, j): agreement(labels[i], labels[j], draws=args.draws, seed=args.seed)
        for i, j in itertools.combinations(range(len(paths)), 2)
    }
    together = fleiss(labels, draws=args.draws, seed=args.seed) if args.more else pairs[0, 1].scores
    if args.json:
        print(json.dumps(_record(pairs, together, bool(args.more))))
    else:
        if args.more:
            print("\n".join(f"{_letter(place)}: {path}" for place, path in enumerate(paths)))
            print(f"{together[0].count} items labelled by all {len(paths)}")
            _print_scores(together)
        for (i, j), found in pairs.items():
            _print_pair(found, _letter(i), _letter(j))
    if args.out:
        _write_panel(paths, args.out, together, quiet=args.json)
    return 0


def _record(pairs: Mapping[tuple[int, int], Agreement], together: Sequence[Score], several: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if several:
        found = {"count": together[0].count, "scores": [s.to_dict() for s in together]}
    every = []
    for (i, j), pair in pairs.items():
        table = [[a, b, n] for (a, b), n in sorted(pair.table.items(), key=str)]
        counts = {"count": pair.count, "only_first": pair.only_first, "only_second": pair.only_second}
        every.append({**counts, "scores": [s.to_dict() for s in pair.scores], "table": table})
        if several:
            every[-1] = {"judges": [_letter(i), _letter(j)], **every[-1]}
    return {**found, "pairs": every} if several else every[0]


def _print_pair(found: Agreement, one: str, other: str) -> None:
    only = f"only by {one}: {found.only_first}, only by {other}: {found.only_second}"
    print(f"{one} and {other}: {found.count} items labelled by both; {only}")
    _print_scores(found.scores)
    print(f"  {one}, {other}: count")
    for (a, b), count in sorted(found.table.items(), key=lambda item: (-item[1], str(item[0])))[:20]:
        print(f"  {_shown(a)}, {_shown(b)}: {count}")


def _print_scores(scores: Sequence[Score]) -> None:
    for score in scores:
        print(f"  {score.metric:<16} {score.value:6.3f} [{score.low:.3f}, {score.high:.3f}]")


def _write_panel(paths: Sequence[Path], folder: Path, together: Sequence[Score], quiet: bool) -> None:
    from mmmath_tasks.judge.panel import panel, write

    found = panel(paths, together)
    written = write(found, folder, "panel")
    if not quiet:
        print(
            f"majority of {', '.join(found.judges)}: {len(found.rows)} responses, {len(found.tied)} tied and unscored"
        )
        print(f"  cost of all: {found.card.provenance['judge']['cost']:.4f} US dollars")
        print(f"wrote {written} and its scorecard")


def _letter(place: int) -> str:
    return string.ascii_uppercase[place] if place < len(string.ascii_uppercase) else str(place + 1)


def _shown(label: str | float) -> str:
    return label if isinstance(label, str) else f"{label:g}"
