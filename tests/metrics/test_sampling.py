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


def test_each_rule_has_its_own_samples_of_unequal_number_and_some_without_a_verdict():
    """Official 2 of 3 and 1 of 1 (one of two has no verdict); verified 1 of 3 and 0 of 2; the third has none."""
    rows = [[(True, False), (True, True), (False, False)], [(None, False), (True, False)], [(None, None)]]
    draws = [[Verdict(str(i), o, v, f"{o}{v}", f"{o}") for o, v in row] for i, row in enumerate(rows)]
    votes = [vote(Problem("mathopeval", d[0].id, ""), d) for d in draws]
    found = {score.metric: score for score in sampling.scores(draws, votes)}
    wanted = {
        "acc_mean@3": ((2 / 3 + 1) / 2, 2),
        "acc_mean@3_here": ((2 / 3 + 1) / 2, 2),
        "acc_pass@1": ((2 / 3 + 1) / 2, 2),
        "acc_pass@2": (1.0, 1),
        "acc_pass@3": (1.0, 1),
        "acc_maj@3": (1.0, 1),  # of the second problem the first response, which has no verdict, wins the tie
        "acc_verified_mean@3": ((1 / 3 + 0) / 2, 2),
        "acc_verified_mean@3_here": ((1 / 3 + 0) / 2, 2),
        "acc_verified_pass@1": ((1 / 3 + 0) / 2, 2),
        "acc_verified_pass@2": ((2 / 3 + 0) / 2, 2),
        "acc_verified_pass@3": (1.0, 1),
        "acc_verified_maj@3": (0.0, 2),
        "consistency@3": (0.0, 2),
    }
    assert {name: (score.value, score.count) for name, score in found.items()} == {
        name: (pytest.approx(value), count) for name, (value, count) in wanted.items()
    }
    assert {(score.group, score.slice) for score in found.values()} == {("", "")}
    assert sampling.scores([], []) == []
    said = sampling.note(draws, votes)
    assert "Each problem has 1 to 3 responses" in said
    assert "tied: 1 by acc, 2 by acc_verified, of 3 votes" in said


def test_a_problem_of_one_response_is_taken_for_as_noisy_as_the_others():
    found = sampling.spread([[True, False], [True], [True, True, False]])
    noise = (1 / 2 * 1 / 2 / 1 + 2 / 3 * 1 / 3 / 2) / 2  # of the two that show any
    shares = [1 / 2, 1, 2 / 3]
    whole = sum((share - sum(shares) / 3) ** 2 for share in shares) / 2 / 3
    assert found.samples == pytest.approx(math.sqrt(noise / 3))
    assert found.problems == pytest.approx(math.sqrt(max(0, whole - noise / 3)))
    assert math.isnan(sampling.spread([[True], [False]]).samples)


@pytest.mark.parametrize(
    ("most", "ks"), [(2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 4]), (5, [1, 2, 4, 5]), (8, [1, 2, 4, 8])]
)
def test_pass_is_told_at_powers_of_two_and_at_all(most, ks):
    draws = [[Verdict("1", True, True, "a", "a")] * most]
    found = sampling.scores(draws, [vote(Problem("mathopeval", "1", ""), draws[0])])
    for metric in ("acc_pass@", "acc_verified_pass@"):
        assert [int(s.metric.removeprefix(metric)) for s in found if s.metric.startswith(metric)] == ks


@pytest.mark.parametrize("size", [3, 5])
def test_every_vote_by_enumeration(size):
    """Of all answers of so many responses the largest set wins, of equal sets the one whose answer came first."""
    for texts in itertools.product("abc", repeat=size):
        draws = [Verdict("1", text == "a", text == "b", text, text) for text in texts]
        result = vote(Problem("mathopeval", "1", ""), draws)
        sizes = {text: texts.count(text) for text in texts}
        best = max(sizes.values())
        leaders = [text for text in sizes if sizes[text] == best]
        assert (result.verdict.extracted, result.verdict.prediction) == (leaders[0], leaders[0])
        assert (result.verdict.official, result.verdict.verified) == (leaders[0] == "a", leaders[0] == "b")
        assert result.tied_official is result.tied_verified is (len(leaders) > 1)
        same = sum(a == b for a, b in itertools.combinations(texts, 2))
        assert result.agreement == pytest.approx(same / math.comb(size, 2))


def test_each_rule_votes_by_itself_on_what_it_reads():
    """Predictions a b b, answers x x y: the official verdict is the second response's, the verified the first's."""
    rows = [("x", "a", True, True, "r1"), ("x", "b", False, True, "r2"), ("y", "b", False, False, "r3")]
    draws = [Verdict("1", o, v, text, prediction, reader=who, confidence=0.5) for text, prediction, o, v, who in rows]
    result = vote(Problem("mathopeval", "1", ""), draws)
    won = result.verdict
    assert (won.official, won.prediction, won.reader) == (False, "b", "r2")
    assert (won.verified, won.extracted) == (True, "x")
    assert (result.tied_official, result.tied_verified, result.agreement) == (False, False, pytest.approx(1 / 3))
