"""`mmmath mathopeval-check`: run every code of a MathOPEval set and see that the execution score holds on it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from mmmath_tasks.commands._parser import require_at_least

HELP = "run all reference codes of a MathOPEval set in the sandbox: references must score 1, unedited copies 0"

EXAMPLES = """
    mmmath mathopeval-check built/mathopeval --every 20 --workers 2
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", type=Path, help="a built folder, or one with samples.jsonl")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth sample (default: all)")
    parser.add_argument("--workers", type=int, default=1, help="sandboxes side by side (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Print one line a cell; status 1 where any code falls short."""
    require_at_least(args, every=1, workers=1)
    from mmmath_tasks.sandbox import environment

    for line in environment.differences():
        print(f"note: {line}", file=sys.stderr)
    short = check(_rows(args.folder, args.every), args.workers)
    return 1 if short else 0


def check(rows: Iterable[Mapping[str, Any]], workers: int = 1) -> int:
    """Run the codes of free-form rows and print a table.

    Returns:
        how many codes fell short.

    Raises:
        InputError: the sandbox cannot be used.
    """
    from tqdm import tqdm

    from mmmath_tasks.sandbox.execution import Attempt, execution_scores

    cells: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    short = 0
    stream = iter(rows)
    bar = tqdm(desc="mathopeval-check", unit=" codes", disable=None)
    while some := list(islice(stream, 400)):
        edits = [row for row in some if row["task"] != "mcg"]
        attempts = [
            Attempt(row["type"], row["task"], row["answer"], row[column], row["original_code"] or "")
            for group, column in ((some, "answer"), (edits, "original_code"))
            for row in group
        ]
        scores = execution_scores(attempts, workers=workers)
        bar.update(len(attempts))
        for i, (row, found) in enumerate(zip([*some, *edits], scores, strict=True)):
            what, wanted = ("references", 1.0) if i < len(some) else ("copies", 0.0)
            good = abs(found.score - wanted) < 1e-9
            cells[row["task"], row["type"]][f"{what} {'right' if good else 'wrong'}"] += 1
            if not good:
                short += 1
                print(f"{row['id']}: {what} score {found.score:.3f} {found.cause} {dict(found.parts)}", file=sys.stderr)
    bar.close()
    for (task, kind), numbers in sorted(cells.items()):
        reference, copies = (
            f"{numbers[f'{what} right']:,} of {numbers[f'{what} right'] + numbers[f'{what} wrong']:,}"
            for what in ("references", "copies")
        )
        print(f"{task:17} {kind:9} reference scores 1: {reference:15} unedited copy scores 0: {copies}")
    return short


def _rows(folder: Path, every: int) -> Iterable[Mapping[str, Any]]:
    from mmmath_tasks.scoring import benchmark
    from mmmath_tasks.sources import find_split

    chosen = benchmark("mathopeval")
    if (folder / "samples.jsonl").is_file():
        rows: Iterable[Mapping[str, Any]] = chosen.rows.read(folder, "gen")
    else:
        found = find_split(chosen, "gen", data_dir=str(folder)).rows
        rows = found.remove_columns(["picture", "target_picture"])
    order: dict[str, int] = {}
    return (row for row in rows if order.setdefault(row["sample"], len(order)) % every == 0)
