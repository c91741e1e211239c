"""MathOPEval on the Hub: a reconstruction, its numbers beside those the paper states of the authors' own set."""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, TASKS
from mmmath_tasks.hub_datasets.publishing.edition import Edition, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Count,
    Statistic,
    StatisticsTable,
    distinct,
    line,
    mean,
    number,
    over,
    size,
    table,
    times,
)


def _statistics(splits: Splits) -> list[StatisticsTable]:
    def pictures(rows: Sequence[Row]) -> str:
        shown = (row[column] for row in rows for column in ("picture", "target_picture"))
        return number(len({picture["hash"] for picture in shown if picture}))

    def samples(kind: str) -> Count:
        return lambda rows: distinct(lambda row: row["sample"])([row for row in rows if row["type"] == kind])

    def asked(task: str) -> Count:
        return times(lambda row: row["task"] == task)

    def length(column: str) -> Count:
        return over(mean, lambda row: [len(row[column])])

    def only(split: str, *found: tuple[str, str, Count]) -> list[Statistic]:
        return [line({split: splits.get(split, ())}, *one) for one in found]

    choices = over(mean, lambda row: map(len, row["choices"]))
    return [
        table(
            "Key statistics (Table 1)",
            "The paper counts the authors' set, which is not published.",
            splits,
            [
                ("Samples", "1,888", distinct(lambda row: row["sample"])),
                *((f"- {kind}", str(paper), samples(kind)) for kind, paper in COUNTS.items()),
                ("Questions", "17,845", size),
                ("Images", "7,552", pictures, "those that a model is shown"),
                *only(
                    "mc",
                    ("Multiple-choice questions", "10,293", size),
                    ("- mean question length (characters)", "89.52", length("question")),
                    ("- mean choice length (characters)", "132.12", choices),
                ),
                *only(
                    "gen",
                    ("Free-form questions", "7,552", size),
                    ("- mean question length (characters)", "868.64", length("question")),
                    ("- mean answer length (characters)", "783.77", length("answer")),
                ),
                *((f"- {task}", "", asked(task)) for task in TASKS),
            ],
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
