"""The reader against published material: floors a little under what perf/answers_*.py measure."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import mmmath_tasks as mm


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.slow
def test_official_mathvista_verdicts_without_a_judge(shared: Path) -> None:
    vista = mm.benchmark("mathvista")
    rows = json.loads((shared / "data/mathvista/testmini.json").read_text())
    problems = {pid: vista.problem(row) for pid, row in rows.items()}
    bench = [r for r in _lines(shared / "oracle/mathvista_extract_bench.jsonl.gz") if r["kind"] == "text"]
    agree = true = ours = both = 0
    for row in bench:
        official = bool(vista.score(problems[row["pid"]], row["response"]).official)
        published = bool(row["true_false"])
        agree += official == published
        true += published
        ours += official
        both += official and published
    assert agree / len(bench) > 0.945
    assert both / ours > 0.90
    assert both / true > 0.885
