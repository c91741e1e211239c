"""`mmmath submission`: saved responses in the layout that the authors' leaderboard takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from mmmath_tasks.commands._parser import add_what_was_asked, check_data
from mmmath_tasks.number_text import counted

HELP = "write saved responses as the authors' leaderboard takes them"

EXAMPLES = """
    mmmath submission responses.jsonl --data DIR -o output.json
    mmmath submission Model_MathVista_MINI.xlsx --partial -o output.json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="responses: JSONL, JSON, CSV, TSV, xlsx, parquet")
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="FILE.json", help="the file to write; .jsonl: rows"
    )
    add_what_was_asked(parser)
    parser.add_argument("--partial", action="store_true", help="leave out problems without a response")


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it."""
    from mmmath_tasks.files import make_writable_folder, write_json, write_json_lines
    from mmmath_tasks.outputs.saved import open_saved
    from mmmath_tasks.outputs.submission import layouts, rows_of, submission
    from mmmath_tasks.sources import is_named

    check_data(args)
    name = args.benchmark or open_saved(args.file, response=args.response_column).benchmark
    rows = rows_of(name, args.split, args.data) if name in layouts() and is_named(args.data, args.split) else None
    name, content, account = submission(
        args.file, name=name, rows=rows, partial=args.partial, response_column=args.response_column
    )
    make_writable_folder(args.out.parent)
    if args.out.suffix == ".jsonl" and isinstance(content, list):
        write_json_lines(args.out, content)
    else:
        write_json(args.out, content)
    print(f"{args.out}: {counted(len(content), 'response')} to {name}")
    for line in account.lines():
        print(f"  {line}")
    return 0
