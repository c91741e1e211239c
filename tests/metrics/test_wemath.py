"""We-Math's readings and classes, on small made-up problems."""

import dataclasses
import itertools
import math
import random

import pytest
from scipy.stats import binomtest

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


@pytest.mark.parametrize(
    ("response", "extraction", "extracted", "reason"),
    [
        ("Answer: B", None, "B", ""),
        ("", None, None, "empty"),
        ("Answer: A", "B", "B", ""),
        ("Answer: A", "", None, "empty"),
        ("I cannot see the picture.", None, None, "refusal"),
    ],
)
def test_what_was_read_and_why_nothing_was(response, extraction, extracted, reason):
    problem = rows(2)[0]
    verdict = wemath.score(problem, response, extraction=extraction)
    assert (verdict.extracted, verdict.reason) == (extracted, reason)
    without = wemath.score(dataclasses.replace(problem, answer=None), response, extraction=extraction)
    assert (without.official, without.verified, without.extracted, without.reason) == (None, None, extracted, "no_gold")


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
    assert (card.counts["problems_complete"], card.headline) == (8, "score_strict")


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


def test_nothing_at_all_is_nan():
    card = wemath.summarise([], [])
    assert math.isnan(card.value("score_strict"))
    assert math.isnan(card.value("s1"))


def test_dimensions_of_two_rules_that_differ_by_the_papers_formulas():
    """80 problems of either kind, some rows without a verdict by either rule: Section 4.2's classes, one by one."""
    dice = random.Random(4)
    problems = rows(*(dice.choice([2, 3]) for _ in range(80)))
    found = [
        mm.Verdict(p.id, dice.choice([True] * 5 + [False] * 4 + [None]), dice.choice([True, False, False]))
        for p in problems
    ]
    card = wemath.summarise(problems, found)
    for rule, suffix in (("official", ""), ("verified", "_verified")):
        parts = {}
        for problem, verdict in zip(problems, found, strict=True):
            parts.setdefault(problem.extra["problem"], []).append(getattr(verdict, rule))
        whole = [outcomes for outcomes in parts.values() if None not in outcomes]
        kinds = [(outcomes[-1], all(outcomes[:-1]), any(outcomes[:-1])) for outcomes in whole]
        n, right = len(whole), sum(multi for multi, *_ in kinds)
        ig = sum(not multi and every for multi, every, _ in kinds)
        strict, loose = (sum(multi and kind[i] for multi, *kind in kinds) for i in (0, 1))
        wanted = {"ik": (n - right - ig) / n, "ig": ig / n, "cm_strict": strict / n, "cm_loose": loose / n}
        wanted |= {"rm_strict": 1 - strict / right, "rm_loose": 1 - loose / right}
        wanted |= {"score_strict": ig / n / 2 + strict / n, "score_loose": ig / n / 2 + loose / n}
        for name, value in wanted.items():
            score = card.get(f"{name}{suffix}")
            assert (score.value, score.count) == (pytest.approx(value), right if name[:2] == "rm" else n), name
        assert len({round(value, 6) for value in wanted.values()}) == 8
    counted = sum(None not in [v.official for v in found if v.id.startswith(f"{key}|")] for key in parts)
    assert (card.counts["problems"], card.counts["problems_complete"]) == (80, counted)
    assert card.counts["problems_incomplete"] == 80 - counted > 0


def test_intervals_of_the_dimensions_are_those_of_drawing_problems_again():
    """Clopper and Pearson's limits, for the dimensions that are shares of problems."""
    found = wemath.Mastery(ik=30, ig=50, mastered=40, partly=20, rote=10)
    of = {"ik": (30, 150), "ig": (50, 150), "cm_strict": (40, 150), "cm_loose": (60, 150)}
    of |= {"rm_strict": (30, 70), "rm_loose": (10, 70)}
    intervals = wemath._intervals(found)
    for name, (k, n) in of.items():
        exact = binomtest(k, n).proportion_ci(method="exact")
        assert intervals[name] == pytest.approx((exact.low, exact.high), abs=0.02), name
    for name, part in (("score_strict", 40), ("score_loose", 60)):
        value = (25 + part) / 150
        half = 1.96 * (((25 / 2 + part) / 150 - value**2) / 150) ** 0.5
        assert intervals[name] == pytest.approx((value - half, value + half), abs=0.012), name


def test_the_interval_of_a_topic_holds_its_mean():
    """Two concepts, of 200 rows three quarters right and of 50 a fifth: a stratified mean's variance by hand."""
    base = {"question": "Which?", "option": "A. 1; B. 2", "answer": "B"}
    concepts = ["Area of Circles"] * 200 + ["Area of Squares"] * 50
    problems = [
        mm.benchmark("wemath").problem({**base, "ID": f"2steps_{i}", "key": "2steps_1", "knowledge concept": concept})
        for i, concept in enumerate(concepts)
    ]
    card = wemath.summarise(problems, verdicts(problems, [i < 150 or 200 <= i < 210 for i in range(250)]))
    score = card.get("s1", "topic", "Calculation of Plane Figures")
    half = 1.96 * math.sqrt(0.75 * 0.25 / 200 + 0.2 * 0.8 / 50) / 2
    assert (score.value, score.count) == (pytest.approx(0.475), 250)
    assert (score.low, score.high) == pytest.approx((0.475 - half, 0.475 + half), abs=0.002)
    orders = {
        group: [s.slice for s in card.scores if (s.metric, s.group) == ("s1", group)] for group in ("topic", "domain")
    }
    assert orders == {"topic": list(wemath.TOPICS), "domain": list(wemath.DOMAINS)}
