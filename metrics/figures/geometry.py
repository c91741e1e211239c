"""TikZ drawings: segments, circles, arcs and labels, compared whatever their place and size on the page.

A drawing is laid over another by the shift (for whole drawings also the scale) under which most vertices meet, or
under which points of the same letter lie closest. Vertices are the ends of segments, dots, and centres of circles; a
letter names the vertex it stands nearest to.

Whole drawings are compared by points (letter, place), segments (named by their ends' letters, by place where there
are none), circles, arcs and other labels. Segments that continue each other are one, so that AB drawn at once or by
way of D compares alike. Edits are compared by place alone, since the original's code gives all places; there segments
are parted at every vertex of the three drawings, so that taking DB from AB, or ending a line on it, is one change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mmmath_tasks.metrics.figures.counts import Counts, Edit
from mmmath_tasks.metrics.figures.labels import NEAR, Label, added
from mmmath_tasks.metrics.figures.labels import compare as compare_labels
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


def _named(picture: Drawing) -> dict[str, Point]:
    """Return the vertex that each letter stands at."""
    found: dict[str, Point] = {}
    vertices = picture.vertices()
    for text, x, y in picture.texts:
        if _LETTER.fullmatch(text) and vertices:
            nearest = min(vertices, key=lambda p: math.dist(p, (x, y)))
            if math.dist(nearest, (x, y)) <= picture.reach:
                found.setdefault(text, nearest)
    return found


def _laid(picture: Drawing, base: Drawing, tolerance: float, scaled: bool) -> Drawing:
    """Lay a drawing over another; unscaled, only where hardly a vertex meets otherwise is it scaled after all."""
    import numpy as np

    ours, theirs = (np.array(sorted(set(d.vertices()))[:60], dtype=float) for d in (picture, base))
    if not len(ours) or not len(theirs):
        return picture
    reach = tolerance * base.size

    moves: list[tuple[float, float, float]] = []
    if scaled:
        moves += _moves_by_letters(_named(picture), _named(base))
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
        other = _laid(picture, base, tolerance, True)
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


class _Vertices:
    """Numbers for places: places closer than the reach share one."""

    def __init__(self, reach: float) -> None:
        import numpy as np

        self.reach = reach
        self.count = 0
        self._points = np.empty((16, 2))

    def points(self) -> list[Point]:
        return [(x, y) for x, y in self._points[: self.count].tolist()]

    def number(self, point: Point) -> int:
        import numpy as np

        known = self._points[: self.count]
        if self.count:
            away = np.hypot(known[:, 0] - point[0], known[:, 1] - point[1])
            nearest = int(away.argmin())
            if away[nearest] <= self.reach:
                return nearest
        if self.count == len(self._points):
            self._points = np.concatenate([self._points, np.empty_like(self._points)])
        self._points[self.count] = point
        self.count += 1
        return self.count - 1

    def edges(self, segments: Sequence[tuple[Point, Point]]) -> set[tuple[int, int]]:
        """Return the segments as pairs of numbers, parted at every known place on them."""
        import numpy as np

        found = set()
        for a, b in segments:
            i, j = self.number(a), self.number(b)
            known = self._points[: self.count]
            (dx, dy), from_start = known[j] - known[i], known - known[i]
            length = math.hypot(dx, dy)
            if i == j or not length:
                continue
            along = (from_start[:, 0] * dx + from_start[:, 1] * dy) / length**2
            off = np.abs(from_start[:, 0] * dy - from_start[:, 1] * dx) / length
            between = np.flatnonzero((off <= 0.5 * self.reach) & (along > 0) & (along < 1))
            stops = [(0.0, i), (1.0, j), *((float(along[k]), int(k)) for k in between if k not in (i, j))]
            order = [k for _, k in sorted(stops)]
            found |= {(min(pair), max(pair)) for pair in pairwise(order)}
        return found


def compare(reference: Sequence[Element], generated: Sequence[Element], tolerance: float) -> Counts:
    """Count the points, segments, circles, arcs and labels of the reference that the generated drawing has."""
    base = drawing(reference)
    other = _laid(drawing(generated), base, tolerance, True)
    reach = tolerance * base.size
    ours, theirs = _named(base), _named(other)
    right = sum(name in theirs and math.dist(point, theirs[name]) <= reach for name, point in ours.items())
    wanted, given = len(ours), len(theirs)

    places = _Vertices(reach)
    for point in [*ours.values(), *base.vertices()]:
        places.number(point)
    names = {places.number(point): name for name, point in ours.items()}
    edges = {_pair(names, *map(places.number, segment)) for segment in _whole(base.segments, reach)}
    known = places.count
    own = _Vertices(reach)
    for point in [*theirs.values(), *other.vertices()]:
        own.number(point)
    called: dict[int, str | int] = {}
    for number, point in enumerate(own.points()):
        place = places.number(point)
        called[number] = names.get(place, place) if place < known else -1 - number
    called |= {own.number(point): name for name, point in theirs.items() if name in ours}
    edges_given = {_pair(called, *map(own.number, segment)) for segment in _whole(other.segments, reach)}
    right += len(edges & edges_given)
    wanted, given = wanted + len(edges), given + len(edges_given)

    for one, two in (_rounds(base, other), _arcs(base, other)):
        right += _matched(one, two, reach)
        wanted, given = wanted + len(one), given + len(two)
    marks = [
        [label for label in d.labels(base.size) if label.text not in named]
        for d, named in ((base, ours), (other, theirs))
    ]
    counts = compare_labels(*marks)[1]
    return Counts(right + counts.right, wanted + counts.wanted, given + counts.given)


def _whole(segments: Sequence[tuple[Point, Point]], reach: float) -> list[tuple[Point, Point]]:
    """Return the segments with those that overlap or continue each other as one, and without specks."""
    found: list[tuple[Point, Point]] = []
    for segment in segments:
        if math.dist(*segment) <= reach:
            continue
        rest = found
        while True:
            united = [(_united(segment, other, reach), other) for other in rest]
            hit = next(((one, other) for one, other in united if one), None)
            if hit is None:
                break
            segment, gone = hit
            rest = [other for other in rest if other is not gone]
        found = [*rest, segment]
    return found


def _united(one: tuple[Point, Point], other: tuple[Point, Point], reach: float) -> tuple[Point, Point] | None:
    """Return the segment that two make where they lie on one line and meet; None elsewhere."""
    if math.dist(*one) < math.dist(*other):
        one, other = other, one
    (ax, ay), (bx, by) = one
    length = math.dist(*one)
    ux, uy = (bx - ax) / length, (by - ay) / length
    along = [(x - ax) * ux + (y - ay) * uy for x, y in other]
    if any(abs((x - ax) * uy - (y - ay) * ux) > 0.5 * reach for x, y in other):
        return None
    if max(along) < -0.5 * reach or min(along) > length + 0.5 * reach:
        return None
    ends = sorted([(0.0, one[0]), (length, one[1]), *zip(along, other, strict=True)])
    return ends[0][1], ends[-1][1]


def _pair(names: Mapping[int, str | int], i: int, j: int) -> tuple[str, str]:
    a, b = sorted((str(names.get(i, i)), str(names.get(j, j))))
    return a, b


def _rounds(*drawings: Drawing) -> list[list[tuple[float, ...]]]:
    return [list(d.circles) for d in drawings]


def _arcs(*drawings: Drawing) -> list[list[tuple[float, ...]]]:
    """Return each arc as six numbers, its ends in a fixed order."""
    return [[(*min(a[0], a[2]), *a[1], *max(a[0], a[2])) for a in d.arcs] for d in drawings]


def _matched(wanted: Sequence[tuple[float, ...]], given: Sequence[tuple[float, ...]], reach: float) -> int:
    """Count pairs whose numbers all lie within reach."""
    left = list(given)
    for want in wanted:
        near = [have for have in left if all(abs(a - b) <= reach for a, b in zip(want, have, strict=True))]
        if near:
            left.remove(min(near, key=lambda have: math.dist(want, have)))
    return len(given) - len(left)


def edit(
    original: Sequence[Element],
    reference: Sequence[Element],
    generated: Sequence[Element],
    tolerance: float,
) -> Edit:
    """Compare what the generated drawing changed in the original, texts included, with what the reference changed.

    Args:
        original: records of the drawing that was to be edited.
        reference: records of the edit asked for.
        generated: records of the edit to score.
        tolerance: how far off a place may be, as a share of the original's diagonal.
    """
    return _changes(_three(original, reference, generated, tolerance), tolerance, texts=True)


def _three(
    original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> tuple[Drawing, Drawing, Drawing]:
    """Return the three drawings, the last two laid over the first."""
    before = drawing(original)
    after, now = (_laid(drawing(e), before, tolerance, False) for e in (reference, generated))
    return before, after, now


def _changes(all_three: tuple[Drawing, Drawing, Drawing], tolerance: float, texts: bool) -> Edit:
    """Compare the second's and the third's changes in the first; `texts`: whether those of texts count too."""
    before = all_three[0]
    reach = tolerance * before.size
    places = _Vertices(reach)
    for picture in all_three:
        for point in picture.vertices():
            places.number(point)
    was, want, have = (places.edges(picture.segments) for picture in all_three)
    right = len((want - was) & (have - was)) + len((was - want) & (was - have))
    wanted, given = len(want ^ was), len(have ^ was)
    untouched, kept = len(was & want), len(was & want & have)
    for three in (_rounds(*all_three), _arcs(*all_three)):
        counts, alone, left = _moves(three, reach)
        right, wanted, given = right + counts[0], wanted + counts[1], given + counts[2]
        untouched, kept = untouched + alone, kept + left
    if texts:
        said = [picture.labels(before.size) for picture in all_three]
        new, still = added(said[0], said[1])
        newer, stiller = added(said[0], said[2])
        counts_ = compare_labels(new, newer)[1]
        gone, gone_too = set(range(len(said[0]))) - still, set(range(len(said[0]))) - stiller
        right += int(counts_.right) + len(gone & gone_too)
        wanted, given = wanted + len(new) + len(gone), given + len(newer) + len(gone_too)
        untouched, kept = untouched + len(still), kept + len(still & stiller)
    return Edit(Counts(right, wanted, given), kept, untouched)


def _moves(three: list[list[tuple[float, ...]]], reach: float) -> tuple[tuple[int, int, int], int, int]:
    """Return (right, wanted, given) changes among circles or arcs, how many are untouched, how many of those kept."""
    was, want, have = ([_rank(v, three, reach) for v in values] for values in three)
    sets = [set(values) for values in (was, want, have)]
    right = len((sets[1] - sets[0]) & (sets[2] - sets[0])) + len((sets[0] - sets[1]) & (sets[0] - sets[2]))
    same = sets[0] & sets[1]
    return (right, len(sets[1] ^ sets[0]), len(sets[2] ^ sets[0])), len(same), len(same & sets[2])


def _rank(value: tuple[float, ...], three: list[list[tuple[float, ...]]], reach: float) -> int:
    """Return the number of the first record, over all three drawings, that this one cannot be told from."""
    every = [v for values in three for v in values]
    return next(i for i, v in enumerate(every) if all(abs(a - b) <= reach for a, b in zip(v, value, strict=True)))


def annotation(
    original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> tuple[list[list[Label]], Edit]:
    """Return the texts of the three drawings in places that compare, and what else was changed."""
    three = _three(original, reference, generated, tolerance)
    return [d.labels(three[0].size) for d in three], _changes(three, tolerance, texts=False)
