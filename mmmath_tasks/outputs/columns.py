"""Which columns of a saved file are scored: decided once a file, by names and by what its first rows hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from mmmath_tasks.contract import Rows
from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import did_you_mean, some
from mmmath_tasks.outputs.cells import CALL_FAILED, flag, is_conversation, literal, text, texts
from mmmath_tasks.outputs.names import NORMALISED_COLUMNS, RESPONSE_COLUMNS

LISTS = ("responses", "outputs", "completions", "generations", "predictions", "messages", "conversations")
"""Columns whose cells are lists, which a CSV stores as literals."""

_SAMPLES = ("resps", "filtered_resps")
_SHORT = ("extraction", "res", "model_answer", "extracted_answer", "extract", "final_answer", "short_answer")
_FLAGS = ("true_false", "correct", "is_correct", "hit", "judgement", "judgment", "flag", "score")
_FREE = 30  # characters: a typical cell of more is no option, number or letter
_QUESTION = 20  # characters: a question shorter than this may stand in a response by chance

ASKED = "asked for"
AUTHORS = "the authors' rule reads it"
KEPT = "as the samples were scored before"


@dataclass(frozen=True, slots=True)
class Columns:
    """What is read out of a file.

    Attributes:
        responses: columns of the model's text; of a row, the first that it has is read.
        extraction: the column of short answers that are scored in place of the responses; None: there is none.
        origin: why that column is: `ASKED` by the user, `AUTHORS`, `KEPT` in our own samples; "" where there is none.
        unused: columns that look like short answers, and are not read.
        flag: the column of stored verdicts; None: there is none.
        others: further columns that hold responses, and are read only in rows that lack the first.
    """

    responses: tuple[str, ...]
    extraction: str | None = None
    origin: str = ""
    unused: tuple[str, ...] = ()
    flag: str | None = None
    others: tuple[str, ...] = ()


def choose(
    path: Path,
    rows: Sequence[Mapping[str, Any]],
    judged: Sequence[Mapping[str, Any]],
    known: Rows | None,
    *,
    response: str | None = None,
    extraction: str | None = None,
) -> Columns:
    """Decide.

    Args:
        path: the file, for messages.
        rows: its first rows.
        judged: of the same rows, the part in which a short answer and a verdict stand: lmms-eval's record of a judge,
            else the row itself.
        known: the benchmark's data; its SHORT_ANSWERS are the columns that its authors' rule reads. None: not known.
        response: the column that the user names.
        extraction: the column of short answers that the user names.

    Raises:
        InputError: no column could hold responses, or one that the user names is not there.
    """
    columns = {name for row in rows for name in row}
    inner = columns | {name for row in judged for name in row}
    for asked, option in ((response, "--response-column"), (extraction, "--extraction-column")):
        if asked is not None and asked not in inner:
            near = did_you_mean(asked, inner)
            raise InputError(f"{path}: {option}: no column {asked!r}; its columns: {some(sorted(columns), 12)}{near}")
    found = (response,) if response else _responses(path, rows, columns)
    wanted = known.SHORT_ANSWERS if known else ()
    theirs = [name for name, beside in wanted if {name, *beside} <= inner and _holds(judged, name)]
    short = extraction or next(iter(theirs), None)
    origin = AUTHORS if short in theirs else ASKED if short else ""
    unused = [name for name in _SHORT if name in columns and name not in {short, *found[:1]} and _holds(rows, name)]
    named = {short, *unused, *_SAMPLES}
    others = [name for name in found[1:] if name not in named and any(_said(row, name) for row in rows)]
    return Columns(found, short, origin, tuple(unused), _flags(judged), tuple(others))


def _responses(path: Path, rows: Sequence[Mapping[str, Any]], columns: set[str]) -> tuple[str, ...]:
    """Return the columns to read responses from: the first by name, unless a later one holds text twice as long."""
    if {"problem", "verdict"} <= columns:
        return ("response",)
    if "doc_id" in columns and columns & set(_SAMPLES):
        return tuple(name for name in (*_SAMPLES, *RESPONSE_COLUMNS) if name in columns)
    plain = {name.strip().lower().replace(" ", "_"): name for name in sorted(columns)} | {
        name: name for name in columns
    }
    there = [plain[name] for name in RESPONSE_COLUMNS if name in plain]
    there = there or [name for name in sorted(columns) if any(is_conversation(row.get(name)) for row in rows)]
    if not there:
        inner = [name for name in sorted(columns) if any(_is_rows(row.get(name)) for row in rows)]
        hint = f"; rows stand in its key {inner[0]!r}: save those alone" if inner else ""
        raise InputError(
            f"{path}: no column of responses (one of {', '.join(RESPONSE_COLUMNS[:4])}, ...; --response-column names "
            f"another); its columns: {some(sorted(columns), 12)}{hint}"
        )
    said = {name: [*filter(None, (_said(row, name) for row in rows))] for name in there}
    filled = [name for name in there if said[name]] or there
    lengths = {name: median(map(len, said[name])) if said[name] else 0 for name in filled}
    free = {n for n in filled if lengths[n] > _FREE and (len(filled) == 1 or not _repeats_question(rows, n))}
    longest = max((lengths[name] for name in free), default=0)
    first = next(name for name in filled if 2 * lengths[name] >= longest)
    return (first, *(name for name in there if name != first and name not in NORMALISED_COLUMNS))


def _said(row: Mapping[str, Any], name: str) -> str:
    """Return the first text of a cell; "" for none, and for what stands for a failed call."""
    try:
        cells = texts(cell(row, name))
    except InputError:
        return ""
    first = (cells[0] if cells else None) or ""
    return "" if first.startswith(CALL_FAILED) else first.strip()


def cell(row: Mapping[str, Any], name: str) -> Any:
    """Return a row's cell of responses, with a list where a CSV has its literal."""
    return literal(row.get(name)) if name in LISTS else row.get(name)


def _repeats_question(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Say whether most texts of a column hold their question word for word: the prompt, with or without an answer."""
    asked = [(str(row.get("question") or ""), _said(row, name)) for row in rows]
    pairs = [(question, said) for question, said in asked if len(question) >= _QUESTION and said]
    return 2 * sum(question in said for question, said in pairs) > len(pairs)


def _holds(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Say whether a column holds texts, empty ones among them; one that is null throughout was never filled."""
    return any(text(row.get(name)) is not None for row in rows)


def _flags(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the column of stored verdicts: most of what it holds is true, false, 1 or 0."""
    for name in _FLAGS:
        cells = [row[name] for row in rows if text(row.get(name)) not in (None, "")]
        if 2 * sum(flag(value) is not None for value in cells) > len(cells):
            return name
    return None


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)
