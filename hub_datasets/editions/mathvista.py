"""MathVista on the Hub: its 31 sources (Table 5), Table 1's statistics, testmini against the whole set (§2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mmmath_tasks.hub_datasets.mathvista import SKILLS
from mmmath_tasks.hub_datasets.publishing.edition import Edition, Extra, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Count,
    Statistic,
    StatisticsTable,
    distinct,
    histogram,
    kl_divergence,
    mean,
    number,
    over,
    portion,
    size,
    table,
    total_variation,
    words,
)
from mmmath_tasks.metrics.mathvista import TASKS

if TYPE_CHECKING:
    from datasets import Features

_CATEGORIES = {"math": "math-targeted-vqa", "general": "general-vqa"}
_TASKS = {short: name for name, short in TASKS.items()}
_SKILLS = {short: name for name, short in SKILLS.items()}
_NEW = ("IQTest", "PaperQA", "FunctionQA")
_NEEDING = {
    **{"ARI": "34.1%", "STA": "30.5%", "ALG": "28.5%", "GEO": "23.3%"},
    **{"NUM": "14.0%", "SCI": "10.7%", "LOG": "3.8%"},
}
_SOURCES = """
IQTest       | math    | FQA | puzzle test       | LOG ARI | new
PaperQA      | math    | FQA | charts and plots  | SCI     | new
FunctionQA   | math    | TQA | function plot     | ALG     | new
Geometry3K   | math    | GPS | geometry diagram  | GEO ALG | 2021
GeoQA+       | math    | GPS | geometry diagram  | GEO ALG | 2022
GEOS         | math    | GPS | geometry diagram  | GEO ALG | 2015
UniGeo       | math    | GPS | geometry diagram  | GEO ALG | 2022
CLEVR-Math   | math    | MWP | synthetic scene   | ARI     | 2022
IconQA       | math    | MWP | abstract scene    | ARI     | 2021
TabMWP       | math    | MWP | table             | STA ARI | 2023
SciBench     | math    | TQA | scientific figure | SCI     | 2023
TheoremQA    | math    | TQA | scientific figure | SCI     | 2023
ChartQA      | general | FQA | charts and plots  | STA     | 2022
FigureQA     | general | FQA | charts and plots  | STA     | 2017
DVQA         | general | FQA | bar chart         | STA     | 2018
MapQA        | general | FQA | map chart         | STA     | 2022
PlotQA       | general | FQA | scatter plot      | STA     | 2020
DocVQA       | general | FQA | document image    | STA     | 2022
AI2D         | general | TQA | scientific figure | SCI     | 2016
ScienceQA    | general | TQA | scientific figure | SCI     | 2022
TQA          | general | TQA | scientific figure | SCI     | 2017
A-OKVQA      | general | VQA | natural image     | ARI NUM | 2022
KVQA         | general | VQA | natural image     | ARI NUM | 2019
ParsVQA-Caps | general | VQA | natural image     | ARI NUM | 2022
TextVQA      | general | VQA | natural image     | ARI NUM | 2019
VizWiz       | general | VQA | natural image     | ARI NUM | 2018
VQA2.0       | general | VQA | natural image     | ARI NUM | 2017
PMC-VQA      | general | VQA | medical image     | SCI     | 2023
VQA-RAD      | general | VQA | medical image     | SCI     | 2018
Super-CLEVR  | general | VQA | synthetic scene   | ARI     | 2023
VQA-AS       | general | VQA | abstract scene    | ARI     | 2015
"""
"""Table 5: source, category, task, visual context, skills, year of its paper; terms as the rows' metadata spells them
("charts and plots" is the table's word for several of the rows' contexts)."""


def _sources(splits: Splits) -> Iterator[Row]:
    counts = {split: histogram(rows, lambda row: row["metadata"]["source"]) for split, rows in splits.items()}
    for text in _SOURCES.strip().splitlines():
        source, category, task, context, skills, year = (cell.strip() for cell in text.split("|"))
        yield {
            "source": source,
            "category": _CATEGORIES[category],
            "task": _TASKS[task],
            "context": context,
            "skills": [_SKILLS[skill] for skill in skills.split()],
            "newly_annotated": year == "new",
            "year": None if year == "new" else int(year),
            "testmini": counts["testmini"][source] if "testmini" in counts else None,
            "test": counts["test"][source] if "test" in counts else None,
        }


def _source_features() -> Features:
    from datasets import Features, List, Value

    text, count = Value("string"), Value("int64")
    columns = dict.fromkeys(("source", "category", "task", "context"), text)
    return Features(
        {
            **columns,
            "skills": List(text),
            "newly_annotated": Value("bool"),
            "year": count,
            "testmini": count,
            "test": count,
        }
    )


def _statistics(splits: Splits) -> list[StatisticsTable]:
    shown = dict(splits)
    if len(splits) > 1:
        shown["all"] = [row for rows in splits.values() for row in rows]

    def chosen(row: Row) -> bool:
        return bool(row["question_type"] == "multi_choice")

    def english(row: Row) -> list[int]:
        return [words(row["question"])] if row["metadata"]["language"] == "english" else []

    def answers(row: Row) -> list[int]:
        return [words(row["answer"])] if row["answer"] else []

    def options(row: Row) -> list[int]:
        return [len(row["choices"])] if row["choices"] else []

    hidden = "test's answers were never released, so only testmini's are counted" if "test" in splits else ""
    key = table(
        "Key statistics (Table 1)",
        "The paper counts all 6,141 questions, testmini and test together.",
        shown,
        [
            ("Questions", "6,141", size),
            ("- multiple-choice", "3,392 (55.2%)", portion(chosen)),
            ("- free-form", "2,749 (44.8%)", portion(lambda row: not chosen(row))),
            ("- newly annotated", "736 (12.0%)", portion(lambda row: row["metadata"]["source"] in _NEW)),
            ("Unique images", "5,487", distinct(_image), _image_note(splits)),
            ("Unique questions", "4,746", distinct(lambda row: row["question"])),
            ("Unique answers", "1,464", lambda rows: number(len({r["answer"] for r in rows if r["answer"]})), hidden),
            ("Source data sets", "31", distinct(lambda row: row["metadata"]["source"])),
            ("Visual contexts", "19", distinct(lambda row: row["metadata"]["context"])),
            ("Longest question (words)", "213", over(max, english), "English questions"),
            ("Longest answer (words)", "27", over(max, answers), hidden),
            ("Most choices", "8", over(max, options)),
            ("Mean question length (words)", "15.6", over(mean, english), "English questions"),
            ("Mean answer length (words)", "1.2", over(mean, answers), hidden),
            ("Mean number of choices", "3.4", over(mean, options)),
        ],
    )
    return [key, _skills(shown), _distance(splits)]


def _image(row: Row) -> str:
    picture = row.get("decoded_image")
    return str(picture["hash"]) if picture else str(row["image"])


def _image_note(splits: Splits) -> str:
    whole = all(row.get("decoded_image") for rows in splits.values() for row in rows)
    return "" if whole else "counted by file name where the picture is absent"


def _skills(shown: Splits) -> StatisticsTable:
    def needing(skill: str) -> Count:
        return portion(lambda row: _SKILLS[skill] in row["metadata"]["skills"])

    return table(
        "Share of questions that need a skill (Table 3)",
        "The paper counts all 6,141 questions; a question may need several skills.",
        shown,
        [(_SKILLS[short], printed, needing(short)) for short, printed in _NEEDING.items()],
    )


def _distance(splits: Splits) -> StatisticsTable:
    """Compare testmini with the whole set over the source data sets, by which testmini was drawn (§2.4)."""
    built: dict[str, dict[str, str]] = {"kl": {}, "tv": {}}
    if {"testmini", "test"} <= set(splits):
        part = histogram(splits["testmini"], lambda row: row["metadata"]["source"])
        whole = part + histogram(splits["test"], lambda row: row["metadata"]["source"])
        built["kl"]["testmini"] = f"{kl_divergence(part, whole):.3f}"
        built["tv"]["testmini"] = f"{total_variation(part, whole):.3f}"
    note = "" if built["kl"] else "needs both splits"
    return StatisticsTable(
        "testmini against the whole set (§2.4)",
        "How far testmini is from all 6,141 questions, by their source data sets.",
        (
            Statistic("Kullback-Leibler divergence (nats)", "0.008", built["kl"], note),
            Statistic("Total variation distance", "0.035", built["tv"], note),
        ),
    )


EDITION = Edition(
    title="MathVista",
    aliases={"default": "mathvista"},
    annotations=("expert-generated", "found"),
    sources=("original", "extended"),
    extras={
        "mathvista_sources": Extra(
            _sources,
            _source_features,
            "The 31 source data sets with category, task, visual context, skills (Table 5) and how many questions of "
            "each split come from them.",
        )
    },
    statistics=_statistics,
    optional=frozenset({"choices", "unit", "precision", "answer"}),
    known={
        "carriage_return": frozenset(["1", "360", "421", "577", "583", "617", "725", "777", "833", "999"]),
        "outer_blanks": frozenset(["237", "340", "923"]),
        "repeated_choice": frozenset(["587", "740", "781"]),
        "no_answer": frozenset({"*"}),
    },
    languages=("en", "zh", "fa"),
    split_notes={
        "testmini": "1,000 questions with answers, for development",
        "test": "5,141 questions whose answers the authors never released: `answer` is empty",
    },
    tags=("visual-question-answering", "geometry", "charts"),
)
