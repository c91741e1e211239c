"""Horizontal bars: a row a part of a breakdown, a bar a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.number_text import NONE as DASH
from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import NONE, Series, axis, counted, scale, summary
from mmmath_tasks.report.svg import (
    GREY,
    INK,
    WIDTH,
    ceiling,
    drawing,
    element,
    line,
    text,
    titled,
    wrapped,
)

_LABEL = 20
_LEFT, _RIGHT = 184, 78
_COUNT = 38  # what a bar says at its right: its value, and behind it how many problems that rests on


def bars(title: str, parts: Sequence[str], runs: Sequence[Series], marks: Sequence[Series] = ()) -> str:
    """Return horizontal bars with intervals, a row a part and a bar a run; `marks` are ticks over a row's bars."""
    pitch, gap = 13, 9
    values = [p.high if not math.isnan(p.high) else p.value for s in runs for p in s.points.values()]
    values += [mark.points[part].value for mark in marks for part in parts if part in mark.points]
    end = ceiling(values)
    left, unit = scale(end, _LEFT, WIDTH - _RIGHT)
    y, drawn = 6.0, []
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
                tick = line(x, first - 2, x, first + pitch * len(runs) + 2, stroke_width=1.6, **_mark(mark))
                drawn.append(titled(f"{mark.name}, {part}: {percent(point.value)} %", tick))
        y += height + gap
    ruled = axis(end, _LEFT, WIDTH - _RIGHT, 2, y - 2)
    return drawing(y + 18, title, summary(runs, parts), ruled, *drawn)


def _mark(mark: Series) -> dict[str, object]:
    """Humans are a whole line, chance a broken one."""
    return {"stroke": INK} if mark.name.startswith("Human") else {"stroke": GREY, "stroke_dasharray": "2 2"}


def _bar(one: Series, part: str, left: float, unit: float, y: float, pitch: float) -> str:
    point = one.points.get(part, NONE)
    if math.isnan(point.value):
        return text(WIDTH - 4 - _COUNT, y + 9.5, DASH, font_size=10, fill=GREY, text_anchor="end")
    shapes = [
        element("rect", x=left, y=y + 2, width=max(0.0, point.value * unit), height=pitch - 4, rx=1, fill=one.colour),
    ]
    if not math.isnan(point.low):
        middle = y + pitch / 2
        shapes.append(
            line(
                left + max(0.0, point.low) * unit,
                middle,
                left + point.high * unit,
                middle,
                stroke=INK,
                stroke_opacity=0.75,
            )
        )
    right = {"font_size": 10, "text_anchor": "end"}
    shapes.append(text(WIDTH - 4 - _COUNT, y + 9.5, percent(point.value), fill=one.colour, **right))
    shapes.append(text(WIDTH - 4, y + 9.5, counted(point.count), **{**right, "font_size": 9}, fill=GREY))
    return titled(f"{one.name}, {part}: {point.as_text()}", *shapes)
