"""A line over parts that have an order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.report.plots.point import NONE, TICKS, Series, behind, counts, interval_key, mark_style, summary
from mmmath_tasks.report.svg import (
    DASHES,
    WIDTH,
    axis_title,
    drawing,
    element,
    legend,
    line,
    text,
    titled,
    wrapped,
)
from mmmath_tasks.report.themes import GREY, RULE


def profile(title: str, parts: Sequence[str], series: Sequence[Series], measure: str, group: str) -> str:
    """Return a line a series over parts of a group in their order, with intervals where there are any."""
    keys = [(line(-8, 0, 8, 0, **_style(one, i)), _called(one)) for i, one in enumerate(series)]
    said, high = legend([*keys, *interval_key(series)])
    left, right, top, bottom = 50.0, WIDTH - 14.0, high + 8, high + 208
    step = (right - left - 30) / max(1, len(parts) - 1)

    def place(i: int, value: float) -> tuple[float, float]:
        return left + 15 + i * step, bottom - (bottom - top) * value

    drawn = [
        said,
        element("g", axis_title(0, 0, measure), transform=f"translate(10 {(top + bottom) / 2:g}) rotate(-90)"),
    ]
    for tick in TICKS:
        y = bottom - (bottom - top) * tick
        drawn.append(line(left, y, right, y, stroke=RULE))
        drawn.append(text(left - 6, y + 4, f"{100 * tick:g}", font_size=10, fill=GREY, text_anchor="end"))
    for i, part in enumerate(parts):
        label = wrapped(part.replace("_", " "), 10)
        for j, word in enumerate(label):
            drawn.append(text(place(i, 0)[0], bottom + 17 + 13 * j, word, font_size=11, text_anchor="middle"))
        below = bottom + 16 + 13 * len(label)
        drawn.append(text(place(i, 0)[0], below, counts(series, part), font_size=10, fill=GREY, text_anchor="middle"))
    for i, one in enumerate(series):
        known = [(j, one.points[p]) for j, p in enumerate(parts) if not math.isnan(one.points.get(p, NONE).value)]
        corners = " ".join("{:.1f},{:.1f}".format(*place(j, p.value)) for j, p in known)
        drawn.append(element("polyline", points=corners, fill="none", **_style(one, i)))
        for j, p in known:
            x, y = place(j, p.value)
            shapes = [element("circle", cx=x, cy=y, r=2 if one.run is None else 3.4, fill=one.colour)]
            if not math.isnan(p.low):
                shapes.append(line(x, place(j, p.low)[1], x, place(j, p.high)[1], stroke=one.colour, stroke_width=1.4))
            drawn.append(titled(f"{one.name}, {parts[j]}: {p.as_text()}", *shapes, **behind(one.name, parts[j])))
    return drawing(
        bottom + 66, title, summary(series, parts), *drawn, axis_title((left + right) / 2, bottom + 60, group)
    )


def _called(one: Series) -> str:
    return f"{one.name} (paper)" if one.run is None else one.name


def _style(one: Series, i: int) -> dict[str, object]:
    if one.run is None:
        return {**mark_style(one), "stroke": GREY, "stroke_width": 1.4}
    return {"stroke": one.colour, "stroke_width": 2.2, "stroke_dasharray": DASHES[i % len(DASHES)] or None}
