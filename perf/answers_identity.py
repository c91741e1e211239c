"""MATH-Vision: the verified verdict on synthetic responses made from the golds, and its speed.

Run: python perf/answers_identity.py [--shared ../shared]
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import time
from pathlib import Path

import mmmath_tasks as mm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--show", type=int, default=0, help="print so many failures of each template")
    args = parser.parse_args()
    vision = mm.benchmark("mathvision")
    rows = map(json.loads, (args.shared / "data/mathvision/test.jsonl").read_text().splitlines())
    problems = {problem.id: problem for problem in map(vision.problem, rows)}
    with gzip.open(args.shared / "oracle/mathv_identity.jsonl.gz", "rt") as file:
        cases = [json.loads(line) for line in file]
    right: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    shown: collections.Counter[str] = collections.Counter()
    started = time.process_time()
    for case in cases:
        problem = problems[case["id"]]
        verdict = vision.score(problem, case["response"])
        template = case["template"]
        total[template] += 1
        right[template] += verdict.verified == case["expect"]
        if verdict.verified != case["expect"] and shown[template] < args.show:
            shown[template] += 1
            print(template, case["id"], repr(case["response"]), "gold", problem.answer, problem.choices, verdict)
    spent = time.process_time() - started
    for template in total:
        if right[template] < total[template]:
            print(f"{template:28} {right[template]:6} of {total[template]:6}")
    print(f"all {sum(right.values())} of {sum(total.values())} = {sum(right.values()) / sum(total.values()):.4%}")
    print(f"{1e3 * spent / len(cases):.3f} ms a row")


if __name__ == "__main__":
    main()
