"""Hand-written responses with the verdict that a careful reader gives: one rule of reading or comparing a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mmmath_tasks.metrics.answers import Expectation, equal, read

CASES = [json.loads(line) for line in (Path(__file__).parent / "golden.jsonl").read_text().splitlines()]


def verdict(case: dict[str, Any]) -> bool:
    expectation = Expectation(
        case["kind"], case.get("choices", ()), case.get("precision"), case.get("unit"), case.get("question", "")
    )
    reading = read(case["response"], expectation)
    if case["kind"] == "choice" and reading.choice is None:
        return False
    return reading.text is not None and equal(reading.text, case["gold"], expectation)


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{c['source'][:30]}" for i, c in enumerate(CASES)])
def test_golden(case: dict[str, Any]) -> None:
    assert verdict(case) == case["verified"]


def test_a_third_of_the_cases_are_wrong_answers() -> None:
    assert sum(not c["verified"] for c in CASES) * 3 >= len(CASES)
