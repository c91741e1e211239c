"""Samples on function plots: the four states and the multiple-choice questions.

A sample starts from four functions of one family on a 2 x 2 grid of parameters, one of which is then drawn as the true
one; its key points and those of the three others are the options of the annotation questions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, first_possible, turn
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
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark, Sample
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words, code_decks, states

COLOURS = ("tab:blue", "tab:red", "tab:green", "tab:purple", "tab:orange", "black", "navy", "crimson", "teal")
NAMES = {"x": "x-intercepts", "y": "y-intercept", "extreme": "local extreme points"}
_GRID = [LOW + (HIGH - LOW) * i / 100 for i in range(101)]
_Edits = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class FunctionRules:
    """How an edition draws functions and asks about them.

    Attributes:
        texts: a key of wording.yaml.
        figure: what is drawn.
        cut, moved: what has been deleted and changed, each as a clause and a noun.
        purpose: what the draws of an attempt are for, for its number.
        clear: how far apart the curves, points and transformed curves of a question's options are at least, as a share
            of what the eye is sure of.
        curves: how many are found that can be told apart, of which the four nearest to one another are taken.
        ends: draws the four ends, in order, of the four parts that can be cut out.
        edits: draws pairs of shifts across, of shifts up, and of factors.
        whole_ends: whether transformed curves are defined at both ends of the domain; scripts divide by zero else.
        look: draws everything about the drawing that no edit changes.
        script: from a curve, the look and the end of the y axis to a script; `cut`, `edit`, `points` (to annotate).
        option: from a curve, the end of the y axis, a cut and an edit ("": none) to an option.
        told: from the end of the y axis to what the instruction to draw the graph says, for its templates.
    """

    texts: str
    figure: str
    cut: tuple[str, str]
    moved: tuple[str, str]
    purpose: str
    clear: float
    curves: int
    ends: Callable[[random.Random], Sequence[float]]
    edits: Callable[[random.Random], _Edits]
    whole_ends: bool
    look: Callable[[random.Random], Mapping[str, Any]]
    script: Callable[..., str]
    option: Callable[[Curve, int, str, str], str]
    told: Callable[[int], dict[str, str]]


def sample(rules: FunctionRules, seed: int, index: int) -> Sample:
    """Return the function sample of that index; families take turns."""
    return first_possible(
        lambda attempt: _sample(rules, seed, index, draws(seed, "function", index, rules.purpose.format(attempt)))
    )


def _sample(rules: FunctionRules, seed: int, index: int, rng: random.Random) -> Sample:
    family, which = list(FAMILIES)[index % len(FAMILIES)], partial(turn, seed, "function", index)
    four, limit, deletions, modifications = _ingredients(rules, family, rng)
    true, cut, moved = truths = tuple(map(which, ("mcg", "deletion", "modification")))
    curve = four[true]
    kinds = [kind for kind in NAMES if curve.points(kind)]
    write = partial(rules.script, curve, rules.look(rng), limit)
    codes = {
        "original": write(),
        "deleted": write(cut=deletions[cut]),
        "modified": write(edit=modifications[moved]),
        "annotated": write(points=_unique(curve)),
    }
    options = (
        [rules.option(c, limit, "", "") for c in four],
        [rules.option(curve, limit, line, "") for line in deletions],
        [rules.option(curve, limit, "", line) for line in modifications],
    )
    words = Words(rules.texts, draws(seed, "function", index, "wording"), rules.figure)
    made = states(
        words,
        codes,
        {"deleted": rules.cut, "modified": rules.moved},
        writes="marks its intercepts and local extreme points and writes their coordinates beside them",
        listing="; ".join(f"{NAMES[kind]} {', '.join(map(pair, curve.points(kind)))}" for kind in kinds),
        **rules.told(limit),
    )
    decks = code_decks(words, options, truths, {"deleted": rules.cut[0], "modified": rules.moved[0]})
    asked = (*decks, *_annotation(words, four, true, kinds, family))
    marks = tuple(Mark(pair(p), kind, pair(p)) for kind in kinds for p in curve.points(kind))
    return Sample("function", index, family, "", "python", made, asked, marks)


def _ingredients(
    rules: FunctionRules, family: str, rng: random.Random
) -> tuple[Sequence[Curve], int, list[str], list[str]]:
    """Return four curves that are alike, the end of their y axis, and four lines each that delete and that modify."""
    for _ in range(3_000):
        four, limit = _alike(rules, FAMILIES[family](rng), rng)
        if not four or not (deletions := _deletions(rules, four, limit, rng)):
            continue
        if modifications := _modifications(rules, four, limit, rng):
            return four, limit, deletions, modifications
    raise AssertionError(f"no four {family} functions to ask about")


def _unique(curve: Curve) -> list[Point]:
    """Return the key points of a curve, each once."""
    return list({pair(p): p for kind in NAMES for p in curve.points(kind)}.values())


def _annotation(words: Words, four: Sequence[Curve], true: int, kinds: Sequence[str], family: str) -> list[Deck]:
    """Return the questions on key points, of some kinds two."""
    decks = []
    for kind in kinds:
        shown = [c.points(kind) for c in four]
        asked = {"points": [", ".join(map(pair, points)) for points in shown]}
        if kind == "extreme" or (kind == "x" and family in TWO_ON_ZEROS):
            asked["loop"] = list(map(loop, shown))
        for name, options in asked.items():
            text = words.ask(name, points=NAMES[kind])
            decks.append(Deck("mce_annotation", text, tuple(options), true, kind, "forward"))
    return decks


def _alike(rules: FunctionRules, make: Maker, rng: random.Random) -> tuple[Sequence[Curve], int]:
    """Return four curves that can be told apart in every question, and the end of their y axis; () where in vain.

    They come in the order of the numbers in their texts, which are of one length, so that the even draw of the true
    one leaves no rule by length or size.
    """
    limit = rng.choice([6, 8, 10, 12])
    found: list[Curve] = []
    for _ in range(150):
        curve = make()
        if _fits(curve, limit) and all(_different(curve, other, limit, rules.clear) for other in found):
            found.append(curve)
            if len(found) == rules.curves:
                break
    if len(found) < 4:
        return (), 0
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
    pairs = combinations(_unique(curve), 2)
    return all(abs(a[0] - b[0]) > 1.5 or abs(a[1] - b[1]) > 0.11 * limit for a, b in pairs)


def _different(a: Curve, b: Curve, limit: int, clear: float) -> bool:
    """Say whether two curves differ clearly in every kind of key point and along a tenth of the domain."""
    if len(a.expression) != len(b.expression):
        return False
    for kind, least in (("x", 0.4), ("y", 0.05 * limit), ("extreme", 0.6)):
        p, q = a.points(kind), b.points(kind)
        if len(p) != len(q) or (p and max(map(math.dist, p, q)) < clear * least):
            return False
    return _told_apart([a.at, b.at], limit, clear)


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
    gap = 0.08 * clear * limit
    return all(sum(abs(p - q) > gap for p, q in zip(a, b, strict=True)) >= 10 for a, b in combinations(seen, 2))


def _deletions(rules: FunctionRules, four: Sequence[Curve], limit: int, rng: random.Random) -> list[str]:
    """Return four lines that each cut another part out, all ends in view on every curve; [] where there are none."""
    for _ in range(40):
        first, second, third, last = ends = rules.ends(rng)
        lines = [f"y[(x > {a:g}) & (x < {b:g})] = np.nan" for a in (first, second) for b in (third, last)]
        beside = [e + d for e in ends for d in (-0.25, 0.25)]
        try:
            seen = third > second + 0.5 and all(abs(c.at(x)) < limit for c in four for x in beside)
        except (ZeroDivisionError, ValueError):
            continue
        if seen and len(set(map(len, lines))) == 1:
            return lines
    return []


def _modifications(rules: FunctionRules, four: Sequence[Curve], limit: int, rng: random.Random) -> list[str]:
    """Return four lines that each transform f otherwise, told apart on every curve; [] where there are none."""
    for _ in range(12):
        across, up, factors = rules.edits(rng)
        kinds: dict[str, list[tuple[float, float, float, float]]] = {
            "shift": [(1.0, 1.0, h, k) for h in across for k in up],
            "stretch": [(c, 1.0, 0, k) for c in factors for k in up],
            "reflect": [(-c, 1.0, h, 0) for c in factors for h in across],
            "squeeze": [(1.0, c, 0, k) for c in factors for k in up],
        }
        edits = kinds[rng.choice(sorted(kinds))]
        if all(_clear_moves(rules, curve, edits, limit) for curve in four):
            return [_transformed(*edit) for edit in edits]
    return []


def _clear_moves(
    rules: FunctionRules, curve: Curve, edits: Sequence[tuple[float, float, float, float]], limit: int
) -> bool:
    """Say whether a curve, and what each edit makes of it, are defined where they must be and told apart."""
    moved = [partial(_moved, curve.at, *edit) for edit in edits]
    heights = [_heights(f, limit) for f in moved]
    if curve.family != "rational" and any(math.isnan(y) for seen in heights for y in seen):
        return False
    if rules.whole_ends and any(math.isnan(seen[end]) for seen in heights for end in (0, -1)):
        return False
    return _told_apart([curve.at, *moved], limit, rules.clear)


def _moved(f: Callable[[float], float], c: float, s: float, h: float, k: float, x: float) -> float:
    return c * f(s * x - h) + k


def _transformed(c: float, s: float, h: float, k: float) -> str:
    inner = "x" if s == 1 else f"{s}*x"
    inner += f" {'-' if h > 0 else '+'} {abs(h)}" if h else ""
    outer = f"f({inner})" if c == 1 else f"{c}*f({inner})"
    return f"y = {outer}" + (f" {'-' if k < 0 else '+'} {abs(k)}" if k else "")


def hole(curve: Curve) -> list[str]:
    """Return the line, if any, that leaves out where the curve goes out of view."""
    return ["y[np.abs(y) > 40] = np.nan"] if curve.family == "rational" else []


def loop(points: Sequence[Point]) -> str:
    """Return the lines that mark points and write their coordinates."""
    return (
        f"for px, py in [{', '.join(map(pair, points))}]:\n"
        "    ax.plot(px, py, 'ro')\n"
        "    ax.annotate(f'({px:g}, {py:g})', (px, py), textcoords='offset points', xytext=(5, 6), fontsize=9)"
    )
