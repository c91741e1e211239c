"""The cases of public bug reports, read and compared by the shared reader alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mmmath_tasks.metrics.answers import Expectation, equal, read


def _expectation(case: dict[str, Any]) -> Expectation:
    if case["benchmark"] == "mathvista":
        kind = "choice" if case["question_type"] == "multi_choice" else case["answer_type"]
        precision = None if case["precision"] is None else int(case["precision"])
        return Expectation(kind, tuple(case["choices"] or ()), precision)
    if case["benchmark"] == "wemath":
        return Expectation("choice", tuple("ABCDEFGH"))
    if case["benchmark"] == "mathverse":
        return Expectation("text", question=case["question"])
    return Expectation("choice" if case["options"] else "expression", tuple(case["options"]))


def test_verdicts_of_public_reports(shared: Path) -> None:
    cases = [json.loads(line) for line in (shared / "vectors/verdicts.jsonl").read_text().splitlines()]
    wrong = []
    for case in cases:
        if case["benchmark"] == "mathverse" and case.get("question_type") == "multi-choice":
            continue  # its options stand in the question: metrics/mathverse.py takes them out
        expectation = _expectation(case)
        reading = read(case["response"], expectation)
        verdict = reading.text is not None and equal(reading.text, case["answer"], expectation)
        if expectation.kind == "choice":
            verdict = verdict and reading.choice is not None
        if verdict != case["verified"]:
            wrong.append((case["source"], case["response"], case["answer"], reading))
    assert not wrong
