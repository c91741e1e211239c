"""Values to be drawn, and what plots share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mmmath_tasks.number_text import percent
from mmmath_tasks.report.svg import axis_title, line, text
from mmmath_tasks.report.themes import GREY, INK, RULE, run_colour


@dataclass(frozen=True, slots=True)
class Point:
    """A value to be drawn.

    Attributes:
        value: nan where there is none; it is then left out.
        low: lower end of its interval; nan where there is none.
        high: upper end.
        count: how many problems it rests on; 0: not said.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    count: int = 0

    def as_text(self) -> str:
        """Return "67.9 % [65.0, 70.7], n = 1000"."""
        interval = "" if math.isnan(self.low) else f" [{percent(self.low)}, {percent(self.high)}]"
        return f"{percent(self.value)} %{interval}" + (f", n = {self.count}" if self.count else "")


@dataclass(frozen=True, slots=True)
class Series:
    """One run, or one row of a paper, over the parts of a breakdown.

    Attributes:
        name: what a reader calls it.
        points: part to value; parts without a value are missing or nan.
        run: the index that gives the run's colour; None for a paper's row, and where there are more runs than colours.
    """

    name: str
    points: Mapping[str, Point]
    run: int | None = None

    @property
    def colour(self) -> str:
        """Its colour."""
        return GREY if self.run is None else run_colour(self.run)


NONE = Point(math.nan)
"""No value."""


TICKS = (0, 0.25, 0.5, 0.75, 1)
"""What axes show: all of them the whole scale, so that marks of one plot compare with those of another by eye."""


def axis(left: float, right: float, top: float, bottom: float, measure: str) -> str:
    """Return vertical rules from 0 to 100 with their percent below, and below those what they measure."""
    ruled = "".join(
        line(x, top, x, bottom, stroke=RULE)
        + text(x, bottom + 14, f"{100 * tick:g}", font_size=10, fill=GREY, text_anchor="middle")
        for tick in TICKS
        for x in [left + tick * (right - left)]
    )
    return ruled + axis_title((left + right) / 2, bottom + 28, measure)


def spread(point: Point, start: float, unit: float, y: float, **style: object) -> str:
    """Return a point's interval as a line along an axis from `start`, `unit` long; "" where it has none."""
    if math.isnan(point.low):
        return ""
    return line(start + max(0.0, point.low) * unit, y, start + point.high * unit, y, **style)


INTERVAL = (line(-8, 0, 8, 0, stroke=INK, stroke_width=1.4), "95 % interval")
"""What a legend says of intervals."""


def interval_key(series: Sequence[Series]) -> list[tuple[str, str]]:
    """Return what a legend says of the intervals of series, if there are any."""
    return [INTERVAL] if any(not math.isnan(p.low) for one in series for p in one.points.values()) else []


def mark_style(mark: Series) -> dict[str, object]:
    """Return how a paper's row is drawn: humans are a whole line, chance a broken one."""
    return {"stroke": INK} if mark.name.startswith("Human") else {"stroke": GREY, "stroke_dasharray": "2 2"}


def mark_keys(marks: Sequence[Series]) -> list[tuple[str, str]]:
    """Return what a legend says of a paper's rows."""
    return [(line(0, -6, 0, 6, stroke_width=1.6, **mark_style(mark)), f"{mark.name} (paper)") for mark in marks]


def behind(run: str, *parts: str) -> dict[str, object]:
    """Return the attributes that say whose responses a shape is about, and on which part of each breakdown."""
    return {"data_run": run, **{f"data_part_{i}": part for i, part in enumerate(parts, 1)}}


def counted(count: int) -> str:
    """Return "n=1,000"; nothing for 0, which is not said."""
    return f"n={count:,}" if count else ""


def counts(series: Sequence[Series], part: str) -> str:
    """Return how many problems the values of a part rest on: "n=788", "n=300, 788", "n=12 to 788"."""
    found = [one.points.get(part, NONE).count for one in series]
    known = list(dict.fromkeys(count for count in found if count))
    if len(known) > 2:
        return f"n={min(known):,} to {max(known):,}"
    return f"n={', '.join(f'{count:,}' for count in known)}" if known else ""


def summary(series: Sequence[Series], parts: Sequence[str]) -> str:
    """Return the values in words, for those who do not see the drawing."""
    said = []
    for one in series:
        values = [f"{part} {one.points[part].as_text()}" for part in parts if part in one.points]
        said.append(f"{one.name}: {', '.join(values[:30])}" + (", and more" if len(values) > 30 else ""))
    return "; ".join(said) + "."
