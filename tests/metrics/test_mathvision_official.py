"""MATH-Vision's official rule, case by case, and under hostile input."""

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvision, mathvision_official
from mmmath_tasks.metrics.mathvision_values import value
from support.hostile import HOSTILE


def cases(name):
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]


def problem(answer, options=()):
    row = {"id": "1", "question": "How many?", "options": list(options), "answer": answer, "level": 1}
    return mm.benchmark("mathvision").problem({**row, "subject": "algebra"})


@pytest.mark.parametrize("case", cases("mathvision_official.jsonl"), ids=lambda case: case["response"][:30] or "empty")
def test_official(case):
    answer = mathvision_official.model_answer(case["response"])
    assert answer == case["model_answer"]
    assert mathvision.is_official(problem(case["answer"], case["options"]), answer) == case["official"]


@pytest.mark.parametrize("case", cases("mathvision_values.jsonl"), ids=lambda case: case["text"] or "empty")
def test_value(case):
    found = value(case["text"])
    if case["value"] is None:
        assert found is None
    else:
        assert found == pytest.approx(case["value"])
        assert isinstance(found, int) == isinstance(case["value"], int)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_responses_are_wrong(name):
    for wanted in (problem("5"), problem("(1,2)"), problem("C", ["1", "2", "3", "4", "5"])):
        verdict = mathvision.score(wanted, HOSTILE[name])
        assert verdict.official is False
        assert verdict.verified is False


def test_threads_give_the_same_verdicts():
    wanted = [mathvision.score(problem("7"), text).to_dict() for text in HOSTILE.values()]
    found = {}

    def work(number):
        found[number] = [mathvision.score(problem("7"), text).to_dict() for text in HOSTILE.values()]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(3)] == [wanted] * 3


PIECES = ["1", "2.5", "10", "\\pi", "+", "-", "*", "/", "^", "^{2}", "(", ")", "{", "}", "\\frac{1}{2}", "\\frac"]
PIECES += ["\\sqrt{2}", "\\sqrt", "!", "\\sin", " ", ",", "x", "e", "\\left(", "\\right)", "[", "]", "\\%", "9^9", "!!"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=300)
def test_a_value_is_a_real_number_or_none(text):
    found = value(text)
    assert found is None or (isinstance(found, int | float) and found == found)


@given(st.text(max_size=60))
@settings(max_examples=300)
def test_any_text_gets_a_verdict(text):
    assert mathvision.score(problem("7"), text).official in (True, False)
    answer = mathvision_official.model_answer(text)
    assert mathvision_official.equal(answer, answer) == bool(answer.strip(" "))


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_fractions_and_decimals_agree_to_two_places(top, bottom):
    decimal = f"{top / bottom:.2f}"
    assert (
        mathvision_official.equal(f"\\frac{{{top}}}{{{bottom}}}", decimal)
        or abs(round(top / bottom, 2) - float(decimal)) > 0
    )
