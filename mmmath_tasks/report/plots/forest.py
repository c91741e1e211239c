"""The headline: runs with their intervals among the rows of a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.name_text import shortened
from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import NONE, Point, axis, counted, scale
from mmmath_tasks.report.svg import (
    GREY,
    PAPER,
    WIDTH,
    ceiling,
    drawing,
    element,
    line,
    run_colour,
    text,
    titled,
    wrapped,
)

_COUNT = 44  # room at the right for how many problems a value rests on


def forest(title: str, runs: Sequence[tuple[str, int, Point, Point | None]], rows: Sequence[tuple[str, float]]) -> str:
    """Return one line a run (official: a dot, verified: a ring, both with intervals) and a grey dot a paper's row.

    Args:
        title: of the drawing.
        runs: name, index of the colour, official, verified.
        rows: name and value, from a paper.
    """
    left, right, pitch = 184, WIDTH - 90, 21
    short = shortened([name for name, *_ in runs], 22)
    entries: list[tuple[float, str]] = []
    values = [p.high for _, _, a, b in runs for p in (a, b) if p is not None] + [value for _, value in rows]
    end = ceiling([*values, *(p.value for _, _, a, b in runs for p in (a, b) if p is not None)])
    start, unit = scale(end, left, right)
    for (name, index, official, verified), label in zip(runs, short, strict=True):
        shown = official if not math.isnan(official.value) else verified or NONE
        entries.append((shown.value, _forest_run((name, label), run_colour(index), official, verified, start, unit)))
    for name, value in rows:
        said = (
            text(left - 10, 4, wrapped(name, 27, 1)[0], fill=GREY, text_anchor="end", font_size=11)
            + element("circle", cx=start + value * unit, cy=0, r=3, fill=GREY)
            + text(WIDTH - 4 - _COUNT, 4, percent(value), font_size=11, fill=GREY, text_anchor="end")
        )
        entries.append((value, titled(f"{name}: {percent(value)} %", said)))
    entries.sort(key=lambda entry: -entry[0] if not math.isnan(entry[0]) else 1)
    bottom = 8 + pitch * len(entries)
    body = [
        element("g", content, transform=f"translate(0 {8 + pitch * (i + 0.5):g})")
        for i, (_, content) in enumerate(entries)
    ]
    words = "; ".join(
        [f"{n}: {a.as_text()}" + (f", verified {b.as_text()}" if b else "") for n, _, a, b in runs]
        + [f"{n}: {percent(v)} %" for n, v in rows]
    )
    return drawing(bottom + 20, title, words, axis(end, left, right, 4, bottom), *body)


def _forest_run(
    names: tuple[str, str], colour: str, official: Point, verified: Point | None, start: float, unit: float
) -> str:
    name, short = names
    both = [(official, "official rule", colour, -3.5)]
    if verified is not None:
        both.append((verified, "verified rule", PAPER, 3.5))
    shapes = [titled(name, text(start - 10, 4, short, fill=colour, text_anchor="end", font_weight=600, font_size=11.5))]
    for point, rule, fill, dy in both:
        if math.isnan(point.value):
            continue
        spread = (
            ""
            if math.isnan(point.low)
            else line(
                start + max(0.0, point.low) * unit, dy, start + point.high * unit, dy, stroke=colour, stroke_width=1.6
            )
        )
        dot = element("circle", cx=start + point.value * unit, cy=dy, r=3.6, fill=fill, stroke=colour, stroke_width=1.6)
        shapes.append(titled(f"{name}, {rule}: {point.as_text()}", spread, dot))
    shown = official if not math.isnan(official.value) else verified or NONE
    value = percent(shown.value)
    shapes.append(text(WIDTH - 4 - _COUNT, 4, value, fill=colour, text_anchor="end", font_weight=600))
    shapes.append(text(WIDTH - 4, 4, counted(shown.count), fill=GREY, text_anchor="end", font_size=9))
    return "".join(shapes)
