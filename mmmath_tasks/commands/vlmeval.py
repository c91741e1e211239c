"""`mmmath vlmeval`: VLMEvalKit's own runner with our tasks, or tables for a stock VLMEvalKit."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from mmmath_tasks.commands._parser import Parser
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.number_text import counted

HELP = "run VLMEvalKit with the tasks of mmmath-tasks, or export its tables"

EXAMPLES = """
    mmmath vlmeval -- --data mmmath_mathvista_testmini --model NAME
    mmmath vlmeval list
    mmmath vlmeval export mathvista_testmini --out ~/LMUData
"""

_USAGE = """\
mmmath vlmeval [--run-py PATH] -- --data mmmath_mathvista_testmini --model NAME ...
       mmmath vlmeval list
       mmmath vlmeval export TASK... --out DIR"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.usage = _USAGE
    parser.add_argument("--run-py", type=Path, help="run.py of a clone (default: the installed vlmeval module)")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, help="list, export TASK..., or -- and VLMEvalKit's arguments"
    )


def run(args: argparse.Namespace) -> int:
    """Do what the first word says; without one, run."""
    words = [word for i, word in enumerate(args.words) if word != "--" or i]
    if words and words[0] not in ("list", "export") and not words[0].startswith("-"):
        near = did_you_mean(words[0], ("list", "export"))
        expected = "list, export or -- and VLMEvalKit's arguments, which begin with an option (-- --data NAME ...)"
        raise InputError(f"vlmeval {words[0]}: expected {expected}{near}")
    if words[:1] == ["list"]:
        if words[1:]:
            raise InputError(f"vlmeval list takes no argument, got {' '.join(words[1:])}")
        from mmmath_tasks.harnesses.task_files import prefixed

        print("\n".join(prefixed()))
        return 0
    if words[:1] == ["export"]:
        return _export(words[1:])
    from mmmath_tasks.harnesses.vlmevalkit import run as run_vlmeval

    # a workbook's cells end at 32,767 characters and turn "=5" into a formula; VLMEvalKit reads this variable
    os.environ.setdefault("PRED_FORMAT", "tsv")
    run_vlmeval(words, args.run_py)
    return 0


def _export(words: list[str]) -> int:
    from mmmath_tasks.harnesses.task_files import PREFIX
    from mmmath_tasks.harnesses.vlmevalkit import export

    parser = Parser(prog="mmmath vlmeval export", examples="mmmath vlmeval export mathvista_testmini --out ~/LMUData")
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="a task, as lm-eval names it")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the LMUData folder")
    args = parser.parse_args(words)
    make_writable_folder(args.out)
    for name in args.tasks:
        path = args.out / f"{PREFIX}{name.removeprefix(PREFIX)}_export.tsv"
        count = export(name.removeprefix(PREFIX), path)
        print(f"{path}: {counted(count, 'row')}")
    return 0
