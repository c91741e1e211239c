"""A radar: the shape of a run over a few parts of one rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.report.plots.point import NONE, Series, counts, summary
from mmmath_tasks.report.svg import DASHES, WIDTH, axis_title, drawing, element, legend, line, text, titled, wrapped
from mmmath_tasks.report.themes import GREY, RULE


def radar(title: str, parts: Sequence[str], series: Sequence[Series], measure: str) -> str:
    """Return a radar: an axis a part, a polygon a series; parts are three or more, series four or fewer."""
    keys = [
        (line(-8, 0, 8, 0, stroke=s.colour, stroke_width=2, stroke_dasharray=_dash(i)), s.name)
        for i, s in enumerate(series)
    ]
    said, high = legend(keys)
    cx, cy, radius = WIDTH / 2, high + 168.0, 118.0
    end = ceiling([p.value for s in series for part, p in s.points.items() if part in parts])  # the shape, not the rank

    def place(i: int, share: float) -> tuple[float, float]:
        angle = 2 * math.pi * i / len(parts) - math.pi / 2
        return cx + radius * share * math.cos(angle), cy + radius * share * math.sin(angle)

    def polygon(shares: Sequence[tuple[int, float]], **attributes: object) -> str:
        corners = (place(i, share) for i, share in shares)
        return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners), **attributes)

    drawn = [
        said,
        *(polygon([(i, ring / 4) for i in range(len(parts))], fill="none", stroke=RULE) for ring in range(1, 5)),
    ]
    labels = []
    for i, part in enumerate(parts):
        x, y = place(i, 1)
        drawn.append(line(cx, cy, x, y, stroke=RULE))
        x, y = place(i, 1.1)
        anchor = "middle" if abs(x - cx) < 20 else "start" if x > cx else "end"
        label = wrapped(part.replace("_", " "), 17, 3)
        top = y + 4 - (14 * len(label) if y < cy - 60 else 7 * len(label) if y < cy + 60 else 0)
        labels.append((anchor, top, x, label, counts(series, part)))
    lowest: dict[str, float] = {}  # on each side, where the label above ends
    for anchor, top, x, label, count in sorted(labels):
        top = max(top, lowest.get(anchor, 0.0) + 13)
        below = lowest[anchor] = top + 13 * len(label)
        drawn += [text(x, top + 13 * j, words, font_size=10.5, text_anchor=anchor) for j, words in enumerate(label)]
        drawn.append(text(x, below, count, font_size=10, fill=GREY, text_anchor=anchor))
    for i, one in enumerate(series):
        points = [(j, part, one.points.get(part, NONE)) for j, part in enumerate(parts)]
        known = [(j, part, p) for j, part, p in points if not math.isnan(p.value)]  # no value is not 0
        style: dict[str, object] = {"fill": one.colour, "fill_opacity": 0.07, "stroke": one.colour, "stroke_width": 2}
        style["stroke_dasharray"] = _dash(i)
        dots = [
            titled(f"{one.name}, {part}: {p.as_text()}", element("circle", cx=x, cy=y, r=2.6, fill=one.colour))
            for j, part, p in known
            for x, y in [place(j, p.value / end)]
        ]
        drawn += [polygon([(j, p.value / end) for j, _, p in known], **style), *dots]
    for ring in (2, 4):
        x, y = place(0, ring / 4)
        drawn.append(text(x + 4, y + 11, f"{100 * end * ring / 4:g}", font_size=10, fill=GREY))
    foot = max(cy + radius + 62, max(lowest.values()) + 16)
    note = axis_title(cx, foot, f"{measure}; 0 in the middle, {100 * end:g} at the rim")
    return drawing(foot + 10, title, summary(series, parts), *drawn, note)


def ceiling(values: Sequence[float]) -> float:
    """Return the end of an axis from 0 that holds all values: 0.2, 0.4, 0.6, 0.8 or 1."""
    most = max((value for value in values if not math.isnan(value)), default=1.0)
    return next((end for end in (0.2, 0.4, 0.6, 0.8) if most <= end), 1.0)


def _dash(i: int) -> str | None:
    return DASHES[i % len(DASHES)] or None
