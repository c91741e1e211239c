"""What a judge of the least sure responses saves and gives (`mmmath judge --unsure`), beside one of all.

Run: python perf/judge_unsure.py [--shared ../shared]

GPT-4's published extractions stand for the judge of the nine published MathVista runs, on the responses that upstream's
code sends to its model. A verdict moves where the judge's is not the rules'. For each share that is sent:
- moved: of the official verdicts that judging all moves, those moved too;
- in it: the same where the answer that GPT-4 wrote down stands in the response, so that it is read, not guessed;
- as judge: how often the mixed official verdict is the one that GPT-4's extraction earned.
Then the responses whose answer readers wrote down: how often the verified verdict is theirs by the rules, by GPT-4 and
mixed, how many of the rules' errors GPT-4 mends, and with a judge who reads as the readers do, on every labelled row,
the share of the rules' errors that are mended.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answers_labels import Labelled, labelled
from answers_mathvista import is_plain

from mmmath_tasks.hub_datasets.mathvista import problem as problem_of
from mmmath_tasks.hub_datasets.mathvista import read
from mmmath_tasks.metrics.mathvista import score
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction
from mmmath_tasks.problem import Verdict

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


class Row(NamedTuple):
    """A published response by rules and by GPT-4's extraction, and whether that stands in the response."""

    ruled: Verdict
    judged: Verdict
    stands: bool


def published(shared: Path) -> tuple[list[Row], dict[tuple[str, str], str]]:
    """Return the rows that upstream sends to its model, and GPT-4's extraction by problem and response."""
    problems = {p.id: p for p in map(problem_of, read(shared / "data" / "mathvista", "testmini"))}
    rows, extractions = [], {}
    with gzip.open(shared / "oracle" / "mathvista_extract_bench.jsonl.gz", "rt") as file:
        for row in map(json.loads, file):
            if row["kind"] != "text" or row["gpt4_extraction"] is None:
                continue
            problem, response, said = problems[row["pid"]], row["response"] or "", str(row["gpt4_extraction"])
            extractions[row["pid"], response] = said
            if quick_extraction(response, problem) is None:
                judged = score(problem, response, extraction=said)
                rows.append(Row(score(problem, response), judged, is_plain(row)))
    return rows, extractions


def least_sure(rows: Sequence[Any], share: float, verdict: Callable[[Any], Verdict]) -> set[int]:
    """Return the places of the least sure share, as mmmath_tasks.judge.mixing takes it."""
    order = sorted(range(len(rows)), key=lambda i: (verdict(rows[i]).confidence, verdict(rows[i]).id))
    return set(order[: math.ceil(share * len(rows))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    shared = parser.parse_args().shared
    rows, extractions = published(shared)
    moved = {i for i, row in enumerate(rows) if row.ruled.official != row.judged.official}
    stands = {i for i in moved if rows[i].stands}
    print(f"{len(rows)} published responses that upstream sends to its model; {len(moved)} official verdicts moved by")
    print(f"judging all, {len(stands)} of them where the answer stands in the response")
    print(f"{'sent':>7}{'moved':>9}{'in it':>9}{'as judge':>10}{'acc':>8}")
    for share in SHARES:
        sent = least_sure(rows, share, lambda row: row.ruled)
        acc = sum(bool((row.judged if i in sent else row.ruled).official) for i, row in enumerate(rows)) / len(rows)
        parts = len(moved & sent) / len(moved), len(stands & sent) / len(stands), 1 - len(moved - sent) / len(rows)
        print(f"{share:>7.0%}{parts[0]:>9.1%}{parts[1]:>9.1%}{parts[2]:>10.2%}{100 * acc:>8.2f}")
    known = list(labelled(shared))
    read_by_gpt: list[tuple[Labelled, Verdict]] = []
    for row in known:
        said = extractions.get((row.problem.id, row.response))
        if row.group == "mathvista, published" and said is not None:
            read_by_gpt.append((row, score(row.problem, row.response, extraction=said)))
    wrong = {i for i, (row, _) in enumerate(read_by_gpt) if row.verdict.verified != row.right}
    mended = {i for i in wrong if read_by_gpt[i][1].verified == read_by_gpt[i][0].right}
    errors = {i for i, row in enumerate(known) if row.verdict.verified != row.right}
    print(f"\n{len(read_by_gpt)} labelled published responses: {len(wrong)} rules' errors, GPT-4 mends {len(mended)}")
    print(f"{len(known)} labelled responses, published and written: {len(errors)} rules' errors")
    print(f"{'sent':>7}{'right':>9}{'mended':>9}   mended of all labelled, by a judge who reads as the readers")
    for share in (0.0, *SHARES):
        sent = least_sure(read_by_gpt, share, lambda pair: pair[0].verdict)
        right = sum((v if i in sent else row.verdict).verified == row.right for i, (row, v) in enumerate(read_by_gpt))
        all_sent = least_sure(known, share, lambda row: row.verdict)
        print(
            f"{share:>7.0%}{right / len(read_by_gpt):>9.2%}{len(mended & sent):>6} of {len(mended)}"
            f"{len(errors & all_sent) / len(errors):>9.1%}"
        )


if __name__ == "__main__":
    main()
