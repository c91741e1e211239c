"""A drawing of every kind of plot, and what stands in one: shapes by title, words with their boxes, the legend."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.plots.shares import shares
from mmmath_tasks.report.svg import text_width

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

LONG = (
    "Plane Figures",
    "Correspondence of Coordinates and Positions",
    "a_b",
    "Solids",
    "Calculation of Areas",
    "x y z",
)
MANY = [
    Series(
        f"run {i}",
        {p: Point(v := 0.03 + (7 * i + 3 * j) % 19 / 20, v - 0.02, v + 0.03, 9) for j, p in enumerate(LONG)},
        i,
    )
    for i in range(3)
]
OTHERS = [Series("Human expert", {p: Point(0.91) for p in LONG}), Series("Random chance", {LONG[0]: Point(0.25)})]
BARE = [Series("alone", {"a": Point(0.31), "b": Point(0.155), "c": Point(math.nan)}, 0)]


def drawings(parts, runs, marks):
    """Return a plot of each kind of the same values, by its name."""
    ours = [(s.name, s.run, s.points[parts[0]], s.points[parts[1]] if i else None) for i, s in enumerate(runs)]
    cells = {(s.name, p): s.points[p] for p in parts for s in runs}
    classes = [
        (s.name, {"IK": share, "IG": 0.0, "RM": 0.7 - share, "CM": 0.3}, s.points[parts[0]])
        for s in runs
        for share in [s.points[parts[0]].value / 2]
    ]
    return {
        "forest": forest("T", ours, [(m.name, m.points[parts[0]].value) for m in marks], AXES[0]),
        "bars": bars("T", parts, runs, marks, AXES),
        "profile": profile("T", parts, [*runs, *marks], *AXES),
        "radar": radar("T", parts, runs, AXES[0]),
        "heat map": heat_map("T", [s.name for s in runs], parts, cells, AXES, "ours"),
        "shares": shares("T", classes, "score"),
        "multiples": multiples("T", parts, runs, marks, AXES),
    }


INPUTS = {
    "plain": (PARTS, [FIRST, SECOND], [HUMAN]),
    "many": (LONG, MANY, OTHERS),
    "bare": (tuple("abc"), BARE, []),
}
KINDS = ("forest", "bars", "profile", "radar", "heat map", "shares", "multiples")
NAMES = [f"{kind}, {which}" for which in INPUTS for kind in KINDS]


def all_drawings():
    """Return a plot of each kind of each of the inputs, by kind and input."""
    return {f"{kind}, {which}": svg for which, given in INPUTS.items() for kind, svg in drawings(*given).items()}


@cache
def root_of(svg):
    return ET.fromstring(svg)  # noqa: S314


def groups(svg):
    """Return the shapes of each group with a title, by title up to its colon."""
    found = {}
    for node in root_of(svg).iter(f"{SPACE}g"):
        title = node.find(f"{SPACE}title")
        if title is not None:
            found[title.text.partition(":")[0]] = [child for child in node if child is not title]
    return found


def kinds(shapes, tag):
    return [shape for shape in shapes if shape.tag == f"{SPACE}{tag}"]


def number(shape, key):
    return float(shape.get(key))


def drawn(svg, tag):
    return list(root_of(svg).iter(f"{SPACE}{tag}"))


@dataclass(frozen=True)
class Placed:
    """A word or a shape as it stands in the drawing: its box, and the groups around it."""

    node: ET.Element
    box: tuple[float, float, float, float]
    around: tuple[ET.Element, ...]

    @property
    def said(self):
        return self.node.text or ""

    @property
    def size(self):
        return float(self.node.get("font-size", 12))

    @property
    def group(self):
        """The title of the group that it stands in, up to its colon."""
        titles = [g.find(f"{SPACE}title") for g in self.around if g.find(f"{SPACE}title") is not None]
        return titles[-1].text.partition(":")[0] if titles else ""

    @property
    def middle(self):
        """How far down its middle is, of a word that of its small letters."""
        if self.node.tag != f"{SPACE}text":
            return (self.box[1] + self.box[3]) / 2
        return self.box[1] + 0.75 * self.size - 0.36 * self.size


def placed(svg):
    """Return every word and shape of a drawing."""
    found = []

    def walk(node, dx, dy, turned, around):
        moved = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
        if moved:
            dx, dy = dx + float(moved[1]), dy + float(moved[2])
        turned = turned or "rotate(-90)" in node.get("transform", "")
        for child in node:
            box = _box(child)
            if box:
                left, top, right, bottom = (box[1], -box[2], box[3], -box[0]) if turned else box
                found.append(Placed(child, (dx + left, dy + top, dx + right, dy + bottom), around))
            elif child.tag == f"{SPACE}g":
                walk(child, dx, dy, turned, (*around, child))

    walk(root_of(svg), 0, 0, False, ())
    return found


def _box(node):
    kind = node.tag.removeprefix(SPACE)
    if kind == "text":
        size, said = float(node.get("font-size", 12)), node.text or ""
        wide = text_width(said, size)
        left = number(node, "x") - {"end": wide, "middle": wide / 2}.get(node.get("text-anchor"), 0)
        top = number(node, "y") - 0.75 * size
        return left, top, left + wide, top + 0.95 * size
    if kind == "circle":
        x, y, r = (number(node, key) for key in ("cx", "cy", "r"))
        return x - r, y - r, x + r, y + r
    if kind == "rect":
        x, y = (float(node.get(key, 0)) for key in ("x", "y"))
        return x, y, x + number(node, "width"), y + number(node, "height")
    if kind == "line":
        xs, ys = sorted(number(node, k) for k in ("x1", "x2")), sorted(number(node, k) for k in ("y1", "y2"))
        return xs[0], ys[0], xs[1], ys[1]
    if kind in ("polygon", "polyline"):
        points = [tuple(map(float, p.split(","))) for p in node.get("points").split()]
        xs, ys = zip(*points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    return None


def legend_of(svg):
    """Return the marks of a drawing's legend by their words."""
    nodes = list(root_of(svg))
    return {
        said.text: mark[0]
        for mark, said in pairwise(nodes)
        if len(mark) == 1 and mark.get("transform") and said.tag == f"{SPACE}text" and said.get("text-anchor") is None
    }
