"""Boxes that texts take, and whether lines, circles and other texts keep out of them.

Sizes are estimates from above of what the fonts take; all numbers of one figure are in one unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]


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


def width(text: str) -> float:
    """Return the width of a short formula or number in ems: "3x+5", "57°", "12.5"."""
    return sum(1.45 if c in "+-" else 0.95 if c in "mw" else 0.32 if c == "." else 0.62 for c in text)
