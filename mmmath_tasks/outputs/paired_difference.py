"""Two runs on the same problems: paired differences, their intervals, McNemar's test."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from mmmath_tasks.metrics.tally import Z
from mmmath_tasks.problem import Problem, Verdict

CORRECTED = "p of the parts is corrected for their number (Holm)"
"""What must stand where the `p` of more than one part is shown."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How two runs differ on one slice.

    Attributes:
        group: the breakdown; "" for the whole set.
        slice: its part; "" for the whole set.
        count: problems that both runs were scored on.
        first: share right in the first run, 0 to 1.
        second: share right in the second run.
        only_first: problems that only the first run has right.
        only_second: problems that only the second run has right.
        p: two-sided exact McNemar test: how probable so uneven a split of those is by chance; 1 where there are none.
            Of a slice, it is corrected for the number of slices (Holm 1979), all breakdowns together.
        low: lower end of the 95 % interval of second - first (Bonett and Price 2012: as if in one problem more the
            first run alone were right, in another the second; never a point, however few the problems). Not corrected.
        high: its upper end.
    """

    group: str
    slice: str
    count: int
    first: float
    second: float
    only_first: int
    only_second: int
    p: float
    low: float
    high: float


def compare(
    problems: Sequence[Problem], first: Sequence[Verdict], second: Sequence[Verdict], rule: str = "official"
) -> list[Difference]:
    """Return the paired difference by a rule over the whole set, then over every slice of every breakdown."""
    pairs = _paired(first, second, rule)
    slices: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for problem in problems:
        if problem.id in pairs:
            slices["", ""].append(pairs[problem.id])
            for group, names in problem.groups.items():
                for name in names:
                    slices[group, name].append(pairs[problem.id])
    keys = sorted(slices, key=lambda key: (key[0] != "", *key))
    found = [_difference(*key, slices[key]) for key in keys]
    parts = [one for one in found if one.group]
    corrected = holm([one.p for one in parts])
    return [*found[: len(found) - len(parts)], *(replace(one, p=p) for one, p in zip(parts, corrected, strict=True))]


def holm(p: Sequence[float]) -> list[float]:
    """Return p values corrected for their number (Holm 1979): the chance of one false alarm among all stays bounded."""
    found, most = list(p), 0.0
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        most = max(most, min(1.0, (len(p) - rank) * p[i]))
        found[i] = most
    return found


def only_one_right(
    first: Sequence[Verdict], second: Sequence[Verdict], rule: str = "official"
) -> tuple[list[str], list[str]]:
    """Return the ids that only the first run has right, and those that only the second has; see `compare`."""
    pairs = _paired(first, second, rule)
    lost = [key for key, pair in pairs.items() if pair == (True, False)]
    return lost, [key for key, pair in pairs.items() if pair == (False, True)]


def _paired(first: Sequence[Verdict], second: Sequence[Verdict], rule: str) -> Mapping[str, tuple[bool, bool]]:
    other = {verdict.id: getattr(verdict, rule) for verdict in second}
    found: dict[str, tuple[bool, bool]] = {}
    for verdict in first:
        mine, yours = getattr(verdict, rule), other.get(verdict.id)
        if mine is not None and yours is not None:
            found[verdict.id] = (mine, yours)
    return found


@cache
def _exact(gained: int, lost: int) -> float:
    """Return the p of McNemar's test; a page asks for the same few numbers thousands of times."""
    from scipy.stats import binomtest

    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def _difference(group: str, slice: str, pairs: Sequence[tuple[bool, bool]]) -> Difference:
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    change, either = (gained - lost) / (len(pairs) + 2), (gained + lost + 2) / (len(pairs) + 2)
    spread = Z * math.sqrt((either - change**2) / (len(pairs) + 2))
    return Difference(
        group=group,
        slice=slice,
        count=len(pairs),
        first=sum(one for one, _ in pairs) / len(pairs),
        second=sum(other for _, other in pairs) / len(pairs),
        only_first=lost,
        only_second=gained,
        p=_exact(gained, lost),
        low=max(-1.0, change - spread),
        high=min(1.0, change + spread),
    )
