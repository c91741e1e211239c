"""Small multiples: a panel a part of a breakdown, in each a line a run, for more runs than there are colours."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import (
    NONE,
    TICKS,
    Series,
    behind,
    counts,
    interval_key,
    mark_keys,
    mark_style,
    spread,
    summary,
)
from mmmath_tasks.report.svg import (
    WIDTH,
    axis_title,
    drawing,
    element,
    fitting,
    legend,
    line,
    text,
    titled,
    wrapped,
)
from mmmath_tasks.report.themes import GREY, INK, RULE, RUNS

_LEFT, _ACROSS, _PITCH, _VALUE, _GAP = 146.0, 3, 15.0, 36.0, 12.0


def multiples(
    title: str, parts: Sequence[str], runs: Sequence[Series], marks: Sequence[Series], axes: tuple[str, str]
) -> str:
    """Return panels side by side, all with one axis; in each a dot with its interval a run, in the same order.

    `marks` are a paper's rows, lines through the panels; `axes` what the dots measure, and what the parts are parts of.
    """
    dot = element("circle", cx=0, cy=0, r=3, fill=RUNS[0])
    said, y = legend([(dot, "a run"), *interval_key(runs), *mark_keys(marks)])
    room = (WIDTH - _LEFT + _GAP) / min(_ACROSS, len(parts) or 1)
    names = fitting([one.name for one in runs], 11, _LEFT - 8)
    drawn = [said]
    for begin in range(0, len(parts), _ACROSS):
        some = parts[begin : begin + _ACROSS]
        heads = [wrapped(part.replace("_", " "), int(room / 7), 3) for part in some]
        top = y + 13 * max(map(len, heads)) + 18
        bottom = top + _PITCH * len(runs) + 2
        for i, (one, name) in enumerate(zip(runs, names, strict=True)):
            drawn.append(titled(one.name, text(_LEFT - 6, top + _PITCH * (i + 0.5) + 4, name, **_NAME)))
        for j, (part, head) in enumerate(zip(some, heads, strict=True)):
            left = _LEFT + j * room
            foot = top - 16 - 13 * (len(head) - 1)
            drawn += [text(left, foot + 13 * k, words, font_size=11) for k, words in enumerate(head)]
            drawn.append(text(left, top - 4, counts(runs, part), font_size=10, fill=GREY))
            drawn.append(_panel(part, runs, marks, (left, left + room - _VALUE - _GAP), (top, bottom)))
        y = bottom + 22
    return drawing(
        y + 14,
        title,
        summary(runs, parts),
        *drawn,
        axis_title(WIDTH / 2, y + 4, f"{axes[0]}; a panel a {axes[1]}"),
    )


_NAME: dict[str, object] = {"font_size": 11, "text_anchor": "end"}


def _panel(
    part: str,
    runs: Sequence[Series],
    marks: Sequence[Series],
    across: tuple[float, float],
    down: tuple[float, float],
) -> str:
    """Return a panel between its left and right, top and bottom, and the values at its right."""
    (left, right), (top, bottom) = across, down
    unit = right - left
    drawn = [line(left + s * unit, top, left + s * unit, bottom, stroke=RULE) for s in TICKS[::2]]
    for s in (0, 1):
        drawn.append(text(left + s * unit, bottom + 11, f"{100 * s}", font_size=10, fill=GREY, text_anchor="middle"))
    for mark in marks:
        value = mark.points.get(part, NONE).value
        if not math.isnan(value):
            x = left + value * unit
            drawn.append(
                titled(f"{mark.name}, {part}: {percent(value)} %", line(x, top, x, bottom, **mark_style(mark)))
            )
    for i, one in enumerate(runs):
        point, y = one.points.get(part, NONE), top + _PITCH * (i + 0.5)
        shapes = [text(right + _VALUE, y + 3.5, percent(point.value), font_size=10, text_anchor="end")]
        shapes.append(spread(point, left, unit, y, stroke=INK, stroke_opacity=0.6))
        if not math.isnan(point.value):
            shapes.append(element("circle", cx=left + point.value * unit, cy=y, r=3, fill=RUNS[0]))
        drawn.append(titled(f"{one.name}, {part}: {point.as_text()}", *shapes, **behind(one.name, part)))
    return "".join(drawn)
