"""`mmmath audit`: one number with its error, from all responses as the rules read them and some read with care."""

from __future__ import annotations

import argparse
from pathlib import Path

from mmmath_tasks.commands._parser import add_what_was_asked, require_at_least, what_was_asked
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import make_writable_folder, write_atomic

HELP = "draw responses to label; with the labels, accuracy with sampling and reading error in one interval"

EXAMPLES = """
    mmmath audit samples_mathvista_testmini_*.jsonl --out audit          # draws 100 to label
    mmmath audit samples_mathvista_testmini_*.jsonl --labels audit/audit_samples_mathvista_testmini.csv --out audit
    mmmath audit responses.jsonl --benchmark mathvision --data DIR --size 200 --seed 1
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.epilog = (
        "Without --labels, draws responses and writes them as a table to fill in (answer: what the response answers, "
        "or none; or right: yes or no) and as samples for `mmmath judge`. With --labels, takes the filled table, or "
        "what the judge wrote, and adds the estimate to the scorecard, which may be there already."
    )
    add = parser.add_argument
    add("responses", type=Path, metavar="RESPONSES", help="a file that `mmmath rescore` reads")
    add_what_was_asked(parser)
    add("--rule", choices=("verified", "official"), default="verified", help="the verdicts to audit")
    add("--size", type=int, default=100, help="how many responses to draw (100)")
    add("--seed", type=int, default=0, help="of the draw (0)")
    add("--labels", type=Path, metavar="FILE", help="the labels of a draw")
    add("--out", type=Path, metavar="DIR", help="where the files go (default: beside RESPONSES)")


def run(args: argparse.Namespace) -> int:
    """Draw and write what to label, or read the labels and write the scorecard."""
    require_at_least(args, size=1)
    folder = args.out or args.responses.parent
    make_writable_folder(folder)
    from mmmath_tasks.outputs import audit
    from mmmath_tasks.report.runs import read_card

    loaded = audit.load(args.responses, args.rule, **what_was_asked(args))
    if args.labels is None:
        drawn = audit.draw(loaded, args.size, args.seed)
        table, samples = audit.write_draw(folder, loaded, drawn, args.seed)
        print(f"{len(drawn)} of {len(loaded.texts):,} responses drawn with seed {args.seed}")
        print(f"  to label by hand, in column answer or right: {table}")
        print(f"  for `mmmath judge`: {samples}")
        return 0
    labels = audit.read_labels(args.labels, loaded)
    path, card = folder / f"scorecard_{loaded.run.name}.json", loaded.run.card
    if path.exists():
        beside = audit.without_audit(read_card(path), loaded)
        if beside is None:
            raise InputError(f"{path}: is the scorecard of other verdicts; name another folder with --out")
        card = beside
    card, found = audit.with_labels(loaded, labels, card)
    write_atomic(path, card.to_json() + "\n")
    print("\n".join([*audit.lines(loaded, labels, found, card), f"wrote {path}"]))
    return 0
