"""MathVerse's sample: problems of our own, each told six times, with ever less text and ever more picture.

Each function draws one problem and returns the parts of its text (paper, §2.2): `descriptive` information (what the
picture shows anyway), an `implicit` property (that a reader of the picture must see), the `essential` condition
(measures), and what to `ask`. It draws the essential condition only when asked to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from mmmath_tasks.hub_datasets.samples import drawing as d

Draw = Callable[[Any, bool], dict[str, Any]]

VERSIONS = {
    "Text Dominant": ("descriptive", "implicit", "essential", "ask"),
    "Text Lite": ("implicit", "essential", "ask"),
    "Text Only": ("descriptive", "implicit", "essential", "ask"),
    "Vision Intensive": ("essential", "ask"),
    "Vision Dominant": ("implicit", "ask"),
    "Vision Only": (),
}
"""Which parts stay text in which version; Vision Only writes Vision Dominant's text into the picture."""

_ANSWER_FORM = {
    "multi-choice": "provide the correct option letter, e.g., A, B, C, D",
    "free-form": "provide the final value, e.g., 1, 2.5, 300",
}

_drawn: list[tuple[Draw, tuple[int, int], dict[str, str]]] = []


def _problem(subject: str, subfield: str, size: tuple[int, int] = (360, 260)) -> Callable[[Draw], Draw]:
    metadata = {"split": "sample", "source": "mmmath sample", "subject": subject, "subfield": subfield}

    def keep(draw: Draw) -> Draw:
        _drawn.append((draw, size, metadata))
        return draw

    return keep


def rows() -> list[dict[str, Any]]:
    """Return the sample's rows in upstream's columns, their pictures drawn; Text Only has none."""
    found = [row for index, drawn in enumerate(_drawn, 1) for row in _versions(str(index), *drawn)]
    return [{"sample_index": str(number), **row} for number, row in enumerate(found, 1)]


def _versions(index: str, draw: Draw, size: tuple[int, int], metadata: dict[str, str]) -> Iterator[dict[str, Any]]:
    plain, parts = d.picture(lambda axes: draw(axes, False), size)
    told = {version: _question(parts, kept) for version, kept in VERSIONS.items()}
    shown = told["Vision Dominant"]
    dense, _ = d.picture(lambda axes: draw(axes, True), size)
    whole, _ = d.picture(lambda axes: draw(axes, True), size, caption=shown)
    pictures = {"Vision Dominant": dense, "Vision Only": whole, "Text Only": None}
    kind = "multi-choice" if "choices" in parts else "free-form"
    for version, question in told.items():
        png = pictures.get(version, plain)
        yield {
            "problem_index": index,
            "problem_version": version,
            "question": question,
            "image": png and {"bytes": png, "path": f"{index}_{version.replace(' ', '_').lower()}.png"},
            "answer": parts["answer"],
            "question_type": kind,
            "metadata": metadata,
            "query_wo": _query(question, f"directly answer the question and {_ANSWER_FORM[kind]}."),
            "query_cot": _query(
                question, f"first conduct reasoning, and then answer the question and {_ANSWER_FORM[kind]}, at the end."
            ),
            "question_for_eval": question or shown,
        }


def _question(parts: dict[str, Any], kept: tuple[str, ...]) -> str:
    lines = [" ".join(parts[part] for part in kept)]
    if kept and "choices" in parts:
        lines += ["Choices:", *(f"{letter}:{choice}" for letter, choice in zip("ABCD", parts["choices"], strict=True))]
    return "\n".join(lines)


def _query(question: str, instruction: str) -> str:
    if not question:
        return f"According to the question shown in the image, please {instruction}"
    return f"Please {instruction}\nQuestion: {question}"


def _choice(answer: str, choices: list[str]) -> dict[str, Any]:
    return {"answer": "ABCD"[choices.index(answer)], "choices": choices}


@_problem("Plane Geometry", "Angle")
def _parallel(axes: Any, essential: bool) -> dict[str, Any]:
    at_a, at_b = 70, 45
    a, b, c = (1.8, 3.2), (-1.4, 0.0), (1.8 + 3.2 / math.tan(math.radians(180 - at_a - at_b)), 0.0)
    at_d, at_e = ((p[0] + 0.45 * (a[0] - p[0]), 0.45 * a[1]) for p in (b, c))
    d.plane(axes, -2.1, 4.1, -0.7, 3.8)
    d.polygon(axes, a, b, c)
    d.line(axes, at_d, at_e)
    for x, y in ((1.2, 0.0), (1.5, at_d[1])):
        d.arrow(axes, (x - 0.1, y), (x + 0.2, y), d.BLUE, "->")
    d.names(axes, 0.28, A=(*a, "n"), B=(*b, "sw"), C=(*c, "se"), D=(*at_d, "w"), E=(*at_e, "e"))
    if essential:
        d.angle(axes, a, b, c, f"{at_a}°", 0.4, 1.9)
        d.angle(axes, b, c, a, f"{at_b}°", 0.5)
    angle = 180 - at_a - at_b
    return {
        "descriptive": "In triangle ABC, point D lies on side AB and point E lies on side AC.",
        "implicit": "DE is parallel to BC.",
        "essential": f"Angle A = {at_a}° and angle B = {at_b}°.",
        "ask": "What is the size of angle AED?",
        **_choice(f"{angle}°", [f"{at_b}°", f"{angle}°", f"{at_a}°", f"{180 - angle}°"]),
    }


@_problem("Plane Geometry", "Length", (300, 270))
def _chord(axes: Any, essential: bool) -> dict[str, Any]:
    radius, distance = 13, 5
    half = math.isqrt(radius**2 - distance**2)
    a, b, m = (-half, -distance), (half, -distance), (0, -distance)
    d.plane(axes, -15.5, 15.5, -13.8, 13.8)
    d.circle(axes, (0, 0), radius)
    d.line(axes, a, b)
    d.line(axes, (0, 0), m)
    d.line(axes, (0, 0), b)
    d.right_angle(axes, m, (0, 0), b, 1.4)
    d.circle(axes, (0, 0), 0.25, fill=d.INK)
    d.names(axes, 1.6, O=(0, 0, "n"), A=(*a, "w"), B=(*b, "e"), M=(*m, "s"))
    if essential:
        d.text(axes, (7, -1.4), str(radius), 12, d.BLUE)
        d.text(axes, (-1.3, -2.4), str(distance), 12, d.BLUE)
    return {
        "descriptive": "AB is a chord of the circle with centre O, and M is a point on AB.",
        "implicit": "OM is perpendicular to AB.",
        "essential": f"The radius OB is {radius} and OM = {distance}.",
        "ask": "How long is AB?",
        "answer": str(2 * half),
    }


@_problem("Solid Geometry", "Volume", (280, 320))
def _cone_on_cylinder(axes: Any, essential: bool) -> dict[str, Any]:
    radius, low, high = 3, 5, 4
    d.plane(axes, -6.6, 6.6, -3, low + high + 0.6)
    d.cylinder(axes, 0, 0, radius, low, d.shade(d.BLUE, 0.35))
    d.polygon(axes, (-radius, low), (radius, low), (0, low + high), fill=d.shade(d.ORANGE, 0.45), colour="none")
    d.ellipse(axes, (0, low), radius, 0.3 * radius, (180, 360), fill=d.shade(d.ORANGE, 0.45))
    d.line(axes, (-radius, low), (0, low + high), (radius, low))
    d.ellipse(axes, (0, low), radius, 0.3 * radius, (0, 180), style="--")
    if essential:
        d.measure(axes, (4.2, 0), (4.2, low), f"{low} cm", (1.6, 0))
        d.measure(axes, (4.2, low), (4.2, low + high), f"{high} cm", (1.6, 0))
        d.measure(axes, (0, -1.5), (radius, -1.5), f"{radius} cm", (0, -0.95))
    volume = Fraction(radius**2 * (3 * low + high), 3)
    return {
        "descriptive": "The solid consists of a cylinder and a cone that stands on top of it.",
        "implicit": "The cone's base is the same circle as the top of the cylinder.",
        "essential": f"The radius is {radius} cm, the cylinder is {low} cm high and the cone is {high} cm high.",
        "ask": "Find the volume of the solid.\n\nGive your answer as an exact value.",
        "answer": f"$V={volume} \\pi \\mathrm{{~cm}}^{{3}}$",
    }


@_problem("Solid Geometry", "Length", (360, 250))
def _space_diagonal(axes: Any, essential: bool) -> dict[str, Any]:
    long, deep, high = 12, 4, 3
    shift = (2.2, 1.8)
    front = [(0, 0), (long, 0), (long, high), (0, high)]
    back = [(x + shift[0], y + shift[1]) for x, y in front]
    d.plane(axes, -1.4, 16, -1.4, 6)
    d.polygon(axes, *front)
    d.line(axes, front[3], back[3], back[2], back[1], front[1])
    d.line(axes, front[2], back[2])
    for p in (front[0], back[1], back[3]):
        d.line(axes, back[0], p, style="--", width=1.2)
    d.line(axes, front[0], back[2], colour=d.RED)
    d.names(
        axes, 0.6, A=(*front[0], "sw"), B=(*front[1], "s"), C=(*back[1], "e"), G=(*back[2], "ne"), E=(*front[3], "w")
    )
    if essential:
        d.text(axes, (long / 2, -0.7), str(long), 12, d.BLUE)
        d.text(axes, (long + 1.6, 0.4), str(deep), 12, d.BLUE)
        d.text(axes, (-0.6, high / 2), str(high), 12, d.BLUE)
    diagonal = math.isqrt(long**2 + deep**2 + high**2)
    return {
        "descriptive": "The segment AG runs through the inside of the box from the corner A to the opposite corner G.",
        "implicit": "All edges that meet at a corner of the box are perpendicular to each other.",
        "essential": f"AB = {long}, BC = {deep} and AE = {high}.",
        "ask": "How long is AG?",
        **_choice(str(diagonal), [str(long), str(diagonal), "15", str(long + deep + high)]),
    }


@_problem("Functions", "Property", (320, 300))
def _parabola(axes: Any, essential: bool) -> dict[str, Any]:
    vertex, root = (1, -4), 3
    a = Fraction(-vertex[1], (root - vertex[0]) ** 2)
    xs = [i / 20 for i in range(-26, 67)]
    d.coordinates(axes, -3, 6, -5, 3, numbers=False)
    axes.plot(xs, [float(a) * (x - vertex[0]) ** 2 + vertex[1] for x in xs], color=d.BLUE)
    for at, name in ((vertex, "V"), ((root, 0), "R")):
        axes.plot(*at, "o", color=d.RED)
        label = f"{name}({at[0]}, {at[1]})" if essential else name
        d.text(axes, (at[0] + 0.2, at[1] - 0.55), label, ha="left")
    other = 2 * vertex[0] - root
    return {
        "descriptive": "The figure shows the graph of the quadratic function f with its vertex V. The graph passes "
        "through the point R on the x-axis.",
        "implicit": "The parabola opens upwards.",
        "essential": f"The coordinates are V({vertex[0]}, {vertex[1]}) and R({root}, 0).",
        "ask": "For which x is f(x) < 0?",
        **_choice(f"{other} < x < {root}", [f"x < {other}", f"x > {root}", f"{other} < x < {root}", f"0 < x < {root}"]),
    }


@_problem("Functions", "Expression", (320, 300))
def _perpendicular(axes: Any, essential: bool) -> dict[str, Any]:
    p, q = (0, 1), (2, 5)
    slope = Fraction(q[1] - p[1], q[0] - p[0])
    d.coordinates(axes, -4, 5, -2, 7, numbers=False)
    for name, k, ends in (("l", float(slope), (-1.3, 2.7)), ("m", float(-1 / slope), (-3.6, 3.8))):
        d.line(axes, *((x, p[1] + k * x) for x in ends), colour=d.BLUE)
        d.text(axes, (ends[1] + 0.35, p[1] + k * ends[1] + 0.1), f"${name}$", colour=d.BLUE)
    d.right_angle(axes, p, q, (2, 0), 0.4)
    for at, name, to, side in ((p, "P", (-0.7, -0.55), "right"), (q, "Q", (0.3, -0.2), "left")):
        axes.plot(*at, "o", color=d.RED)
        label = f"{name}({at[0]}, {at[1]})" if essential else name
        d.text(axes, (at[0] + to[0], at[1] + to[1]), label, ha=side)
    return {
        "descriptive": "The lines l and m meet at the point P on the y-axis, and l passes through the point Q.",
        "implicit": "The lines l and m are perpendicular.",
        "essential": f"The coordinates are P({p[0]}, {p[1]}) and Q({q[0]}, {q[1]}).",
        "ask": "Find the equation of m in the form y = ax + b.",
        "answer": f"$y=-\\frac{{{slope.denominator}}}{{{slope.numerator}}} x+{p[1]}$",
    }
