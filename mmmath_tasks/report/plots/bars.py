"""Horizontal bars: a row a part of a breakdown, a bar a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.number_text import NONE as DASH
from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import (
    NONE,
    Series,
    axis,
    behind,
    counted,
    interval_key,
    mark_keys,
    mark_style,
    spread,
    summary,
)
from mmmath_tasks.report.svg import WIDTH, drawing, element, legend, line, text, titled, wrapped
from mmmath_tasks.report.themes import GREY, INK, PAPER

_LABEL = 20
_LEFT, _RIGHT = 184, 93
_COUNT = 52  # what a bar says at its right: its value, and behind it how many problems that rests on


def bars(
    title: str, parts: Sequence[str], runs: Sequence[Series], marks: Sequence[Series], axes: tuple[str, str]
) -> str:
    """Return horizontal bars with intervals, a row for a part of the breakdown and a bar a run; no more than colours.

    `marks` are a paper's rows, ticks over a row's bars; `axes` what the bars measure, and what the parts are parts of.
    """
    pitch, gap = 13, 9
    left, right = _LEFT, WIDTH - _RIGHT
    unit = float(right - left)
    keys = [(element("rect", x=-6, y=-5, width=12, height=10, rx=1, fill=one.colour), one.name) for one in runs]
    said, first_row = legend([*keys, *interval_key(runs), *mark_keys(marks)])
    y, drawn = first_row + 4, []
    for part in parts:
        label = wrapped(part.replace("_", " "), _LABEL, 3)
        height = max(pitch * len(runs), 14 * len(label))
        middle = y + height / 2
        for i, words in enumerate(label):
            base = middle + 4 + 14 * (i - (len(label) - 1) / 2)
            drawn.append(text(left - 8, base, words, text_anchor="end"))
        first = middle - pitch * len(runs) / 2
        for i, one in enumerate(runs):
            drawn.append(_bar(one, part, left, unit, first + i * pitch, pitch))
        for mark in marks:
            point = mark.points.get(part, NONE)
            if not math.isnan(point.value):
                x = left + point.value * unit
                tick = line(x, first - 2, x, first + pitch * len(runs) + 2, stroke_width=1.6, **mark_style(mark))
                drawn.append(titled(f"{mark.name}, {part}: {percent(point.value)} %", tick))
        y += height + gap
    ruled = axis(left, right, first_row, y - 2, axes[0])
    drawn.append(text(left - 8, y + 12, axes[1], font_size=10, fill=GREY, text_anchor="end"))
    return drawing(y + 32, title, summary(runs, parts), ruled, said, *drawn)


def _bar(one: Series, part: str, left: float, unit: float, y: float, pitch: float) -> str:
    point = one.points.get(part, NONE)
    if math.isnan(point.value):
        return text(WIDTH - 4 - _COUNT, y + 9.5, DASH, font_size=10, fill=GREY, text_anchor="end")
    middle = y + pitch / 2
    shapes = [
        element("rect", x=left, y=y + 2, width=max(0.0, point.value * unit), height=pitch - 4, rx=1, fill=one.colour),
        spread(point, left, unit, middle, stroke=PAPER, stroke_width=3),
        spread(point, left, unit, middle, stroke=INK),
        text(WIDTH - 4 - _COUNT, y + 9.5, percent(point.value), font_size=10, text_anchor="end"),
        text(WIDTH - 4, y + 9.5, counted(point.count), font_size=10, text_anchor="end", fill=GREY),
    ]
    return titled(f"{one.name}, {part}: {point.as_text()}", *shapes, **behind(one.name, part))
