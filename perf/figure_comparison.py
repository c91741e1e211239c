"""Seconds of the longest comparisons: figures of as many elements as may leave the jail, against a figure of a few.

    python perf/figure_comparison.py

Every line is one comparison, crowded figure on both sides or on one, in processor seconds.
"""

import random
import time

from mmmath_tasks.metrics.mathopeval_execution import execution_score

MANY = 20_000
dice = random.Random(0)


def number(scale=10.0):
    return round(dice.uniform(-scale, scale), 3)


def bar(label, value):
    return {"kind": "bar", "axes": 0, "series": "", "label": label, "value": value, "base": 0.0, "horizontal": False}


def line(x, y):
    return {"kind": "line", "axes": 0, "series": "", "labels": None, "x": x, "y": y}


def wedge(label, fraction):
    return {"kind": "wedge", "axes": 0, "label": label, "fraction": fraction}


def text(said):
    return {"kind": "text", "axes": 0, "text": said, "x": number(), "y": number()}


def segment(a, b):
    return {"kind": "segment", "axes": 0, "dashed": False, "points": [a, b]}


def segments(count):
    return [segment((number(), number()), (number(), number())) for _ in range(count)]


def rounds(count):
    return [{"kind": "circle", "axes": 0, "x": number(), "y": number(), "radius": abs(number())} for _ in range(count)]


def arcs(count):
    ends = [[(number(), number()) for _ in range(3)] for _ in range(count)]
    return [{"kind": "arc", "axes": 0, "points": points} for points in ends]


def grid(count):
    return [segment((i * 0.1, 0.0), (i * 0.1, 30.0)) for i in range(count)] + [
        segment((0.0, i * 0.1), (30.0, i * 0.1)) for i in range(count)
    ]


def longest(count):
    return "(" * 200 + "1." * 200 + "\\frac{" * 50 + str(count) + " " * 200


x201 = [i / 20 - 5 for i in range(201)]
FIGURES = {
    "bar": {
        "names apart": [bar(f"n{i}", number()) for i in range(MANY)],
        "one name, one value": [bar("a", 3.0)] * MANY,
        "one name, many values": [bar("a", number()) for _ in range(MANY)],
        "long names": [bar(longest(i), number()) for i in range(MANY)],
        "texts apart": [bar("a", 1.0), *(text(f"t{i}") for i in range(MANY))],
        "texts alike": [bar("a", 1.0), *(text("5") for _ in range(MANY))],
        "long texts": [bar("a", 1.0), *(text(longest(i)) for i in range(MANY))],
    },
    "line": {
        "ten lines of 20,000": [line([number() for _ in range(MANY)], [number() for _ in range(MANY)])] * 10,
        "lines of 10": [line(list(range(10)), [number() for _ in range(10)]) for _ in range(MANY)],
    },
    "pie": {
        "names apart": [wedge(f"n{i}", dice.random()) for i in range(MANY)],
        "one name": [wedge("a", dice.random()) for _ in range(MANY)],
    },
    "function": {
        "1,000 short segments": [line([-5 + i / 100, -5 + i / 100 + 0.04], [number(), number()]) for i in range(1_000)],
        "20,000 across": [line([-5.0, 5.0], [float(i), i + 1.0]) for i in range(MANY)],
        "1,000 of 200 points": [line(x201, [i + x * x for x in x201]) for i in range(990)],
        "a line of 100,000 pieces": [line([None if i % 2 else i / 1e5 for i in range(200_000)], [1.0] * 200_000)],
        "a line of 60,000 pieces": [
            line([None if i % 3 else i / 1e5 - 1 for i in range(200_000)][1:], [1.0] * 199_999)
        ],
    },
    "geometry": {
        "segments": segments(5_000),
        "a grid": grid(150),
        "circles": rounds(5_000),
        "arcs": arcs(5_000),
        "dots": [{"kind": "dot", "axes": 0, "x": number(), "y": number()} for _ in range(5_000)],
        "letters": [*segments(300), *(text(chr(65 + i % 26)) for i in range(5_000))],
        "of all": segments(300) + rounds(300) + arcs(300) + [text(f"{i}") for i in range(300)],
    },
}
FEW = {
    "bar": [bar("a", 1.0), bar("b", 2.0), text("5"), text("7")],
    "line": [line([1, 2, 3], [4, 5, 6])],
    "pie": [wedge("a", 0.5), wedge("b", 0.5)],
    "function": [line(x201, [x * x for x in x201]), text("(0,0)")],
    "geometry": [*segments(6), *rounds(1), text("A"), text("B")],
}
TASKS = ("mcg", "mce_deletion", "mce_modification", "mce_annotation")


def main():
    worst = 0.0
    for kind, figures in FIGURES.items():
        for name, crowd in figures.items():
            shuffled = dice.sample(crowd, len(crowd))
            took = {}
            for task in TASKS:
                for sides in ((FEW[kind], crowd, FEW[kind][:-1]), (crowd, shuffled, crowd[: len(crowd) // 2])):
                    began = time.process_time()
                    execution_score(kind, task, *sides)
                    took[task] = max(took.get(task, 0.0), time.process_time() - began)
            worst = max(worst, *took.values())
            print(f"{kind:9} {name:26} " + " ".join(f"{seconds:6.2f}" for seconds in took.values()), flush=True)
    print(f"longest: {worst:.2f} s")


if __name__ == "__main__":
    main()
