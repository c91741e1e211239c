"""`mmmath lm-eval ARGS...`: lm-eval's own command line with our tasks and models, in this process."""

from __future__ import annotations

import argparse
import sys
import traceback

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import did_you_mean

HELP = "run lm-eval's own command line with the tasks and models of mmmath-tasks (where the start-up hook is not read)"

EXAMPLES = """
    mmmath lm-eval run --tasks mmmath_sample --model mmmath-random-chance --output_path out
"""

_ARGUMENTS = ("lm_eval._cli", "lm_eval.config", "lm_eval.api.registry")
"""Where lm-eval reads its arguments: a ValueError raised there is about them."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Take every argument as it stands, --help too."""
    parser.prefix_chars = "\0"
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="arguments of lm_eval")


def run(args: argparse.Namespace) -> int:
    """Hand over.

    Raises:
        InputError: from a task of ours, or what lm-eval says of its own arguments (an unknown task, metadata that is no
            JSON); `mmmath` prints its message and exits with status 2.
    """
    from lm_eval.__main__ import cli_evaluate

    from mmmath_tasks.harnesses import task_files
    from mmmath_tasks.harnesses.lm_eval_plugin import register
    from mmmath_tasks.harnesses.lm_eval_surround import surround

    register()
    surround()
    before = sys.argv
    sys.argv = ["lm_eval", *args.arguments]
    try:
        cli_evaluate()
    except ValueError as error:
        if _module_of(error).startswith(_ARGUMENTS):
            said = str(error)
            words = said.removeprefix("Tasks not found: ").split(", ") if said.startswith("Tasks not found") else []
            near = [did_you_mean(word, [*task_files.tasks(), *task_files.groups()]) for word in words]
            raise InputError(said + "".join(near)) from None
        raise
    finally:
        sys.argv = before
    return 0


def _module_of(error: Exception) -> str:
    """Return the name of the module that raised."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return str(frames[-1].f_globals["__name__"])
