"""Boxes that texts take, what touches them, and where texts beside points are clear of everything.

Sizes are estimates from above of what the fonts take; all numbers of one figure are in one unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Point

MARKER = 5.0
"""How far from a point its marker may reach."""
_CLEAR = 1.8  # that lines keep from numbers
_STEPS = (0, 3, 7, 12)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its centre, width and height."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, a: Point, b: Point) -> bool:
        """Say whether the segment ab touches the box."""
        low, high = 0.0, 1.0
        for start, end, middle, size in ((a[0], b[0], self.x, self.width), (a[1], b[1], self.y, self.height)):
            first, last, way = middle - size / 2 - start, middle + size / 2 - start, end - start
            if way == 0:
                if first > 0 or last < 0:
                    return False
                continue
            low, high = max(low, min(first / way, last / way)), min(high, max(first / way, last / way))
        return low <= high

    def overlaps(self, other: Box) -> bool:
        """Say whether two boxes touch."""
        return (
            abs(self.x - other.x) * 2 <= self.width + other.width
            and abs(self.y - other.y) * 2 <= self.height + other.height
        )

    def near(self, p: Point, distance: float) -> bool:
        """Say whether a point lies in the box or at most so far from it."""
        return self._away(p) <= distance

    def on_circle(self, centre: Point, radius: float) -> bool:
        """Say whether the circle's line touches the box."""
        dx, dy = abs(centre[0] - self.x) + self.width / 2, abs(centre[1] - self.y) + self.height / 2
        return self._away(centre) <= radius <= math.hypot(dx, dy)

    def _away(self, p: Point) -> float:
        dx = max(abs(p[0] - self.x) - self.width / 2, 0)
        dy = max(abs(p[1] - self.y) - self.height / 2, 0)
        return math.hypot(dx, dy)


def offsets(
    points: Sequence[Point],
    texts: Sequence[str],
    size: float,
    lines: Sequence[tuple[Point, Point]],
    taken: Sequence[Box],
    area: Box,
) -> list[tuple[int, int]]:
    """Return how far from its point the middle of each text stands, clear of lines, markers and the other texts.

    Args:
        points: places of the markers.
        texts: one for each point.
        size: of the letters.
        lines: straight lines that are drawn.
        taken: boxes of what else stands there.
        area: in which the texts must lie.

    Raises:
        ValueError: there is no room for one of them.
    """

    def free(box: Box) -> bool:
        return (
            abs(box.x - area.x) * 2 + box.width <= area.width
            and abs(box.y - area.y) * 2 + box.height <= area.height
            and not any(box.near(p, MARKER - _CLEAR) for p in points)
            and not any(box.overlaps(other) for other in taken)
            and not any(box.meets(*line) for line in lines)
        )

    choices = []
    for (x, y), text in zip(points, texts, strict=True):
        wide, high = text_width(text, size) + 2 * _CLEAR, size * 0.8 + 2 * _CLEAR
        places = [(way, Box(x + way[0], y + way[1] + 0.1 * size, wide, high)) for way in _around(wide, high)]
        choices.append([(way, box) for way, box in places if free(box)])
    chosen: dict[int, tuple[tuple[int, int], Box]] = {}
    for i in sorted(range(len(points)), key=lambda i: len(choices[i])):
        left = (c for c in choices[i] if not any(c[1].overlaps(box) for _, box in chosen.values()))
        choice = next(left, None)
        if choice is None:
            raise ValueError(f"no room for {texts[i]} beside its point")
        chosen[i] = choice
    return [chosen[i][0] for i in range(len(points))]


def text_width(text: str, size: float) -> float:
    """Return how wide a number or a pair of coordinates is at most."""
    monospace = 0.61 * len(text)
    return size * max(monospace, sum(0.35 if c in ".,() " else 0.84 if c == "-" else 0.64 for c in text))


def _around(wide: float, high: float) -> list[tuple[int, int]]:
    """Return offsets around a point, nearest first, and above before below."""
    found = []
    for step in _STEPS:
        across, up = round(wide / 2 + 2 + step), round(high / 2 + 3 + step)
        ways = [(0, 1), (0, -1), *product((-1, 1), (1, -1)), (1, 0), (-1, 0)]
        found += [(x * (across if y == 0 or step else round(wide / 2 + 1)), y * up) for x, y in ways]
    return found
