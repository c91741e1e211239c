"""`mmmath report`: one HTML page of scorecards, plots and responses."""

from __future__ import annotations

import argparse
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.number_text import counted

HELP = "make an HTML page of scorecards, plots and responses"

EXAMPLES = """
    mmmath report scored -o page                        # then open page/index.html
    mmmath report out/scorecard_*.json -o page --names ours theirs
    mmmath report runs -o board                         # of several models and benchmarks: with a leaderboard
    mmmath report scored -o page --pictures --data DIR
"""


_NAMED = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "scorecards",
        nargs="+",
        type=Path,
        metavar="SCORECARD",
        help="scorecard_NAME.json, or samples_NAME.jsonl beside it, which holds the responses, or a folder of them",
    )
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    parser.add_argument("--names", nargs="+", default=(), metavar="NAME", help="what to call the runs, one each")
    parser.add_argument("--title", default="", help="the page's title")
    parser.add_argument("--pictures", action="store_true", help="copy the problems' pictures into DIR/pictures")
    parser.add_argument("--pdf", action="store_true", help="write the plots as PDF, too, beside SVG and PNG")
    parser.add_argument("--split", help="the split of the pictures, where a scorecard does not say")
    parser.add_argument(
        "--data", metavar="DIR", help="where the pictures come from; default: MMMATH_DATA, else the Hub"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report and say where it is."""
    from mmmath_tasks import papers
    from mmmath_tasks.commands._colour import show
    from mmmath_tasks.outputs.table_text import terminal_width, wrapped
    from mmmath_tasks.report.leaderboard import leaderboard
    from mmmath_tasks.report.page import write_report
    from mmmath_tasks.report.runs import read_runs

    runs = read_runs(args.scorecards, args.names)
    is_new = not args.out.exists()
    make_writable_folder(args.out)
    try:
        made = write_report(
            runs, args.out, title=args.title, pictures=args.pictures, data_dir=args.data, split=args.split, pdf=args.pdf
        )
    except InputError:
        if is_new and not any(args.out.iterdir()):
            args.out.rmdir()
        raise
    if board := leaderboard(runs):
        show([*board.lines(terminal_width()), ""])
    elif len({one.card.benchmark for one in runs}) > 1 and len(runs) > 2:
        why_not = board.why_not().removesuffix(".")
        hint = ["runs of one model are called alike with --names"] if len(board.models) > 1 else []
        out = [f"{run.name} on {papers.title(run.card.benchmark)} left out ({why})" for run, why in board.left_out]
        print("\n".join(wrapped("; ".join([why_not, *hint, *out[:_NAMED]]), terminal_width(), "")))
    held = {"run": len(runs), "plot": made.figures, "response": made.responses, "picture": made.pictures}
    print(f"{made.page}: {', '.join(counted(n, what) for what, n in held.items())}")
    if args.pictures and made.without_picture:
        print(
            f"  {made.without_picture} problems are shown without a picture: the data hold none for just these problems"
        )
    for line in made.elsewhere:
        print(f"  {line}")
    if not made.png:
        print("  plots as SVG and CSV only; for PNG: pip install 'mmmath-tasks[report]'")
    bare = [one for one in runs if one.responses is None]
    for one in bare if len(bare) <= _NAMED else ():
        which = f"{one.name} on {papers.title(one.card.benchmark)}"
        print(f"  {which}: no responses beside its scorecard (samples_*.jsonl); shown without them")
    if len(bare) > _NAMED:
        print(f"  {len(bare)} runs: no responses beside their scorecards (samples_*.jsonl); shown without them")
    return 0
