"""Samples on plane geometry: the four states and the multiple-choice questions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.documents import document
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, first_possible, share, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import (
    CONSTRUCTIONS,
    Figure,
    Point,
    along,
    foot,
    maker,
    order,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.labels import Layout
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, QUESTIONS, Deck, Mark, Sample
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words, code_decks, states

NOUNS = {"angle": "angle", "line": "segment"}
ATTEMPTS = 400
"""At a figure of one construction."""
# What the other types leave of the 10,293: four questions on functions and charts have fixed numbers a sample.
_FUNCTION_ANNOTATIONS = 141 + 101 + 142
_CHARTS = COUNTS["bar"] + COUNTS["line"] + COUNTS["pie"]
_ANNOTATIONS = QUESTIONS["mc"] - 3 * sum(COUNTS.values()) - _FUNCTION_ANNOTATIONS - 2 * _CHARTS


@dataclass(frozen=True, slots=True)
class Problem:
    """A figure, what stands in it, and what is done to it.

    Attributes:
        wording: a key of wording.yaml.
        layout: the figure, and where its texts have room.
        look: of the drawing, as documents.look draws it.
        texts: what the original carries at angles ("ABC") and segments ("AB"), in mathematics.
        marks: what the annotated state carries in their place.
        cuts: four sets of segments that can be deleted.
        additions: four auxiliary lines, each as lines of code.
        options: of the questions on code, four pieces of code each.
        gone, added: what has been deleted and added, each as a clause and a noun.
        asked: the same as clauses of the questions.
        told: what the instructions say besides, for their templates.
        deck: from the sample's words and turns, an element ("angle", "line"), a direction and whether it is among the
            sample's questions to that question, or None.
    """

    wording: str
    layout: Layout
    look: Mapping[str, Any]
    texts: Mapping[str, str]
    marks: tuple[Mark, ...]
    cuts: Sequence[Sequence[str]]
    additions: Sequence[Sequence[str]]
    options: Sequence[Sequence[str]]
    gone: tuple[str, str]
    added: tuple[str, str]
    asked: dict[str, str]
    told: dict[str, str]
    deck: Callable[[Words, partial[int], str, str, bool], Deck | None]


Make = Callable[[Callable[[], Figure], int, int, random.Random], Problem]
"""How an edition makes a problem of what makes figures of one construction, seed, index and a generator; ValueError
where the figures drawn allow for none."""


def sample(make: Make, seed: int, index: int) -> Sample:
    """Return the geometry sample of that index; constructions take turns, and a next one steps in where one fails."""
    names = list(CONSTRUCTIONS)

    def attempted(attempt: int) -> Sample:
        rng = draws(seed, "geometry", index, f"figure {attempt}")
        figures = maker(names[(index + attempt // ATTEMPTS) % len(names)], rng)
        return sample_of(make(figures, seed, index, rng), seed, index)

    return first_possible(attempted, ATTEMPTS * len(names))


def sample_of(problem: Problem, seed: int, index: int) -> Sample:
    """Return the sample on a problem.

    Raises:
        ValueError: the figure has too few measures to ask about.
    """
    which, figure = partial(turn, seed, "geometry", index), problem.layout.figure
    _, cut, added = truths = tuple(map(which, ("mcg", "deletion", "modification")))
    gone, write = problem.cuts[cut], partial(document, problem.layout, problem.look)
    left = {name: text for name, text in problem.texts.items() if not any(_part(s, name) for s in gone)}
    codes = {
        "original": write(problem.texts),
        "deleted": write(left, drawn=[s for s in figure.segments if s not in gone]),
        "modified": write(problem.texts, added=problem.additions[added]),
        "annotated": write({mark.element: mark.text.replace("°", "^\\circ") for mark in problem.marks}),
    }
    words = Words(problem.wording, draws(seed, "geometry", index, "wording"), "a geometric figure")
    made = states(words, codes, {"deleted": problem.gone, "modified": problem.added}, **problem.told)
    decks: list[Deck | None] = [*code_decks(words, problem.options, truths, problem.asked)]
    left_out = which("left out") if share(index, _ANNOTATIONS, COUNTS["geometry"]) == 3 else None
    for number, element in enumerate(("angle", "angle", "line", "line")):
        decks.append(problem.deck(words, which, element, ("forward", "backward")[number % 2], number != left_out))
    asked = tuple(deck for deck in decks if deck)
    return Sample("geometry", index, figure.construction, "", "latex", made, asked, problem.marks)


def _part(segment: str, name: str) -> bool:
    """Say whether a segment carries a length, or is a side of an angle, of that name."""
    return set(segment) in ({*name[:2]}, {*name[-2:]})


def listing(marks: Sequence[Mark]) -> str:
    """Return angles and segments with their sizes as an instruction lists them."""
    return "; ".join(f"{NOUNS[mark.kind]} {mark.element} = {mark.text}" for mark in marks)


def singles(figure: Figure, rng: random.Random) -> list[str]:
    """Return four segments, in reading order, of which any can be deleted and leave no letter without a line.

    Raises:
        ValueError: there are no four.
    """
    found = [s for s in order(figure, figure.segments) if not bare(figure, [s])]
    if len(found) < 4:
        raise ValueError("fewer than four segments can be deleted")
    return order(figure, rng.sample(found, 4))


def bare(figure: Figure, gone: Sequence[str]) -> bool:
    """Say whether a letter would stand without a line if these segments were gone."""
    kept = [s for s in figure.segments if s not in gone]
    return any(not any(k in s for s in kept) for k in figure.points)


def modifications(figure: Figure, rng: random.Random, free: Callable[[str, Point], str | None]) -> list[list[str]]:
    """Return four auxiliary lines, two kinds from two vertices of a triangle, each as lines of code.

    Args:
        figure: what they are added to.
        rng: draws them.
        free: from a vertex and the far end of a line to the side for the new letter, or None where there is no room for
            either.

    Raises:
        ValueError: there are no four.
    """
    name = next(k for k in "MNKHFGPQ" if k not in figure.points)
    triangles = figure.triangles()
    rng.shuffle(triangles)
    for triangle in triangles:
        kinds = rng.sample(["median", "perpendicular", "bisector", "parallel"], 4)
        for first, second in combinations(kinds, 2):
            vertices = rng.sample(triangle, 3)[:2]
            ends = [(v, _auxiliary(figure, triangle, v, kind)) for kind in (first, second) for v in vertices]
            found = [(v, end, free(v, end)) for v, end in ends if end is not None]
            places = [end for _, end, _ in found]
            if len(found) < 4 or not all(where for *_, where in found):
                continue
            if all(
                math.dist(p, q) >= 0.45 for p, q in combinations([*places, *figure.points.values()], 2) if p in places
            ):
                return [
                    [tikz.coordinate(name, end), f"\\draw[dashed] ({v}) -- ({name});", tikz.letter(name, where or "")]
                    for v, end, where in found
                ]
    raise ValueError("no triangle with four clear auxiliary lines")


def _auxiliary(figure: Figure, triangle: str, vertex: str, kind: str) -> Point | None:
    """Return the far end of an auxiliary line from a vertex of a triangle; None where it leaves the picture or side."""
    p = figure.points[vertex]
    a, b = (figure.points[k] for k in triangle if k != vertex)
    if kind == "parallel":
        end = (round(p[0] + 0.6 * (b[0] - a[0]), 2), round(p[1] + 0.6 * (b[1] - a[1]), 2))
        return end if min(end) >= 0 and max(end) < 9.5 else None
    t = 0.5
    if kind == "bisector":
        t = math.dist(p, a) / (math.dist(p, a) + math.dist(p, b))
    elif kind == "perpendicular":
        f = along(a, b, foot(p, a, b))
        t = ((f[0] - a[0]) * (b[0] - a[0]) + (f[1] - a[1]) * (b[1] - a[1])) / math.dist(a, b) ** 2
    x, y = along(a, b, t)
    return (round(x, 2), round(y, 2)) if 0.12 < t < 0.88 else None
