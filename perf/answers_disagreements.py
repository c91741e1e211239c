"""Disagreements between our MathVista verdict and the one GPT-4's extraction earned, sorted by hand: a Markdown table.

The labels (answers_disagreements.jsonl) are of 150 disagreements drawn at random from all 460 of the nine runs in
free text and read one by one; a row that agrees by now is counted as mended.

Run: python perf/answers_disagreements.py [--shared ../shared] > docs/reading-disagreements.md
"""

from __future__ import annotations

import collections
import json
from pathlib import Path

from shared_rows import arguments, extracted

from mmmath_tasks.metrics.mathvista import score

HEAD = """# Where the reader and GPT-4 disagree on MathVista

Produced by `python perf/answers_disagreements.py`; agreement itself is measured by `python perf/answers_mathvista.py`.
Nine published free-text runs, 9,000 responses: our official verdict (reading by rules, the authors' normalisation and
equality) against the verdict that GPT-4's extraction earned under the same normalisation.
"""

TAIL = """
Undecidable: the response commits to nothing, or to several things, or to what is not offered; GPT-4's guess and the
nearest-choice rule decide there, and no reading is right. GPT-4 wrong: the response commits to another answer; our
reading and the verified verdict do not follow. One habit of GPT-4 is kept in the official verdict alone, since it makes
up most of what the authors' protocol scores differently: where a response goes on with questions of its own, the last
answer counts. That is why rows of that kind agree by now; without it the official verdict agrees on 0.6 points less
(column "careful" of `perf/answers_mathvista.py`)."""


def main() -> None:
    labels = [json.loads(line) for line in Path(__file__).with_suffix(".jsonl").read_text().splitlines()]
    bench = list(extracted(arguments(__doc__).parse_args().shared))
    differ = {
        (row["run"], row["pid"])
        for problem, row in bench
        if score(problem, row["response"] or "").official != bool(row["true_false"])
    }
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    mended: collections.Counter[tuple[str, str]] = collections.Counter()
    for label in labels:
        key = (label["verdict"], label["why"])
        counts[key] += 1
        mended[key] += (label["run"], label["pid"]) not in differ
    print(HEAD)
    print(
        f"{len(differ)} of {len(bench)} verdicts differ. Of all that differed when the sample was drawn, {len(labels)}"
    )
    print("were drawn at random and read by one reader, who saw both readings:\n")
    totals: collections.Counter[str] = collections.Counter()
    for (verdict, _), n in counts.items():
        totals[verdict] += n
    print("| | rows | share |\n|---|---|---|")
    for verdict, n in totals.most_common():
        print(f"| {verdict} | {n} | {n / len(labels):.0%} |")
    print("\n| verdict | why | rows | agree by now |\n|---|---|---|---|")
    for (verdict, why), n in sorted(counts.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"| {verdict} | {why} | {n} | {mended[verdict, why] or ''} |")
    print(TAIL)


if __name__ == "__main__":
    main()
