"""What several sampled responses to each problem are worth: mean, pass@k, majority, consistency, each with its error.

The error of a mean has two parts, of which problems were asked and of which responses the model happened to give
(Miller 2024, arXiv 2411.00640, section 3): with n responses to each of N problems, p being the chance that a response
to a problem is right, it is Var(p) / N + E[p (1 - p)] / nN. Responses to one problem are no independent problems: an
interval over all n N responses as if they were is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mmmath_tasks.metrics.majority import TIES, Vote
from mmmath_tasks.metrics.tally import interval, mean
from mmmath_tasks.problem import Score, Verdict

RULES = {"acc": "official", "acc_verified": "verified"}


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard error of a mean over samples of problems, in its parts; 0 to 1, nan where it cannot be told.

    Attributes:
        problems: from having asked these problems and no others.
        samples: from having drawn these responses and no others.
    """

    problems: float
    samples: float


def spread(rights: Sequence[Sequence[bool]]) -> Spread:
    """Return the parts of the standard error of the mean over problems of the share right.

    Args:
        rights: for each problem, whether each of its responses is right; at least one a problem.
    """
    count = len(rights)
    shares = [sum(right) / len(right) for right in rights]
    several = [share * (1 - share) / (len(r) - 1) for share, r in zip(shares, rights, strict=True) if len(r) > 1]
    if count < 2 or not several:
        return Spread(math.nan, math.nan)
    middle = math.fsum(shares) / count
    whole = math.fsum((share - middle) ** 2 for share in shares) / (count - 1) / count
    samples = math.fsum(several) / len(several) / count  # where a problem has one response, as noisy as the others
    return Spread(math.sqrt(max(0.0, whole - samples)), math.sqrt(samples))


def pass_at(k: int, right: Sequence[bool]) -> float:
    """Return the unbiased estimate that one of k responses is right, from n of them (Chen et al. 2021, equation 1)."""
    return 1 - math.comb(len(right) - sum(right), k) / math.comb(len(right), k)


def scores(draws: Sequence[Sequence[Verdict]], votes: Sequence[Vote]) -> list[Score]:
    """Return what the samples are worth; nothing where no problem has two.

    Args:
        draws: the verdicts of each problem's responses, in the order in which they were sampled.
        votes: of each of them.

    Returns:
        for both rules `<metric>_mean@n`, whose interval is about problems of this kind, `<metric>_mean@n_here`, about
        other responses to these problems only, `<metric>_pass@k` (k = 1, 2, 4, ... n; of problems with k responses and
        more) and `<metric>_maj@n`; and `consistency@n`, the chance that two responses to a problem give equal answers.
        n is the most responses that a problem has.
    """
    most = max(map(len, draws), default=1)
    if most < 2:
        return []
    found = []
    for metric, rule in RULES.items():
        rights = [[right for v in drawn if (right := getattr(v, rule)) is not None] for drawn in draws]
        rights = [right for right in rights if right]
        if not rights:
            continue
        average = mean(f"{metric}_mean@{most}", [sum(right) / len(right) for right in rights])
        found += [average, _here(average, rights, most)]
        for k in _powers(most):
            found.append(mean(f"{metric}_pass@{k}", [pass_at(k, right) for right in rights if len(right) >= k]))
        voted = [float(right) for vote in votes if (right := getattr(vote.verdict, rule)) is not None]
        found.append(mean(f"{metric}_maj@{most}", voted))
    found.append(mean(f"consistency@{most}", [v.agreement for v in votes if not math.isnan(v.agreement)]))
    return found


def _here(average: Score, rights: Sequence[Sequence[bool]], most: int) -> Score:
    error, responses = spread(rights).samples, sum(map(len, rights))
    ends = (math.nan, math.nan) if math.isnan(error) else interval(average.value, error**2 * responses, responses)
    return Score(f"{average.metric}_here", "", "", average.value, average.count, *ends)


def _powers(most: int) -> list[int]:
    return [*(2**i for i in range(most.bit_length()) if 2**i < most), most]


def note(draws: Sequence[Sequence[Verdict]], votes: Sequence[Vote]) -> str:
    """Return what must stand beside these scores."""
    sizes = [len(drawn) for drawn in draws]
    least, most = min(sizes), max(sizes)
    each = f"{most}" if least == most else f"{least} to {most}"
    tied = ", ".join(f"{sum(getattr(v, f'tied_{rule}') for v in votes)} by {metric}" for metric, rule in RULES.items())
    return (
        f"Each problem has {each} responses: scores without @ are about the first. The interval of mean@{most} holds "
        f"the error of having asked these problems and of having drawn these responses, that of mean@{most}_here the "
        f"second only. maj@{most} is the verdict of {TIES}; tied: {tied}, of {len(votes)} votes."
    )
