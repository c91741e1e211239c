"""Where numbers and coordinates have room beside the points that they belong to; all in points of 1/72 inch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.room import Box, Point

MARKER = 5.0
"""How far from a point its marker may reach."""
_CLEAR = 1.8  # that lines keep from numbers
_STEPS = (0, 3, 7, 12)


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
    choices = []
    for point, text in zip(points, texts, strict=True):
        wide, high = text_width(text, size) + 2 * _CLEAR, size * 0.8 + 2 * _CLEAR
        found = []
        for dx, dy in _around(wide, high):
            box = Box(point[0] + dx, point[1] + dy + 0.1 * size, wide, high)
            if (
                _inside(box, area)
                and not any(box.near(p, MARKER - _CLEAR) for p in points)
                and not any(box.overlaps(other) for other in taken)
                and not any(box.meets(*line) for line in lines)
            ):
                found.append(((dx, dy), box))
        choices.append(found)
    chosen: dict[int, tuple[tuple[int, int], Box]] = {}
    for i in sorted(range(len(points)), key=lambda i: len(choices[i])):
        free = (c for c in choices[i] if not any(c[1].overlaps(box) for _, box in chosen.values()))
        choice = next(free, None)
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


def _inside(box: Box, area: Box) -> bool:
    return abs(box.x - area.x) * 2 + box.width <= area.width and abs(box.y - area.y) * 2 + box.height <= area.height
