"""Numbers as a person reads them."""

import math

import pytest

from mmmath_tasks.number_text import p_value, percent, score_text, signed
from mmmath_tasks.problem import Score


def test_what_rounds_to_nothing_has_no_sign():
    assert [percent(x) for x in (0.679, 0.0, -0.0, -0.0004, 4.87e-17, -4.87e-17, -0.0006)] == [
        *("67.9", "0.0", "0.0", "0.0", "0.0", "0.0", "-0.1")
    ]
    assert [signed(x) for x in (3.21, -3.21, 0.04, -0.04, -0.0, 4.87e-17)] == ["+3.2", "-3.2", *["0.0"] * 4]
    assert percent(math.nan) == signed(math.nan) == "\u2013"


def test_a_p_value_has_no_digits_that_nobody_can_use():
    assert [p_value(p) for p in (1.0, 0.5, 0.0123, 0.001, 4.87e-17, 0.0)] == [
        *("1.000", "0.500", "0.012", "0.001", "<0.001", "<0.001")
    ]


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Score("acc", "", "", 0.679, 1000, 0.65, 0.707), ("67.9", "65.0", "70.7")),
        (Score("rating", "", "", 7.25, 4, 6.0, 8.0), ("7.25", "6.00", "8.00")),
        (Score("execution_rating_correlation", "", "", 0.4, 9), ("0.40", "", "")),
        (Score("acc", "", "", math.nan, 0), ("\u2013", "", "")),
        (Score("gain", "", "", -0.0001, 9, -0.0002, 0.0001), ("0.0", "0.0", "0.0")),
    ],
)
def test_a_score_and_the_ends_of_its_interval(score, said):
    assert score_text(score) == said
