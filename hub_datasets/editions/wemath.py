"""We-Math on the Hub: the 67 knowledge cards, Table 5's statistics, problems whose rows do not fit together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mmmath_tasks.hub_datasets.publishing.edition import Edition, Extra, Row, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import (
    Count,
    StatisticsTable,
    distinct,
    mean,
    number,
    over,
    share,
    size,
    table,
    times,
    words,
)
from mmmath_tasks.hub_datasets.wemath import options
from mmmath_tasks.hub_datasets.wemath_knowledge import PLACES

if TYPE_CHECKING:
    from datasets import Features

_OPTIONS = {
    "A": "10,898 (24.5%)",
    "B": "10,898 (24.5%)",
    "C": "10,871 (24.5%)",
    "D": "8,304 (18.7%)",
    "E": "3,424 (7.7%)",
}
"""Letter to how often Table 5 has it."""


def _cards(splits: Splits) -> Iterator[Row]:
    steps = [row for rows in splits.values() for row in rows if not row["key"].endswith("multi")]
    counts = Counter(row["knowledge concept"] for row in steps)
    texts = {row["knowledge concept"]: row["knowledge concept description"] for row in steps}
    for concept, place in PLACES.items():
        path = [place.domain, place.topic, *([place.section] if place.section else []), concept]
        yield {
            "concept": concept,
            "domain": place.domain,
            "topic": place.topic,
            "path": path,
            "description": texts.get(concept),
            "questions": counts[concept],
        }


def _card_features() -> Features:
    from datasets import Features, List, Value

    text = Value("string")
    return Features(
        {
            "concept": text,
            "domain": text,
            "topic": text,
            "path": List(text),
            "description": text,
            "questions": Value("int64"),
        }
    )


def _odd(splits: Splits) -> Iterator[tuple[str, str, str]]:
    for split, rows in splits.items():
        problems: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            problems[row["ID"]].append(row)
        for name, group in problems.items():
            steps = sorted((r for r in group if not r["key"].endswith("multi")), key=lambda r: r["key"])
            whole = next((r for r in group if r["key"].endswith("multi")), None)
            if whole is None or len(steps) != int(name[0] if name[:1] in "23" else 0):
                yield split, "incomplete_problem", name
                continue
            named = {part.strip() for part in whole["knowledge concept"].split(";")}
            if not named & {step["knowledge concept"] for step in steps}:
                yield split, "unrelated_concepts", name
            if steps[-1]["answer"] != whole["answer"]:
                yield split, "other_letter", name
        cards: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            if not row["key"].endswith("multi"):
                cards[row["knowledge concept"]].add(row["knowledge concept description"])
        for concept, texts in cards.items():
            if concept not in PLACES:
                yield split, "unknown_concept", concept
            elif len(texts) > 1:
                yield split, "several_descriptions", concept


def _statistics(splits: Splits) -> list[StatisticsTable]:
    def concepts(rows: Sequence[Row]) -> set[str]:
        return {row["knowledge concept"] for row in rows} & set(PLACES)

    def places(of: str) -> Count:
        return lambda rows: number(len({getattr(PLACES[concept], of) for concept in concepts(rows)}))

    def letters(rows: Sequence[Row]) -> Counter[str]:
        return Counter(
            chr(ord("A") + place) for row in rows for place, text in enumerate(options(row["option"])) if text
        )

    def lettered(accept: Callable[[str], bool], rows: Sequence[Row]) -> str:
        found = letters(rows)
        return share(sum(n for name, n in found.items() if accept(name)), found.total())

    def words_of(row: Row) -> list[int]:
        return [words(row["question"])]

    def characters(row: Row) -> list[int]:
        return [len(row["question"])]

    note = "the paper calls these proportions of answers; they count options"
    return [
        table(
            "Key statistics (Table 5)",
            "The paper counts all 10,898 samples, of which the authors released the 1,740 of testmini.",
            splits,
            [
                ("Samples", "10,898; test 6,298; testmini 1,740", size),
                ("- three-step problems", "598 in test", times(lambda row: row["key"] == "3steps_multi")),
                ("- two-step problems", "1,302 in test", times(lambda row: row["key"] == "2steps_multi")),
                ("- one-step problems", "4,398 in test", times(lambda row: not row["key"].endswith("multi"))),
                ("Domains (first layer)", "5", places("domain")),
                ("Topics (second layer)", "12", places("topic")),
                ("Concepts (leaves)", "67", lambda rows: number(len(concepts(rows)))),
                ("Options", "44,418", lambda rows: number(letters(rows).total())),
                ("Options a question", "4.076", lambda rows: f"{letters(rows).total() / max(len(rows), 1):.3f}"),
                *(
                    (f"- options lettered {name}", paper, partial(lettered, name.__eq__), note if name == "A" else "")
                    for name, paper in _OPTIONS.items()
                ),
                ("- options lettered F and beyond", "27 (0.06%)", partial(lettered, lambda name: name > "E")),
                ("Longest question (words)", "143", over(max, words_of)),
                ("Longest question (characters)", "852", over(max, characters)),
                ("Mean question length (words)", "26.8", over(mean, words_of)),
                ("Mean question length (characters)", "139.1", over(mean, characters)),
                ("Problems", "", distinct(lambda row: row["ID"])),
            ],
        )
    ]


EDITION = Edition(
    title="We-Math",
    aliases={"default": "wemath", "knowledge": "wemath_knowledge_cards"},
    task_categories=("visual-question-answering", "multiple-choice"),
    task_ids=("visual-question-answering", "multiple-choice-qa"),
    extras={
        "wemath_knowledge_cards": Extra(
            _cards,
            _card_features,
            "The 67 knowledge concepts: place in the hierarchy, description, number of one-step questions.",
        )
    },
    statistics=_statistics,
    optional=frozenset(),
    odd=_odd,
    known={
        "repeated_choice": frozenset(
            {
                "2steps_43|2steps_1",
                "2steps_94|2steps_1",
                "2steps_313|2steps_1",
                "2steps_313|2steps_2",
                "2steps_140|2steps_multi",
                "3steps_126|3steps_2",
            }
        ),
        "unrelated_concepts": frozenset(
            f"2steps_{i}" for i in (48, 160, 172, 213, 274, 275, 276, 309, 319, 334, 347, 350)
        ),
        "other_letter": frozenset(
            [f"2steps_{i}" for i in (13, 23, 31, 44, 48, 49, 72, 95, 96, 97, 102, 122, 133, 172, 210, 213)]
            + [f"2steps_{i}" for i in (230, 231, 266, 274, 289, 301, 319, 343, 344)]
            + [f"3steps_{i}" for i in (46, 47, 51, 55, 57, 76, 111)]
        ),
    },
    odd_kinds={
        "incomplete_problem": "a problem lacks a step or its multi-step row",
        "unrelated_concepts": "the multi-step row names none of its steps' concepts",
        "other_letter": "the last step's answer has another letter than the multi-step row's",
        "unknown_concept": "a one-step row's concept is not in the hierarchy",
        "several_descriptions": "a concept is described in more than one way",
    },
    split_notes={
        "testmini": "525 problems (360 of two steps, 165 of three), each with a row for every step and one whole"
    },
    tags=("visual-question-answering", "geometry", "knowledge"),
)
