"""Rules that answer without looking at a picture; on a sound set each is right one time in four."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.functions import numbers

OVERALL = 0.02
_TOKEN = re.compile(r"\d+(?:\.\d+)?|\w+|[^\w\s]")

Values = Callable[[Sequence[str], str], list[float]]


def limit(questions: int) -> float:
    """Return the accuracy in a cell of so many questions beyond which a rule sees something: chance, plus 3.3 errors.

    Chance alone goes beyond it in one cell of 2,000; a set has 380 of rule, task and type.
    """
    return 0.25 + 3.3 * math.sqrt(0.25 * 0.75 / questions)


def _tokens(text: str) -> Counter[str]:
    return Counter(_TOKEN.findall(text))


def _shared(options: Sequence[str], original: str) -> list[float]:
    bags = [_tokens(option) for option in options]
    return [float(sum((bag & other).total() for other in bags)) for bag in bags]


def _like_original(options: Sequence[str], original: str) -> list[float]:
    """Return Dice's coefficient of each option's tokens with the original code's; all alike where there is none."""
    if not original:
        return [0.0] * len(options)
    whole = _tokens(original)
    bags = [_tokens(option) for option in options]
    return [2 * (bag & whole).total() / (bag.total() + whole.total()) for bag in bags]


def _numbers(reduce: Callable[[Sequence[float]], float]) -> Values:
    return lambda options, original: [reduce(numbers(option) or [0.0]) for option in options]


def _least(values: Values) -> Values:
    return lambda options, original: [-value for value in values(options, original)]


def _length(options: Sequence[str], original: str) -> list[float]:
    return [float(len(option)) for option in options]


def _magnitude(found: Sequence[float]) -> float:
    return sum(map(abs, found))


def _off_mean(values: Values) -> Values:
    """Return how far each option's value is from the mean of all."""

    def off(options: Sequence[str], original: str) -> list[float]:
        found = values(options, original)
        return [abs(value - sum(found) / len(found)) for value in found]

    return off


RULES: dict[str, Values] = {
    "always A": lambda options, original: [1.0, *[0.0] * (len(options) - 1)],
    "always D": lambda options, original: [*[0.0] * (len(options) - 1), 1.0],
    "longest": _length,
    "shortest": _least(_length),
    "most shared tokens": _shared,
    "fewest shared tokens": _least(_shared),
    "smallest (sum)": _least(_numbers(sum)),
    "largest (sum)": _numbers(sum),
    "smallest (absolute)": _least(_numbers(_magnitude)),
    "largest (absolute)": _numbers(_magnitude),
    "smallest (first)": _least(_numbers(lambda found: found[0])),
    "largest (first)": _numbers(lambda found: found[0]),
    "smallest (last)": _least(_numbers(lambda found: found[-1])),
    "largest (last)": _numbers(lambda found: found[-1]),
    "nearest the mean (sum)": _least(_off_mean(_numbers(sum))),
    "farthest from the mean (sum)": _off_mean(_numbers(sum)),
    "odd length": _off_mean(_length),
    "most like the original": _like_original,
    "least like the original": _least(_like_original),
}
"""Each gives every option a value; the rule picks the highest, and of several highest each with the same chance."""


def chance(rule: str, options: Sequence[str], original: str, answer: int) -> float:
    """Return the probability that a rule picks the right option.

    Args:
        rule: one of RULES.
        options: as shown.
        original: the code of the original figure; "" where a model is not given one (MCG).
        answer: index of the right option.
    """
    values = [round(value, 9) for value in RULES[rule](options, original)]
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
