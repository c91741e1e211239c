"""`mmmath lm-eval ARGS...`: lm-eval's own command line with our tasks and models, in this process."""

from __future__ import annotations

import argparse
import sys

HELP = "run lm-eval's own command line with the tasks and models of mmmath-tasks (where the start-up hook is not read)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Take every argument as it stands, --help too."""
    parser.prefix_chars = "\0"
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="arguments of lm_eval")


def run(args: argparse.Namespace) -> int:
    """Hand over.

    Raises:
        InputError: from a task of ours; `mmmath` prints its message and exits with status 2.
    """
    from lm_eval.__main__ import cli_evaluate

    from mmmath_tasks.harnesses.lm_eval_plugin import register

    register()
    before = sys.argv
    sys.argv = ["lm_eval", *args.arguments]
    try:
        cli_evaluate()
    finally:
        sys.argv = before
    return 0
