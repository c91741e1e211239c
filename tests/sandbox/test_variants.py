"""A hand-made table of rewritten, spoilt and broken figures, each with the score it must have, run in the jail.

variants.jsonl names codes of figures.jsonl or holds code of its own; `low` and `high` are the band of the score.
"""

import json
import math
from pathlib import Path

import pytest

from mmmath_tasks.sandbox import Attempt, Limits, execution_scores
from support.needs import needs

pytestmark = [pytest.mark.medium, needs("sandbox", "bwrap")]


def rows(name):
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


FIGURES = {row["name"]: row["code"] for row in rows("figures.jsonl")}
VARIANTS = rows("variants.jsonl")


def attempt(row):
    codes = (FIGURES.get(row[key], row[key]) for key in ("reference", "generated", "original"))
    return Attempt(row["type"], row["task"], *codes)


@pytest.fixture(scope="module")
def scores():
    """Score all variants at once, so that a code in many rows runs once."""
    cut = {"timeout"}
    quick = [row for row in VARIANTS if row["cause"] in cut]
    usual = [row for row in VARIANTS if row["cause"] not in cut]
    found = {}
    # Enough, on a busy machine too, for the figures beside those that do not end.
    for some, limits in ((quick, Limits(seconds=12, cpu_seconds=3)), (usual, None)):
        if some:
            done = execution_scores([attempt(row) for row in some], limits=limits)
            found |= {row["id"]: score for row, score in zip(some, done, strict=True)}
    return found


@needs("tex")
@pytest.mark.parametrize("row", VARIANTS, ids=lambda row: f"{row['type']}-{row['task']}-{row['why']}")
def test_variant_has_its_score(row, scores):
    found = scores[row["id"]]
    assert found.cause == row["cause"]
    assert not math.isnan(found.score)
    assert row["low"] - 1e-6 <= found.score <= row["high"] + 1e-6, dict(found.parts)


def test_table_is_wide():
    assert len(VARIANTS) >= 60
    assert sum(row["high"] < 1 for row in VARIANTS) >= len(VARIANTS) // 3
    assert {(row["type"], row["task"]) for row in VARIANTS} == {
        (kind, task)
        for kind in ("bar", "line", "pie", "function", "geometry")
        for task in ("mcg", "mce_deletion", "mce_modification", "mce_annotation")
    }
