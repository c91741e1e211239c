"""Our tasks in inspect_ai's own command line."""

import json
import math
import subprocess
import sys

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.task_files import content_of, task, tasks
from mmmath_tasks.outputs.run import score_file
from support import mathvista_folder, upstream_folders
from support.answered import replay
from support.inspect_run import evaluated, inspect, numbers, saying
from support.matrix import asked
from support.needs import needs
from support.scripted_server import serving

pytestmark = [needs("inspect"), pytest.mark.medium]

SAMPLES = ["mathvista_sample", "mathvision_sample", "mathverse_sample", "wemath_sample", "mathopeval_sample"]


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """The logs of all sample tasks, asked in one command, with what was sent."""
    folder = tmp_path_factory.mktemp("samples")
    prompts = {prompt: said for name in SAMPLES for prompt, said in asked(name)[2].items()}
    with serving(prompts) as (url, sent):
        logs, printed = evaluated(folder, url, *SAMPLES)
    return logs, sent, set(prompts), printed


def test_every_task_of_ours_is_there_but_those_with_a_judge_a_vote_or_no_score():
    from mmmath_tasks.harnesses.inspect_ai import TASKS, names

    left_out = [name for name in tasks() if name not in TASKS]
    assert all(content_of(name).get("repeats") or name.endswith(("_describe", "_judge")) for name in left_out)
    assert {"mathvista_testmini", "mathopeval_gen_cot", "mathvista_testmini_pot_2shot"} <= {*TASKS}
    versions = ("text_dominant", "text_lite", "vision_intensive", "vision_dominant", "vision_only")
    assert names()["mathverse_testmini_cot"] == tuple(f"mathverse_testmini_{version}_cot" for version in versions)


def test_neither_loads_the_other_unasked_and_torch_stays_out():
    script = """if True:
        import sys, importlib.metadata, mmmath_tasks
        assert "inspect_ai" not in sys.modules
        import inspect_ai
        assert "mmmath_tasks.harnesses" not in sys.modules
        (ours,) = [e for e in importlib.metadata.entry_points(group="inspect_ai") if e.name == "mmmath"]
        ours.load()
        print(*{"torch", "lm_eval", "datasets", "transformers", "pandas"} & set(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.slow
def test_prompts_and_pictures_are_those_of_lm_eval(samples):
    _, sent, prompts, printed = samples
    assert {"".join(part["text"] for part in parts if part["type"] == "text") for parts in sent} == prompts
    assert all({part["type"] for part in parts[:-1]} == {"image_url"} for parts in sent)
    assert "mathvista_sample: acc is read by rules; the authors have GPT-4 read the answers" in printed


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_verdicts_are_those_of_the_python_face(samples, tmp_path, name):
    log = samples[0][name]
    known = mm.benchmark(task(name)["benchmark"])
    _, problems, _, answered = asked(name)
    wanted = {p.id: known.score(p, answered[p.id]) for p in problems}
    assert {sample["id"] for sample in log["samples"]} == wanted.keys()
    for sample in log["samples"]:
        verdict = wanted[sample["id"]]
        right = {"acc": verdict.official, "acc_verified": verdict.verified}
        for metric, score in sample["scores"].items():
            assert score["value"] == ("C" if right[metric] else "I")
            assert score.get("answer") == verdict.extracted
            assert {n: score["metadata"][n] for n in verdict.to_dict()} == verdict.to_dict()
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    assert {v.id: v for v in score_file(path).verdicts} == wanted


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_tables_are_those_of_lm_eval(samples, run, tmp_path, name):
    replayed = replay(tmp_path, asked(name)[3])
    results = run("mmmath-replay", name, model_args=replayed, bootstrap_iters=100)["results"][name]
    table = {n.partition(",")[0]: v for n, v in results.items() if isinstance(v, float) and not math.isnan(v)}
    found = {}
    for score in samples[0][name]["results"]["scores"]:
        plain = {"accuracy": score["name"], "stderr": f"{score['name']}_stderr"}
        found |= {plain.get(n, n): value for n, value in numbers(samples[0][name], score["name"]).items()}
    assert table.pop("truncated_stderr") is not None
    assert {n: found[n] for n in table} == pytest.approx(table)
    assert all(n.endswith("_stderr") or n == "read_by_rules" for n in found.keys() - table.keys())


def test_the_command_line_marks_what_was_cut(tmp_path):
    with saying("The answer is 12, but", reason="length") as url:
        logs, printed = evaluated(tmp_path, url, "mathvista_sample", options=["--limit", "2"])
    assert "max_tokens: 16384" in printed
    assert numbers(logs["mathvista_sample"], "acc")["truncated"] == 1
    (path,) = (tmp_path / "logs").glob("*.json")
    assert [v.truncated for v in score_file(path).verdicts] == [True, True]


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("mathvista_sample", {"data_dri": "x"}, "-T data_dri: unknown. Known: data_dir, "),
        ("mathvista_testmini", {"data_dir": "[no]such"}, r"mathvista_testmini: \[no]such: no such folder"),
        ("mathvista_sample", {"prompt_style": "loud"}, "unknown prompt style 'loud' for mathvista; known: "),
        ("mathvista_testmini_augmented", {}, "captions=FILE and/or ocr=FILE"),
        ("mathopeval_sample_gen", {}, "confirm with confirm_run_unsafe_code=true (-T, for a scorer -S)"),
        ("mathvista_testmini_pot_2shot", {}, "confirm with confirm_run_unsafe_code=true"),
    ],
)
def test_bad_settings_end_with_one_message(name, options, told):
    from inspect_ai._util.error import PrerequisiteError

    from mmmath_tasks.harnesses.inspect_ai import TASKS

    with pytest.raises(PrerequisiteError) as caught:
        TASKS[name](**options)
    assert told in caught.value.message


def test_a_group_is_one_task_of_the_versions_with_a_picture(tmp_path):
    from mmmath_tasks.harnesses.inspect_ai import TASKS

    made = TASKS["mathverse_testmini"](data_dir=str(upstream_folders.mathverse(tmp_path)))
    samples = list(made.dataset)
    assert len({sample.id for sample in samples}) == len(samples) == 15
    assert {sample.metadata["mmmath"]["task"] for sample in samples} == {
        f"mathverse_testmini_{version}"
        for version in ("text_dominant", "text_lite", "vision_intensive", "vision_dominant", "vision_only")
    }
    assert made.headline_metric.scorer == "acc_verified"


def test_a_limit_opens_no_other_picture(monkeypatch):
    from mmmath_tasks.harnesses.inspect_ai import TASKS
    from mmmath_tasks.pictures import Picture

    opened = []
    encoded = Picture.encoded
    monkeypatch.setattr(Picture, "encoded", lambda self: opened.append(self.where) or encoded(self))
    dataset = TASKS["mathvista_sample"]().dataset
    assert len(dataset) == 32
    assert [sample.id for sample in dataset[0:2]] == ["1", "2"]
    assert [sample.input[0].content[0].type for sample in dataset[0:2]] == ["image", "image"]
    assert len(opened) == 2


@pytest.mark.slow
def test_what_has_no_answer_is_unscored(tmp_path):
    folder = mathvista_folder.write(tmp_path / "data", "test", 3)
    rows = json.loads((folder / "test.json").read_text())
    (folder / "test.json").write_text(json.dumps({pid: {**row, "answer": ""} for pid, row in rows.items()}))
    with saying("The answer is 3.") as url:
        logs, _ = evaluated(tmp_path, url, "mathvista_test", options=["-T", f"data_dir={folder}"])
    found = logs["mathvista_test"]["results"]["scores"]
    counted = [(s["name"], s["scored_samples"], s["unscored_samples"]) for s in found]
    assert counted == [("acc", 0, 3), ("acc_verified", 0, 3)]
    scores = [sample["scores"]["acc"] for sample in logs["mathvista_test"]["samples"]]
    assert {score["reason"] for score in scores} == {"no_gold"}


@pytest.mark.slow
def test_epochs_are_samples_and_a_log_is_scored_anew(tmp_path):
    with saying("Answer: A") as url:
        logs, _ = evaluated(tmp_path, url, "wemath_sample", options=["--limit", "6", "--epochs", "2"])
    said = numbers(logs["wemath_sample"], "acc")
    assert said.keys() >= {"accuracy", "stderr", "score_strict", "s1"}  # both epochs have the same outcomes
    (path,) = (tmp_path / "logs").glob("*.json")
    card = score_file(path).card
    assert card.value("acc") == said["accuracy"]
    assert card.get("acc_maj@2").count == 6
    scoring = ["score", str(path), "--scorer", "mmmath/acc_verified", "--action", "overwrite", "--output-file"]
    inspect(tmp_path, url, *scoring, str(tmp_path / "again.json"), "--display", "plain")
    again = json.loads((tmp_path / "again.json").read_text())
    assert numbers(again, "acc_verified") == numbers(logs["wemath_sample"], "acc_verified")


@pytest.mark.slow
def test_epochs_with_other_outcomes_have_no_numbers_of_one_run(tmp_path):
    with saying("The answer is 115\u00b0.", "I do not know.") as url:
        logs, _ = evaluated(tmp_path, url, "mathvista_sample", options=["--limit", "1", "--epochs", "2"])
    assert numbers(logs["mathvista_sample"], "acc") == {"accuracy": 0.5, "stderr": 0}


@pytest.mark.slow
@needs("sandbox", "bwrap", "tex")
def test_code_runs_in_the_sandbox(tmp_path):
    docs = asked("mathopeval_sample_gen")[0][:12]
    right = {doc["prompt"]: i % 2 == 1 for i, doc in enumerate(docs)}
    prompts = {doc["prompt"]: f"```\n{doc['answer']}\n```" if right[doc["prompt"]] else "no code" for doc in docs}
    options = ["--limit", "12", "-T", "confirm_run_unsafe_code=true"]
    with serving(prompts) as (url, _):
        logs, _ = evaluated(tmp_path, url, "mathopeval_sample_gen", options=options)
    log = logs["mathopeval_sample_gen"]
    worth = {doc["id"]: right[doc["prompt"]] for doc in docs}
    assert len(set(right)) == 12
    for sample in log["samples"]:
        values = {name: score["value"] for name, score in sample["scores"].items()}
        assert values == {"execution": worth[sample["id"]], "acc_verified": "C" if worth[sample["id"]] else "I"}
    assert numbers(log, "execution")["mean"] == 0.5
    assert log["results"]["headline"]["metric"] == "execution_macro"
    (path,) = (tmp_path / "logs").glob("*.json")
    with pytest.raises(AssertionError, match="runs code that the model writes"):  # a log may be anyone's
        inspect(
            tmp_path, url, "score", str(path), "--scorer", "mmmath/execution", "--action", "overwrite", "--overwrite"
        )
