"""Function plots of the second edition: many looks, options that are whole scripts, coordinates clear of all lines."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import scripts
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.plot_area import MARGINS
from mmmath_tasks.hub_datasets.mathopeval_generator.function_samples import COLOURS, FunctionRules, hole
from mmmath_tasks.hub_datasets.mathopeval_generator.functions import HIGH, LOW, Curve, Point, pair
from mmmath_tasks.hub_datasets.mathopeval_generator.room import Box, offsets
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import when

_SIZE = 9
"""Of the letters of coordinates, in points."""
_COLOURS = (*COLOURS, "#7a5195")
_TITLES = ("", "", "Graph of f", "y = f(x)", "A function on the interval from -5 to 5")


def _told(limit: int) -> dict[str, str]:
    said = (
        f"It is defined on the whole interval [-5, 5], the y axis runs from {-limit} to {limit}, and its intercepts "
        "and extreme points can be read off the grid or worked out."
    )
    return {"description": said, "language": "Python code with NumPy and Matplotlib"}


def _ends(rng: random.Random) -> list[float]:
    """Draw halves of which the first two, and the last two, are one apart: as many characters, then."""
    first, *_, last = sorted(rng.sample(range(2 * LOW + 2, 2 * HIGH - 1), 4))
    return [end / 2 for end in (first, first + 2, last - 2, last)]


def _edits(rng: random.Random) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Draw shifts and factors that differ in size, not in direction."""
    a, b = rng.randint(1, 3), rng.randint(1, 3)
    s, r = rng.choice([-1, 1]), rng.choice([-1, 1])
    return (s * a, s * (a + 0.5)), (r * b, r * (b + 1)), rng.choice([(1.5, 2.0), (0.5, 0.75)])


def _brief(curve: Curve, limit: int, cut: str, edit: str) -> str:
    """Return a whole script that draws the curve and nothing else."""
    lines = [
        "import numpy as np",
        "import matplotlib.pyplot as plt",
        "x = np.linspace(-5, 5, 1000)",
        *([f"f = lambda x: {curve.expression}", edit] if edit else [f"y = {curve.expression}"]),
        *hole(curve),
        *when(cut, cut),
        "plt.plot(x, y)",
        f"plt.ylim({-limit}, {limit})",
        "plt.show()",
    ]
    return "\n".join(lines)


def _look(rng: random.Random) -> dict[str, Any]:
    """Return everything about the drawing that no edit changes."""
    return {
        **scripts.manner(rng),
        "idiom": rng.choice(["pyplot", "axes", "axes"]),
        "defined": rng.choice(["def", "def", "lambda"]),
        "colour": rng.choice(_COLOURS),
        "width": rng.choice([1.2, 1.5, 2, 2.5, 3]),
        "size": rng.choice([(6, 6), (6.5, 6), (7, 6)]),
        "crossing": rng.choice(["lines", "lines", "spines"]),
        "grid": rng.choice([":", "--", "-"]),
        "minor": rng.random() < 0.25,
        "filled": rng.random() < 0.15,
        "title": rng.choice(_TITLES),
        "ends": rng.choice(["label", "text"]),
    }


def _script(
    curve: Curve,
    look: Mapping[str, Any],
    limit: int,
    *,
    cut: str = "",
    edit: str = "y = f(x)",
    points: Sequence[Point] = (),
) -> str:
    """Return the script that draws the curve; its ticks name every whole number.

    Raises:
        ValueError: there is no room for the coordinates of a point.
    """
    made = f"f = lambda x: {curve.expression}"
    if look["defined"] == "def":
        made = f"def f(x):\n    return {curve.expression}\n\n"
    step, colour, spines = 1 if limit <= 8 else 2, f"color={look['colour']!r}", look["crossing"] == "spines"
    ticks = f"range({-limit + limit % step}, {limit + 1}{f', {step}' if step > 1 else ''})"
    lines = ["ax.axhline(0, color='gray', linewidth=1)", "ax.axvline(0, color='gray', linewidth=1)"]
    if spines:
        lines = [
            "ax.spines[['left', 'bottom']].set_position('zero')",
            "ax.spines[['left', 'bottom']].set_color('black')",
            "ax.spines[['top', 'right']].set_visible(False)",
        ]
    blocks = {
        "style": scripts.style(look),
        "function": [made, "x = np.linspace(-5, 5, 1000)", edit, *hole(curve), *when(cut, cut)],
        "plot": [
            f"fig, ax = plt.subplots(figsize=({look['size'][0]:g}, {look['size'][1]:g}))",
            f"ax.plot(x, y, {colour}, linewidth={look['width']:g})",
            *when(look["filled"], f"ax.fill_between(x, y, 0, {colour}, alpha=0.08)"),
        ],
        "values": _notes(look, points, _offsets(curve, look, limit, points)) if points else [],
        "dress": [
            *lines,
            "ax.set_xlim(-5, 5)",
            f"ax.set_ylim({-limit}, {limit})",
            f"ax.set_xticks(range({LOW}, {HIGH + 1}))",
            f"ax.set_yticks({ticks})",
            f"ax.grid(True, linestyle={look['grid']!r}, alpha=0.7)",
            "ax.tick_params(axis='both', labelsize=9)",
            *when(look["minor"], "ax.minorticks_on()"),
            *when(look["title"], f"ax.set_title({look['title']!r}, fontsize=12, pad=20)"),
            f"ax.set_xlabel('x'{', loc=' + repr('right') if spines else ''})",
            f"ax.set_ylabel('y'{', loc=' + repr('top') if spines else ''})",
        ],
    }
    return scripts.assembled(blocks, look, look["idiom"])


def _notes(look: Mapping[str, Any], points: Sequence[Point], offsets: Sequence[tuple[int, int]]) -> list[str]:
    """Return the lines that mark points and write their coordinates, each at its own distance."""
    how = f"textcoords='offset points', ha='center', va='center', fontsize={_SIZE}"
    write = f"annotate(f'({{px:g}}, {{py:g}})', (px, py), xytext=offset, {how})"
    lists = [f"points = [{', '.join(map(pair, points))}]", f"offsets = {list(offsets)}"]
    loop = ["for (px, py), offset in zip(points, offsets):", f"    ax.{write}"]
    if look["notes"] == "helper":
        body = ["    axes.plot(px, py, 'o', color='firebrick')", f"    axes.{write}", ""]
        call = ["for point, offset in zip(points, offsets):", "    mark(ax, *point, offset)"]
        return ["def mark(axes, px, py, offset):", *body, *lists, *call]
    if look["notes"] == "loop":
        dots = "ax.scatter([p[0] for p in points], [p[1] for p in points], color='black', zorder=3)"
        return [*lists, dots, *loop]
    return [*lists, loop[0], "    ax.plot(px, py, 'ro')", loop[1]]


def _offsets(curve: Curve, look: Mapping[str, Any], limit: int, points: Sequence[Point]) -> list[tuple[int, int]]:
    """Return how far from its point each pair of coordinates stands, clear of the curve and the axes.

    Raises:
        ValueError: there is no room for one of them.
    """
    wide = 72 * (MARGINS["right"] - MARGINS["left"]) * look["size"][0]
    high = 72 * (MARGINS["top"] - MARGINS["bottom"]) * look["size"][1]

    def place(point: Point) -> Point:
        return ((point[0] - LOW) / (HIGH - LOW) * wide, (point[1] + limit) / (2 * limit) * high)

    drawn: list[Point] = []
    for i in range(401):
        x = LOW + (HIGH - LOW) * i / 400
        with suppress(ZeroDivisionError, ValueError, OverflowError):  # where it is not defined
            drawn.append((x, curve.at(x)))
    traced = [place((x, y)) for x, y in drawn if abs(y) <= 1.3 * limit]
    lines = [(p, q) for p, q in pairwise(traced) if math.dist(p, q) < 0.5 * high]
    (x, y), taken = place((0, 0)), []
    lines += [((0, y), (wide, y)), ((x, 0), (x, high))]
    if look["crossing"] == "spines":  # the numbers at the ticks stand along the axes
        taken = [Box(wide / 2, y - 8, wide, 16), Box(x - 11, high / 2, 22, high)]
    area = Box(wide / 2, high / 2, wide, high)
    return offsets(list(map(place, points)), list(map(pair, points)), _SIZE, lines, taken, area)


RULES = FunctionRules(
    texts="edition 2",
    figure="the graph of a function on [-5, 5]",
    cut=("a part of the curve has been deleted", "the deletion of a part of the curve"),
    moved=("the function has been transformed", "a transformation of the function (shifted, stretched or reflected)"),
    purpose="figure {}",
    clear=0.5,
    curves=12,
    ends=_ends,
    edits=_edits,
    whole_ends=True,
    look=_look,
    script=_script,
    option=_brief,
    told=_told,
)
