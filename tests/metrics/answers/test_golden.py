"""Hand-written responses with the verdict that a careful reader gives: one rule of reading or comparing a case.

golden/ has a file for each thing that is read or compared; "source" says the rule that a case is about, and where
the rule is one of the protocol's (answers.md), its words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mmmath_tasks.metrics.answers import Expectation
from support.readings import verdict

CASES = {
    f"{path.stem}-{number}": json.loads(line)
    for path in sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden(case: dict[str, Any]) -> None:
    expectation = Expectation(
        case["kind"], case.get("choices", ()), case.get("precision"), case.get("unit"), case.get("question", "")
    )
    assert verdict(case["response"], case["gold"], expectation) == case["verified"]


def test_a_third_of_the_cases_are_wrong_answers() -> None:
    assert sum(not c["verified"] for c in CASES.values()) * 3 >= len(CASES)
