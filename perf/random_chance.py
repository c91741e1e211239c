"""Random choice over many seeds beside the papers' rows: We-Math's strict score and S1, MathVerse, MATH-Vision.

    python perf/random_chance.py [--shared ../shared] [--seeds 200]

A free-form question is left empty. "implied" is the mean of what the number of options implies.
"""

from __future__ import annotations

import random
import statistics

from shared_rows import arguments
from shared_rows import problems as problems_of

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathverse

ROWS = (
    ("wemath", "testmini", "s1", 16.5),
    ("wemath", "testmini", "s2", 15.0),
    ("wemath", "testmini", "s3", 21.8),
    ("wemath", "testmini", "score_strict", 1.1),
    ("wemath", "testmini", "score_loose", 6.9),
    ("wemath", "testmini", "ik", 81.7),
    ("wemath", "testmini", "ig", 1.1),
    ("mathverse", "testmini_text_only", "acc_text_only", 12.4),
    ("mathvision", "test", "acc", 5.86),
)
"""Benchmark, split, metric, percent in the paper: We-Math Tables 10 and 11, MathVerse Table 2, MATH-Vision Table 2."""


def right_letters(problem: mm.Problem) -> tuple[str, ...]:
    return mathverse.gold_letters(problem) if problem.benchmark == "mathverse" else (problem.answer or "",)


def implied(problems: list[mm.Problem], metric: str) -> float:
    """Return the mean chance in percent; nan for metrics that are not means over questions."""
    steps = {"s1": "one-step", "s2": "two-step", "s3": "three-step"}
    if metric in steps:
        problems = [p for p in problems if steps[metric] in p.groups["step"]]
    elif not metric.startswith("acc"):
        return float("nan")
    return 100 * statistics.fmean(1 / len(p.choices) if p.choices else 0 for p in problems)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    args = parser.parse_args()
    print(f"{'benchmark':<12}{'metric':<16}{'paper':>8}{'implied':>10}{'mean':>8}{'2.5 %':>8}{'97.5 %':>8}  over seeds")
    for name in dict.fromkeys(row[0] for row in ROWS):
        wanted = [row for row in ROWS if row[0] == name]
        known = mm.benchmark(name)
        problems = list(problems_of(args.shared, name).values())
        found: dict[str, list[float]] = {metric: [] for _, _, metric, _ in wanted}
        for seed in range(args.seeds):
            draw = random.Random(seed)
            letters = [chr(ord("A") + draw.randrange(len(p.choices))) if p.choices else "" for p in problems]
            right = [(letter,) == right_letters(p) for p, letter in zip(problems, letters, strict=True)]
            verdicts = [mm.Verdict(p.id, outcome, None) for p, outcome in zip(problems, right, strict=True)]
            card = known.summarise(problems, verdicts)
            for metric, values in found.items():
                values.append(100 * card.value(metric))
        for _, _, metric, paper in wanted:
            values = sorted(found[metric])
            low, high = values[round(0.025 * (args.seeds - 1))], values[round(0.975 * (args.seeds - 1))]
            mean = statistics.fmean(values)
            print(
                f"{name:<12}{metric:<16}{paper:>8}{implied(problems, metric):>10.2f}{mean:>8.2f}{low:>8.2f}{high:>8.2f}"
            )


if __name__ == "__main__":
    main()
