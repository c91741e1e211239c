"""What kind of answer each benchmark's problems ask for, and what a gold means."""

import pytest

from mmmath_tasks.metrics import mathverse, mathvision, mathvista, wemath
from mmmath_tasks.metrics.answers import Expectation
from mmmath_tasks.metrics.mathvision_official import equal, model_answer
from mmmath_tasks.metrics.mathvision_values import value
from mmmath_tasks.problem import Problem

CHOICES = ("red", "blue", "green")
CHOSEN = {"choices": CHOICES, "question_type": "multi_choice", "answer_type": "text"}
NUMBER = {"answer_type": "float", "precision": 2, "unit": "cm"}
WHOLE = {"extra": {"question_for_eval": "The whole?"}}
ASKED = [
    (mathvista, CHOSEN, Expectation("choice", CHOICES, None, None, "Q?")),
    (mathvista, NUMBER, Expectation("float", (), 2, "cm", "Q?")),
    (mathvista, {"answer_type": "list"}, Expectation("list", (), None, None, "Q?")),
    (mathvision, CHOSEN, Expectation("choice", CHOICES, question="Q?")),
    (mathvision, NUMBER, Expectation("expression", (), question="Q?")),
    (mathverse, CHOSEN | WHOLE, Expectation("choice", CHOICES, question="The whole?")),
    (mathverse, NUMBER, Expectation("expression", (), question="Q?")),
    (wemath, CHOSEN, Expectation("choice", CHOICES, question="Q?")),
    (wemath, {}, Expectation("choice", ("",) * 5, question="Q?")),
]


@pytest.mark.parametrize(("module", "fields", "wanted"), ASKED)
def test_what_a_problem_asks_for(module, fields, wanted):
    name = module.__name__.rpartition(".")[2]
    assert module.expectation(Problem(name, "1", "Q?", **fields)) == wanted


@pytest.mark.parametrize(
    ("gold", "meant"),
    [
        ("\x0crac{1}{2}", "\\frac{1}{2}"),
        ("$\\boxed{3}$", "3"),
        ("$\\boxed{3}", "$\\boxed{3}"),
        ("30{degrees}", "30"),
        ("9{squareinches}", "9"),
        ("9{inches} ", "9"),
        ("9{feet}", "9{feet}"),
    ],
)
def test_a_gold_is_read_as_its_author_meant_it(gold, meant):
    assert mathvision.readable_gold(gold) == meant
    problem = Problem("mathvision", "1", "Q?", answer=gold)
    for said, right in ((meant, True), ("8", False)):
        assert mathvision.score(problem, f"The answer is ${said}$.").verified is right


@pytest.mark.parametrize(("gold", "verified"), [("C", True), ("B", False), ("CD", False), ("", False), ("G", False)])
def test_an_option_is_right_where_the_gold_is_its_letter(gold, verified):
    problem = Problem("mathvision", "1", "Q?", answer=gold, **CHOSEN)
    assert mathvision.score(problem, "The answer is C.").verified is verified


def test_options_of_the_same_text_are_one():
    problem = Problem("mathvision", "1", "Q?", answer="A", **{**CHOSEN, "choices": ("5", "7", "5")})
    assert [mathvision.score(problem, f"The answer is {letter}.").verified for letter in "ABC"] == [True, False, True]


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("The answer is 12. So it is. Done", "12"),
        ("the final answer is 7\nor 8. No", "7"),
        ("(B) B\nsince", "b"),
        ("It is 61.", "61"),
    ],
)
def test_an_announced_answer_ends_with_its_sentence_or_line(response, answer):
    assert model_answer(response) == answer


def test_an_x_is_an_answer_and_blanks_are_none():
    assert [equal("X", "x"), equal(" ", " "), equal("x", " "), equal("\t", "\t")] == [True, False, False, True]


@pytest.mark.parametrize(
    ("text", "found"),
    [("2\\cdot3", 6), ("6\\times7", 42), ("12\\div4", 3.0), ("2*3/4", 1.5), ("-2^2", -4), ("7-2-3", 2)],
)
def test_arithmetic(text, found):
    assert value(text) == found
