"""Function plots: curves read on a grid of 201 points over [-5, 5].

Lines of a plot whose domains do not overlap are the pieces of one curve; overlapping ones are different curves.
A grid point counts where the curve is defined and in view. Where a curve's domain begins or ends, the grid point on
either side is left out, since it depends on how finely the curve was sampled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmmath_tasks.metrics.figures.counts import Counts, Edit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Curve = NDArray[np.float64]

Element = Mapping[str, Any]
LOW, HIGH, SIZE = -5.0, 5.0, 201
# So that no plot, however crowded, takes long to compare: lines (and pieces of one) put on the grid, and curves
LINES, CURVES = 2_000, 300


def curves(elements: Sequence[Element]) -> list[Curve]:
    """Return each curve's values on the grid, nan where it is undefined or out of view.

    Of more than LINES lines the first are read, and of more than CURVES curves the first returned.
    """
    import numpy as np

    grid = np.linspace(LOW, HIGH, SIZE)
    lines = [e for e in elements if e["kind"] == "line"]
    longest = max((len(e["x"]) - e["x"].count(None) for e in lines), default=0)
    found = np.full((CURVES, SIZE), np.nan)
    taken = np.zeros((CURVES, SIZE), dtype=bool)  # where a curve is defined
    count = 0
    for line in lines[:LINES]:
        x, y = (np.array(line[name], dtype=float) for name in ("x", "y"))  # None is nan
        seen = ~np.isnan(x) & ~np.isnan(y)
        if seen.sum() < 2 or np.ptp(x[seen]) == 0:
            continue
        if seen.sum() == 2 and longest > 2 and np.ptp(y[seen]) == 0:
            continue  # a helper line
        curve = np.full(SIZE, np.nan)
        for piece in _pieces(seen)[:LINES]:
            px, py = x[piece], y[piece]
            if len(px) < 2:
                continue
            if np.all(np.diff(px) <= 0):
                px, py = px[::-1], py[::-1]
            if np.all(np.diff(px) >= 0):
                inside = (grid >= px[0] - 1e-9) & (grid <= px[-1] + 1e-9)
                curve[inside] = np.interp(grid[inside], px, py)
        defined = ~np.isnan(curve)
        if not defined.any():
            continue
        # A piece of the first curve whose domain it hardly overlaps, else a curve of its own
        apart = np.flatnonzero(np.count_nonzero(taken[:count] & defined, axis=1) <= 1)
        if len(apart) or count < CURVES:
            place = apart[0] if len(apart) else count
            count = max(count, int(place) + 1)
            found[place] = np.where(taken[place], found[place], curve)
            taken[place] |= defined
    return list(found[:count])


def _pieces(seen: Any) -> list[slice]:
    """Return the runs of neighbouring samples that are seen."""
    import numpy as np

    edges = [0, *(np.flatnonzero(seen[1:] != seen[:-1]) + 1).tolist(), len(seen)]
    return [slice(a, b) for a, b in pairwise(edges) if seen[a]]


def _slack(curve: Curve, tolerance: float) -> Curve:
    """Return how far off each value may be: of its own size, or of the curve's usual size near a zero."""
    import numpy as np

    size = np.abs(curve)
    usual = np.nanmedian(size) or np.nanmean(size)
    return tolerance * np.fmax(size, usual) + 1e-9


def _edges(curve: Curve) -> Any:
    """Return where the grid lies next to an end of the curve's domain within the grid."""
    import numpy as np

    steps = np.flatnonzero(np.diff(np.isnan(curve)))
    near = np.zeros(SIZE, dtype=bool)
    for step in steps:
        near[max(0, step) : step + 2] = True
    return near


def _aligned(base: list[Curve], others: list[Curve], tolerance: float) -> list[Curve]:
    """Put `others` into the order in which they agree best with `base`; more follow, absent ones are all nan."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    if not base or not others:
        return [*(np.full(SIZE, np.nan) for _ in base), *others]
    every = np.array(others)
    agree = np.array([(np.abs(every - b) <= _slack(b, tolerance)).sum(axis=1) for b in base])
    rows, columns = linear_sum_assignment(-agree)
    place = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    first = [others[place[i]] if i in place else np.full(SIZE, np.nan) for i in range(len(base))]
    return [*first, *(o for j, o in enumerate(others) if j not in place.values())]


def compare(reference: Sequence[Element], generated: Sequence[Element], tolerance: float) -> Counts:
    """Count the grid points of the reference's curves at which the generated plot has the same value."""
    import numpy as np

    wanted = curves(reference)
    given = _aligned(wanted, curves(generated), tolerance)
    right = total = shown = 0
    for number, curve in enumerate(given):
        if number >= len(wanted):
            shown += int(np.sum(~np.isnan(curve)))
            continue
        want = wanted[number]
        fair = ~_edges(want)
        right += int(np.sum((np.abs(curve - want) <= _slack(want, tolerance)) & fair))
        total += int(np.sum(~np.isnan(want) & fair))
        shown += int(np.sum(~np.isnan(curve) & fair))
    return Counts(right, total, shown)


def edit(
    original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> Edit:
    """Compare what the generated plot changed in the original, grid point by grid point, with the reference."""
    import numpy as np

    after = curves(reference)
    before = _aligned(after, curves(original), tolerance)
    now = _aligned(after, curves(generated), tolerance)
    size = max(len(after), len(before), len(now))
    nothing = np.full(SIZE, np.nan)
    right = wanted = given = kept = untouched = 0
    for number in range(size):
        was, want, have = (c[number] if number < len(c) else nothing for c in (before, after, now))
        fair = ~(_edges(want) | _edges(was))
        slack_was = _slack(was, tolerance) if not np.isnan(was).all() else np.full(SIZE, np.inf)
        slack_want = _slack(want, tolerance) if not np.isnan(want).all() else np.full(SIZE, np.inf)
        moved = _differs(was, want, slack_was) & fair
        touched = _differs(was, have, slack_was) & fair
        good = ~_differs(want, have, slack_want)
        right += int(np.sum(moved & touched & good))
        wanted += int(np.sum(moved))
        given += int(np.sum(touched))
        alone = ~np.isnan(was) & ~moved & fair
        untouched += int(np.sum(alone))
        kept += int(np.sum(alone & ~touched))
    return Edit(Counts(right, wanted, given), kept, untouched)


def _differs(one: Curve, other: Curve, slack: Curve) -> Any:
    """Return where two curves differ: only one is defined, or the values are further apart than the slack."""
    import numpy as np

    far = np.abs(one - other) > slack
    return far | (np.isnan(one) != np.isnan(other))
