"""Samples on function plots: the four states and the multiple-choice questions.

A sample starts from four functions of one family on a 2 x 2 grid of parameters, one of which is then drawn as the true
one; its key points and those of the three others are the options of the annotation questions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.functions import (
    FAMILIES,
    HIGH,
    LOW,
    TWO_ON_ZEROS,
    Curve,
    Maker,
    Point,
    numbers,
    pair,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark, Sample, State

_T = TypeVar("_T")
NAMES = {"x": "x-intercepts", "y": "y-intercept", "extreme": "local extreme points"}
CHOICE = 12
"""Of how many curves the four nearest to one another are taken, where they should be close."""
_GRID = [LOW + (HIGH - LOW) * i / 100 for i in range(101)]
_COLOURS = ("tab:blue", "tab:red", "tab:green", "tab:purple", "tab:orange", "black", "navy", "crimson", "teal")


def sample(seed: int, index: int) -> Sample:
    """Return the function sample of that index."""
    family = list(FAMILIES)[index % len(FAMILIES)]
    rng = draws(seed, "function", index)
    four, limit, deletion, modification = ingredients(family, rng)
    which = partial(turn, seed, "function", index)
    true = which("mcg")
    curve = four[true]
    colour = rng.choice(_COLOURS)
    write = partial(_script, colour=colour, width=rng.choice([1.5, 2, 2.5]), limit=limit)
    cut, edit = which("deletion"), which("modification")
    kinds = [kind for kind in NAMES if curve.points(kind)]
    marks = tuple(Mark(pair(p), kind, pair(p)) for kind in kinds for p in curve.points(kind))
    below = "drawn by the code below"
    states = {
        "original": State(
            write(curve),
            "The image shows the graph of a function on [-5, 5]. "
            "Write Python code with NumPy and Matplotlib that draws this graph.",
        ),
        "deleted": State(
            write(curve, cut=deletion[cut]),
            f"The first image is the graph of a function {below}. In the second image the curve has been deleted "
            "over a part of the domain. Edit the code so that it draws the second image.",
        ),
        "modified": State(
            write(curve, edit=modification[edit]),
            f"The first image is the graph of a function {below}. In the second image the function has been "
            "transformed (shifted, stretched or reflected). Edit the code so that it draws the second image.",
        ),
        "annotated": State(
            write(curve, points=unique(curve, kinds)),
            f"The image is the graph of a function {below}. Edit the code so that it also marks these points and "
            f"writes their coordinates beside them: {listing(curve, kinds)}.",
        ),
    }
    decks = (
        Deck("mcg", "Which function is drawn in the image?", tuple(definition(c) for c in four), true),
        Deck(
            "mce_deletion",
            "In the second image a part of the curve is deleted. Which line, added after y = f(x), does this?",
            tuple(deletion),
            cut,
        ),
        Deck(
            "mce_modification",
            "The second image shows a transformation of the function f. Which line of code computes it?",
            tuple(modification),
            edit,
        ),
        *annotation(four, true, kinds, family),
    )
    return Sample("function", index, family, "", "python", states, decks, marks)


def ingredients(family: str, rng: random.Random, clear: float = 1) -> tuple[list[Curve], int, list[str], list[str]]:
    """Return four curves that are alike, the end of their y axis, and four lines each that delete and that modify.

    Args:
        family: of the curves, one of FAMILIES.
        rng: draws them.
        clear: how far apart they are at least: 1, or less; then the curves are the nearest of many, cuts differ by one
            unit, and shifts in size, not in direction.
    """
    for _ in range(3_000):
        four, limit = _alike(FAMILIES[family](rng), rng, clear)
        if not four or not (deletion := _deletion(four, limit, rng, clear)):
            continue
        if modification := _modification(four, limit, rng, clear):
            return four, limit, deletion, modification
    raise AssertionError(f"no four {family} functions to ask about")


def listing(curve: Curve, kinds: Sequence[str]) -> str:
    """Return the key points of a curve as an instruction lists them."""
    return "; ".join(f"{NAMES[kind]} {', '.join(map(pair, curve.points(kind)))}" for kind in kinds)


def unique(curve: Curve, kinds: Sequence[str]) -> list[Point]:
    """Return the key points of a curve, each once."""
    return list({pair(p): p for kind in kinds for p in curve.points(kind)}.values())


_QUESTIONS = {
    "points": "Which coordinates should be annotated at the {points} of the curve?",
    "loop": "Which code annotates the {points} of the curve in the image?",
}


def _question(name: str, points: str) -> str:
    return _QUESTIONS[name].format(points=points)


def annotation(
    four: Sequence[Curve],
    true: int,
    kinds: Sequence[str],
    family: str,
    ask: Callable[[str, str], str] = _question,
) -> list[Deck]:
    """Return the questions on key points.

    Args:
        four: the curves, whose key points are the options.
        true: which one is drawn.
        kinds: the kinds of points that it has.
        family: decides for which kinds the code is asked for, too.
        ask: from "points" or "loop", and what the points are called, to the question.
    """
    decks = []
    for kind in kinds:
        text = ask("points", NAMES[kind])
        options = tuple(", ".join(map(pair, c.points(kind))) for c in four)
        decks.append(Deck("mce_annotation", text, options, true, kind, "forward"))
        if kind == "extreme" or (kind == "x" and family in TWO_ON_ZEROS):
            text = ask("loop", NAMES[kind])
            decks.append(Deck("mce_annotation", text, tuple(loop(c.points(kind)) for c in four), true, kind, "forward"))
    return decks


def _alike(make: Maker, rng: random.Random, clear: float) -> tuple[list[Curve], int]:
    """Return four curves that can be told apart in every question, and the end of their y axis; [] where in vain.

    They come in the order of the numbers in their texts, which are of one length, so that the even draw of the true
    one leaves no rule by length or size.
    """
    limit = rng.choice([6, 8, 10, 12])
    found: list[Curve] = []
    wanted = 4 if clear == 1 else CHOICE
    for _ in range(150):
        curve = make()
        if _fits(curve, limit) and all(_different(curve, other, limit, clear) for other in found):
            found.append(curve)
            if len(found) == wanted:
                break
    if len(found) < 4:
        return [], 0
    return sorted(_nearest(found, limit), key=lambda c: sum(map(abs, numbers(c.expression)))), limit


def _nearest(curves: Sequence[Curve], limit: int) -> Sequence[Curve]:
    """Return the one of the curves whose three nearest are nearest to it, and those."""
    if len(curves) == 4:
        return curves
    seen = [_heights(curve.at, limit) for curve in curves]

    def away(i: int, j: int) -> float:
        return sum(abs(p - q) for p, q in zip(seen[i], seen[j], strict=True) if not math.isnan(p + q))

    groups = [sorted(range(len(curves)), key=partial(away, i))[:4] for i in range(len(curves))]
    best = min(groups, key=lambda group: sum(away(group[0], j) for j in group))
    return [curves[i] for i in best]


def _fits(curve: Curve, limit: int) -> bool:
    """Say whether the curve has an x-intercept, few key points, all of them in view and legible when annotated."""
    try:
        points = [p for kind in NAMES for p in curve.points(kind)]
    except ZeroDivisionError:
        return False
    if not curve.zeros or max(len(curve.zeros), len(curve.extremes)) > 5:
        return False
    if any(abs(y) > 0.85 * limit - 0.5 or abs(x) > 4.9 for x, y in points):
        return False
    return _legible(curve, limit)


def _different(a: Curve, b: Curve, limit: int, clear: float) -> bool:
    """Say whether two curves differ clearly in every kind of key point and along a tenth of the domain."""
    if len(a.expression) != len(b.expression):
        return False
    for kind, least in (("x", 0.4), ("y", 0.05 * limit), ("extreme", 0.6)):
        p, q = a.points(kind), b.points(kind)
        if len(p) != len(q) or (p and max(map(math.dist, p, q)) < clear * least):
            return False
    return _told_apart([a.at, b.at], limit, clear)


def _legible(curve: Curve, limit: int) -> bool:
    points = unique(curve, [kind for kind in NAMES if curve.points(kind)])
    return all(
        abs(a[0] - b[0]) > 1.5 or abs(a[1] - b[1]) > 0.11 * limit for i, a in enumerate(points) for b in points[:i]
    )


def _all_apart(things: Sequence[_T], distance: Callable[[_T, _T], float], clear: float) -> bool:
    return all(distance(a, b) >= clear for i, a in enumerate(things) for b in things[:i])


def _heights(f: Callable[[float], float], limit: int) -> list[float]:
    """Return the curve as it is seen: 101 heights, cut off at the ends of the y axis, nan where undefined."""
    heights = []
    for x in _GRID:
        try:
            heights.append(min(max(f(x), -limit), limit))
        except (ZeroDivisionError, ValueError, OverflowError):
            heights.append(math.nan)
    return heights


def _told_apart(functions: Sequence[Callable[[float], float]], limit: int, clear: float) -> bool:
    """Say whether each is well in view and any two lie clearly apart along a tenth of the domain."""
    seen = [_heights(f, limit) for f in functions]
    if any(sum(abs(y) < limit for y in heights) < 40 for heights in seen):
        return False
    return _all_apart(
        seen, lambda a, b: float(sum(abs(p - q) > 0.08 * clear * limit for p, q in zip(a, b, strict=True))), 10
    )


def _deletion(four: Sequence[Curve], limit: int, rng: random.Random, step: float) -> list[str]:
    """Return four lines that each cut another part out, all ends in view on every curve; [] where there are none."""
    for _ in range(40):
        ends = sorted(rng.sample(range(round((LOW + 1) / step), round((HIGH - 1) / step) + 1), 4))
        if step < 1:
            ends[1], ends[2] = ends[0] + 2, ends[3] - 2  # as many characters, then
        first, second, third, last = (end * step for end in ends)
        lines = [f"y[(x > {a:g}) & (x < {b:g})] = np.nan" for a in (first, second) for b in (third, last)]
        beside = [e + d for e in (first, second, third, last) for d in (-0.25, 0.25)]
        try:
            seen = third > second + 0.5 and all(abs(c.at(x)) < limit for c in four for x in beside)
        except (ZeroDivisionError, ValueError):
            continue
        if seen and len(set(map(len, lines))) == 1:
            return lines
    return []


def _modification(four: Sequence[Curve], limit: int, rng: random.Random, clear: float) -> list[str]:
    """Return four lines that each transform f otherwise, told apart on every curve; [] where there are none."""
    for _ in range(12):
        a, b = rng.randint(1, 3), rng.randint(1, 3)
        across: tuple[float, float] = (-a, a)
        up: tuple[float, float] = (-b, b)
        factors = (0.5, 2.0)
        if clear < 1:
            s, r = rng.choice([-1, 1]), rng.choice([-1, 1])
            across, up = (s * a, s * (a + 0.5)), (r * b, r * (b + 1))
            factors = rng.choice([(1.5, 2.0), (0.5, 0.75)])
        pairs: dict[str, list[tuple[float, float, float, float]]] = {
            "shift": [(1.0, 1.0, h, k) for h in across for k in up],
            "stretch": [(c, 1.0, 0, k) for c in factors for k in up],
            "reflect": [(-c, 1.0, h, 0) for c in factors for h in across],
            "squeeze": [(1.0, c, 0, k) for c in factors for k in up],
        }
        edits = pairs[rng.choice(sorted(pairs))]
        good = True
        for curve in four:
            moved = [partial(_moved, curve.at, *edit) for edit in edits]
            heights = [_heights(f, limit) for f in moved]
            holes = any(math.isnan(y) for seen in heights for y in seen)
            # At an end of the domain a script would divide by zero; the first edition's do.
            at_end = clear < 1 and any(math.isnan(seen[end]) for seen in heights for end in (0, -1))
            if (holes and curve.family != "rational") or at_end or not _told_apart([curve.at, *moved], limit, clear):
                good = False
                break
        if good:
            return [_transformed(*edit) for edit in edits]
    return []


def _moved(f: Callable[[float], float], c: float, s: float, h: float, k: float, x: float) -> float:
    return c * f(s * x - h) + k


def _transformed(c: float, s: float, h: float, k: float) -> str:
    inner = "x" if s == 1 else f"{s}*x"
    inner += f" {'-' if h > 0 else '+'} {abs(h)}" if h else ""
    outer = f"f({inner})" if c == 1 else f"{c}*f({inner})"
    return f"y = {outer}" + (f" {'-' if k < 0 else '+'} {abs(k)}" if k else "")


def definition(curve: Curve) -> str:
    """Return the lines that define the function."""
    return f"def f(x):\n    return {curve.expression}"


def loop(points: Sequence[Point]) -> str:
    """Return the lines that mark points and write their coordinates."""
    inner = ", ".join(map(pair, points))
    return (
        f"for px, py in [{inner}]:\n"
        "    ax.plot(px, py, 'ro')\n"
        "    ax.annotate(f'({px:g}, {py:g})', (px, py), textcoords='offset points', xytext=(5, 6), fontsize=9)"
    )


def _script(
    curve: Curve,
    *,
    colour: str,
    width: float,
    limit: int,
    cut: str = "",
    edit: str = "y = f(x)",
    points: Sequence[Point] = (),
) -> str:
    """Return the script that draws the curve; its ticks name every whole number."""
    hole = "y[np.abs(y) > 40] = np.nan\n" if curve.family == "rational" else ""
    step = 1 if limit <= 8 else 2
    ticks = [v for v in range(-limit, limit + 1) if v % step == 0]
    return (
        "import numpy as np\nimport matplotlib.pyplot as plt\n\n\n"
        f"{definition(curve)}\n\n\n"
        f"x = np.linspace(-5, 5, 1000)\n{edit}\n{hole}{cut}{chr(10) if cut else ''}\n"
        f"fig, ax = plt.subplots(figsize=(6, 6))\n"
        f"ax.plot(x, y, color={colour!r}, linewidth={width:g})\n"
        "ax.axhline(0, color='gray', linewidth=1)\nax.axvline(0, color='gray', linewidth=1)\n"
        f"ax.set_xlim(-5, 5)\nax.set_ylim({-limit}, {limit})\n"
        f"ax.set_xticks([{', '.join(map(str, range(LOW, HIGH + 1)))}])\n"
        f"ax.set_yticks([{', '.join(map(str, ticks))}])\n"
        "ax.grid(True, linestyle=':', alpha=0.7)\n"
        f"{loop(points) + chr(10) if points else ''}"
        "ax.set_xlabel('x')\nax.set_ylabel('y')\nplt.show()\n"
    )
