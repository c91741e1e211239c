"""Bars, lines and slices as keyed values, and how two charts differ.

    bar   (series, category) -> height, base
    line  (series, x) -> y; helper lines (level or upright, two points, beside longer ones) are left out
    pie   (label) -> fraction

A series counts only where a label stands more than once in a chart, since only then is it needed to tell elements
apart. A height, y or fraction is right within the tolerance of its own size; a base within that of the bar's extent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mmmath_tasks.metrics.figures.counts import Counts, Edit
from mmmath_tasks.metrics.figures.texts import fold

Element = Mapping[str, Any]
Key = tuple[str, str]
# Share of the chart's largest value below which a difference cannot be seen
_FLOOR = 1e-3


@dataclass(frozen=True, slots=True)
class Item:
    """One element: what it is called, its values, and how far off each may be."""

    key: Key
    values: tuple[float, ...]
    slack: tuple[float, ...]

    def like(self, other: Item) -> bool:
        """Tell whether the other's values are within this one's slack."""
        return all(abs(a - b) <= s for a, b, s in zip(self.values, other.values, self.slack, strict=True))

    def off(self, other: Item) -> float:
        """Return how far apart the values are."""
        return sum(abs(a - b) for a, b in zip(self.values, other.values, strict=True))


def items(type: str, elements: Sequence[Element], tolerance: float) -> list[Item]:
    """Return a chart's elements of its type ("bar", "line", "pie") in drawing order."""
    found: list[tuple[Key, tuple[float, ...], tuple[float, ...]]] = []
    if type == "bar":
        for e in elements:
            if e["kind"] == "bar":
                size = abs(e["value"])
                values = (e["value"], e["base"])
                found.append(((fold(e["series"]), fold(e["label"])), values, (size, max(size, abs(e["base"])))))
    elif type == "line":
        for e in _lines(elements):
            names = e["labels"] or [None] * len(e["x"])
            for x, y, name in zip(e["x"], e["y"], names, strict=True):
                if x is not None and y is not None:
                    found.append(((fold(e["series"]), fold(name or f"{x:.6g}")), (y,), (abs(y),)))
    else:
        for e in elements:
            if e["kind"] == "wedge":
                found.append((("", fold(e["label"])), (e["fraction"],), (e["fraction"],)))
    floor = _FLOOR * max((abs(values[0]) for _, values, _ in found), default=0.0)
    return [Item(k, v, tuple(max(tolerance * s, floor) + 1e-9 for s in sizes)) for k, v, sizes in found]


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
        return [[replace(item, key=("", item.key[1])) for item in chart] for chart in charts]
    return list(charts)


def _pairs(wanted: list[Item], given: list[Item]) -> list[tuple[int, int]]:
    """Return pairs of positions (wanted, given) with the same key and like values, the closest first."""
    by_key: dict[Key, list[int]] = defaultdict(list)
    for number, item in enumerate(given):
        by_key[item.key].append(number)
    near = [
        (want.off(given[j]), i, j) for i, want in enumerate(wanted) for j in by_key[want.key] if want.like(given[j])
    ]
    found, used_i, used_j = [], set(), set()
    for _, i, j in sorted(near):
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            found.append((i, j))
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
    scaled = [replace(i, values=(i.values[0] * scale, *i.values[1:])) for i in original]
    pairs = _pairs(scaled, edited)
    before = [i for i in range(len(original)) if i not in {i for i, _ in pairs}]
    changes: list[tuple[str, Item]] = []
    for item in (edited[j] for j in range(len(edited)) if j not in {j for _, j in pairs}):
        moved = next((i for i in before if original[i].key == item.key), None)
        if moved is not None:
            before.remove(moved)
        changes.append(("added" if moved is None else "changed", item))
    changes += [("removed", original[i]) for i in before]
    return _Delta(frozenset(i for i, _ in pairs), changes)


def _scale(original: list[Item], edited: list[Item], tolerance: float) -> float:
    """Return the factor by which an edit rescaled the slices it left alone: the one most slices agree on.

    Between factors with as many slices behind them, the one nearest to 1.
    """
    now = {item.key: item.values[0] for item in edited}
    factors = [now[i.key] / i.values[0] for i in original if i.key in now and i.values[0] and now[i.key]]

    def rank(factor: float) -> tuple[int, float]:
        return sum(abs(f - factor) <= tolerance * factor for f in factors), -abs(math.log(factor))

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
    left = list(have.changes)
    right = 0
    for kind, item in want.changes:
        for change in left:
            if change[0] == kind and change[1].key == item.key and (kind == "removed" or item.like(change[1])):
                left.remove(change)
                right += 1
                break
    counts = Counts(right, len(want.changes), len(have.changes))
    return Edit(counts, len(want.untouched & have.untouched), len(want.untouched))
