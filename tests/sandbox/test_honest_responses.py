"""Responses as models write them score 1, whatever the code does beside its figure; with one wrong value, less."""

import json
from pathlib import Path

import pytest

from mmmath_tasks.metrics.code_blocks import code
from mmmath_tasks.sandbox import Attempt, environment, execution_scores
from support.needs import needs

pytestmark = [pytest.mark.medium, needs("sandbox", "bwrap", "tex")]

FILE = Path(__file__).with_name("honest_responses.jsonl")
RESPONSES = [json.loads(line) for line in FILE.read_bytes().decode().split("\n") if line]
if environment.differences():
    RESPONSES = [row for row in RESPONSES if "import seaborn" not in row["response"]]


def scores(cases, which):
    codes = [code(row[which]) for row in cases]
    assert [row["id"] for row, found in zip(cases, codes, strict=True) if found is None] == []
    attempts = [Attempt(row["type"], "mcg", row["reference"], found) for row, found in zip(cases, codes, strict=True)]
    return {row["id"]: s for row, s in zip(cases, execution_scores(attempts), strict=True)}


@pytest.mark.parametrize("part", [pytest.param(slice(None), marks=pytest.mark.slow, id="all"), slice(0, None, 12)])
def test_honest_responses_score_1(part):
    assert {name: s for name, s in scores(RESPONSES[part], "response").items() if s.score != 1} == {}


@pytest.mark.parametrize("part", [pytest.param(slice(None), marks=pytest.mark.slow, id="all"), slice(6, None, 24)])
def test_a_wrong_value_costs(part):
    found = scores(RESPONSES[part], "wrong")
    assert {name: s for name, s in found.items() if not 0 <= s.score < 1 or s.cause} == {}
