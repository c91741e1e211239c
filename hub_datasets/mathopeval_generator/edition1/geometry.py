"""Geometry of the first edition: figures drawn to scale, of which the sizes are read off."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.documents import PLAIN
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, gap, legible, middle, order, towards
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry_samples import (
    NOUNS,
    Problem,
    bare,
    listing,
    modifications,
    singles,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.labels import Layout
from mmmath_tasks.hub_datasets.mathopeval_generator.room import Box
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words

_ADDED = "an auxiliary line (a median, a perpendicular, an angle bisector or a parallel) has been added"
_ROOM = 0.6
"""Centimetres that numbers keep from one another."""


def problem(make: Callable[[], Figure], seed: int, index: int, rng: random.Random) -> Problem:
    """Return the problem on figures of one construction; ValueError where they allow for none."""
    return problem_of(_alike(make), turn(seed, "geometry", index, "mcg"), draws(seed, "geometry", index, "questions"))


def problem_of(four: Sequence[Figure], true: int, rng: random.Random, strict: bool = True) -> Problem:
    """Return the problem on `four[true]`, the other three being the wrong options of the first question.

    Args:
        four: figures with the same segments.
        true: which one is the sample's.
        rng: draws edits and questions.
        strict: whether the figure must carry every kind of annotation question; else those that it cannot are left out.

    Raises:
        ValueError: the figure has too few segments or measures to ask about.
    """
    figure = four[true]
    cuts, additions = _deletions(figure, rng), modifications(figure, rng, partial(_free_side, figure))
    angles, lines = _to_annotate(figure, rng)
    marks = (
        *(Mark(f"{size}°", "angle", name) for name, size in angles.items()),
        *(Mark(f"{length:g}", "line", name) for name, length in lines.items()),
    )
    places = {**{n: tikz.angle_place(figure, n) for n in angles}, **{n: middle(*figure.ends(n)) for n in lines}}
    layout = Layout(
        figure, 0, {k: tikz.side(figure, k) for k in figure.points}, {n: Box(*p, 0, 0) for n, p in places.items()}
    )
    gone = f"{'one segment has' if len(cuts[0]) == 1 else 'two segments have'} been deleted"
    return Problem(
        wording="edition 1, geometry",
        layout=layout,
        look=PLAIN,
        texts={},
        marks=marks,
        cuts=cuts,
        additions=additions,
        options=(
            ["\n".join([*tikz.coordinates(f), *tikz.circle(f), *tikz.draws(f.segments)]) for f in four],
            ["\n".join(tikz.draws([s for s in figure.segments if s not in cut])) for cut in cuts],
            ["\n".join(lines) for lines in additions],
        ),
        gone=(gone, ""),
        added=(_ADDED, ""),
        asked={"deleted": gone},
        told={"points": ", ".join(sorted(figure.points)), "listing": listing(marks)},
        deck=partial(_deck, figure, rng, strict),
    )


def _alike(make: Callable[[], Figure]) -> list[Figure]:
    """Return four figures of one construction that the eye tells apart.

    Raises:
        ValueError: they do not come soon.
    """
    four: list[Figure] = []
    for _ in range(150):
        figure = make()
        if legible(figure) and len(figure.angles()) >= 3 and all(_different(figure, other) for other in four):
            four.append(figure)
        if len(four) == 4:
            return four
    raise ValueError("no four figures alike")


def _different(a: Figure, b: Figure) -> bool:
    return max(math.dist(a.points[k], b.points[k]) for k in a.points) > 0.6


def _deletions(figure: Figure, rng: random.Random) -> list[tuple[str, ...]]:
    """Return four sets of segments to delete, alike in number; none leaves a letter without a line."""
    segments = order(figure, figure.segments)
    if len(segments) >= 6 and rng.random() < 0.5:
        fours = list(combinations(segments, 4))
        rng.shuffle(fours)
        for a, b, c, d in fours:
            sets = [(p, q) for p in (a, b) for q in (c, d)]
            if not any(bare(figure, gone) for gone in sets):
                return list(sets)
    return [(s,) for s in singles(figure, rng)]


def _free_side(figure: Figure, vertex: str, end: Point) -> str:
    """Return the side for the new letter: away from the vertex its line comes from."""
    back = towards(end, figure.points[vertex])
    return tikz.SIDES[round(((back + 180) % 360) / 45) % 8]


def _to_annotate(figure: Figure, rng: random.Random) -> tuple[dict[str, int], dict[str, float]]:
    """Return two or three angles and two or three segments with room for a number.

    Raises:
        ValueError: there are none.
    """
    angles = {n: v for n, v in figure.angles().items() if v >= 24 and not _blocked(figure, n)}
    for _ in range(20 if len(angles) > 1 else 0):
        some = sorted(rng.sample(sorted(angles), min(len(angles), rng.randint(2, 3))))
        sizes = [tikz.angle_place(figure, n) for n in some]
        lengths = {n: v for n, v in figure.lengths().items() if _roomy(figure, n, sizes)}
        if len(lengths) >= 2 and all(math.dist(p, q) >= _ROOM for p, q in combinations(sizes, 2)):
            more = sorted(rng.sample(sorted(lengths), min(len(lengths), rng.randint(2, 3))))
            return {n: angles[n] for n in some}, {n: lengths[n] for n in more}
    raise ValueError("no room for two angles and two lengths")


def _blocked(figure: Figure, angle: str) -> bool:
    """Say whether the vertex's letter stands inside the angle, or another point or segment where its size would be."""
    here, vertex = tikz.angle_place(figure, angle), angle[1]
    start, turn = tikz.sector(figure, angle)
    return (
        any(gap(here, *figure.ends(s)) < 0.3 for s in figure.segments if vertex not in s)
        or any(math.dist(here, p) < 0.55 for p in figure.points.values())
        or (45 * tikz.SIDES.index(tikz.side(figure, vertex)) - start) % 360 <= turn
    )


def _roomy(figure: Figure, segment: str, sizes: Sequence[Point]) -> bool:
    """Say whether a length fits on a segment's middle, clear of other segments, letters and the sizes of angles."""
    here = middle(*figure.ends(segment))
    others = [s for s in figure.segments if s != segment]
    return (
        math.dist(*figure.ends(segment)) >= 1.7
        and all(math.dist(here, size) >= _ROOM for size in sizes)
        and all(gap(here, *figure.ends(s)) >= 0.35 for s in others)
    )


def _deck(
    figure: Figure,
    rng: random.Random,
    strict: bool,
    words: Words,
    which: partial[int],
    element: str,
    direction: str,
    wanted: bool,
) -> Deck | None:
    """Return the question of an angle or a segment, its size or the one that has a size.

    Raises:
        ValueError: the figure cannot carry it, and `strict` is set.
    """
    asked = _asked(figure, rng, element)
    if asked is None and strict:
        raise ValueError(f"no four measures apart for a question about an {element}")
    if asked is None or (strict and not wanted):
        return None
    four, measures, given = asked
    unit, noun, true = "°" if element == "angle" else "", NOUNS[element], which(f"{element} {direction}")
    if direction == "forward":
        four = sorted(four, key=measures.__getitem__)
        text = words.ask("forward", given=given, noun=noun, element=four[true])
        options = tuple(f"{measures[n]:g}{unit}" for n in four)
    else:
        four = order(figure, four)
        text = words.ask("backward", given=given, noun=noun, size=f"{measures[four[true]]:g}{unit}")
        options = tuple(f"{noun.capitalize()} {n}" for n in four)
    return Deck("mce_annotation", text, options, true, element, direction)


def _asked(figure: Figure, rng: random.Random, element: str) -> tuple[list[str], dict[str, float], str] | None:
    """Return four angles or segments, the measures of all, and what gives the scale; None where there are not.

    The four are so far apart that the eye tells them apart, and so is the segment that gives the scale.
    """
    measures: dict[str, float] = dict(figure.angles(whole=True)) if element == "angle" else figure.lengths()

    def apart(m: str, n: str) -> bool:
        a, b = measures[m], measures[n]
        return abs(a - b) >= (8 if element == "angle" else 0.08 * max(a, b))

    fours = [f for f in combinations(sorted(measures), 4) if all(apart(m, n) for m, n in combinations(f, 2))]
    if not fours:
        return None
    four = list(rng.choice(fours))
    if element == "angle":
        return four, measures, ""
    spare = [n for n in figure.segments if all(apart(n, f) for f in four)]
    if not spare:
        return None
    scale = rng.choice(spare)
    return four, measures, f", where {scale} = {measures[scale]:g}"
