"""Texts made to hang a reader: how long the slowest of them takes.

Run: python perf/answers_hostile.py
"""

from __future__ import annotations

import time

import shared_rows  # noqa: F401 - finds the tests
import test_hostile
from test_hostile import EXPECTATIONS

from mmmath_tasks.metrics.answers import equal, read

GOLDS = ["A", "5", "\\frac{1}{2}", "(1,2)", "x^2+1", "[1,2]", "(1,2]\\cup(3,4)", "x<5", "y=2x+3"]
TEXTS = test_hostile.TEXTS | {
    "dots": "." * 1_000_000,
    "stars": "*" * 500000,
    "dollar": "$" * 500000,
    "answer": "answer " * 100000,
    "think": "<think>" * 100000,
    "commas": "1," * 300000,
    "eq": "x=" * 300000,
    "caret": "2^" * 100000,
    "frac": "\\frac{" * 100000,
    "sqrt": "\\sqrt" * 100000,
    "json": '{"answer":' * 100000 + "}" * 1000,
    "not": "not " * 200000,
    "words": "one hundred " * 50000,
    "slash": "1/" * 300000,
    "A": "A " * 300000,
    "binom": "\\boxed{\\binom{10^9}{5}}",
    "longvars": "\\boxed{" + "+".join(f"x_{i % 9}^{{{i}}}" for i in range(60)) + "}",
    "sinsin": "\\boxed{" + "\\sin " * 90 + "x}",
    "pow": "\\boxed{" + "^".join(["2"] * 180) + "}",
    "unit": "5 " + "cm " * 200000,
    "per": "5 m/" * 200000,
    "no of": "none of the " * 100000,
    "fullwidth": "\uff19" * 500000,
    "comma tuple": "\\boxed{(" + ",".join(["1"] * 190) + ")}",
    "lt": "\\boxed{" + "1<" * 190 + "2}",
    "json2": '{"a":' * 50000 + '"answer": 1' + "}" * 50000,
    "[": "[" * 400000,
    "list": "[1," * 200000,
    "hyphen": "a-" * 500000,
    "quote": '"' * 500000,
    "if": "If " * 200000,
    "colon": ":" * 500000,
    "under": "_" * 500000,
    "backslash": "\\" * 500000,
    "mixed": ("(A) 12.5 cm, so x = \\frac{1}{2}. The answer is not B because " * 20000),
    "hundred thousand": "thousand " * 100000,
    "names": "ducks, " * 100000,
    "braces and arrows": '"}' * 4_000 + "\u2192 " * 4_000,
    "braces and dollars": '"}' * 4_000 + "$$" * 3_990 + "\nx",
    "bold and bangs": "**" * 4_000 + "! 1 " * 2_000 + " q.",
    "thoughts": "(D" + "</think>" * 2_000 + "</thin",
    "ticks": "6 \u2713 " * 10_000,
    "checks": "x = 5.\nCheck: 5 = 5 \u2713\n" * 5_000,
    "dashes": "5\n" + "-" * 200_000,
    "places": "it is the third picture " * 10_000,
    "circle": "\\frac{1}{2}+" * 100000,
    "and": "1 and " * 200000,
    "or": "A or " * 200000,
    "cn": "五十" * 200000,
    "vulgar": "½" * 300000,
    "sup": "2" + "²" * 300000,
}


def main() -> None:
    equal("\\pi", "3.14", EXPECTATIONS[-1])  # load mpmath
    times = []
    for name, text in TEXTS.items():
        for expectation in EXPECTATIONS:
            started = time.process_time()
            reading = read(text, expectation)
            times.append((time.process_time() - started, "read", name, expectation.kind))
            for gold in GOLDS:
                for given, other in ((reading.text or "", gold), (text, gold), (gold, text)):
                    started = time.process_time()
                    equal(given, other, expectation)
                    times.append((time.process_time() - started, "equal", name, expectation.kind))
    times.sort(reverse=True)
    print(f"{len(TEXTS)} texts, {len(times)} calls; the slowest in seconds:")
    for taken, verb, name, kind in times[:8]:
        print(f"  {taken:.3f}  {verb:5} {name} ({kind})")


if __name__ == "__main__":
    main()
