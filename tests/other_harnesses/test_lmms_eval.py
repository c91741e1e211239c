"""Our tasks in the real lmms-eval, which needs an environment of its own (.ci/harnesses makes it)."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.lmms_eval import write_tasks
from mmmath_tasks.harnesses.task_files import prefixed, task, tasks
from mmmath_tasks.outputs.run import score_file
from support.answered import responses, verdicts
from support.other_harnesses_run import lmms_eval, logged
from support.scripted_server import serving

pytest.importorskip("lmms_eval", reason="lmms-eval is not installed here; .ci/harnesses tests it")

SAMPLES = [name for name in prefixed().values() if tasks()[name]["split"] == "sample"]


def docs(name):
    return list(documents(**task(name)))


def problems(name):
    return [mm.benchmark(task(name)["benchmark"]).problem(doc) for doc in docs(name)]


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    prompts = {}
    for name in SAMPLES:
        given = responses(problems(name))
        prompts |= {doc["prompt"]: given[doc["id"]] for doc in docs(name)}
    # rows may share a prompt, which then has one answer
    answered = {name: {doc["id"]: prompts[doc["prompt"]] for doc in docs(name)} for name in SAMPLES}
    folder = tmp_path_factory.mktemp("lmms")
    with serving(prompts) as (url, asked):
        said = lmms_eval(folder, url, [f"mmmath_{name}" for name in SAMPLES])
    return folder, answered, prompts, asked, said


def test_a_model_is_asked_just_what_lm_eval_asks(ran):
    _, _, prompts, asked, _ = ran
    assert {"".join(p["text"] for p in parts if p["type"] == "text") for parts in asked} == set(prompts)
    pictures = sum(len(doc["pictures"]) for name in SAMPLES for doc in docs(name))
    assert sum(p["type"] == "image_url" for parts in asked for p in parts) == pictures


@pytest.mark.parametrize("name", SAMPLES)
def test_verdicts_and_numbers_are_those_of_the_python_face(ran, name):
    folder, answered, _, _, _ = ran
    known = mm.benchmark(task(name)["benchmark"])
    wanted = verdicts(known.name, problems(name), answered[name])
    lines, numbers, samples = logged(folder, name)
    assert [line["extracted"] for line in lines] == [v.to_dict() for v in wanted]
    card = known.summarise(problems(name), wanted)
    same = {s.metric: s.value for s in card.scores if not s.group and f"{s.metric},none" in numbers}
    assert same
    assert {metric: numbers[f"{metric},none"] for metric in same} == pytest.approx(same, nan_ok=True)
    found = score_file(samples, name=known.name, problems=problems(name))
    assert list(found.verdicts) == wanted


def test_a_score_of_zero_survives(tmp_path):
    name = "mathvista_sample"
    with serving({doc["prompt"]: "I cannot say." for doc in docs(name)}) as (url, _):
        said = lmms_eval(tmp_path, url, [f"mmmath_{name}"])
    _, numbers, _ = logged(tmp_path, name)
    assert numbers["acc_verified,none"] == 0
    assert numbers["acc_VQA,none"] >= 0
    assert "acc_verified" in said


def test_the_task_files_are_those_of_lm_eval(tmp_path):
    folder = write_tasks(tmp_path)
    assert {path.stem for path in folder.glob("*.yaml")} == set(prefixed())
    assert write_tasks(tmp_path) == folder
