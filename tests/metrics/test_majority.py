"""The vote over several responses."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvision
from mmmath_tasks.metrics.majority import equal_sets, vote

RULES = (mathvision.expectation, mathvision.official_equal)
ROW = {"id": "1", "question": "How many?", "level": 1, "subject": "algebra"}
FREE = {**ROW, "options": [], "answer": "\\frac{1}{2}"}
CHOICE = {**ROW, "options": ["1", "2", "3", "4", "5"], "answer": "C"}


def voted(row, *responses):
    benchmark = mm.benchmark("mathvision")
    problem = benchmark.problem(row)
    return vote(problem, [benchmark.score(problem, response) for response in responses], *RULES).verdict


@pytest.mark.parametrize(
    ("answers", "winner", "tied", "agreement"),
    [
        ("b a a", 1, False, 1 / 3),
        ("a b", 0, True, 0),  # one each: the first
        ("c a b a c", 0, True, 2 / 10),  # two each: the one that came first, not the one that was complete first
        ("- - a", 2, False, 0),
        ("- -", 0, False, 0),
        ("a a a b", 0, False, 3 / 6),
    ],
)
def test_the_largest_set_wins(answers, winner, tied, agreement):
    names = [None if answer == "-" else answer for answer in answers.split()]
    verdicts = [mm.Verdict(str(i), None, None, name, name) for i, name in enumerate(names)]
    found = vote(mm.Problem("mathopeval", "1", ""), verdicts)
    assert found.verdict == verdicts[winner]
    assert found.tied_official is found.tied_verified is tied
    assert found.agreement == pytest.approx(agreement)


def test_answers_that_differ_as_texts_may_be_equal():
    assert equal_sets(["3", "a", None, "A"], lambda first, second: first.lower() == second.lower()) == [[0], [1, 3]]


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
    found = vote(problem, [verdict], *RULES)
    assert found.verdict == verdict
    assert found.agreement != found.agreement


def test_where_a_benchmark_names_no_kind_of_answer_texts_are_counted():
    problem = mm.Problem("mathopeval", "1", "Which?", ("p", "q"), "A", "multi_choice")
    verdicts = [mm.Verdict("1", right, right, letter, letter) for right, letter in ((False, "B"), (True, "A"))]
    assert vote(problem, [*verdicts, verdicts[1]]).verdict == verdicts[1]
