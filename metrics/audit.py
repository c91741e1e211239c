"""An audit: some responses, drawn at random, read by a careful reader, and what all of them are worth by it.

The estimate is the prediction-powered one (Angelopoulos et al. 2023, arXiv 2301.09633), its power tuned (2311.01453)
within strata (Fisch et al. 2024, 2406.04291). Where predictions are right or wrong and the strata are made of them,
that is the sum over strata of size times share right; its interval is a posterior's instead of the normal one, since
reading errors are rare (Hofer et al. 2024, 2405.06034). docs/decisions/audit.md derives and measures both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mmmath_tasks.problem import Verdict

BANDS = {"least sure": 0.1, "others": 1.0}
"""Band of confidence to the share of the responses, the least sure first, up to which it goes."""

_TAILS = (0.025, 0.975)
_LEAST = 2  # labels that a stratum has at least, if it has as many responses


@dataclass(frozen=True, slots=True)
class Stratum:
    """Responses that the rules judged alike and were about equally sure of.

    Attributes:
        name: "least sure, called right", say.
        right: what the rules call every one of them.
        ids: of its problems.
        doubt: the mean chance of a reading error, by the rules' own confidence, 0 to 1.
    """

    name: str
    right: bool
    ids: tuple[str, ...]
    doubt: float


@dataclass(frozen=True, slots=True)
class Audited:
    """What a careful reader would say of all responses.

    Attributes:
        value: estimated share right, 0 to 1.
        whole: 95 % interval for problems of this kind: the error of having asked these only, and of having read some
            only.
        these: 95 % interval for these responses: what a careful reader of all of them would say.
        labelled: how many have a label.
        count: how many responses there are.
    """

    value: float
    whole: tuple[float, float]
    these: tuple[float, float]
    labelled: int
    count: int


def strata(verdicts: Sequence[Verdict], rule: str) -> list[Stratum]:
    """Return the strata, by band of confidence and verdict; responses without a verdict are in none.

    Args:
        verdicts: one a problem, in any order.
        rule: "official" or "verified".
    """
    known = sorted((v for v in verdicts if getattr(v, rule) is not None), key=lambda v: (v.confidence, v.id))
    found, start = [], 0
    for band, share in BANDS.items():
        end = round(share * len(known))
        for right in (True, False):
            inside = [v for v in known[start:end] if getattr(v, rule) is right]
            if inside:
                doubt = 1 - math.fsum(v.confidence for v in inside) / len(inside)
                name = f"{band}, called {'right' if right else 'wrong'}"
                found.append(Stratum(name, right, tuple(v.id for v in inside), doubt))
        start = end
    return found


def allocation(found: Sequence[Stratum], size: int) -> list[int]:
    """Return how many of each stratum to read, `size` in all, or everything where that is less.

    Half by the strata's sizes and half by size times the deviation that the rules' confidence lets expect (Neyman
    1934), so that an audit of responses on which that confidence is wrong loses little.
    """
    sizes = [len(one.ids) for one in found]
    spreads = [len(one.ids) * math.sqrt(max(0.0, one.doubt * (1 - one.doubt))) for one in found]
    parts = [amounts for amounts in (sizes, spreads) if sum(amounts)]
    shares = [math.fsum(amounts[i] / sum(amounts) for amounts in parts) / len(parts) for i in range(len(found))]
    chosen = [0] * len(found)
    for _ in range(min(size, sum(sizes))):
        open_ones = [i for i in range(len(found)) if chosen[i] < sizes[i]]
        few = [i for i in open_ones if chosen[i] < _LEAST]
        chosen[max(few or open_ones, key=lambda i: (shares[i] * size - chosen[i], -i))] += 1
    return chosen


def audited(found: Sequence[Stratum], labels: Mapping[str, bool]) -> Audited:
    """Return what all responses are worth, from the labels of some, drawn at random within each stratum.

    Args:
        found: from `strata`.
        labels: id to whether the response is right; of none, the rules' verdicts stand, with an interval that says so.
    """
    import numpy as np
    from scipy.optimize import brentq
    from scipy.stats import beta

    count = sum(len(one.ids) for one in found)
    if not count:
        return Audited(math.nan, (math.nan, math.nan), (math.nan, math.nan), 0, 0)
    read = [[labels[key] for key in one.ids if key in labels] for one in found]
    value = math.fsum(
        len(one.ids) * (sum(own) / len(own) if own else float(one.right)) for one, own in zip(found, read, strict=True)
    )
    value, known = value / count, sum(map(sum, read))
    jeffreys = np.cumsum(_unread(found, read, [0.5] * len(found)))
    these = _around(value, [(known + int(end)) / count for end in np.searchsorted(jeffreys, _TAILS)])
    chances = _unread(found, read, [0.5 * len(one.ids) / count for one in found])
    likely = np.flatnonzero(chances > 1e-12)
    mixed = beta(known + likely + 0.5, count - known - likely + 0.5)

    def below(share: float, wanted: float) -> float:
        return float(chances[likely] @ mixed.cdf(share)) - wanted

    whole = [float(brentq(below, 0.0, 1.0, args=(wanted,))) for wanted in _TAILS]
    return Audited(value, _around(value, [*these, *whole]), these, sum(map(len, read)), count)


def _unread(found: Sequence[Stratum], read: Sequence[Sequence[bool]], doubts: Sequence[float]) -> Any:
    """Return the chances that 0, 1, 2, ... of the responses without a label are right.

    Args:
        found: the strata.
        read: the labels of each.
        doubts: how many labels against the rules' verdict each had before any was read; for it, it is a half.
    """
    import numpy as np
    from scipy.signal import fftconvolve
    from scipy.stats import betabinom

    chances: Any = np.ones(1)
    for one, own, doubt in zip(found, read, doubts, strict=True):
        rights, unread = sum(own), len(one.ids) - len(own)
        before = (0.5, doubt) if one.right else (doubt, 0.5)
        spread = betabinom.pmf(np.arange(unread + 1), unread, rights + before[0], len(own) - rights + before[1])
        chances = np.maximum(fftconvolve(chances, spread), 0.0)
    return chances / chances.sum()


def _around(value: float, ends: Sequence[float]) -> tuple[float, float]:
    return min(value, *ends), max(value, *ends)
