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

import ast
import math
import operator
import random
import re
import sys
from collections import defaultdict

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
    return [(y, 2 * limit) for y in heights(option, figure.states["original"].code, limit)]


def heights(option: str, original: str, limit: float) -> list[float]:
    """Return 40 heights of the curve that an option draws, cut off at the ends of the axis; 0 where there are none.

    Args:
        option: code with the function, with what y is, or both.
        original: the whole script of the curve, which says what the option leaves out.
        limit: upper end of the y axis; the lower end is -limit.
    """
    # "f = lambda x: 2*x" or "return 2*x"
    own = re.search(r"(?:f = lambda x:|return) (.*)", option) or re.search(r"(?:f = lambda x:|return) (.*)", original)
    y = re.search(r"^y = (.*)", option, re.MULTILINE)
    found = []
    for i in range(40):
        try:
            value = _value(ast.parse(y[1] if y else "f(x)", mode="eval").body, -5 + i / 4, own[1] if own else "0")
            found.append(max(min(value, limit), -limit))
        except (ZeroDivisionError, ValueError, OverflowError):
            found.append(0.0)
    return found


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_FUNCTIONS = {"sin": math.sin, "cos": math.cos, "log": math.log, "abs": abs}


def _value(node: ast.expr, x: float, f: str) -> float:
    """Return what an expression in x is, f(...) being the expression `f` of what stands in its brackets."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id="x"):
            return x
        case ast.Attribute(attr="pi"):
            return math.pi
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, x, f)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return float(_value(left, x, f) ** _value(right, x, f))
        case ast.BinOp(left=left, op=sign, right=right):
            return float(_OPERATORS[type(sign)](_value(left, x, f), _value(right, x, f)))
        case ast.Call(func=ast.Attribute(attr=name), args=[inner]):
            return float(_FUNCTIONS[name](_value(inner, x, f)))
        case ast.Call(func=ast.Name(id="f"), args=[inner]):
            return _value(ast.parse(f, mode="eval").body, _value(inner, x, f), "x")
    raise ValueError(f"no value for {ast.dump(node)}")


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
