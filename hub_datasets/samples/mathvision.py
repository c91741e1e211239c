"""MATH-Vision's sample: each function draws one problem of our own and returns its texts, computed from the drawing."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from mmmath_tasks.hub_datasets.samples import drawing as d

Draw = Callable[[Any], dict[str, Any]]
LETTERS = list("ABCDE")

_drawn: list[tuple[Draw, tuple[int, int], dict[str, Any]]] = []


def _problem(subject: str, level: int, size: tuple[int, int] = (360, 280)) -> Callable[[Draw], Draw]:
    def keep(draw: Draw) -> Draw:
        _drawn.append((draw, size, {"level": level, "subject": subject}))
        return draw

    return keep


def _free(question: str, answer: object, solution: str | None = None) -> dict[str, Any]:
    return {"question": question, "options": [], "answer": str(answer), "solution": solution}


def _choice(question: str, answer: object, options: list[Any], solution: str | None = None) -> dict[str, Any]:
    letter = LETTERS[options.index(answer)]
    return {"question": question, "options": [str(o) for o in options], "answer": letter, "solution": solution}


def rows() -> list[dict[str, Any]]:
    """Return the sample's rows in upstream's columns, their pictures drawn."""
    found = []
    for number, (draw, size, fields) in enumerate(_drawn, 1):
        png, texts = d.picture(draw, size)
        image = {"image": f"images/{number}.png", "decoded_image": {"bytes": png, "path": f"{number}.png"}}
        found.append({"id": str(number), **texts, **image, **fields})
    return found


def _tex(value: Fraction) -> str:
    return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


@_problem("arithmetic", 1, (340, 240))
def _number_wall(axes: Any) -> dict[str, Any]:
    base = [3, 8, 5]
    shown: list[list[Any]] = [base, ["", ""], ["?"]]
    d.plane(axes, -0.1, 6.1, -0.1, 3.1)
    for y, row in enumerate(shown):
        for i, number in enumerate(row):
            d.box(axes, y + 2 * i, y, 2, 1, fill=d.shade(d.ORANGE, 0.5))
            d.text(axes, (y + 2 * i + 1, y + 0.5), str(number))
    question = "Each brick holds the sum of the two bricks below it. Which number belongs on the top brick?\n<image1>"
    return _free(question, sum(a + b for a, b in pairwise(base)))


@_problem("counting", 2, (280, 280))
def _squares(axes: Any) -> dict[str, Any]:
    n = 3
    d.plane(axes, -0.1, n + 0.1, -0.1, n + 0.1)
    for i in range(n + 1):
        d.line(axes, (0, i), (n, i))
        d.line(axes, (i, 0), (i, n))
    count = sum((n - side + 1) ** 2 for side in range(1, n + 1))
    question = "How many squares of all sizes can be seen in the grid?\n<image1>"
    return _choice(question, count, [9, 10, 13, count, 18])


@_problem("logic", 1, (420, 160))
def _queue(axes: Any) -> dict[str, Any]:
    hats = ["red", "blue", "green", "orange", "purple"]
    paint = dict(zip(hats, (d.RED, d.BLUE, d.GREEN, d.ORANGE, d.PURPLE), strict=True))
    d.plane(axes, 0, 11, -0.7, 3.6)
    for i, hat in enumerate(hats):
        x = 1 + 2.2 * i
        d.circle(axes, (x, 0.8), 0.8, fill="#f2cfa7")
        for side in (-0.3, 0.3):
            d.circle(axes, (x + side, 0.8), 0.07, fill=d.INK)
        d.polygon(axes, (x - 0.8, 1.4), (x + 0.8, 1.4), (x, 3), fill=paint[hat])
    third = hats.index("orange") - 1
    question = (
        "Five gnomes stand in a row. One of them says: my left neighbour in the picture has a blue hat and my right "
        "neighbour in the picture has an orange hat. Which hat does this gnome wear?\n<image1>"
    )
    return _choice(question, hats[third], ["red", "orange", "blue", "green", "purple"])


@_problem("combinatorial geometry", 2, (420, 300))
def _missing_piece(axes: Any) -> dict[str, Any]:
    gap = {(2, 0), (3, 0), (3, 1)}
    pieces = {
        "A": {(0, 0), (1, 0), (2, 0)},
        "B": {(0, 0), (0, 1), (1, 1), (1, 0)},
        "C": {(0, 0), (1, 0), (1, 1)},
        "D": {(0, 0), (1, 0)},
        "E": {(0, 0), (1, 0), (1, 1), (2, 1)},
    }
    d.plane(axes, -0.2, 16.2, -2.2, 7.4)
    for x in range(4):
        for y in range(4):
            if (x, y) not in gap:
                d.box(axes, 5.5 + x, 3.2 + y, 1, 1, fill=d.shade(d.BLUE, 0.5))
    left = {"A": 0.0, "B": 4.0, "C": 7.0, "D": 10.0, "E": 13.0}
    for letter, cells in pieces.items():
        for x, y in cells:
            d.box(axes, left[letter] + x, y, 1, 1, fill=d.shade(d.GREEN, 0.5))
        d.text(axes, (left[letter] + max(x + 1 for x, _ in cells) / 2, -0.7), letter)
    d.text(axes, (3.6, 5.2), "<image1>", 11, d.GREY)
    d.text(axes, (8, -1.8), "<image2>", 11, d.GREY)
    corner = (min(x for x, _ in gap), min(y for _, y in gap))
    moved = {(x - corner[0], y - corner[1]) for x, y in gap}
    answer = next(letter for letter, cells in pieces.items() if cells == moved)
    question = (
        "Which piece, without being turned, fills the gap so that <image1> becomes a full 4 by 4 square?\n<image2>"
    )
    return _choice(question, answer, LETTERS)


@_problem("transformation geometry", 3, (420, 260))
def _mirror(axes: Any) -> dict[str, Any]:
    shape = [(0, 0), (0, 2), (0.5, 2), (0.5, 0.5), (1.4, 0.5), (1.4, 0)]

    def turned(quarters: int, mirrored: bool) -> list[d.Point]:
        points = [((-x if mirrored else x) + (0.7 if mirrored else -0.7), y - 1) for x, y in shape]
        for _ in range(quarters):
            points = [(-y, x) for x, y in points]
        return points

    ways = [(0, False), (2, True), (0, True), (1, False), (2, False)]
    d.plane(axes, -0.6, 14.6, -2.3, 5.4)
    d.polygon(axes, *((x + 5.5, y + 4) for x, y in turned(0, False)), fill=d.shade(d.PURPLE, 0.6))
    d.line(axes, (7, 2.6), (7, 5.4), style="--", colour=d.RED)
    d.text(axes, (7.5, 5.1), "m", colour=d.RED)
    for i, way in enumerate(ways):
        d.polygon(axes, *((x + 1 + 3 * i, y) for x, y in turned(*way)), fill=d.shade(d.PURPLE, 0.6))
        d.text(axes, (1 + 3 * i, -1.8), f"<image{i + 2}>", 9.5, d.GREY)
    d.text(axes, (2.6, 4), "<image1>", 9.5, d.GREY)
    options = [f"<image{i}>" for i in range(2, 7)]
    question = "The figure is reflected in the line $m$. Which picture shows the result?\n<image1>"
    return _choice(question, options[ways.index((0, True))], options)


@_problem("metric geometry - length", 4, (360, 260))
def _two_squares(axes: Any) -> dict[str, Any]:
    a, b = 5, 5
    d.plane(axes, -0.9, 10.9, -0.9, 5.8)
    d.box(axes, 0, 0, a, b)
    d.box(axes, a, 0, a, b)
    d.line(axes, (0, 0), (2 * a, b), colour=d.RED)
    d.names(axes, 0.4, A=(0, 0, "sw"), B=(2 * a, b, "ne"))
    d.text(axes, (a / 2, -0.5), str(a))
    times = ((2 * a) ** 2 + b**2) // a**2
    question = "Two squares with side 5 lie side by side. What is the length of $AB$?\n<image1>"
    solution = "By Pythagoras $AB^2 = 10^2 + 5^2 = 125$, so $AB = 5\\sqrt{5}$."
    return _free(question, f"${a} \\sqrt{{{times}}}$", solution)


@_problem("metric geometry - area", 3, (280, 280))
def _segment(axes: Any) -> dict[str, Any]:
    r = 6
    d.plane(axes, -0.9, 6.9, -1, 6.5)
    arc = [(r * math.cos(math.radians(t)), r * math.sin(math.radians(t))) for t in range(91)]
    d.polygon(axes, *arc, fill=d.shade(d.GREEN, 0.6))
    d.line(axes, (r, 0), (0, 0), (0, r))
    d.right_angle(axes, (0, 0), (r, 0), (0, r), 0.5)
    d.text(axes, (r / 2, -0.5), str(r))
    quarter, triangle = Fraction(r * r, 4), Fraction(r * r, 2)
    question = "The figure shows a quarter of a circle with radius 6. What is the area of the shaded part?\n<image1>"
    solution = "A quarter of the disc less the right triangle: $\\frac{1}{4} \\pi \\cdot 36 - \\frac{1}{2} \\cdot 36$."
    return _free(question, f"${quarter} \\pi-{triangle}$", solution)


@_problem("metric geometry - angle", 3, (300, 290))
def _pentagram(axes: Any) -> dict[str, Any]:
    tips = [(math.cos(math.radians(90 + 72 * i)), math.sin(math.radians(90 + 72 * i))) for i in range(5)]
    d.plane(axes, -1.3, 1.3, -1.1, 1.2)
    d.polygon(axes, *(tips[2 * i % 5] for i in range(5)))
    d.polygon(axes, *tips, colour=d.GREY)
    d.angle(axes, tips[0], tips[2], tips[3], "$x$", radius=0.28, far=1.45)
    x = 180 // 5
    question = "The corners of a regular pentagon are joined to a star. How large is the angle $x$?\n<image1>"
    return _choice(question, f"${x}^{{\\circ}}$", [f"${a}^{{\\circ}}$" for a in (30, x, 45, 54, 72)])


@_problem("graph theory", 4, (340, 260))
def _one_stroke(axes: Any) -> dict[str, Any]:
    at = {"P": (0, 0), "Q": (3, 0), "R": (3, 2.4), "S": (0, 2.4), "T": (1.5, 3.9)}
    edges = ["PQ", "QR", "RS", "SP", "PR", "QS", "RT", "ST"]
    d.plane(axes, -0.6, 3.6, -0.5, 4.5)
    for edge in edges:
        d.line(axes, *(at[name] for name in edge))
    for name, place in at.items():
        d.circle(axes, place, 0.08, fill=d.INK)
        d.names(axes, 0.32, **{name: (*place, "n" if name == "T" else "w" if place[0] == 0 else "e")})
    odd = [name for name in at if sum(name in edge for edge in edges) % 2]
    if len(odd) != 2:
        raise ValueError("the graph has no open stroke")
    question = (
        "The house is drawn in one stroke, no line twice, without lifting the pencil. "
        "In which two points can the stroke begin and end?\n<image1>"
    )
    options = ["P and R", "S and T", "P and Q", "R and S", "Q and T"]
    return _choice(question, " and ".join(odd), options)


@_problem("statistics", 3, (380, 270))
def _mean_goals(axes: Any) -> dict[str, Any]:
    games = {0: 2, 1: 3, 2: 4, 3: 1, 4: 2}
    axes.bar(list(games), list(games.values()), color=d.GREEN, width=0.6)
    axes.set(xlabel="goals in a game", ylabel="number of games", yticks=range(6), xticks=list(games))
    axes.grid(axis="y")
    mean = Fraction(sum(goals * n for goals, n in games.items()), sum(games.values()))
    question = "What is the mean number of goals in a game? Give it as a fraction in lowest terms.\n<image1>"
    return _free(question, f"${_tex(mean)}$")


@_problem("analytic geometry", 5, (340, 300))
def _lattice_area(axes: Any) -> dict[str, Any]:
    a, b, c = (1, 1), (6, 3), (3, 6)
    d.coordinates(axes, -1, 8, -1, 8)
    d.polygon(axes, a, b, c, fill=d.shade(d.BLUE, 0.4), colour=d.BLUE)
    d.names(axes, 0.45, A=(*a, "s"), B=(*b, "e"), C=(*c, "n"))
    doubled = abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
    question = "<image1>\nThe corners of triangle $ABC$ lie on lattice points. What is its area?"
    return _free(question, _tex(Fraction(doubled, 2)))


@_problem("solid geometry", 4, (360, 300))
def _net(axes: Any) -> dict[str, Any]:
    cells = {"1": (0, 1), "2": (1, 1), "3": (2, 1), "4": (3, 1), "5": (1, 2), "6": (2, 0)}
    d.plane(axes, -0.1, 4.1, -0.1, 3.1)
    for face, (x, y) in cells.items():
        d.box(axes, x, y, 1, 1, fill=d.shade(d.ORANGE, 0.4))
        d.text(axes, (x + 0.5, y + 0.5), face, 16)
    strip = [face for face, (_, y) in sorted(cells.items()) if y == 1]
    opposite = strip[(strip.index("4") + 2) % 4]
    question = "The net is folded to a cube. Which face lies opposite the face 4?\n<image1>"
    return _choice(question, opposite, ["1", "2", "3", "5", "6"])


@_problem("combinatorics", 5, (340, 280))
def _lattice_paths(axes: Any) -> dict[str, Any]:
    wide, high, closed = 4, 3, (2, 1)
    d.plane(axes, -0.6, wide + 0.6, -0.5, high + 0.5)
    for i in range(wide + 1):
        d.line(axes, (i, 0), (i, high), colour=d.GREY)
    for j in range(high + 1):
        d.line(axes, (0, j), (wide, j), colour=d.GREY)
    axes.plot(*closed, "X", markersize=15, color=d.RED, zorder=3)
    d.names(axes, 0.3, A=(0, 0, "sw"), B=(wide, high, "ne"))
    ways = math.comb(wide + high, high) - math.comb(sum(closed), closed[0]) * math.comb(
        wide + high - sum(closed), wide - closed[0]
    )
    question = (
        "A beetle walks along the grid lines from $A$ to $B$, only to the right and upwards. The crossing with the red "
        "mark is closed. How many different ways are there?\n<image1>"
    )
    return _free(question, ways)


@_problem("algebra", 5, (420, 180))
def _matches(axes: Any) -> dict[str, Any]:
    start, counts = 0.0, []
    d.plane(axes, -0.2, 11.4, -0.3, 1.3)
    for n in (1, 2, 3):
        for i in range(n):
            d.polygon(axes, *((start + x, y) for x, y in ((i, 0), (i + 1, 0), (i + 0.5, 0.87))), colour=d.RED)
            if i:
                d.line(axes, (start + i - 0.5, 0.87), (start + i + 0.5, 0.87), colour=d.RED)
        start += n + 1.6
        counts.append(3 * n + n - 1)
    rule = f"${counts[1] - counts[0]}n-{counts[1] - 2 * counts[0]}$"
    question = "The pattern of matches is continued. How many matches does the $n$-th figure need?\n<image1>"
    return _choice(question, rule, ["$3n$", "$4n-1$", "$2n+1$", "$4n+1$", "$n^2+2$"])


@_problem("topology", 2, (420, 160))
def _holes(axes: Any) -> dict[str, Any]:
    holes = {"O": 1, "B": 2, "C": 0, "R": 1, "8": 2}
    d.plane(axes, 0, 10, -0.5, 1.8)
    for i, shape in enumerate(holes):
        d.text(axes, (1 + 2 * i, 1), shape, 36, family="DejaVu Sans", weight="bold")
        d.text(axes, (1 + 2 * i, -0.2), LETTERS[i], 12, d.GREY)
    alone = next(i for i, n in enumerate(holes.values()) if list(holes.values()).count(n) == 1)
    question = (
        "The shapes are made of soft dough. Four of them have a partner into which they can be kneaded without tearing "
        "or glueing. Which one has none?\n<image1>"
    )
    return _choice(question, LETTERS[alone], LETTERS)


@_problem("descriptive geometry", 2, (420, 330))
def _from_behind(axes: Any) -> dict[str, Any]:
    columns = [3, 1, 2]
    views = {"A": [2, 1, 3], "B": [3, 2, 1], "C": [3, 1, 2], "D": [1, 3, 2], "E": [3, 3, 2]}
    d.plane(axes, -0.3, 20, -2.2, 10.2)
    for x, height in enumerate(columns):
        for y in range(height):
            d.cube(axes, 7.2 + 1.5 * x, 5 + 1.5 * y, 1.5, d.BLUE)
    d.arrow(axes, (9.45, 3.2), (9.45, 4.7), d.RED)
    d.text(axes, (10, 3.7), "front", colour=d.RED, ha="left")
    d.text(axes, (4.6, 6.5), "<image1>", 11, d.GREY)
    d.text(axes, (9.45, -1.9), "<image2>", 11, d.GREY)
    for i, (letter, heights) in enumerate(views.items()):
        for x, height in enumerate(heights):
            for y in range(height):
                d.box(axes, 4 * i + 0.9 * x, 0.9 * y, 0.9, 0.9, fill=d.shade(d.BLUE, 0.4))
        d.text(axes, (4 * i + 1.35, -0.9), letter)
    answer = next(letter for letter, heights in views.items() if heights == columns[::-1])
    question = (
        "Three towers of cubes stand side by side. Seen from the front they look as in <image1>. "
        "What do they look like from behind?\n<image2>"
    )
    return _choice(question, answer, LETTERS)
