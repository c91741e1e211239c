"""Whole runs of lm_eval over the real rows and pictures, with a tiny model and with responses replayed."""

import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_results import scorecards
from support.needs import skip_without


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def run(model, task, shared, **options):
    import lm_eval
    from lm_eval.tasks import TaskManager

    from mmmath_tasks.harnesses.lm_eval_plugin import register, tasks_folder

    register()
    metadata = {"data_dir": str(shared / "data")}
    manager = TaskManager(include_defaults=False, include_path=str(tasks_folder()), metadata=metadata)
    return lm_eval.simple_evaluate(model=model, tasks=[task], task_manager=manager, bootstrap_iters=0, **options)


@pytest.mark.parametrize("task", ["mathvision_testmini", "wemath_testmini"])
def test_a_tiny_model_sees_real_pictures(shared, tmp_path, task):
    skip_without("hf")
    from support import tiny_vlm

    model = tiny_vlm.build(tmp_path / "tiny")
    options = {"model_args": f"pretrained={model}", "device": "cpu", "apply_chat_template": True}
    results = run("hf-multimodal", task, shared, limit=4, gen_kwargs="max_gen_toks=2", **options)
    assert results["n-samples"][task]["effective"] == 4
    assert all(logged["arguments"][0][0].count("<image>") == 1 for logged in results["samples"][task])


@pytest.mark.parametrize(
    ("name", "limit", "metric"), [("mathvision", 304, "acc"), ("wemath", 192, "score_strict"), ("mathverse", 788, None)]
)
def test_golds_replayed(shared, tmp_path, name, limit, metric):
    """All of MATH-Vision's testmini; We-Math up to the first missing picture; Text Only."""
    rows = mm.benchmark(name)
    split = {"mathverse": "testmini_text_only"}.get(name, "testmini")
    problems = [rows.problem(row) for row in rows.rows.read(shared / "data" / name, split)]
    template = {"mathvision": "\\boxed{{{}}}", "wemath": "<Answer>: <<{}>>"}.get(name, "The answer is {}.")
    file = tmp_path / "responses.json"
    file.write_text(json.dumps({problem.id: template.format(problem.answer) for problem in problems}))
    task = "mathverse_testmini_text_only" if name == "mathverse" else f"{name}_testmini"
    results = run("mmmath-replay", task, shared, limit=limit, model_args=f"responses={file}")
    assert results["n-samples"][task]["effective"] == limit
    card = scorecards(results)[task]
    assert card.value(metric or card.headline) > 0.98
    if name == "wemath":
        assert card.counts["problems_complete"] == 58
