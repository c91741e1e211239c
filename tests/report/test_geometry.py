"""What is drawn read back from the drawing: coordinates against the ticks beside them, shades, areas, corners."""

import math
import re
from itertools import pairwise
from statistics import linear_regression

import pytest
from report.drawings import AXES, FIRST, HUMAN, PARTS, SECOND, SPACE, drawn, groups, kinds, number, root_of

from mmmath_tasks.problem import Score
from mmmath_tasks.report.figures import point
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series, counts, summary
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import ceiling, radar
from mmmath_tasks.report.plots.shares import shares
from mmmath_tasks.report.themes import RULE


def axis(svg, along="x", around=None):
    """Return from a coordinate to a fraction: labels of ticks against the rules that they stand beside.

    Of several axes the last that begins before `around`.
    """
    rules = sorted(
        {
            number(r, f"{along}1")
            for r in drawn(svg, "line")
            if r.get(f"{along}1") == r.get(f"{along}2") and r.get("stroke") == RULE
        }
    )
    labels = [node for node in drawn(svg, "text") if re.fullmatch(r"\d+", node.text or "")]
    if around is not None:
        begin = max(number(node, along) for node in labels if node.text == "0" and number(node, along) <= around)
        labels = [node for node in labels if number(node, along) >= begin][:2]
    ticks = {min(rules, key=lambda r: abs(r - number(node, along))): float(node.text) / 100 for node in labels}
    assert len(set(ticks.values())) == len(ticks) > 1
    found = linear_regression(list(ticks), list(ticks.values()))
    assert all(found.slope * at + found.intercept == pytest.approx(value, abs=1e-3) for at, value in ticks.items())
    return lambda at: found.slope * at + found.intercept


def near(value):
    return pytest.approx(value, abs=2e-4)


def test_a_forests_dots_rings_and_intervals():
    runs = [
        ("a", 0, Point(0.4321, 0.4019, 0.4707, 1000), Point(0.5123, 0.4801, 0.5511, 990)),
        ("b", 1, Point(0.2222, 0.2, 0.3), None),
    ]
    svg = forest("t", runs, [("Human", 0.6031), ("low", 0.1777)], "accuracy")
    at, found = axis(svg), groups(svg)
    for name, rule, wanted in (
        ("a", "official", runs[0][2]),
        ("a", "verified", runs[0][3]),
        ("b", "official", runs[1][2]),
    ):
        shapes = found[f"{name}, {rule} rule"]
        (spread,), (dot,) = kinds(shapes, "line"), kinds(shapes, "circle")
        assert [at(number(spread, key)) for key in ("x1", "x2")] == [near(wanted.low), near(wanted.high)]
        assert at(number(dot, "cx")) == near(wanted.value)
        assert (
            number(dot, "cy") == number(spread, "y1") == number(spread, "y2") == (-3.5 if rule == "official" else 3.5)
        )
    assert "b, verified rule" not in found
    rings = [kinds(found[f"a, {rule} rule"], "circle")[0].get("fill") for rule in ("official", "verified")]
    assert rings[0] != rings[1]
    for name, value in (("Human", 0.6031), ("low", 0.1777)):
        (dot,) = kinds(found[name], "circle")
        assert at(number(dot, "cx")) == near(value)
    words = [node.text for node in drawn(svg, "text")]
    assert [w for w in words if w in ("Human", "a", "b", "low")] == ["Human", "a", "b", "low"]
    assert {"43.2", "22.2", "60.3", "17.8", "n=1,000"} <= set(words)


def test_a_run_without_an_official_value_stands_by_its_verified_one():
    svg = forest("t", [("a", 0, Point(math.nan), Point(0.7, 0.6, 0.8, 5)), ("b", 1, Point(0.5), None)], [], "accuracy")
    words = [node.text for node in drawn(svg, "text")]
    assert [w for w in words if w in ("a", "b")] == ["a", "b"]
    assert {"70.0", "n=5"} <= set(words)
    assert "a, official rule" not in groups(svg)
    for verified in (None, Point(0.6)):
        words = [n.text for n in drawn(forest("t", [("a", 0, Point(0.7), verified)], [], "accuracy"), "text")]
        assert ("verified rule" in words) is (verified is not None)


def test_bars_their_intervals_and_the_papers_ticks():
    svg = bars("t", PARTS, [FIRST, SECOND], [HUMAN], AXES)
    at, found = axis(svg), groups(svg)
    tops = []
    for part in PARTS:
        for one in (FIRST, SECOND):
            shapes, wanted = found[f"{one.name}, {part}"], one.points[part]
            (bar,), spreads = kinds(shapes, "rect"), kinds(shapes, "line")
            ends = at(number(bar, "x")), at(number(bar, "x") + number(bar, "width"))
            assert ends == (near(0), near(wanted.value))
            assert {(number(s, "x1"), number(s, "x2")) for s in spreads} == {
                (number(spreads[0], "x1"), number(spreads[0], "x2"))
            }
            assert [at(number(spreads[0], key)) for key in ("x1", "x2")] == [near(wanted.low), near(wanted.high)]
            assert bar.get("fill") == one.colour
            tops.append(number(bar, "y"))
            said = [node.text for node in kinds(shapes, "text")]
            assert said == [f"{100 * wanted.value:.1f}", f"n={wanted.count:,}"]
    assert tops == sorted(tops)
    ticks = {part: found.get(f"Human, {part}") for part in PARTS}
    assert [part for part, shapes in ticks.items() if shapes] == ["one", "three"]
    for part in ("one", "three"):
        (tick,) = kinds(ticks[part], "line")
        assert at(number(tick, "x1")) == at(number(tick, "x2")) == near(HUMAN.points[part].value)
        bar = kinds(found[f"first, {part}"], "rect")[0]
        assert number(tick, "y1") < number(bar, "y") < number(tick, "y2")


def test_a_profile_of_values_from_below_with_intervals():
    svg = profile("t", PARTS, [FIRST, SECOND, HUMAN], *AXES)
    at, found = axis(svg, "y"), groups(svg)
    places = {}
    for one in (FIRST, SECOND, HUMAN):
        for part, wanted in one.points.items():
            shapes = found[f"{one.name}, {part}"]
            (dot,) = kinds(shapes, "circle")
            assert at(number(dot, "cy")) == near(wanted.value)
            places.setdefault(part, set()).add(number(dot, "cx"))
            for spread in kinds(shapes, "line"):
                assert [at(number(spread, key)) for key in ("y1", "y2")] == [near(wanted.low), near(wanted.high)]
            assert len(kinds(shapes, "line")) == (one is not HUMAN)
    xs = [places[part] for part in PARTS]
    assert all(len(x) == 1 for x in xs)
    steps = [b - a for (a,), (b,) in pairwise(xs)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.02)
    lines = drawn(svg, "polyline")
    assert [len(one.get("points").split()) for one in lines] == [4, 4, 2]


def test_a_radars_corners_are_their_values_from_the_middle():
    svg = radar("t", PARTS, [FIRST, SECOND], "accuracy")
    root = root_of(svg)
    polygons = [
        [tuple(map(float, p.split(","))) for p in one.get("points").split()] for one in root.iter(f"{SPACE}polygon")
    ]
    rings, (first, second) = polygons[:4], polygons[4:]
    middle = tuple(sum(x) / 4 for x in zip(*rings[3], strict=True))
    radius = math.dist(middle, rings[3][0])
    assert [math.dist(middle, ring[0]) / radius for ring in rings] == pytest.approx([0.25, 0.5, 0.75, 1], abs=1e-3)
    labels = {
        node.text: number(node, "y") for node in root.iter(f"{SPACE}text") if re.fullmatch(r"\d+", node.text or "")
    }
    end = ceiling([p.value for one in (FIRST, SECOND) for p in one.points.values()])
    assert sorted(labels, key=labels.get) == [f"{100 * end:g}", f"{50 * end:g}"]
    assert labels[f"{50 * end:g}"] - labels[f"{100 * end:g}"] == pytest.approx(radius / 2, abs=0.1)
    for one, corners in ((FIRST, first), (SECOND, second)):
        for i, (part, (x, y)) in enumerate(zip(PARTS, corners, strict=True)):
            assert math.dist(middle, (x, y)) / radius * end == pytest.approx(one.points[part].value, abs=1e-3)
            outer = rings[3][i]
            assert math.atan2(y - middle[1], x - middle[0]) == pytest.approx(
                math.atan2(outer[1] - middle[1], outer[0] - middle[0]), abs=0.02
            )
            (dot,) = kinds(groups(svg)[f"{one.name}, {part}"], "circle")
            assert (number(dot, "cx"), number(dot, "cy")) == pytest.approx((x, y), abs=0.06)
    assert rings[3][0][1] < middle[1]
    assert rings[3][1][0] > middle[0]  # the first part above, then clockwise


def test_a_heat_maps_shades_and_places():
    cells = {
        (a, b): Point(v, count=n)
        for a, b, v, n in [("r1", "c1", 0.1234, 9), ("r1", "c2", 0.644, 10), ("r2", "c1", 0.66, 1)]
    }
    found = groups(heat_map("t", ["r1", "r2"], ["c1", "c2"], cells, AXES, "run"))
    boxes = {key: kinds(found[f"{key[0]}, {key[1]}"], "rect")[0] for key in [*cells, ("r2", "c2")]}
    for key, wanted in cells.items():
        assert number(boxes[key], "fill-opacity") == pytest.approx(wanted.value, abs=0.005)
        said = [node.text for node in kinds(found[f"{key[0]}, {key[1]}"], "text")]
        assert said == [f"{100 * wanted.value:.0f}", *([f"n={wanted.count}"] if wanted.count < 10 else [])]
    empty = boxes["r2", "c2"]
    assert empty.get("fill") != boxes["r1", "c1"].get("fill")
    assert number(boxes["r1", "c1"], "x") == number(boxes["r2", "c1"], "x") < number(empty, "x")
    assert number(boxes["r1", "c1"], "y") == number(boxes["r1", "c2"], "y") < number(empty, "y")
    inks = [kinds(found[f"{a}, {b}"], "text")[0].get("fill") for a, b in cells]
    assert inks[0] == inks[1] != inks[2]


def test_classes_are_as_wide_as_their_shares_one_behind_the_other():
    parts = {"IK": 0.2345, "IG": 0.0, "RM": 0.3333, "CM": 0.4322}
    found = groups(
        shares(
            "t", [("a", parts, Point(0.54321, 0.5, 0.6, 525)), ("b", {**parts, "RM": math.nan}, Point(0.1))], "score"
        )
    )
    boxes = {kind: kinds(found[f"a, {kind}"], "rect")[0] for kind in ("IK", "RM", "CM")}
    widths = {kind: number(box, "width") for kind, box in boxes.items()}
    whole = sum(widths.values())
    assert {kind: width / whole for kind, width in widths.items()} == {k: near(parts[k]) for k in widths}
    assert number(boxes["RM"], "x") == pytest.approx(number(boxes["IK"], "x") + widths["IK"], abs=0.02)
    assert number(boxes["CM"], "x") == pytest.approx(number(boxes["RM"], "x") + widths["RM"], abs=0.02)
    assert "a, IG" not in found
    assert "b, RM" not in found
    assert len({box.get("fill") for box in boxes.values()}) == 3
    assert kinds(found["a"], "text")[0].text == "54.3"
    assert kinds(found["a, CM"], "text")[0].text == "43"


def test_small_multiples_have_one_axis_each_panel_and_dots_on_it():
    svg = multiples("t", PARTS, [FIRST, SECOND], [HUMAN], AXES)
    found = groups(svg)
    heights = set()
    for part in PARTS:
        for one in (FIRST, SECOND):
            shapes, wanted = found[f"{one.name}, {part}"], one.points[part]
            (dot,), (spread,) = kinds(shapes, "circle"), kinds(shapes, "line")
            at = axis(svg, around=number(dot, "cx"))
            assert at(number(dot, "cx")) == near(wanted.value)
            assert [at(number(spread, key)) for key in ("x1", "x2")] == [near(wanted.low), near(wanted.high)]
            assert kinds(shapes, "text")[0].text == f"{100 * wanted.value:.1f}"
            heights.add((one.name, part == "four", number(dot, "cy")))
        if part in HUMAN.points:
            (tick,) = kinds(found[f"Human, {part}"], "line")
            assert axis(svg, around=number(tick, "x1"))(number(tick, "x1")) == near(HUMAN.points[part].value)
    assert len(heights) == 4  # a row a run, and the fourth panel below the others
    assert "Human, two" not in found


@pytest.mark.parametrize("most", [0.07, 0.39, 1.0])
def test_axes_are_from_0_to_100_whatever_the_values_so_that_plots_compare(most):
    few = Series("r", {"one": Point(most, most - 0.01, most)}, 0)
    each = {
        "0 25 50 75 100": [
            bars("t", ["one"], [few], [], AXES),
            forest("t", [("r", 0, few.points["one"], None)], [], "accuracy"),
            profile("t", ["one"], [few], *AXES),
        ],
        "0 100": [multiples("t", ["one"], [few], [], AXES)],
    }
    for ticks, plots in each.items():
        for svg in plots:
            texts = [node.text for node in drawn(svg, "text") if re.fullmatch(r"\d+", node.text or "")]
            assert texts == ticks.split()


def test_a_radar_says_where_it_ends():
    svg = radar("t", PARTS, [Series("r", dict.fromkeys(PARTS, Point(0.07)), 0)], "accuracy")
    assert "accuracy; 0 in the middle, 20 at the rim" in [node.text for node in drawn(svg, "text")]


def test_how_many_problems_a_part_rests_on():
    def of(*numbers):
        return counts([Series(str(i), {"p": Point(0.5, count=n)}, i) for i, n in enumerate(numbers)], "p")

    assert [of(1788), of(788, 788), of(300, 788), of(12, 300, 1788), of(0, 5), of(0)] == [
        "n=1,788",
        "n=788",
        "n=300, 788",
        "n=12 to 1,788",
        "n=5",
        "",
    ]


def test_ratings_are_fractions_of_ten_and_other_scores_as_they_are():
    assert point(Score("rating", "", "", 6.5, 40, 6.25, 6.75)) == Point(0.65, 0.625, 0.675, 40)
    assert point(Score("acc", "", "", 0.65, 40, 0.6, 0.7)) == Point(0.65, 0.6, 0.7, 40)
    assert math.isnan(point(None).value)


def test_heads_stand_over_their_columns_and_numbers_in_the_middle_of_their_cells():
    cells = {
        ("r1", "c1"): Point(0.12, count=9),
        ("r1", "c2"): Point(0.64, count=10),
        ("r2", "c1"): Point(0.66, count=1),
    }
    svg = heat_map("t", ["r1", "r2"], ["c1", "c2"], cells, AXES, "run")
    found = groups(svg)
    heads = {node.text: number(node, "x") for node in drawn(svg, "text") if node.text in ("c1", "c2")}
    rows = {node.text: number(node, "y") for node in drawn(svg, "text") if node.text in ("r1", "r2")}
    for (row, column), value in cells.items():
        (box,), (said, *_) = kinds(found[f"{row}, {column}"], "rect"), kinds(found[f"{row}, {column}"], "text")
        middle = number(box, "x") + number(box, "width") / 2
        assert heads[column] == near(middle)
        assert number(said, "x") == near(middle - (10 if value.count < 10 else 0))
        assert number(said, "y") == rows[row] == near(number(box, "y") + 14)


def test_marks_of_runs_are_larger_than_the_papers():
    svg = profile("t", PARTS, [FIRST, SECOND, HUMAN], *AXES)
    found = groups(svg)
    first, second, human = (
        number(kinds(found[f"{name}, one"], "circle")[0], "r") for name in ("first", "second", "Human")
    )
    assert first == second > human
    first, second, human = (number(line, "stroke-width") for line in drawn(svg, "polyline"))
    assert first == second > human
    dots = groups(forest("t", [("a", 0, Point(0.4), Point(0.5))], [("Human", 0.6)], "accuracy"))
    ours, ring, human = (
        number(kinds(dots[name], "circle")[0], "r") for name in ("a, official rule", "a, verified rule", "Human")
    )
    assert ours == ring > human


def test_a_point_as_text_and_in_words():
    assert Point(0.67891, 0.65, 0.707, 1000).as_text() == "67.9 % [65.0, 70.7], n = 1000"
    assert (Point(0.5).as_text(), Point(0.5, count=3).as_text()) == ("50.0 %", "50.0 %, n = 3")
    many = Series("m", {f"p{i}": Point(0.5) for i in range(31)}, 0)
    assert summary([FIRST, many], PARTS[:1]) == "first: one 12.3 % [5.2, 15.6], n = 11; m: ."
    assert summary([many], list(many.points)).endswith("p29 50.0 %, and more.")
