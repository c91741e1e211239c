"""The vote over several responses."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvision
from mmmath_tasks.metrics.majority import majority, vote

RULES = (mathvision.expectation, mathvision.official_equal)
ROW = {"id": "1", "question": "How many?", "level": 1, "subject": "algebra"}
FREE = {**ROW, "options": [], "answer": "\\frac{1}{2}"}
CHOICE = {**ROW, "options": ["1", "2", "3", "4", "5"], "answer": "C"}


def voted(row, *responses):
    benchmark = mm.benchmark("mathvision")
    problem = benchmark.problem(row)
    return vote(problem, [benchmark.score(problem, response) for response in responses], *RULES)


@pytest.mark.parametrize(
    ("answers", "position"),
    [
        (["3", "4", "4"], 1),
        (["3", "4"], 0),  # one each: the first
        (["3", "4", "5", "4", "3"], 0),  # two each: the one that came first, not the one that was complete first
        ([None, None, "4"], 2),
        ([None, ""], 1),
        ([None], None),
        ([], None),
    ],
)
def test_the_largest_set_wins(answers, position):
    assert majority(answers, lambda first, second: False) == position


def test_answers_that_differ_as_texts_may_be_equal():
    assert majority(["3", "a", "A"], lambda first, second: first.lower() == second.lower()) == 1


@pytest.mark.parametrize(
    ("row", "responses", "official", "verified"),
    [
        # Equal by value: three say a half, two say 3.
        (FREE, ["\\boxed{3}", "\\boxed{3}", "\\boxed{0.5}", "\\boxed{1/2}", "\\boxed{\\frac{2}{4}}"], True, True),
        # Without braces a half is none for upstream: its vote is a tie of 3 and the other two, and 3 came first.
        (FREE, ["\\boxed{3}", "\\boxed{3}", "\\boxed{0.5}", "\\boxed{1/2}", "\\boxed{\\frac12}"], False, True),
        (FREE, ["\\boxed{\\frac12}", "\\boxed{0.5}", "\\boxed{1/2}", "\\boxed{3}", "\\boxed{3}"], True, True),
        # Upstream rounds: 0.504 and 0.5 are one answer to it, and two to a reader.
        (FREE, ["\\boxed{3}", "\\boxed{3}", "\\boxed{0.504}", "\\boxed{0.5}", "\\boxed{0.5}"], True, False),
        (FREE, ["I do not know.", "", "\\boxed{0.5}"], True, True),
        (FREE, ["", "I cannot see the picture."], False, False),
        (CHOICE, ["\\boxed{B}", "The answer is C.", "\\boxed{3}"], True, True),  # C is the option 3
        (CHOICE, ["\\boxed{7}", "\\boxed{7}", "\\boxed{C}"], False, True),  # 7 is no option: no vote of a reader's
        (CHOICE, ["**C**", "**C**", "\\boxed{B}"], False, True),  # upstream does not read bold letters
        (CHOICE, ["\\boxed{B}", "\\boxed{C}", "\\boxed{C}", "\\boxed{2}"], False, False),
    ],
)
def test_each_rule_votes_on_what_it_reads(row, responses, official, verified):
    found = voted(row, *responses)
    assert (found.official, found.verified) == (official, verified)


def test_a_vote_of_one_is_its_verdict():
    benchmark = mm.benchmark("mathvision")
    problem = benchmark.problem(FREE)
    verdict = benchmark.score(problem, "\\boxed{0.5}")
    assert vote(problem, [verdict], *RULES) == verdict


def test_where_a_benchmark_names_no_kind_of_answer_texts_are_counted():
    problem = mm.Problem("mathopeval", "1", "Which?", ("p", "q"), "A", "multi_choice")
    verdicts = [mm.Verdict("1", right, right, letter, letter) for right, letter in ((False, "B"), (True, "A"))]
    assert vote(problem, [*verdicts, verdicts[1]]) == verdicts[1]
