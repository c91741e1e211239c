"""MathOPEval on the Hub: a reconstruction, its numbers beside those the paper states of the authors' own set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mmmath_tasks.hub_datasets.publishing.edition import Edition, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import StatisticsTable, counted, line, number, unique

_SAMPLES = {"geometry": "426", "function": "101", "bar": "456", "line": "452", "pie": "453"}
_TASKS = ("mcg", "mce_deletion", "mce_modification", "mce_annotation")


def _statistics(splits: Splits) -> list[StatisticsTable]:
    def samples(kind: str, rows: Sequence[Row]) -> str:
        return number(unique([row for row in rows if row["type"] == kind], lambda row: row["sample"]))

    def asked(task: str, rows: Sequence[Row]) -> str:
        return number(counted(rows, lambda row: row["task"] == task))

    lines = [
        line("Samples", "1,888", splits, lambda rows: number(unique(rows, lambda row: row["sample"]))),
        *(line(f"- {kind}", paper, splits, partial(samples, kind)) for kind, paper in _SAMPLES.items()),
        line("Questions", "10,293 multiple-choice, 7,552 free-form", splits, lambda rows: number(len(rows))),
        *(line(f"- {task}", "", splits, partial(asked, task)) for task in _TASKS),
    ]
    return [
        StatisticsTable(
            "Size (section 2 of the paper)", "The paper counts the authors' set, which is not published.", tuple(lines)
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
)
