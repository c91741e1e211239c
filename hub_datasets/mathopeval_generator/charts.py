"""Bar, line and pie charts as data: what a chart shows, what it is about, and values that can be told apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import shown

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart shows.

    Attributes:
        type: "bar", "line" or "pie".
        style: one of STYLES[type].
        topic: the field it is about.
        title: drawn above it.
        x_name: title of the axis of labels ("" for a pie).
        y_name: title of the axis of values ("" for a pie).
        labels: the categories, the places on the x axis or the slices.
        series: the name of each series ("" if there is but one) with its values, one per label; a pie's sum to 100.
        colours: one per series, or one per label for pies and colourful bars.
        top: upper end of the axis of values (0 for a pie).
        look: details of the drawing that no edit changes.
    """

    type: str
    style: str
    topic: str
    title: str
    x_name: str
    y_name: str
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[float, ...]], ...]
    colours: tuple[str, ...]
    top: float
    look: Mapping[str, Any] = field(default_factory=dict)

    @property
    def by_label(self) -> bool:
        """Whether colours belong to labels, not to series."""
        return self.type == "pie" or self.style == "colourful"

    def without_labels(self, gone: Sequence[str]) -> Chart:
        """Return the chart without these labels and their values."""
        kept = [i for i, label in enumerate(self.labels) if label not in gone]

        def pick(things: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(things[i] for i in kept)

        look = dict(self.look)
        if "explode" in look:
            look["explode"] = pick(look["explode"])
        return replace(
            self,
            labels=pick(self.labels),
            series=tuple((name, pick(values)) for name, values in self.series),
            colours=pick(self.colours) if self.by_label else self.colours,
            look=look,
        )

    def without_series(self, gone: str) -> Chart:
        """Return the chart without this series."""
        kept = [i for i, (name, _) in enumerate(self.series) if name != gone]
        return replace(self, series=tuple(self.series[i] for i in kept), colours=tuple(self.colours[i] for i in kept))

    def with_values(self, series: int, changes: Mapping[int, float]) -> Chart:
        """Return the chart with other values at these places of one series."""
        name, old = self.series[series]
        values = tuple(changes.get(i, value) for i, value in enumerate(old))
        return replace(self, series=(*self.series[:series], (name, values), *self.series[series + 1 :]))


@cache
def subjects() -> tuple[Mapping[str, Any], ...]:
    """Return the subjects of topics.yaml, each with its "topic"."""
    import yaml

    text = files("mmmath_tasks.hub_datasets.mathopeval_generator").joinpath("topics.yaml").read_text("utf-8")
    return tuple(
        {"topic": topic, "additive": True, **subject}
        for topic, found in yaml.safe_load(text).items()
        for subject in found
    )


def apart(values: Sequence[float], gap: float) -> bool:
    """Say whether all values differ by at least `gap` from one another."""
    ordered = sorted(values)
    return all(b - a >= gap for a, b in pairwise(ordered))


def axis_top(values: Sequence[float]) -> float:
    """Return a round end for an axis that leaves room for a number above the largest value."""
    high = max(values) * 1.12
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**4, 10**5, 10**6, 10**9) if high / s <= 20)
    return float(step * -(-high // step))


def fill(tries: Callable[[], Sequence[float]], gap: float) -> tuple[float, ...]:
    """Draw lists of values until one holds four that are `gap` apart, with every value at least half a gap apart.

    Raises:
        ValueError: no such list comes soon.
    """
    for _ in range(3_000):
        values = tries()
        if apart(values, gap / 2) and spaced(values, gap):
            return tuple(values)
    raise ValueError("no such values in 3,000 draws")


def spaced(values: Sequence[float], gap: float) -> int:
    """Return how many values can be picked `gap` apart, at least four, else 0."""
    count, last = 0, float("-inf")
    for value in sorted(values):
        if value - last >= gap:
            count, last = count + 1, value
    return count if count >= 4 else 0


def digits(value: float) -> tuple[int, int]:
    """Return how many characters stand before and after the point of a value."""
    whole, _, part = shown(value).partition(".")
    return len(whole), len(part)


def tidy(value: float) -> float:
    """Return a value to one decimal, a whole one as int."""
    value = round(value, 1)
    return int(value) if value == int(value) else value


def shares(count: int, unit: int, rng: random.Random) -> list[float]:
    """Return shares that sum to 100, in whole numbers (`unit` 1) or in tenths (10)."""
    weights = [rng.uniform(1, 5) for _ in range(count)]
    parts = [round(100 * unit * w / sum(weights)) for w in weights]
    parts[-1] = 100 * unit - sum(parts[:-1])
    return [p / unit if unit > 1 else p for p in parts]
