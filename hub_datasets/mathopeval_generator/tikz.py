"""The lines of TikZ that a figure is made of, and where its texts stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, polar

SIDES = ("right", "above right", "above", "above left", "left", "below left", "below", "below right")


def coordinates(figure: Figure) -> list[str]:
    """Return one line per point."""
    return [coordinate(k, p) for k, p in figure.points.items()]


def coordinate(letter: str, p: Point) -> str:
    """Return the line that defines a point."""
    return f"\\coordinate ({letter}) at {at(p)};"


def circle(figure: Figure) -> list[str]:
    """Return the line that draws the circle, if there is one."""
    return [f"\\draw {at(figure.circle[0])} circle ({figure.circle[1]:.2f});"] if figure.circle else []


def draws(segments: Sequence[str]) -> list[str]:
    """Return one line per segment."""
    return [f"\\draw ({s[0]}) -- ({s[1]});" for s in segments]


def letter(name: str, where: str) -> str:
    """Return the line that writes a point's letter."""
    return f"\\node[{where}] at ({name}) {{${name}$}};"


def side(figure: Figure, name: str) -> str:
    """Return the side of a point that is farthest from its segments and its circle."""
    return by_room(directions(figure, name))[0]


def directions(figure: Figure, name: str) -> list[float]:
    """Return the directions, in degrees, in which a point's segments lie, and its circle and the inside of that."""
    found = [figure.direction(name, n) for n in figure.neighbours(name)]
    if figure.circle:
        (x, y), (u, v) = figure.circle[0], figure.points[name]
        if abs(math.dist((x, y), (u, v)) - figure.circle[1]) < 0.05:
            outward = math.degrees(math.atan2(v - y, u - x))
            found += [outward + 90, outward - 90, outward + 180]
    return found


def by_room(busy: Sequence[float]) -> list[str]:
    """Return the sides of a point, farthest first from these directions in degrees."""

    def room(i: int) -> float:
        return min((abs((45 * i - b + 180) % 360 - 180) for b in busy), default=180)

    return [SIDES[i] for i in sorted(range(8), key=lambda i: (-round(room(i), 3), i))]


def sector(figure: Figure, angle: str) -> tuple[float, float]:
    """Return where an angle starts and how far it turns, counter-clockwise, in degrees."""
    start, end = (figure.direction(angle[1], n) for n in (angle[0], angle[2]))
    if (end - start) % 360 > 180:
        start, end = end, start
    return start, (end - start) % 360


def angle_place(figure: Figure, angle: str) -> Point:
    """Return where an angle's size is written: on its bisector, farther out in narrow angles."""
    start, turn = sector(figure, angle)
    reach = 0.78 if turn >= 60 else min(1.35, max(0.75, 0.36 / math.tan(math.radians(turn) / 2) + 0.1))
    return polar(figure.points[angle[1]], start + turn / 2, reach)


def measure(figure: Figure, name: str, text: str, place: Point) -> list[str]:
    """Return the lines that write a text in a place at an angle ("ABC"), which gets an arc, or on a segment ("AB")."""
    if len(name) == 2:
        return [f"\\node[fill=white, inner sep=1.5pt, font=\\small] at {at(place)} {{${text}$}};"]
    start, turn = sector(figure, name)
    return [
        f"\\draw[thin] {at(polar(figure.points[name[1]], start, 0.45))} arc ({start:.1f}:{start + turn:.1f}:0.45);",
        f"\\node[font=\\scriptsize] at {at(place)} {{${text}$}};",
    ]


def at(p: Point) -> str:
    """Write a point."""
    return f"({p[0]:.2f},{p[1]:.2f})"
