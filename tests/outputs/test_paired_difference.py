"""Paired differences: intervals that are no points, p values that know how many they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.outputs.paired_difference import compare, holm
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
