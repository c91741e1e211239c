"""Where the letters, expressions and auxiliary lines of a geometric figure have room, clear of one another."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, along, polar, towards
from mmmath_tasks.hub_datasets.mathopeval_generator.room import Box

FONTS = {"\\footnotesize": 8.0, "\\small": 9.0, "\\normalsize": 10.0}
"""Sizes of letters, in points."""
_POINT = 2.54 / 72.27  # in centimetres
_MARGIN = 1.2  # points that lines keep from texts
_WIDEST = 3.64  # ems of "9m+9", the widest expression
_ARC = 0.5  # centimetres around a vertex that an arc may take
_LEAST = 24
"""Degrees of an angle that carries an expression."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where texts stand in a figure.

    Attributes:
        figure: whose texts they are.
        em: the size of its letters in the figure's units.
        sides: letter to the side of its point ("above left").
        boxes: of letters, and of the labels of angles ("ABC") and segments ("AB").
    """

    figure: Figure
    em: float
    sides: Mapping[str, str]
    boxes: Mapping[str, Box]

    def place(self, name: str) -> Point:
        """Return where the label of an angle or segment stands."""
        return self.boxes[name].x, self.boxes[name].y

    def side(self, vertex: str, end: Point) -> str | None:
        """Return the side for the letter at the end of a line added from a vertex; None where either meets a text."""
        start = self.figure.points[vertex]
        if any(box.meets(start, end) for box in self.boxes.values()):
            return None
        lines = [self.figure.ends(s) for s in self.figure.segments]
        near = [start, *(p for line in lines if Box(*end, 0.3, 0.3).meets(*line) for p in line)]
        for side in tikz.by_room([towards(end, p) for p in near]):
            box = _letter_box(end, side, self.em)
            if not box.meets(start, end) and _clear(self.figure, box, self.boxes.values()):
                return side
        return None


def lettered(figure: Figure, scale: float, font: str) -> Layout:
    """Return the layout of a figure's letters.

    Args:
        figure: points, segments, circle.
        scale: centimetres that one of the figure's units is drawn as.
        font: of the letters, one of FONTS.

    Raises:
        ValueError: a letter would touch a line or another letter on every side of its point.
    """
    em = FONTS[font] * _POINT / scale
    boxes: dict[str, Box] = {}
    sides: dict[str, str] = {}
    for name, p in figure.points.items():
        for side in tikz.by_room(tikz.directions(figure, name)):
            box = _letter_box(p, side, em)
            if _clear(figure, box, boxes.values()):
                boxes[name], sides[name] = box, side
                break
        else:
            raise ValueError(f"no room for the letter {name}")
    return Layout(figure, em, sides, boxes)


def labelled(layout: Layout, scale: float, rng: random.Random) -> Layout:
    """Return the layout with room for expressions at two or three angles and as many segments.

    Raises:
        ValueError: there is none.
    """
    figure, boxes = layout.figure, dict(layout.boxes)
    angles = [name for name, size in sorted(figure.angles().items()) if size >= _LEAST]
    for names, place in ((angles, _angle_boxes), (sorted(figure.segments), _segment_boxes)):
        wanted, found = rng.randint(2, 3), 0
        for name in rng.sample(names, len(names)):
            box = next(place(layout, name, scale, boxes), None)
            if box:
                boxes[name], found = box, found + 1
            if found == wanted:
                break
        if found < 2:
            raise ValueError("no room for two angles and two lengths")
    return replace(layout, boxes=boxes)


def _angle_boxes(layout: Layout, angle: str, scale: float, boxes: Mapping[str, Box]) -> Iterator[Box]:
    """Yield places for an angle's expression, of seven points: outwards on its bisector, up to the next line."""
    figure, vertex = layout.figure, layout.figure.points[angle[1]]
    start, turn = tikz.sector(figure, angle)
    arcs = [vertex, *(figure.points[name[1]] for name in boxes if len(name) == 3)]
    if any(box.near(vertex, _ARC) for name, box in boxes.items() if len(name) > 1):
        return
    if (45 * tikz.SIDES.index(layout.sides[angle[1]]) - start) % 360 <= turn:
        return  # the letter stands in it
    around = replace(figure, segments=tuple(s for s in figure.segments if angle[1] not in s))
    for step in range(40):
        place = polar(vertex, start + turn / 2, 0.55 + 0.05 * step)
        if step and not _clear(around, Box(*place, 0.06, 0.06), ()):
            return
        box = _box(place, 7, scale)
        if not any(box.near(p, _ARC) for p in arcs) and _clear(figure, box, boxes.values()):
            yield box


def _segment_boxes(layout: Layout, segment: str, scale: float, boxes: Mapping[str, Box]) -> Iterator[Box]:
    """Yield places for a segment's expression, of nine points, on the segment, from its middle outwards."""
    figure = layout.figure
    rest = replace(figure, segments=tuple(s for s in figure.segments if s != segment))
    a, b = figure.ends(segment)
    arcs = [figure.points[name[1]] for name in boxes if len(name) == 3]
    for t in (0.5, 0.45, 0.55, 0.4, 0.6):
        box = _box(along(a, b, t), 9, scale)
        free = not any(box.near(p, 0.25) for p in (a, b)) and not any(box.near(p, _ARC) for p in arcs)
        if free and _clear(rest, box, boxes.values()):
            yield box


def _box(p: Point, size: float, scale: float) -> Box:
    """Return the box of the widest expression in letters of that many points, at a place as the code writes it."""
    unit = _POINT / scale
    x, y = (round(c, 2) for c in p)
    return Box(x, y, (_WIDEST * size + 2 * _MARGIN) * unit, (size + 2 * _MARGIN) * unit)


def _clear(figure: Figure, box: Box, others: Iterable[Box]) -> bool:
    """Say whether segments, circle and other boxes keep out of a box."""
    return (
        not any(box.meets(*figure.ends(s)) for s in figure.segments)
        and not (figure.circle and box.on_circle(*figure.circle))
        and not any(box.overlaps(other) for other in others)
    )


def _letter_box(p: Point, side: str, em: float) -> Box:
    """Return the box of a capital letter on one side of a point, a third of an em from it as TikZ sets it."""
    x = ("right" in side) - ("left" in side)
    y = ("above" in side) - ("below" in side)
    wide, high, gap = 0.95, 0.8, 0.28
    return Box(p[0] + x * (gap + wide / 2) * em, p[1] + y * (gap + high / 2) * em, wide * em, high * em)
