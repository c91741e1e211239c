"""Where in a response the answer was read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics.answers import Expectation, read
from mmmath_tasks.problem import Verdict

OPTIONS = ("12 cm", "15 cm", "18 cm", "21 cm")
CHOICE, NUMBER, FORMULA = Expectation("choice", OPTIONS), Expectation("float"), Expectation("expression")


@pytest.mark.parametrize(
    ("response", "expectation", "marked"),
    [
        ("First 3 * 5 = 15. The answer is **(B)**. Hope it helps!", CHOICE, "The answer is **(B)"),
        ("<think>A? no, 12</think>So <answer>B</answer> it is.", CHOICE, "<answer>B"),
        ("It is 12, or rather 15 cm.\n\nB", CHOICE, "B"),
        ("The total is \\boxed{\\frac{3}{4}}, and 4 of it are 3.", NUMBER, "{\\frac{3}{4}}"),
        ("There are 3 reds and 4 blues.\nSo there are 7 in all.", NUMBER, "So there are 7 in all"),
        ("\u6240\u4ee5\u7b54\u6848\u662f\uff22\u3002", CHOICE, "\u6240\u4ee5\u7b54\u6848\u662f\uff22"),
        ("We find that $x^2 = 9$, hence $x = 3$.", FORMULA, "We find that $x^2 = 9$, hence $x = 3$"),
        ("I cannot see the picture.", CHOICE, None),
    ],
)
def test_the_passage_that_was_read_is_marked(response: str, expectation: Expectation, marked: str | None) -> None:
    span = read(response, expectation).span
    assert (None if span is None else response[slice(*span)]) == marked


@given(st.text(max_size=60), st.sampled_from([CHOICE, NUMBER, FORMULA]))
def test_a_span_lies_within_its_response(text: str, expectation: Expectation) -> None:
    span = read(text, expectation).span
    assert span is None or 0 <= span[0] < span[1] <= len(text)


def test_a_verdict_keeps_its_span_as_json() -> None:
    problem = mm.Problem("mathvision", "1", "How long?", answer="15")
    verdict = mm.benchmark("mathvision").score(problem, "So it is \\boxed{15}.")
    assert verdict.span == (9, 19)
    assert verdict.features
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert mm.benchmark("mathvision").score(problem, "", extraction="15").span is None
