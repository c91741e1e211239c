"""Stacked bars of We-Math's four classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mmmath_tasks.name_text import shortened
from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import Point, counted
from mmmath_tasks.report.svg import CLASSES, GREY, INK, PAPER, WIDTH, drawing, element, text, titled


def classes(title: str, rows: Sequence[tuple[str, str, Mapping[str, float], Point]]) -> str:
    """Return We-Math's four classes as stacked bars.

    Args:
        title: of the drawing.
        rows: name, its colour, class to share of all problems, and the score.
    """
    left, right, pitch, top = 172.0, WIDTH - 78.0, 24, 28.0
    short = shortened([name for name, *_ in rows], 24)
    drawn = []
    for i, (name, meaning) in enumerate(zip(CLASSES, ("IK", "IG", "RM", "CM"), strict=True)):
        x = left + i * 48
        drawn.append(element("rect", x=x, y=6, width=10, height=10, rx=2, fill=CLASSES[name]))
        drawn.append(text(x + 15, 15, meaning, font_size=11, fill=INK))
    drawn.append(text(WIDTH - 42, 15, "score", font_size=10, fill=GREY, text_anchor="end"))
    for i, (name, colour, shares, score) in enumerate(rows):
        y, x = top + i * pitch, left
        drawn.append(text(left - 8, y + 14, short[i], fill=colour, font_size=11, text_anchor="end"))
        for kind, fill in CLASSES.items():
            share = shares.get(kind, math.nan)
            if math.isnan(share) or share <= 0:
                continue
            width = share * (right - left)
            box = element("rect", x=x, y=y, width=width, height=pitch - 5, fill=fill)
            ink = INK if kind in ("IK", "IG") else PAPER
            label = percent(share, 0) if width > 20 else ""
            inside = text(x + width / 2, y + 14, label, font_size=10.5, fill=ink, text_anchor="middle") if label else ""
            drawn.append(titled(f"{name}, {kind}: {percent(share)} % of problems", box, inside))
            x += width
        said = text(WIDTH - 42, y + 14, percent(score.value), fill=colour, text_anchor="end", font_size=11.5)
        drawn.append(titled(f"{name}: {score.said()}", said))
        drawn.append(text(WIDTH - 4, y + 14, counted(score.count), fill=GREY, text_anchor="end", font_size=9))
    words = "; ".join(
        f"{name}: "
        + ", ".join(f"{kind} {percent(share)} %" for kind, share in shares.items())
        + f", score {score.said()}"
        for name, _, shares, score in rows
    )
    return drawing(top + pitch * len(rows) + 4, title, words, *drawn)
