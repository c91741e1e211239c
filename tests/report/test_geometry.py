"""What is drawn read back from the drawing: coordinates against the ticks beside them, shades, areas, corners."""

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations, pairwise
from statistics import linear_regression

import pytest

from mmmath_tasks.problem import Score
from mmmath_tasks.report.figures import point
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series, counts, summary
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.plots.shares import shares
from mmmath_tasks.report.svg import WIDTH, ceiling, text_width
from mmmath_tasks.report.themes import GREY, RULE

SPACE = "{http://www.w3.org/2000/svg}"
AXES = ("accuracy, percent", "level")
PARTS = ("one", "two", "three", "four")
FIRST = Series(
    "first",
    {
        p: Point(v, v - 0.0713, v + 0.0329, n)
        for p, v, n in zip(PARTS, (0.1234, 0.5678, 0.3456, 0.4321), (11, 222, 3333, 44), strict=True)
    },
    0,
)
SECOND = Series(
    "second",
    {p: Point(v, v - 0.0217, v + 0.0517, 55) for p, v in zip(PARTS, (0.3142, 0.2718, 0.4142, 0.1618), strict=True)},
    1,
)
HUMAN = Series("Human", {"one": Point(0.5772), "three": Point(0.4669)})


def groups(svg):
    """Return the shapes of each group with a title, by title up to its colon."""
    found = {}
    for node in ET.fromstring(svg).iter(f"{SPACE}g"):  # noqa: S314
        title = node.find(f"{SPACE}title")
        if title is not None:
            found[title.text.partition(":")[0]] = [child for child in node if child is not title]
    return found


def kinds(shapes, tag):
    return [shape for shape in shapes if shape.tag == f"{SPACE}{tag}"]


def number(shape, key):
    return float(shape.get(key))


def drawn(svg, tag):
    return list(ET.fromstring(svg).iter(f"{SPACE}{tag}"))  # noqa: S314


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
    root = ET.fromstring(svg)  # noqa: S314
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


def test_an_axis_ends_where_its_values_do():
    few = Series("r", {"one": Point(0.31, 0.2, 0.39)}, 0)
    svg = bars("t", ["one"], [few], [], AXES)
    assert [node.text for node in drawn(svg, "text") if re.fullmatch(r"\d+", node.text or "")] == [
        "0",
        "10",
        "20",
        "30",
        "40",
    ]


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


RUNS = [
    ("a", 0, Point(0.4321, 0.4019, 0.4707, 1000), Point(0.5123, 0.4801, 0.5511, 990)),
    ("b", 1, Point(0.2222, 0.2, 0.3), None),
]
CELLS = {("r1", "c1"): Point(0.12, count=9), ("r1", "c2"): Point(0.64, count=10), ("r2", "c1"): Point(0.66, count=1)}
CLASSES = {"IK": 0.2345, "IG": 0.0, "RM": 0.3333, "CM": 0.4322}
ALL = {
    # what draws, and how many words are set how: at which end, how large, in grey (g) or not
    "forest": (
        lambda: forest("t", RUNS, [("Human", 0.6031)], "accuracy"),
        "4 s10.5, 2 e11.5, 2 e12, 1 e9g, 2 e11g, 6 m10g",
    ),
    "bars": (
        lambda: bars("t", PARTS, [FIRST, SECOND], [HUMAN], AXES),
        "4 s10.5, 8 e10, 4 e12, 1 e10g, 8 e9g, 6 m10g",
    ),
    "profile": (
        lambda: profile("t", PARTS, [FIRST, SECOND, HUMAN], *AXES),
        "4 s10.5, 4 m11, 5 e10g, 2 m10g, 4 m9g",
    ),
    "radar": (
        lambda: radar("t", PARTS, [FIRST, SECOND], "accuracy"),
        "3 s10.5, 1 s9, 1 e10.5, 1 e9, 2 m10.5, 2 m9, 2 s10g, 1 m10g",
    ),
    "heat map": (
        lambda: heat_map("t", ["r1", "r2"], ["c1", "c2"], CELLS, AXES, "run"),
        "6 s10.5, 2 s8.5, 2 e11, 3 m11, 1 e10g, 1 m10g, 3 m11g",
    ),
    "shares": (
        lambda: shares(
            "t", [("a", CLASSES, Point(0.54, 0.5, 0.6, 525)), ("b", {**CLASSES, "RM": 0.3}, Point(0.1))], "score"
        ),
        "4 s10.5, 2 e11, 2 e11.5, 6 m10.5, 1 e10g, 1 e9g, 1 m10g",
    ),
    "multiples": (
        lambda: multiples("t", PARTS, [FIRST, SECOND], [HUMAN], AXES),
        "3 s10.5, 4 s11, 8 e10, 4 e11, 4 s9g, 1 m10g, 8 m9g",
    ),
}


def laid_out(svg):
    """Return every text with its box (left, top, right, bottom; None where it is turned), and all points of shapes."""
    texts, points = [], []

    def walk(node, dx, dy, turned):
        moved = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
        if moved:
            dx, dy = dx + float(moved[1]), dy + float(moved[2])
        turned = turned or "rotate" in node.get("transform", "")
        if node.tag == f"{SPACE}text" and node.text:
            size = float(node.get("font-size", 12))
            wide = text_width(node.text, size)
            left = dx + number(node, "x") - {"end": wide, "middle": wide / 2}.get(node.get("text-anchor"), 0)
            top = dy + number(node, "y") - 0.75 * size
            texts.append((node, size, None if turned else (left, top, left + wide, top + 0.95 * size)))
        elif node.tag != f"{SPACE}text":
            for across, down in (("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")):
                if node.get(across) is not None:
                    x, y = dx + number(node, across), dy + number(node, down)
                    points.extend([(x, y), (x + float(node.get("width", 0)), y + float(node.get("height", 0)))])
        for child in node:
            walk(child, dx, dy, turned)

    walk(ET.fromstring(svg), 0, 0, False)  # noqa: S314
    return texts, points


@pytest.mark.parametrize("name", ALL)
def test_words_are_within_the_drawing_and_not_on_one_another(name):
    svg = ALL[name][0]()
    texts, points = laid_out(svg)
    height = number(ET.fromstring(svg), "height")  # noqa: S314
    boxes = [box for *_, box in texts if box]
    assert all(0 <= x <= WIDTH and 0 <= y <= height for x, y in points)
    assert all(left >= 0 and top >= 0 and right <= WIDTH and bottom <= height for left, top, right, bottom in boxes)
    assert height - max(box[3] for box in boxes) < 12  # and no room is left below them
    for one, other in combinations(boxes, 2):
        assert min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])


@pytest.mark.parametrize("name", ALL)
def test_words_of_one_kind_are_set_alike(name):
    draw, wanted = ALL[name]
    found = Counter(
        f"{(node.get('text-anchor') or 'start')[0]}{size:g}{'g' * (node.get('fill') == GREY)}"
        for node, size, _ in laid_out(draw())[0]
    )
    assert found == Counter({kind: int(count) for count, kind in map(str.split, wanted.split(", "))})


def test_heads_stand_over_their_columns_and_numbers_in_the_middle_of_their_cells():
    svg = ALL["heat map"][0]()
    found = groups(svg)
    heads = {node.text: number(node, "x") for node in drawn(svg, "text") if node.text in ("c1", "c2")}
    rows = {node.text: number(node, "y") for node in drawn(svg, "text") if node.text in ("r1", "r2")}
    for (row, column), value in CELLS.items():
        (box,), (said, *_) = kinds(found[f"{row}, {column}"], "rect"), kinds(found[f"{row}, {column}"], "text")
        middle = number(box, "x") + number(box, "width") / 2
        assert heads[column] == near(middle)
        assert number(said, "x") == near(middle - (10 if value.count < 10 else 0))
        assert number(said, "y") == rows[row] == near(number(box, "y") + 14)


def test_marks_of_runs_are_larger_than_the_papers():
    svg = ALL["profile"][0]()
    found = groups(svg)
    radii = {
        one: {number(kinds(found[f"{one}, {p}"], "circle")[0], "r") for p in ("one", "three")}
        for one in ("first", "second", "Human")
    }
    assert radii == {"first": {3.4}, "second": {3.4}, "Human": {2}}
    lines = drawn(svg, "polyline")
    assert [(one.get("stroke-width"), one.get("stroke-dasharray")) for one in lines] == [
        ("2.2", None),
        ("2.2", "7 3"),
        ("1.4", "4 3"),
    ]


WHOLE = {
    "circle": {"cx", "cy", "r", "fill"},
    "line": {"x1", "y1", "x2", "y2", "stroke", "stroke-width"},
    "rect": {"x", "y", "width", "height", "fill"},
    "text": {"x", "y"},
    "polygon": {"points", "fill", "stroke"},
    "polyline": {"points", "fill", "stroke", "stroke-width"},
}


@pytest.mark.parametrize("name", ALL)
def test_every_shape_is_whole_and_says_whose_it_is(name):
    svg = ALL[name][0]()
    tags = {node.tag.removeprefix(SPACE) for node in ET.fromstring(svg).iter()}  # noqa: S314
    assert tags <= {*WHOLE, "svg", "title", "desc", "g"}
    for tag, wanted in WHOLE.items():
        for shape in drawn(svg, tag):
            assert wanted <= set(shape.attrib)
            assert "None" not in shape.attrib.values()
    titled = {node.find(f"{SPACE}title"): node for node in drawn(svg, "g") if node.find(f"{SPACE}title") is not None}
    ours = {title.text.partition(":")[0]: node for title, node in titled.items() if node.get("data-run")}
    wanted = {
        "forest": {("a", None), ("b", None)},
        "bars": {(run, part) for run in ("first", "second") for part in PARTS},
        "profile": {(run, part) for run in ("first", "second", "Human") for part in PARTS} - UNKNOWN,
        "radar": set(),
        "heat map": {("run", "r1"), ("run", "r2")},
        "shares": {("a", None), ("b", None)},
        "multiples": {(run, part) for run in ("first", "second") for part in PARTS},
    }[name]
    assert {(node.get("data-run"), node.get("data-part-1")) for node in ours.values()} == wanted


UNKNOWN = {("Human", "two"), ("Human", "four")}


def test_words_stand_beside_what_they_name():
    """Labels end just before the axis begins and are level with their bars, legends' marks before their words."""
    svg = ALL["bars"][0]()
    found = groups(svg)
    (bar,) = kinds(found["first, two"], "rect")
    (label,) = [node for node in drawn(svg, "text") if node.text == "two"]
    assert number(bar, "x") - number(label, "x") == 8
    assert number(bar, "y") < number(label, "y") < number(bar, "y") + 30
    values = {number(node, "x") for node in kinds(found["first, two"], "text")}
    assert values == {WIDTH - 50, WIDTH - 4}
    for name in ("forest", "bars", "profile", "heat map", "shares", "multiples"):  # a legend's marks and words
        svg = ALL[name][0]()
        marks = {float(y) for y in re.findall(r'"translate\(\S+ ([\d.]+)\)"', svg)}
        words = [node for node in drawn(svg, "text") if node.get("font-size") == "10.5" and not node.get("text-anchor")]
        assert {number(node, "y") - 4 for node in words} <= marks


def test_a_point_as_text_and_in_words():
    assert Point(0.67891, 0.65, 0.707, 1000).as_text() == "67.9 % [65.0, 70.7], n = 1000"
    assert (Point(0.5).as_text(), Point(0.5, count=3).as_text()) == ("50.0 %", "50.0 %, n = 3")
    many = Series("m", {f"p{i}": Point(0.5) for i in range(31)}, 0)
    assert summary([FIRST, many], PARTS[:1]) == "first: one 12.3 % [5.2, 15.6], n = 11; m: ."
    assert summary([many], list(many.points)).endswith("p29 50.0 %, and more.")
