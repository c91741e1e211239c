"""The conformance matrix in lm-eval, evaluate, rescore, inspect_ai; tests/other_harnesses holds the other two to it."""

import json

import pytest

from mmmath_tasks.commands.path import folder as files_of
from mmmath_tasks.outputs.run import score_file
from support.answered import verdicts
from support.inspect_run import evaluated
from support.matrix import COUNT, TASKS, asked, lay_out
from support.needs import needs
from support.published import SHARED
from support.scripted_server import serving

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no real rows at {SHARED}; set MMMATH_SHARED")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return lay_out(SHARED, tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize("name", TASKS)
def test_one_truth(run, data, tmp_path, name):
    _, problems, prompts, answered = asked(name, data_dir=str(data))
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


@pytest.mark.slow
@needs("inspect")
def test_inspect_ai(data, tmp_path):
    cases = {name: asked(name, data_dir=str(data)) for name in TASKS}
    answers = {prompt: said for _, _, prompts, _ in cases.values() for prompt, said in prompts.items()}
    with serving(answers) as (url, sent):
        logs, _ = evaluated(tmp_path, url, *TASKS, options=["-T", f"data_dir={data}"])
    assert {"".join(p["text"] for p in parts if p["type"] == "text") for parts in sent} == set(answers)
    assert len(sent) == COUNT * len(TASKS)
    for name, (docs, problems, prompts, answered) in cases.items():
        wanted = {v.id: v.to_dict() for v in verdicts(TASKS[name], problems, answered)}
        pictures = {doc["id"]: len(doc["pictures"]) for doc in docs}
        assert len(wanted) == COUNT
        for sample in logs[name]["samples"]:
            verdict = wanted.pop(sample["id"])
            asked_for = sample["messages"][0]["content"]
            parts = asked_for if isinstance(asked_for, list) else [{"type": "text", "text": asked_for}]
            assert [part["type"] for part in parts] == ["image"] * pictures[sample["id"]] + ["text"]
            assert parts[-1]["text"] in prompts
            right = {"acc": verdict["official"], "acc_verified": verdict["verified"]}
            for metric, score in sample["scores"].items():
                ours = {field: score["metadata"][field] for field in verdict}
                whose = metric if metric in right else "acc_verified"  # Text Only has names of its own
                assert (ours, score["value"]) == (verdict, "C" if right[whose] else "I")
        assert not wanted
