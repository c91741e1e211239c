"""How fast MATH-Vision's verdicts are, against upstream's own evaluation, and how long hostile responses take.

    python perf/mathvision_speed.py [--shared ../shared]

Upstream needs 567 s for the 48,640 published responses on a machine of the kind this was written on.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

import mmmath_tasks as mm  # noqa: E402
from mmmath_tasks.hub_datasets import mathvision as rows_of  # noqa: E402
from mmmath_tasks.metrics import mathvision, mathvision_official  # noqa: E402
from support.hostile import HOSTILE  # noqa: E402
from support.published import lines  # noqa: E402

UPSTREAM = 567 / 48_640


def timed(rule: Callable[[mm.Problem, str], Any], todo: list[tuple[mm.Problem, str]]) -> tuple[float, float]:
    """Return the mean and the longest time of one verdict, in seconds of CPU, so that other work does not count."""
    total = longest = 0.0
    for problem, response in todo:
        started = time.process_time()
        rule(problem, response)
        took = time.process_time() - started
        total, longest = total + took, max(longest, took)
    return total / len(todo), longest


def official(problem: mm.Problem, response: str) -> bool:
    return mathvision.is_official(problem, mathvision_official.model_answer(response))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    shared = parser.parse_args().shared
    problems = {p.id: p for p in map(rows_of.problem, rows_of.read(shared / "data" / "mathvision", "test"))}
    published = [(problems[r["id"]], r["response"]) for r in lines(shared / "oracle" / "mathv_rows.jsonl.gz")]
    free = next(p for p in problems.values() if not p.choices)
    choice = next(p for p in problems.values() if p.choices and p.choices[0] != "A")
    hostile = [(problem, text) for text in HOSTILE.values() for problem in (free, choice)]
    print(f"{'responses':<22}{'verdict':<22}{'n':>7}{'ms each':>10}{'longest ms':>12}{'times faster':>14}")
    for name, todo in (("published", published), ("hostile", hostile)):
        for verdict, rule in (("official", official), ("official and verified", mathvision.score)):
            mean, longest = timed(rule, todo)
            ratio = f"{UPSTREAM / mean:.0f}" if name == "published" else ""
            print(f"{name:<22}{verdict:<22}{len(todo):>7}{1e3 * mean:>10.3f}{1e3 * longest:>12.1f}{ratio:>14}")


if __name__ == "__main__":
    main()
