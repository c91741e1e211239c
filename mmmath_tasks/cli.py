"""The command `mmmath`: finds its sub-commands in mmmath_tasks.commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

from mmmath_tasks import __version__
from mmmath_tasks import commands as _commands
from mmmath_tasks.errors import InputError


def parser() -> argparse.ArgumentParser:
    """Return the parser with every sub-command that mmmath_tasks.commands holds."""
    top = argparse.ArgumentParser(prog="mmmath", description="Visual-mathematics benchmarks: score, look, publish.")
    top.add_argument("--version", action="version", version=f"mmmath-tasks {__version__}")
    sub = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for found in iter_modules(_commands.__path__):
        if found.name.startswith("_"):
            continue
        module = import_module(f"{_commands.__name__}.{found.name}")
        child = sub.add_parser(found.name.replace("_", "-"), help=module.HELP, description=module.HELP)
        module.arguments(child)
        child.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; bad input is one message on stderr and status 2."""
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except InputError as error:
        print(f"mmmath: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mmmath: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who read the output has seen enough (`| head`); nothing is left to say at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status


if __name__ == "__main__":
    sys.exit(main())
