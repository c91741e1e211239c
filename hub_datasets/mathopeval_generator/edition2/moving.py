"""Figures in which one point has been moved, without leaving the lines and the circle that it lies on."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, along, legible, meet, polar, towards

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
            for crossing, lines in crossings.items():
                (q, a), (r, b) = ((points[u], towards(points[u], points[v])) for u, v in lines)
                x, y = meet(q, a, r, b)
                points[crossing] = (round(x, 2), round(y, 2))
            moved = replace(figure, points=points, tolerance=0.5)
            if legible(moved):
                found.append(moved)
            if len(found) == 4:
                return sorted(found, key=lambda f: f.points[letter])
    raise ValueError("no point that can be moved")


def _places(figure: Figure, letter: str, rng: random.Random) -> Callable[[], Point] | None:
    """Return what draws places for a point on the line or circle that it lies on; None where it is bound twice."""
    p, near = figure.points[letter], figure.neighbours(letter)

    def beyond(a: str) -> tuple[Point, Point]:
        """Return the line from a point through the one to move."""
        way = figure.direction(a, letter)
        return polar(figure.points[a], way, 1.2), polar(figure.points[a], way, 6)

    # of the lines that it must stay on
    ends = [(figure.points[a], figure.points[b]) for a, b in _straight(figure, letter)]
    for a in near:
        turns = (figure.direction(a, b) - figure.direction(a, letter) for b in figure.neighbours(a) if b != letter)
        ends += [beyond(a) for turn in turns if abs(turn % 360 - 180) < _SHARED]
    if figure.circle:
        centre, radius = figure.circle
        if math.dist(p, centre) < 0.05:
            return None
        around = {a: figure.points[a] for a in near}
        ends += [beyond(a) for a, q in around.items() if _on(figure, q) and _touches(figure, p, q)]
        if _on(figure, p):
            start, through = towards(centre, p), [a for a in near if len(_straight(figure, a)) > 1]
            if len(ends) != len(through) or any(_touches(figure, q, p) for q in around.values()):
                return None
            return lambda: polar(centre, start + rng.uniform(-60, 60), radius)
    if ends:
        return (lambda: along(*ends[0], rng.uniform(0.1, 0.9))) if len(ends) == 1 else None
    return lambda: (p[0] + rng.uniform(-1.8, 1.8), p[1] + rng.uniform(-1.8, 1.8))


def _straight(figure: Figure, letter: str) -> list[tuple[str, str]]:
    """Return the pairs of neighbours between which a point lies on a straight line."""
    return [
        (a, b)
        for a, b in combinations(figure.neighbours(letter), 2)
        if abs((figure.direction(letter, a) - figure.direction(letter, b)) % 360 - 180) < _SHARED
    ]


def _on(figure: Figure, p: Point) -> bool:
    return figure.circle is not None and abs(math.dist(p, figure.circle[0]) - figure.circle[1]) < 0.05


def _touches(figure: Figure, p: Point, q: Point) -> bool:
    """Say whether the line from p to a point q of the circle is a tangent."""
    centre, radius = figure.circle or (p, 0)
    return abs(math.dist(p, centre) ** 2 - math.dist(p, q) ** 2 - radius**2) < 0.3
