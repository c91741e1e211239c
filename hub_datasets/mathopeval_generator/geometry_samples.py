"""Samples on plane geometry: the four states and the multiple-choice questions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, share, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import (
    CONSTRUCTIONS,
    Figure,
    Point,
    angle_apart,
    foot,
    four_apart,
    gap,
    legible,
    length_apart,
    maker,
    order,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, QUESTIONS, Deck, Mark, Sample, State

# What the other types leave of the 10,293: four questions on functions and charts have fixed numbers a sample.
_FUNCTION_ANNOTATIONS = 141 + 101 + 142
_CHARTS = COUNTS["bar"] + COUNTS["line"] + COUNTS["pie"]
ANNOTATIONS = QUESTIONS["mc"] - 3 * sum(COUNTS.values()) - _FUNCTION_ANNOTATIONS - 2 * _CHARTS


def sample(seed: int, index: int) -> Sample:
    """Return the geometry sample of that index."""
    for attempt in range(300):
        rng = draws(seed, "geometry", index, f"figure {attempt}")
        construction = list(CONSTRUCTIONS)[index % len(CONSTRUCTIONS)]
        four = _alike(maker(construction, rng))
        if not four:
            continue
        try:
            return sample_of(four, turn(seed, "geometry", index, "mcg"), seed, index)
        except ValueError:
            continue
    raise AssertionError(f"no {construction} to ask about in 300 attempts")


def sample_of(four: Sequence[Figure], true: int, seed: int, index: int, strict: bool = True) -> Sample:
    """Return the sample on `four[true]`, the other three being the wrong options of the first question.

    Args:
        four: figures with the same segments.
        true: which one is the sample's.
        seed: with the index it decides edits and questions.
        index: within geometry.
        strict: whether the figure must carry every kind of annotation question.

    Raises:
        ValueError: the figure has too few segments or measures to ask about.
    """
    figure = four[true]
    rng = draws(seed, "geometry", index, "questions")
    which = partial(turn, seed, "geometry", index)
    original = tikz.lines(figure)
    cuts = _deletions(figure, rng)
    additions = modifications(figure, rng)
    cut, added = which("deletion"), which("modification")
    angles, lines = to_annotate(figure, rng)
    marks = (
        *(Mark(f"{size}°", "angle", name) for name, size in angles.items()),
        *(Mark(f"{length:g}", "line", name) for name, length in lines.items()),
    )
    annotated = [
        *original,
        *(
            line
            for name, size in angles.items()
            for line in tikz.angle_mark(figure, name, f"{size}^\\circ", tikz.angle_place(figure, name))
        ),
        *(tikz.length_mark(f"{length:g}", tikz.middle(figure, name)) for name, length in lines.items()),
    ]
    kept = [s for s in figure.segments if s not in cuts[cut]]
    reduced = [*tikz.coordinates(figure), *tikz.circle(figure), *tikz.draws(kept), *tikz.letters(figure)]
    gone = "one segment has" if len(cuts[0]) == 1 else "two segments have"
    values = [f"angle {n} = {v}°" for n, v in angles.items()] + [f"segment {n} = {v:g}" for n, v in lines.items()]
    drawn = "a geometric figure drawn by the code below"
    states = {
        "original": State(
            tikz.document(original),
            f"The image shows a geometric figure with the points {', '.join(sorted(figure.points))}. "
            "Write a LaTeX document with TikZ that draws this figure.",
        ),
        "deleted": State(
            tikz.document(reduced),
            f"The first image is {drawn}. In the second image {gone} been deleted. "
            "Edit the code so that it draws the second image.",
        ),
        "modified": State(
            tikz.document([*original, *additions[added]]),
            f"The first image is {drawn}. In the second image an auxiliary line (a median, a perpendicular, an angle "
            "bisector or a parallel) has been added. Edit the code so that it draws the second image.",
        ),
        "annotated": State(
            tikz.document(annotated),
            f"The image is {drawn}. Edit the code so that it also writes the sizes of angles near their vertices and "
            f"the lengths of segments at their midpoints: {'; '.join(values)}.",
        ),
    }
    decks = (
        Deck(
            "mcg",
            "Which lines of code draw the figure in the image, apart from its letters?",
            tuple("\n".join([*tikz.coordinates(f), *tikz.circle(f), *tikz.draws(f.segments)]) for f in four),
            true,
        ),
        Deck(
            "mce_deletion",
            f"In the second image {gone} been deleted. Which lines draw the segments of the second image?",
            tuple("\n".join(tikz.draws([s for s in figure.segments if s not in c])) for c in cuts),
            cut,
        ),
        Deck(
            "mce_modification",
            "In the second image a dashed auxiliary line has been added. Which lines of code add it?",
            tuple("\n".join(a) for a in additions),
            added,
        ),
        *_annotation(figure, rng, which, index, strict),
    )
    return Sample("geometry", index, figure.construction, "", "latex", states, decks, marks)


def _alike(make: Callable[[], Figure]) -> list[Figure]:
    """Return four figures of one construction that the eye tells apart; [] where in vain."""
    four: list[Figure] = []
    for _ in range(150):
        figure = make()
        if not legible(figure) or len(figure.angles()) < 3:
            continue
        if all(_different(figure, other) for other in four):
            four.append(figure)
            if len(four) == 4:
                return four
    return []


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


def modifications(
    figure: Figure, rng: random.Random, free: Callable[[str, Point], str | None] | None = None
) -> list[list[str]]:
    """Return four auxiliary lines, two kinds from two vertices of a triangle, each as lines of code.

    Args:
        figure: what they are added to.
        rng: draws them.
        free: from a vertex and the far end of a line to the side for the new letter, or None where there is no room for
            either; default: the side away from the vertex.

    Raises:
        ValueError: there are no four.
    """
    name = next(k for k in "MNKHFGPQ" if k not in figure.points)
    side = free or partial(_free_side, figure)
    triangles = figure.triangles()
    rng.shuffle(triangles)
    for triangle in triangles:
        kinds = rng.sample(["median", "perpendicular", "bisector", "parallel"], 4)
        for first, second in combinations(kinds, 2):
            vertices = rng.sample(triangle, 3)[:2]
            ends = [(v, _auxiliary(figure, triangle, v, kind)) for kind in (first, second) for v in vertices]
            found = [(v, end, side(v, end)) for v, end in ends if end is not None]
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
    if kind == "median":
        t = 0.5
    elif kind == "bisector":
        t = math.dist(p, a) / (math.dist(p, a) + math.dist(p, b))
    elif kind == "perpendicular":
        f = foot(p, a, b)
        t = ((f[0] - a[0]) * (b[0] - a[0]) + (f[1] - a[1]) * (b[1] - a[1])) / math.dist(a, b) ** 2
    else:
        end = (round(p[0] + 0.6 * (b[0] - a[0]), 2), round(p[1] + 0.6 * (b[1] - a[1]), 2))
        return end if min(end) >= 0 and max(end) < 9.5 else None
    if not 0.12 < t < 0.88:
        return None
    return (round(a[0] + t * (b[0] - a[0]), 2), round(a[1] + t * (b[1] - a[1]), 2))


def _free_side(figure: Figure, vertex: str, end: Point) -> str:
    """Return the side for the new letter: away from the vertex its line comes from."""
    x, y = figure.points[vertex]
    back = math.degrees(math.atan2(y - end[1], x - end[0]))
    return tikz.SIDES[round(((back + 180) % 360) / 45) % 8]


def to_annotate(figure: Figure, rng: random.Random) -> tuple[dict[str, int], dict[str, float]]:
    """Return two or three angles and two or three segments with room for a number.

    Raises:
        ValueError: there are none.
    """
    room = 0.6
    angles = {n: v for n, v in figure.angles().items() if v >= 24 and not _blocked(figure, n)}
    for _ in range(20):
        if len(angles) < 2:
            break
        some = sorted(rng.sample(sorted(angles), min(len(angles), rng.randint(2, 3))))
        sizes = [tikz.angle_place(figure, n) for n in some]
        lengths = {n: v for n, v in figure.lengths().items() if _roomy(figure, n, sizes, room)}
        if len(lengths) >= 2 and all(math.dist(p, q) >= room for p, q in combinations(sizes, 2)):
            more = sorted(rng.sample(sorted(lengths), min(len(lengths), rng.randint(2, 3))))
            return {n: angles[n] for n in some}, {n: lengths[n] for n in more}
    raise ValueError("no room for two angles and two lengths")


def _blocked(figure: Figure, angle: str) -> bool:
    """Say whether the vertex's letter stands inside the angle, or another point or segment where its size would be."""
    here, vertex = tikz.angle_place(figure, angle), angle[1]
    others = [s for s in figure.segments if vertex not in s]
    if any(gap(here, figure.points[s[0]], figure.points[s[1]]) < 0.3 for s in others):
        return True
    if any(math.dist(here, p) < 0.55 for p in figure.points.values()):
        return True
    start, turn = tikz.sector(figure, angle)
    return (45 * tikz.SIDES.index(tikz.side(figure, angle[1])) - start) % 360 <= turn


def _roomy(figure: Figure, segment: str, sizes: Sequence[Point], room: float) -> bool:
    """Say whether a length fits on a segment's middle, clear of other segments, letters and the sizes of angles."""
    here = tikz.middle(figure, segment)
    others = [s for s in figure.segments if s != segment]
    return (
        math.dist(*(figure.points[k] for k in segment)) >= 1.7
        and all(math.dist(here, size) >= room for size in sizes)
        and all(gap(here, figure.points[s[0]], figure.points[s[1]]) >= 0.35 for s in others)
    )


def _annotation(figure: Figure, rng: random.Random, which: partial[int], index: int, strict: bool) -> list[Deck]:
    """Return three or four questions: of an angle or a segment, its size or the one that has a size.

    Raises:
        ValueError: the figure cannot carry one of the four, and `strict` is set; else that one is left out.
    """
    count = share(index, ANNOTATIONS, COUNTS["geometry"])
    left_out = which("left out") if count == 3 and strict else None
    decks = []
    for number, element in enumerate(("angle", "angle", "line", "line")):
        direction = ("forward", "backward")[number % 2]
        asked = _asked(figure, rng, element)
        if asked is None and strict:
            raise ValueError(f"no four measures apart for a question about an {element}")
        if asked is not None and number != left_out:
            decks.append(_measure(figure, *asked, element, direction, which(f"{element} {direction}")))
    return decks


def _asked(figure: Figure, rng: random.Random, element: str) -> tuple[list[str], dict[str, float], str] | None:
    """Return four angles or segments, the measures of all, and what gives the scale; None where there are not."""
    if element == "angle":
        angles: dict[str, float] = dict(figure.angles(whole=True))
        four = four_apart(angles, angle_apart, rng)
        return (four, angles, "") if four else None
    lengths = figure.lengths()
    four = four_apart(lengths, length_apart, rng)
    spare = [n for n in figure.segments if four and all(length_apart(lengths[n], lengths[f]) for f in four)]
    if not spare:
        return None
    scale = rng.choice(spare)
    return four, lengths, f", where {scale} = {lengths[scale]:g}"


def _measure(
    figure: Figure,
    four: list[str],
    measures: dict[str, float],
    given: str,
    element: str,
    direction: str,
    true: int,
) -> Deck:
    unit, noun = ("°", "angle") if element == "angle" else ("", "segment")
    if direction == "forward":
        four = sorted(four, key=measures.__getitem__)
        text = f"The figure is drawn to scale{given}. What should be annotated at {noun} {four[true]}?"
        options = tuple(f"{measures[n]:g}{unit}" for n in four)
    else:
        four = order(figure, four)
        size = f"{measures[four[true]]:g}{unit}"
        text = f"The figure is drawn to scale{given}. At which {noun} should {size} be annotated?"
        options = tuple(f"{noun.capitalize()} {n}" for n in four)
    return Deck("mce_annotation", text, options, true, element, direction)
