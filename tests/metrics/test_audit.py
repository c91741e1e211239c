"""The estimate of an audit: against enumeration, the papers' formulas, and draws from responses that are known."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from mmmath_tasks.metrics.audit import Stratum, allocation, audited, strata
from mmmath_tasks.problem import Verdict


def stratum(name, right, size, doubt=0.01):
    return Stratum(name, right, tuple(f"{name}{i}" for i in range(size)), doubt)


def predictive(unread, rights, wrongs, before=(Fraction(1, 2), Fraction(1, 2))):
    """The chance that k of the unread are right, by a beta prior (Jeffreys'): ratios of rising factorials."""

    def rising(start, steps):
        return math.prod((start + i for i in range(steps)), start=Fraction(1))

    first, second = before
    whole = rising(rights + wrongs + first + second, unread)
    return [
        math.comb(unread, k) * rising(rights + first, k) * rising(wrongs + second, unread - k) / whole
        for k in range(unread + 1)
    ]


def test_the_interval_of_these_responses_by_enumeration():
    found = [stratum("a", True, 9), stratum("b", False, 12)]
    labels = {"a0": True, "a1": True, "a2": False, "b0": False, "b1": False, "b2": False, "b3": True}
    chances = [Fraction(0)] * 22
    for (i, p), (j, q) in itertools.product(enumerate(predictive(6, 2, 1)), enumerate(predictive(8, 1, 3))):
        chances[3 + i + j] += p * q
    assert sum(chances) == 1
    sums = list(itertools.accumulate(chances))
    ends = [next(k for k, s in enumerate(sums) if s >= Fraction(share)) / 21 for share in ("0.025", "0.975")]
    result = audited(found, labels)
    assert result.these == pytest.approx(ends)
    assert result.value == pytest.approx((9 * 2 / 3 + 12 / 4) / 21)
    assert (result.labelled, result.count) == (7, 21)


@pytest.mark.parametrize("labels", [{"a0": True, "a2": False, "b0": False, "b2": True}, {"a1": True}, {}])
def test_the_interval_for_problems_of_this_kind_by_enumeration(labels):
    """Before any, half a label for each stratum's verdict, and as much of a half as the stratum is against it."""
    found = [stratum("a", True, 9), stratum("b", False, 3)]
    known, chances = sum(labels.values()), [1]
    for one in found:
        own = [labels[key] for key in one.ids if key in labels]
        before = (Fraction(1, 2), Fraction(len(one.ids), 24))
        added = predictive(
            len(one.ids) - len(own), sum(own), len(own) - sum(own), before if one.right else before[::-1]
        )
        chances = [
            sum(chances[i] * added[k - i] for i in range(len(chances)) if 0 <= k - i < len(added))
            for k in range(len(chances) + len(added) - 1)
        ]
    kinds = [(float(p), beta(known + k + 0.5, 12 - known - k + 0.5)) for k, p in enumerate(chances)]
    shares = np.linspace(0, 1, 20_001)
    below = sum(p * kind.cdf(shares) for p, kind in kinds)
    ends = np.interp([0.025, 0.975], below, shares)
    result = audited(found, labels)
    wanted = (min(result.value, result.these[0], ends[0]), max(result.value, result.these[1], ends[1]))
    assert result.whole == pytest.approx(wanted, abs=1e-4)


def test_with_all_labels_only_the_sampling_error_is_left():
    found = [stratum("a", True, 60), stratum("b", False, 140)]
    labels = {key: i % 7 != 0 for one in found for i, key in enumerate(one.ids)}
    right = sum(labels.values())
    result = audited(found, labels)
    assert result.these == (right / 200, right / 200)
    assert result.whole == pytest.approx(beta.ppf([0.025, 0.975], right + 0.5, 200 - right + 0.5), abs=1e-9)


def test_without_labels_the_verdicts_stand_and_the_interval_says_that_nobody_looked():
    result = audited([stratum("a", True, 30), stratum("b", False, 70)], {})
    assert result.value == 0.3
    assert result.these[1] - result.these[0] > 0.6
    nothing = audited([], {})
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.whole[0])


def test_the_estimate_is_unbiased_over_all_draws():
    found = [stratum("a", True, 5), stratum("b", False, 4)]
    truth = {key: key in ("a0", "a1", "a3", "b2") for one in found for key in one.ids}
    draws = [
        audited(found, {key: truth[key] for key in (*first, *second)}).value
        for first in itertools.combinations(found[0].ids, 2)
        for second in itertools.combinations(found[1].ids, 2)
    ]
    assert math.fsum(draws) / len(draws) == pytest.approx(4 / 9)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=60))
def test_it_is_the_tuned_prediction_powered_estimate(pairs):
    """Angelopoulos, Duchi and Zrnic 2023, section 6: tuned power is cov(y, f) / var(f), for the mean of labels y."""
    f, y = np.array(pairs, dtype=float).T
    if f.std() == 0:
        return
    found = [stratum("a", True, int(3 * f.sum())), stratum("b", False, int(2 * (1 - f).sum()))]
    counted = {True: iter(found[0].ids), False: iter(found[1].ids)}
    labels = {next(counted[bool(said)]): bool(label) for said, label in pairs}
    share = len(found[0].ids) / (len(found[0].ids) + len(found[1].ids))
    power = np.cov(y, f)[0, 1] / np.var(f, ddof=1)
    assert audited(found, labels).value == pytest.approx(y.mean() + power * (share - f.mean()))


@given(st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1)), min_size=1, max_size=4), st.integers(1, 500))
def test_an_allocation_gives_out_what_there_is(sizes, size):
    found = [stratum(str(i), True, count, doubt) for i, (count, doubt) in enumerate(sizes)]
    chosen = allocation(found, size)
    assert sum(chosen) == min(size, sum(count for count, _ in sizes))
    assert all(0 <= n <= len(one.ids) for n, one in zip(chosen, found, strict=True))
    if size >= 2 * len(found):
        assert all(n >= min(2, len(one.ids)) for n, one in zip(chosen, found, strict=True))


def test_strata_are_bands_of_confidence_and_verdicts():
    verdicts = [Verdict(str(i), None, i % 2 == 0, confidence=i / 40) for i in range(40)]
    random.Random(1).shuffle(verdicts)
    found = strata([*verdicts, Verdict("x", True, None)], "verified")
    assert [(one.name, len(one.ids)) for one in found] == [
        ("least sure, called right", 2),
        ("least sure, called wrong", 2),
        ("others, called right", 18),
        ("others, called wrong", 18),
    ]
    assert set(found[0].ids) == {"0", "2"}
    assert found[0].doubt == pytest.approx(1 - 1 / 40)
    assert [one.name for one in strata([Verdict("x", True, None)], "official")] == ["others, called right"]


@pytest.mark.parametrize(("missed", "undeserved"), [(0.0, 0.0), (0.01, 0.0), (0.05, 0.02), (0.2, 0.1)])
def test_intervals_hold_the_truth(missed, undeserved):
    """Draws of 100 from 600; where errors are rare every draw must hold, or one unlucky draw in three would not."""
    dice = random.Random(7)
    hits = [0, 0]
    for _ in range(100):
        truth, verdicts = {}, []
        for i in range(600):
            right = dice.random() < 0.3
            wrong = dice.random() < (missed if right else undeserved)
            truth[str(i)] = right
            verdicts.append(Verdict(str(i), None, right != wrong, confidence=0.6 if wrong else dice.random()))
        found = strata(verdicts, "verified")
        drawn = [dice.sample(one.ids, n) for one, n in zip(found, allocation(found, 100), strict=True)]
        result = audited(found, {key: truth[key] for keys in drawn for key in keys})
        hits[0] += result.these[0] <= sum(truth.values()) / 600 <= result.these[1]
        hits[1] += result.whole[0] <= 0.3 <= result.whole[1]
    assert min(hits) >= 90
