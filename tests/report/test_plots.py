"""The plots as functions: whatever the names and numbers, a well-formed drawing that says them."""

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.figures import figures, ordered
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import ceiling, radar
from mmmath_tasks.report.plots.shares import shares as bars_of_shares
from mmmath_tasks.report.runs import Run, sections
from mmmath_tasks.report.svg import wrapped

AXES = ("accuracy, percent", "level")
SPACE = "{http://www.w3.org/2000/svg}"
names = st.text(st.characters(), min_size=1, max_size=30)
shares = st.one_of(st.floats(0, 1), st.just(math.nan))
points = st.builds(
    lambda v, d, n: Point(v, max(0.0, v - d), min(1.0, v + d), n), shares, st.floats(0, 0.3), st.integers(0, 999)
)
parts = st.lists(names, min_size=3, max_size=8, unique=True)


def drawn(svg):
    root = ET.fromstring(svg)  # noqa: S314
    assert root.find(f"{SPACE}title") is not None
    assert root.find(f"{SPACE}desc") is not None
    for node in root.iter():
        for key in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "points"):
            for number in node.get(key, "").replace(",", " ").split():
                assert math.isfinite(float(number))
        assert float(node.get("width", "0")) >= 0
    return root


@pytest.mark.medium
@given(st.data())
def test_any_names_and_numbers(data):
    labels = data.draw(parts)
    runs = [
        Series(data.draw(names), {label: data.draw(points) for label in labels if data.draw(st.booleans())}, i)
        for i in range(data.draw(st.integers(1, 4)))
    ]
    human = Series("Human", {labels[0]: Point(0.5)})
    drawn(bars("t", labels, runs, [human], AXES))
    drawn(multiples("t", labels, runs, [human], AXES))
    drawn(radar("t", labels, runs, "accuracy"))
    drawn(profile("t", labels, [*runs, human], *AXES))
    cells = {(a, b): data.draw(points) for a in labels for b in labels[:2]}
    drawn(heat_map("t", labels, labels[:2], cells, AXES, "r"))
    entries = [(one.name, i, data.draw(points), data.draw(st.none() | points)) for i, one in enumerate(runs)]
    drawn(forest("t", entries, [("Human", 0.6)], "accuracy"))
    parts_of_all = {"IK": 0.2, "IG": math.nan, "RM": 0.0, "CM": 0.8}
    drawn(bars_of_shares("t", [(one.name, parts_of_all, Point(0.8)) for one in runs], "score"))


def test_what_is_missing_is_a_dash_and_no_bar():
    root = drawn(bars("t", ["a", "b"], [Series("r", {"a": Point(math.nan)}, 0)], [], AXES))
    assert not [node for node in root.iter(f"{SPACE}rect") if node.get("height") == "9"]
    assert [node.text for node in root.iter(f"{SPACE}text")].count("\u2013") == 2


def test_the_papers_rows_stand_beside_a_rated_run_of_mathopeval():
    scores = (Score("rating_macro", "", "", 5.0, 7_552, 4.9, 5.1),)
    card = Scorecard("mathopeval", "rating_macro", scores, {"total": 7_552}, {"task": "mathopeval_gen_direct"})
    (section,) = sections([Run("ours", card, None)])
    headline = next(figures(section))
    shown = {row["run"]: row["value"] for row in headline.numbers}
    assert shown["GPT-4o (main results, section 4.2)"] == pytest.approx(0.608)
    assert "ours are a reconstruction" in headline.caption


@pytest.mark.parametrize(
    ("values", "end"),
    [([0.1], 0.2), ([0.2], 0.2), ([0.21, math.nan], 0.4), ([0.99], 1.0), ([], 1.0), ([math.nan], 1.0)],
)
def test_axes_hold_their_values(values, end):
    assert ceiling(values) == end


def test_long_words_are_cut_and_short_ones_are_whole():
    assert wrapped("Correspondence of Coordinates and Positions", 20, 3) == [
        "Correspondence of",
        "Coordinates and",
        "Positions",
    ]
    assert wrapped("one two three four", 5, 2) == ["one", "two…"]
    assert wrapped("a" * 50, 10, 1) == ["a" * 9 + "…"]
    assert wrapped("short", 10, 1) == ["short"]


def test_an_axis_is_ordered_by_number_by_school_or_as_the_longest_has_it():
    assert ordered([["level 10", "level 2"], ["level 1"]]) == ["level 1", "level 2", "level 10"]
    assert ordered([["college", "high school"], ["elementary school"]]) == [
        "elementary school",
        "high school",
        "college",
    ]
    assert ordered([["b", "d"], ["z", "b", "c", "d"], ["z", "a", "b"]]) == ["z", "a", "b", "c", "d"]
    assert ordered([["p1", "q2"], []]) == ["p1", "q2"]
    assert ordered([]) == []


@given(st.lists(st.lists(names, max_size=6), max_size=4))
def test_an_axis_has_every_part_once(lists):
    found = ordered(lists)
    assert sorted(found) == sorted({part for one in lists for part in one})


def test_a_part_without_a_value_is_no_corner_of_the_radar():
    root = drawn(
        radar(
            "t", ["a", "b", "c", "d"], [Series("r", {"a": Point(1.0), "c": Point(0.5), "d": Point(0.2)}, 0)], "accuracy"
        )
    )
    assert len(list(root.iter(f"{SPACE}circle"))) == 3
    assert len(list(root.iter(f"{SPACE}polygon"))[-1].get("points").split()) == 3
