"""MathVerse's real text-only rows: options, golds, rule scoring, and the paper's random chance."""

import json
import random
from collections import Counter

import pytest

from mmmath_tasks.hub_datasets import mathverse as rows_of
from mmmath_tasks.metrics import mathverse


@pytest.fixture(scope="session")
def problems(shared):
    return [rows_of.problem(row) for row in rows_of.read(shared / "data" / "mathverse", "testmini_text_only")]


def test_rows(problems):
    assert len(problems) == 788
    chosen = [p for p in problems if p.question_type == "multi_choice"]
    assert Counter(len(p.choices) for p in chosen) == {4: 366, 5: 30, 2: 21, 3: 12, 6: 7}
    assert {p.groups["subject"][0] for p in problems} == {"Plane Geometry", "Solid Geometry", "Functions"}
    assert len({p.groups["subfield"][0] for p in problems}) == 12
    for problem in problems:
        assert rows_of.prompt(problem) == problem.extra["query_wo"]
        assert problem.question in rows_of.prompt(problem, "cot")


def test_the_odd_golds_are_listed_and_read(problems):
    chosen = [p for p in problems if p.question_type == "multi_choice"]
    odd = {p.extra["problem_index"]: p for p in chosen if p.answer not in ("A", "B", "C", "D")}
    assert set(odd) == set(rows_of.ODD_GOLDS)
    letters = {index: "".join(mathverse.gold_letters(p)) for index, p in odd.items()}
    assert letters == {
        **{"339": "A", "340": "A", "429": "B", "430": "A", "440": "CD", "517": "C", "518": "C", "521": "B", "523": "B"},
        **{"524": "E", "525": "F", "526": "F", "528": "E", "552": "E", "555": "AC", "756": "E", "760": "E"},
    }
    for index, problem in odd.items():
        right = " and ".join(letters[index])
        wrong = "A" if right != "A" else "B"
        assert mathverse.score(problem, f"The answer is {right}.").verified is True, index
        assert mathverse.score(problem, f"The answer is {wrong}.").verified is False, index


def test_golds_repeated_and_exchanged(problems):
    """A gold repeated is right, but for ten of two parts that no rule reads out of a sentence; another's is wrong."""
    repeated = [p for p in problems if not mathverse.score(p, f"The answer is {p.answer}.").verified]
    assert len(repeated) <= 10
    draw = random.Random(0)
    free = [p for p in problems if not p.choices]
    for problem in free:
        other = draw.choice([p for p in free if p.answer != problem.answer])
        if not mathverse.equal(other.answer, problem.answer, mathverse.expectation(problem)):
            assert mathverse.score(problem, f"The answer is {other.answer}.").verified is False, problem.id


def test_random_chance(problems):
    """What the options imply lies near the paper's 12.4 (Table 2); free-form answers are left empty."""
    implied = sum(map(mathverse.chance, problems)) / len(problems)
    assert implied == pytest.approx(0.124, abs=0.025)


def test_published_responses(shared):
    """The two output files beside the code hold GPT-4V's right answers to one problem."""
    for name in ("output_testmini", "output_testmini_text_only"):
        rows = json.loads((shared / "data" / "mathverse" / f"{name}.json").read_text())
        for row in rows:
            problem = rows_of.problem(row)
            assert mathverse.score(problem, row["model_answer"]).official is None
    assert mathverse.score(problem, row["model_answer"]).verified is True
