"""The conformance matrix in VLMEvalKit and lmms-eval."""

import json

import pytest

from support.answered import verdicts
from support.matrix import COUNT, TASKS, asked, lay_out
from support.other_harnesses_run import lmms_eval, logged, vlmeval
from support.published import SHARED
from support.scripted_server import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(not SHARED.is_dir(), reason=f"no real rows at {SHARED}; set MMMATH_SHARED"),
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = lay_out(SHARED, tmp_path_factory.mktemp("data"))
    return folder, {name: asked(name, data_dir=str(folder)) for name in TASKS}


def wanted(name, case):
    _, problems, _, answered = case
    assert len(problems) == COUNT
    return [v.to_dict() for v in verdicts(TASKS[name], problems, answered)]


def answers(cases):
    return {prompt: answer for _, _, prompts, _ in cases.values() for prompt, answer in prompts.items()}


def test_vlmevalkit(cases, tmp_path):
    pytest.importorskip("vlmeval")
    folder, known = cases
    data = ["--data", *(f"mmmath_{name}" for name in TASKS), "--model", "scripted"]
    with serving(answers(known)) as (url, sent):
        vlmeval(tmp_path, *data, "--base-url", url, MMMATH_DATA=str(folder), PRED_FORMAT="tsv")
    assert {"".join(p["text"] for p in parts if p["type"] == "text") for parts in sent} == set(answers(known))
    for name, case in known.items():
        samples = next((tmp_path / "out").rglob(f"*_mmmath_{name}_samples.jsonl"))
        assert [json.loads(line)["verdict"] for line in samples.read_text().splitlines()] == wanted(name, case)


def test_lmms_eval(cases, tmp_path):
    pytest.importorskip("lmms_eval")
    folder, known = cases
    with serving(answers(known)) as (url, sent):
        lmms_eval(tmp_path, url, [f"mmmath_{name}" for name in TASKS], MMMATH_DATA=str(folder))
    assert {"".join(p["text"] for p in parts if p["type"] == "text") for parts in sent} == set(answers(known))
    for name, case in known.items():
        assert [line["extracted"] for line in logged(tmp_path, name)[0]] == wanted(name, case)
