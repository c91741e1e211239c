"""We-Math's readings and classes, on small made-up problems."""

import itertools
import math

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import wemath


def rows(*problems):
    """Return the rows of problems, named by their number of steps."""
    found = []
    for number, steps in enumerate(problems, 1):
        for key in [*(str(i) for i in range(1, steps + 1)), "multi"]:
            row = {"ID": f"{steps}steps_{number}", "key": f"{steps}steps_{key}", "question": "Which?", "answer": "B"}
            row |= {"option": "A. 1; B. 2; C. 3", "knowledge concept": "Area of Circles" if key != "multi" else "x;y"}
            found.append(mm.benchmark("wemath").problem(row))
    return found


def verdicts(problems, outcomes):
    return [mm.Verdict(p.id, o, o) for p, o in zip(problems, outcomes, strict=True) if o is not None]


@pytest.mark.parametrize(
    ("response", "letter", "verified"),
    [
        ("<Thought process>: <<2>>\n<Answer>: <<B>>", "B", True),
        ("<Answer>:\nB", "B", True),
        ("Answer:B. 2", "B", True),
        ("<Answer>: <<A>>", "A", False),
        ("Answer: (B)", None, True),
        ("**Answer:** B", None, True),
        ("\\boxed{B}", None, True),
        ("answer: b", None, True),
        ("Answer: Cannot be determined", "C", False),
        ("Answer: First, I would need the figure.", "F", False),
        ("Answer: A, no, Answer: B", "B", True),
        ("B", "B", True),
        ("The answer is C", None, False),
        ("", None, False),
        (None, None, False),
    ],
)
def test_readings(response, letter, verified):
    problem = rows(2)[0]
    verdict = wemath.score(problem, response)
    assert (verdict.prediction, verdict.official, verdict.verified) == (letter, letter == "B", verified)


def test_an_extraction_replaces_the_response():
    verdict = wemath.score(rows(2)[0], "Answer: A", extraction="B")
    assert (verdict.official, verdict.verified, verdict.rule) == (True, True, "extraction")


def test_the_eight_outcomes_of_a_two_step_problem():
    problems = rows(*[2] * 8)
    outcomes = [o for three in itertools.product([False, True], repeat=3) for o in three]  # step, step, whole
    card = wemath.summarise(problems, verdicts(problems, outcomes))
    # whole wrong: steps 00 01 10 are IK, 11 is IG; whole right: 11 CM, 01 10 partly, 00 rote
    wanted = {"ik": 3 / 8, "ig": 1 / 8, "cm_strict": 1 / 8, "cm_loose": 3 / 8, "rm_strict": 3 / 4, "rm_loose": 1 / 4}
    wanted |= {"score_strict": 0.5 / 8 + 1 / 8, "score_loose": 0.5 / 8 + 3 / 8, "s1": 0.5, "s2": 0.5}
    assert {name: card.value(name) for name in wanted} == pytest.approx(wanted)
    assert {name: card.value(f"{name}_verified") for name in wanted} == pytest.approx(wanted)
    assert card.get("rm_strict").count == 4
    assert math.isnan(card.value("s3"))
    assert card.counts["problems_complete"] == 8


def test_intervals_hold_the_values_and_never_shrink_to_a_point():
    problems = rows(2, 2, 2, 3)
    for outcomes in ([True] * 13, [False] * 13):
        card = wemath.summarise(problems, verdicts(problems, outcomes))
        for name in wemath.DIMENSIONS:
            score = card.get(name)
            if not math.isnan(score.value):
                assert score.low <= score.value <= score.high
                assert score.high - score.low > 0.1


def test_incomplete_problems_are_counted_and_not_scored():
    problems = rows(2, 3)
    outcomes = [True, True, True, True, None, True, True]
    card = wemath.summarise(problems, verdicts(problems, outcomes))
    assert card.value("score_strict") == 1
    assert card.get("score_strict").count == 1
    assert (card.counts["problems_complete"], card.counts["problems_incomplete"]) == (1, 1)
    assert card.counts["missing"] == 1


def test_an_incomplete_problem_never_raises_the_score():
    problems = rows(2, 2)
    whole = wemath.summarise(problems, verdicts(problems, [False] * 6))
    holes = wemath.summarise(problems, verdicts(problems, [False] * 3 + [False, None, None]))
    assert whole.value("score_strict") == holes.value("score_strict") == 0


def test_nothing_at_all_is_nan():
    card = wemath.summarise([], [])
    assert math.isnan(card.value("score_strict"))
    assert math.isnan(card.value("s1"))


def test_a_topic_is_the_mean_over_its_concepts():
    base = {"question": "Which?", "option": "A. 1; B. 2", "answer": "B"}
    concepts = ["Area of Circles"] * 3 + ["Area of Squares"]
    problems = [
        mm.benchmark("wemath").problem({**base, "ID": f"2steps_{i}", "key": "2steps_1", "knowledge concept": concept})
        for i, concept in enumerate(concepts)
    ]
    card = wemath.summarise(problems, verdicts(problems, [True, True, False, False]))
    assert card.value("s1", "topic", "Calculation of Plane Figures") == pytest.approx((2 / 3 + 0) / 2)
    assert card.value("s1", "domain", "Plane Figures") == pytest.approx(1 / 3)
    assert card.value("s1", "concept", "Area of Circles") == pytest.approx(2 / 3)
    assert card.value("s1") == 0.5
