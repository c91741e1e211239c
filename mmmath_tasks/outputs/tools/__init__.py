"""Files as single tools write them: one module a tool, each found by being here.

A module turns what its tool writes into the rows that `outputs.saved` reads, with these columns: `id`, or `doc_id` (the
position in the split, from 0) where the tool keeps no id; `response`, a list of texts (see `said`) or None; and, where
the tool has them, `doc` (the problem's own columns), `asked` (the prompt), `target`, `correct` (its verdict), `error`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Protocol, cast
from zipfile import BadZipFile, ZipFile

from mmmath_tasks.contract import checked
from mmmath_tasks.outputs.cells import texts
from mmmath_tasks.outputs.cuts import ended
from mmmath_tasks.outputs.sheets import Row


class Tool(Protocol):
    """What a module gives."""

    NAME: str
    """What its files are called in messages and scorecards: "inspect_ai log"."""
    row: Callable[[Row], Row | None]
    """A row of a file to one with our columns; None: it is not the tool's."""
    rows_in: Callable[[Mapping[str, Any]], Iterator[Row] | None] | None = None
    """A JSON file's object to the rows that `row` takes; None: it is not the tool's, as for tools that write lines."""
    unzipped: Callable[[Path, ZipFile], Iterator[Row] | None] | None = None
    """Likewise an archive."""


@cache
def tools() -> tuple[Tool, ...]:
    """Return the tools, by name."""
    found = sorted(module.name for module in iter_modules([str(Path(part)) for part in __path__]))
    return tuple(cast(Tool, checked(import_module(f"{__name__}.{name}"), Tool)) for name in found)


def of_row(row: Row) -> Tool | None:
    """Return the tool that a file's first row is of; None: of none that is known."""
    return next((tool for tool in tools() if tool.row(row) is not None), None)


def rows_in(value: Mapping[str, Any]) -> Iterator[Row] | None:
    """Return the rows of a JSON object that is a tool's file; None: it is no tool's."""
    return next((found for tool in tools() if tool.rows_in and (found := tool.rows_in(value)) is not None), None)


def said(choice: Mapping[str, Any]) -> str | None:
    """Return what a choice of a chat completion says, in the words of OpenAI or of harnesses; marked if it was cut."""
    found = texts(choice.get("message", choice.get("text")))
    return ended(found[0] if found else None, choice.get("finish_reason") or choice.get("stop_reason"))


def unzipped(path: Path) -> Iterator[Row] | None:
    """Return the rows of an archive that is a tool's file; None: it is no tool's, or no archive."""
    try:
        archive = ZipFile(path)
    except BadZipFile:
        return None
    for tool in tools():
        if tool.unzipped and (found := tool.unzipped(path, archive)) is not None:
            return _closing(archive, found)
    archive.close()
    return None


def _closing(archive: ZipFile, rows: Iterator[Row]) -> Iterator[Row]:
    with archive:
        yield from rows
