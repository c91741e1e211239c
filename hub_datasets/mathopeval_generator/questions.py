"""From a sample to the records of the two files: the sample itself, and its questions with letters dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import chart_samples, function_samples, geometry_samples
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.editions import RULES
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, EDITION, STATES, Sample

LETTERS = "ABCD"


def sample(seed: int, type: str, index: int, edition: int = EDITION) -> Sample:
    """Return one sample; the same for the same seed, type, index and edition wherever it is drawn.

    Args:
        seed: of the whole set.
        type: one of TYPES.
        index: from 0; not bounded by COUNTS.
        edition: one of EDITIONS.
    """
    rules = RULES[edition]
    if type == "geometry":
        return geometry_samples.sample(rules.geometry, seed, index)
    if type == "function":
        return function_samples.sample(rules.functions, seed, index)
    return chart_samples.sample(rules.charts, seed, type, index)


def language(type: str) -> str:
    """Return the language of a type's drawn figures: "latex" or "python"."""
    return "latex" if type == "geometry" else "python"


IN_CELL = 20
"""How many questions of each task and type the human evaluation has."""


def plan(samples: int | None = None) -> list[tuple[str, int]]:
    """Return the types and indices of a set of that many samples (None: 1,888) in the paper's proportions."""
    total = sum(COUNTS.values())
    wanted = total if samples is None else samples
    counts = {kind: count * wanted // total for kind, count in COUNTS.items()}
    by_rest = sorted(COUNTS, key=lambda kind: COUNTS[kind] * wanted % total, reverse=True)
    for kind in by_rest[: wanted - sum(counts.values())]:
        counts[kind] += 1
    return [(kind, index) for kind, count in counts.items() for index in range(count)]


def human_subset(seed: int) -> list[tuple[str, int]]:
    """Return the types and indices of the samples that the paper's human evaluation asks about (section 6.1).

    400 questions of either format, 20 of each task and type, drawn at random: here from 20 samples of each type, each
    of which has every task.
    """
    drawn = {kind: draws(seed, kind, 0, "human subset").sample(range(count), IN_CELL) for kind, count in COUNTS.items()}
    return [(kind, index) for kind, indices in drawn.items() for index in sorted(indices)]


def one_a_task(sample: Sample, seed: int) -> Iterator[dict[str, Any]]:
    """Yield one multiple-choice question of each task, drawn where there are several."""
    by_task: dict[str, list[dict[str, Any]]] = {}
    for question in questions(sample, seed):
        by_task.setdefault(question["task"], []).append(question)
    for task, found in by_task.items():
        yield draws(seed, sample.type, sample.index, f"human subset {task}").choice(found)


def questions(sample: Sample, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the sample's multiple-choice questions as multiple_choice.jsonl holds them; letters are balanced."""
    numbers: Counter[str] = Counter()
    for place, deck in enumerate(sample.decks):
        right = turn(seed, sample.type, sample.index, f"letter {place}")
        wrong = [option for i, option in enumerate(deck.options) if i != deck.truth]
        draws(seed, sample.type, sample.index, f"order {place}").shuffle(wrong)
        numbers[deck.task] += 1
        number = f"-{numbers[deck.task]}" if deck.task == "mce_annotation" else ""
        yield {
            "id": f"{sample.id}-mc-{deck.task}{number}",
            "sample": sample.id,
            "task": deck.task,
            "element": deck.element,
            "direction": deck.direction,
            "question": deck.text,
            "choices": [*wrong[:right], deck.options[deck.truth], *wrong[right:]],
            "answer": LETTERS[right],
        }


def record(sample: Sample) -> dict[str, Any]:
    """Return the sample as samples.jsonl holds it, with the names of its pictures."""
    return {
        "id": sample.id,
        "type": sample.type,
        "topic": sample.topic,
        "style": sample.style,
        "language": sample.language,
        **{s: {**asdict(sample.states[s]), "picture": f"pictures/{sample.id}-{s}.png"} for s in STATES},
        "annotations": [asdict(mark) for mark in sample.marks],
    }
