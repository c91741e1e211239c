"""Bars of the shares of all problems that classes have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import cycle

from mmmath_tasks.name_text import shortened
from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import Point, counted
from mmmath_tasks.report.svg import GREY, INK, SHARES, WIDTH, drawing, element, text, titled


def shares(title: str, rows: Sequence[tuple[str, str, Mapping[str, float], Point]]) -> str:
    """Return one stacked bar a row.

    Args:
        title: of the drawing.
        rows: name, its colour, class to share of all problems (the same classes in every row), and the score.
    """
    left, right, pitch, top = 172.0, WIDTH - 78.0, 24, 28.0
    short = shortened([name for name, *_ in rows], 24)
    drawn = []
    colours = dict(zip(rows[0][2], cycle(SHARES), strict=False))
    for i, (kind, (fill, _)) in enumerate(colours.items()):
        x = left + i * 48
        drawn.append(element("rect", x=x, y=6, width=10, height=10, rx=2, fill=fill))
        drawn.append(text(x + 15, 15, kind, font_size=11, fill=INK))
    drawn.append(text(WIDTH - 42, 15, "score", font_size=10, fill=GREY, text_anchor="end"))
    for i, (name, colour, parts, score) in enumerate(rows):
        y, x = top + i * pitch, left
        drawn.append(text(left - 8, y + 14, short[i], fill=colour, font_size=11, text_anchor="end"))
        for kind, share in parts.items():
            if math.isnan(share) or share <= 0:
                continue
            width = share * (right - left)
            fill, ink = colours[kind]
            box = element("rect", x=x, y=y, width=width, height=pitch - 5, fill=fill)
            label = percent(share, 0) if width > 20 else ""
            inside = text(x + width / 2, y + 14, label, font_size=10.5, fill=ink, text_anchor="middle") if label else ""
            drawn.append(titled(f"{name}, {kind}: {percent(share)} % of problems", box, inside))
            x += width
        said = text(WIDTH - 42, y + 14, percent(score.value), fill=colour, text_anchor="end", font_size=11.5)
        drawn.append(titled(f"{name}: {score.as_text()}", said))
        drawn.append(text(WIDTH - 4, y + 14, counted(score.count), fill=GREY, text_anchor="end", font_size=9))
    words = "; ".join(
        f"{name}: "
        + ", ".join(f"{kind} {percent(share)} %" for kind, share in parts.items())
        + f", score {score.as_text()}"
        for name, _, parts, score in rows
    )
    return drawing(top + pitch * len(rows) + 4, title, words, *drawn)
