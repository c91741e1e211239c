"""Rows of saved files turned back into upstream's columns, so that a problem can be rebuilt without its data set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from mmmath_tasks.outputs.saved import Saved

_PLACES = {"one decimal place": 1, "two decimal places": 2}
_UNIT = re.compile(r" \(Unit: ([^()]*)\)$")


def upstream_row(name: str, saved: Saved) -> Mapping[str, Any]:
    """Return the columns that the benchmark's `problem(row)` reads.

    Args:
        name: the benchmark.
        saved: a row of any format; rows that already have upstream's columns come back as they are.
    """
    row = saved.row
    embedded = row.get("problem_row")
    if isinstance(embedded, Mapping):
        return embedded
    if name == "mathvista" and isinstance(row.get("metadata"), Mapping):
        # upstream's files are one object, pid to row; elsewhere an `index` beside its columns is pandas' own
        return {**_typed(row), **({"pid": saved.ids[0]} if "pid" not in row and saved.ids else {})}
    convert = _FLAT.get(name)
    return convert(row) if convert and "index" in row else _typed(row)


def _typed(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row of upstream's columns with what a CSV lost: numbers, and cells that hold nothing."""
    changed: dict[str, Any] = {name: None for name in ("choices", "precision", "unit") if row.get(name) == ""}
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        changed.setdefault("precision", float(row["precision"]))
    return {**row, **changed}


def _mathvista(row: Mapping[str, Any]) -> dict[str, Any]:
    """A VLMEvalKit table: the prompt stands for the question, metadata are flat, and precision is only in the hint."""
    query = str(row.get("question") or "").replace("\r\n", "\n")
    hint, _, asked = query.partition("\nQuestion: ")
    asked = asked.partition("\nChoices:")[0] if asked else query
    unit = _UNIT.search(asked)
    names = ("category", "context", "grade", "language", "source", "task")
    skills = row.get("skills")
    return {
        **row,
        "pid": _text(row["index"]),
        "question": asked[: unit.start()] if unit else asked,
        "query": query,
        "unit": unit.group(1) if unit else None,
        "answer": _text(row.get("answer")),
        "choices": row.get("choices") if isinstance(row.get("choices"), list) else None,
        "precision": next((n for words, n in _PLACES.items() if words in hint), None),
        "metadata": {
            **{name: row[name] for name in names if row.get(name)},
            "skills": skills if isinstance(skills, list) else [skills] if skills else [],
        },
    }


def _lettered(row: Mapping[str, Any]) -> list[str]:
    """Return the options that a table keeps in columns A, B, C, ..."""
    found = [row.get(chr(ord("A") + i)) for i in range(8)]
    return [_text(option) for option in found if option not in (None, "")]


def _mathvision(row: Mapping[str, Any]) -> dict[str, Any]:
    options = row.get("options", row.get("choices"))
    return {
        **row,
        "id": _text(row.get("id", row["index"])),
        "answer": _text(row.get("answer")),
        "options": options if isinstance(options, list) else _lettered(row),
        "subject": row.get("subject", row.get("category")),
    }


def _wemath(row: Mapping[str, Any]) -> dict[str, Any]:
    options = "; ".join(f"{chr(ord('A') + i)}. {text}" for i, text in enumerate(_lettered(row)))
    return {**row, "option": row.get("option") or options}


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


_FLAT: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "mathvista": _mathvista,
    "mathvision": _mathvision,
    "wemath": _wemath,
}
