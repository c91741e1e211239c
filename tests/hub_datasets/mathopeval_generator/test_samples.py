"""The generator's samples: the same everywhere, exact key points, consistent figures, edits that do what they say."""

import json
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.hub_datasets.mathopeval_generator import charts
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import share, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.functions import FAMILIES, pair, polynomial
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import maker
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import (
    human_subset,
    one_a_task,
    plan,
    questions,
    record,
    sample,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, STATES, TASKS, TYPES

pytestmark = pytest.mark.medium


@cache
def made(kind, index, edition=1):
    return sample(7, kind, index, edition)


def test_a_sample_depends_on_seed_type_and_index_alone():
    code = (
        "from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample\n"
        "print(hash(()) and [repr(sample(7, kind, 5)) for kind in ('pie', 'geometry', 'function')])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {str([repr(sample(7, kind, 5)) for kind in ("pie", "geometry", "function")]) + "\n"}
    assert sample(7, "bar", 3) != sample(8, "bar", 3)


@pytest.mark.parametrize("kind", TYPES)
def test_states_and_decks(kind):
    for drawn in (made(kind, index, 2) for index in range(12)):
        assert tuple(drawn.states) == STATES
        assert len({state.code for state in drawn.states.values()}) == 4
        tasks = Counter(deck.task for deck in drawn.decks)
        assert [tasks[task] for task in TASKS[:3]] == [1, 1, 1]
        assert tasks["mce_annotation"] >= 2
        for deck in drawn.decks:
            assert len(set(deck.options)) == 4
            assert 0 <= deck.truth < 4


FIRST = {
    "geometry": "bac64a73c078965f",
    "function": "db1ed29838e6f141",
    "bar": "99f90cef5c99b93c",
    "line": "274d81ba70bb2012",
    "pie": "cf11c41e314f5a6d",
}


@pytest.mark.parametrize("kind", FIRST)
def test_the_first_edition_is_what_it_was_byte_for_byte(kind):
    """Hashes of records and questions as the first edition was published, when each of these samples was found right:
    one option is in the code, edits do what they say, what is annotated is what is measured."""
    found = sha256()
    for index in (*range(12), 17):
        figure = made(kind, index)
        text = json.dumps([record(figure), list(questions(figure, 7))], ensure_ascii=False, sort_keys=True)
        found.update(text.encode())
    assert found.hexdigest()[:16] == FIRST[kind]


def test_angles_of_a_triangle_sum_to_a_half_turn():
    figure = maker("triangle with a cevian", random.Random(3))()
    angles = figure.angles(whole=True)
    for a, b, c in figure.triangles():
        names = [
            "".join(sorted((x, z))[:1]) + y + "".join(sorted((x, z))[1:])
            for x, y, z in ((b, a, c), (a, b, c), (a, c, b))
        ]
        if all(name in angles for name in names):
            assert sum(angles[name] for name in names) == 180


@pytest.mark.parametrize("index", range(len(FAMILIES)))
def test_key_points_are_exact(index):
    """Hold the closed forms against sympy, which solves the text of the script's own expression."""
    import sympy

    x = sympy.Symbol("x", real=True)
    found = made("function", index)
    text = re.search(r"return (.*)", found.states["original"].code)[1]
    parsed = text.replace("np.abs", "Abs").replace("np.", "")
    f = sympy.nsimplify(sympy.sympify(parsed, locals={"x": x}), rational=True)
    for mark in found.marks:
        px, py = (float(v) for v in mark.text.strip("()").split(", "))
        assert abs(float(f.subs(x, px)) - py) < 0.06 + 0.02 * abs(float(sympy.diff(f, x).subs(x, px + 1e-3)))
    marked = {kind: [m.text for m in found.marks if m.kind == kind] for kind in ("x", "y", "extreme")}
    assert marked["y"] == [pair((0, float(f.subs(x, 0))))]
    if found.topic != "absolute value":
        crossings = sympy.solveset(f, x, sympy.Interval(-5, 5))
        assert sorted(marked["x"]) == sorted(pair((float(c), 0)) for c in crossings)
    if found.topic in ("quadratic", "cubic", "factored", "double root"):
        turning = sympy.solveset(sympy.diff(f, x), x, sympy.Interval(-5, 5))
        assert sorted(marked["extreme"]) == sorted(pair((float(t), float(f.subs(x, t)))) for t in turning)


def test_polynomials_are_written_as_numpy_reads_them():
    from fractions import Fraction

    assert polynomial([Fraction(-1), Fraction(0), Fraction(5, 2), Fraction(-3)]) == "-x**3 + 2.5*x - 3"
    assert polynomial([Fraction(0), Fraction(0)]) == "0"


def test_turns_are_even_in_every_block_and_shares_add_up():
    for block in range(5):
        assert sorted(turn(1, "bar", 4 * block + i, "x") for i in range(4)) == [0, 1, 2, 3]
    assert sum(share(i, 1523, 426) for i in range(426)) == 1523
    assert {share(i, 1523, 426) for i in range(426)} == {3, 4}


def test_the_plan_has_the_papers_counts():
    assert Counter(kind for kind, _ in plan()) == COUNTS
    assert {kind for kind, _ in plan(100)} == set(TYPES)


@given(st.integers(1, 5000))
def test_a_plan_has_as_many_samples_as_asked_in_the_papers_proportions(wanted):
    counts = Counter(kind for kind, _ in plan(wanted))
    assert counts.total() == wanted
    assert all(abs(counts[kind] - count * wanted / 1888) < 1 for kind, count in COUNTS.items())


def test_letters_are_dealt_with_the_right_text():
    for drawn in (made(kind, index, 2) for kind in TYPES for index in range(12)):
        for deck, question in zip(drawn.decks, questions(drawn, 7), strict=True):
            assert question["choices"]["ABCD".index(question["answer"])] == deck.options[deck.truth]
            assert sorted(question["choices"]) == sorted(deck.options)


def test_there_are_22_topics_and_every_subject_can_be_drawn():
    subjects = charts.subjects()
    assert len({s["topic"] for s in subjects}) == 22
    for s in subjects:
        assert len(set(s["items"])) == len(s["items"]) >= 7
        assert len(set(s["groups"])) == 4
        assert s["range"][0] < s["range"][1]


def test_the_human_subset_has_twenty_questions_in_each_cell():
    """Section 6.1: 400 of 20 cells; a sample has a free-form question of each task, so 20 of each type suffice."""
    chosen = human_subset(7)
    assert Counter(kind for kind, _ in chosen) == dict.fromkeys(TYPES, 20)
    assert len(set(chosen)) == 100
    assert all(index < COUNTS[kind] for kind, index in chosen)
    assert chosen == human_subset(7) != human_subset(8)
    for kind, index in chosen[::10]:
        figure = sample(7, kind, index)
        found = list(one_a_task(figure, 7))
        assert [question["task"] for question in found] == list(TASKS)
        assert all(question in list(questions(figure, 7)) for question in found)
