"""The verified verdict against careful readers: published responses that they labelled, and responses written by hand.

reader_labels.jsonl: what two readers, who saw neither each other's labels nor the golds, took for the final answer of
hard published responses (those on which simpler rules disagree with one another, or that do not end in a plain box).
written_responses.jsonl: responses to the same benchmarks' problems written by hand in the manner of many models, each
with the answer that a careful reader takes from it; "set" says in which order they were written.

Run: python perf/answers_labels.py [--shared ../shared]; answers_gates.py --sets labels --show SET prints the rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shared_rows import ROOT, arguments, lines, problems

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvista
from mmmath_tasks.metrics.answers import Expectation, equal
from mmmath_tasks.problem import Problem, Verdict

LABELS = ROOT / "tests/conformance"


class Labelled(NamedTuple):
    """A response with the answer that readers took from it, and what was made of it here."""

    group: str
    problem: Problem
    response: str
    label: str
    right: bool
    verdict: Verdict


def is_right(label: str, problem: Problem) -> bool:
    """Say whether the answer that a reader wrote down is the gold."""
    if label == "none":
        return False
    if problem.choices:
        index = ord(label[0]) - ord("A")
        return problem.answer == label or (index < len(problem.choices) and problem.choices[index] == problem.answer)
    return equal(label, problem.answer or "", _wanted(problem))


def same_reading(verdict: Verdict, label: str, problem: Problem) -> bool:
    """Say whether the reading is the label: the same option or an equal answer, or no answer where there is none."""
    found = verdict.extracted
    offered = found is not None and len(found) == 1 and 0 <= ord(found.upper()) - ord("A") < len(problem.choices)
    if label == "none":
        return found is None or verdict.reason != "" or (bool(problem.choices) and not offered)
    if problem.choices or found is None:
        return found == label
    return found == label or equal(found, label, _wanted(problem))


def _wanted(problem: Problem) -> Expectation:
    return mathvista.expectation(problem) if problem.benchmark == "mathvista" else Expectation("expression")


def labelled(shared: Path) -> Iterator[Labelled]:
    """Yield every labelled response on which the readers agree."""
    known = {name: problems(shared, name) for name in ("mathvista", "mathvision")}
    published: dict[tuple[str, str, str], str] = {}
    for name, file in (("mathvista", "mathvista_extract_bench"), ("mathvision", "mathv_rows")):
        for row in lines(shared / "oracle" / f"{file}.jsonl.gz"):
            published[name, row["run"], str(row.get("pid") or row["id"])] = row["response"] or ""
    rows = [
        (f"{row['benchmark']}, published", row, published[row["benchmark"], row["run"], row["id"]], row["labels"][0])
        for row in lines(LABELS / "reader_labels.jsonl")
        if row["labels"][0] == row["labels"][1]
    ]
    rows += [
        (f"{row['benchmark']}, written, {row['set']}", row, row["response"], row["expected"])
        for row in lines(LABELS / "written_responses.jsonl")
    ]
    for group, row, response, label in rows:
        problem = known[row["benchmark"]][row["id"]]
        right = row["right"] if "right" in row else is_right(label, problem)
        verdict = mm.benchmark(row["benchmark"]).score(problem, response)
        yield Labelled(group, problem, response, label, right, verdict)


def main() -> None:
    groups: dict[str, list[Labelled]] = defaultdict(list)
    for row in labelled(arguments(__doc__).parse_args().shared):
        groups[row.group].append(row)
    print(f"{'responses':34}{'rows':>6}{'no answer':>11}{'verdict':>10}{'reading':>10}{'official':>10}")
    for group, rows in sorted(groups.items()):
        n = len(rows)
        none = sum(r.label == "none" for r in rows) / n
        verdict = sum(r.verdict.verified == r.right for r in rows) / n
        reading = sum(same_reading(r.verdict, r.label, r.problem) for r in rows) / n
        official = sum(r.verdict.official == r.right for r in rows) / n
        print(f"{group:34}{n:6}{none:11.1%}{verdict:10.1%}{reading:10.1%}{official:10.1%}")


if __name__ == "__main__":
    main()
