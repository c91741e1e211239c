"""A card in a folder: what is written, what is kept, what conflicts."""

import json
import socket

import pytest
import yaml
from huggingface_hub import ModelCard, parse_eval_result_entries

from mmmath_tasks.cli import main
from mmmath_tasks.hub_datasets.publishing import retry
from mmmath_tasks.model_card.checks import findings
from mmmath_tasks.problem import Score, Scorecard
from support.whole_run import COMMIT, card, written


def put(path, out, *more):
    return main(["card", str(path), "--model", "org/model", "--out", str(out), *more])


def test_what_huggingface_hub_reads_back(tmp_path):
    assert put(written(tmp_path), tmp_path / "out") == 0
    text = (tmp_path / "out" / ".eval_results" / "mathvista.yaml").read_text()
    (entry,) = parse_eval_result_entries(yaml.safe_load(text))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("AI4Math/MathVista", "mathvista_testmini", 67.9)
    assert entry.dataset_revision == COMMIT
    assert entry.date == "2026-11-28T00:41:10"
    card = ModelCard.load(tmp_path / "out" / "README.md")
    assert card.data.model_name == "model"
    found = {result.metric_type: result.metric_value for result in card.data.eval_results}
    assert found == {"acc": 67.9, "acc_verified": 68.1, "share_empty": 0.7}
    assert {result.dataset_split for result in card.data.eval_results} == {"testmini"}
    for file in ("README.md", ".eval_results/mathvista.yaml"):
        assert findings((tmp_path / "out" / file).read_text()) == []


def test_without_the_hub_a_preview_points_to_the_folder(tmp_path, capsys, monkeypatch):
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(retry.time, "sleep", lambda seconds: None)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # not listening: connections are refused
        api = huggingface_hub.HfApi(f"http://127.0.0.1:{nobody.getsockname()[1]}")
        monkeypatch.setattr(huggingface_hub, "HfApi", lambda: api)
        path = str(written(tmp_path))
        assert main(["card", path, "--model", "org/model"]) == 2
        said = capsys.readouterr().err
        assert said.splitlines()[-1].startswith(f"mmmath: org/model: given up after {retry.Retry.tries} tries: ")
        assert said.endswith("; without the Hub, --out DIR writes into a folder\n")
        assert put(path, tmp_path / "out") == 0


def test_a_second_time_changes_nothing(tmp_path, capsys):
    path = written(tmp_path)
    assert put(path, tmp_path / "out") == 0
    before = {p: p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    capsys.readouterr()
    assert put(path, tmp_path / "out") == 0
    assert "has these results already" in capsys.readouterr().out
    assert {p: p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file()} == before


CARD = """---
license: apache-2.0
tags:
- vision
model-index:
- name: Somebody's model
  results:
  - task:
      type: text-generation
    dataset:
      name: GSM8K
      type: openai/gsm8k
    metrics:
    - type: accuracy
      value: 81.2
pipeline_tag: image-text-to-text
---

# Somebody's model

Words of the authors, --- and all.
"""


def test_what_a_card_has_is_kept(tmp_path):
    out = tmp_path / "out"
    (out / ".eval_results").mkdir(parents=True)
    (out / "README.md").write_text(CARD)
    other = "- dataset: {id: cais/hle, task_id: default}\n  value: 20.9\n"
    (out / ".eval_results" / "others.yaml").write_text(other)
    assert put(written(tmp_path), out) == 0
    assert (out / ".eval_results" / "others.yaml").read_text() == other
    text = (out / "README.md").read_text()
    assert text.endswith(CARD.partition("pipeline_tag: image-text-to-text\n")[2])
    front = yaml.safe_load(text.split("---")[1])
    assert list(front) == ["license", "tags", "model-index", "pipeline_tag"]
    assert front["model-index"][0]["name"] == "Somebody's model"
    values = [m["value"] for r in front["model-index"][0]["results"] for m in r["metrics"]]
    assert values == [81.2, 67.9, 68.1, 0.7]


def test_another_value_is_a_conflict(tmp_path, capsys):
    out = tmp_path / "out"
    assert put(written(tmp_path), out) == 0
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    capsys.readouterr()
    path = written(tmp_path, "scorecard_again.json", value=0.7)
    assert put(path, out) == 2
    said = capsys.readouterr()
    assert "AI4Math/MathVista, mathvista_testmini is 67.9 there, 70.0 here" in said.err
    assert "README.md: AI4Math/MathVista, mathvista_testmini, acc is 67.9 there, 70.0 here" in said.err
    assert "-  value: 67.9" in said.out
    assert "+  value: 70.0" in said.out
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before
    assert put(path, out, "--force", "conflict") == 0
    entries = yaml.safe_load((out / ".eval_results" / "mathvista.yaml").read_text())
    assert [entry["value"] for entry in entries] == [70.0]
    results = ModelCard.load(out / "README.md").data.eval_results
    assert [r.metric_value for r in results if r.metric_type == "acc"] == [70.0]


def test_two_tasks_of_a_data_set_stand_side_by_side(tmp_path):
    out = tmp_path / "out"
    assert put(written(tmp_path), out) == 0
    path = written(tmp_path, "scorecard_text.json", value=0.3, provenance={"task": "mathvista_testmini_text"})
    assert put(path, out) == 0
    entries = yaml.safe_load((out / ".eval_results" / "mathvista.yaml").read_text())
    assert [(e["dataset"]["task_id"], e["value"]) for e in entries] == [
        ("mathvista_testmini", 67.9),
        ("mathvista_testmini_text", 30.0),
    ]
    results = ModelCard.load(out / "README.md").data.eval_results
    assert sorted(r.metric_value for r in results if r.metric_type == "acc") == [30.0, 67.9]


@pytest.mark.parametrize("only", ["eval-results", "model-index"])
def test_one_form_alone(only, tmp_path):
    assert put(written(tmp_path), tmp_path / "out", "--only", only) == 0
    made = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert made == {{"eval-results": ".eval_results/mathvista.yaml", "model-index": "README.md"}[only]}


def test_local_data_have_no_revision(tmp_path):
    origin = {"data_revision": "local rows sha256:0123456789abcdef"}
    assert put(written(tmp_path, provenance=origin), tmp_path / "out") == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / ".eval_results" / "mathvista.yaml").read_text())
    assert entry["dataset"] == {"id": "AI4Math/MathVista", "task_id": "mathvista_testmini"}
    assert "local rows sha256:0123456789abcdef" in entry["notes"]


FROM_ELSEWHERE = {"task": None, "prompt_style": None, "prompt_hash": None, "samples": None, "harness": None}


def test_what_a_run_does_not_record_is_named_by_the_user_who_vouches_for_it(tmp_path, capsys):
    path = written(tmp_path, "scorecard_theirs.json", provenance={**FROM_ELSEWHERE, "split": "testmini"})
    out = tmp_path / "out"
    assert put(path, out) == 2
    assert "names no task; name it with --task, one of" in capsys.readouterr().err
    assert put(path, out, "--task", "mathvista_testmini") == 2
    said = capsys.readouterr().err
    assert "does not say how the model was asked" in said
    assert "name it with --prompt: default, question, solution, code, cot_2shot, pot_2shot" in said
    assert put(path, out, "--task", "mathvista_test", "--prompt", "cot_2shot") == 2
    assert "mathvista_test asks the split test, but the run is about testmini" in capsys.readouterr().err
    assert not out.exists()
    assert put(path, out, "--task", "mathvista_testmini", "--prompt", "cot_2shot") == 0
    (entry,) = yaml.safe_load((out / ".eval_results" / "mathvista.yaml").read_text())
    vouched = "task mathvista_testmini and prompt cot_2shot as stated by the publisher of this result, not recorded"
    assert vouched in entry["notes"]
    result = ModelCard.load(out / "README.md").data.eval_results[0]
    assert result.dataset_args["prompt_style"] == "cot_2shot"
    assert result.dataset_args["stated_by_publisher"] == ["task", "prompt"]


def test_what_a_run_records_needs_no_word_and_bears_no_other(tmp_path, capsys):
    path, out = written(tmp_path), tmp_path / "out"
    assert put(path, out, "--task", "mathvista_testmini_text") == 2
    assert "--task mathvista_testmini_text, but the run records the task mathvista_testmini" in capsys.readouterr().err
    assert put(path, out, "--prompt", "cot_2shot") == 2
    assert "--prompt cot_2shot, but the run records the prompt default" in capsys.readouterr().err
    assert put(path, out, "--task", "mathvista_testmini", "--prompt", "default") == 0
    assert "stated by" not in (out / ".eval_results" / "mathvista.yaml").read_text()


def test_a_prompt_is_a_few_words(tmp_path, capsys):
    path = written(tmp_path, "scorecard_theirs.json", provenance={"prompt_style": None, "prompt_hash": None})
    assert put(path, tmp_path / "out", "--prompt", "a\nb") == 2
    assert "--prompt should be a name or a few words" in capsys.readouterr().err
    assert put(path, tmp_path / "out", "--prompt", "zero-shot, the authors' own") == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / ".eval_results" / "mathvista.yaml").read_text())
    assert "prompt zero-shot, the authors' own as stated" in entry["notes"]


@pytest.mark.parametrize("recorded", [None, "mathverse_mine"])
@pytest.mark.parametrize(
    ("task", "whole"),
    [
        ("mathverse_testmini_text_only", 788),
        ("mathverse_testmini_vision_only_cot", 788),
        ("mathverse_testmini_vision_only", 788),
        ("mathverse_testmini", 3940),
    ],
)
def test_whether_a_run_is_whole_is_decided_by_its_count_whatever_its_task_is_called(
    task, whole, recorded, tmp_path, capsys
):
    def stored(total):
        counts = {"total": total, "scored": total}
        record = card(provenance={**FROM_ELSEWHERE, "task": recorded}, counts=counts).to_dict()
        path = tmp_path / f"scorecard_{total}.json"
        path.write_text(json.dumps({**record, "benchmark": "mathverse"}))
        return path

    out = tmp_path / "out"
    said = ["--task", task, "--prompt", "wo"]
    assert put(stored(40), out, *said) == 2
    assert f"40 problems, where a whole run of {task} has {whole}" in capsys.readouterr().err
    assert put(stored(whole - 1), out, *said) == 2
    assert put(stored(whole), out, *said) == 0


def test_a_group_is_whole_where_its_tasks_are(tmp_path, capsys):
    from mmmath_tasks.model_card.tasks import size

    versions = ("text_dominant", "text_lite", "vision_intensive", "vision_dominant", "vision_only", "text_only")
    tasks = [f"mathverse_testmini_{version}" for version in versions]
    assert size("mathverse", tasks) == 3940 + 788
    assert size("mathverse", tasks[:5]) == size("mathverse", ["mathverse_testmini"]) == 3940
    assert size("mathopeval", ["mathopeval_gen_cot"]) == 7_552
    assert size("mathopeval", ["mathopeval_mc_geometry_cot_2shot"]) is None
    assert size("mathopeval", ["mathopeval"]) is None


@pytest.mark.parametrize("there", [None, "2024-01-01"])
@pytest.mark.parametrize("given", [None, "2026-11-27"])
def test_a_date_is_filled_in_and_an_explicit_one_replaces(there, given, tmp_path):
    out, path = tmp_path / "out", written(tmp_path, "scorecard_undated.json")
    assert put(path, out, *(["--date", there] if there else [])) == 0
    assert put(path, out, *(["--date", given] if given else [])) == 0
    (entry,) = yaml.safe_load((out / ".eval_results" / "mathvista.yaml").read_text())
    assert entry.get("date") == (given or there)


def test_a_later_file_of_the_same_result_keeps_the_date(tmp_path):
    out = tmp_path / "out"
    assert put(written(tmp_path), out) == 0
    assert put(written(tmp_path, "scorecard_mathvista_testmini_2026-12-24T00-00-00.0.json"), out) == 0
    (entry,) = yaml.safe_load((out / ".eval_results" / "mathvista.yaml").read_text())
    assert entry["date"] == "2026-11-28T00:41:10"


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n", "\ufeff"])
def test_an_empty_card_is_filled(text, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "README.md").write_text(text, encoding="utf-8")
    assert put(written(tmp_path), out) == 0
    assert ModelCard.load(out / "README.md").data.eval_results[0].metric_value == 67.9


@pytest.mark.parametrize(
    ("changes", "arguments", "said"),
    [
        ({"provenance": {"task": None}}, [], "2026-11-28T00-41-10.123456.json: the scorecard names no task"),
        (
            {"value": float("nan")},
            [],
            "2026-11-28T00-41-10.123456.json: the scorecard's headline 'acc' is not a number",
        ),
        ({"provenance": {"task": "mathvista_mini"}}, [], "is no task of mathvista"),
        ({}, ["--task", "gsm8k"], "'gsm8k' is no task of mathvista"),
        ({}, ["--source-name", "x"], "mmmath: --source-name needs --source-url"),
        ({}, ["--date", "soon"], "date should be an ISO 8601 date"),
        ({}, ["--source-url", "ftp://x"], "source.url should be a web address"),
        ({}, ["--dataset", "noslash"], "dataset.id should be ORG/NAME"),
    ],
)
def test_bad_arguments_are_named(changes, arguments, said, tmp_path, capsys):
    assert put(written(tmp_path, **changes), tmp_path / "out", *arguments) == 2
    assert said in capsys.readouterr().err


def test_a_data_set_that_stands_nowhere_is_named_on_the_command_line(tmp_path, capsys):
    record = {
        **card(
            provenance={"task": "mathopeval_gen", "data_revision": "local"}, counts={"total": 7_552, "scored": 7_552}
        ).to_dict(),
        "benchmark": "mathopeval",
    }
    path = tmp_path / "scorecard_mathopeval.json"
    path.write_text(json.dumps(record))
    assert put(path, tmp_path / "out") == 2
    said = f"{path}: it is not known where the data set of mathopeval stands; name it with --dataset"
    assert capsys.readouterr().err == f"mmmath: {said}\n"
    assert put(path, tmp_path / "out", "--dataset", "org/mathopeval") == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / ".eval_results" / "mathopeval.yaml").read_text())
    assert entry["dataset"] == {"id": "org/mathopeval", "task_id": "mathopeval_gen"}


def test_a_judge_by_other_prompts_is_not_called_the_authors_rule(tmp_path):
    scores = [Score("acc_judged", "", "", 0.5, 3940, 0.48, 0.52), Score("acc_verified", "", "", 0.4, 3940, 0.38, 0.42)]
    counts = {"total": 3940, "scored": 3940}
    judged = {"judge": {"model": "m"}, "answers_read_by": {"judge:m": 3940}}
    origin = {"task": "mathverse_testmini_judge", "prompt_style": "wo", **judged}
    path = tmp_path / "scorecard_judged.json"
    path.write_text(Scorecard("mathverse", "acc_judged", tuple(scores), counts, origin).to_json())
    assert put(path, tmp_path / "out") == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / ".eval_results" / "mathverse.yaml").read_text())
    assert "acc_judged, not by the authors' prompts" in entry["notes"]
    assert "authors' rule" not in entry["notes"]


def test_a_run_that_is_rated_only_makes_a_card(tmp_path):
    """MathOPEval's own score is a judge's rating: where nothing was run, that is the headline."""
    import mmmath_tasks as mm

    tasks, types = ("mcg", "mce_deletion", "mce_modification", "mce_annotation"), ("geometry", "function", "bar", "pie")
    cells = [(task, kind) for task in tasks for kind in types]
    problems = [
        mm.Problem(
            "mathopeval",
            str(i),
            "Draw it.",
            answer="x",
            groups={"task": (task,), "type": (kind,), "task x type": (f"{task} x {kind}",)},
        )
        for i, (task, kind) in enumerate(cells * (7_552 // len(cells)))
    ]
    known = mm.benchmark("mathopeval")
    verdicts = [known.score(p, "```\nx\n```", rating=6.0) for p in problems]
    path = tmp_path / "scorecard_rated.json"
    path.write_text(known.summarise(problems, verdicts).to_json())
    said = ["--task", "mathopeval_gen_direct", "--prompt", "direct", "--dataset", "org/mathopeval"]
    assert put(path, tmp_path / "out", *said) == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / ".eval_results" / "mathopeval.yaml").read_text())
    assert entry["value"] == 6.0
    assert "points of ten" in entry["notes"]


def test_all_that_is_missing_is_asked_for_at_once(tmp_path, capsys):
    good, counts = written(tmp_path), {"total": 1000, "missing": 2}
    bare = written(tmp_path, "scorecard_theirs.json", provenance=FROM_ELSEWHERE, counts=counts)
    assert main(["card", str(good), str(bare), "--out", str(tmp_path / "out")]) == 2
    asked = ("--model ORG/NAME is needed", "--task, one of", "--prompt: default", "--force partial")
    for line, option in zip(capsys.readouterr().err.splitlines(), asked, strict=True):
        assert option in line
        assert str(bare) in line or option == asked[0]


@pytest.mark.parametrize(
    "words", ["A model of ours.\n", "[link](x)\n\n- a list\n", "Note: see below.\n", "<img src=x>\n"]
)
def test_a_card_without_metadata_keeps_its_words(words, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "README.md").write_text(words)
    assert findings(words, card=True) == ["has no YAML block of metadata"]
    assert main(["card", "check", str(out / "README.md")]) == 1
    assert put(written(tmp_path), out) == 0
    card = (out / "README.md").read_text()
    assert card.endswith(words)
    assert ModelCard(card).data.eval_results


@pytest.mark.parametrize("model", ["model", "a/b/c", ""])
def test_a_model_has_an_organisation(model, tmp_path, capsys):
    assert main(["card", str(written(tmp_path)), "--model", model, "--out", str(tmp_path / "out")]) == 2
    assert "--model should be ORG/NAME" in capsys.readouterr().err


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("README.md", "---\na: [\n---\n", "is not YAML"),
        ("README.md", "---\nmodel-index: [{name: a, results: []}, {name: b, results: []}]\n---\n", "names 2 models"),
        ("README.md", "---\nmodel-index: [{name: a, results: [{metrics: 3}]}]\n---\n", "README.md: "),
        ("README.md", f"---\na: {'[' * 3_000}\n---\n", "nested too deep"),
        (".eval_results/x.yaml", "- [", "is not YAML"),
        (".eval_results/x.yaml", "[" * 3_000, "nested too deep"),
        (".eval_results/x.yaml", "- date: 2024-13-01\n", "month must be in 1..12"),
        (".eval_results/x.yaml", "a: b", "should be a list"),
    ],
    ids=lambda text: text[:20],
)
def test_a_broken_card_is_left_alone(name, text, said, tmp_path, capsys):
    out = tmp_path / "out"
    (out / ".eval_results").mkdir(parents=True)
    (out / name).write_text(text)
    assert put(written(tmp_path), out) == 2
    assert said in capsys.readouterr().err
    assert (out / name).read_text() == text


READERS = [
    (
        {"rules": 993, "nobody": 7},
        ", read by rules",
        "; answers read by: rules 993, 7 needed none (the authors: GPT-4)",
    ),
    (
        {"judge:j": 990, "rules": 10},
        ", 10 of 1,000 read by rules",
        "; answers read by: judge:j 990, rules 10 (the auth",
    ),
    ({"extraction": 1000}, "", ""),
    ({"judge:j": 1000}, "", ""),
    (None, ", reader not recorded", "; answers read by: reader not recorded (the authors: GPT-4)"),
]


@pytest.mark.parametrize(("read_by", "named", "counted"), READERS)
def test_who_read_the_answers_stands_in_both_forms(tmp_path, read_by, named, counted):
    path = written(tmp_path, provenance={"answers_read_by": read_by})
    assert put(path, tmp_path / "out") == 0
    text = (tmp_path / "out" / ".eval_results" / "mathvista.yaml").read_text()
    (entry,) = parse_eval_result_entries(yaml.safe_load(text))
    assert f"; acc{named}, authors' rule, version 1{counted}" in entry.notes
    card = ModelCard.load(tmp_path / "out" / "README.md")
    names = {result.metric_type: result.metric_name for result in card.data.eval_results}
    assert names["acc"] == f"accuracy, authors' rule{named}, percent"
    assert names["acc_verified"] == "accuracy, verified rule, percent"


def test_vlmevalkit_s_prompt_stands_in_both_forms(tmp_path):
    setting = "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVista_MINI)"
    asked = {"task": "mathvista_testmini_vlmeval", "prompt_style": "vlmeval", "setting": setting}
    assert put(written(tmp_path, provenance=asked), tmp_path / "out") == 0
    text = (tmp_path / "out" / ".eval_results" / "mathvista.yaml").read_text()
    (entry,) = parse_eval_result_entries(yaml.safe_load(text))
    assert entry.task_id == "mathvista_testmini_vlmeval"
    assert f"; asked by {setting}, not as the authors ask, and not comparable with that; " in entry.notes
    first, second = ModelCard.load(tmp_path / "out" / "README.md").data.eval_results[:2]
    assert first.metric_name == "accuracy, authors' rule, read by rules, VLMEvalKit's prompt, percent"
    assert second.metric_name == "accuracy, verified rule, VLMEvalKit's prompt, percent"
    assert first.dataset_args["setting"] == setting
