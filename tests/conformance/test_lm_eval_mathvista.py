"""Published MathVista runs through the real lm_eval: the same figures as from the Python face, near the published."""

import json

import pytest

from mmmath_tasks.harnesses.lm_eval_plugin import register, tasks_folder
from mmmath_tasks.harnesses.lm_eval_results import scorecards
from mmmath_tasks.scoring import benchmark
from support.published import lines

MATHVISTA = benchmark("mathvista")
NEAR = ["chatgpt", "gpt4_2shot_solution_use_ocr", "llavar"]
"""Runs whose score by our reader, which asks no language model, is within 2.5 points of the published one. Not all
are: perf/answers_mathvista.py lists how far each run is off, and why."""


@pytest.fixture(scope="module")
def problems(shared):
    return {
        row["pid"]: MATHVISTA.problem(row) for row in MATHVISTA.rows.read(shared / "data" / "mathvista", "testmini")
    }


@pytest.mark.parametrize("name", [*NEAR, "claude_2shot_solution"])
def test_replay_of_a_published_run(shared, problems, tmp_path, name):
    import lm_eval
    from lm_eval.tasks import TaskManager

    rows = [row for row in lines(shared / "oracle" / "mathvista_rows.jsonl.gz") if row["run"] == name]
    file = tmp_path / "responses.jsonl"
    file.write_text("".join(json.dumps({"pid": row["id"], "response": row["response"]}) + "\n" for row in rows))
    register()
    manager = TaskManager(
        include_defaults=False,
        include_path=str(tasks_folder()),
        metadata={"data_dir": str(shared / "data" / "mathvista")},
    )
    results = lm_eval.simple_evaluate(
        "mmmath-replay", f"responses={file}", ["mathvista_testmini_text"], task_manager=manager, log_samples=False
    )

    responses = {row["id"]: row["response"] for row in rows}
    verdicts = MATHVISTA.score_many([(problem, responses[pid]) for pid, problem in problems.items()])
    card = MATHVISTA.summarise(problems.values(), verdicts)
    table = results["results"]["mathvista_testmini_text"]
    assert results["n-samples"]["mathvista_testmini_text"] == {"original": 1000, "effective": 1000}
    assert table["acc,none"] == card.value("acc")
    assert table["acc_verified,none"] == card.value("acc_verified")
    for short, task in (("FQA", "figure question answering"), ("VQA", "visual question answering")):
        assert table[f"acc_{short},none"] == card.value("acc", "task", task)
    assert scorecards(results)["mathvista_testmini_text"].scores == card.scores

    if name not in NEAR:
        return
    expected = json.loads((shared / "oracle" / "mathvista_expected.json").read_text(encoding="utf-8"))
    right, count = expected["runs"][name]["published"]["average"]["average"]
    assert abs(table["acc,none"] - right / count) <= 0.025
