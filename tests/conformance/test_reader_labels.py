"""The verified verdict against two careful readers.

reader_labels.jsonl holds what two readers, who saw neither each other's labels nor the golds, took for the final answer
of hard published responses: for MathVista those on which simpler rules disagree with one another, for MATH-Vision
those that do not end in a plain box. "none": the response commits to no answer (see metrics/answers).
"""

from pathlib import Path

import pytest
from published import lines

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvista
from mmmath_tasks.metrics.answers import Expectation, equal

LABELS = list(lines(Path(__file__).with_name("reader_labels.jsonl")))
RUNS = {"mathvista": "mathvista_extract_bench.jsonl.gz", "mathvision": "mathv_rows.jsonl.gz"}


def right(label, problem):
    """Say whether the answer that a reader wrote down is the gold."""
    if label == "none":
        return False
    if problem.choices:
        return problem.answer in (label, problem.choices[ord(label) - ord("A")])
    wanted = mathvista.expectation(problem) if problem.benchmark == "mathvista" else Expectation("expression")
    return equal(label, problem.answer, wanted)


def test_the_readers_agree_with_each_other():
    assert len(LABELS) == 180
    assert sum(first == second for first, second in (row["labels"] for row in LABELS)) == 179


@pytest.mark.parametrize(("name", "split", "least"), [("mathvista", "testmini", 0.97), ("mathvision", "test", 0.98)])
def test_the_verified_verdict_is_theirs(shared, name, split, least):
    known = mm.benchmark(name)
    problems = {p.id: p for p in map(known.problem, known.rows.read(shared / "data" / name, split))}
    published = {(row["run"], row.get("pid") or row["id"]): row for row in lines(shared / "oracle" / RUNS[name])}
    wanted, found = [], []
    for row in LABELS:
        if row["benchmark"] == name and row["labels"][0] == row["labels"][1]:
            problem = problems[row["id"]]
            wanted.append(right(row["labels"][0], problem))
            found.append(known.score(problem, published[row["run"], row["id"]]["response"]).verified)
    agree = sum(a == b for a, b in zip(wanted, found, strict=True))
    assert agree / len(wanted) >= least
    assert 0.1 < sum(wanted) / len(wanted) < 0.9  # neither "always right" nor "always wrong" would pass
