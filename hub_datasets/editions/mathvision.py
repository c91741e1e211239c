"""MATH-Vision on the Hub: its subjects and levels in our words (Appendix H), the statistics of Appendix B."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mmmath_tasks.hub_datasets.publishing.edition import Edition, Extra, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Count,
    StatisticsTable,
    counted,
    distinct,
    mean,
    number,
    over,
    portion,
    size,
    table,
    times,
    words,
)

if TYPE_CHECKING:
    from datasets import Features

_SUBJECTS = {
    "algebra": "unknown quantities, found by setting up and solving equations and inequalities",
    "analytic geometry": "figures described by coordinates and equations",
    "arithmetic": "computing with given numbers by the four operations",
    "combinatorial geometry": "how many ways figures, points or lines can be placed, cut or covered",
    "combinatorics": "how many selections or arrangements meet given conditions",
    "counting": "how many things a picture shows",
    "descriptive geometry": "solids seen through their projections, views, nets and sections",
    "graph theory": "points joined by lines: paths, circuits, connections",
    "logic": "conclusions that follow from given statements, rules or patterns",
    "metric geometry - angle": "sizes of angles in figures",
    "metric geometry - area": "areas of plane figures",
    "metric geometry - length": "lengths, distances and perimeters",
    "solid geometry": "volumes, surfaces and other measures of solids",
    "statistics": "numbers read from charts and tables, and what they say together",
    "topology": "what stays the same under bending and stretching: knots, links, insides and outsides",
    "transformation geometry": "figures that are turned, moved, mirrored, folded or scaled",
}
_LEVELS = {
    1: "competitions for grades 1 and 2",
    2: "competitions for grades 3 to 6",
    3: "competitions for grades 7 and 8",
    4: "competitions for grades 9 and 10",
    5: "competitions for grade 11 and above",
}
_MARK = re.compile(r"<image\d+>")


def _counts(splits: Splits, column: str, value: object) -> dict[str, int | None]:
    return {
        split: counted(splits[split], lambda row: row[column] == value) if split in splits else None
        for split in ("test", "testmini")
    }


def _subjects(splits: Splits) -> Iterator[Row]:
    for subject, definition in _SUBJECTS.items():
        yield {"subject": subject, "definition": definition, **_counts(splits, "subject", subject)}


def _levels(splits: Splits) -> Iterator[Row]:
    for level, definition in _LEVELS.items():
        yield {"level": level, "definition": definition, **_counts(splits, "level", level)}


def _features(first: str, kind: str) -> Features:
    from datasets import Features, Value

    text, count = Value("string"), Value("int64")
    return Features({first: Value(kind), "definition": text, "test": count, "testmini": count})


def _statistics(splits: Splits) -> list[StatisticsTable]:
    def chosen(rows: Sequence[Row]) -> list[Row]:
        return [row for row in rows if row["options"]]

    def lettered(name: str) -> Count:
        return lambda rows: portion(lambda row: row["answer"] == name)(chosen(rows))

    def marks(rows: Sequence[Row]) -> str:
        return number(sum(len(set(_MARK.findall(" ".join([row["question"], *row["options"]])))) for row in rows))

    def length(row: Row) -> list[int]:
        return [words(row["question"])]

    def of_level(level: int) -> Count:
        return times(lambda row: row["level"] == level)

    printed = {"A": "299 (19.5%)", "B": "311 (20.3%)", "C": "320 (20.9%)", "D": "326 (21.2%)", "E": "278 (18.1%)"}
    note = "the paper's five add up to 1,534, two more than its 1,532 questions"
    composed = "distinct marks `<imageN>`; each question has one file, composed of them"
    return [
        table(
            "Key statistics (Appendix B)",
            "The paper counts the 3,040 questions of split test.",
            splits,
            [
                ("Questions", "3,040", size),
                ("- multiple-choice", "1,532 (50.4%)", portion(lambda row: row["options"])),
                ("- free-form", "1,508 (49.6%)", portion(lambda row: not row["options"])),
                *(
                    (f"- multiple-choice, answer {name}", paper, lettered(name), note if name == "C" else "")
                    for name, paper in printed.items()
                ),
                ("Images", "3,472", marks, composed),
                ("Unique answers", "370", distinct(lambda row: row["answer"])),
                ("Levels", "5", distinct(lambda row: row["level"])),
                ("Subjects", "16", distinct(lambda row: row["subject"])),
                ("Longest question (words)", "280", over(max, length)),
                (
                    "Shortest question (words)",
                    "5",
                    over(min, length),
                    "some questions of the data are nothing but an image mark",
                ),
                ("Mean question length (words)", "42.3", over(mean, length)),
            ],
        ),
        table(
            "Questions by level",
            "The paper shows them in a figure (18), without numbers.",
            splits,
            [(f"Level {level}", "", of_level(level)) for level in _LEVELS],
        ),
    ]


EDITION = Edition(
    title="MATH-Vision",
    aliases={"default": "mathvision"},
    annotations=("expert-generated", "found"),
    extras={
        "mathvision_subjects": Extra(
            _subjects,
            lambda: _features("subject", "string"),
            "The 16 subjects with a definition in our words (after Appendix H.4) and their numbers of questions.",
        ),
        "mathvision_levels": Extra(
            _levels,
            lambda: _features("level", "int64"),
            "The 5 levels with the school grades they stand for (Appendix H.2; the authors then moved single questions "
            "by hand) and their numbers of questions.",
        ),
    },
    statistics=_statistics,
    optional=frozenset({"solution"}),
    known={
        "repeated_choice": frozenset({"1843", "1893"}),
        "outer_blanks": frozenset({"2521", "2830"}),
        "control_character": frozenset({"2830"}),
    },
    split_notes={
        "test": "all 3,040 questions",
        "testmini": "304 of them, 19 of each subject, for quick runs",
    },
    tags=("visual-question-answering", "competition-mathematics"),
)
