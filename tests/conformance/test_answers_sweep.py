"""The ordinary ways of writing an answer, on a sample of rows; perf/answers_sweep.py tries them on all."""

from collections import Counter

import pytest
from answers_sweep import dressed, forms, problems, trials

import mmmath_tasks as mm


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


@pytest.mark.parametrize("dress", [None, pytest.param(slice(None), marks=pytest.mark.slow)], ids=["one", "all"])
def test_every_gold_is_right_in_ten_dresses(rows, dress):
    wrong = Counter()
    for i, problem in enumerate(row for row in rows if row.benchmark != "wemath"):
        for response in list(dressed(problem))[dress or slice(i % 10, i % 10 + 1)]:
            wrong[problem.benchmark, problem.id] += (
                not mm.benchmark(problem.benchmark).score(problem, response).verified
            )
    # Options that name the letter of another, and two whose end a sentence's own full stop hides.
    assert len(+wrong) <= 8, +wrong
