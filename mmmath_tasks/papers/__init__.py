"""The papers' tables as data: what humans, chance and the authors' models score, to stand beside a run.

One JSON file a benchmark: `paper` (arXiv id), `problems` (split to its size; `unit`: what is counted; `problems_each`:
a column whose values have equally many, and how many), `pairs` (see `Pairs`) and `tables`, each with its number, the
section it stands in, the split it is about, its columns as names of our scores, and its rows as printed. The text they
were taken from has no page numbers. `settings`: which rows of which table were asked as a task of ours asks in a prompt
style: those of an input, those whose name begins so, but for some.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from mmmath_tasks.errors import InputError
from mmmath_tasks.problem import Scorecard

Key = tuple[str, str, str]
"""A score's metric, group and slice."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table.

    Attributes:
        name: as printed, without the reference's number.
        kind: "baseline" for chance and guessing, "human", or "model".
        input: what the model was given, or its base model, as the table says; None where it says nothing.
        values: as fractions 0 to 1, by metric, group and slice; empty cells are left out.
    """

    name: str
    kind: Literal["baseline", "human", "model"]
    input: str | None
    values: Mapping[Key, float]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a paper.

    Attributes:
        paper: arXiv id; None where the paper is not on arXiv.
        table: "Table 2"; "main results" for what stands in the text.
        place: the section it stands in.
        split: the split it is about.
        about: what is measured.
        rows: in the order of the paper.
    """

    paper: str | None
    table: str
    place: str
    split: str
    about: str
    rows: tuple[Row, ...]

    @property
    def citation(self) -> str:
        """Where to look it up: "Table 2, arXiv 2310.02255, section 3"."""
        return ", ".join(filter(None, [self.table, self.paper and f"arXiv {self.paper}", self.place]))


@dataclass(frozen=True, slots=True)
class Pairs:
    """How often one of two published runs only is right, to how often chance alone lets it be, over all pairs of runs.

    Attributes:
        runs: how many.
        count: pairs of them.
        low: of the ratio, the 5 % point.
        middle: its median.
        high: its 95 % point.
        source: whose runs.
    """

    runs: int
    count: int
    low: float
    middle: float
    high: float
    source: str


@cache
def _record(benchmark: str) -> dict[str, Any]:
    file = files("mmmath_tasks.papers") / f"{benchmark}.json"
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except json.JSONDecodeError as error:
        raise InputError(f"papers/{benchmark}.json: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"papers/{benchmark}.json: expected an object, got {type(found).__name__}")
    return found


def title(benchmark: str) -> str:
    """Return the benchmark's name as its authors write it."""
    written: str = _record(benchmark).get("title", benchmark)
    return written


def problems(benchmark: str, split: str) -> int | None:
    """Return how many problems a split has; None where the paper does not say."""
    size: int | None = _record(benchmark).get("problems", {}).get(split)
    return size


def sizes(benchmark: str) -> dict[str, int]:
    """Return the splits with the number of independent problems: of rows about one problem, one counts."""
    record = _record(benchmark)
    each: dict[str, int] = record.get("problems_each", {})
    return {split: min([size, *each.values()]) for split, size in counted(benchmark).items()}


def counted(benchmark: str) -> dict[str, int]:
    """Return the splits with what `problems` counts."""
    found: dict[str, int] = _record(benchmark).get("problems", {})
    return dict(found)


def pairs(benchmark: str) -> Pairs | None:
    """Return how published runs differ in pairs; None where none are published row by row."""
    found = _record(benchmark).get("pairs")
    return Pairs(**found) if found else None


def remark(benchmark: str) -> str:
    """Return what must be said wherever a paper's rows stand beside a run; "" for nothing."""
    said: str = _record(benchmark).get("remark", "")
    return said


def on_chance(benchmark: str) -> str:
    """Return how a paper's random chance differs from the model mmmath-random-chance; "" where it does not."""
    said: str = _record(benchmark).get("chance", "")
    return said


def unit(benchmark: str) -> str:
    """Return what `problems` counts: "rows" where several are one problem of the paper's, else "problems"."""
    counted: str = _record(benchmark).get("unit", "problems")
    return counted


def problems_each(benchmark: str, column: str) -> int | None:
    """Return how many problems every value of a column has (each version of MathVerse); None where they differ."""
    size: int | None = _record(benchmark).get("problems_each", {}).get(column)
    return size


def tables(benchmark: str, split: str | None = None) -> tuple[Table, ...]:
    """Return a paper's tables whose columns are scores of ours, those of one split where one is named; () for none."""
    record = _record(benchmark)
    found = (_table(record, entry) for entry in record.get("tables", ()) if split in (None, entry["split"]))
    return tuple(table for table in found if any(row.values for row in table.rows))


@dataclass(frozen=True, slots=True)
class Printed:
    """One table with all its columns, those too that no score of ours answers to.

    Attributes:
        about: where it stands, the split, what is measured and in which unit, and what must be said of it.
        head: the columns' names, after those of the row and of its input.
        rows: as printed, a cell a column; "" for what the paper leaves empty.
    """

    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def printed(benchmark: str) -> tuple[Printed, ...]:
    """Return all tables of a paper for people to read, values in the paper's unit; () for a benchmark without any."""
    record = _record(benchmark)
    return tuple(_printed(_table(record, entry), entry) for entry in record.get("tables", ()))


def _printed(table: Table, entry: Mapping[str, Any]) -> Printed:
    inputs = any(row["input"] for row in entry["rows"])
    note = f" {entry['note']}" if entry.get("note") else ""
    return Printed(
        about=f"{table.citation}, split {table.split}, {entry['unit']}: {table.about}.{note}",
        head=("", *(["Input"] if inputs else []), *(column["name"] for column in entry["columns"])),
        rows=tuple(
            (
                row["name"],
                *([row["input"] or ""] if inputs else []),
                *("" if value is None else f"{value:g}" for value in row["values"]),
            )
            for row in entry["rows"]
        ),
    )


def _table(record: Mapping[str, Any], entry: Mapping[str, Any]) -> Table:
    scale = {"percent": 100, "points of 10": 10}[entry["unit"]]
    keys = [(c["metric"], c["group"], c["slice"]) for c in entry["columns"]]
    rows = (
        Row(
            name=row["name"],
            kind=row["kind"],
            input=row["input"],
            values={
                key: value / scale
                for key, value in zip(keys, row["values"], strict=True)
                if key[0] and value is not None
            },
        )
        for row in entry["rows"]
    )
    return Table(record["paper"], entry["table"], entry["place"], entry["split"], entry["about"], tuple(rows))


def asked_alike(card: Scorecard) -> list[tuple[Row, Table]]:
    """Return the rows that stand beside a run of a whole split: humans and baselines, and models that were asked alike.

    Models are there only where the run records its task and prompt style, and the paper asked to the letter so. Each
    name once, of the first table that has it. None stands beside a run that was asked by another's prompt.
    """
    if card.provenance.get("setting"):
        return []
    split, task = split_of(card), str(card.provenance.get("task") or "").removesuffix("_judge")
    style = card.provenance.get("prompt_style")
    alike = [
        entry
        for entry in _record(card.benchmark).get("settings", ())
        if (entry["task"], entry["style"]) == (task, style)
    ]
    found: dict[str, tuple[Row, Table]] = {}
    for table in tables(card.benchmark, split) if split else ():
        for row in table.rows:
            if row.kind != "model" or any(_is_of(row, table, entry) for entry in alike):
                found.setdefault(row.name, (row, table))
    return list(found.values())


def _is_of(row: Row, table: Table, setting: Mapping[str, Any]) -> bool:
    return (
        table.table == setting["table"]
        and row.input == setting.get("input", row.input)
        and row.name.startswith(setting.get("named", ""))
        and row.name not in setting.get("without", ())
    )


def split_of(card: Scorecard) -> str | None:
    """Return the split that a scorecard is about.

    Its provenance says so ("split", or the name of the "task"); else the number of problems may fit one split only.
    None: not known.
    """
    record: dict[str, int] = _record(card.benchmark).get("problems", {})
    if split := card.provenance.get("split"):
        return str(split)
    task = str(card.provenance.get("task") or "")
    named = [split for split in (*record, "sample") if task.startswith(f"{card.benchmark}_{split}")]
    if named:
        return max(named, key=len)
    fitting = [split for split, size in record.items() if size == card.counts.get("total")]
    return fitting[0] if len(fitting) == 1 and not task else None


def scored(card: Scorecard) -> int:
    """Return how many problems (We-Math: rows) a run was scored on; the missing and the unscored are not among them.

    Where no answer was released, nothing is scored, and those that have a response are counted.
    """
    counts = card.counts
    answered = counts.get("total", 0) - counts.get("missing", 0)
    return answered - counts.get("unscored", 0) or answered


def size_of(card: Scorecard) -> int | None:
    """Return how many problems (We-Math: rows) the split of a run has; None where neither paper nor harness says."""
    split = split_of(card)
    size = problems(card.benchmark, split) if split else None
    asked = card.provenance.get("samples")
    original = asked.get("original") if isinstance(asked, Mapping) else None
    return size or (original if isinstance(original, int) else None)


def is_partial(card: Scorecard) -> bool:
    """Say whether a run leaves out some of its split, so that its scores compare with no whole run's.

    By the counts: problems without response or verdict, We-Math's problems of which a row is missing, fewer problems
    than the split has; where its size is not known, what the run itself says is missing.
    """
    size, counts, rests_on = size_of(card), card.counts, scored(card)
    if counts.get("problems_incomplete") or rests_on < counts.get("total", 0):
        return True
    return card.provenance.get("limit") is not None if size is None else rests_on < size
