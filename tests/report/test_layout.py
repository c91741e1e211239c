"""How plots are laid out: nothing lies on anything else, legends mean what is drawn, words stand by what they name."""

import math
import re
from collections import Counter
from itertools import combinations, pairwise

import pytest
from report.drawings import AXES, INPUTS, NAMES, SPACE, drawings, drawn, legend_of, number, placed, root_of

from mmmath_tasks.number_text import NONE as DASH
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.svg import WIDTH
from mmmath_tasks.report.themes import GREY, PAPER, RULE

every = pytest.mark.parametrize("name", NAMES)


def words(svg):
    return [one for one in placed(svg) if one.node.tag == f"{SPACE}text" and one.said]


def shapes(svg, *tags):
    return [one for one in placed(svg) if one.node.tag.removeprefix(SPACE) in tags]


def overlap(one, other):
    """How far two boxes lie on one another, across and down."""
    return min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])


@every
def test_all_is_within_the_drawing_and_no_words_lie_on_others_or_on_marks(name, plots):
    svg = plots[name]
    height = number(root_of(svg), "height")
    said = words(svg)
    boxes = [*(one.box for one in said), *(one.box for one in shapes(svg, *WHOLE))]
    assert all(x0 >= 0 and y0 >= 0 and x1 <= WIDTH and y1 <= height for x0, y0, x1, y1 in boxes)
    assert height - max(one.box[3] for one in said) < 12  # and no room is left below them
    assert min(one.box[1] for one in said) < 12
    for one, other in combinations(said, 2):
        assert min(overlap(one.box, other.box)) <= 0, (one.said, other.said)
    for one in said:
        for mark in shapes(svg, "rect", "circle"):
            within = mark.node.tag == f"{SPACE}rect" and mark.group == one.group != ""  # a number in its cell
            assert within or min(overlap(one.box, mark.box)) <= 0, one.said


@pytest.mark.parametrize("kind", ["forest", "bars", "shares", "multiples"])
def test_values_stand_clear_of_marks_at_the_end_of_the_scale(kind):
    runs = [Series(f"run {i}", {p: Point(1.0, 0.9, 1.0, 3333) for p in "abc"}, i) for i in range(2)]
    svg = drawings("abc", runs, [])[kind]
    values = [one for one in words(svg) if one.said == "100.0"]
    assert values
    ends = [one.box[2] for one in shapes(svg, "rect", "circle", "line") if one.group]
    gaps = [value.box[0] - end for value in values for end in ends if end < value.box[2]]
    assert min(gaps) > 1


def test_what_axes_say_is_within_the_drawing():
    axes = ("share without a readable option, percent", "geometry direction")
    parts, runs, _ = INPUTS["plain"]
    for kind, plot in (("bars", bars), ("multiples", multiples)):
        assert all(one.box[0] >= 0 and one.box[2] <= WIDTH for one in words(plot("T", parts, runs, [], axes))), kind


WHOLE = {
    "circle": {"cx", "cy", "r", "fill"},
    "line": {"x1", "y1", "x2", "y2", "stroke", "stroke-width"},
    "rect": {"x", "y", "width", "height", "fill"},
    "text": {"x", "y"},
    "polygon": {"points", "fill", "stroke"},
    "polyline": {"points", "fill", "stroke", "stroke-width"},
}


MAY = {"fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "rx", "text-anchor"}
MAY |= {"font-size", "font-weight"}


@every
def test_every_shape_is_whole(name, plots):
    svg = plots[name]
    root = root_of(svg)
    assert {node.tag.removeprefix(SPACE) for node in root.iter()} <= {*WHOLE, "svg", "title", "desc", "g"}
    assert (root[0].tag, root[0].text) == (f"{SPACE}title", "T")
    for tag, wanted in WHOLE.items():
        for shape in drawn(svg, tag):
            assert wanted <= set(shape.attrib)
            assert set(shape.attrib) <= wanted | MAY
            assert shape.get("text-anchor", "end") in ("start", "middle", "end")
            assert "None" not in shape.attrib.values()


def told(points):
    """Values that a plot shows as a reader finds them in words."""
    return [p.as_text() for p in points if not math.isnan(p.value)]


@every
def test_the_description_says_every_value_and_shapes_say_whose_they_are(name, plots):
    kind, which = name.split(", ")
    parts, runs, marks = INPUTS[which]
    said = root_of(plots[name])[1].text
    ours = {node.get("data-run"): node for node in drawn(plots[name], "g") if node.get("data-run")}
    places = {
        tuple(node.get(f"data-part-{i}") for i in (1, 2)) for node in drawn(plots[name], "g") if node.get("data-run")
    }
    if kind == "shares":
        assert all(f"{s.name}: " in said and f"score {s.points[parts[0]].as_text()}" in said for s in runs)
    elif kind == "forest":
        assert all(f"{s.name}: {s.points[parts[0]].as_text()}" in said for s in runs)
        assert all(f", verified {s.points[parts[1]].as_text()}" in said for s in runs[1:])
        assert all(f"{s.name}: {100 * s.points[parts[0]].value:.1f} %" in said for s in marks)
    else:
        assert all(f"{value}" in said for s in runs for value in told(s.points.values()))
        assert all(s.name in said for s in runs)
        assert all(part in said for part in parts)
    if kind in ("forest", "shares"):
        wanted = {(None, None)}
    elif kind == "heat map":
        wanted = {(s.name, part) for part in parts for s in runs}
    else:
        valued = kind in ("multiples", "radar")
        wanted = {(p, None) for p in parts for s in runs if valued or not math.isnan(s.points[p].value)}
    if kind != "radar":
        assert places == wanted
        own = {s.name for s in runs} | ({s.name for s in marks} if kind == "profile" else set())
        assert set(ours) == ({"ours"} if kind == "heat map" else own)


def named(svg, name, tag):
    """The shapes of one kind in groups about a run or a part."""
    return [one.node for one in shapes(svg, tag) if name in one.group.split(", ")]


def meant(kind, svg, runs, marks):
    """What the entries of a legend stand for, beside intervals: words to shapes of the drawing."""
    ours, papers = [s.name for s in runs], {f"{s.name} (paper)": s.name for s in marks}
    if kind == "profile":
        return dict(zip([*ours, *papers], [[n] for n in drawn(svg, "polyline")], strict=True))
    if kind == "radar":
        return dict(zip(ours, [[n] for n in drawn(svg, "polygon") if n.get("stroke") != RULE], strict=True))
    if kind == "shares":
        return {part: named(svg, part, "rect") for part in ("IK", "IG", "RM", "CM")}
    lines = {said: named(svg, name, "line") for said, name in papers.items()}
    if kind == "multiples":
        return {"a run": [n for name in ours for n in named(svg, name, "circle")], **lines}
    return {name: named(svg, name, "rect") for name in ours} | lines


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("forest", "heat map"))])
def test_a_legend_names_what_is_drawn_each_by_its_colour_and_dashes(name, plots):
    kind, which = name.split(", ")
    svg = plots[name]
    found = legend_of(svg)
    wanted = meant(kind, svg, *INPUTS[which][1:])
    assert set(found) == {*wanted, *({"95 % interval"} if which != "bare" and kind not in ("radar", "shares") else ())}
    for said, drawn_so in wanted.items():
        assert drawn_so or said == "IG"  # of which there are none
        for shape in drawn_so:
            assert shape.get("stroke-dasharray") == found[said].get("stroke-dasharray")
            both = [k for k in ("fill", "stroke") if shape.get(k) and found[said].get(k)]
            assert both
            assert all(shape.get(k) == found[said].get(k) for k in both)
    if kind in ("profile", "radar"):  # beside their colours, for who sees none
        assert len({found[one.name].get("stroke-dasharray") for one in INPUTS[which][1]}) == len(INPUTS[which][1])
    told_apart = {tuple(mark.get(k) for k in ("fill", "stroke", "stroke-dasharray", "x1")) for mark in found.values()}
    assert len(told_apart) == len(found)


@pytest.mark.parametrize("which", INPUTS)
def test_a_forests_legend_has_dots_rings_and_the_papers_as_far_as_they_are_drawn(which, plots):
    svg, (_, runs, marks) = plots[f"forest, {which}"], INPUTS[which]
    found = legend_of(svg)
    solid, rings = (named(svg, rule, "circle") for rule in ("official rule", "verified rule"))
    dots = {
        "the authors' rule": solid,
        "verified rule": rings,
        "the paper's": [n for s in marks for n in named(svg, s.name, "circle")],
    }
    intervals = {"95 % interval"} if which != "bare" else set()
    assert set(found) == {said for said, shown in dots.items() if shown} | intervals
    for said, shown in dots.items():
        for dot in [*shown, *([found[said]] if shown else [])]:
            assert (dot.get("fill") == PAPER) == (said == "verified rule")
            assert (dot.get("fill") == dot.get("stroke")) == (said != "verified rule")
            assert (dot.get("fill") == GREY) == (said == "the paper's")
    assert len({n.get("stroke") for n in solid}) == len(solid) == len(runs)


@pytest.mark.parametrize("which", INPUTS)
def test_a_heat_maps_legend_has_the_shades_of_its_cells(which, plots):
    svg = plots[f"heat map, {which}"]
    found = legend_of(svg)
    cells = [node for node in drawn(svg, "rect") if node not in found.values() and number(node, "width") > 16]
    assert {mark.get("fill") for mark in found.values()} == {node.get("fill") for node in cells} - {RULE}
    assert {said: number(mark, "fill-opacity") for said, mark in found.items()} == {
        f"{p} %": p / 100 for p in range(0, 101, 25)
    }
    counted = {"plain": ["n = 11 to 3,333 a cell"], "many": ["n = 9 to 9 a cell"], "bare": []}[which]
    assert [one.said for one in words(svg) if one.said.endswith("a cell")] == counted


@every
def test_legends_stand_above_and_their_marks_just_before_their_words(name, plots):
    svg = plots[name]
    found, everything = legend_of(svg), placed(svg)
    by_node = {one.node: one for one in everything}
    entries = [(by_node[mark], next(one for one in everything if one.said == said)) for said, mark in found.items()]
    for mark, said in entries:
        assert mark.box[2] <= said.box[0] <= mark.box[0] + 22
        assert said.middle == pytest.approx(mark.middle, abs=1)
    low = max(said.box[3] for _, said in entries)
    assert all(one.box[1] >= low for one in everything if one.group)


def lines_of(svg):
    """The words that stand below one another in one style, as they are read."""
    rows = {}
    for one in words(svg):
        key = one.node.get("x"), one.node.get("text-anchor"), one.node.get("font-size"), one.node.get("fill")
        rows.setdefault(key, []).append(one)
    for column in rows.values():
        column.sort(key=lambda one: one.box[1])
        block = [column[0]]
        for above, below in pairwise(column):
            if below.box[1] - above.box[1] > 14.5:
                yield [one.said for one in block]
                block = []
            block.append(below)
        yield [one.said for one in block]


def is_read_as(lines, label):
    at = 0
    for line in lines:
        start = label.find(line.removesuffix("…"), at)
        if start < at:
            return False
        at = start + len(line.removesuffix("…"))
    return label.startswith(lines[0].removesuffix("…")) and (lines[-1].endswith("…") or at == len(label))


@pytest.mark.parametrize("kind", ["bars", "profile", "radar", "heat map", "multiples"])
def test_labels_of_several_lines_are_read_downwards(kind, plots):
    for which in ("plain", "many"):
        blocks = list(lines_of(plots[f"{kind}, {which}"]))
        for part in INPUTS[which][0]:
            label = part.replace("_", " ")
            (lines, *_) = [lines for lines in blocks if is_read_as(lines, label)]
            assert not any("…" in line for line in lines) or kind in ("profile", "heat map")


def role(one):
    """What a word is: how many problems there were, a value, what an axis says, or a label."""
    if one.said.startswith("n="):
        return "count"
    if re.fullmatch(rf"\d+\.\d|{DASH}", one.said) or (one.said.isdigit() and one.group):
        return "value"
    said = any(part in one.said for part in (*AXES, "score", "percent"))
    return "axis" if said or re.fullmatch(r"\d+", one.said) else "label"


def in_a_cell(one):
    return any(node.tag == f"{SPACE}rect" and number(node, "height") > 12 for g in one.around for node in g)


@every
def test_what_is_no_runs_own_is_grey_and_small(name, plots):
    """Counts are the smallest, ticks and what axes measure smaller than labels; a forest's rows of a paper are grey."""
    kind, which = name.split(", ")
    papers, sizes = (
        {s.name for s in INPUTS[which][2]},
        {"count": {10}, "axis": set(), "label": set(), "value": set()},
    )
    for one in words(plots[name]):
        what = role(one)
        sizes[what].add(one.size)
        if not in_a_cell(one) and (one.said != DASH or kind == "bars"):
            grey = what in ("count", "axis") or one.group in papers or one.said == DASH
            assert (one.node.get("fill") == GREY) == grey, one.said
            bold = kind == "forest" and not grey and one.said not in legend_of(plots[name])
            assert (one.node.get("font-weight") == "600") == bold, one.said
    assert max(sizes["label"] | sizes["value"]) <= 12
    assert 10 <= min(sizes["count"]) <= max(sizes["count"]) <= min(sizes["axis"] | sizes["value"])
    assert max(sizes["axis"]) < min(sizes["label"])


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("forest", "bars", "shares", "multiples"))])
def test_numbers_stand_beside_their_marks_and_below_one_another(name, plots):
    kind, which = name.split(", ")
    marks = [one for one in shapes(plots[name], "rect", "circle") if one.group]
    edges = {"value": set(), "count": set()}
    for one in words(plots[name]):
        what = role(one)
        if what in edges and not in_a_cell(one) and (kind, what) != ("multiples", "count"):
            edges[what].add(round(one.box[2], 1))
            assert one.said == DASH or any(mark.box[1] - 1 <= one.middle <= mark.box[3] + 1 for mark in marks), one.said
    assert len(edges["value"]) == (min(3, len(INPUTS[which][0])) if kind == "multiples" else 1)
    assert edges["count"] <= {WIDTH - 4}
    heads = [round(one.box[2], 1) for one in words(plots[name]) if one.said == "score"]
    assert heads == (list(edges["value"]) if kind == "shares" else [])


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("radar", "profile"))])
def test_names_of_rows_are_level_with_their_marks_and_end_just_before_them(name, plots):
    kind, which = name.split(", ")
    parts, runs, papers = INPUTS[which]
    marks = [one for one in shapes(plots[name], "rect", "circle") if one.group]
    grounds = (
        marks
        if kind in ("heat map", "shares")
        else [one for one in shapes(plots[name], "line") if one.node.get("stroke") == RULE]
    )
    start = min(one.box[0] for one in grounds)
    names = [one for one in words(plots[name]) if one.box[2] < start and role(one) == "label"]
    rows = parts if kind == "bars" else [s.name for s in (*runs, *(papers if kind == "forest" else ()))]
    for row in rows:
        lines = [one for one in names if one.said in row.replace("_", " ")]
        assert lines
        own = [one.middle for one in marks if row in one.group.split(", ")]
        middles = [sum(one.middle for one in lines) / len(lines)] if kind == "bars" else [one.middle for one in lines]
        level = [(min(own) + max(own)) / 2, *own] if own else middles  # a row of a dash alone
        assert all(min(abs(middle - at) for at in level) < (4 if kind == "forest" else 1.5) for middle in middles)
        assert all(5 < start - one.box[2] < 11 for one in lines)


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.startswith(("forest", "bars", "profile", "multiples"))]
)
def test_axes_reach_over_all_their_marks_and_their_ticks_stand_at_their_rules(name, plots):
    along = 1 if name.startswith("profile") else 0
    rules = [one.box for one in shapes(plots[name], "line") if one.node.get("stroke") == RULE]
    for i in (0, 1):
        ends = min(box[i] for box in rules) - 1, max(box[i + 2] for box in rules) + 1
        marks = [one for one in shapes(plots[name], "circle", "rect", "line") if one.group]
        assert all(ends[0] <= one.box[i] + 3.4 and one.box[i + 2] - 3.4 <= ends[1] for one in marks)
    ticks = [one for one in words(plots[name]) if one.said.isdigit() and not one.group]
    assert len(ticks) >= 2
    for tick in ticks:
        middle = tick.middle if along else (tick.box[0] + tick.box[2]) / 2
        gaps = [
            box[0] - tick.box[2] if along else tick.box[1] - box[3] for box in rules if abs(box[along] - middle) < 1
        ]
        assert 0 < min(gaps, key=abs) < 8


@pytest.mark.parametrize("kind", ["forest", "bars", "profile", "multiples"])
def test_an_axis_is_as_long_whatever_its_values(kind, plots):
    spans = set()
    for which in ("plain", "bare"):
        along = 1 if kind == "profile" else 0
        rules = [one.box for one in shapes(plots[f"{kind}, {which}"], "line") if one.node.get("stroke") == RULE]
        spans.add(round(max(box[along] for box in rules) - min(box[along] for box in rules), 1))
    assert len(spans) == 1


def test_labels_of_a_radar_of_many_parts_do_not_lie_on_one_another():
    parts = [f"a subject of {name} words" for name in "abcdefghijklmnop"]
    said = words(radar("T", parts, [Series("run", {part: Point(0.5, count=100) for part in parts}, 0)], "accuracy"))
    assert len(said) > 2 * len(parts)
    for one, other in combinations(said, 2):
        assert min(overlap(one.box, other.box)) <= 0, (one.said, other.said)


@pytest.mark.parametrize("which", INPUTS)
def test_labels_of_a_radar_stand_just_outside_of_their_corners(which, plots):
    svg = plots[f"radar, {which}"]
    rings = [one.node for one in shapes(svg, "polygon") if one.node.get("stroke") == RULE]
    corners = [tuple(map(float, p.split(","))) for p in rings[-1].get("points").split()]
    middle = [sum(x) / len(corners) for x in zip(*corners, strict=True)]
    found = Counter()
    for one in words(svg):
        if role(one) in ("label", "count") and one.said not in legend_of(svg):
            left, top, right, bottom = one.box
            gaps = [math.dist((min(max(x, left), right), min(max(y, top), bottom)), (x, y)) for x, y in corners]
            assert 5 < min(gaps) < 45
            found[gaps.index(min(gaps))] += 1
            spokes = [(x + (middle[0] - x) * t, y + (middle[1] - y) * t) for x, y in corners for t in (0, 0.1, 0.2)]
            assert not any(left <= x <= right and top <= y <= bottom for x, y in spokes)
    wanted = {"plain": [2, 2, 2, 2], "many": [2, 4, 2, 2, 3, 2], "bare": [1, 1, 1]}[which]
    assert [found[i] for i in range(len(corners))] == wanted
