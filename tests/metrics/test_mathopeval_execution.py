"""The comparison of element records: properties, and the traps of text and number."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmmath_tasks.metrics.figures import texts
from mmmath_tasks.metrics.mathopeval_execution import execution_score

EDITS = ("mce_deletion", "mce_modification", "mce_annotation")
AXES = {"kind": "axes", "axes": 0, "xlim": [-5, 5], "ylim": [-10, 40], "box": [500.0, 400.0]}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(3.00,0.00)", (3.0, 0.0)),
        ("(5,125)", (5.0, 125.0)),
        ("1,234", (1234.0,)),
        ("1,234.5 km", (1234.5,)),
        ("Q1", ()),
        ("x2", ()),
        ("\u22123.5", (-3.5,)),
        ("2019-2020", (2019.0, 2020.0)),
        ("$60^\\circ$", (60.0,)),
        ("AB = 5", (5.0,)),
        ("y = -.5", (-0.5,)),
        ("12%", (12.0,)),
        ("", ()),
        ("$\\frac{1}{2}$", (1.0, 2.0)),
    ],
)
def test_numbers_in_a_text(text, numbers):
    assert texts.numbers(text) == numbers


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("24.5%", "24.5 %", True),
        ("24.5%", "25%", True),
        ("24.5%", "24%", True),
        ("24.6%", "24%", False),
        ("50", "51", False),
        ("(2,0)", "(2.00, 0.00)", True),
        ("(2,0)", "(0,2)", False),
        ("(2,0)", "x-intercept: (2, 0)", True),
        ("-3", "3", False),
        ("\u22123", "-3", True),
        ("$60^\\circ$", "60°", True),
        ("$60^{\\circ}$", "∠ABC = 60°", True),
        ("AB = 5", "5", True),
        ("AB = 5", "BC = 5", False),
        ("$5\\sqrt{2}$", "5√2", True),
        ("5√2", "52", False),
        ("5√2", "5, 2", False),
        ("$\\frac{1}{2}$", "1/2", True),
        ("A", "a", False),
        ("A", "$A$", True),
        ("Rent", "rent", True),
        ("Rent", "Food", False),
        ("", "", True),
        ("0", "0.4", False),
        ("0.4", "0", False),
        ("1,234", "1234", True),
    ],
)
def test_texts_that_say_the_same(one, other, same):
    assert texts.same(one, other) is same


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_compared(one, other):
    texts.same(one, other)
    assert texts.same(one, one)


label = st.sampled_from("abcdefgh")
value = st.floats(0.5, 100).map(lambda v: round(v, 3))


@st.composite
def bars(draw):
    names = draw(st.lists(label, min_size=2, max_size=6, unique=True))
    return [bar(name, draw(value)) for name in names]


def bar(name, height, series="", base=0.0):
    return {
        "kind": "bar",
        "axes": 0,
        "series": series,
        "label": name,
        "value": height,
        "base": base,
        "horizontal": False,
    }


@given(bars(), bars())
def test_bars_score_between_0_and_1_and_themselves_1(one, other):
    assert execution_score("bar", "mcg", one, one).score == 1
    found = execution_score("bar", "mcg", one, other).score
    assert 0 <= found <= 1


@given(bars(), bars(), bars(), st.sampled_from(EDITS[:2]))
def test_an_edit_of_bars_is_worth_nothing_unedited_and_all_as_asked(original, reference, other, task):
    full = execution_score("bar", task, reference, reference, original).score
    none = execution_score("bar", task, reference, original, original).score
    if math.isnan(full):
        assert math.isnan(none)
    else:
        assert (full, none) == (1, 0)
        assert 0 <= execution_score("bar", task, reference, other, original).score <= 1


@given(bars(), st.data())
def test_order_of_bars_does_not_count(one, data):
    assert execution_score("bar", "mcg", one, data.draw(st.permutations(one))).score == 1


@given(st.lists(value, min_size=3, max_size=6), st.floats(0.1, 10))
def test_slices_count_by_ratio(sizes, scale):
    def pie(values):
        return [{"kind": "wedge", "axes": 0, "label": str(i), "fraction": v} for i, v in enumerate(values)]

    kept = [s / sum(sizes[:-1]) for s in sizes[:-1]]
    left = [s / sum(sizes) for s in sizes[:-1]]
    whole = pie([s / sum(sizes) for s in sizes])
    assert execution_score("pie", "mce_deletion", pie(kept), pie(left), whole).score == 1
    assert execution_score("pie", "mce_deletion", pie(kept), whole, whole).score == 0


point = st.tuples(st.integers(0, 8), st.integers(0, 8))


@st.composite
def drawings(draw):
    ends = draw(st.lists(point, min_size=3, max_size=6, unique=True))
    segments = [
        {"kind": "segment", "axes": 0, "points": [list(a), list(b)], "dashed": False} for a, b in pairwise(ends)
    ]
    letters = [
        {"kind": "text", "axes": 0, "text": "ABCDEF"[i], "x": x + 0.2, "y": y + 0.2} for i, (x, y) in enumerate(ends)
    ]
    return segments + letters


def shifted(elements, scale, x, y):
    def move(e):
        if e["kind"] == "segment":
            return {**e, "points": [[a * scale + x, b * scale + y] for a, b in e["points"]]}
        return {**e, "x": e["x"] * scale + x, "y": e["y"] * scale + y}

    return [move(e) for e in elements]


@settings(max_examples=40)
@given(drawings(), st.floats(-20, 20), st.floats(-20, 20))
def test_a_drawing_elsewhere_is_the_same_drawing(drawing, x, y):
    assert execution_score("geometry", "mcg", drawing, shifted(drawing, 1, x, y)).score == pytest.approx(1)


@settings(max_examples=40)
@given(drawings(), drawings())
def test_drawings_score_between_0_and_1(one, other):
    assert 0 <= execution_score("geometry", "mcg", one, other).score <= 1
    for task in EDITS:
        full = execution_score("geometry", task, other, other, one).score
        assert math.isnan(full) or full == pytest.approx(1)
        none = execution_score("geometry", task, other, one, one).score
        assert math.isnan(full) or none == 0


def test_new_texts_are_assigned_so_that_most_values_match():
    def text(said, x, y):
        return {"kind": "text", "axes": 0, "text": said, "x": x, "y": y}

    curve = {"kind": "line", "axes": 0, "series": "", "labels": None, "x": [-5, 0, 5], "y": [1, 2, 3]}
    before = [AXES, curve]
    wanted = [*before, text("3", 0, 0), text("3", 4, 30)]
    given_ = [*before, text("3", 4, 30), text("3", 0.1, 0)]
    assert execution_score("function", "mce_annotation", wanted, given_, before).score == 1
    out = execution_score("function", "mce_annotation", wanted, [*before, text("3", 4, 30), text("3", 4, 31)], before)
    assert out.parts["value_f1"] == 1
    assert out.parts["place_f1"] == 0.5


def test_a_text_without_a_place_does_not_upset_the_score():
    odd = {"kind": "text", "axes": 0, "text": "3", "x": None, "y": 1.0}
    assert execution_score("bar", "mce_annotation", [AXES, bar("a", 1)], [AXES, odd], [AXES]).cause


@pytest.mark.parametrize(("type", "task"), [("area", "mcg"), ("bar", "mce")])
def test_unknown_names_are_refused(type, task):
    with pytest.raises(ValueError, match="unknown"):
        execution_score(type, task, [], [])


@pytest.mark.parametrize(("y", "preserved"), [([1, 2, 3], 1), ([11, 12, 13], 0)])
def test_an_annotation_counts_by_what_it_leaves_of_the_drawing(y, preserved):
    curve = {"kind": "line", "axes": 0, "series": "", "labels": None, "x": [-5, 0, 5], "y": [1, 2, 3]}
    added = {"kind": "text", "axes": 0, "text": "3", "x": 4, "y": 30}
    out = execution_score(
        "function", "mce_annotation", [AXES, curve, added], [AXES, {**curve, "y": y}, added], [AXES, curve]
    )
    assert (out.parts["value_f1"], out.parts["place_f1"], out.parts["preserved"], out.score) == (
        1,
        1,
        preserved,
        preserved,
    )
