"""Plane figures built from whole-degree angles, so that every measure that is asked for is consistent."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Point = tuple[float, float]
LETTERS = "ABCDEFGHKLMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Figure:
    """Named points, the segments drawn between them, and at most one circle; centimetres, all coordinates in 0 to 10.

    Attributes:
        construction: its name in CONSTRUCTIONS.
        points: by letter, rounded to two decimals as the code writes them.
        segments: pairs of letters; a segment with a named point inside is given as its parts.
        circle: the circle's centre and radius, or None.
        scale: how many units of length a centimetre stands for in what is annotated and asked.
        tolerance: how far from a whole degree an angle may be and still be asked for as whole.
    """

    construction: str
    points: Mapping[str, Point]
    segments: tuple[str, ...]
    circle: tuple[Point, float] | None = None
    scale: int = 1
    tolerance: float = 0.35

    def ends(self, segment: str) -> tuple[Point, Point]:
        """Return the points that a segment joins."""
        return self.points[segment[0]], self.points[segment[1]]

    def neighbours(self, letter: str) -> list[str]:
        """Return the letters joined to this one by a segment."""
        return [s.replace(letter, "") for s in self.segments if letter in s]

    def lengths(self) -> dict[str, float]:
        """Return the length of every segment, to one decimal."""
        return {s: round(self.scale * math.dist(*self.ends(s)), 1) for s in self.segments}

    def angles(self, whole: bool = False) -> dict[str, int]:
        """Return the angles between segments that meet, in whole degrees, by name (the vertex in the middle).

        Args:
            whole: also those with another segment inside.
        """
        found = {}
        for vertex in self.points:
            rays = sorted(self.neighbours(vertex), key=lambda n: self.direction(vertex, n))
            for a, b in combinations(rays, 2):
                turn = (self.direction(vertex, b) - self.direction(vertex, a)) % 360
                start, size = (a, turn) if turn <= 180 else (b, 360 - turn)
                others = (r for r in rays if r not in (a, b))
                turns = ((self.direction(vertex, r) - self.direction(vertex, start)) % 360 for r in others)
                alone = whole or min(turns, default=360) >= size
                if alone and 12 <= size <= 168 and abs(size - round(size)) <= self.tolerance:
                    found[f"{min(a, b)}{vertex}{max(a, b)}"] = round(size)
        return found

    def direction(self, start: str, end: str) -> float:
        """Return the direction from one point to another, in degrees from 0 to 360."""
        return towards(self.points[start], self.points[end]) % 360

    def triangles(self) -> list[str]:
        """Return the triples of points that are joined pairwise."""
        drawn = {frozenset(s) for s in self.segments}
        return [
            a + b + c
            for a, b, c in combinations(sorted(self.points), 3)
            if {frozenset(a + b), frozenset(b + c), frozenset(a + c)} <= drawn
        ]


def polar(origin: Point, degrees: float, radius: float) -> Point:
    """Return the point in that direction at that distance."""
    angle = math.radians(degrees)
    return (origin[0] + radius * math.cos(angle), origin[1] + radius * math.sin(angle))


def meet(p: Point, a: float, q: Point, b: float) -> Point:
    """Return where the line through p in direction a (degrees) meets the line through q in direction b."""
    a, b = math.radians(a), math.radians(b)
    t = ((q[0] - p[0]) * math.sin(b) - (q[1] - p[1]) * math.cos(b)) / math.sin(b - a)
    return (p[0] + t * math.cos(a), p[1] + t * math.sin(a))


def towards(p: Point, q: Point) -> float:
    """Return the direction from p to q in degrees."""
    return math.degrees(math.atan2(q[1] - p[1], q[0] - p[0]))


def along(a: Point, b: Point, t: float) -> Point:
    """Return the point of the line ab that lies `t` of the way from a to b."""
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))


def middle(a: Point, b: Point) -> Point:
    """Return the point half-way between two points."""
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def foot(p: Point, a: Point, b: Point) -> float:
    """Return where on the line ab the foot of the perpendicular from p lies: 0 is a, 1 is b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)


def gap(p: Point, a: Point, b: Point) -> float:
    """Return the distance from p to the segment ab."""
    return math.dist(p, along(a, b, min(max(foot(p, a, b), 0), 1)))


def placed(
    raw: Mapping[str, Point], circle: tuple[Point, float] | None, spin: float, mirror: bool, size: float
) -> tuple[dict[str, Point], tuple[Point, float] | None]:
    """Turn, mirror and scale points (and circle) to a figure `size` wide or high with its lower left corner at 1, 1."""
    turn = math.radians(spin)

    def move(p: Point) -> Point:
        x, y = (-p[0] if mirror else p[0]), p[1]
        return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))

    moved = {k: move(p) for k, p in raw.items()}
    ends = list(moved.values())
    if circle:
        centre, radius = move(circle[0]), circle[1]
        ends += [(centre[0] - radius, centre[1] - radius), (centre[0] + radius, centre[1] + radius)]
    left, low = min(p[0] for p in ends), min(p[1] for p in ends)
    factor = size / max(max(p[0] for p in ends) - left, max(p[1] for p in ends) - low)

    def set_down(p: Point) -> Point:
        return (round(1 + (p[0] - left) * factor, 2), round(1 + (p[1] - low) * factor, 2))

    ring = (set_down(centre), round(radius * factor, 2)) if circle else None
    return {k: set_down(p) for k, p in moved.items()}, ring


Raw = tuple[dict[str, Point], str, tuple[Point, float] | None]
_O: Point = (0.0, 0.0)
_RING = (_O, 3.0)


def _named(points: Iterable[Point], segments: str, circle: tuple[Point, float] | None = None) -> Raw:
    """Return points, called A, B, C and so on, with their segments and circle."""
    return dict(zip("ABCDE", points, strict=False)), segments, circle


def _triangle(rng: random.Random) -> tuple[Point, Point, Point, int, int]:
    """Return A above B and C, six apart on a level, with whole angles at B and C."""
    b, c = rng.randint(35, 85), rng.randint(35, 85)
    while not 35 <= 180 - b - c <= 100:
        b, c = rng.randint(35, 85), rng.randint(35, 85)
    return meet(_O, b, (6.0, 0.0), 180 - c), _O, (6.0, 0.0), b, c


def _arcs(rng: random.Random, least: int = 44) -> list[Point]:
    """Return four points on a circle whose arcs are even numbers of degrees."""
    while True:
        cuts = sorted(2 * rng.randrange(180) for _ in range(4))
        arcs = [(b - a) % 360 for a, b in zip(cuts, [*cuts[1:], cuts[0]], strict=True)]
        if min(arcs) >= least and max(arcs) <= 168:
            return [polar(_O, t, 3) for t in cuts]


def _cevian(rng: random.Random) -> Raw:
    a, b, c, at_b, at_c = _triangle(rng)
    part = rng.randint(20, 160 - at_b - at_c) if at_b + at_c < 140 else 20
    return _named([a, b, c, meet(a, 180 + at_b + part, _O, 0)], "AB AC AD BD CD")


def _altitude(rng: random.Random) -> Raw:
    a, b, c, *_ = _triangle(rng)
    return _named([a, b, c, (a[0], 0.0)], "AB AC AD BD CD")


def _parallel_cut(rng: random.Random) -> Raw:
    a, b, c, *_ = _triangle(rng)
    t = rng.uniform(0.35, 0.65)
    return _named([a, b, c, along(a, b, t), along(a, c, t)], "AD BD AE CE DE BC")


def _quadrilateral(rng: random.Random) -> Raw:
    a, b, c, *_ = _triangle(rng)
    return _named([a, b, c, meet(b, -rng.randint(30, 70), c, 180 + rng.randint(30, 70))], "AB AC BC BD CD")


def _parallelogram(rng: random.Random) -> Raw:
    corner, side = rng.randint(55, 125), rng.uniform(3, 5)
    b, d = (6.0, 0.0), polar(_O, corner, side)
    e = meet(_O, rng.randint(25, max(26, corner - 20)), d, 0)
    return _named([_O, b, (b[0] + d[0], d[1]), d, e], "AB BC CE DE AD AE")


def _trapezoid(rng: random.Random) -> Raw:
    a, b, c, *_ = _triangle(rng)
    return _named([a, b, c, meet(c, rng.randint(50, 110), a, 0)], "AB BC CD AD AC")


def _bow_tie(rng: random.Random) -> Raw:
    e, a, b, *_ = _triangle(rng)
    t = -rng.uniform(0.5, 0.9)
    return _named([a, b, along(e, b, t), along(e, a, t), e], "AB AE BE CE DE CD")


def _inscribed(rng: random.Random) -> Raw:
    return _named(_arcs(rng), "AB BC CD AD AC", _RING)


def _chords(rng: random.Random) -> Raw:
    a, b, c, d = _arcs(rng)
    return _named([a, b, c, d, meet(a, towards(a, c), b, towards(b, d))], "AE CE BE DE AB CD", _RING)


def _diameter(rng: random.Random) -> Raw:
    c, d = polar(_O, 2 * rng.randint(22, 68), 3), polar(_O, -2 * rng.randint(22, 68), 3)
    return {"A": (-3.0, 0.0), "B": (3.0, 0.0), "C": c, "D": d, "O": _O}, "AO BO AC BC AD BD CO", _RING


def _radii(rng: random.Random) -> Raw:
    points, segments, circle = _named(_arcs(rng, 50), "AB BC CD AD AO BO", _RING)
    return {**points, "O": _O}, segments, circle


def _tangents(rng: random.Random) -> Raw:
    half = rng.randint(46, 66)
    p, c = (3 / math.cos(math.radians(half)), 0.0), polar(_O, 180 + 2 * rng.randint(-30, 30), 3)
    points = {"P": p, "A": polar(_O, half, 3), "B": polar(_O, -half, 3), "C": c, "O": _O}
    return points, "AP BP AB AC BC AO", _RING


def _tangent_chord(rng: random.Random) -> Raw:
    b, c = polar(_O, 2 * rng.randint(25, 70), 3), polar(_O, -2 * rng.randint(35, 70), 3)
    points = {"A": polar(_O, 0, 3), "T": (3.0, rng.uniform(3.5, 5)), "B": b, "C": c}
    return points, "AT AB AC BC BT", _RING


CONSTRUCTIONS: dict[str, Callable[[random.Random], Raw]] = {
    "triangle with a cevian": _cevian,
    "triangle with an altitude": _altitude,
    "triangle cut by a parallel": _parallel_cut,
    "quadrilateral with a diagonal": _quadrilateral,
    "parallelogram with a segment": _parallelogram,
    "trapezoid with a diagonal": _trapezoid,
    "parallels and crossing lines": _bow_tie,
    "inscribed quadrilateral": _inscribed,
    "crossing chords": _chords,
    "circle with a diameter": _diameter,
    "inscribed quadrilateral with radii": _radii,
    "two tangents": _tangents,
    "tangent and chord": _tangent_chord,
}


def maker(construction: str, rng: random.Random) -> Callable[[], Figure]:
    """Return what draws figures of one construction at random, all under the same letters and to the same scale."""
    letters = rng.sample(LETTERS, 6)
    scale = rng.choice([1, 1, 2, 3])
    size = rng.choice([5.5, 6, 6.5])
    spin, mirror = rng.choice([0, 0, rng.uniform(-40, 40), rng.uniform(0, 360)]), rng.random() < 0.5

    def make() -> Figure:
        raw, segments, circle = CONSTRUCTIONS[construction](rng)
        names = {k: k if k == "O" else letters[i] for i, k in enumerate(raw)}
        points, ring = placed(raw, circle, spin, mirror, size)
        return Figure(
            construction,
            {names[k]: p for k, p in points.items()},
            tuple("".join(sorted(names[k] for k in s)) for s in segments.split()),
            ring,
            scale,
        )

    return make


def legible(figure: Figure) -> bool:
    """Say whether points, segments and angles keep apart enough to be read and labelled."""
    points = figure.points
    if any(math.dist(p, q) < 1.2 for p, q in combinations(points.values(), 2)):
        return False
    if any(gap(p, *figure.ends(s)) < 0.6 for s in figure.segments for k, p in points.items() if k not in s):
        return False
    for vertex in points:
        rays = sorted(figure.direction(vertex, n) for n in figure.neighbours(vertex))
        if any((b - a) % 360 < 17 for a, b in zip(rays, [*rays[1:], rays[0]], strict=True) if len(rays) > 1):
            return False
    return True


def order(figure: Figure, names: Sequence[str]) -> list[str]:
    """Return segments or angles in reading order: from left to right by their middle or vertex."""

    def place(name: str) -> Point:
        points = [figure.points[k] for k in (name if len(name) == 2 else name[1])]
        return (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))

    return sorted(names, key=lambda n: (*place(n), n))
