"""The generator's samples: the same everywhere, exact key points, consistent figures, edits that do what they say."""

import ast
import json
import math
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
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1.charts import STYLES
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
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, EDITIONS, STATES, TASKS, TYPES

pytestmark = pytest.mark.medium

CHARTS = tuple(STYLES)


@cache
def made(kind, index, edition=1):
    return sample(7, kind, index, edition)


@pytest.fixture
def drawn(request):
    return made(*request.param)


def each(kinds):
    """Mark a test to run on a dozen samples of each kind, which are made when they are needed."""
    named = [(kind, index) for kind in kinds for index in range(12)]
    return pytest.mark.parametrize("drawn", named, ids=lambda name: f"{name[0]}-{name[1]}", indirect=True)


def assignments(code):
    """Return the literal values that a script assigns to names."""
    found = {}
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def values(code):
    """Return {(series, label): value} of a chart's script."""
    named = assignments(code)
    labels = next(v for k, v in named.items() if k not in ("values", "sizes", "data", "colors", "explode", "markers"))
    series = named.get("data") or {"": named.get("values") or named["sizes"]}
    return {(name, label): v for name, vs in series.items() for label, v in zip(labels, vs, strict=True)}


def segments(code):
    """Return the segments that a document draws between named points."""
    return re.findall(r"\\draw(?:\[dashed\])? \((\w)\) -- \((\w)\);", code)


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


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", TYPES)
def test_states_and_decks(kind, edition):
    for index in range(12):
        check_states_and_decks(made(kind, index, edition))


def check_states_and_decks(drawn):
    assert tuple(drawn.states) == STATES
    assert len({state.code for state in drawn.states.values()}) == 4
    tasks = Counter(deck.task for deck in drawn.decks)
    assert [tasks[task] for task in TASKS[:3]] == [1, 1, 1]
    assert tasks["mce_annotation"] >= 2
    for deck in drawn.decks:
        assert len(set(deck.options)) == 4
        assert 0 <= deck.truth < 4


@each(TYPES)
def test_the_right_option_is_in_the_code(drawn):
    for deck, state in zip(drawn.decks[:3], STATES[:3], strict=True):
        code = drawn.states[state].code
        inside = [all(line.strip() in code for line in option.splitlines()) for option in deck.options]
        assert inside[deck.truth]
        if deck.task == "mce_deletion" and drawn.language == "latex":
            drawn_lines = [{frozenset(s) for s in segments(option)} for option in deck.options]
            assert [s == {frozenset(x) for x in segments(code)} for s in drawn_lines].count(True) == 1
        else:
            assert inside.count(True) == 1


FIRST = {
    "geometry": "88427904ef42d0cb",
    "function": "38e41218d3dbc3a4",
    "bar": "e968fa54e3adc1c9",
    "line": "4f005fec0d614c19",
    "pie": "2c3ad3202d2e1b74",
}


@pytest.mark.parametrize("kind", FIRST)
def test_the_first_edition_is_what_it_was_byte_for_byte(kind):
    """Hashes of records and questions as the first edition was published, of five samples each."""
    found = sha256()
    for index in (0, 1, 2, 3, 17):
        figure = made(kind, index)
        text = json.dumps([record(figure), list(questions(figure, 7))], ensure_ascii=False, sort_keys=True)
        found.update(text.encode())
    assert found.hexdigest()[:16] == FIRST[kind]


@each(CHARTS)
def test_edits_of_charts_change_what_they_say(drawn):
    before, deleted, modified = (values(drawn.states[s].code) for s in ("original", "deleted", "modified"))
    assert deleted.items() < before.items()
    changed = {key for key in before if before[key] != modified[key]}
    assert before.keys() == modified.keys()
    assert len(changed) == (2 if drawn.type == "pie" else 1)
    if drawn.type == "pie":
        assert sum(modified.values()) == pytest.approx(100)
    texts = Counter(mark.text.rstrip("%") for mark in drawn.marks)
    assert texts == Counter(f"{v:.1f}" if drawn.type == "pie" else f"{v:g}" for v in before.values())


@each(CHARTS)
def test_annotation_questions_of_charts_are_right(drawn):
    before = values(drawn.states["original"].code)
    for deck in drawn.decks[3:]:
        series = next((name for name, _ in before if name and f"the series {name!r}" in deck.text), "")
        shown = {
            label: f"{v:.1f}%" if drawn.type == "pie" else f"{v:g}" for (s, label), v in before.items() if s == series
        }
        right = deck.options[deck.truth]
        if deck.direction == "forward":
            asked = next(label for label in shown if f" of {str(label)!r}" in deck.text)
            assert shown[asked] == right
        else:
            asked = deck.text.split("number ")[1].rstrip("?")
            holders = [o for o in deck.options if shown[next(x for x in shown if f" of {str(x)!r}" in o)] == asked]
            assert holders == [right]


@each(["geometry"])
def test_geometry_is_consistent(drawn):
    code = drawn.states["original"].code
    points = {k: (float(x), float(y)) for k, x, y in re.findall(r"\((\w)\) at \(([\d.]+),([\d.]+)\)", code)}
    scales = set()
    for mark in drawn.marks:
        if mark.kind == "line":
            length = math.dist(*(points[k] for k in mark.element))
            scales.add(round(float(mark.text) / length))
            assert float(mark.text) == pytest.approx(length * round(float(mark.text) / length), abs=0.051)
        else:
            a, v, b = (points[k] for k in mark.element)
            turn = math.degrees(math.atan2(b[1] - v[1], b[0] - v[0]) - math.atan2(a[1] - v[1], a[0] - v[0]))
            assert min(turn % 360, -turn % 360) == pytest.approx(float(mark.text.rstrip("°")), abs=0.4)
    assert len(scales) == 1
    before, after = segments(code), segments(drawn.states["deleted"].code)
    assert set(after) < set(before)
    assert len(before) - len(after) in (1, 2)
    assert len(segments(drawn.states["modified"].code)) == len(before) + 1


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


@pytest.mark.parametrize("edition", EDITIONS)
def test_letters_are_dealt_with_the_right_text(edition):
    for drawn in (made(kind, index, edition) for kind in TYPES for index in range(12)):
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
