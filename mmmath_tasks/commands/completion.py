"""`mmmath completion`: a script that completes commands, options, benchmarks and tasks in a shell."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

HELP = "print a script that completes mmmath in bash, zsh or fish"

EXAMPLES = """
    mmmath completion bash >~/.local/share/bash-completion/completions/mmmath
    mmmath completion zsh >~/.zfunc/_mmmath    # a folder of $fpath
    mmmath completion fish >~/.config/fish/completions/mmmath.fish
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from mmmath_tasks.cli import parser

    print(shtab.complete(_known(parser()), args.shell))
    return 0


def _known(top: Any) -> Any:
    """Return the parser with what its arguments may be: files, folders, benchmarks, tasks."""
    import shtab

    from mmmath_tasks.harnesses.task_files import tasks
    from mmmath_tasks.scoring import benchmarks

    for parser in top.every():
        for action in parser.actions():
            if action.dest in ("benchmark", "name") and not action.choices:
                action.choices = benchmarks()
            elif action.dest in ("task", "words") and not action.choices:
                action.choices = tuple(tasks())
            elif action.metavar == "DIR" or action.dest == "folder":
                action.complete = shtab.DIRECTORY
            elif action.type is Path or action.metavar in ("FILE", "SCORECARD"):
                action.complete = shtab.FILE
    return top
