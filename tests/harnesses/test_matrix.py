"""The conformance matrix in lm-eval, evaluate and rescore; tests/other_harnesses holds the other two to it."""

import json

import pytest

from mmmath_tasks.commands.path import folder as files_of
from mmmath_tasks.outputs.run import score_file
from support.answered import verdicts
from support.matrix import COUNT, TASKS, asked, lay_out
from support.published import SHARED

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no real rows at {SHARED}; set MMMATH_SHARED")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return lay_out(SHARED, tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize("name", TASKS)
def test_one_truth(run, data, tmp_path, name):
    _, problems, prompts, answered = asked(name, data)
    wanted = [v.to_dict() for v in verdicts(TASKS[name], problems, answered)]
    assert len(wanted) == COUNT
    file = tmp_path / "responses.jsonl"
    file.write_text("".join(json.dumps({"id": p.id, "response": answered[p.id]}) + "\n" for p in problems))

    metadata = {"data_dir": str(data)}
    results = run("mmmath-replay", name, model_args=f"responses={file}", metadata=metadata, log_samples=True)
    logged = results["samples"][name]
    assert [sample["extracted"] for sample in logged] == wanted
    assert {sample["arguments"][0][0].removeprefix("<image>") for sample in logged} == set(prompts)

    assert [v.to_dict() for v in score_file(file, name=TASKS[name], problems=problems).verdicts] == wanted

    import evaluate  # takes seconds

    metric = evaluate.load(str(files_of("evaluate") / TASKS[name]), cache_dir=str(tmp_path))
    texts = [answered[p.id] for p in problems]
    assert metric.compute(predictions=texts, references=[p.to_json() for p in problems])["verdicts"] == wanted
