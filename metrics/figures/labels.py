"""Annotations: the texts that a figure has beyond the original's, and where they stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mmmath_tasks.metrics.figures.counts import Counts
from mmmath_tasks.metrics.figures.texts import normal, same

Element = Mapping[str, Any]
# Share of the axes' diagonal within which a text stands in its place
NEAR = 0.08
# So that no figure, however crowded, takes long to compare: texts read, texts assigned to each other, and texts of the
# same words among which the nearest is looked for
TEXTS, LIMIT, NEIGHBOURS = 2_000, 200, 64


@dataclass(frozen=True, slots=True)
class Label:
    """A text and the centre of its box, in diagonals of the axes (or of the drawing)."""

    text: str
    x: float
    y: float

    def distance(self, other: Label) -> float:
        """Return how far apart the two stand."""
        return math.hypot(self.x - other.x, self.y - other.y)


def labels(elements: Sequence[Element], frames: Mapping[int, Element]) -> list[Label]:
    """Return the texts of a Matplotlib figure, the first TEXTS.

    Args:
        elements: the figure's records.
        frames: the "axes" records, by number, of the figure whose axes places are measured in. Data coordinates are
            laid into those axes, so that a figure of another size or with other limits compares.
    """
    found: list[Label] = []
    for e in elements:
        if len(found) == TEXTS:
            break
        if e["kind"] == "text" and None not in (e["x"], e["y"]):
            frame = frames.get(e["axes"])
            if frame is None:
                found.append(Label(e["text"], e["x"] + 10 * e["axes"], e["y"]))
                continue
            (x0, x1), (y0, y1), (width, height) = frame["xlim"], frame["ylim"], frame["box"]
            diagonal = math.hypot(width, height)
            x = (e["x"] - x0) / (x1 - x0) * width / diagonal
            y = (e["y"] - y0) / (y1 - y0) * height / diagonal
            found.append(Label(e["text"], x, y))
    return found


def frames(elements: Sequence[Element]) -> dict[int, Element]:
    """Return the "axes" records of a figure by their number."""
    return {e["axes"]: e for e in elements if e["kind"] == "axes"}


def added(original: Sequence[Label], edited: Sequence[Label]) -> tuple[list[Label], set[int]]:
    """Return the texts of `edited` beyond the original's, and the positions of the original's that are still there."""
    by_text: dict[str, list[int]] = {}
    for number, label in enumerate(edited):
        by_text.setdefault(normal(label.text), []).append(number)
    kept, again = set(), set()
    for number, label in enumerate(original):
        same_words = by_text.get(normal(label.text))
        if same_words:
            nearest = min(same_words[:NEIGHBOURS], key=lambda n: label.distance(edited[n]))
            same_words.remove(nearest)
            again.add(nearest)
            kept.add(number)
    return [label for number, label in enumerate(edited) if number not in again], kept


def compare(wanted: Sequence[Label], given: Sequence[Label]) -> tuple[Counts, Counts]:
    """Assign given texts to wanted ones, as many of the same value as can be, in place where possible.

    Returns:
        counts of texts with the right value, and of those with the right value that also stand in the right place.
    """
    sizes = len(wanted), len(given)
    wanted, given = wanted[:LIMIT], given[:LIMIT]
    if not all(sizes):
        return Counts(0, *sizes), Counts(0, *sizes)
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    worth = np.zeros((len(wanted), len(given)))
    for i, want in enumerate(wanted):
        for j, have in enumerate(given):
            if same(have.text, want.text):
                away = want.distance(have)
                # A value outweighs any number of places, a place any gain in nearness
                worth[i, j] = 1000 + (1 if away <= NEAR else 0) + 1e-3 / (1 + away)
    pairs = list(zip(*linear_sum_assignment(-worth), strict=True))
    values = sum(bool(worth[i, j] >= 1000) for i, j in pairs)
    places = sum(bool(worth[i, j] >= 1001) for i, j in pairs)
    return Counts(values, *sizes), Counts(places, *sizes)
