"""MathVerse on the Hub: the five pictured versions, Text Only, each version alone, Table 1's statistics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.edition import Edition, Extra, Row, Splits, View
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Count,
    StatisticsTable,
    histogram,
    line,
    mean,
    over,
    portion,
    share,
    size,
    table,
    unique,
)

if TYPE_CHECKING:
    from datasets import Features

# Version: what its text keeps, and what its picture shows (§2.2, Figure 3).
_VERSIONS = {
    "Text Dominant": (("DI", "IP", "EC", "question"), ()),
    "Text Lite": (("IP", "EC", "question"), ()),
    "Text Only": (("DI", "IP", "EC", "question"), None),
    "Vision Intensive": (("EC", "question"), ()),
    "Vision Dominant": (("IP", "question"), ("EC",)),
    "Vision Only": ((), ("EC", "question")),
}
_PARTS = {
    "DI": "descriptive information",
    "IP": "implicit property",
    "EC": "essential condition",
    "question": "question",
}


def _slug(row: Row) -> str:
    if row["problem_version"] not in _VERSIONS:
        raise InputError(
            f"row {row['sample_index']}: problem_version is {row['problem_version']!r}, expected {', '.join(_VERSIONS)}"
        )
    return str(row["problem_version"]).lower().replace(" ", "_")


def _versions(splits: Splits) -> Iterator[Row]:
    counts = histogram((row for rows in splits.values() for row in rows), lambda row: row["problem_version"])
    for version, (text, drawn) in _VERSIONS.items():
        yield {
            "version": version,
            "split": version.lower().replace(" ", "_"),
            "in_text": [_PARTS[part] for part in text],
            "has_picture": drawn is not None,
            "drawn_into_picture": [_PARTS[part] for part in drawn or ()],
            "questions": counts[version] or None,
        }


def _version_features() -> Features:
    from datasets import Features, List, Value

    text = Value("string")
    return Features(
        {
            "version": text,
            "split": text,
            "in_text": List(text),
            "has_picture": Value("bool"),
            "drawn_into_picture": List(text),
            "questions": Value("int64"),
        }
    )


def _view_features() -> Features:
    from mmmath_tasks.hub_datasets.mathverse import features

    return features("testmini")


def _view_row(row: Row) -> Row:
    """Give Text Only the columns of the other versions."""
    return {**row, "image": row["image"] or None, "question_for_eval": row.get("question_for_eval") or row["question"]}


def _statistics(splits: Splits) -> list[StatisticsTable]:
    # The paper counts problems, not their versions: the versions that hold the whole text stand for them.
    whole = {
        split: [row for row in rows if row["problem_version"] in ("Text Dominant", "Text Only")]
        for split, rows in splits.items()
    }
    lengths = {column: lambda row, column=column: [len(row[column])] for column in ("question", "answer")}
    return [
        table(
            "Key statistics (Table 1)",
            "The paper counts 2,612 problems, of which the authors released the 788 of testmini.",
            whole,
            [
                ("Problems", "2,612", size),
                ("- multiple-choice", "1,631 (62.4%)", portion(lambda row: row["question_type"] == "multi-choice")),
                ("- free-form", "981 (37.6%)", portion(lambda row: row["question_type"] != "multi-choice")),
                (
                    "- newly collected",
                    "1,236 (47.3%)",
                    portion(lambda row: row["metadata"]["source"].endswith("_collected")),
                ),
                line(splits, "Samples in all versions", "15,672", size),
                ("Unique questions", "2,573 (98.5%)", _unique("question")),
                ("Unique answers", "847 (32.4%)", _unique("answer")),
                ("Longest question (characters)", "1,311", over(max, lengths["question"])),
                ("Longest answer (characters)", "102", over(max, lengths["answer"])),
                ("Mean question length (characters)", "204.8", over(mean, lengths["question"])),
                ("Mean answer length (characters)", "6.3", over(mean, lengths["answer"])),
                *(
                    (subject, share(paper, 2612), portion(partial(_about, subject)), "§2.1")
                    for subject, paper in (("Plane Geometry", 1746), ("Solid Geometry", 332), ("Functions", 534))
                ),
            ],
        ),
    ]


def _unique(column: str) -> Count:
    return lambda rows: share(unique(rows, lambda row: row[column]), len(rows))


def _about(subject: str, row: Row) -> bool:
    return bool(row["metadata"]["subject"] == subject)


def _rows_of(*problems: int) -> frozenset[str]:
    """Return the ids of a problem's six rows: Text Only's, and the five that upstream counts through."""
    return frozenset(
        name for n in problems for name in (f"text_only_{n}", *(str(5 * (n - 1) + k) for k in range(1, 6)))
    )


EDITION = Edition(
    title="MathVerse",
    sources=("original", "extended"),
    configs={"testmini_text_only": "mathverse_text_only"},
    aliases={"testmini": "mathverse", "testmini_text_only": "mathverse_text_only"},
    views={
        "mathverse_by_version": View(
            _slug,
            _view_row,
            _view_features,
            "The same rows with one split for each version, to load a single one.",
        )
    },
    extras={
        "mathverse_versions": Extra(
            _versions,
            _version_features,
            "The six versions of a problem: what its text keeps, what is drawn into its picture (§2.2).",
        )
    },
    statistics=_statistics,
    optional=frozenset({"image", "question_for_eval"}),
    known={
        "repeated_choice": _rows_of(211, 242, 622),
        "broken_text": _rows_of(334, 357),
        "outer_blanks": _rows_of(343, 344, 368, 370, 372, 381, 418, 724),
        "gold_outside_choices": _rows_of(440, 517, 518, 521, 523, 555),
    },
    drawn_question=lambda row: bool(row["problem_version"] == "Vision Only"),
    split_notes={
        "testmini": "788 problems in five versions, 3,940 rows in upstream's order",
        "testmini_text_only": "the same 788 problems without a picture: an ablation beside the headline score",
    },
    tags=("visual-question-answering", "geometry", "functions"),
)
