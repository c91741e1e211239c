"""Saved responses: which format a file has, which benchmark it belongs to, and its rows as one kind of record."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, time
from pathlib import Path
from typing import Any

from mmmath_tasks.contract import Rows
from mmmath_tasks.errors import InputError
from mmmath_tasks.metrics.answers.document import has_thought_mark
from mmmath_tasks.outputs.cells import CALL_FAILED, flag, identifier, integer, literal, number, text, texts
from mmmath_tasks.outputs.columns import KEPT, Columns, cell, choose
from mmmath_tasks.outputs.cuts import prompts_open_thoughts, says_cut
from mmmath_tasks.outputs.names import ID_COLUMNS
from mmmath_tasks.outputs.sheets import Row
from mmmath_tasks.outputs.tables import rows
from mmmath_tasks.outputs.tools import Tool, of_row
from mmmath_tasks.scoring import benchmark, benchmarks
from mmmath_tasks.truncation import CutResponse, was_cut

_HEAD = 200
"""Rows by which a file is recognised: enough to see what its columns hold."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One saved response.

    Attributes:
        where: row number in its file, from 1.
        ids: texts that may be the problem's id, the surest first.
        position: the problem's position in its split, from 0, where the file gives only that; else None.
        responses: the model's texts, one for each sample drawn; () where the row holds none, or an error in its place.
            One that was cut is a CutResponse.
        extraction: a short answer that a judge read, "" where there is none; None where no judge read the response.
        unread: the short answer is empty (or says that a call failed) beside a response, and nothing says that whoever
            read the response found no answer in it.
        column: the column that the responses come from; "" where the row has none.
        stored: the verdict that the file carries; None where it carries none or it is not plain.
        row: the row itself (the doc or problem that a harness's or our own sample holds), from which the problem may be
            rebuilt.
        truncated: the first response was cut, or ends in the middle of its thinking.
        target: the gold as the harness wrote it; None where it did not.
        seed: of the sampling, where the row has a column of that name; else None.
        asked: the prompt, where the file's tool keeps it beside a position; "" elsewhere.
        dated: the response or the short answer is a date, so that there is nothing to score.
    """

    where: int
    ids: tuple[str, ...]
    position: int | None
    responses: tuple[str, ...]
    extraction: str | None = None
    unread: bool = False
    column: str = ""
    stored: bool | None = None
    row: Mapping[str, Any] = field(default_factory=dict)
    truncated: bool = False
    target: str | None = None
    seed: str | None = None
    asked: str = ""
    dated: bool = False


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file of saved responses.

    Attributes:
        path: the file.
        format: "lm-eval samples", "lmms-eval samples", "mmmath samples", "VLMEvalKit table",
            "authors' file", "table" or the NAME of one of mmmath_tasks.outputs.tools.
        benchmark: the benchmark that file name and columns point to; None where they do not say.
        columns: what is read out of it.
        known: what the benchmark says of its rows; None where it is not known.
        thinks: the prompts opened a thought, so that a response that closes none was cut (see outputs.cuts).
        tool: what turns its rows into such as are read here; None where they are.
        further_ids: the `saved_ids` of the benchmark, or of all of them where it is not known.
    """

    path: Path
    format: str
    benchmark: str | None
    columns: Columns
    known: Rows | None = field(default=None, repr=False)
    thinks: bool = False
    tool: Tool | None = field(default=None, repr=False)
    further_ids: tuple[Callable[[Row], Iterable[str]], ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Saved]:
        """Yield the responses in the file's order; raises InputError at a broken row."""
        for line, row in self._rows():
            yield _marked(_saved(line, row, self), says_cut(row), self.thinks)

    def responses(self) -> int:
        """Return how many responses there are, one a row unless it holds several; as `__iter__`, reads the file."""
        named = self.columns.responses
        return sum(max(1, len(_responses(row, named, f"{self.path}: row {line}")[1])) for line, row in self._rows())

    def _rows(self) -> Iterator[tuple[int, Row]]:
        first_filter: Any = None
        for line, row in _converted(self.path, self.tool, rows(self.path)):
            if "filter" in row and "resps" in row:  # lm-eval writes every document once a filter
                first_filter = first_filter or row["filter"]
                if row["filter"] != first_filter:
                    continue
            yield line, row


def _converted(path: Path, tool: Tool | None, numbered: Iterable[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    for line, raw in numbered:
        row = tool.row(raw) if tool else raw
        if row is None:
            raise InputError(f"{path}: row {line}: expected a row of {tool.NAME if tool else ''}, as the first one is")
        yield line, row


def open_saved(
    path: Path, *, name: str | None = None, response: str | None = None, extraction: str | None = None
) -> SavedFile:
    """Recognise a file of saved responses by its first rows.

    `name`, the benchmark where the user says, decides by what its authors read which columns are read. `response` and
    `extraction` are columns that the user names; None: see mmmath_tasks.outputs.columns, and the one that the authors'
    rule reads, if any.

    Raises:
        InputError: the file holds no rows, or rows without anything that could be a response, or not the column named.
    """
    numbered = list(itertools.islice(rows(path), _HEAD))
    tool = of_row(numbered[0][1]) if numbered else None
    numbered = list(_converted(path, tool, numbered))
    head = [row for _, row in numbered]
    if not head:
        raise InputError(f"{path}: holds no rows")
    if {"metric", "group", "slice", "value", "count"} <= head[0].keys():
        raise InputError(f"{path}: is a scorecard, not responses: those are in samples_*.jsonl beside it")
    names = {column for row in head for column in row}
    doc = _document(head[0])
    found = _benchmark(path, set(doc) if doc else names, doc or head[0])
    chosen = name or found
    known = benchmark(chosen).rows if chosen in benchmarks() else None
    judged = [_lmms_judged(row) or row for row in head]
    columns = choose(path, head, judged, known, response=response, extraction=extraction)
    if _kept(head[0]) is not None and extraction is None:
        columns = Columns(columns.responses, "verdict", KEPT, flag="verdict")
    told = [known] if known else [benchmark(each).rows for each in benchmarks()]
    further = tuple(own.saved_ids for own in told if own.saved_ids)
    kind = tool.NAME if tool else _format(names, columns, known)
    file = SavedFile(path, kind, found, columns, known, tool=tool, further_ids=further)
    some: list[str] = []
    with suppress(InputError):  # a broken row is told of where the file is read
        some += [text for line, row in numbered for text in _saved(line, row, file).responses[:1]]
    return replace(file, thinks=prompts_open_thoughts(some))


def _marked(saved: Saved, cut: bool, thinks: bool) -> Saved:
    """Return a row with its first response marked as cut where the row, or its file, says so."""
    if not saved.responses:
        return saved
    first = saved.responses[0]
    if cut or (thinks and first.strip() and not has_thought_mark(first)):
        first = CutResponse(first)
    return replace(saved, responses=(first, *saved.responses[1:]), truncated=was_cut(first))


def _format(names: set[str], columns: Columns, known: Rows | None) -> str:
    if "doc_id" in names and names & {"resps", "filtered_resps"}:
        return "lm-eval samples" if "arguments" in names else "lmms-eval samples"
    if {"problem", "response", "verdict"} <= names:
        return "mmmath samples"
    if "index" in names and columns.responses[0] == "prediction":
        return "VLMEvalKit table"
    return "authors' file" if known and known.OWN_COLUMNS and names >= {*known.OWN_COLUMNS} else "table"


def _document(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a sample says of its problem: lm-eval's doc, our own problem, or lmms-eval's record of a judge."""
    for name in ("doc", "problem"):
        if isinstance(row.get(name), dict):
            found: dict[str, Any] = row[name]
            return found
    return _lmms_judged(row)


def _lmms_judged(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what an lmms-eval task with a judge logs as a metric: id, choices, gold, extraction, verdict."""
    if "doc_id" not in row:
        return None
    return next((v for v in row.values() if isinstance(v, dict) and {"question_id", "extraction"} <= v.keys()), None)


def _benchmark(path: Path, columns: set[str], row: Mapping[str, Any]) -> str | None:
    """Return the benchmark that columns, else the file's name, point to; None for none, or two with equal right."""
    own = row.get("benchmark")
    if isinstance(own, str) and own:
        return next((name for name in benchmarks() if _plain(name) == _plain(own)), own)  # "MATH-Vision"
    signs = {name: {*benchmark(name).rows.OWN_COLUMNS} for name in benchmarks()}
    told = [name for name, sign in signs.items() if sign and sign <= columns]
    surest = [name for name in told if not any(signs[name] < signs[other] for other in told)]
    if len(surest) == 1:
        return surest[0]
    named = [name for name in surest or benchmarks() if _plain(name) in _plain(path.name)]
    return max(named, key=len, default=None)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _saved(line: int, row: Mapping[str, Any], file: SavedFile) -> Saved:
    doc = _document(row)
    # a gold is text upstream, also where it is a list
    problem_row = {n: v if n == "answer" else literal(v) for n, v in row.items()} if doc is None else doc
    position = integer(row.get("doc_id"))
    columns = ID_COLUMNS if position is None or doc is not None else ()
    ids = [identifier(problem_row[name]) for name in columns if name in problem_row]
    ids = [*(key for further in file.further_ids for key in further(problem_row)), *ids]
    ids = [*dict.fromkeys(filter(None, ids))]
    if not ids and position is None:  # pandas numbers its rows from 0
        position = integer(number(row.get("Unnamed: 0")))
    column, responses = _responses(row, file.columns.responses, f"{file.path}: row {line}")
    extraction, stored, found_none = _judged(row, file.columns)
    failed = extraction is not None and (not extraction.strip() or extraction.startswith(CALL_FAILED))
    read = (row.get(column), row.get(file.columns.extraction or ""))
    dated = any(isinstance(value, date | time) for value in read)  # a datetime is a date
    if dated:
        responses, extraction, failed = (), None, False
    if failed and not responses:  # an error in place of the response: nothing was there to be read
        extraction = None
    return Saved(
        where=line,
        ids=tuple(ids),
        position=position,
        responses=responses,
        extraction=extraction,
        unread=failed and not found_none and any(response.strip() for response in responses),
        column=column,
        stored=stored,
        row=problem_row,
        target=text(row.get("target")),
        seed=text(row.get("seed")),
        asked=row["asked"] if file.tool and "asked" in row else "",
        dated=dated,
    )


def _judged(row: Mapping[str, Any], columns: Columns) -> tuple[str | None, bool | None, bool]:
    """Return a row's short answer, its stored verdict, and whether its judge is known to have found no answer."""
    if columns.origin == KEPT:
        return _kept(row) or (None, None, False)
    inner = _lmms_judged(row) or row
    short = None
    if columns.extraction is not None:
        holder = inner if columns.extraction in inner else row
        if columns.extraction in holder:  # the column is there, so its judge was asked: null is an empty answer
            short = text(holder[columns.extraction]) or ""
    return short, flag(inner.get(columns.flag)) if columns.flag else None, False


def _kept(row: Mapping[str, Any]) -> tuple[str | None, bool | None, bool] | None:
    """Return the same of a sample that we wrote: its short answer counts again if it was not our rules that read it."""
    verdict = row.get("verdict", row.get("extracted"))
    if not (isinstance(verdict, dict) and "official" in verdict):
        return None
    rule, detail = str(verdict.get("rule", "")), row.get("detail")
    by_judge = rule == "extraction" or rule.startswith("judge:")
    if isinstance(detail, dict):  # the short answer as it was given; a judge of errors or steps leaves none
        short = text(detail.get("extraction"))
    else:
        short = (verdict.get("extracted") or "") if by_judge else None
    return short, flag(verdict["official"]), by_judge


def _responses(row: Mapping[str, Any], columns: Sequence[str], where: str) -> tuple[str, tuple[str, ...]]:
    """Return the column that a row is read from, and its responses; () where it holds an error, or no column of any."""
    name = next((name for name in columns if name in row and not (name == "resps" and not _any(row[name]))), None)
    if name is None:
        return "", ()
    found = texts(cell(row, name), f"{where}: {name!r}")
    if (row.get("error") and not any(found)) or all(said and said.startswith(CALL_FAILED) for said in found):
        return name, ()
    return name, tuple(said or "" for said in found)


def _any(drawn: Any) -> bool:
    """Say whether lm-eval's `resps` holds a list of anything, be it null."""
    return isinstance(drawn, list) and bool(texts(drawn))
