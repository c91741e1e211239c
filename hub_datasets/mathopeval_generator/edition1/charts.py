"""Charts of the first edition, drawn at random from the 22 topics."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import DAYS, MONTHS, Chart, axis_top, fill, shares, subjects

STYLES = {
    "bar": ("vertical", "horizontal", "grouped", "stacked", "hatched", "colourful"),
    "line": ("plain", "dashed", "several", "filled"),
    "pie": ("plain", "exploded", "ring", "legend", "shadow"),
}
CLEAR = 0.06
"""Values that must be told apart by eye differ by this share of the axis."""
_PALETTES = (
    ("#4C72B0", "#DD8452", "#55A868", "#C44E52", "#8172B3", "#937860", "#DA8BC3", "#8C8C8C"),
    ("#1F77B4", "#FF7F0E", "#2CA02C", "#D62728", "#9467BD", "#8C564B", "#E377C2", "#7F7F7F"),
    ("#66C2A5", "#FC8D62", "#8DA0CB", "#E78AC3", "#A6D854", "#FFD92F", "#E5C494", "#B3B3B3"),
    ("#5E8CA8", "#2A9D8F", "#E9C46A", "#F4A261", "#E76F51", "#A58BB5", "#D98A98", "#90BE6D"),
    ("#88CCEE", "#CC6677", "#DDCC77", "#6DB388", "#C77DB8", "#44AA99", "#B5B54A", "#D19A73"),
)


def chart(type: str, rng: random.Random) -> Chart:
    """Draw a chart of one type at random."""
    style = rng.choice(STYLES[type])
    additive = type == "pie" or style == "stacked"
    topic = rng.choice(sorted({s["topic"] for s in subjects()}))
    subject = rng.choice([s for s in subjects() if s["topic"] == topic and (s["additive"] or not additive)])
    return {"bar": _bar, "line": _line, "pie": _pie}[type](style, subject, rng)


def _number(value: float, decimals: bool) -> float:
    return round(value, 1) if decimals else int(value)


def _bar(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    split = style in ("grouped", "stacked")
    labels = rng.sample(subject["items"], rng.randint(4, 5) if split else rng.randint(5, 7))
    names = rng.sample(subject["groups"], rng.randint(2, 3)) if split else [""]
    names = [n for n in subject["groups"] if n in names] or names
    decimals = "(" in subject["unit"] and rng.random() < 0.4
    shrink = len(names) if style == "stacked" else 1
    low, high = subject["range"]

    def one() -> list[float]:
        return [_number(rng.uniform(low / shrink, high / shrink), decimals) for _ in labels]

    series = tuple((name, fill(one, CLEAR * high / shrink)) for name in names)
    highest = [max(values) for _, values in series]
    colours = _colours(rng)[: len(labels if style == "colourful" else names)]
    look = {
        "size": rng.choice([(6.4, 4.8), (7, 4.5), (6, 5)]),
        "width": rng.choice([0.5, 0.6, 0.7, 0.8]),
        "edge": rng.choice(["none", "black", "white"]),
        "hatch": rng.choice(["//", "..", "xx", "\\\\"]),
        "grid": rng.choice(["", "--", ":"]),
        "rotation": 30 if max(map(len, labels)) * len(labels) > 48 and style != "horizontal" else 0,
    }
    top, by, title = axis_top([sum(highest)] if style == "stacked" else highest), subject["by"], subject["title"]
    said = subject["topic"], f"{title} by {by}", by, subject["unit"]
    return Chart("bar", style, *said, tuple(labels), series, colours, top, look)


def _line(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    kind = rng.choice(["Month", "Year", "Day", "Quarter", "Week"])
    lines = rng.choice([2, 3, 4]) if style == "several" else 1
    count = 7 if kind == "Day" else rng.randint(6, 8 if lines < 3 else 7)
    first = {"Year": (2008, 2016), "Month": (0, 12 - count), "Quarter": (2019, 2023)}.get(kind)
    start = rng.randint(*first) if first else 0
    labels = {
        "Year": tuple(str(start + i) for i in range(count)),
        "Month": MONTHS[start : start + count],
        "Day": DAYS,
        "Quarter": tuple(f"Q{i % 4 + 1} {start + i // 4}" for i in range(count)),
        "Week": tuple(f"Week {i + 1}" for i in range(count)),
    }[kind]
    names = rng.sample(subject["items"], lines)
    low, high = subject["range"]
    decimals = "(" in subject["unit"] and rng.random() < 0.3
    # Several lines share the height, each with a band of its own that laps a little into its neighbours'.
    band = (high - low) / lines
    starts = [low + band * i for i in range(lines)]
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
    values = [fill(partial(walk, *ends), gap) for ends in bands]
    series = tuple(zip(names if lines > 1 else [""], values, strict=True))
    title = f"{subject['title']} by {kind}" if lines > 1 else f"{subject['title']}: {names[0]}"
    said = subject["topic"], title, kind, subject["unit"]
    colours = _colours(rng)[:lines]
    look = {
        "size": rng.choice([(6.4, 4.8), (7, 4.5), (7.5, 4.5)]),
        "markers": tuple(rng.sample(["o", "s", "^", "D", "v"], lines)),
        "dash": rng.choice(["--", "-.", ":"]) if style == "dashed" else "-",
        "width": rng.choice([1.5, 2, 2.5]),
        "grid": rng.choice(["", "--", ":"]),
        "rotation": 30 if max(map(len, labels)) > (6 if lines == 1 else 5) else 0,
    }
    return Chart("line", style, *said, labels, series, colours, axis_top([v for vs in values for v in vs]), look)


def _pie(style: str, subject: Mapping[str, Any], rng: random.Random) -> Chart:
    labels = tuple(rng.sample(subject["items"], rng.randint(4, 6)))
    decimals = rng.random() < 0.35
    out = rng.randrange(len(labels))
    values = fill(lambda: shares(len(labels), 10 if decimals else 1, rng), 3)
    title = f"Share of {subject['title']} by {subject['by']}"
    colours = _colours(rng)[: len(labels)]
    look = {
        "size": rng.choice([(6, 6), (6.4, 4.8), (6.5, 5.5)]),
        "start": rng.choice([0, 45, 90, 140]),
        **({"explode": tuple(0.1 * (i == out) for i in range(len(labels)))} if style == "exploded" else {}),
    }
    return Chart("pie", style, subject["topic"], title, "", "", labels, (("", values),), colours, 0, look)


def _colours(rng: random.Random) -> tuple[str, ...]:
    palette = rng.choice(_PALETTES)
    return tuple(rng.sample(palette, len(palette)))
