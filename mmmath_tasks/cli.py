"""The command `mmmath`: finds its sub-commands in mmmath_tasks.commands."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

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
    if threading.current_thread() is threading.main_thread():  # others may not
        signal.signal(signal.SIGTERM, _terminated)
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
    except ModuleNotFoundError as error:
        return _refused(_lacking(error))
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


def _terminated(*_: object) -> NoReturn:
    """Leave as after Ctrl-C, so that nothing half-done lies about; a second SIGTERM ends the process at once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    print("mmmath: terminated", file=sys.stderr)
    sys.exit(128 + signal.SIGTERM)


def _refused(error: InputError | OSError) -> int:
    from mmmath_tasks.commands._colour import painted

    for line in message_of(error).splitlines():
        print(f"{painted('mmmath:', 'error', sys.stderr)} {line}", file=sys.stderr)
    return 2


def _lacking(error: ModuleNotFoundError) -> InputError:
    """Return what to say of a package that is not installed; raises the error where it lacks only a module."""
    from importlib.util import find_spec

    from mmmath_tasks.commands.doctor import extra_with

    package = (error.name or "").partition(".")[0]
    if package in ("", "mmmath_tasks") or find_spec(package) is not None:
        raise error
    extra = extra_with(package)
    remedy = f"pip install 'mmmath-tasks[{extra}]'" if extra else "install it with pip; another package needs it"
    return InputError(f"the Python package {package} is not installed: {remedy}")


def _drop_output() -> None:
    """Let what is still to be printed vanish, or it would fail once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
