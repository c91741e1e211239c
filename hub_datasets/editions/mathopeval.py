"""MathOPEval on the Hub: a reconstruction, its numbers beside those the paper states of the authors' own set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from mmmath_tasks.hub_datasets.publishing.edition import Edition, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Statistic,
    StatisticsTable,
    counted,
    line,
    mean,
    number,
    unique,
)

_SAMPLES = {"geometry": "426", "function": "101", "bar": "456", "line": "452", "pie": "453"}
_TASKS = ("mcg", "mce_deletion", "mce_modification", "mce_annotation")


_Texts = Callable[[Row], Iterable[str]]
_MC_LENGTHS: tuple[tuple[str, str, _Texts], ...] = (
    ("- mean question length (characters)", "89.52", lambda row: [row["question"]]),
    ("- mean choice length (characters)", "132.12", lambda row: row["choices"]),
)
_GEN_LENGTHS: tuple[tuple[str, str, _Texts], ...] = (
    ("- mean question length (characters)", "868.64", lambda row: [row["question"]]),
    ("- mean answer length (characters)", "783.77", lambda row: [row["answer"]]),
)


def _length(name: str, paper: str, split: str, texts: _Texts, splits: Splits) -> Statistic:
    def count(rows: Sequence[Row]) -> str:
        return number(mean(len(text) for row in rows for text in texts(row)))

    return line(name, paper, {split: splits.get(split, ())}, count)


def _pictures(rows: Sequence[Row]) -> set[str]:
    shown = (row[column] for row in rows for column in ("picture", "target_picture"))
    return {picture["hash"] for picture in shown if picture}


def _statistics(splits: Splits) -> list[StatisticsTable]:
    def samples(kind: str, rows: Sequence[Row]) -> str:
        return number(unique([row for row in rows if row["type"] == kind], lambda row: row["sample"]))

    def asked(task: str, rows: Sequence[Row]) -> str:
        return number(counted(rows, lambda row: row["task"] == task))

    lines = [
        line("Samples", "1,888", splits, lambda rows: number(unique(rows, lambda row: row["sample"]))),
        *(line(f"- {kind}", paper, splits, partial(samples, kind)) for kind, paper in _SAMPLES.items()),
        line("Questions", "17,845", splits, lambda rows: number(len(rows))),
        line("Images", "7,552", splits, lambda rows: number(len(_pictures(rows))), "those that a model is shown"),
        line("Multiple-choice questions", "10,293", {"mc": splits.get("mc", ())}, lambda rows: number(len(rows))),
        *(_length(name, paper, "mc", texts, splits) for name, paper, texts in _MC_LENGTHS),
        line("Free-form questions", "7,552", {"gen": splits.get("gen", ())}, lambda rows: number(len(rows))),
        *(_length(name, paper, "gen", texts, splits) for name, paper, texts in _GEN_LENGTHS),
        *(line(f"- {task}", "", splits, partial(asked, task)) for task in _TASKS),
    ]
    return [
        StatisticsTable(
            "Key statistics (Table 1)", "The paper counts the authors' set, which is not published.", tuple(lines)
        )
    ]


EDITION = Edition(
    title="MathOPEval (reconstruction)",
    statistics=_statistics,
    # Code ends with a line's end, as code does.
    known={"outer_blanks": frozenset({"*"})},
    split_notes={
        "mc": "multiple choice: which code draws, deletes, modifies or annotates",
        "gen": "free-form: write that code; the reference is in `answer`",
    },
    tags=("code-generation", "charts", "geometry"),
    annotations=("machine-generated",),
    task_categories=("visual-question-answering", "multiple-choice", "image-text-to-text"),
    task_ids=("visual-question-answering", "multiple-choice-qa"),
)
