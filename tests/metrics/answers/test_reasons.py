"""Why no answer was read: it broke off, it declines, or there is none."""

from __future__ import annotations

import pytest

from mmmath_tasks.metrics.answers import Expectation, read

STEPS = "The triangle ABC is isosceles. Its angles at B and C are equal. The angle at A cannot be seen well.\n\n" * 4
CHOICE = Expectation("choice", ("10", "11", "12", "13"), question="How long is PT?")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (STEPS + "\\[\nPT = \\frac{2 \\times", "truncated"),
        (STEPS + "The y-intercept of the line \\( \\frac{3}{5", "truncated"),
        (STEPS + "Since no option is 30, we look again. The correct length should", "truncated"),
        (STEPS + "\u56e0\u6b64\uff0c\u6211\u4eec\u9700\u8981\u91cd\u65b0", "truncated"),
        (STEPS + "Therefore the length cannot be determined.", "refusal"),
        ("Unfortunately the picture is cut. " + STEPS + "Reefs are home to many kinds of fish, and", "refusal"),
        ("I cannot determine the length from this picture", "refusal"),
        ("<Answer>: <<>>", "unextracted"),
        ("\\boxed{}", "unextracted"),
        ("(A) 10,(B) 11,(C) 12,(D) 13", "unextracted"),
    ],
)
def test_a_reason_stands_for_an_answer_that_is_missing(response, reason):
    reading = read(response, CHOICE)
    assert (reading.choice, reading.reason) == (None, reason)
    assert reading.text is None or reason == "truncated"


def test_what_is_no_option_is_still_shown():
    assert read(STEPS[:64] + "The length is 30.", CHOICE).text == "30"
