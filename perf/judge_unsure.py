"""What a judge of the least sure responses saves and gives (`mmmath judge --unsure`), beside one of all.

Run: python perf/judge_unsure.py [--shared ../shared]

GPT-4's published extractions stand for the judge of the nine published MathVista runs, on the responses that upstream's
code sends to its model. The first table has, by rules, with a tenth judged and with all judged:
- what is measured against the truth: the readers' verdict on the labelled responses, of those that GPT-4 extracted too
  (GPT-4 judging), and of all (judged by one who reads as the readers do);
- what is measured against GPT-4 itself: its official verdict, and the accuracy by it;
- level and gain: what a tenth gives in hundredths of what all gives, from nothing and from what the rules give.

The second, by share that is judged: of GPT-4's verdicts that are not the rules' ("moved") those that move too, the same
where the answer that GPT-4 wrote down stands in the response ("in it"); of the rules' errors on all labelled responses
those that are in it ("errors"). Its last lines, whether another order would do: for a tenth, the same three by a
regression on the confidence, the kind of question, what was read, the verdict, and whether the gold stands in the
response, fitted to GPT-4's moves and to the errors, each run or hand held out in turn, or none ("in sample").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import answers_fit
from answers_labels import labelled
from answers_mathvista import is_plain
from shared_rows import arguments, extracted

from mmmath_tasks.metrics.mathvista import score
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction
from mmmath_tasks.problem import Problem, Verdict

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


class Row(NamedTuple):
    """A response: origin, rules' verdict, right by rules, judge and truth, whether the judge's answer stands in it."""

    origin: str
    ruled: Verdict
    by_rules: bool
    by_judge: bool
    truth: bool
    stands: bool
    features: tuple[str, ...]


def features(problem: Problem, response: str, verdict: Verdict, right: bool) -> tuple[str, ...]:
    """Return what may tell whether a judge moves a verdict, as names of a regression."""
    gold, said = problem.answer or "", response.casefold()
    letter = chr(ord("a") + problem.choices.index(gold)) if gold in problem.choices else gold.casefold()
    there = gold.casefold() in said or f"({letter})" in said
    kind = f"{problem.question_type} {'read' if verdict.extracted else 'unread'} {verdict.reason}"
    return f"confidence {verdict.confidence:.2f}", kind, f"{kind} {right}", f"{problem.question_type} {right} {there}"


def published(shared: Path) -> tuple[list[Row], dict[tuple[str, str], str]]:
    """Return the rows that upstream sends to its model, and GPT-4's extraction by problem and response."""
    rows, extractions = [], {}
    for problem, row in extracted(shared):
        if row["gpt4_extraction"] is None:
            continue
        response, said = row["response"] or "", str(row["gpt4_extraction"])
        extractions[row["pid"], response] = said
        if quick_extraction(response, problem) is None:
            ruled, judged = score(problem, response), bool(score(problem, response, extraction=said).official)
            named = features(problem, response, ruled, bool(ruled.official))
            rows.append(Row(row["run"], ruled, bool(ruled.official), judged, judged, is_plain(row), named))
    return rows, extractions


def least_sure(rows: Sequence[Row], share: float) -> set[int]:
    """Return the places of the least sure share, as mmmath_tasks.judge.mixing takes it."""
    order = sorted(range(len(rows)), key=lambda i: (rows[i].ruled.confidence, rows[i].ruled.id))
    return set(order[: math.ceil(share * len(rows))])


def agreeing(rows: Sequence[Row], share: float) -> float:
    """Return how often the verdict is the truth with so many judged."""
    sent = least_sure(rows, share)
    return sum((r.by_judge if i in sent else r.by_rules) == r.truth for i, r in enumerate(rows)) / len(rows)


def fitted_order(rows: Sequence[Row], held_out: bool) -> list[int]:
    """Return the places by the chance, fitted, that the judge's verdict is another one, the likeliest first."""
    found = [answers_fit.Row(r.origin, r.features, r.by_rules == r.by_judge) for r in rows]
    weights = {
        origin: answers_fit.fitted([row for row in found if row.origin != origin or not held_out])
        for origin in {row.origin for row in found}
    }
    return sorted(range(len(rows)), key=lambda i: answers_fit.sure(weights[found[i].origin], found[i]))


def main() -> None:
    shared = arguments(__doc__).parse_args().shared
    rows, extractions = published(shared)
    known, by_gpt = [], []
    for row in labelled(shared):
        ruled = bool(row.verdict.verified)
        named = features(row.problem, row.response, row.verdict, ruled)
        known.append(Row(row.group, row.verdict, ruled, row.right, row.right, True, named))
        said = extractions.get((row.problem.id, row.response))
        if row.group == "mathvista, published" and said is not None:
            judged = bool(score(row.problem, row.response, extraction=said).verified)
            by_gpt.append(known[-1]._replace(by_judge=judged))
    right = [row._replace(truth=True) for row in rows]
    print(f"{'':58}{'rows':>6}{'rules':>8}{'a tenth':>9}{'all':>8}{'level':>8}{'gain':>8}")
    for name, some in (
        ("readers' verdict, labelled and published, judged by GPT-4", by_gpt),
        ("readers' verdict, labelled, judged as readers do", known),
        ("GPT-4's verdict, published, judged by GPT-4", rows),
        ("accuracy, published, judged by GPT-4", right),
    ):
        rules, tenth, whole = (100 * agreeing(some, share) for share in (0.0, 0.1, 1.0))
        gain = f"{100 * (tenth - rules) / (whole - rules):8.1f}" if whole > rules else f"{'-':>8}"
        print(f"{name:58}{len(some):6}{rules:8.2f}{tenth:9.2f}{whole:8.2f}{100 * tenth / whole:8.1f}{gain}")
    wrong = {i for i, r in enumerate(by_gpt) if r.by_rules != r.truth}
    tenth_of_it = least_sure(by_gpt, 0.1)
    mended = {i for i in wrong if by_gpt[i].by_judge == by_gpt[i].truth}
    spoilt = {i for i, r in enumerate(by_gpt) if i not in wrong and r.by_judge != r.truth}
    print(
        f"of the first: {len(wrong)} rules' errors, GPT-4 mends {len(mended)} ({len(mended & tenth_of_it)} in the "
        f"tenth) and spoils {len(spoilt)} ({len(spoilt & tenth_of_it)})\n"
    )
    moved = {i for i, r in enumerate(rows) if r.by_rules != r.by_judge}
    stands = {i for i in moved if rows[i].stands}
    errors = {i for i, r in enumerate(known) if r.by_rules != r.truth}
    print(
        f"{len(moved)} moved, {len(stands)} in it; {len(errors)} errors\n{'':28}{'moved':>8}{'in it':>8}{'errors':>8}"
    )
    for share in SHARES:
        sent, read = least_sure(rows, share), least_sure(known, share)
        parts = (len(moved & sent) / len(moved), len(stands & sent) / len(stands), len(errors & read) / len(errors))
        print(f"{f'{share:.0%}':28}" + "".join(f"{100 * part:8.1f}" for part in parts))
    for name, held_out in (("a tenth, fitted, held out", True), ("a tenth, fitted, in sample", False)):
        sent, read = (set(fitted_order(some, held_out)[: math.ceil(0.1 * len(some))]) for some in (rows, known))
        parts = (len(moved & sent) / len(moved), len(stands & sent) / len(stands), len(errors & read) / len(errors))
        print(f"{name:28}" + "".join(f"{100 * part:8.1f}" for part in parts))


if __name__ == "__main__":
    main()
