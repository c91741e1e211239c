"""`mmmath path`: where the task descriptions of a harness lie, for its --include_path."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import did_you_mean

HELP = "print the folder of task files, for --include_path"

EXAMPLES = """
    lm_eval run --include_path "$(mmmath path)" --tasks mathvista_testmini --model hf-multimodal
    lmms-eval --include_path "$(mmmath path lmms)" --tasks mmmath_mathvista_testmini
"""


_FOLDERS = {
    "lm-eval": ("lm_eval_plugin", "tasks_folder"),
    "lmms": ("lmms_eval", "write_tasks"),
    "evaluate": ("evaluate", "write_metrics"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the one optional argument."""
    parser.add_argument("harness", nargs="?", default="lm-eval", help="lm-eval (default), lmms or evaluate")


def folder(harness: str = "lm-eval") -> Path:
    """Return the folder of task files for "lm-eval", or for "lmms" or "evaluate", written into the user's cache.

    Raises:
        InputError: there are none for that harness.
    """
    given = _FOLDERS.get(harness.replace("_", "-"))
    if given is None:
        near = did_you_mean(harness, _FOLDERS)
        raise InputError(f"no task files for harness {harness!r}; there are some for lm-eval, lmms and evaluate{near}")
    module, function = given
    found: Path = getattr(import_module(f"mmmath_tasks.harnesses.{module}"), function)()
    return found


def run(args: argparse.Namespace) -> int:
    """Print the folder."""
    print(folder(args.harness))
    return 0
