"""A TikZ drawing as a record, and laying one over another.

A drawing is laid over another by the shift (for whole drawings also the scale) under which most vertices meet, or
under which points of the same letter lie closest. Vertices are the ends of segments, dots, and centres of circles; a
letter names the vertex it stands nearest to.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mmmath_tasks.metrics.figures.labels import NEAR, Label
from mmmath_tasks.metrics.figures.texts import normal

Element = Mapping[str, Any]
Point = tuple[float, float]
# So that no drawing, however crowded, takes long to compare: records of each kind, and shifts tried
LIMIT, MOVES = 300, 800
# Centimetres between a vertex and its letter, which does not shrink with a drawing
LETTER_REACH = 0.6
_LETTER = re.compile(r"[A-Za-z](?:'|_?\d)?")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing's elements in centimetres (or, once laid over another, in that one's).

    `size` is the diagonal, `reach` how far from its vertex a letter may stand.
    """

    segments: tuple[tuple[Point, Point], ...] = ()
    circles: tuple[tuple[float, float, float], ...] = ()
    arcs: tuple[tuple[Point, ...], ...] = ()
    dots: tuple[Point, ...] = ()
    texts: tuple[tuple[str, float, float], ...] = ()
    size: float = 1.0
    reach: float = 0.0

    def vertices(self) -> list[Point]:
        """Return the ends of segments, dots and centres of circles, with repetitions."""
        return [*(p for s in self.segments for p in s), *self.dots, *((x, y) for x, y, _ in self.circles)]

    def moved(self, scale: float, x: float, y: float) -> Drawing:
        """Return the drawing scaled, then shifted."""

        def to(p: Sequence[float]) -> Point:
            return p[0] * scale + x, p[1] * scale + y

        return Drawing(
            tuple((to(a), to(b)) for a, b in self.segments),
            tuple((*to(c), c[2] * scale) for c in self.circles),
            tuple(tuple(to(p) for p in arc) for arc in self.arcs),
            tuple(map(to, self.dots)),
            tuple((text, *to((a, b))) for text, a, b in self.texts),
            self.size * scale,
            self.reach * scale,
        )

    def labels(self, size: float) -> list[Label]:
        """Return the texts with their places in units of `size`."""
        return [Label(text, x / size, y / size) for text, x, y in self.texts]


def drawing(elements: Sequence[Element]) -> Drawing:
    """Read the records of one TikZ picture, the first LIMIT of each kind.

    `size` is the diagonal of what is drawn, of the texts if nothing else is.
    """

    def of(*kinds: str) -> list[Element]:
        return [e for e in elements if e["kind"] in kinds][:LIMIT]

    def pairs(e: Element) -> list[Point]:
        return [(p[0], p[1]) for p in e["points"]]

    segments = tuple((a, b) for a, b in map(pairs, of("segment")))
    circles = tuple((e["x"], e["y"], e["radius"]) for e in of("circle"))
    arcs = tuple(tuple(p[i] for i in (0, len(p) // 2, -1)) for p in map(pairs, of("arc", "curve")))
    dots = tuple((e["x"], e["y"]) for e in of("dot"))
    texts = tuple((normal(e["text"]), e["x"], e["y"]) for e in of("text"))
    extent = [p for s in segments for p in s] + [(x + s * r, y + s * r) for x, y, r in circles for s in (-1, 1)]
    extent = extent or [p for arc in arcs for p in arc] or [(x, y) for _, x, y in texts] or [(0.0, 0.0)]
    wide, high = (max(v) - min(v) for v in zip(*extent, strict=True))
    size = math.hypot(wide, high) or 1.0
    return Drawing(segments, circles, arcs, dots, texts, size, max(NEAR * size, LETTER_REACH))


def named(picture: Drawing) -> dict[str, Point]:
    """Return the vertex that each letter stands at."""
    found: dict[str, Point] = {}
    vertices = picture.vertices()
    for text, x, y in picture.texts:
        if _LETTER.fullmatch(text) and vertices:
            nearest = min(vertices, key=lambda p: math.dist(p, (x, y)))
            if math.dist(nearest, (x, y)) <= picture.reach:
                found.setdefault(text, nearest)
    return found


def laid(picture: Drawing, base: Drawing, tolerance: float, scaled: bool) -> Drawing:
    """Lay a drawing over another; unscaled, only where hardly a vertex meets otherwise is it scaled after all."""
    import numpy as np

    ours, theirs = (np.array(sorted(set(d.vertices()))[:60], dtype=float) for d in (picture, base))
    if not len(ours) or not len(theirs):
        return picture
    reach = tolerance * base.size

    moves: list[tuple[float, float, float]] = []
    if scaled:
        moves += _moves_by_letters(named(picture), named(base))
        scale = base.size / picture.size
        corner = theirs.min(0) - ours.min(0) * scale
        moves.append((scale, float(corner[0]), float(corner[1])))
        moves += _moves_by_segments(picture, base)
    else:
        shifts = np.unique(np.round((theirs[None, :, :] - ours[:, None, :]).reshape(-1, 2), 3), axis=0)
        if len(shifts) > MOVES:
            # Those in whose neighbourhood most others lie: where many vertices meet, many pairs agree
            _, cell, crowd = np.unique(np.round(shifts / reach), axis=0, return_inverse=True, return_counts=True)
            shifts = shifts[np.argsort(-crowd[cell.reshape(-1)], kind="stable")[:MOVES]]
        moves += [(1.0, float(x), float(y)) for x, y in shifts]
    best, meeting = _best(moves, ours, theirs, reach)
    if not scaled and meeting < 0.6 * min(len(ours), len(theirs)):
        other = laid(picture, base, tolerance, True)
        if abs(other.size / picture.size - 1) > tolerance:
            return other
    return picture.moved(*best)


def _best(
    moves: Sequence[tuple[float, float, float]], ours: Any, theirs: Any, reach: float
) -> tuple[tuple[float, float, float], int]:
    """Return the scale and shift under which most vertices meet (the closest, between such), and how many do."""
    import numpy as np

    best, meeting = moves[0], (-1, 0.0)
    for start in range(0, len(moves), 64):
        some = np.array(moves[start : start + 64])
        there = ours * some[:, None, :1] + some[:, None, 1:]
        across, up = (there[:, :, None, axis] - theirs[:, axis] for axis in (0, 1))
        away = np.sqrt((across * across + up * up).min(2))
        near = away <= reach
        for number, (count, total) in enumerate(zip(near.sum(1), (away * near).sum(1), strict=True)):
            if (int(count), -float(total)) > meeting:
                best, meeting = moves[start + number], (int(count), -float(total))
    return best, meeting[0]


def _moves_by_letters(ours: Mapping[str, Point], theirs: Mapping[str, Point]) -> list[tuple[float, float, float]]:
    """Return the scale and shift that bring points of the same letter closest (least squares), if two are shared."""
    import numpy as np

    both = sorted(ours.keys() & theirs.keys())
    if len(both) < 2:
        return []
    a, b = (np.array([points[name] for name in both]) for points in (ours, theirs))
    mean_a, mean_b = a.mean(0), b.mean(0)
    scale = float(((a - mean_a) * (b - mean_b)).sum() / (((a - mean_a) ** 2).sum() or 1.0))
    if scale <= 0:
        return []
    shift = mean_b - scale * mean_a
    return [(scale, float(shift[0]), float(shift[1]))]


def _moves_by_segments(picture: Drawing, base: Drawing) -> list[tuple[float, float, float]]:
    """Return the scales and shifts that lay one segment or circle of `picture` on one of `base`."""
    found = []
    for (ax, ay), (bx, by) in picture.segments[:40]:
        for p, q in base.segments[:40]:
            for (cx, cy), (dx, dy) in ((p, q), (q, p)):
                ours, theirs = math.hypot(bx - ax, by - ay), math.hypot(dx - cx, dy - cy)
                along = (bx - ax) * (dx - cx) + (by - ay) * (dy - cy)
                if ours and theirs and along > 0.9998 * ours * theirs:
                    scale = theirs / ours
                    found.append((scale, cx - ax * scale, cy - ay * scale))
    for x, y, r in picture.circles[:20]:
        found += [(s / r, u - x * s / r, v - y * s / r) for u, v, s in base.circles[:20] if r]
    return found
