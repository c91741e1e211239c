"""The verified verdict on responses made from the golds: all of them are right, or wrong where another value is said.

Every gold of MATH-Vision, MathVerse and MathVista in ten ordinary dresses, and the synthetic responses to MATH-Vision
in ../shared/oracle, with their speed.

Run: python perf/answers_identity.py [--shared ../shared] [--show 3]
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

from answers_sweep import problems, right_option

import mmmath_tasks as mm
from mmmath_tasks.problem import Problem

DRESSES = (
    "{}", "{}.", "The answer is {}.", "**Answer:** {}", "Therefore, the answer is {}.", "<answer>{}</answer>",
    "Final answer: {}", "### Final Answer\n\n{}", "<think>Perhaps 987?</think>\n\nThe answer is {}.",
    "The final answer is: **{}**",
)  # fmt: skip


def dressed(problem: Problem) -> Iterator[str]:
    """Yield the responses that say a problem's gold: an option's text, its letter where it has none, or a value.

    There are none for an option of MathVista that is one character: that may be the letter of another.
    """
    said = (problem.answer or "").strip()
    right = right_option(problem) if problem.choices else None
    if problem.choices:
        text = "" if right is None else problem.choices[right].strip()
        if len(text) > 1:
            said = text
        elif right is None or problem.benchmark == "mathvista":
            return
    if any(sign in said for sign in "\\^_{") and "$" not in said:
        said = f"${said}$"
    yield from (dress.format(said) for dress in DRESSES if said)


def trials(shared: Path) -> Iterator[tuple[str, Problem, str, bool]]:
    """Yield every response with the name of its kind, its problem, and whether it is right."""
    known = {}
    for problem in problems(shared):
        if problem.benchmark == "mathvision":
            known[problem.id] = problem
        if problem.benchmark != "wemath":
            yield from ((f"{problem.benchmark}, gold in a dress", problem, said, True) for said in dressed(problem))
    with gzip.open(shared / "oracle/mathv_identity.jsonl.gz", "rt") as file:
        for case in map(json.loads, file):
            yield case["template"], known[case["id"]], case["response"], case["expect"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--show", type=int, default=0, help="print so many failures of each kind")
    args = parser.parse_args()
    right: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    spent = 0.0
    for kind, problem, response, expected in trials(args.shared):
        started = time.process_time()
        verdict = mm.benchmark(problem.benchmark).score(problem, response)
        spent += time.process_time() - started
        total[kind] += 1
        right[kind] += verdict.verified == expected
        if verdict.verified != expected and total[kind] - right[kind] <= args.show:
            print(kind, problem.id, repr(response), "gold", problem.answer, problem.choices, verdict)
    for kind in total:
        if right[kind] < total[kind] or "dress" in kind:
            print(f"{kind:32} {right[kind]:6} of {total[kind]:6}")
    print(f"all {right.total()} of {total.total()} = {right.total() / total.total():.4%}")
    print(f"{1e3 * spent / total.total():.3f} ms a row")


if __name__ == "__main__":
    main()
