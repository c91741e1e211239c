"""How large a chart's axes are, and what stands on them where: markers, bars, numbers, the legend; in points.

For the choice of places only; a drawing may differ from it by a few points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Point
from mmmath_tasks.hub_datasets.mathopeval_generator.room import MARKER, Box, offsets, text_width
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import shown

MARGINS = {"left": 0.125, "right": 0.9, "bottom": 0.11, "top": 0.88}
"""Matplotlib's own, as shares of the figure."""
_LEGEND = 8  # size of its letters


def margins(chart: Chart) -> dict[str, float]:
    """Return the margins of the axes that are not Matplotlib's own, as shares of the figure."""
    look = chart.look
    room: dict[str, float] = {"left": 0.02, "right": 0.68} if chart.style == "legend" else {}
    if len(chart.series) > 1 and look["legend"] == "outside":
        room["right"] = 0.76
    if look["rotation"] and chart.type != "pie":
        room["bottom"] = 0.26
    if chart.style == "horizontal":
        room["left"] = 0.3 if max(map(len, chart.labels)) > 20 else 0.22
    if look["idiom"] == "seaborn":
        room.setdefault("bottom", 0.16)  # its theme has larger letters
    return room


def fitted(original: Chart, *others: Chart) -> list[Chart]:
    """Return the charts with a look that leaves every number of the original readable, and the legend clear of all.

    Args:
        original: the chart that is annotated.
        others: what is drawn in its look besides.

    Raises:
        ValueError: there is no such look.
    """
    if original.type == "pie":
        return [original, *others]
    several = len(original.series) > 1
    for legend in dict.fromkeys([original.look["legend"], "outside"]) if several else [""]:
        look = {**original.look, "legend": legend}
        charts = [replace(chart, look=look) for chart in (original, *others)]
        corner = _legend(charts[0]) if several and legend != "outside" else None
        if corner and any(corner.meets(*line) for chart in charts for line in _lines(chart)):
            continue
        with suppress(ValueError):
            look |= _numbered(charts[0], [corner] if corner else [])
            return [replace(chart, look=look) for chart in charts]
    raise ValueError("no room for the numbers, wherever the legend stands")


def title_size(chart: Chart) -> int:
    """Return the size of the title's letters: the largest of 12 to 8 points that leaves it whole, else 7."""
    look, room = chart.look, MARGINS | margins(chart)
    left, middle = room["left"], (room["left"] + room["right"]) / 2
    if chart.type == "pie" and look["title_at"] == "left":
        left = middle - area(chart)[1] / (72 * look["size"][0]) / 2  # its axes are square
    wide = (1 - left if look["title_at"] == "left" else 2 * min(middle, 1 - middle)) * 72 * look["size"][0]
    if look["panel"]:
        wide = area(chart)[0] * 1.1  # it may reach a little beyond its axes, as far as the second ones
    # bold letters are wider; those of one width are rounded up to whole pixels
    letter = 0.7 if look["title_weight"] else 0.65 if look["font"] == "monospace" else 0.6
    return next((size for size in (12, 11, 10, 9, 8) if size * letter * len(chart.title) <= wide), 7)


def size_of_numbers(chart: Chart) -> float:
    """Return the size of the letters of numbers in the chart."""
    count = len(chart.series) * len(chart.labels)
    if chart.type == "line":
        return 7 if len(chart.series) > 1 or len(chart.labels) > 8 else 9
    crowded = count > 8 or any(v % 1 for _, vs in chart.series for v in vs)
    return 6.5 if crowded and count > 11 else 7 if crowded else 9


def area(chart: Chart) -> tuple[float, float]:
    """Return width and height of the axes."""
    width, height = chart.look["size"]
    room = MARGINS | margins(chart)
    wide = 72 * width * (room["right"] - room["left"])
    if chart.look["panel"]:
        wide = 72 * (width + 2) * 0.56  # of a wider figure, what the second axes and tight_layout leave
    return wide, 72 * height * (room["top"] - room["bottom"])


def _numbered(chart: Chart, taken: Sequence[Box]) -> dict[str, Any]:
    """Return what the look says about numbers.

    Raises:
        ValueError: they have no room.
    """
    wide, high = area(chart)
    values = [v for _, vs in chart.series for v in vs]
    if chart.type == "line":
        points = [p for _, vs in chart.series for p in _points(chart, vs)]
        whole, lines, size = Box(wide / 2, high / 2, wide, high), list(_lines(chart)), size_of_numbers(chart)
        found, count = offsets(points, list(map(shown, values)), size, lines, taken, whole), len(chart.labels)
        return {"offsets": [found[i : i + count] for i in range(0, len(found), count)]}
    boxes = list(_bar_numbers(chart))
    if any(a.overlaps(b) for a, b in combinations(boxes, 2)) or any(a.overlaps(b) for a in boxes for b in taken):
        raise ValueError("numbers that lie on one another")
    place = sum(values) / len(values) / chart.top
    line = ((0.0, place * high), (wide, place * high))
    if chart.style == "horizontal":
        line = ((place * wide, 0.0), (place * wide, high))
    return {"mean": chart.look["mean"] and chart.style != "stacked" and not any(box.meets(*line) for box in boxes)}


def _points(chart: Chart, values: Sequence[float]) -> Iterator[Point]:
    """Yield the places of a line's points."""
    wide, high = area(chart)
    step = 0.9 / (len(values) - 1)
    for i, value in enumerate(values):
        yield (0.05 + i * step) * wide, value / chart.top * high


def _lines(chart: Chart) -> Iterator[tuple[Point, Point]]:
    """Yield the lines of a chart, or the edges of its bars."""
    if chart.type == "line":
        for _, values in chart.series:
            yield from pairwise(_points(chart, values))
        return
    for box in _bars(chart):
        left, right, top = box.x - box.width / 2, box.x + box.width / 2, box.y + box.height / 2
        yield from pairwise([(left, 0.0), (left, top), (right, top), (right, 0.0)])


def _bars(chart: Chart) -> Iterator[Box]:
    """Yield the bars, as if they stood upright."""
    wide, high = area(chart)
    if chart.style == "horizontal":
        wide, high = high, wide
    count, series = len(chart.labels), len(chart.series)
    grouped = chart.style == "grouped" or (series > 1 and chart.style != "stacked")
    whole = 0.8 if grouped or chart.look["idiom"] == "seaborn" else chart.look["width"]
    unit = 0.9 * wide / (count - 1 + whole)
    bottoms = [0.0] * count
    for s, (_, values) in enumerate(chart.series):
        for i, value in enumerate(values):
            x, width = 0.05 * wide + (i + whole / 2) * unit, whole * unit / (series if grouped else 1)
            if grouped:
                x += (s - (series - 1) / 2) * width
            top = value / chart.top * high
            yield Box(x, bottoms[i] + top / 2, width, top)
            if chart.style == "stacked":
                bottoms[i] += top


def _bar_numbers(chart: Chart) -> Iterator[Box]:
    """Yield the numbers at the ends of bars, or in the middle of stacked ones."""
    size = size_of_numbers(chart)
    for bar, value in zip(_bars(chart), (v for _, vs in chart.series for v in vs), strict=True):
        wide, high = text_width(shown(value), size), 0.8 * size
        if chart.style == "horizontal":
            _, whole = area(chart)
            yield Box(bar.height + 2 + wide / 2, whole - bar.x, wide, high)
        elif chart.style == "stacked":
            yield Box(bar.x, bar.y, wide + 2, high + 2)
        else:
            yield Box(bar.x, bar.height + 3 + high / 2, wide, high)


def _legend(chart: Chart) -> Box:
    """Return the box of a legend in an upper corner."""
    (wide, high), count = area(chart), len(chart.series)
    width = (3.6 + 0.66 * max(len(name) for name, _ in chart.series)) * _LEGEND + MARKER
    height = (0.8 + 1.2 * count + 0.5 * (count - 1)) * _LEGEND + MARKER
    x = 4 + width / 2
    return Box(x if chart.look["legend"] != "upper right" else wide - x, high - 4 - height / 2, width, height)
