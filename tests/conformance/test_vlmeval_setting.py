"""A public VLMEvalKit run on MathVista: its table asks our prompts, and its judge's readings score as it says."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.sources import find_split
from support.needs import needs
from support.published import SHARED

pytestmark = [needs("report"), pytest.mark.skipif(not SHARED.is_dir(), reason=f"no real rows at {SHARED}")]

RUN = "Qwen2.5-VL-7B-Instruct_MathVista_MINI_gpt-4o-mini.xlsx"


@pytest.fixture(scope="module")
def table():
    """Its 1,000 rows as (problem, row), a cell's carriage return as it was before Excel's spelling of it."""
    from openpyxl import load_workbook

    known = mm.benchmark("mathvista")
    source = find_split(known, "testmini", data_dir=str(SHARED / "data"))
    problems = {p.id: p for p in map(known.problem, source.texts)}
    head, *rows = load_workbook(SHARED / "real" / "vlmevalkit" / RUN).active.iter_rows(values_only=True)
    named = [dict(zip(head, row, strict=True)) for row in rows]
    return [(problems[str(row["index"])], row) for row in named]


def test_its_table_asks_our_prompts(table):
    known = mm.benchmark("mathvista")
    assert len(table) == 1000
    asked = [(known.prompt(problem, "vlmeval"), row["question"].replace("_x000D_", "\r")) for problem, row in table]
    assert [(ours, theirs) for ours, theirs in asked if ours != theirs] == []


def test_its_judge_s_readings_score_as_it_says(table):
    rule = mm.benchmark("mathvista").metrics.vlmeval_rule
    assert sum(rule(problem, str(row["res"]), judged=True) for problem, row in table) == 679


def test_what_the_rules_settle_its_rules_settled(table):
    rule = mm.benchmark("mathvista").metrics.vlmeval_rule
    settled = {p.id: rule(p, row["prediction"]) for p, row in table}
    logged = {p.id: row for p, row in table if row["log"] == "Prefetch succeed"}
    ours = {name: said for name, said in settled.items() if said is not None}
    assert ours.keys() <= logged.keys()
    assert ours == {p.id: rule(p, str(row["res"]), judged=True) for p, row in table if p.id in ours}
    # the run names no version; it is not ms-vlmeval 0.0.20, whose rules do not settle the 60 others
    assert (len(ours), len(logged)) == (393, 453)
