"""Samples on plane geometry of the second edition: the four states and the multiple-choice questions.

As in Geometry3K, the figure is not drawn to scale: angles and segments carry expressions ("3x+5"), the problem states
what x is, and what is to be annotated follows from both. The sizes are those of another figure of the same
construction, so they agree with one another and not with what the eye measures.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, share, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.labels import Layout, labelled, lettered
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.tikz_code import brief, document, look, shaded
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.wording import code_decks, instruction, question
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import (
    CONSTRUCTIONS,
    Figure,
    Point,
    legible,
    maker,
    meet,
    order,
    polar,
    towards,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry_samples import (
    ANNOTATIONS,
    modifications,
    singles,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, Deck, Mark, Sample, State

_FIGURE = "a geometric figure"
_CUT = (
    "one segment has been deleted, with the {things} that belong to it",
    "the deletion of one segment and of the {things} that belong to it",
)
_ADDED = (
    "a dashed auxiliary line has been added",
    "the addition of a dashed auxiliary line (a median, a perpendicular, an angle bisector or a parallel)",
)
_NOUNS = {"angle": "angle", "line": "segment"}
APART = 0.5
"""Centimetres that a point's four places are apart, in figures about 6 wide."""
ATTEMPTS = 400
"""At a figure of one construction."""
OTHERS = 10
"""Figures whose sizes are tried in one drawing."""
MISLED = 12
"""Degrees by which the angle that is asked for differs, at least, from the one that is drawn."""
_SHARED = 1.5
"""Degrees within which two directions count as one."""


@dataclass(frozen=True, slots=True)
class Label:
    """What an angle or segment carries in the original figure, and what it stands for.

    Attributes:
        element: "angle" or "line".
        name: "ABC" or "AB".
        variable: "x", say.
        given: its value, as the problem states it.
        text: the expression in it.
        sizes: four sizes that the element could have by expressions of that form, in order.
        rank: which one is its own.
    """

    element: str
    name: str
    variable: str
    given: float
    text: str
    sizes: tuple[float, ...]
    rank: int

    def size(self, rank: int | None = None) -> str:
        """Return one of the sizes as it is annotated; its own if none is named."""
        return f"{self.sizes[self.rank if rank is None else rank]:g}{'°' if self.element == 'angle' else ''}"


def sample(seed: int, index: int) -> Sample:
    """Return the geometry sample of that index; constructions take turns, and a next one steps in where one fails."""
    names = list(CONSTRUCTIONS)
    for attempt in range(ATTEMPTS * len(names)):
        rng = draws(seed, "geometry", index, f"figure {attempt}")
        construction = names[(index + attempt // ATTEMPTS) % len(names)]
        try:
            return _sample(maker(construction, rng), seed, index, rng)
        except ValueError:
            continue
    raise AssertionError("no geometric figure to ask about")


def _sample(make: Callable[[], Figure], seed: int, index: int, rng: random.Random) -> Sample:
    which = partial(turn, seed, "geometry", index)
    words, true, cut, added = (
        draws(seed, "geometry", index, "wording"),
        which("mcg"),
        which("deletion"),
        which("modification"),
    )
    four = _moved(_legible(make), rng)
    figure = four[true]
    drawing = look(rng)
    layout = labelled(lettered(figure, drawing["scale"], drawing["font"]), drawing["scale"], rng)
    labels = _labels(layout, make, {e: which(f"{e} forward") for e in _NOUNS}, rng)
    cuts, additions = singles(figure, rng), modifications(figure, rng, layout.side)
    write = partial(document, layout, drawing)
    things = "labels and the shading" if shaded(figure, drawing) else "labels"
    gone, gone_noun = (text.format(things=things) for text in _CUT)
    rest = _without(figure, cuts[cut])
    marks = tuple(Mark(label.size(), label.element, label.name) for label in labels)
    texts = {label.name: label.text for label in labels}
    sizes = {mark.element: mark.text.replace("°", "^\\circ") for mark in marks}
    tell = partial(instruction, words, figure=_FIGURE)
    states = {
        "original": State(
            write(texts),
            tell("original", description=_description(figure, labels), language="a LaTeX document with TikZ"),
        ),
        "deleted": State(
            write({name: text for name, text in texts.items() if not _part(cuts[cut], name)}, drawn=rest.segments),
            tell("deleted", edit=gone, edit_noun=gone_noun),
        ),
        "modified": State(write(texts, added=additions[added]), tell("modified", edit=_ADDED[0], edit_noun=_ADDED[1])),
        "annotated": State(
            write(sizes),
            tell(
                "annotated",
                writes="writes the sizes of angles and the lengths of segments that follow from the problem "
                "in place of the expressions",
                listing=f"{'; '.join(f'{_NOUNS[m.kind]} {m.element} = {m.text}' for m in marks)}, as {_given(labels)}",
            ),
        ),
    }
    ask = partial(question, words, figure=_FIGURE)
    scripts = (
        list(map(brief, four)),
        [brief(_without(figure, segment)) for segment in cuts],
        [brief(figure, lines) for lines in additions],
    )
    decks = (
        *code_decks(ask, scripts, (true, cut, added), "one segment has been deleted", _ADDED[0]),
        *_annotation(figure, labels, ask, which, index, rng),
    )
    return Sample("geometry", index, figure.construction, "", "latex", states, decks, marks)


def _without(figure: Figure, segment: str) -> Figure:
    return replace(figure, segments=tuple(s for s in figure.segments if s != segment))


def _description(figure: Figure, labels: Sequence[Label]) -> str:
    circle = " and a circle" if figure.circle else ""
    letters = ", ".join(sorted(figure.points))
    variables = ", ".join(label.variable for label in labels)
    return (
        f"It has the points {letters}, {len(figure.segments)} segments between them{circle}; some angles and segments "
        f"carry expressions in {variables}."
    )


def _given(labels: Sequence[Label]) -> str:
    parts = [f"{label.variable} = {label.given:g}" for label in labels]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _part(segment: str, name: str) -> bool:
    """Say whether a segment carries a length, or is a side of an angle, of that name."""
    return set(segment) in ({*name[:2]}, {*name[-2:]})


def _legible(make: Callable[[], Figure]) -> Figure:
    for _ in range(150):
        figure = make()
        if legible(figure) and len(figure.angles()) >= 4:
            return figure
    raise ValueError("no legible figure")


def _labels(layout: Layout, make: Callable[[], Figure], ranks: Mapping[str, int], rng: random.Random) -> list[Label]:
    """Return the expressions at the angles and segments that have room, with the sizes of another figure.

    The first of each element has the rank wanted.

    Raises:
        ValueError: no figure has sizes that fit.
    """
    for _ in range(OTHERS):
        with suppress(ValueError):
            return _sized(layout, _legible(make), ranks, rng)
    raise ValueError("no figure has sizes that fit")


def _sized(layout: Layout, other: Figure, ranks: Mapping[str, int], rng: random.Random) -> list[Label]:
    angles = {name: size for name, size in layout.figure.angles().items() if name in layout.boxes}
    lengths = [name for name in layout.figure.segments if name in layout.boxes]
    found, letters = [], {"angle": rng.choice(["xyz", "pqr", "uvw"]), "line": rng.choice(["abc", "kmn", "rst"])}
    if set(letters["angle"]) & set(letters["line"]):
        letters["line"] = "abc"
    for element, names, sizes in (("angle", angles, other.angles(whole=True)), ("line", lengths, other.lengths())):
        for number, name in enumerate(rng.sample(sorted(names), len(names))):
            if name not in sizes:
                raise ValueError("an angle that is none in the other figure")
            if number == 0 and element == "angle" and abs(sizes[name] - angles[name]) < MISLED:
                raise ValueError("an angle as large as it looks")
            tried = [ranks[element]] if number == 0 else rng.sample(range(4), 4)
            fitting = (_label(element, name, letters[element][number], sizes[name], rank, rng) for rank in tried)
            label = next((label for label in fitting if label), None)
            if label is None:
                raise ValueError("no expression with whole numbers")
            found.append(label)
    return found


def _label(element: str, name: str, variable: str, size: float, rank: int, rng: random.Random) -> Label | None:
    """Return a label whose size has that rank among the four of (m or m + 1) times the variable, plus or minus c.

    None where no numbers fit.
    """
    unit, least, most, more = (1, 18, 150, range(2, 10)) if element == "angle" else (10, 1.5, 40, range(1, 4))
    for low, c in rng.sample([(low, c) for low in range(1, 6) for c in more], 5 * len(more)):
        own, sign = low + rank // 2, (-1, 1)[rank % 2]
        given, left = divmod(round(size * unit) - sign * c * unit, own)
        value = given / unit
        sizes = [round(m * value + s * c, 1) for m in (low, low + 1) for s in (-1, 1)]
        if not left and sizes[0] >= least and sizes[1] < sizes[2] and sizes[-1] <= most:
            text = f"{own if own > 1 else ''}{variable}{'+' if sign > 0 else '-'}{c}"
            return Label(element, name, variable, value, text, tuple(sizes), rank)
    return None


def _moved(figure: Figure, rng: random.Random) -> list[Figure]:
    """Return four figures in which one point stands elsewhere, on its lines and circle if it lies on any, in order.

    Raises:
        ValueError: no point has four other places.
    """
    crossings = {k: lines for k in figure.points if len(lines := _straight(figure, k)) == 2}
    for letter in rng.sample(sorted(figure.points), len(figure.points)):
        place = _places(figure, letter, rng)
        found: list[Figure] = []
        for _ in range(120 if place else 0):
            x, y = place()  # type: ignore[misc]
            if min(x, y) <= 0.2 or max(x, y) >= 9.8 or any(math.dist((x, y), f.points[letter]) < APART for f in found):
                continue
            points = {**figure.points, letter: (round(x, 2), round(y, 2))}
            moved = replace(figure, points=_crossed(crossings, points), tolerance=0.5)
            if legible(moved):
                found.append(moved)
                if len(found) == 4:
                    return sorted(found, key=lambda f: f.points[letter])
    raise ValueError("no point that can be moved")


def _places(figure: Figure, letter: str, rng: random.Random) -> Callable[[], Point] | None:
    """Return what draws places for a point on the line or circle that it lies on; None where it is bound twice."""
    p, near = figure.points[letter], figure.neighbours(letter)
    # of the lines that it must stay on
    ends = [(figure.points[a], figure.points[b]) for a, b in _straight(figure, letter)]
    for a in near:
        for b in figure.neighbours(a):
            turn = (figure.direction(a, b) - figure.direction(a, letter)) % 360 - 180
            if b != letter and abs(turn) < _SHARED:
                way = figure.direction(a, letter)
                ends.append((polar(figure.points[a], way, 1.2), polar(figure.points[a], way, 6)))
    if figure.circle:
        centre, radius = figure.circle
        if math.dist(p, centre) < 0.05:
            return None
        for a in near:
            q = figure.points[a]
            if _on(figure, q) and abs(math.dist(p, centre) ** 2 - math.dist(p, q) ** 2 - radius**2) < 0.3:
                way = figure.direction(a, letter)
                ends.append((polar(q, way, 1.2), polar(q, way, 6)))  # a tangent
        if _on(figure, p):
            tangent = any(
                abs(math.dist(figure.points[a], centre) ** 2 - math.dist(p, figure.points[a]) ** 2 - radius**2) < 0.3
                for a in near
            )
            start = math.degrees(math.atan2(p[1] - centre[1], p[0] - centre[0]))
            through = [a for a in near if len(_straight(figure, a)) > 1]
            free = not tangent and len(ends) == len(through)
            return (lambda: polar(centre, start + rng.uniform(-60, 60), radius)) if free else None
    if len(ends) > 1:
        return None
    if ends:
        (x, y), (u, v) = ends[0]

        def between() -> Point:
            t = rng.uniform(0.1, 0.9)
            return (x + t * (u - x), y + t * (v - y))

        return between
    return lambda: (p[0] + rng.uniform(-1.8, 1.8), p[1] + rng.uniform(-1.8, 1.8))


def _straight(figure: Figure, letter: str) -> list[tuple[str, str]]:
    """Return the pairs of neighbours between which a point lies on a straight line."""
    return [
        (a, b)
        for a, b in combinations(figure.neighbours(letter), 2)
        if abs((figure.direction(letter, a) - figure.direction(letter, b)) % 360 - 180) < _SHARED
    ]


def _crossed(crossings: Mapping[str, list[tuple[str, str]]], points: Mapping[str, Point]) -> dict[str, Point]:
    """Return the points, with those at crossings of two lines where the lines as they are cross."""
    found = dict(points)
    for letter, lines in crossings.items():
        (p, a), (q, b) = ((points[x], towards(points[x], points[y])) for x, y in lines)
        x, y = meet(p, a, q, b)
        found[letter] = (round(x, 2), round(y, 2))
    return found


def _on(figure: Figure, p: Point) -> bool:
    return figure.circle is not None and abs(math.dist(p, figure.circle[0]) - figure.circle[1]) < 0.05


def _annotation(
    figure: Figure,
    labels: Sequence[Label],
    ask: Callable[..., str],
    which: partial[int],
    index: int,
    rng: random.Random,
) -> list[Deck]:
    """Return three or four questions: an angle or a segment given, its size; a size given, what has it."""
    count = share(index, ANNOTATIONS, COUNTS["geometry"])
    left_out = which("left out") if count == 3 else None
    decks = []
    for number, element in enumerate(("angle", "angle", "line", "line")):
        if number == left_out:
            continue
        own = [label for label in labels if label.element == element]
        given = _given(own)
        direction = ("forward", "backward")[number % 2]
        values: dict[str, Any] = {"given": given, "noun": _NOUNS[element]}
        if direction == "forward":
            asked = own[0]
            options = tuple(asked.size(rank) for rank in range(4))
            text, truth = ask("forward", element=asked.name, **values), asked.rank
        else:
            truth = which(f"{element} backward")
            asked, options = _names(figure, own, truth, rng)
            text = ask("backward", size=asked.size(), **values)
        decks.append(Deck("mce_annotation", text, options, truth, element, direction))
    return decks


def _names(figure: Figure, own: Sequence[Label], rank: int, rng: random.Random) -> tuple[Label, tuple[str, ...]]:
    """Return the label that is asked for, and four angles or segments in reading order of which its own has that rank.

    Raises:
        ValueError: the figure allows for none.
    """
    element = own[0].element
    names = order(figure, sorted(figure.angles(whole=True) if element == "angle" else figure.segments))
    for asked in rng.sample(own, len(own)):
        same = {label.name for label in own if label.size() == asked.size() and label is not asked}
        before = [n for n in names if n not in same]
        left, right = before[: before.index(asked.name)], before[before.index(asked.name) + 1 :]
        if len(left) >= rank and len(right) >= 3 - rank:
            chosen = order(figure, [*rng.sample(left, rank), asked.name, *rng.sample(right, 3 - rank)])
            return asked, tuple(f"{_NOUNS[element].capitalize()} {name}" for name in chosen)
    raise ValueError("too few angles or segments beside it")
