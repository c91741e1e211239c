"""Function plots of the first edition: one look, options that are single lines."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.function_samples import COLOURS, FunctionRules, hole, loop
from mmmath_tasks.hub_datasets.mathopeval_generator.functions import HIGH, LOW, Curve, Point


def _edits(rng: random.Random) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    a, b = rng.randint(1, 3), rng.randint(1, 3)
    return (-a, a), (-b, b), (0.5, 2.0)


def _look(rng: random.Random) -> dict[str, Any]:
    return {"colour": rng.choice(COLOURS), "width": rng.choice([1.5, 2, 2.5])}


def _option(curve: Curve, limit: int, cut: str, edit: str) -> str:
    """Return the line that cuts or edits, or the lines that define the function."""
    return cut or edit or f"def f(x):\n    return {curve.expression}"


def _script(
    curve: Curve,
    look: Mapping[str, Any],
    limit: int,
    *,
    cut: str = "",
    edit: str = "y = f(x)",
    points: Sequence[Point] = (),
) -> str:
    """Return the script that draws the curve; its ticks name every whole number."""
    step = 1 if limit <= 8 else 2
    lines = [
        "import numpy as np",
        "import matplotlib.pyplot as plt",
        f"\n\n{_option(curve, limit, '', '')}\n\n",
        "x = np.linspace(-5, 5, 1000)",
        edit,
        *hole(curve),
        *([cut] if cut else []),
        "",
        "fig, ax = plt.subplots(figsize=(6, 6))",
        f"ax.plot(x, y, color={look['colour']!r}, linewidth={look['width']:g})",
        "ax.axhline(0, color='gray', linewidth=1)",
        "ax.axvline(0, color='gray', linewidth=1)",
        "ax.set_xlim(-5, 5)",
        f"ax.set_ylim({-limit}, {limit})",
        f"ax.set_xticks({list(range(LOW, HIGH + 1))})",
        f"ax.set_yticks({[v for v in range(-limit, limit + 1) if v % step == 0]})",
        "ax.grid(True, linestyle=':', alpha=0.7)",
        *([loop(points)] if points else []),
        "ax.set_xlabel('x')",
        "ax.set_ylabel('y')",
        "plt.show()\n",
    ]
    return "\n".join(lines)


RULES = FunctionRules(
    texts="edition 1, functions",
    figure="the graph of a function",
    cut=("the curve has been deleted over a part of the domain", ""),
    moved=("the function has been transformed (shifted, stretched or reflected)", ""),
    purpose="figure",
    clear=1,
    curves=4,
    ends=lambda rng: sorted(rng.sample(range(LOW + 1, HIGH), 4)),
    edits=_edits,
    whole_ends=False,
    look=_look,
    script=_script,
    option=_option,
    told=lambda limit: {},
)
