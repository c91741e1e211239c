"""Several responses a problem: the parts of the error by simulation, pass@k by enumeration, what is said of it."""

import itertools
import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.metrics import sampling
from mmmath_tasks.metrics.majority import vote
from mmmath_tasks.problem import Problem, Verdict

RIGHTS = st.lists(st.booleans(), min_size=1, max_size=8)


def scored(rights):
    """Scores of problems whose responses are right or wrong, each answer a text of its own kind."""
    draws = [[Verdict(str(i), r, r, str(r), str(r)) for r in right] for i, right in enumerate(rights)]
    votes = [vote(Problem("mathopeval", d[0].id, ""), d) for d in draws]
    return {score.metric: score for score in sampling.scores(draws, votes)}, sampling.note(draws, votes)


@given(RIGHTS, st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_right_one(right, data):
    k = data.draw(st.integers(1, len(right)))
    subsets = list(itertools.combinations(right, k))
    assert sampling.pass_at(k, right) == pytest.approx(sum(map(any, subsets)) / len(subsets))


def test_the_parts_of_the_error_are_those_of_drawing_again():
    """500 runs of 150 problems with 4 responses; the chances to be right are drawn anew, or kept."""
    dice = np.random.default_rng(5)
    kept = dice.beta(0.6, 0.9, 150)
    anew, here, parts = [], [], []
    for _ in range(500):
        rights = dice.random((4, 150)) < dice.beta(0.6, 0.9, 150)
        anew.append(rights.mean())
        parts.append(sampling.spread(rights.T.tolist()))
        here.append((dice.random((4, 150)) < kept).mean())
    whole = [math.hypot(p.problems, p.samples) for p in parts]
    assert statistics.fmean(whole) == pytest.approx(statistics.stdev(anew), rel=0.08)
    assert statistics.fmean(p.samples for p in parts) == pytest.approx(statistics.stdev(here), rel=0.08)


def test_both_intervals_hold_what_they_are_about():
    dice = random.Random(3)
    hits = [0, 0]
    for _ in range(200):
        chances = [dice.betavariate(0.6, 0.9) for _ in range(120)]
        found, _ = scored([[dice.random() < p for _ in range(4)] for p in chances])
        hits[0] += found["acc_mean@4"].low <= 0.4 <= found["acc_mean@4"].high
        here = found["acc_mean@4_here"]
        hits[1] += here.low <= statistics.fmean(chances) <= here.high
    assert 180 <= hits[0] <= 199
    assert 180 <= hits[1] <= 199


def test_what_a_few_samples_are_worth():
    found, said = scored([[True, False, True], [False, False, False], [True, False]])
    assert found["acc_mean@3"].value == pytest.approx((2 / 3 + 0 + 1 / 2) / 3)
    assert found["acc_pass@1"].value == pytest.approx(found["acc_mean@3"].value)
    assert (found["acc_pass@2"].value, found["acc_pass@2"].count) == (pytest.approx((1 + 0 + 1) / 3), 3)
    assert (found["acc_pass@3"].value, found["acc_pass@3"].count) == (0.5, 2)
    assert found["acc_maj@3"].value == pytest.approx(2 / 3)  # the tie goes to the first, which is right
    assert found["consistency@3"].value == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert "Each problem has 2 to 3 responses" in said
    assert "tied: 1 by acc, 1 by acc_verified, of 3 votes" in said


def test_one_response_each_has_no_spread():
    found, _ = scored([[True], [False]])
    assert not found
    assert all(map(math.isnan, (sampling.spread([[True], [False]]).samples, sampling.spread([]).problems)))


def test_responses_that_never_differ_leave_the_error_of_the_problems():
    parts = sampling.spread([[True] * 3, [False] * 3, [True] * 3])
    assert parts.samples == 0
    assert parts.problems == pytest.approx(statistics.stdev([1, 0, 1]) / math.sqrt(3))
    found, _ = scored([[True] * 3, [False] * 3])
    assert found["acc_mean@3_here"].low < 0.5 < found["acc_mean@3_here"].high
