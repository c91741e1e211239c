"""Figures in which one point has been moved, without leaving the lines and the circle that it lies on."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, legible, meet, polar, towards

APART = 0.5
"""Centimetres that a point's four places are apart, in figures about 6 wide."""
_SHARED = 1.5
"""Degrees within which two directions count as one."""


def moved(figure: Figure, rng: random.Random) -> list[Figure]:
    """Return four figures in which one point stands elsewhere, on its lines and circle if it lies on any, in order.

    Raises:
        ValueError: no point has four other places.
    """
    crossings = {k: lines for k in figure.points if len(lines := _straight(figure, k)) == 2}
    for letter in rng.sample(sorted(figure.points), len(figure.points)):
        place = _places(figure, letter, rng)
        found: list[Figure] = []
        for _ in range(120 if place else 0):
            x, y = place()  # type: ignore[misc]
            if min(x, y) <= 0.2 or max(x, y) >= 9.8 or any(math.dist((x, y), f.points[letter]) < APART for f in found):
                continue
            points = {**figure.points, letter: (round(x, 2), round(y, 2))}
            moved = replace(figure, points=_crossed(crossings, points), tolerance=0.5)
            if legible(moved):
                found.append(moved)
                if len(found) == 4:
                    return sorted(found, key=lambda f: f.points[letter])
    raise ValueError("no point that can be moved")


def _places(figure: Figure, letter: str, rng: random.Random) -> Callable[[], Point] | None:
    """Return what draws places for a point on the line or circle that it lies on; None where it is bound twice."""
    p, near = figure.points[letter], figure.neighbours(letter)
    # of the lines that it must stay on
    ends = [(figure.points[a], figure.points[b]) for a, b in _straight(figure, letter)]
    for a in near:
        for b in figure.neighbours(a):
            turn = (figure.direction(a, b) - figure.direction(a, letter)) % 360 - 180
            if b != letter and abs(turn) < _SHARED:
                way = figure.direction(a, letter)
                ends.append((polar(figure.points[a], way, 1.2), polar(figure.points[a], way, 6)))
    if figure.circle:
        centre, radius = figure.circle
        if math.dist(p, centre) < 0.05:
            return None
        for a in near:
            q = figure.points[a]
            if _on(figure, q) and abs(math.dist(p, centre) ** 2 - math.dist(p, q) ** 2 - radius**2) < 0.3:
                way = figure.direction(a, letter)
                ends.append((polar(q, way, 1.2), polar(q, way, 6)))  # a tangent
        if _on(figure, p):
            tangent = any(
                abs(math.dist(figure.points[a], centre) ** 2 - math.dist(p, figure.points[a]) ** 2 - radius**2) < 0.3
                for a in near
            )
            start = math.degrees(math.atan2(p[1] - centre[1], p[0] - centre[0]))
            through = [a for a in near if len(_straight(figure, a)) > 1]
            free = not tangent and len(ends) == len(through)
            return (lambda: polar(centre, start + rng.uniform(-60, 60), radius)) if free else None
    if len(ends) > 1:
        return None
    if ends:
        (x, y), (u, v) = ends[0]

        def between() -> Point:
            t = rng.uniform(0.1, 0.9)
            return (x + t * (u - x), y + t * (v - y))

        return between
    return lambda: (p[0] + rng.uniform(-1.8, 1.8), p[1] + rng.uniform(-1.8, 1.8))


def _straight(figure: Figure, letter: str) -> list[tuple[str, str]]:
    """Return the pairs of neighbours between which a point lies on a straight line."""
    return [
        (a, b)
        for a, b in combinations(figure.neighbours(letter), 2)
        if abs((figure.direction(letter, a) - figure.direction(letter, b)) % 360 - 180) < _SHARED
    ]


def _crossed(crossings: Mapping[str, list[tuple[str, str]]], points: Mapping[str, Point]) -> dict[str, Point]:
    """Return the points, with those at crossings of two lines where the lines as they are cross."""
    found = dict(points)
    for letter, lines in crossings.items():
        (p, a), (q, b) = ((points[x], towards(points[x], points[y])) for x, y in lines)
        x, y = meet(p, a, q, b)
        found[letter] = (round(x, 2), round(y, 2))
    return found


def _on(figure: Figure, p: Point) -> bool:
    return figure.circle is not None and abs(math.dist(p, figure.circle[0]) - figure.circle[1]) < 0.05
