"""How hard MathOPEval's types are for simple solvers.

    python perf/mathopeval_difficulty.py [SAMPLES [EDITION [SEED]]]

Three solvers answer every multiple-choice question of that many samples a type (default 40):

text      sees the question and the options: of all blind rules the mean.
best rule the blind rule that is best on the type, in hindsight.
eye       sees the figure, misread by one shift of 4 % of its extent, and picks the option that lies nearest. Elements
          that are there or not it never misses; of geometry's sizes it knows what it measures.

Prints the share right by type, the unweighted mean over the four tasks, as the paper's Table 2 has it. The paper's
order, hardest first: functions, geometry, lines, then bars and pies (section 4.2).
"""

from __future__ import annotations

import io
import math
import random
import re
import sys
from collections import defaultdict
from contextlib import redirect_stdout
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import blind
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import questions, sample
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import TASKS, TYPES, Deck, Sample

MISREAD = 0.04
SIDE = 6.0  # of a geometric figure, in centimetres


def seen(figure: Sample, deck: Deck, option: str) -> list[tuple[float, float]] | None:
    """Return what an option says as (value, extent of what it is read off); None: elements there or not."""
    if figure.type == "function":
        return _curve(figure, deck, option)
    numbers = [float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", option)]
    if figure.type == "geometry":
        if deck.task == "mce_annotation":
            return _measured(figure, deck, option)
        return None if deck.task == "mce_deletion" else [(n, SIDE) for n in numbers]
    if deck.task == "mce_deletion":
        return None
    top = re.search(r"lim\(0, ([\d.]+)\)", figure.states["original"].code)
    return [(n, float(top[1]) if top else 100.0) for n in numbers]


def _curve(figure: Sample, deck: Deck, option: str) -> list[tuple[float, float]]:
    limit = float(re.search(r"ylim\(-\d+, (\d+)\)", figure.states["original"].code)[1])  # type: ignore[index]
    if deck.task == "mce_annotation":
        listed = re.search(r"in \[(.*)\]:", option)
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", listed[1] if listed else option)]
        return [(n, 10.0 if i % 2 == 0 else 2 * limit) for i, n in enumerate(numbers)]
    if deck.task == "mce_deletion":
        return [(float(n), 10.0) for n in re.findall(r"[<>] (-?\d+)", option)]
    import numpy as np

    names: dict[str, Any] = {"np": np}
    lines = [line for line in option.splitlines() if not line.startswith(("import", "plt"))]
    with np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        exec("\n".join(lines), names)  # noqa: S102 (the generator's own text)
    return [(float(v), 2 * limit) for v in np.clip(np.nan_to_num(names["y"][::25]), -limit, limit)]


def _measured(figure: Sample, deck: Deck, option: str) -> list[tuple[float, float]]:
    """Return by how much an option is off from what is measured in the figure; lengths in hundredths of its side."""
    code = figure.states["original"].code
    points = {k: (float(x), float(y)) for k, x, y in re.findall(r"\((\w)\) at \(([\d.]+),([\d.]+)\)", code)}
    name = (option if deck.direction == "backward" else deck.text).rstrip("?.").split()
    name = next(word.strip("?.,") for word in reversed(name) if set(word.strip("?.,")) <= set(points))
    said = re.findall(r"[\d.]+", deck.text if deck.direction == "backward" else option)[-1].rstrip(".")
    if deck.element == "line":
        return [(float(said) - math.dist(*(points[k] for k in name)), SIDE)]
    a, v, b = (points[k] for k in name)
    turn = math.degrees(math.atan2(b[1] - v[1], b[0] - v[0]) - math.atan2(a[1] - v[1], a[0] - v[0]))
    return [(float(said) - min(turn % 360, -turn % 360), 180.0)]


def by_eye(figure: Sample, deck: Deck, rng: random.Random) -> float:
    """Return 1 where the eye picks the right option."""
    found = [seen(figure, deck, option) for option in deck.options]
    if any(option is None for option in found):
        return 1.0
    right = found[deck.truth] or []
    if figure.type == "geometry" and deck.task == "mce_annotation":
        right = [(0.0, extent) for _, extent in right]
    same = [len({option[i][0] for option in found if option}) < 2 for i in range(len(right))]
    shift = rng.gauss(0, MISREAD)
    slips = [0.0 if same[i] else extent * (shift + rng.gauss(0, MISREAD / 4)) for i, (_, extent) in enumerate(right)]

    def off(option: list[tuple[float, float]]) -> float:
        pairs = zip(option, right, slips, strict=True)
        return sum(abs(value - true - slip) / extent for (value, extent), (true, _), slip in pairs)

    distances = [off(option) for option in found if option is not None]
    return float(min(range(4), key=distances.__getitem__) == deck.truth)


def main() -> None:
    """Print the table."""
    count, edition, seed = (int(v) for v in (*sys.argv[1:], *("40", "2", "0")[len(sys.argv) - 1 :]))
    print(f"{'':10}{'text':>8}{'best rule':>11}{'eye':>8}   eye by task: {', '.join(TASKS)}")
    for kind in TYPES:
        eye, rows = defaultdict(list), []
        for index in range(count):
            figure = sample(seed, kind, index, edition)
            rng = draws(seed, kind, index, "eye")
            original = figure.states["original"].code
            for deck, question in zip(figure.decks, questions(figure, seed), strict=True):
                eye[deck.task].append(by_eye(figure, deck, rng))
                rows.append({**question, "type": kind, "original_code": None if deck.task == "mcg" else original})
        rules = [sum(cells[task, kind] for task in TASKS) / 4 for cells in blind.accuracies(rows).values()]
        shares = [sum(eye[task]) / len(eye[task]) for task in TASKS]
        each = ", ".join(f"{share:.2f}" for share in shares)
        print(f"{kind:10}{sum(rules) / len(rules):8.3f}{max(rules):11.3f}{sum(shares) / 4:8.3f}   {each}")


if __name__ == "__main__":
    main()
