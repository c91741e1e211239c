"""How often the interval of an audit of 100 holds the truth, and how wide it is, on rows whose truth is known.

Run: python perf/audit_coverage.py [--shared ../shared] [--draws 500] [--size 100] [--seed 1]

Rows: the published MathVista responses, where the truth is what GPT-4's extraction earned (a run's official and
verified verdicts), and the responses that readers labelled or that were written with an answer (the verified verdict).
"made" are 1,000 drawn ones, of which the rules misread so many, half of them among the least sure tenth, and called so
many right that are wrong ("undeserved"), the others wrong that are right: no part of the interval was chosen by them.
- these: the responses are given, the audit is drawn anew; the truth is their share right;
- whole: the responses are drawn anew too, with replacement, as many as there are; the truth is the share of all rows.
"normal" is the interval of the papers (stratified, tuned) on the same labels; "labels alone" a Wilson interval of as
many labels drawn without strata. Coverage and mean width in percent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from answers_labels import labelled
from shared_rows import arguments, extracted

from mmmath_tasks.metrics.audit import Stratum, allocation, audited, strata
from mmmath_tasks.metrics.mathvista import score
from mmmath_tasks.metrics.tally import wilson
from mmmath_tasks.problem import Verdict

Rows = list[tuple[Verdict, bool]]
_Z = 1.96


def known(shared: Path) -> dict[str, Rows]:
    """Return sets of the rules' verdicts (as `verified`) with the truth."""
    found: dict[str, Rows] = defaultdict(list)
    for problem, row in extracted(shared):
        if row["gpt4_extraction"] is None:
            continue
        response = row["response"] or ""
        ruled, judged = score(problem, response), score(problem, response, extraction=str(row["gpt4_extraction"]))
        for rule in ("official", "verified"):
            verdict = Verdict(row["pid"], None, getattr(ruled, rule), confidence=ruled.confidence)
            found[f"{row['run']}, {rule}"].append((verdict, bool(getattr(judged, rule))))
    for rule in ("official", "verified"):
        found[f"all runs, {rule}"] = [one for name, own in found.items() if name.endswith(rule) for one in own]
    for row in labelled(shared):
        group = ", ".join(row.group.split(", ")[:2])
        found[f"readers: {group}"].append((row.verdict, row.right))
        found["readers: all"].append((row.verdict, row.right))
    return found


def made(right: float, misread: float, undeserved: float, random: np.random.Generator) -> Rows:
    """Return 1,000 verdicts with the truth: shares right, misread, and of the misread called right."""
    rows, among = [], {True: misread / 0.2, False: misread / 1.8}
    for number in range(1000):
        wrong = random.random() < among[number < 100]
        truth = bool(random.random() >= undeserved if wrong else random.random() < right)
        rows.append((Verdict(str(number), None, truth != wrong, confidence=0.9 if number < 100 else 0.99), truth))
    return rows


def numbered(rows: Rows) -> tuple[list[Verdict], dict[str, bool]]:
    """Return verdicts with ids of their own, and the truth by id."""
    verdicts = [Verdict(str(i), None, v.verified, confidence=v.confidence) for i, (v, _) in enumerate(rows)]
    return verdicts, {str(i): right for i, (_, right) in enumerate(rows)}


def drawn(found: Sequence[Stratum], size: int, random: np.random.Generator) -> Iterator[str]:
    for one, count in zip(found, allocation(found, size), strict=True):
        yield from (one.ids[i] for i in random.choice(len(one.ids), count, replace=False))


def normal(found: Sequence[Stratum], labels: Mapping[str, bool]) -> tuple[float, float]:
    """Return the interval of the central limit theorem for the same estimate of these responses."""
    count = sum(len(one.ids) for one in found)
    value = variance = 0.0
    for one in found:
        read = [labels[key] for key in one.ids if key in labels]
        share = sum(read) / len(read)
        weight, rest = len(one.ids) / count, 1 - len(read) / len(one.ids)
        value += weight * share
        variance += weight**2 * rest * share * (1 - share) / max(1, len(read) - 1)
    return value - _Z * variance**0.5, value + _Z * variance**0.5


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000, help="responses drawn for `whole` (1,000)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the sets with this in their names")
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    head = ("these", "width", "normal", "width", "whole", "width", "labels alone", "width", "width ratio")
    print(
        f"{'rows':50}{'n':>6}{'right':>7}{'misread':>9}" + "".join(f"{name:>{max(8, len(name) + 2)}}" for name in head)
    )
    sets = {
        f"made: {right:.0%} right, {wrong:.1%} misread, {undeserved:.0%} undeserved": made(
            right, wrong, undeserved, random
        )
        for right in (0.3, 0.7)
        for wrong in (0.0, 0.005, 0.01, 0.02, 0.05)
        for undeserved in ((0.0, 0.5, 1.0) if wrong else (0.0,))
    }
    sets = {name: rows for name, rows in (known(args.shared) | sets).items() if args.only in name}
    for name, rows in sets.items():
        truth = sum(right for _, right in rows) / len(rows)
        misread = sum(v.verified != right for v, right in rows) / len(rows)
        verdicts, labels = numbered(rows)
        fixed = strata(verdicts, "verified")
        held = np.zeros((args.draws, 4))
        wide = np.zeros((args.draws, 4))
        for draw in range(args.draws):
            some = {key: labels[key] for key in drawn(fixed, args.size, random)}
            picked = [rows[i] for i in random.choice(len(rows), min(args.most, len(rows)))]
            others, theirs = numbered(picked)
            cells = strata(others, "verified")
            chosen = {key: theirs[key] for key in drawn(cells, args.size, random)}
            plain = random.choice(len(rows), args.size, replace=False)
            intervals = (
                audited(fixed, some).these,
                normal(fixed, some),
                audited(cells, chosen).whole,
                wilson(sum(rows[i][1] for i in plain), args.size),
            )
            held[draw] = [low <= truth <= high for low, high in intervals]
            wide[draw] = [high - low for low, high in intervals]
        cover, width = 100 * held.mean(axis=0), 100 * wide.mean(axis=0)
        cells_text = "".join(
            f"{c:>{max(8, len(h) + 2)}.1f}{w:>8.2f}" for h, c, w in zip(head[::2], cover, width, strict=False)
        )
        print(
            f"{name:50}{len(rows):>6}{100 * truth:>7.1f}{100 * misread:>9.2f}{cells_text}{width[2] / width[3]:>13.2f}"
        )


if __name__ == "__main__":
    main()
