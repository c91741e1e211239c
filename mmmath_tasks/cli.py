"""The command `mmmath`: finds its sub-commands in mmmath_tasks.commands."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

from mmmath_tasks import __version__
from mmmath_tasks import commands as _commands
from mmmath_tasks.commands._parser import Parser
from mmmath_tasks.errors import InputError, message_of

_EXAMPLES = """
    mmmath rescore samples_*.jsonl --out scored
    mmmath report scored -o page
    mmmath COMMAND --help
"""


def parser() -> Parser:
    """Return the parser with every sub-command that mmmath_tasks.commands holds."""
    about = "Visual-mathematics benchmarks: score, look, publish."
    top = Parser(prog="mmmath", description=about, examples=_EXAMPLES)
    top.add_argument("--version", action="version", version=f"mmmath-tasks {__version__}")
    sub = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for found in iter_modules(_commands.__path__):
        if found.name.startswith("_"):
            continue
        module = import_module(f"{_commands.__name__}.{found.name}")
        told = {"help": module.HELP, "description": module.HELP, "examples": getattr(module, "EXAMPLES", "")}
        child = sub.add_parser(found.name.replace("_", "-"), **told)
        module.arguments(child)
        child.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; bad input, and a path that cannot be read or written, is one message and status 2."""
    try:
        args = parser().parse_args(argv)
        if isinstance(sys.stdout, io.TextIOWrapper):  # a response's id may be half a character, a terminal Latin-1
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            status: int = args.run(args)
        except InputError as error:
            sys.stdout.flush()  # what could be done comes before what could not
            return _refused(error)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("mmmath: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who read the output has seen enough (`| head`)
        _drop_output()
        return 141
    except OSError as error:
        if error.errno is None:  # not the system's: some library's own
            raise
        try:
            sys.stdout.flush()
        except OSError:
            error.filename = error.filename or "standard output"
            _drop_output()
        return _refused(error)
    return status


def _refused(error: InputError | OSError) -> int:
    from mmmath_tasks.commands._colour import painted

    for line in message_of(error).splitlines():
        print(f"{painted('mmmath:', 'error', sys.stderr)} {line}", file=sys.stderr)
    return 2


def _drop_output() -> None:
    """Let what is still to be printed vanish, or it would fail once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
