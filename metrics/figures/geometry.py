"""TikZ drawings: segments, circles, arcs and labels, compared whatever their place and size on the page.

One is first laid over the other (see drawings). Whole drawings are compared by points (letter, place), segments (named
by their ends' letters, by place where there are none), circles, arcs and other labels. Segments that continue each
other are one, so that AB drawn at once or by way of D compares alike. Edits are compared by place alone, since the
original's code gives all places; there segments are parted at every vertex of the three drawings, so that taking DB
from AB, or ending a line on it, is one change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from mmmath_tasks.metrics.figures.counts import Counts, Edit
from mmmath_tasks.metrics.figures.drawings import Drawing, Element, Point, drawing, laid, named
from mmmath_tasks.metrics.figures.labels import Label, added
from mmmath_tasks.metrics.figures.labels import compare as compare_labels

_Thing = TypeVar("_Thing")


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
    other = laid(drawing(generated), base, tolerance, True)
    reach = tolerance * base.size
    ours, theirs = named(base), named(other)
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
        [label for label in d.labels(base.size) if label.text not in letters]
        for d, letters in ((base, ours), (other, theirs))
    ]
    return Counts(right, wanted, given) + compare_labels(*marks)[1]


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
    after, now = (laid(drawing(e), before, tolerance, False) for e in (reference, generated))
    return before, after, now


def _changes(all_three: tuple[Drawing, Drawing, Drawing], tolerance: float, texts: bool) -> Edit:
    """Compare the second's and the third's changes in the first; `texts`: whether those of texts count too."""
    before = all_three[0]
    reach = tolerance * before.size
    places = _Vertices(reach)
    for picture in all_three:
        for point in picture.vertices():
            places.number(point)
    whole = _edit(*(places.edges(picture.segments) for picture in all_three))
    for three in (_rounds(*all_three), _arcs(*all_three)):
        whole += _edit(*({_rank(value, three, reach) for value in values} for values in three))
    if texts:
        was, want, have = (picture.labels(before.size) for picture in all_three)
        (new, still), (newer, stiller) = added(was, want), added(was, have)
        gone, gone_too = set(range(len(was))) - still, set(range(len(was))) - stiller
        changes = compare_labels(new, newer)[1] + Counts(len(gone & gone_too), len(gone), len(gone_too))
        whole += Edit(changes, len(still & stiller), len(still))
    return whole


def _edit(was: set[_Thing], want: set[_Thing], have: set[_Thing]) -> Edit:
    """Return how the given set's changes in the original compare with the wanted one's."""
    changes = Counts(len((want ^ was) & (have ^ was)), len(want ^ was), len(have ^ was))
    return Edit(changes, len(was & want & have), len(was & want))


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
