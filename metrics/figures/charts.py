"""Bars, lines and slices as keyed values, and how two charts differ.

    bar   (series, category) -> height, base
    line  (series, x) -> y; helper lines (level or upright, two points, beside longer ones) are left out
    pie   (label) -> fraction

A series counts only where a label stands more than once in a chart, since only then is it needed to tell elements
apart. A height, y or fraction is right within the tolerance of its own size; a base within that of the bar's extent.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from mmmath_tasks.metrics.figures.counts import Counts, Edit
from mmmath_tasks.metrics.figures.texts import fold

Element = Mapping[str, Any]
Key = tuple[str, str]
# Share of the chart's largest value below which a difference cannot be seen
_FLOOR = 1e-3
# So that no chart, however crowded, takes long to compare: elements read, elements of one name compared each with each
LIMIT, EACH_WITH_EACH = 10_000, 64


class Item(NamedTuple):
    """One element: what it is called, its values, and how far off each may be."""

    key: Key
    values: tuple[float, ...]
    slack: tuple[float, ...]

    def like(self, other: Item) -> bool:
        """Tell whether the other's values, one or two, are within this one's slack."""
        ours, theirs, slack = self.values, other.values, self.slack
        return abs(ours[0] - theirs[0]) <= slack[0] and abs(ours[-1] - theirs[-1]) <= slack[-1]

    def off(self, other: Item) -> float:
        """Return how far apart the values are."""
        return sum(abs(a - b) for a, b in zip(self.values, other.values, strict=True))


def items(type: str, elements: Sequence[Element], tolerance: float) -> list[Item]:
    """Return a chart's elements of its type ("bar", "line", "pie") in drawing order, the first LIMIT."""
    found: list[tuple[Key, tuple[float, ...], tuple[float, ...]]] = []
    if type == "bar":
        for e in _first(elements, "bar"):
            size = abs(e["value"])
            values = (e["value"], e["base"])
            found.append(((fold(e["series"]), fold(e["label"])), values, (size, max(size, abs(e["base"])))))
    elif type == "line":
        for e in _lines(elements):
            names = e["labels"] or [None] * len(e["x"])
            for x, y, name in islice(zip(e["x"], e["y"], names, strict=True), LIMIT - len(found)):
                if x is not None and y is not None:
                    found.append(((fold(e["series"]), fold(name or f"{x:.6g}")), (y,), (abs(y),)))
    else:
        for e in _first(elements, "wedge"):
            found.append((("", fold(e["label"])), (e["fraction"],), (e["fraction"],)))
    floor = _FLOOR * max((abs(values[0]) for _, values, _ in found), default=0.0)
    return [Item(k, v, tuple(max(tolerance * s, floor) + 1e-9 for s in sizes)) for k, v, sizes in found]


def _first(elements: Sequence[Element], kind: str) -> Iterator[Element]:
    return islice((e for e in elements if e["kind"] == kind), LIMIT)


def _lines(elements: Sequence[Element]) -> list[Element]:
    lines = [e for e in elements if e["kind"] == "line"]
    points = [[p for p in zip(e["x"], e["y"], strict=True) if None not in p] for e in lines]
    longest = max(map(len, points), default=0)
    return [
        line
        for line, seen in zip(lines, points, strict=True)
        if len(seen) > 2 or longest <= 2 or (seen and len({x for x, _ in seen}) > 1 and len({y for _, y in seen}) > 1)
    ]


def _told_apart(*charts: list[Item]) -> list[list[Item]]:
    """Drop the series where the first chart (and the second, if three) names every element by its label alone."""
    known = charts[:-1]
    if all(len({item.key[1] for item in chart}) == len(chart) for chart in known):
        return [[Item(("", key[1]), values, slack) for key, values, slack in chart] for chart in charts]
    return list(charts)


def _pairs(wanted: list[Item], given: list[Item]) -> list[tuple[int, int]]:
    """Return pairs of positions (wanted, given) with the same key and like values, the closest first."""
    groups: dict[Key, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, items_ in enumerate((wanted, given)):
        for number, item in enumerate(items_):
            groups[item.key][side].append(number)
    found: list[tuple[int, int]] = []
    for ours, theirs in groups.values():
        if len(ours) == 1 == len(theirs):
            if wanted[ours[0]].like(given[theirs[0]]):
                found.append((ours[0], theirs[0]))
            continue
        if len(ours) > EACH_WITH_EACH or len(theirs) > EACH_WITH_EACH:
            found += _in_step(wanted, given, ours, theirs)
            continue
        near = sorted((wanted[i].off(given[j]), i, j) for i in ours for j in theirs if wanted[i].like(given[j]))
        used_i, used_j = set(), set()
        for _, i, j in near:
            if i not in used_i and j not in used_j:
                used_i.add(i)
                used_j.add(j)
                found.append((i, j))
    return found


def _in_step(wanted: list[Item], given: list[Item], ours: list[int], theirs: list[int]) -> list[tuple[int, int]]:
    """Pair like elements of one name going up through both lists of values; as many pairs, not always the closest."""
    ours, theirs = (
        sorted(numbers, key=lambda n: chart[n].values) for chart, numbers in ((wanted, ours), (given, theirs))
    )
    found, i, j = [], 0, 0
    while i < len(ours) and j < len(theirs):
        if wanted[ours[i]].like(given[theirs[j]]):
            found.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif given[theirs[j]].values < wanted[ours[i]].values:
            j += 1
        else:
            i += 1
    return found


def compare(type: str, reference: Sequence[Element], generated: Sequence[Element], tolerance: float) -> Counts:
    """Count the elements of the reference that the generated chart has, with the same key and like values."""
    wanted, given = _told_apart(*(items(type, e, tolerance) for e in (reference, generated)))
    return Counts(len(_pairs(wanted, given)), len(wanted), len(given))


@dataclass(frozen=True, slots=True)
class _Delta:
    """What a chart has become: positions in the original left alone, and the changes by kind and key."""

    untouched: frozenset[int]
    changes: list[tuple[str, Item]]


def _delta(original: list[Item], edited: list[Item], scale: float = 1.0) -> _Delta:
    scaled = original if scale == 1 else [i._replace(values=(i.values[0] * scale, *i.values[1:])) for i in original]
    pairs = _pairs(scaled, edited)
    still, again = {i for i, _ in pairs}, {j for _, j in pairs}
    before: dict[Key, list[int]] = defaultdict(list)
    for i in reversed(range(len(original))):
        if i not in still:
            before[original[i].key].append(i)
    changes: list[tuple[str, Item]] = []
    for j, item in enumerate(edited):
        if j not in again:
            # The first of its name that is no longer what it was
            moved = before[item.key].pop() if before[item.key] else None
            changes.append(("added" if moved is None else "changed", item))
    changes += [("removed", original[i]) for numbers in before.values() for i in reversed(numbers)]
    return _Delta(frozenset(still), changes)


def _scale(original: list[Item], edited: list[Item], tolerance: float) -> float:
    """Return the factor by which an edit rescaled the slices it left alone: the one most slices agree on.

    Between factors with as many slices behind them, the one nearest to 1.
    """
    now = {item.key: item.values[0] for item in edited}
    factors = [now[i.key] / i.values[0] for i in original if i.key in now and i.values[0] and now[i.key]]

    order = sorted(factors)

    def rank(factor: float) -> tuple[int, float]:
        reach = tolerance * abs(factor)
        agree = bisect_right(order, factor + reach) - bisect_left(order, factor - reach)
        return agree, -abs(math.log(abs(factor)))

    return max(factors, key=rank, default=1.0)


def edit(
    type: str, original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> Edit:
    """Compare what the generated chart changed in the original with what the reference changed.

    In a pie every change rescales the rest: a slice is left alone where it keeps its ratio to the others.
    """
    before, wanted, given = _told_apart(*(items(type, e, tolerance) for e in (original, reference, generated)))
    pie = type == "pie"
    want = _delta(before, wanted, _scale(before, wanted, tolerance) if pie else 1.0)
    have = _delta(before, given, _scale(before, given, tolerance) if pie else 1.0)
    right = 0
    for kind in ("added", "changed", "removed"):
        ours, theirs = ([item for name, item in delta.changes if name == kind] for delta in (want, have))
        if kind == "removed":  # what it was does not matter
            right += (Counter(item.key for item in ours) & Counter(item.key for item in theirs)).total()
        else:
            right += len(_pairs(ours, theirs))
    counts = Counts(right, len(want.changes), len(have.changes))
    return Edit(counts, len(want.untouched & have.untouched), len(want.untouched))
