"""How many problems, or responses to each, it takes to show a difference between two models.

With one response a problem the test is McNemar's exact one, as in `mmmath rescore --compare`: of the problems that one
model only has right, are those of either too many for a fair coin? Its power is computed exactly.
"""

from __future__ import annotations

import math

from mmmath_tasks.metrics.tally import Z

LEVEL = 0.05
"""The chance of a false alarm, both sides together."""

MOST = 200_000
"""More problems than this are not searched."""


def discordance(accuracy: float, difference: float, ratio: float) -> float:
    """Return the share of problems that one of two models only has right.

    Args:
        accuracy: share right of the first, 0 to 1.
        difference: of the second less the first.
        ratio: discordance to that of two models whose right answers have nothing to do with one another.
    """
    other = accuracy + difference
    apart = accuracy * (1 - other) + other * (1 - accuracy)
    return min(1.0, max(abs(difference), ratio * apart))


def power(count: int, difference: float, differing: float) -> float:
    """Return the chance that McNemar's exact test shows a difference.

    Args:
        count: problems.
        difference: of the shares right, -1 to 1.
        differing: share of problems that one model only has right; at least the difference.
    """
    import numpy as np
    from scipy.stats import binom

    if not differing or count < 1:
        return 0.0
    low, high = binom.interval(1 - 1e-12, count, differing)
    discordant = np.arange(low, high + 1)
    # the largest number of wins of the loser at which the test, two tails of a fair coin, still rejects
    most = binom.ppf(LEVEL / 2, discordant, 0.5)
    most = np.where(binom.cdf(most, discordant, 0.5) > LEVEL / 2, most - 1, most)
    share = (differing + difference) / (2 * differing)
    rejected = binom.cdf(most, discordant, share) + binom.cdf(most, discordant, 1 - share)
    return float(np.sum(binom.pmf(discordant, count, differing) * rejected))


def problems_for(difference: float, differing: float, wanted: float = 0.8) -> int | None:
    """Return the fewest problems, to within 1 in 200, that show a difference with a chance of at least `wanted`.

    None: it would take more than MOST. The exact test rejects in steps, so a few problems more may show it less often.
    """
    low, high = 1, 16
    while power(high, difference, differing) < wanted:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, difference, differing) >= wanted else (middle, high)
    return high


def smallest_difference(count: int, accuracy: float, ratio: float, wanted: float = 0.8) -> float | None:
    """Return the smallest gain on `accuracy`, to 0.0005, that so many problems show; None where none is shown."""
    low, high = 0.0, 1.0 - accuracy
    if power(count, high, discordance(accuracy, high, ratio)) < wanted:
        return None
    while high - low > 5e-4:
        middle = (low + high) / 2
        shown = power(count, middle, discordance(accuracy, middle, ratio)) >= wanted
        low, high = (low, middle) if shown else (middle, high)
    return high


def samples_for(count: int, difference: float, differing: float, noise: float, wanted: float = 0.8) -> int | None:
    """Return the responses of each model to each of so many problems that it takes; None: no number of them does.

    With n responses the variance of a problem's difference in the share right is (1 - noise + noise / n) times that of
    one, which is `differing` less the difference squared; the mean over the problems is tested by the normal
    distribution.

    Args:
        count: problems.
        difference: of the shares right.
        differing: see `power`.
        noise: the part of the variance that is another one when the models answer again, 0 to 1; the rest is that some
            problems suit one of them better.
        wanted: the chance to show it.
    """
    from scipy.stats import norm

    one = differing - difference**2
    allowed = count * difference**2 / (Z + float(norm.ppf(wanted))) ** 2
    left = allowed - (1 - noise) * one
    if one <= allowed:
        return 1
    return math.ceil(noise * one / left) if left > 0 else None
