"""Rules that answer without looking at a picture; on a sound set each is right one time in four."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.functions import numbers

OVERALL = 0.02
_TOKEN = re.compile(r"\d+(?:\.\d+)?|\w+|[^\w\s]")

Measure = Callable[[str, Sequence[str], str], float]
"""Of one option, among all the options, given the original code."""


def limit(questions: int) -> float:
    """Return the accuracy in a cell of so many questions beyond which a rule sees something.

    It is a quarter plus 3.3 standard errors. Chance alone goes beyond it in one cell of 1,150 that have
    101 questions, in one of 1,500 that have 450; a set has 380 of rule, task and type.
    """
    return 0.25 + 3.3 * math.sqrt(0.25 * 0.75 / questions)


@lru_cache(256)
def _tokens(text: str) -> Counter[str]:
    return Counter(_TOKEN.findall(text))


def _place(option: str, options: Sequence[str], original: str) -> float:
    return options.index(option)


def _length(option: str, options: Sequence[str], original: str) -> float:
    return len(option)


def _shared(option: str, options: Sequence[str], original: str) -> float:
    return sum((_tokens(option) & _tokens(other)).total() for other in options)


def _likeness(option: str, options: Sequence[str], original: str) -> float:
    """Return Dice's coefficient of the option's tokens with the original code's; 0 where there is none."""
    bag, whole = _tokens(option), _tokens(original)
    return 2 * (bag & whole).total() / (bag.total() + whole.total()) if original else 0.0


def _numbers(reduce: Callable[[Sequence[float]], float]) -> Measure:
    return lambda option, options, original: reduce(numbers(option) or [0.0])


def _off_mean(measure: Measure) -> Measure:
    """Return how far an option's value is from the mean of all."""

    def off(option: str, options: Sequence[str], original: str) -> float:
        found = [measure(o, options, original) for o in options]
        return abs(measure(option, options, original) - sum(found) / len(found))

    return off


_SUM, _ABSOLUTE = _numbers(sum), _numbers(lambda found: sum(map(abs, found)))
_FIRST, _LAST = _numbers(lambda found: found[0]), _numbers(lambda found: found[-1])
RULES: dict[str, tuple[int, Measure]] = {
    "always A": (-1, _place),
    "always D": (1, _place),
    "longest": (1, _length),
    "shortest": (-1, _length),
    "most shared tokens": (1, _shared),
    "fewest shared tokens": (-1, _shared),
    "smallest (sum)": (-1, _SUM),
    "largest (sum)": (1, _SUM),
    "smallest (absolute)": (-1, _ABSOLUTE),
    "largest (absolute)": (1, _ABSOLUTE),
    "smallest (first)": (-1, _FIRST),
    "largest (first)": (1, _FIRST),
    "smallest (last)": (-1, _LAST),
    "largest (last)": (1, _LAST),
    "nearest the mean (sum)": (-1, _off_mean(_SUM)),
    "farthest from the mean (sum)": (1, _off_mean(_SUM)),
    "odd length": (1, _off_mean(_length)),
    "most like the original": (1, _likeness),
    "least like the original": (-1, _likeness),
}
"""Each picks the option with the highest (1) or the lowest (-1) measure, and of several each with the same chance."""


def chance(rule: str, options: Sequence[str], original: str, answer: int) -> float:
    """Return the probability that a rule picks the right option.

    Args:
        rule: one of RULES.
        options: as shown.
        original: the code of the original figure; "" where a model is not given one (MCG).
        answer: index of the right option.
    """
    sign, measure = RULES[rule]
    values = [round(sign * measure(option, options, original), 9) for option in options]
    best = max(values)
    return 1 / values.count(best) if values[answer] == best else 0.0


def accuracies(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[tuple[str, str], float]]:
    """Return each rule's accuracy by cell (task, type), and over all as the cell ("", "").

    Args:
        rows: multiple-choice rows as `mmmath_tasks.hub_datasets.mathopeval.read` yields them.
    """
    sums: dict[str, dict[tuple[str, str], list[float]]] = {rule: defaultdict(list) for rule in RULES}
    for row in rows:
        answer = "ABCD".index(row["answer"])
        for rule, cells in sums.items():
            value = chance(rule, row["choices"], row["original_code"] or "", answer)
            cells["", ""].append(value)
            cells[row["task"], row["type"]].append(value)
    return {rule: {cell: sum(v) / len(v) for cell, v in sorted(cells.items())} for rule, cells in sums.items()}
