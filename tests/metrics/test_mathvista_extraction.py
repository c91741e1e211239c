"""What stands in for the model that reads MathVista's answers: upstream's short cuts, and the habits of its model."""

import pytest

from mmmath_tasks.metrics.answers import read
from mmmath_tasks.metrics.mathvista import expectation, score
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction, stand_in
from mmmath_tasks.problem import Problem

CHOICE = Problem("mathvista", "1", "Which?", ("yes", "no", "7"), "no", "multi_choice", "text")
WHOLE = Problem("mathvista", "2", "How many?", answer="7", answer_type="integer")
DECIMAL = Problem("mathvista", "3", "How long?", answer="7.5", answer_type="float", precision=1)
LISTED = Problem("mathvista", "4", "Which two?", answer="[1, 2]", answer_type="list")


@pytest.mark.parametrize(
    ("problem", "response", "found"),
    [
        *((problem, "", "") for problem in (CHOICE, WHOLE, DECIMAL, LISTED)),
        (CHOICE, "no", "no"),
        (CHOICE, "No", None),
        (CHOICE, "B", None),
        (WHOLE, "no", None),
        (WHOLE, " 007\n", "7"),
        (WHOLE, "7.0", None),
        (WHOLE, "1_000", "1000"),
        (WHOLE, "7" + " " * 399, "7"),
        (WHOLE, "7" + " " * 400, None),
        (DECIMAL, "7", "7.0"),
        (DECIMAL, " 7.50", "7.5"),
        (DECIMAL, "about 7", None),
        (LISTED, "[1, 2]", None),
        (LISTED, "7", None),
    ],
)
def test_upstream_asks_no_model_where_the_response_is_the_answer(problem, response, found):
    assert quick_extraction(response, problem) == found


@pytest.mark.parametrize(
    ("problem", "response", "found"),
    [
        (CHOICE, "The answer is B.", "B"),
        (WHOLE, "The answer is 7.", "7"),
        (CHOICE, "First, find the height. Then, find the base. It follows that they are related.", ""),
        (CHOICE, "I cannot see the picture, sorry.", "N/A"),
        (CHOICE, "It cannot be determined.", "Cannot be determined"),
        (CHOICE, "It CAN NOT BE Answered.", "Cannot be answered"),
        (CHOICE, "It can't be solved; it could not be determined.", "Cannot be determined"),
        (CHOICE, f"It cannot be determined. {'x' * 9958} It could not be solved.", "Cannot be determined"),
        # questions that the model made up: the last that has an answer
        (WHOLE, "The answer is 7.\n\nQuestion: How many legs?\nThe answer is 8.", "8"),
        (WHOLE, "The answer is 7.\n\nQuestion: How many legs?\nThe answer is 8.\n\nQuestion: Why?\nSo it is.", "8"),
        (CHOICE, "The answer is B.\n\nQuestion: Which?\nThe answer is A.", "A"),
        (CHOICE, "The answer is B.\n\nQuestion: How many legs?\nThe answer is 8.", "8"),
        (CHOICE, "The answer is B.\n\nQuestion: How many legs?\nThe answer is 8 legs.", "8"),
    ],
)
def test_what_upstreams_model_would_write(problem, response, found):
    wanted = expectation(problem)
    assert stand_in(response, read(response, wanted), wanted) == found


def test_the_short_cut_replaces_the_reading_of_the_official_rule_only():
    """Upstream takes "7" as it stands, a choice, and for what declines to answer the first of the nearest ones."""
    found = score(CHOICE, "7")
    assert (found.prediction, found.official, found.reader) == ("7", False, "nobody")
    found = score(CHOICE, "I cannot see the picture, sorry.")
    assert (found.prediction, found.verified, found.reader, found.reason) == ("yes", False, "rules", "refusal")
