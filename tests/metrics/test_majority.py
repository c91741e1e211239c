"""The vote over several responses."""

import pytest

from mmmath_tasks.metrics.answers import Expectation
from mmmath_tasks.metrics.majority import majority

FREE = Expectation("expression", question="How long is it?")
CHOICE = Expectation("choice", ("1", "2", "3", "4", "5"), question="Which?")


@pytest.mark.parametrize(
    ("expectation", "responses", "position"),
    [
        (FREE, ["\\boxed{3}", "\\boxed{4}", "\\boxed{4}"], 1),
        (FREE, ["\\boxed{3}", "\\boxed{4}"], 0),  # one each: the first
        (FREE, ["\\boxed{0.5}", "\\boxed{2}", "\\boxed{\\frac{1}{2}}"], 0),  # equal by value
        (FREE, ["I do not know.", "", "\\boxed{4}"], 2),
        (FREE, ["", "I cannot see the picture."], None),
        (FREE, [], None),
        (CHOICE, ["(B)", "The answer is C.", "\\boxed{3}"], 1),  # C is the option 3
        (CHOICE, ["(B)", "The answer is 7.", "The answer is 7.", "(D)", "(D)"], 3),  # 7 is no option
    ],
)
def test_majority(expectation, responses, position):
    assert majority(responses, expectation) == position
