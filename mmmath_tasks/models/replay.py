"""Saved responses by problem id, from a JSON, JSONL or CSV file."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import load_json, load_json_lines

IDS = ("id", "pid", "problem_id", "sample_index", "ID", "question_id")
"""Names under which a row may hold the problem's id, the first that is there counts."""
RESPONSES = ("response", "model_answer", "prediction", "output")
"""Names under which a row may hold the model's text."""


def read(path: Path) -> dict[str, str]:
    """Return problem id to response.

    Args:
        path: `.jsonl` (an object a line), `.csv` (a header line), or `.json`: a list of objects, or an object, id to
            response or id to object. A response that is null or absent beside an `error` counts as "".

    Raises:
        InputError: no such file, not readable, a row without id or response, or two responses for one id.
    """
    responses: dict[str, str] = {}
    for where, row in _rows(path):
        key, response = _id(path, where, row), _response(path, where, row)
        if responses.setdefault(key, response) != response:
            raise InputError(f"{path}: {where}: a second, different response for problem {key!r}")
    if not responses:
        raise InputError(f"{path}: no responses")
    return responses


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if path.suffix == ".jsonl":
        yield from ((f"row {number}", row) for number, row in enumerate(load_json_lines(path), 1))
    elif path.suffix == ".csv":
        yield from _csv_rows(path)
    else:
        found = load_json(path)
        if isinstance(found, Mapping):
            for key, row in found.items():
                yield f"problem {key}", {"id": key, **(row if isinstance(row, Mapping) else {"response": row})}
        elif isinstance(found, list) and all(isinstance(row, Mapping) for row in found):
            yield from ((f"row {number}", row) for number, row in enumerate(found, 1))
        else:
            raise InputError(f"{path}: expected a list of JSON objects or an object, problem id to response")


def _csv_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    csv.field_size_limit(sys.maxsize)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            yield from ((f"row {number}", row) for number, row in enumerate(csv.DictReader(file), 1))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a UTF-8 CSV file: {error}") from None


def _id(path: Path, where: str, row: Mapping[str, Any]) -> str:
    for name in IDS:
        if isinstance(row.get(name), str | int) and str(row[name]):
            return str(row[name])
    raise InputError(
        f"{path}: {where}: no problem id; looked for {', '.join(IDS)}; columns: {', '.join(map(str, row))}"
    )


def _response(path: Path, where: str, row: Mapping[str, Any]) -> str:
    for name in RESPONSES:
        if name in row:
            if row[name] is None or isinstance(row[name], str):
                return row[name] or ""
            raise InputError(f"{path}: {where}: {name!r} should be text, got {row[name]!r}")
    if "error" in row:
        return ""
    raise InputError(f"{path}: {where}: no response; looked for {', '.join(RESPONSES)}")
