"""Bar, line and pie charts as data: what a chart shows, and charts drawn at random from the 22 topics."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.resources import files
from itertools import pairwise
from typing import Any

STYLES = {
    "bar": ("vertical", "horizontal", "grouped", "stacked", "hatched", "colourful"),
    "line": ("plain", "dashed", "several", "filled"),
    "pie": ("plain", "exploded", "ring", "legend", "shadow"),
}
CLEAR = 0.06  # values that must be told apart by eye differ by this share of the axis
_PALETTES = (
    ("#4C72B0", "#DD8452", "#55A868", "#C44E52", "#8172B3", "#937860", "#DA8BC3", "#8C8C8C"),
    ("#1F77B4", "#FF7F0E", "#2CA02C", "#D62728", "#9467BD", "#8C564B", "#E377C2", "#7F7F7F"),
    ("#66C2A5", "#FC8D62", "#8DA0CB", "#E78AC3", "#A6D854", "#FFD92F", "#E5C494", "#B3B3B3"),
    ("#5E8CA8", "#2A9D8F", "#E9C46A", "#F4A261", "#E76F51", "#A58BB5", "#D98A98", "#90BE6D"),
    ("#88CCEE", "#CC6677", "#DDCC77", "#6DB388", "#C77DB8", "#44AA99", "#B5B54A", "#D19A73"),
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


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


def chart(type: str, rng: random.Random) -> Chart:
    """Draw a chart of one type at random."""
    style = rng.choice(STYLES[type])
    additive = type == "pie" or style == "stacked"
    topics = sorted({s["topic"] for s in subjects()})
    topic = rng.choice(topics)
    subject = rng.choice([s for s in subjects() if s["topic"] == topic and (s["additive"] or not additive)])
    return _MAKERS[type](style, subject, rng)


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


def _number(value: float, decimals: bool) -> float:
    return round(value, 1) if decimals else int(value)


def _bar(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    split = style in ("grouped", "stacked")
    labels = rng.sample(subject["items"], rng.randint(4, 5) if split else rng.randint(5, 7))
    names = rng.sample(subject["groups"], rng.randint(2, 3)) if split else [""]
    names = [n for n in subject["groups"] if n in names] or names
    low, high = subject["range"]
    decimals = "(" in subject["unit"] and rng.random() < 0.4
    shrink = len(names) if style == "stacked" else 1

    def one() -> list[float]:
        return [_number(rng.uniform(low / shrink, high / shrink), decimals) for _ in labels]

    gap = CLEAR * high / shrink
    series = tuple((name, fill(one, gap)) for name in names)
    highest = [max(values) for _, values in series]
    top = axis_top([sum(highest)] if style == "stacked" else highest)
    palette = _colours(rng)
    wide = max(map(len, labels)) * len(labels)
    return Chart(
        "bar",
        style,
        subject["topic"],
        f"{subject['title']} by {subject['by']}",
        subject["by"],
        subject["unit"],
        tuple(labels),
        series,
        palette[: len(labels)] if style == "colourful" else palette[: len(names)],
        top,
        {
            "size": rng.choice([(6.4, 4.8), (7, 4.5), (6, 5)]),
            "width": rng.choice([0.5, 0.6, 0.7, 0.8]),
            "edge": rng.choice(["none", "black", "white"]),
            "hatch": rng.choice(["//", "..", "xx", "\\\\"]),
            "grid": rng.choice(["", "--", ":"]),
            "rotation": 30 if wide > 48 and style != "horizontal" else 0,
        },
    )


def _line(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    kind = rng.choice(["Month", "Year", "Day", "Quarter", "Week"])
    lines = rng.choice([2, 3, 4]) if style == "several" else 1
    count = 7 if kind == "Day" else rng.randint(6, 8 if lines < 3 else 7)
    if kind == "Year":
        first = rng.randint(2008, 2016)
        labels = tuple(str(first + i) for i in range(count))
    elif kind == "Month":
        first = rng.randint(0, 12 - count)
        labels = _MONTHS[first : first + count]
    elif kind == "Day":
        labels = _DAYS
    elif kind == "Quarter":
        year = rng.randint(2019, 2023)
        labels = tuple(f"Q{q} {year + y}" for y in (0, 1) for q in (1, 2, 3, 4))[:count]
    else:
        labels = tuple(f"Week {i + 1}" for i in range(count))
    names = rng.sample(subject["items"], lines)
    low, high = subject["range"]
    decimals = "(" in subject["unit"] and rng.random() < 0.3
    # Several lines share the height, each with a band of its own that laps a little into its neighbours'.
    band = (high - low) / lines
    starts = [low + band * i for i in range(len(names))]
    rng.shuffle(starts)
    lap = 0.1 * band * (lines > 1)

    def walk(floor: float, ceiling: float) -> list[float]:
        step = rng.uniform(0.2, 0.45) * (ceiling - floor)
        value, values = rng.uniform(floor, ceiling), []
        for _ in labels:
            values.append(_number(value, decimals))
            value += rng.uniform(-1, 1) * step
            value = max(value, 2 * floor - value) if value < floor else min(value, 2 * ceiling - value)
        return values

    gap = CLEAR * high / (1, 1.3, 1.8, 2.5)[lines - 1]
    bands = [(max(low, start - lap), min(high, start + band + lap)) for start in starts]
    series = tuple((name, fill(partial(walk, *ends), gap)) for name, ends in zip(names, bands, strict=True))
    title = f"{subject['title']} by {kind}" if len(names) > 1 else f"{subject['title']}: {names[0]}"
    if len(names) == 1:
        series = (("", series[0][1]),)
    return Chart(
        "line",
        style,
        subject["topic"],
        title,
        kind,
        subject["unit"],
        labels,
        series,
        _colours(rng)[: len(names)],
        axis_top([v for _, vs in series for v in vs]),
        {
            "size": rng.choice([(6.4, 4.8), (7, 4.5), (7.5, 4.5)]),
            "markers": tuple(rng.sample(["o", "s", "^", "D", "v"], len(names))),
            "dash": rng.choice(["--", "-.", ":"]) if style == "dashed" else "-",
            "width": rng.choice([1.5, 2, 2.5]),
            "grid": rng.choice(["", "--", ":"]),
            "rotation": 30 if max(map(len, labels)) > (6 if lines == 1 else 5) else 0,
        },
    )


def _pie(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    labels = tuple(rng.sample(subject["items"], rng.randint(4, 6)))
    decimals = rng.random() < 0.35

    def one() -> list[float]:
        unit = 10 if decimals else 1
        weights = [rng.uniform(1, 5) for _ in labels]
        parts = [round(100 * unit * w / sum(weights)) for w in weights]
        parts[-1] = 100 * unit - sum(parts[:-1])
        return [p / unit if decimals else p for p in parts]

    explode = [0.0] * len(labels)
    explode[rng.randrange(len(labels))] = 0.1
    return Chart(
        "pie",
        style,
        subject["topic"],
        f"Share of {subject['title']} by {subject['by']}",
        "",
        "",
        labels,
        (("", fill(one, 3)),),
        _colours(rng)[: len(labels)],
        0,
        {
            "size": rng.choice([(6, 6), (6.4, 4.8), (6.5, 5.5)]),
            "start": rng.choice([0, 45, 90, 140]),
            **({"explode": tuple(explode)} if style == "exploded" else {}),
        },
    )


def _colours(rng: random.Random) -> tuple[str, ...]:
    palette = rng.choice(_PALETTES)
    return tuple(rng.sample(palette, len(palette)))


_MAKERS = {"bar": _bar, "line": _line, "pie": _pie}
