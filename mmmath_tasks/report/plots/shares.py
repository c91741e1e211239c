"""Bars of the shares of all problems that classes have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import cycle

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import Point, behind, counted
from mmmath_tasks.report.svg import WIDTH, axis_title, drawing, element, fitting, legend, text, titled
from mmmath_tasks.report.themes import GREY, SHARES


def shares(title: str, rows: Sequence[tuple[str, Mapping[str, float], Point]], score: str) -> str:
    """Return one stacked bar a row: name, class to share of all problems (the same classes in every row), the score."""
    left, right, pitch = 172.0, WIDTH - 98.0, 24
    short = fitting([name for name, *_ in rows], 11, left - 12)
    colours = dict(zip(rows[0][1], cycle(SHARES), strict=False))
    keys = [(element("rect", x=-5, y=-5, width=10, height=10, rx=2, fill=fill), kind) for kind, fill in colours.items()]
    said, top = legend(keys, 0, WIDTH - 98)
    drawn = [said]
    top += 8
    drawn.append(text(WIDTH - 56, 12, score, font_size=10, fill=GREY, text_anchor="end"))
    for i, (name, parts, total) in enumerate(rows):
        y, x = top + i * pitch, left
        drawn.append(text(left - 8, y + 14, short[i], font_size=11, text_anchor="end"))
        for kind, share in parts.items():
            if math.isnan(share) or share <= 0:
                continue
            width = share * (right - left)
            fill = colours[kind]
            box = element("rect", x=x, y=y, width=width, height=pitch - 5, fill=fill)
            label = percent(share, 0) if width > 20 else ""
            inside = (
                text(x + width / 2, y + 14, label, font_size=10.5, fill="#000", text_anchor="middle") if label else ""
            )
            drawn.append(titled(f"{name}, {kind}: {percent(share)} % of problems", box, inside, **behind(name)))
            x += width
        said = text(WIDTH - 56, y + 14, percent(total.value), text_anchor="end", font_size=11.5)
        drawn.append(titled(f"{name}: {total.as_text()}", said, **behind(name)))
        drawn.append(text(WIDTH - 4, y + 14, counted(total.count), fill=GREY, text_anchor="end", font_size=10))
    words = "; ".join(
        f"{name}: "
        + ", ".join(f"{kind} {percent(share)} %" for kind, share in parts.items())
        + f", score {total.as_text()}"
        for name, parts, total in rows
    )
    bottom = top + pitch * len(rows)
    below = axis_title((left + right) / 2, bottom + 12, "percent of problems")
    return drawing(bottom + 18, title, words, *drawn, below)
