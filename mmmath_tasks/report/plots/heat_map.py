"""A grid of cells, the darker the higher."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import NONE, Point, counted
from mmmath_tasks.report.svg import GREY, INK, PAPER, WIDTH, drawing, element, text, titled, wrapped

_FEW = 10


def heat_map(title: str, rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Point]) -> str:
    """Return a grid of cells, the darker the higher, from 0 to 100 % on every grid; each says its percent.

    A cell that rests on fewer than ten problems says on how many.
    """
    left, top, height = 172.0, 34.0, 22.0
    width = (WIDTH - left - 4) / max(1, len(columns))
    drawn = []
    for j, column in enumerate(columns):
        for k, words in enumerate(wrapped(column.replace("_", " "), max(6, int(width / 6.2)))):
            x = left + (j + 0.5) * width
            drawn.append(text(x, 13 + 12 * k, words, font_size=11, fill=GREY, text_anchor="middle"))
    for i, row in enumerate(rows):
        y = top + i * height
        drawn.append(text(left - 8, y + 15, wrapped(row.replace("_", " "), 25, 1)[0], font_size=11, text_anchor="end"))
        for j, column in enumerate(columns):
            point = cells.get((row, column), NONE)
            x, empty = left + j * width, math.isnan(point.value)
            share = 0.0 if empty else point.value
            fill = "#f4f5f7" if empty else _shade(share)
            box = element("rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, rx=2, fill=fill)
            ink = GREY if empty else PAPER if share > 0.55 else INK
            few = 0 < point.count < _FEW and not empty
            middle = x + width / 2 - (10 if few else 0)
            said = text(middle, y + 15, percent(point.value, 0), font_size=11, fill=ink, text_anchor="middle")
            note = text(middle + 12, y + 15, counted(point.count), font_size=8.5, fill=ink) if few else ""
            drawn.append(titled(f"{row}, {column}: {'no problems' if empty else point.as_text()}", box, said, note))
    words = "; ".join(
        f"{row}: " + ", ".join(f"{c} {cells.get((row, c), NONE).as_text()}" for c in columns) for row in rows
    )
    return drawing(top + height * len(rows) + 6, title, words, *drawn)


def _shade(share: float) -> str:
    """Return a blue between nearly white (0) and dark (1)."""
    pale, dark = (238, 244, 251), (18, 66, 122)
    red, green, blue = (round(a + (b - a) * max(0.0, min(1.0, share))) for a, b in zip(pale, dark, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"
