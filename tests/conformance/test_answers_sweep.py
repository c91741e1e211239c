"""The ordinary ways of writing an answer, on a sample of rows; perf/answers_sweep.py tries them on all."""

import json
from collections import Counter

import pytest
from answers_sweep import forms, problems, right_option, trials

import mmmath_tasks as mm

DRESSES = (
    "{}", "{}.", "The answer is {}.", "**Answer:** {}", "Therefore, the answer is {}.", "<answer>{}</answer>",
    "Final answer: {}", "### Final Answer\n\n{}", "<think>Perhaps 987?</think>\n\nThe answer is {}.",
    "The final answer is: **{}**",
)  # fmt: skip


@pytest.fixture(scope="module")
def rows(shared):
    return problems(shared)


def test_there_are_forms_enough():
    kinds = Counter(form.kind for form in forms())
    assert kinds["option"] >= 80
    assert kinds["value"] >= 50


@pytest.mark.slow
def test_the_gold_is_credited_and_no_wrong_answer(rows):
    known = forms()
    tried, missed, credited = Counter(), [], []
    for problem in rows[::97]:
        for trial in trials(problem, known):
            tried[trial.right] += 1
            if mm.benchmark(problem.benchmark).score(problem, trial.response).verified is not trial.right:
                (missed if trial.right else credited).append((trial.form, problem.benchmark, problem.id))
    assert len(missed) <= 0.002 * tried[True], missed
    assert len(credited) <= 0.0005 * tried[False], credited


def test_every_gold_of_mathverse_and_mathvista_is_right_in_ten_dresses(rows):
    wrong = []
    for problem in rows:
        gold = (problem.answer or "").strip()
        if problem.benchmark not in {"mathverse", "mathvista"} or not gold:
            continue
        right = right_option(problem)
        if problem.choices and (right is None or len(problem.choices[right]) < 2):
            continue  # a letter as an option's text is the letter of another
        said = gold if right is None else problem.choices[right].strip()
        latex = any(sign in said for sign in "\\^_{") and "$" not in said
        for dress in DRESSES:
            response = dress.format(f"${said}$" if latex else said)
            if not mm.benchmark(problem.benchmark).score(problem, response).verified:
                wrong.append((problem.benchmark, problem.id, response))
    named = Counter((benchmark, key) for benchmark, key, _ in wrong)
    # Golds that are words and formulas in turn, or the bare letters of other options.
    assert len(named) <= 12, json.dumps(wrong, indent=1)
