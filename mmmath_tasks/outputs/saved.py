"""Saved responses: which format a file has, which benchmark it belongs to, and its rows as one kind of record."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.sheets import Row
from mmmath_tasks.outputs.tables import ID_COLUMNS, RESPONSE_COLUMNS, rows

CALL_FAILED = "Failed to obtain answer"
"""How VLMEvalKit begins the text that it saves in place of a response when a call failed."""

_FLAGS = ("true_false", "correct", "hit", "judgement", "judgment")


@dataclass(frozen=True, slots=True)
class Saved:
    """One saved response.

    Attributes:
        where: row number in its file, from 1.
        ids: texts that may be the problem's id, the surest first.
        position: the problem's position in its split, from 0, where the file gives only that; else None.
        responses: the model's texts, one for each sample drawn; () where the row holds none, or an error in its place.
        extraction: a short answer that a judge read, "" where it found none; None where no judge read the response.
        stored: the verdict that the file carries; None where it carries none or it is not plain.
        row: the row itself (the doc or problem that a harness's or our own sample holds), from which the problem may be
            rebuilt.
        truncated: the file says that the response was cut at its token limit.
        target: the gold as the harness wrote it; None where it did not.
    """

    where: int
    ids: tuple[str, ...]
    position: int | None
    responses: tuple[str, ...]
    extraction: str | None = None
    stored: bool | None = None
    row: Mapping[str, Any] = field(default_factory=dict)
    truncated: bool = False
    target: str | None = None


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file of saved responses.

    Attributes:
        path: the file.
        format: "lm-eval samples", "lmms-eval samples", "mmmath samples", "VLMEvalKit table",
            "authors' file" or "table".
        benchmark: the benchmark that file name and columns point to; None where they do not say.
    """

    path: Path
    format: str
    benchmark: str | None

    def __iter__(self) -> Iterator[Saved]:
        """Yield the responses in the file's order; raises InputError at a broken row."""
        for number, row in self._rows():
            yield _saved(number, row, self)

    def responses(self) -> int:
        """Return how many responses there are, one a row unless it holds several; as `__iter__`, reads the file."""
        return sum(max(1, len(_responses(row, f"{self.path}: row {number}"))) for number, row in self._rows())

    def _rows(self) -> Iterator[tuple[int, Row]]:
        first_filter: Any = None
        for number, row in rows(self.path):
            if "filter" in row and "resps" in row:  # lm-eval writes every document once a filter
                first_filter = first_filter or row["filter"]
                if row["filter"] != first_filter:
                    continue
            yield number, row


def open_saved(path: Path) -> SavedFile:
    """Recognise a file of saved responses by its first row.

    Raises:
        InputError: the file holds no rows, or rows without anything that could be a response.
    """
    head = [row for _, row in itertools.islice(rows(path), 20)]
    if not head:
        raise InputError(f"{path}: holds no rows")
    columns = {name for row in head for name in row}
    if "doc_id" in columns and ("resps" in columns or "filtered_resps" in columns):
        form = "lm-eval samples" if "arguments" in columns else "lmms-eval samples"
    elif {"problem", "response", "verdict"} <= columns:
        form = "mmmath samples"
    elif "index" in columns and "prediction" in columns:
        form = "VLMEvalKit table"
    elif columns & set(RESPONSE_COLUMNS):
        form = "table" if len(columns) < 6 else "authors' file"
    else:
        named = ", ".join(sorted(columns)[:12])
        raise InputError(f"{path}: no column of responses (one of {', '.join(RESPONSE_COLUMNS)}); its columns: {named}")
    doc = _document(head[0])
    return SavedFile(path, form, _benchmark(path, set(doc) if doc else columns, doc or head[0]))


def _document(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a sample says of its problem: lm-eval's doc, our own problem, or lmms-eval's record of a judge."""
    for name in ("doc", "problem"):
        if isinstance(row.get(name), dict):
            found: dict[str, Any] = row[name]
            return found
    judged = _lmms_judged(row)
    return {**judged, "pid": judged["question_id"]} if judged else None


def _lmms_judged(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what lmms-eval's MathVista task logs as a metric: pid, choices, gold, extraction, verdict."""
    if "doc_id" not in row:
        return None
    return next((v for v in row.values() if isinstance(v, dict) and {"question_id", "extraction"} <= v.keys()), None)


def _benchmark(path: Path, columns: set[str], row: Mapping[str, Any]) -> str | None:
    """Return the benchmark that columns, else the file's name, point to."""
    signs = {
        "wemath": {"knowledge concept"},
        "mathverse": {"problem_version"},
        "mathopeval": {"sample", "original_code"},
        "mathvista": {"answer_type", "question_type"},
        "mathvision": {"level", "subject"},
    }
    own = row.get("benchmark")
    if isinstance(own, str) and own:
        return _plain(own) if _plain(own) in signs else own  # "MATH-Vision"
    for name, sign in signs.items():
        if sign <= columns:
            return name
    return next((name for name in signs if name in _plain(path.name)), None)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _saved(number: int, row: Mapping[str, Any], file: SavedFile) -> Saved:
    doc = _document(row)
    problem_row = _unquoted(row) if doc is None else doc
    position = _whole(row.get("doc_id"))
    columns = ID_COLUMNS if position is None or doc is not None else ()
    ids = [_id(problem_row[name]) for name in columns if name in problem_row]
    if "ID" in problem_row and "key" in problem_row:
        ids.insert(0, f"{problem_row['ID']}|{problem_row['key']}")
    ids = [*dict.fromkeys(filter(None, ids))]
    if not ids and position is None:  # pandas numbers its rows from 0
        position = _whole(_number(row.get("Unnamed: 0")))
    judged = _judged(row)
    return Saved(
        where=number,
        ids=tuple(ids),
        position=position,
        responses=_responses(row, f"{file.path}: row {number}"),
        extraction=_text(judged.get("extraction", judged.get("res"))),
        stored=next((f for f in (_flag(judged.get(name)) for name in _FLAGS) if f is not None), None),
        row=problem_row,
        truncated=row.get("finish_reason") == "length",
        target=_text(row.get("target")),
    )


def _judged(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where a row's short answer and verdict stand; our own samples' short answer counts if a judge read it."""
    verdict = row.get("verdict", row.get("extracted"))
    if isinstance(verdict, dict) and "official" in verdict:
        rule, short = str(verdict.get("rule", "")), verdict.get("extracted")
        if isinstance(row.get("detail"), dict):  # what `mmmath judge` keeps: the short answer as it was given
            short = row["detail"].get("extraction", short)
        elif short is None:
            short = ""
        by_judge = rule == "extraction" or rule.startswith("judge:")
        return {"correct": verdict["official"], "extraction": short if by_judge else None}
    return _lmms_judged(row) or row


def _responses(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    drawn = row.get("resps")
    values = list(_flat(drawn)) if isinstance(drawn, list) else []
    name = "resps" if values else next((n for n in RESPONSE_COLUMNS if n in row), None)
    if name is None:
        return ()
    values = values or list(_flat(row[name]))
    if any(isinstance(value, dict) for value in values):
        raise InputError(f"{where}: {name!r} should be text or a list of texts, got an object")
    texts = [_text(value) for value in values]
    if (row.get("error") and not any(texts)) or all(text and text.startswith(CALL_FAILED) for text in texts):
        return ()
    return tuple(text or "" for text in texts)


def _flat(value: Any) -> Iterator[Any]:
    """Yield what lists within lists hold, in its order; a value that is no list is all there is."""
    rest = [value]
    while rest:
        value = rest.pop()
        if isinstance(value, list):
            rest += reversed(value)
        else:
            yield value


def _text(value: Any) -> str | None:
    """Return a cell as text; None for an empty cell and for pandas' nan."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value if isinstance(value, str) else str(value)


def _id(value: Any) -> str:
    """Return an id as text; 7.0 from a spreadsheet, or from what pandas made of one, is 7."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else re.sub(r"^(\d+)\.0$", r"\1", str(value).strip())


def _number(value: Any) -> Any:
    """Return a CSV cell that holds a number as one."""
    try:
        return json_text.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _flag(value: Any) -> bool | None:
    """Return a stored verdict where it is plain; a 2, or text, is none."""
    if isinstance(value, bool):
        return value
    if value in (0, 1):
        return bool(value)
    return {"true": True, "false": False}.get(str(value).lower())


def _unquoted(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with lists and mappings where a table stored them as Python or JSON literals."""
    return {name: _literal(value) for name, value in row.items()}


def _literal(value: Any) -> Any:
    if not (isinstance(value, str) and value[:1] in "[{" and value.rstrip()[-1:] in "]}" and len(value) < 20_000):
        return value
    for parse in (json_text.loads, ast.literal_eval):  # literal_eval reads literals only; it runs nothing
        try:
            return parse(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return value
