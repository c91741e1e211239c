"""Charts of the second edition, with the looks that charts have outside of textbooks."""

from __future__ import annotations

import colorsys
import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import scripts
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import DAYS, MONTHS, Chart, axis_top, fill, shares, subjects

STYLES = {
    "bar": ("vertical", "horizontal", "grouped", "stacked", "hatched", "colourful", "dense"),
    "line": ("plain", "dashed", "several", "several", "filled", "dense"),
    "pie": ("plain", "exploded", "ring", "legend", "shadow"),
}
GAPS = {"bar": 0.075, "line": 0.05, "pie": 5.0}
"""Values that must be told apart differ by this share of the axis; of pies, by as many hundredths of the turn."""

SLICE = 5
"""Hundredths of the turn that a slice has at least, so that its number fits in."""

BESIDE = 19
"""Letters of a label that have room beside a pie."""

IDIOMS = ("pyplot", "axes", "axes", "pandas", "seaborn")
_LONG = (" (provisional)", " and related", " (all regions)", ", revised", " incl. partners")
_MORE = ("", "", ", Annual Report", " (Survey of 2023)", ": Regional Overview", ", First Estimate")
_SOURCES = ("municipal statistics", "annual survey", "internal records", "own calculation", "field office")
_PERIODS = {"Month": MONTHS, "Week": tuple(f"W{i}" for i in range(14, 28)), "Day": DAYS}


def chart(type: str, rng: random.Random) -> Chart:
    """Draw a chart of one type at random.

    Raises:
        ValueError: the values drawn are too close to one another.
    """
    style = rng.choice(STYLES[type])
    stacked = style == "stacked"
    subject = rng.choice([s for s in subjects() if s["additive"] or not (type == "pie" or stacked)])
    several = 1 if style not in ("grouped", "stacked", "several") else rng.randint(2, 3 if type == "bar" else 4)
    x_name, labels = _places(type, style, subject, several, rng)
    pool = subject["items"] if type == "line" else subject["groups"]
    names = tuple(sorted(rng.sample(pool, several), key=pool.index)) if several > 1 else ("",)
    gap = GAPS[type]
    if type == "pie":
        series: tuple[tuple[str, tuple[float, ...]], ...] = (("", fill(lambda: _shares(len(labels), rng), gap)),)
        top = 0.0
    else:
        low, high = subject["range"]
        low, high = (low / several, high / several) if stacked else (low, high)
        decimals = "(" in subject["unit"] and rng.random() < 0.4
        near = (1, 1, 1.3, 1.8, 2.5)[several] if type == "line" else 1
        crowd = 1 if len(labels) < 9 else 2
        one = partial(_values, len(labels), low, high, decimals, type == "line", rng)
        series = tuple((name, fill(one, gap * high / near / crowd)) for name in names)
        highest = [max(values) for _, values in series]
        top = axis_top([sum(highest)] if stacked else highest)
    title = f"{'Share of ' if type == 'pie' else ''}{subject['title']}"
    title += f": {rng.choice(pool)}" if type == "line" and several == 1 else f" by {x_name}"
    number = len(labels) if type == "pie" or style == "colourful" else several
    look = _look(type, style, labels, number, [v for _, vs in series for v in vs], rng)
    title += rng.choice([more for more in _MORE if not (":" in title and ":" in more)])
    x_name, y_name = ("", "") if type == "pie" else (x_name, subject["unit"])
    colours = _colours(number, rng)
    return Chart(type, style, subject["topic"], title, x_name, y_name, labels, series, colours, top, look)


def _places(
    type: str, style: str, subject: Mapping[str, Any], several: int, rng: random.Random
) -> tuple[str, tuple[str, ...]]:
    """Return what the labels are, and the labels."""
    if type == "pie" or (type == "bar" and style != "dense"):
        most = len(subject["items"]) if several == 1 else 5
        count = rng.randint(4, 6) if type == "pie" else rng.randint(4 if several > 1 else 5, most)
        labels = rng.sample(subject["items"], min(count, len(subject["items"])))
        more = rng.choice(_LONG) if rng.random() < 0.15 and (style == "horizontal" or type == "pie") else ""
        if type == "pie" and style != "legend" and max(map(len, labels)) + len(more) > BESIDE:
            more = ""
        return subject["by"], tuple(f"{label}{more}" for label in labels)
    kind = rng.choice(["Month", "Year", "Week"] if style == "dense" else ["Month", "Year", "Day", "Quarter", "Week"])
    count = rng.randint(9, 12) if style == "dense" else rng.randint(6, 8 if several < 3 else 7)
    if kind == "Year":
        first = rng.randint(2003, 2012)
        return kind, tuple(str(first + i) for i in range(count))
    if kind == "Quarter":
        year = rng.randint(2019, 2023)
        return kind, tuple(f"Q{q} {year + y}" for y in (0, 1) for q in (1, 2, 3, 4))[:count]
    found = _PERIODS[kind]
    first = rng.randint(0, max(0, len(found) - count))
    return kind, found[first : first + count]


def _values(count: int, low: float, high: float, decimals: bool, walks: bool, rng: random.Random) -> list[float]:
    """Return values between two ends; of a line, each within reach of the one before it."""
    values, value, step = [], rng.uniform(low, high), rng.uniform(0.25, 0.6) * (high - low)
    for _ in range(count):
        values.append(round(value, 1) if decimals else int(value))
        value = min(max(value + rng.uniform(-1, 1) * step, low), high) if walks else rng.uniform(low, high)
    return values


def _shares(count: int, rng: random.Random) -> list[float]:
    """Return shares of SLICE hundredths or more that sum to 100, in whole numbers or to one decimal."""
    unit, parts = rng.choice([1, 1, 10]), [0.0]
    while min(parts) < SLICE:
        parts = shares(count, unit, rng)
    return parts


def _colours(count: int, rng: random.Random) -> tuple[str, ...]:
    """Return colours from all round the circle, or shades of one hue that lie close together."""
    hue, close = rng.random(), rng.random() < 0.35
    found = []
    for i in range(count):
        if close:
            h, light, full = hue + 0.02 * i, 0.45 + 0.38 * i / max(count - 1, 1), 0.5
        else:
            h, light, full = hue + i / count, rng.uniform(0.5, 0.68), rng.uniform(0.4, 0.75)
        found.append("#" + "".join(f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(h % 1, light, full)))
    if not close:
        rng.shuffle(found)
    return tuple(found)


def _look(
    type: str, style: str, labels: Sequence[str], number: int, values: Sequence[float], rng: random.Random
) -> dict[str, Any]:
    """Return everything about the drawing that no edit changes."""
    idiom = rng.choice(IDIOMS)
    if style in ("hatched", "stacked", "dashed", "filled") and idiom == "seaborn":
        idiom = "axes"
    if type == "pie":
        idiom = rng.choice(["pyplot", "axes", "axes", "pandas"])
    long = max(map(len, labels)) * len(labels) > 44 and style != "horizontal"
    explode = [0.0] * len(labels)
    explode[rng.randrange(len(labels))] = rng.choice([0.06, 0.1, 0.15])
    return {
        **scripts.manner(rng),
        "idiom": idiom,
        "data": rng.choice(["lists", "dict", "pairs"]),
        "layout": rng.choice(["flat", "flat", "flat", "flat", "tall"]),
        "panel": idiom == "axes" and type != "pie" and rng.random() < 0.25,
        "size": rng.choice([(6.4, 4.8), (7, 4.5), (7.5, 5), (8, 4.5), (6, 5)]) if type != "pie" else (6.4, 5),
        "width": rng.choice([0.5, 0.6, 0.7, 0.8]),
        "edge": rng.choice(["", "black", "white"]),
        "hatches": tuple(rng.sample(["//", "..", "xx", "\\\\", "--", "oo"], min(number, 4))),
        "markers": tuple(rng.sample(["o", "s", "^", "D", "v", "P"], min(number, 4))),
        "dashes": tuple(rng.sample(["-", "--", "-.", ":"], min(number, 4)))
        if style in ("dashed", "several")
        else ("-",),
        "line_width": rng.choice([1.2, 1.6, 2, 2.5]),
        "grid": rng.choice(["", "--", ":", "-"]),
        "legend": rng.choice(["upper left", "upper right", "best", "outside"]),
        "rotation": rng.choice([30, 45, 60]) if long else 0,
        "face": rng.choice(["", "", "", "", "whitesmoke", "#fbf7ef", "aliceblue"]),
        "spines": rng.random() < 0.3,
        "source": rng.choice(_SOURCES) if rng.random() < 0.25 else "",
        "mean": type == "bar" and len(labels) * number == len(values) and rng.random() < 0.2,
        "title_at": rng.choice(["center", "center", "left"]),
        "title_weight": rng.choice(["", "", "bold"]),
        "start": rng.choice([0, 30, 45, 90, 140, 200]),
        "clock": rng.random() < 0.3,
        "hole": rng.choice([0.35, 0.45, 0.55]),
        **({"explode": tuple(explode)} if style == "exploded" else {}),
    }
