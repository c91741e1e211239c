"""Geometry of the second edition: figures that are not drawn to scale, with expressions in them.

As in Geometry3K, the figure is not drawn to scale: angles and segments carry expressions ("3x+5"), the problem states
what x is, and what is to be annotated follows from both. The sizes are those of another figure of the same
construction, so they agree with one another and not with what the eye measures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from mmmath_tasks.hub_datasets.mathopeval_generator.documents import brief, look, shaded
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import turn
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.moving import moved
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, legible, order
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry_samples import (
    NOUNS,
    Problem,
    listing,
    modifications,
    singles,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.labels import Layout, labelled, lettered
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words

_CUT = (
    "one segment has been deleted, with the {things} that belong to it",
    "the deletion of one segment and of the {things} that belong to it",
)
_ADDED = (
    "a dashed auxiliary line has been added",
    "the addition of a dashed auxiliary line (a median, a perpendicular, an angle bisector or a parallel)",
)
OTHERS = 10
"""Figures whose sizes are tried in one drawing."""
MISLED = 12
"""Degrees by which the angle that is asked for differs, at least, from the one that is drawn."""


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


def problem(make: Callable[[], Figure], seed: int, index: int, rng: random.Random) -> Problem:
    """Return the problem on figures of one construction; ValueError where they allow for none."""
    which = partial(turn, seed, "geometry", index)
    four = moved(_legible(make), rng)
    figure, drawing = four[which("mcg")], look(rng)
    layout = labelled(lettered(figure, drawing["scale"], drawing["font"]), drawing["scale"], rng)
    labels = _labels(layout, make, {e: which(f"{e} forward") for e in NOUNS}, rng)
    cuts, additions = singles(figure, rng), modifications(figure, rng, layout.side)
    things = "labels and the shading" if shaded(figure, drawing) else "labels"
    marks = tuple(Mark(label.size(), label.element, label.name) for label in labels)
    return Problem(
        wording="edition 2",
        layout=layout,
        look=drawing,
        texts={label.name: label.text for label in labels},
        marks=marks,
        cuts=[[segment] for segment in cuts],
        additions=additions,
        options=(
            list(map(brief, four)),
            [brief(replace(figure, segments=tuple(s for s in figure.segments if s != segment))) for segment in cuts],
            [brief(figure, lines) for lines in additions],
        ),
        gone=(_CUT[0].format(things=things), _CUT[1].format(things=things)),
        added=_ADDED,
        asked={"deleted": "one segment has been deleted", "modified": _ADDED[0]},
        told={
            "description": _description(figure, labels),
            "language": "a LaTeX document with TikZ",
            "writes": "writes the sizes of angles and the lengths of segments that follow from the problem in place of "
            "the expressions",
            "listing": f"{listing(marks)}, as {_given(labels)}",
        },
        deck=partial(_deck, figure, labels, rng),
    )


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


def _deck(
    figure: Figure,
    labels: Sequence[Label],
    rng: random.Random,
    words: Words,
    which: partial[int],
    element: str,
    direction: str,
    wanted: bool,
) -> Deck | None:
    """Return the question: an angle or a segment given, its size; a size given, what has it."""
    if not wanted:
        return None
    own = [label for label in labels if label.element == element]
    tell = partial(words.ask, direction, given=_given(own), noun=NOUNS[element])
    if direction == "forward":
        asked, true = own[0], own[0].rank
        options, text = tuple(asked.size(rank) for rank in range(4)), tell(element=asked.name)
    else:
        true = which(f"{element} backward")
        asked, options = _names(figure, own, true, rng)
        text = tell(size=asked.size())
    return Deck("mce_annotation", text, options, true, element, direction)


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
            return asked, tuple(f"{NOUNS[element].capitalize()} {name}" for name in chosen)
    raise ValueError("too few angles or segments beside it")
