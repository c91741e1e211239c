"""Fit the confidence of readings on labelled responses, and measure it on origins that had no part in the fit.

The target is whether the verdict is the careful reader's. An origin is a set of rows that come from one hand or one
run; each is held out once. Printed: the expected calibration error over ten bins of equal width, and the share of all
errors among the least sure twentieth, both on held-out origins.

Run: python perf/answers_fit.py [--shared ../shared] [--write]
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from answers_labels import labelled
from answers_mathvista import is_plain
from shared_rows import ROOT, arguments, cases, extracted

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathverse, mathvision, mathvista, wemath
from mmmath_tasks.metrics.answers import read
from mmmath_tasks.problem import Problem

OUT = ROOT / "metrics/answers/confidence.json"
RIDGE = 3.0
FEWEST = 15  # a feature of fewer rows has no weight
EXPECTATIONS = {"mathvista": mathvista, "mathvision": mathvision, "mathverse": mathverse, "wemath": wemath}


class Row(NamedTuple):
    """A labelled response: where it is from, the features of its reading, whether the verdict is right."""

    origin: str
    features: tuple[str, ...]
    right: bool


def rows(shared: Path) -> Iterator[Row]:
    """Yield every labelled response but those that the rules were written for one by one."""

    def features(problem: Problem, response: str) -> tuple[str, ...]:
        return read(response, EXPECTATIONS[problem.benchmark].expectation(problem)).features

    for row in labelled(shared):
        yield Row(row.group, features(row.problem, row.response), row.verdict.verified == row.right)
    for name, problem, case in cases(shared):
        if problem.benchmark in EXPECTATIONS:
            response = case.get("response") or ""
            verdict = mm.benchmark(problem.benchmark).score(problem, response)
            yield Row(name, features(problem, response), bool(verdict.verified) == case["expected_verified"])
    for problem, case in extracted(shared):
        if is_plain(case):
            right = mathvista.score(problem, case["response"]).official == case["true_false"]
            yield Row(f"GPT-4, {case['run']}", features(problem, case["response"]), bool(right))


def fitted(found: list[Row]) -> dict[str, float]:
    """Return the weights of a logistic regression with a ridge, the intercept under ""."""
    count: dict[str, int] = defaultdict(int)
    for row in found:
        for name in row.features:
            count[name] += 1
    names = sorted(name for name, n in count.items() if n >= FEWEST)
    at = {name: i + 1 for i, name in enumerate(names)}
    x = np.zeros((len(found), len(names) + 1))
    x[:, 0] = 1
    for i, row in enumerate(found):
        x[i, [at[name] for name in row.features if name in at]] = 1
    y = np.array([row.right for row in found], dtype=float)
    penalty = np.diag([1e-6] + [RIDGE] * len(names))
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        step = np.linalg.solve((x.T * (p * (1 - p))) @ x + penalty, x.T @ (y - p) - penalty @ w)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return {"": round(float(w[0]), 3), **{name: round(float(w[i]), 3) for name, i in at.items()}}


def sure(weights: dict[str, float], row: Row) -> float:
    """Return the confidence that a table of weights gives a row."""
    return float(1 / (1 + np.exp(-weights[""] - sum(weights.get(name, 0.0) for name in row.features))))


def measures(confidences: list[float], right: list[bool]) -> tuple[float, float]:
    """Return the expected calibration error, and the share of errors among the least sure twentieth."""
    p, y = np.array(confidences), np.array(right, dtype=float)
    bins = np.minimum((p * 10).astype(int), 9)
    error = sum(abs(p[bins == b].sum() - y[bins == b].sum()) for b in range(10)) / len(p)
    least = np.argsort(p, kind="stable")[: len(p) // 20]
    return float(error), float((1 - y[least]).sum() / max(1.0, (1 - y).sum()))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--write", action="store_true", help="write the table fitted on all rows")
    args = parser.parse_args()
    found = list(rows(args.shared))
    held: dict[str, tuple[list[float], list[bool]]] = {}
    for origin in sorted({row.origin for row in found}):
        weights = fitted([row for row in found if row.origin != origin])
        own = [row for row in found if row.origin == origin]
        held[origin] = [sure(weights, row) for row in own], [row.right for row in own]
    for origin, (confidences, right) in held.items():
        error, least = measures(confidences, right)
        print(
            f"{origin:44}{len(right):6} rows {len(right) - sum(right):4} wrong"
            f"  calibration {error:.3f}  least sure {least:.0%}"
        )
    for name, chosen in (("by readers", lambda o: "GPT-4" not in o), ("all", lambda o: True)):
        p = [c for o, (cs, _) in held.items() if chosen(o) for c in cs]
        y = [r for o, (_, rs) in held.items() if chosen(o) for r in rs]
        error, least = measures(p, y)
        print(
            f"{name}, held out: {len(p)} rows, {len(y) - sum(y)} wrong, calibration error {error:.4f},"
            f" errors among the least sure 5 %: {least:.0%}"
        )
    weights = fitted(found)
    for name, weight in sorted(weights.items(), key=lambda item: item[1]):
        print(f"{weight:8.2f}  {name or 'every reading'}")
    if args.write:
        OUT.write_text(json.dumps(dict(sorted(weights.items())), indent=0, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
