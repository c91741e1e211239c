"""JSON objects in saved files: a row, rows by their ids, responses by ids, a table by its columns, rows under a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.cells import is_conversation
from mmmath_tasks.outputs.names import ID_COLUMNS, RESPONSE_COLUMNS
from mmmath_tasks.outputs.sheets import Row
from mmmath_tasks.outputs.tools import rows_in

_DEPTH = 3  # keys that may lead to rows inside an object


class _Twice(Row):
    """A JSON object in which a key stands twice, so that a value is lost; `key` names it."""

    key: str


def without_losses(pairs: list[tuple[str, Any]]) -> Row:
    """Return an object from the pairs that a JSON parser found; `as_row` refuses one that has lost a value."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice = _Twice(found)
    twice.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return twice


def as_row(value: Any, where: str) -> Row:
    """Return a JSON value as a row.

    Raises:
        InputError: it is no object, or one in which a key stands twice.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object, got {type(value).__name__}")
    if isinstance(value, _Twice):
        raise InputError(f"{where}: the key {value.key!r} stands there twice")
    return value


def rows_of(path: Path, value: Mapping[str, Any]) -> Iterator[tuple[int, Row]]:
    """Yield the rows of an object: id to row (as MathVista writes it), id to response, columns, a tool's log.

    Raises:
        InputError: it is none of these, or has rows under several keys, which are named.
    """
    value = as_row(value, str(path))
    if (found_by_tool := rows_in(value)) is not None:
        yield from enumerate(found_by_tool, 1)
        return
    if value.keys() & {*ID_COLUMNS} and value.keys() & {*RESPONSE_COLUMNS}:  # a row, or a table as pandas writes it
        columns = [[*v.values()] if isinstance(v, dict) else v for v in value.values()]
        table = all(isinstance(v, list) for v in columns) and len({len(v) for v in columns}) == 1
        lines = zip(*columns, strict=True) if table else [tuple(value.values())]
        yield from ((number, dict(zip(value, row, strict=True))) for number, row in enumerate(lines, 1))
        return
    inner = _inner(value)
    if len(inner) > 1:
        keys = some([*map(repr, inner)])
        raise InputError(f"{path}: rows stand under {len(inner)} keys ({keys}): save those of one of them alone")
    for where, found in inner.items():
        named = found.items() if isinstance(found, dict) else enumerate(found, 1)
        for number, (name, row) in enumerate(named, 1):
            own = {"id": name} if isinstance(found, dict) else {}
            yield number, own | as_row(row, f"{path}: key {where!r}: row {name!r}")
        return
    if {"results", "configs"} <= value.keys():
        raise InputError(f"{path}: is lm-eval's results, not responses: those are in samples_*.jsonl (--log_samples)")
    for number, (key, row) in enumerate(value.items(), 1):
        if isinstance(row, dict):
            yield number, {"id": key, **as_row(row, f"{path}: key {key!r}")}
        elif row is None or isinstance(row, str) or _is_said(row):
            yield number, {"id": key, "response": row}
        else:
            raise InputError(f"{path}: key {key!r}: expected a row or a response, got {type(row).__name__}")


def holds_rows(value: Mapping[str, Any]) -> bool:
    """Say whether an object is no row itself, but has rows in it."""
    return bool(_inner(value)) or any(map(_is_response_row, value.values()))


def _is_said(value: Any) -> bool:
    """Say whether a list holds what a model said: texts, or a conversation."""
    return is_conversation(value) or (isinstance(value, list) and all(isinstance(text, str) for text in value))


def _inner(value: Mapping[str, Any]) -> dict[str, list[Row] | dict[str, Row]]:
    """Return the rows inside an object by their keys: those with known columns, else any at the top."""
    return dict(_nested(value)) or {key: found for key, found in value.items() if _is_rows(found)}


def _is_response_row(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.keys() & {*RESPONSE_COLUMNS})


def _is_rows(value: Any) -> bool:
    dicts = isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    return dicts and not is_conversation(value)


def _nested(value: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the rows inside an object that has them beside other things, as a score beside its details.

    Yields:
        the keys that lead there, joined by dots, and a list of rows or an object of id to row; the messages of a
        conversation are no rows.
    """
    for key, inner in value.items():
        here = (*path, key)
        if _is_rows(inner):
            if any(row.keys() & {*ID_COLUMNS, *RESPONSE_COLUMNS, "doc_id"} for row in inner):
                yield ".".join(here), inner
        elif isinstance(inner, dict) and inner and all(map(_is_response_row, inner.values())):
            yield ".".join(here), inner
        elif isinstance(inner, dict) and len(here) < _DEPTH and not inner.keys() & {*ID_COLUMNS, *RESPONSE_COLUMNS}:
            yield from _nested(inner, here)
