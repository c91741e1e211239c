"""We-Math's sample: problems of our own in two or three steps, each step asked alone and then the whole at once.

Each function draws one row of a problem (`row` 0, 1, ... are the steps, the last is the whole) and returns all its
rows' texts; every step gives what the step before it finds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mmmath_tasks.hub_datasets.samples import drawing as d

Row = tuple[str, str, str]
Draw = Callable[[int, Any], Sequence[Row]]

NONE = "No correct answer"

CARDS = {
    "Area of Circles": "A circle with radius r has the area πr². With the diameter d, the radius is half of d.",
    "Area of Rectangles": "A rectangle's area is its length times its width.",
    "Area of Squares": "A square's area is its side multiplied by itself.",
    "Area of Trapezoids": "Add the two parallel sides, multiply by the height between them, and halve the result.",
    "Area of Triangles": "A triangle's area is half of base times height; the height is perpendicular to the base.",
    "Axial Symmetry": "Folded along its axis, a symmetric figure covers itself: matching points are equally far away.",
    "Calculation and Comparison of Angles": "Two angles that together form a straight line add up to 180°.",
    "Cardinal Directions (East, South, West, North)": "On a map north is up, south down, west left and east right.",
    "Circumference of Circles": "A circle is π times as long around as it is across: C = πd = 2πr.",
    "Combining and Dividing Solids": "A solid built of equal cubes is counted layer by layer, hidden cubes included.",
    "Conversion Rates and Calculations Between Area Units": "1 hectare is 10,000 m², and 1 m² is 100 dm².",
    "Conversion Rates and Calculations Between Volume Units (Including Liters and Milliliters)": (
        "1 litre is 1 dm³, which is 1,000 cm³; 1 millilitre is 1 cm³."
    ),
    "Describing Simple Routes Based on Direction and Distance": (
        "A route is told leg by leg: the direction of each leg and how far it goes."
    ),
    "Distance Between Two Points": "The distance of two points is the length of the straight segment between them.",
    "Division of Plane Figures": "Cut into congruent parts, a figure gives each part an equal share of its area.",
    "Perimeter of Squares": "A square's perimeter is four times its side.",
    "Representing Positions Using Ordered Pairs": "The first number of a pair counts columns, the second counts rows.",
    "Sum of Interior Angles of Triangles": "The three interior angles of any triangle add up to 180°.",
    "Surface Area of Cylinders": "A cylinder's side unrolls to a rectangle: the base's circumference times the height.",
    "Translation": "A translation moves all points of a figure equally far in the same direction.",
    "Volume and Capacity of Cubes": "A cube's volume is its edge multiplied by itself twice.",
}
"""Knowledge concepts by upstream's names (knowledge_structure_nodes.json), explained in words of our own."""

_drawn: list[tuple[Draw, tuple[str, ...], tuple[int, int]]] = []


def _problem(*concepts: str, size: tuple[int, int] = (340, 270)) -> Callable[[Draw], Draw]:
    def keep(draw: Draw) -> Draw:
        _drawn.append((draw, concepts, size))
        return draw

    return keep


def _row(question: str, gold: object, options: Sequence[object], sep: str = "; ", last: str = f"; E. {NONE}") -> Row:
    """Return question, upstream's one string of options, and the gold's letter."""
    letter = "ABCDEFG"[list(options).index(gold)]
    return question, sep.join(f"{name}. {text}" for name, text in zip("ABCDEFG", options, strict=False)) + last, letter


def rows() -> list[dict[str, Any]]:
    """Return the sample's rows in upstream's columns, their pictures drawn: step by step within a problem."""
    found: list[dict[str, Any]] = []
    seen = {2: 0, 3: 0}
    for draw, concepts, size in _drawn:
        kind = len(concepts)
        seen[kind] += 1
        for row in range(kind + 1):
            png, texts = d.picture(partial(draw, row), size)
            step = "multi" if row == kind else str(row + 1)
            used = concepts if row == kind else concepts[row : row + 1]
            question, option, answer = texts[row]
            found.append(
                {
                    "ID": f"{kind}steps_{seen[kind]}",
                    "split": "sample",
                    "knowledge concept": ";".join(used),
                    "question": question,
                    "option": option,
                    "answer": answer,
                    "image_path": {"bytes": png, "path": f"{kind}steps_{seen[kind]}-{step}.png"},
                    "key": f"{kind}steps_{step}",
                    "question number": len(found) + 1,
                    "knowledge concept description": "\n".join(f"{name}:\n1. {CARDS[name]}" for name in used),
                }
            )
    return found


@_problem("Area of Rectangles", "Conversion Rates and Calculations Between Area Units", size=(380, 260))
def _meadow(row: int, axes: Any) -> Sequence[Row]:
    long, wide = 50, 40
    area = long * wide
    d.plane(axes, -15, 55, -9, 43)
    d.box(axes, 0, 0, long, wide, fill=d.shade(d.GREEN, 0.45))
    if row == 1:
        d.text(axes, (long / 2, wide / 2), f"{area} m²", 16)
    else:
        d.measure(axes, (0, -2.5), (long, -2.5), f"{long} m", (0, -4))
        d.measure(axes, (-2.5, 0), (-2.5, wide), f"{wide} m", (-7, 0))
    hectares = area / 10_000
    in_hectares = [0.02, hectares, 2, 20]
    return (
        _row("A meadow has the shape of a rectangle, as shown. What is its area in m²?", area, [90, 180, 1800, area]),
        _row(f"The meadow in the figure has an area of {area} m². How many hectares is that?", hectares, in_hectares),
        _row("A meadow has the shape of a rectangle, as shown. What is its area in hectares?", hectares, in_hectares),
    )


@_problem("Sum of Interior Angles of Triangles", "Calculation and Comparison of Angles", size=(380, 260))
def _outer_angle(row: int, axes: Any) -> Sequence[Row]:
    at_a, at_b = 50, 62
    inner = 180 - at_a - at_b
    a, c = (0.0, 0.0), (4.0, 0.0)
    side = 4 * math.sin(math.radians(inner)) / math.sin(math.radians(at_b))
    b = (side * math.cos(math.radians(at_a)), side * math.sin(math.radians(at_a)))
    end = (6.2, 0.0)
    d.plane(axes, -0.8, 6.9, -0.9, 4.1)
    d.polygon(axes, a, b, c)
    if row != 1:
        d.angle(axes, a, c, b, f"{at_a}°")
        d.angle(axes, b, a, c, f"{at_b}°")
    if row != 0:
        d.line(axes, c, end)
        d.angle(axes, c, end, b, "2")
        d.names(axes, 0.35, D=(*end, "s"))
    if row != 2:
        d.angle(axes, c, b, a, f"{inner}°" if row == 1 else "1", 0.5, 1.7)
    d.names(axes, 0.35, A=(*a, "sw"), B=(*b, "n"), C=(*c, "s"))
    outer = 180 - inner
    options = [f"{x}°" for x in (at_b, inner, outer, 130)]
    return (
        _row(
            "As shown in the figure, what is the measure of ∠1 in triangle ABC?",
            f"{inner}°",
            [f"{x}°" for x in (58, 62, inner, outer)],
        ),
        _row(
            f"As shown in the figure, ∠ACB = {inner}° and D lies on the extension of AC. ∠2 = ( )",
            f"{outer}°",
            options,
            ";",
        ),
        _row("As shown in the figure, D lies on the extension of side AC. ∠2 = ( )", f"{outer}°", options, ";"),
    )


@_problem("Circumference of Circles", "Surface Area of Cylinders", size=(300, 300))
def _label(row: int, axes: Any) -> Sequence[Row]:
    radius, high = 5, 12
    around = 314 * 2 * radius / 100
    d.plane(axes, -8, 12, -4, 15)
    d.cylinder(axes, 0, 0, radius, high, d.shade(d.ORANGE, 0.45))
    if row != 1:
        d.line(axes, (0, high), (radius, high), colour=d.BLUE)
        d.circle(axes, (0, high), 0.12, fill=d.INK)
        d.text(axes, (radius / 2, high + 2.3), f"r = {radius} cm", 12, d.BLUE)
    else:
        d.text(axes, (0, -2.8), f"C = {around} cm", colour=d.BLUE)
    if row != 0:
        d.measure(axes, (radius + 1.2, 0), (radius + 1.2, high), f"{high} cm", (2.6, 0))
    side = round(around * high, 2)
    rounded = "(Use π = 3.14)"
    return (
        _row(f"What is the circumference of the top of the tin in cm? {rounded}", around, [15.7, around, 62.8, 78.5]),
        _row(
            f"The base of the tin has a circumference of {around} cm. A label covers its side exactly, without "
            "overlap. What is the area of the label in cm²?",
            side,
            [188.4, 453.4, side],
            ";",
            last=f"; D. {NONE}",
        ),
        _row(
            f"A label covers the side of the tin exactly, without overlap. What is its area in cm²? {rounded}",
            side,
            [188.4, 453.4, side],
            ";",
            last=f"; D. {NONE}",
        ),
    )


@_problem("Representing Positions Using Ordered Pairs", "Translation", size=(320, 300))
def _moved(row: int, axes: Any) -> Sequence[Row]:
    start, step = (2, 4), (4, -1)
    end = (start[0] + step[0], start[1] + step[1])
    d.coordinates(axes, 0, 8, 0, 7)
    axes.plot(*start, "o", color=d.RED, markersize=9)
    d.text(axes, (start[0] + 0.2, start[1] + 0.45), "P" if row != 1 else f"P({start[0]}, {start[1]})", ha="left")
    after = (
        f"The point P is moved {step[0]} units to the right and {-step[1]} unit down. "
        "Which ordered pair gives its new position?"
    )
    given = f"P stands at ({start[0]}, {start[1]}). " + after
    options = [str(end), "(6, 5)", "(3, 8)", "(-2, 5)"]
    return (
        _row(
            "Which ordered pair gives the position of the point P?",
            str(start),
            [str(start[::-1]), str(start), "(2, 3)", "(3, 4)"],
        ),
        _row(given, str(end), options, ";   "),
        _row(after, str(end), options, ";   "),
    )


@_problem("Perimeter of Squares", "Area of Squares", "Area of Triangles", size=(280, 280))
def _half_square(row: int, axes: Any) -> Sequence[Row]:
    around = 24
    side = around // 4
    area = side**2
    shaded = area // 2
    d.plane(axes, -1, 7.2, -1.4, 7)
    d.box(axes, 0, 0, side, side)
    if row > 1:
        d.polygon(axes, (0, 0), (side, 0), (side / 3, side), fill=d.shade(d.PURPLE, 0.5))
    if row == 1:
        d.text(axes, (side / 2, -0.6), f"{side} cm", colour=d.BLUE)
    d.names(axes, 0.45, A=(0, 0, "sw"), B=(side, 0, "se"), C=(side, side, "ne"), D=(0, side, "nw"))
    if row > 1:
        d.names(axes, 0.5, E=(side / 3, side, "n"))
    halves = [12, shaded, 24, area]
    return (
        _row(f"The perimeter of square ABCD is {around} cm. How long is its side in cm?", side, [4, side, 8, 12]),
        _row(f"The side of square ABCD is {side} cm. What is its area in cm²?", area, [12, 24, area, 48], ";"),
        _row(
            f"Square ABCD has side {side} cm and area {area} cm²; the point E lies on DC. What is the area of the "
            "shaded triangle in cm²?",
            shaded,
            halves,
        ),
        _row(
            f"The perimeter of square ABCD is {around} cm, and E lies on DC. What is the area of the shaded triangle "
            "in cm²?",
            shaded,
            halves,
        ),
    )


@_problem(
    "Combining and Dividing Solids",
    "Volume and Capacity of Cubes",
    "Conversion Rates and Calculations Between Volume Units (Including Liters and Milliliters)",
    size=(300, 270),
)
def _stairs(row: int, axes: Any) -> Sequence[Row]:
    heights, edge = [3, 2, 1], 5
    count = sum(heights)
    volume = count * edge**3
    d.plane(axes, -1.4, 4, -1, 3.8)
    for x, height in enumerate(heights):
        for y in range(height):
            d.cube(axes, x, y, 1, d.BLUE)
    if row in (1, 3):
        d.measure(axes, (0, -0.25), (1, -0.25), f"{edge} cm", (0, -0.4))
    litres = volume / 1000
    options = [0.075, litres, 7.5, 75]
    return (
        _row(
            "A staircase one cube wide is glued together from equal cubes. How many cubes is it made of?",
            count,
            [5, count, 7, 9],
            ";",
        ),
        _row(
            f"The staircase is made of {count} cubes with an edge of {edge} cm. What is its volume in cm³?",
            volume,
            [125, 150, 625, volume],
        ),
        _row(
            f"The staircase has a volume of {volume} cm³. How many litres of water does it push aside when it is sunk "
            "completely?",
            litres,
            options,
        ),
        _row(
            f"A staircase one cube wide is glued together from equal cubes with an edge of {edge} cm. How many litres "
            "of water does it push aside when it is sunk completely?",
            litres,
            options,
            ";",
        ),
    )


@_problem(
    "Cardinal Directions (East, South, West, North)",
    "Distance Between Two Points",
    "Describing Simple Routes Based on Direction and Distance",
    size=(380, 310),
)
def _way(row: int, axes: Any) -> Sequence[Row]:
    school, library, pond, unit = (1, 1), (1, 4), (5, 4), 100
    d.plane(axes, -0.6, 8, -0.8, 5.4)
    for i in range(7):
        d.line(axes, (i, 0), (i, 5), colour=d.PALE)
        if i < 6:
            d.line(axes, (0, i), (6, i), colour=d.PALE)
    d.line(axes, school, library, pond, colour=d.ORANGE, width=4)
    for (x, y), name, side in ((school, "school", -0.4), (library, "library", 0.4), (pond, "pond", 0.4)):
        axes.plot(x, y, "o", markersize=10, color=d.RED, zorder=3)
        d.text(axes, (x, y + side), name)
    d.arrow(axes, (7.2, 3.6), (7.2, 4.7))
    d.text(axes, (7.2, 5.0), "N")
    d.measure(axes, (4, -0.4), (5, -0.4), f"{unit} m", (1.2, 0))
    north, east = (library[1] - school[1]) * unit, (pond[0] - library[0]) * unit
    told = f"go {north} m to the north; then {east} m to the east"
    routes = [
        told,
        f"go {east} m to the north; then {north} m to the east",
        f"go {north} m to the south; then {east} m to the east",
        f"go {north} m to the north; then {east} m to the west",
    ]
    return (
        _row("In which direction from the school is the library?", "north", ["east", "north", "south", "west"]),
        _row(
            f"One square of the map is {unit} m wide. How far is the library from the school?",
            f"{north} m",
            ["30 m", f"{north} m", f"{east} m", f"{north + east} m"],
            ";",
        ),
        _row(
            f"The library is {north} m north of the school. Which description of the way from the school by the "
            "library to the pond is right?",
            told,
            routes,
        ),
        _row("Which description of the way from the school by the library to the pond is right?", told, routes, ";"),
    )


@_problem("Axial Symmetry", "Area of Trapezoids", "Division of Plane Figures", size=(340, 270))
def _trapezoid(row: int, axes: Any) -> Sequence[Row]:
    low, top, high = 5, 3, 4
    d.plane(axes, -7, 7.5, -2, 6.1)
    d.polygon(axes, (-low, 0), (low, 0), (top, high), (-top, high), fill=d.shade(d.GREEN, 0.35))
    d.line(axes, (0, -0.6), (0, high + 0.6), colour=d.RED, style="--")
    if row != 2:
        part, right = (2, 1) if row == 1 else (1, 0)
        d.measure(axes, (-low, -1.0), (low * right, -1.0), f"{low * part} cm", (0, -0.6))
        d.measure(axes, (-top, high + 1.0), (top * right, high + 1.0), f"{top * part} cm", (0, 0.6))
    if row in (1, 3):
        d.measure(axes, (low + 0.5, 0), (low + 0.5, high), f"{high} cm", (1.3, 0))
    if row == 2:
        d.text(axes, (-2.2, high / 2), "1", 15)
        d.text(axes, (2.2, high / 2), "2", 15)
    area = (low + top) * high
    half = area // 2
    parts = [8, half, 20, area]
    return (
        _row(
            "The dashed line is the figure's axis of symmetry. How long is the lower side of the trapezoid in cm?",
            2 * low,
            [5, 6, 8, 2 * low],
        ),
        _row(
            f"What is the area of the trapezoid with the sides {2 * low} cm and {2 * top} cm, as shown, in cm²?",
            area,
            [16, area, 40, 64],
            ";",
        ),
        _row(
            f"The trapezoid has an area of {area} cm² and is cut along its axis of symmetry. What is the area of "
            "part 1 in cm²?",
            half,
            parts,
        ),
        _row(
            "The trapezoid is cut along its axis of symmetry, the dashed line. What is the area of each part in cm²?",
            half,
            parts,
        ),
    )
