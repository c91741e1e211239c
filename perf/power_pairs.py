"""How often two models differ on a problem: published runs in pairs, the figures behind `mmmath power`.

Run: python perf/power_pairs.py [--shared ../shared]

Of two models with shares right p and q, chance alone lets p (1 - q) + q (1 - p) of the problems come out right for one
of them only; the ratio of what is seen to that is printed by benchmark, over all pairs of runs of models (guessing and
templates left out). mmmath_tasks/papers has the middle one and the ends of the range that holds nine in ten.

Then the table is checked: for every pair of runs, so many of their problems are drawn, with replacement, as are to show
their difference with a chance of 80 % by their own discordance, and by the middle ratio; how often the test shows it.
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy.stats import binom
from shared_rows import arguments

from mmmath_tasks.metrics.power import discordance, problems_for
from support.published import by_run

RUNS = {
    "mathvista": ("mathvista_rows.jsonl.gz", "true_false", ("random", "template")),
    "mathvision": ("mathv_rows.jsonl.gz", "correct", ("random",)),
}


DRAWS = 2000


def shown(gained: float, lost: float, count: int, random: np.random.Generator) -> float:
    """Return how often McNemar's exact test shows a difference over draws of so many problems."""
    draws = random.multinomial(count, [gained, lost, 1 - gained - lost], size=DRAWS)
    fewer, both = draws[:, :2].min(axis=1), draws[:, :2].sum(axis=1)
    return float(np.mean(2 * binom.cdf(fewer, both, 0.5) <= 0.05))


def main() -> None:
    shared = arguments(__doc__).parse_args().shared
    for name, (file, column, left_out) in RUNS.items():
        runs = {
            run: {row["id"]: row[column] is True for row in rows}
            for run, rows in by_run(shared / "oracle" / file).items()
            if not any(word in run.lower() for word in left_out)
        }
        ratios, shares, tables = [], [], []
        for first, second in itertools.combinations(runs.values(), 2):
            pairs = np.array([(first[key], second[key]) for key in first.keys() & second.keys()])
            (p, q), seen = pairs.mean(axis=0), (pairs[:, 0] != pairs[:, 1]).mean()
            ratios.append(seen / (p * (1 - q) + q * (1 - p)))
            shares.append(seen)
            tables.append((min(p, q), abs(p - q), seen))
        low, middle, high = np.quantile(ratios, [0.05, 0.5, 0.95])
        print(
            f"{name}: {len(runs)} runs, {len(ratios)} pairs: ratio {middle:.3f} [{low:.3f}, {high:.3f}]; "
            f"one only right {np.median(shares):.3f} [{min(shares):.3f}, {max(shares):.3f}]"
        )
        random, own, table = np.random.default_rng(0), [], []
        for weaker, gap, seen in tables:
            if gap >= 0.02:
                parts = (seen + gap) / 2, (seen - gap) / 2
                own.append(shown(*parts, problems_for(gap, seen) or 0, random))
                table.append(shown(*parts, problems_for(gap, discordance(weaker, gap, middle)) or 0, random))
        for text, found in (("their own discordance", own), ("the middle ratio", table)):
            print(
                f"  {len(found)} pairs 2 points apart or more, problems by {text}: shown in {np.mean(found):.1%} "
                f"[{min(found):.1%}, {max(found):.1%}]"
            )


if __name__ == "__main__":
    main()
