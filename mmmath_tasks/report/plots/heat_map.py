"""A grid of cells, the deeper the higher."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.plots.point import NONE, Point, behind, counted
from mmmath_tasks.report.svg import WIDTH, axis_title, drawing, element, fitting, legend, text, titled, wrapped
from mmmath_tasks.report.themes import GREY, HEAT, ON_DEEP, ON_PALE, RULE

_FEW = 10
_DEEP = 0.645  # from here on the other ink stands out from the cell, in either theme


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], Point],
    names: tuple[str, str],
    run: str,
) -> str:
    """Return a grid of cells, the deeper the higher, from 0 to 100 % on every grid; each says its percent.

    A cell that rests on fewer than ten problems says on how many; `names` are those of the rows and of the
    columns, `run` is whose numbers they are.
    """
    steps = [
        (element("rect", x=-8, y=-6, width=16, height=12, stroke=RULE, **_shade(s / 4)), f"{25 * s} %")
        for s in range(5)
    ]
    known = [cells[key].count for key in cells if cells[key].count]
    counts = [("", f"n = {min(known):,} to {max(known):,} a cell")] if known else []
    said, high = legend([*steps, *counts])
    left, height = 172.0, 22.0
    width = (WIDTH - left - 4) / max(1, len(columns))
    heads = [wrapped(column.replace("_", " "), max(6, int(width / 6.6))) for column in columns]
    top = high + 22.0 + 12 * max(map(len, heads), default=1)
    drawn = [said, axis_title((left + WIDTH) / 2, high + 10, names[1])]
    drawn.append(text(left - 8, top - 8, names[0], font_size=10, fill=GREY, text_anchor="end"))
    for j, head in enumerate(heads):
        for k, line in enumerate(reversed(head)):
            x = left + (j + 0.5) * width
            drawn.append(text(x, top - 8 - 12 * k, line, font_size=11, text_anchor="middle"))
    labels = fitting([row.replace("_", " ") for row in rows], 11, left - 12)
    for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
        y = top + i * height
        drawn.append(text(left - 8, y + 15, label, font_size=11, text_anchor="end"))
        for j, column in enumerate(columns):
            point = cells.get((row, column), NONE)
            x, empty = left + j * width, math.isnan(point.value)
            shade = {"fill": RULE, "fill_opacity": 0.4} if empty else _shade(point.value)
            box = element("rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, rx=2, **shade)
            ink = GREY if empty else ON_DEEP if point.value > _DEEP else ON_PALE
            few = 0 < point.count < _FEW and not empty
            middle = x + width / 2 - (10 if few else 0)
            value = text(middle, y + 15, percent(point.value, 0), font_size=11, fill=ink, text_anchor="middle")
            note = text(middle + 12, y + 15, counted(point.count), font_size=10, fill=ink) if few else ""
            said_of = "no problems" if empty else point.as_text()
            drawn.append(titled(f"{row}, {column}: {said_of}", box, value, note, **behind(run, row, column)))
    words = "; ".join(
        f"{row}: " + ", ".join(f"{c} {cells.get((row, c), NONE).as_text()}" for c in columns) for row in rows
    )
    return drawing(top + height * len(rows) + 6, title, words, *drawn)


def _shade(share: float) -> dict[str, object]:
    """Return the fill of a cell: none at 0, the whole colour at 1."""
    return {"fill": HEAT, "fill_opacity": max(0.0, min(1.0, share))}
