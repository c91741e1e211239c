"""`mmmath audit`: one number with its error, from all responses as the rules read them and some read with care."""

from __future__ import annotations

import argparse
from pathlib import Path

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
        "what the judge wrote, and writes the scorecard with the estimate."
    )
    add = parser.add_argument
    add("responses", type=Path, metavar="RESPONSES", help="a file that `mmmath rescore` reads")
    add("--benchmark", help="the benchmark, where the file does not say")
    add("--response-column", metavar="NAME", help="the column of responses, where names do not say")
    add("--data", metavar="DIR", help="the data set (default: MMMATH_DATA, else the file's own columns)")
    add("--split", help="the split that was asked (default: the benchmark's first; sample: ours)")
    add("--rule", choices=("verified", "official"), default="verified", help="the verdicts to audit (verified)")
    add("--size", type=int, default=100, help="how many responses to draw (100)")
    add("--seed", type=int, default=0, help="of the draw (0)")
    add("--labels", type=Path, metavar="FILE", help="the labels of a draw")
    add("--out", type=Path, metavar="DIR", help="where the files go (default: beside RESPONSES)")


def run(args: argparse.Namespace) -> int:
    """Draw and write what to label, or read the labels and write the scorecard."""
    if args.size < 1:
        raise InputError(f"--size should be at least 1, is {args.size}")
    folder = args.out or args.responses.parent
    make_writable_folder(folder)
    from mmmath_tasks.outputs import audit

    loaded = audit.load(
        args.responses,
        args.rule,
        name=args.benchmark,
        split=args.split,
        data_dir=args.data,
        response_column=args.response_column,
    )
    if args.labels is None:
        drawn = audit.draw(loaded, args.size, args.seed)
        table, samples = audit.write_draw(folder, loaded, drawn, args.seed)
        print(f"{len(drawn)} of {len(loaded.texts):,} responses drawn with seed {args.seed}")
        print(f"  to label by hand, in column answer or right: {table}")
        print(f"  for `mmmath judge`: {samples}")
        return 0
    labels = audit.read_labels(args.labels, loaded)
    card, found = audit.with_labels(loaded, labels)
    path = folder / f"scorecard_{loaded.run.name}.json"
    write_atomic(path, card.to_json() + "\n")
    print("\n".join([*audit.lines(loaded, labels, found, card), f"wrote {path}"]))
    return 0
