"""Two runs on the same problems: paired differences, McNemar's test, bootstrap intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mmmath_tasks.problem import Problem, Verdict

_ROUNDS = 2000
_SEED = 20240101


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
        low: lower end of the 95 % bootstrap interval of second - first.
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
    """Return the paired difference over the whole set, then over every slice of every breakdown.

    Args:
        problems: those that either run is about.
        first: one run's verdicts.
        second: the other's.
        rule: "official" or "verified".
    """
    pairs = _paired(first, second, rule)
    slices: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for problem in problems:
        if problem.id in pairs:
            slices["", ""].append(pairs[problem.id])
            for group, names in problem.groups.items():
                for name in names:
                    slices[group, name].append(pairs[problem.id])
    keys = sorted(slices, key=lambda key: (key[0] != "", *key))
    return [_difference(*key, slices[key]) for key in keys]


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


def _difference(group: str, slice: str, pairs: Sequence[tuple[bool, bool]]) -> Difference:
    import numpy as np
    from scipy.stats import binomtest

    right = np.array(pairs, dtype=np.int8)
    change = right[:, 1] - right[:, 0]
    gained, lost = int((change > 0).sum()), int((change < 0).sum())
    # a resample of problems only matters through how many gained and lost it draws
    shares = np.array([gained, lost, len(pairs) - gained - lost]) / len(pairs)
    drawn = np.random.default_rng(_SEED).multinomial(len(pairs), shares, size=_ROUNDS)
    low, high = np.quantile((drawn[:, 0] - drawn[:, 1]) / len(pairs), [0.025, 0.975])
    return Difference(
        group=group,
        slice=slice,
        count=len(pairs),
        first=float(right[:, 0].mean()),
        second=float(right[:, 1].mean()),
        only_first=lost,
        only_second=gained,
        p=float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0,
        low=float(low),
        high=float(high),
    )
