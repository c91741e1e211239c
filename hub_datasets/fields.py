"""Small readers that every benchmark's rows need: text columns, picture paths, JSON files, option lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError

DATA = "data"
"""The folder of the rows in a clone of an authors' repository."""


def text_field(row: Mapping[str, Any], column: str, where: str) -> str:
    """Return a text column; numbers become text.

    Args:
        row: a row of upstream's file.
        column: the column's name.
        where: what names the row in an error: "MathVista pid 7", or the benchmark where the column is the id.

    Raises:
        InputError: the column is missing, empty of type, or holds something else.
    """
    value = row.get(column)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    found = "is missing" if column not in row else f"should be text, got {value!r}"
    raise InputError(f"{where}: column {column!r} {found}; columns: {', '.join(map(str, row))}")


def choice_lines(choices: Sequence[str]) -> str:
    """Return "(A) first" to "(Z) last", one a line."""
    return "\n".join(f"({chr(ord('A') + i)}) {choice}" for i, choice in enumerate(choices))


def list_field(row: Mapping[str, Any], column: str, where: str) -> tuple[str, ...]:
    """Return a column that holds a list of texts (numbers become text), () where it is null or missing.

    Raises:
        InputError: it holds something else.
    """
    value = row.get(column)
    if value is not None and not isinstance(value, list | tuple):
        raise InputError(f"{where}: column {column!r} should be a list or null, got {value!r}")
    return tuple(str(item) for item in value or ())


def table_text(value: Any) -> str | None:
    """Return a cell of a table as text; spreadsheets make 3 of it 3.0. None for an empty one, or a column not there."""
    if value is None:
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def lettered(row: Mapping[str, Any]) -> list[str]:
    """Return the options that a VLMEvalKit table keeps in columns A, B, C, ..., one a column."""
    return [text for letter in "ABCDEFGH" if (text := table_text(row.get(letter)))]


def data_folder(folder: Path, *names: str) -> Path:
    """Return where the first file there is of these names lies: `folder` or, in a clone of a repository, its `data`."""
    return next((base for base in (folder, folder / DATA) for name in names if (base / name).is_file()), folder)


def picture(folder: Path, name: str | None, where: str) -> dict[str, Any] | None:
    """Return a reference to a picture file, unopened; None where the row names none.

    Args:
        folder: where the rows' file lies. The picture lies there or in `images`; of a clone's `data`, also in the clone
            or its `images`. What is nowhere is said to be in `folder`.
        name: as the row has it.
        where: what names the row in an error: "id 5".

    Raises:
        InputError: the name is no text, or no file can have it.
    """
    if not name:
        return None
    bases = [folder, folder / "images"]
    if folder.name == DATA:
        bases += [folder.parent, folder.parent / "images"]
    try:
        paths = [base / name for base in bases]
        return {"bytes": None, "path": str(next((path for path in paths if path.is_file()), paths[0]).resolve())}
    except (TypeError, ValueError, OSError, RuntimeError) as error:
        raise InputError(f"{folder}: {where} names the picture {name!r}, which is no file's name: {error}") from None


def load_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        InputError: it is missing, is not JSON, or has an object with the same key twice; the message says where.
    """
    try:
        return json_text.loads(path.read_text(encoding="utf-8"), object_pairs_hook=partial(_once, path))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}") from None
    except JSONDecodeError as error:
        raise InputError(f"{path}: not JSON: {json_text.fault(error)}") from None


def load_texts(path: Path) -> dict[str, str]:
    """Read texts by problem id: a JSON object, or the same under "texts", as MathVista's authors have it.

    Raises:
        InputError: as for `load_json`, or it is no such object.
    """
    found = load_json(path)
    texts = found.get("texts", found) if isinstance(found, dict) else None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise InputError(f"{path}: expected a JSON object, problem id to text")
    return texts


def _once(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{path}: the key {twice!r} stands twice in one object")
    return found


def load_json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON file that holds a list of them.

    Raises:
        InputError: as `load_json`, or it is no list, or a row is no object; the message names the row.
    """
    rows = load_json(path)
    if not isinstance(rows, list):
        raise InputError(f"{path}: expected a JSON list of rows, got {type(rows).__name__}")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise InputError(f"{path}: row {number}: expected a JSON object, got {row!r}")
        yield row


def load_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file, blank lines skipped.

    Raises:
        InputError: it is missing, or a line is not a JSON object; the message names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}") from None
    # Not splitlines: JSON strings may hold U+2028 and its like unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = json_text.loads(line)
        except JSONDecodeError as error:
            raise InputError(f"{path}: line {number} is not JSON: {json_text.fault(error)}") from None
        if not isinstance(found, dict):
            raise InputError(f"{path}: line {number} should be a JSON object, got {line[:80]!r}")
        yield found
