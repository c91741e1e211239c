"""Parsers of `mmmath`: defaults and examples in every --help, and what may have been meant by an unknown word."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import did_you_mean

# "argument COMMAND: invalid choice: 'rescor' (choose from 'card', 'rescore')"
_NO_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser whose help names defaults and shows examples, and whose errors say what may have been meant."""

    def __init__(self, *, examples: str = "", **kwargs: Any) -> None:
        """Take what argparse takes, and examples: a command a line."""
        super().__init__(formatter_class=_Help, **kwargs)
        self.examples = textwrap.dedent(examples).strip()

    def format_help(self) -> str:
        """Return the help, the examples last."""
        shown = textwrap.indent(self.examples, "  ")
        return super().format_help() + (f"\nexamples:\n{shown}\n" if shown else "")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; of an unknown option the sub-command tells that it was given to, which has those that may be meant."""
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            owner = self._chosen(found)
            near = "".join(
                did_you_mean(word.partition("=")[0], owner.options()) for word in rest if word.startswith("-")
            )
            owner.error(f"unrecognized arguments: {' '.join(rest)}{near}")
        return found

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and what may have been meant, and end with status 2."""
        if match := _NO_CHOICE.search(message):
            message += did_you_mean(match[1], re.findall(r"[\w.-]+", match[2]))
        super().error(message)

    def options(self) -> list[str]:
        """Return the long options."""
        return [word for action in self._actions for word in action.option_strings if word.startswith("--")]

    def children(self) -> Iterator[tuple[str, str, Parser]]:
        """Yield the sub-commands: where the choice is kept, name, parser."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from ((action.dest, name, child) for name, child in action.choices.items())

    def every(self) -> Iterator[Parser]:
        """Yield this parser and all below it."""
        yield self
        for _, _, child in self.children():
            yield from child.every()

    def actions(self) -> Sequence[argparse.Action]:
        """Return the arguments."""
        return self._actions

    def _chosen(self, found: argparse.Namespace) -> Parser:
        """Return the sub-command's parser that a command line led to."""
        chosen = [child for dest, name, child in self.children() if getattr(found, dest, None) == name]
        return chosen[0]._chosen(found) if chosen else self


def add_what_was_asked(parser: argparse.ArgumentParser, split: bool = True) -> None:
    """Add the arguments that say of a file of responses what its columns do not; --split where nothing is beside it."""
    parser.add_argument("--benchmark", help="the benchmark, where the file does not say")
    parser.add_argument("--response-column", metavar="NAME", help="the column of responses, where names do not say")
    parser.add_argument("--data", metavar="DIR", help="the data set; default: MMMATH_DATA, else the file's own columns")
    if split:
        parser.add_argument(
            "--split",
            help="the split that was asked (default: what a harness put into the file's name, else the benchmark's "
            "first; sample: ours)",
        )


def what_was_asked(args: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_what_was_asked` took, as arguments of `rescore`; raises InputError as `check_data`."""
    check_data(args)
    asked = {"name": args.benchmark, "split": args.split, "data_dir": args.data}
    return {**asked, "response_column": args.response_column}


def check_data(args: argparse.Namespace) -> None:
    """Refuse a folder for the sample, which is in none.

    Raises:
        InputError: with both options.
    """
    if args.data and (args.split == "sample" or getattr(args, "sample", False)):
        raise InputError(f"--data {args.data} is not read for the sample, which ships with the package")


def require_at_least(args: argparse.Namespace, **least: int) -> None:
    """Refuse numbers that are too small.

    Raises:
        InputError: with the option's name.
    """
    for name, number in least.items():
        if getattr(args, name) < number:
            raise InputError(f"--{name} should be at least {number}, is {getattr(args, name)}")


class _Help(argparse.HelpFormatter):
    """Names a default where there is one and the text does not say it already."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        plain = isinstance(action.default, bool) or action.default in (None, "", argparse.SUPPRESS, (), [])
        if plain or not action.option_strings or re.search(r"default|\(\d[\d.]*\)", action.help or ""):
            return action.help
        return f"{action.help} (default: %(default)s)"
