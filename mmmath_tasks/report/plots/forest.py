"""The headline: runs with their intervals among the rows of a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import INTERVAL, NONE, Point, axis, behind, counted, spread
from mmmath_tasks.report.svg import WIDTH, drawing, element, fitting, legend, text, titled
from mmmath_tasks.report.themes import GREY, INK, PAPER, run_colour

_COUNT = 52  # room at the right for how many problems a value rests on
_LEFT, _PITCH = 184, 21


def forest(
    title: str,
    runs: Sequence[tuple[str, int | None, Point, Point | None]],
    rows: Sequence[tuple[str, float]],
    measure: str,
    rule: str = "the authors' rule",
) -> str:
    """Return one line a run (by `rule`: a dot, verified: a ring, both with intervals) and a grey dot a paper's row.

    A run is its name, the index of its colour, official and verified; a row its name and value; the axis shows
    `measure`.
    """
    right = WIDTH - 104
    names = dict(zip((n for n, *_ in runs), fitting([n for n, *_ in runs], 12, _LEFT - 14), strict=False))
    start, unit = _LEFT, float(right - _LEFT)
    entries: list[tuple[float, str]] = []
    for name, index, official, verified in runs:
        shown = official if not math.isnan(official.value) else verified or NONE
        colour = INK if index is None else run_colour(index)
        entries.append((shown.value, _run((name, names[name]), colour, official, verified, start, unit)))
    cut = fitting([name for name, _ in rows], 11, _LEFT - 14)
    for (name, value), short in zip(rows, cut, strict=True):
        said = (
            text(_LEFT - 10, 4, short, fill=GREY, text_anchor="end", font_size=11)
            + _dot(start + value * unit, 0, GREY, GREY, 3)
            + text(WIDTH - 4 - _COUNT, 4, percent(value), font_size=11, fill=GREY, text_anchor="end")
        )
        entries.append((value, titled(f"{name}: {percent(value)} %", said)))
    entries.sort(key=lambda entry: -entry[0] if not math.isnan(entry[0]) else 1)
    drawn = [p for _, _, *both in runs for p in both if p is not None]
    keys = [
        *([(_dot(0, 0, INK, INK), rule)] if any(not math.isnan(a.value) for _, _, a, _ in runs) else []),
        *([(_dot(0, 0, PAPER, INK), "verified rule")] if any(b is not None for *_, b in runs) else []),
        *([INTERVAL] if any(not math.isnan(point.low) for point in drawn) else []),
        *([(_dot(0, 0, GREY, GREY, 3), "the paper's")] if rows else []),
    ]
    said, top = legend(keys)
    bottom = top + 4 + _PITCH * len(entries)
    body = [
        element("g", content, transform=f"translate(0 {top + 4 + _PITCH * (i + 0.5):g})")
        for i, (_, content) in enumerate(entries)
    ]
    words = "; ".join(
        [f"{n}: {a.as_text()}" + (f", verified {b.as_text()}" if b else "") for n, _, a, b in runs]
        + [f"{n}: {percent(v)} %" for n, v in rows]
    )
    return drawing(bottom + 34, title, words, said, axis(_LEFT, right, top, bottom, measure), *body)


def _dot(x: float, y: float, fill: str, stroke: str, radius: float = 3.6) -> str:
    return element("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=1.6)


def _run(
    names: tuple[str, str], colour: str, official: Point, verified: Point | None, start: float, unit: float
) -> str:
    name, short = names
    both = [(official, "official rule", colour, -3.5)]
    if verified is not None:
        both.append((verified, "verified rule", PAPER, 3.5))
    shapes = [titled(name, text(_LEFT - 10, 4, short, text_anchor="end", font_weight=600, font_size=11.5))]
    for point, rule, fill, dy in both:
        if math.isnan(point.value):
            continue
        reach = spread(point, start, unit, dy, stroke=colour, stroke_width=1.6)
        dot = _dot(start + point.value * unit, dy, fill, colour)
        shapes.append(titled(f"{name}, {rule}: {point.as_text()}", reach, dot, **behind(name)))
    shown = official if not math.isnan(official.value) else verified or NONE
    shapes.append(text(WIDTH - 4 - _COUNT, 4, percent(shown.value), text_anchor="end", font_weight=600))
    shapes.append(text(WIDTH - 4, 4, counted(shown.count), fill=GREY, text_anchor="end", font_size=10))
    return "".join(shapes)
