"""Paired differences: intervals that are no points, p values that know how many they are."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.outputs.paired_difference import compare, holm, only_one_right
from mmmath_tasks.problem import Problem, Verdict


def compared(pairs, parts=1):
    """Compare two runs whose verdicts are `pairs`; problem i is in part i modulo `parts` of one breakdown."""
    problems = [
        Problem("mathvista", str(i), "?", groups={"task": (str(i % parts),)} if parts > 1 else {})
        for i in range(len(pairs))
    ]
    first, second = ([Verdict(str(i), pair[j], pair[j]) for i, pair in enumerate(pairs)] for j in (0, 1))
    return compare(problems, first, second)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_interval_of_a_difference_is_never_a_point(pairs):
    (found,) = compared(pairs)
    change = found.second - found.first
    assert -1 <= found.low <= change + 1e-12
    assert change - 1e-12 <= found.high <= 1
    assert found.high - found.low > 0.02


def test_two_problems_gained_prove_nothing():
    (found,) = compared([(False, True)] * 2)
    assert found.low < 0 < found.high
    assert found.p == 0.5


def test_an_interval_worked_out_by_hand():
    """Of 50 problems 12 gained and 3 lost: change 9 / 52, either 17 / 52; Bonett and Price 2012, equation 4."""
    (found,) = compared([(False, True)] * 12 + [(True, False)] * 3 + [(True, True)] * 20 + [(False, False)] * 15)
    assert (found.low, found.high) == pytest.approx((0.0249, 0.3213), abs=5e-4)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_p_of_parts_is_corrected_and_that_of_the_whole_is_not():
    whole, *parts = compared([(False, True)] * 60 + [(True, True)] * 60, parts=10)
    assert whole.p < 1e-15
    assert [part.p for part in parts] == pytest.approx([10 * 2 * 0.5**6] * 10)


def test_each_rule_compares_its_own_verdicts_of_what_both_runs_scored():
    """Official: 0 lost, 1 and 2 gained, 3 both; verified: 1 lost, 0 and 4 gained, 5 neither; others in one run."""
    official = [(True, False), (False, True), (False, True), (True, True), (None, True), (True, None)]
    verified = [(False, True), (True, False), (None, True), (True, None), (False, True), (False, False)]
    problems = [Problem("mathvista", str(i), "?", groups={"g": ("odd" if i % 2 else "even",)}) for i in range(7)]
    first, second = (
        [Verdict(str(i), o[j], v[j]) for i, (o, v) in enumerate(zip(official, verified, strict=True))] for j in (0, 1)
    )
    first.append(Verdict("6", True, True))  # which the second lacks
    found = {rule: compare(problems, first, second, rule) for rule in ("official", "verified")}
    rows = {
        rule: [(d.group, d.slice, d.count, d.first, d.second, d.only_first, d.only_second) for d in differences]
        for rule, differences in found.items()
    }
    assert rows == {
        "official": [
            ("", "", 4, 2 / 4, 3 / 4, 1, 2),
            ("g", "even", 2, 1 / 2, 1 / 2, 1, 1),
            ("g", "odd", 2, 1 / 2, 1.0, 0, 1),
        ],
        "verified": [
            ("", "", 4, 1 / 4, 2 / 4, 1, 2),
            ("g", "even", 2, 0.0, 1.0, 0, 2),
            ("g", "odd", 2, 1 / 2, 0.0, 1, 0),
        ],
    }
    assert only_one_right(first, second) == (["0"], ["1", "2"])
    assert only_one_right(first, second, "verified") == (["1"], ["0", "4"])
    assert compare(problems, first, second) == found["official"]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 5))
def test_p_counts_splits_at_least_as_uneven_and_the_interval_is_bonetts_and_prices(gained, lost, others):
    pairs = [(False, True)] * gained + [(True, False)] * lost + [(True, True)] * others
    if not pairs:
        return
    (found,) = compared(pairs)
    either, n = gained + lost, len(pairs) + 2
    tail = [k for k in range(either + 1) if math.comb(either, k) <= math.comb(either, gained)]
    assert found.p == pytest.approx(sum(math.comb(either, k) for k in tail) / 2**either)
    p12, p21 = (gained + 1) / n, (lost + 1) / n
    half = 1.959964 * math.sqrt((p12 + p21 - (p12 - p21) ** 2) / n)
    assert (found.low, found.high) == pytest.approx((max(-1, p12 - p21 - half), min(1, p12 - p21 + half)), abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_holm_is_the_closed_test_of_bonferronis(p):
    """p_i is the largest of min(1, size * smallest) over every set of hypotheses that holds i (Marcus et al. 1976)."""
    wanted = [0.0] * len(p)
    for chosen in range(1, 2 ** len(p)):
        held = [i for i in range(len(p)) if chosen >> i & 1]
        bound = min(1.0, len(held) * min(p[i] for i in held))
        wanted = [max(w, bound) if i in held else w for i, w in enumerate(wanted)]
    assert holm(p) == pytest.approx(wanted)


def test_the_interval_of_a_difference_holds_it_95_times_in_100():
    """400 pairs of runs on 80 problems: 15 % gained, 8 % lost."""
    dice, held = random.Random(6), 0
    for _ in range(400):
        draws = dice.choices([(False, True), (True, False), (True, True)], [15, 8, 77], k=80)
        (found,) = compared(draws)
        held += found.low <= 0.07 <= found.high
    assert 370 <= held <= 396
