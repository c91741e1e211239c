"""Samples of one model, and such as are of several."""

import json

import pytest

from mmmath_tasks.outputs.run import score_file
from mmmath_tasks.problem import Problem

PROBLEMS = [Problem("mathvision", "1", "How many?", answer="4", groups={"level": ("1",), "subject": ("algebra",)})]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a_1": {}, "a_2": {}, "a_seed3": {}, "a": {}}, ""),
        ({"Qwen_7B_1": {}, "InternVL_8B_1": {}}, "are of 2 files (Qwen_7B_1, InternVL_8B_1)"),
        ({"one_1": {"model": "m"}, "two_2": {"model": "m"}}, ""),
        ({"a_1": {"model": "m-7B"}, "a_2": {"model_name": "m-72B"}}, "are of 2 models (m-7B, m-72B)"),
        ({"a_1": {"run": "chatgpt"}, "a_2": {"run": "claude"}}, "are of 2 runs (chatgpt, claude)"),
        ({"a_1": {"run": "run_1"}, "a_2": {"run": 2}, "a_3": {"run": "seed 3"}}, ""),
    ],
)
def test_samples_of_several_models_are_said_to_be(tmp_path, files, said):
    paths = [tmp_path / f"{name}.jsonl" for name in files]
    for path, more in zip(paths, files.values(), strict=True):
        path.write_text(json.dumps({"id": "1", "response": "It is 4.", **more}) + "\n")
    run = score_file(*paths, name="mathvision", problems=PROBLEMS, repeats=True)
    for told in (run.lines(), run.card.notes):
        assert [said in one for one in told if "taken for one model's" in one] == ([True] if said else [])


def test_results_of_lm_eval_beside_the_samples_name_the_model(tmp_path):
    paths = []
    for model in ("org/x", "org/y"):
        folder = tmp_path / model.replace("/", "__")
        folder.mkdir()
        (folder / "results_2026-01-01T00-00-00.json").write_text(json.dumps({"model_name": model}))
        paths.append(folder / "samples_mathvision_test_2026-01-01T00-00-00.jsonl")
        paths[-1].write_text(json.dumps({"id": "1", "response": "4"}) + "\n")
    run = score_file(*paths, name="mathvision", problems=PROBLEMS)
    assert any("are of 2 models (org/x, org/y)" in line for line in run.lines())
