"""Means with counts and 95 % intervals, overall and by slice: what every benchmark's summarise is made of."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mmmath_tasks.problem import Problem, Score, Verdict

Z = 1.959963984540054
"""The normal distribution's 97.5 % point."""


def interval(middle: float, variance: float, count: float) -> tuple[float, float]:
    """Return the 95 % score interval of a mean of values between 0 and 1; (nan, nan) for count 0.

    It is Wilson's, with the values' own variance in place of that of right and wrong: for those the two are the same,
    for many values it is the normal interval, and for few it is never a point, however near the values are.

    Args:
        middle: the mean.
        variance: of the values (their mean square less the square of their mean).
        count: how many there are.
    """
    if count == 0:
        return math.nan, math.nan
    whole = count + Z * Z
    centre = (count * middle + Z * Z / 2) / whole
    spread = Z / whole * math.sqrt(count * max(0.0, variance) + Z * Z / 4)
    return max(0.0, min(middle, centre - spread)), min(1.0, max(middle, centre + spread))


def wilson(successes: float, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a proportion; (nan, nan) for count 0."""
    share = successes / count if count else math.nan
    return interval(share, share * (1 - share), count)


def proportion(metric: str, outcomes: Sequence[bool], group: str = "", slice: str = "") -> Score:
    """Return the share of True with its Wilson interval; nan over no outcomes."""
    hits, count = sum(outcomes), len(outcomes)
    low, high = wilson(hits, count)
    return Score(metric, group, slice, hits / count if count else math.nan, count, low, high)


def mean(
    metric: str, values: Sequence[float], group: str = "", slice: str = "", scale: tuple[float, float] = (0.0, 1.0)
) -> Score:
    """Return the mean of values on a scale with its 95 % `interval`; nan over no values."""
    count = len(values)
    if not count:
        return Score(metric, group, slice, math.nan, 0)
    least, most = scale
    size = most - least
    middle = math.fsum(values) / count
    variance = math.fsum((value - middle) ** 2 for value in values) / count / size**2
    low, high = (least + end * size for end in interval((middle - least) / size, variance, count))
    return Score(metric, group, slice, middle, count, min(low, middle), max(high, middle))


def proportions(
    metric: str,
    pairs: Iterable[tuple[Problem, bool | None]],
    groups: Sequence[str] = (),
    order: Mapping[str, Sequence[str]] | None = None,
) -> list[Score]:
    """Return the overall share of True and the share in every slice of `groups`.

    Args:
        metric: the name of the numbers.
        pairs: problems with their outcome; None is left out of every denominator.
        groups: names of breakdowns, keys of Problem.groups.
        order: for a breakdown, its slices in the order of the paper (with those that do not occur, as nan over 0);
            others follow sorted.
    """
    known = [(problem, outcome) for problem, outcome in pairs if outcome is not None]
    scores = [proportion(metric, [outcome for _, outcome in known])]
    for group in groups:
        slices: dict[str, list[bool]] = defaultdict(list)
        for problem, outcome in known:
            for name in problem.groups.get(group, ()):
                slices[name].append(outcome)
        first = list((order or {}).get(group, ()))
        names = first + sorted(set(slices) - set(first))
        scores += [proportion(metric, slices.get(name, []), group, name) for name in names]
    return scores


def joined(problems: Iterable[Problem], verdicts: Iterable[Verdict]) -> list[tuple[Problem, Verdict]]:
    """Return every verdict with its problem, in the verdicts' order; those of unknown problems are left out."""
    by_id = {problem.id: problem for problem in problems}
    return [(by_id[verdict.id], verdict) for verdict in verdicts if verdict.id in by_id]


def shares(verdicts: Iterable[Verdict]) -> list[Score]:
    """Return `share_empty` and `share_unextracted`: of the responses, those without text or without an answer read.

    No answer is read from what `counts` has as "empty", "refusal" or "unextracted", and from some of its "truncated".
    """
    found = list(verdicts)
    return [
        proportion("share_empty", [verdict.reason == "empty" for verdict in found]),
        proportion("share_unextracted", [verdict.extracted is None for verdict in found]),
    ]


def counts(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Return the counts that every scorecard has.

    "total" problems, "scored" (official or verified known, or rated), "unscored" (none), "missing" (no verdict at all),
    "truncated" (Verdict.truncated, whatever else is said of the response), and one count for every other cause named in
    Verdict.reason (up to its first colon), "empty", "refusal" and "unextracted" always among them. "unextracted" counts
    responses from which nothing was read; where an answer was read that cannot be one (it matches no option, it is no
    number), the count is "unmatched".
    """
    scored = sum(v.official is not None or v.verified is not None or "rating" in v.scores for v in verdicts)
    causes = Counter(_cause(v) for v in verdicts if v.reason)
    causes["truncated"] = sum(v.truncated or v.reason == "truncated" for v in verdicts)
    seen = {v.id for v in verdicts}
    return {
        "total": len(problems),
        "scored": scored,
        "unscored": len(verdicts) - scored,
        "missing": sum(p.id not in seen for p in problems),
        **{name: causes.get(name, 0) for name in ("empty", "refusal", "truncated", "unextracted")},
        **dict(sorted(causes.items())),
    }


def _cause(verdict: Verdict) -> str:
    cause = verdict.reason.split(":")[0]
    return "unmatched" if cause == "unextracted" and verdict.extracted is not None else cause
