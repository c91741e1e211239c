"""What --judge-only-unsure saves and costs on the published MathVista runs, GPT-4's extractions standing for the judge.

    python perf/judge_unsure.py [--shared ../shared]

For each confidence: the share of responses still sent to the judge, and how often the mixed official verdict is the
published one (the judge alone: always, by construction).
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

from mmmath_tasks.hub_datasets.mathvista import problem as problem_of
from mmmath_tasks.hub_datasets.mathvista import read
from mmmath_tasks.metrics.mathvista import score
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    shared = parser.parse_args().shared
    problems = {p.id: p for p in map(problem_of, read(shared / "data" / "mathvista", "testmini"))}
    rows = []
    with gzip.open(shared / "oracle" / "mathvista_extract_bench.jsonl.gz", "rt") as file:
        for line in file:
            row = json.loads(line)
            if row["kind"] != "text" or row["gpt4_extraction"] is None:
                continue
            problem = problems[row["pid"]]
            response = row["response"] or ""
            if quick_extraction(response, problem) is not None:
                continue  # upstream does not ask its model either
            ruled = score(problem, response)
            judged = score(problem, response, extraction=str(row["gpt4_extraction"]))
            rows.append((ruled.extracted is not None, ruled.confidence, ruled.official, judged.official))
    print(f"{len(rows)} responses that upstream's code sends to its model")
    print("confidence   sent to the judge   agreement of the mixed verdict")
    for sure in (0.0, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 1.01):
        sent = [not (found and confidence >= sure) for found, confidence, _, _ in rows]
        same = sum(s or ruled == judged for s, (*_, ruled, judged) in zip(sent, rows, strict=True))
        shares = 100 * sum(sent) / len(rows), 100 * same / len(rows)
        print(f"{sure:>10.3f}   {sum(sent):>6} ({shares[0]:5.1f} %)   {shares[1]:.2f} %")


if __name__ == "__main__":
    main()
