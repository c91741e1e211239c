"""The judge as a filter of lm-eval: one run, both rows, all responses judged when they are all in."""

import importlib
import json
import re
import socket

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.run import problems_of
from support import authors_prompts


@pytest.fixture
def responses(tmp_path):
    return saved(tmp_path, "mathvista")


def saved(folder, name):
    """A replayed model: right on three problems in four, without an answer on the fourth."""
    problems, _ = problems_of(name, "sample", None)
    file = folder / f"{name}_responses.jsonl"
    said = [f"I see. The answer is {p.answer if i % 4 else 'not there'}." for i, p in enumerate(problems)]
    rows = [{"id": p.id, "response": text} for p, text in zip(problems, said, strict=True)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def evaluate(tmp_path, monkeypatch):
    import lm_eval
    from lm_eval.tasks import TaskManager

    from mmmath_tasks.harnesses.lm_eval_models import Replay

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = importlib.import_module("mmmath_tasks.yaml_tasks").__path__[0]

    def run(judge, name="mathvista"):
        manager = TaskManager(include_path=folder, include_defaults=False, metadata={"judge": judge} if judge else {})
        return lm_eval.simple_evaluate(
            model=Replay(responses=str(saved(tmp_path, name))),
            tasks=[f"{name}_sample_judge"],
            task_manager=manager,
            bootstrap_iters=0,
            log_samples=True,
        )

    return run


@pytest.mark.slow
def test_rule_and_judge_side_by_side(endpoint, evaluate, tmp_path):
    from mmmath_tasks.harnesses.lm_eval_results import scorecards

    server = endpoint("--delay", "0.05")
    settings = {"base_url": server.url, "model": "scripted", "cache": str(tmp_path / "cache.sqlite")}
    results = evaluate(settings)
    found = results["results"]["mathvista_sample_judge"]
    assert {"acc,rule", "acc,judge", "acc_verified,judge", "extracted,judge"} <= set(found)
    cards = scorecards(results)
    card = cards["mathvista_sample_judge,judge"]
    assert card.value("acc") == pytest.approx(found["acc,judge"])
    assert card.provenance["judge"]["model"] == "scripted"
    assert card.provenance["judge"]["prompts"] == ["mathvista_extraction@1"]
    assert "judge" not in cards["mathvista_sample_judge,rule"].provenance
    samples = [s for s in results["samples"]["mathvista_sample_judge"] if s["filter"] == "judge"]
    assert {s["extracted"]["rule"] for s in samples} <= {"judge:scripted", "extraction", ""}
    assert max(server.good_answers().values()) == 1
    assert found["alias"] == "mathvista_sample_judge (rule: acc, read by rules)"
    assert "judge:scripted" in card.provenance["answers_read_by"]

    calls = len(server.requests())
    assert evaluate(settings)["results"]["mathvista_sample_judge"] == pytest.approx(found, nan_ok=True)
    assert len(server.requests()) == calls


@pytest.mark.slow
def test_mathverse_is_scored_by_its_judge(endpoint, evaluate, tmp_path):
    settings = {"base_url": endpoint().url, "model": "scripted", "cache": str(tmp_path / "cache.sqlite")}
    results = evaluate(settings, "mathverse")
    found = results["results"]["mathverse_sample_judge"]
    assert found["acc_verified,rule"] > 0.5
    assert 0.5 < found["acc_judged,judge"] < 1
    assert not {"acc,judge", "acc,rule", "acc_judged,rule"} & set(found)  # acc is the authors' prompts' alone
    samples = [s for s in results["samples"]["mathverse_sample_judge"] if s["filter"] == "judge"]
    assert all(s["extracted"]["official"] is not None for s in samples)
    theirs = evaluate({**settings, "prompts": str(authors_prompts.write(tmp_path))}, "mathverse")
    found = theirs["results"]["mathverse_sample_judge"]
    assert 0.5 < found["acc,judge"] < 1
    assert "acc_judged,judge" not in found


@pytest.mark.slow
def test_a_judge_that_fails_leaves_the_run_unscored(endpoint, evaluate, tmp_path, caplog):
    server = endpoint("--faults", "1", "--only", "drop")
    settings = {"base_url": server.url, "model": "m", "cache": str(tmp_path / "c.sqlite"), "attempts": 1}
    results = evaluate(settings)["results"]["mathvista_sample_judge"]
    assert "acc,rule" in results
    assert results["acc_verified,rule"] > 0.5
    assert "acc,judge" not in results
    assert "responses stay unscored: {'judge_failed: connection" in caplog.text


@pytest.mark.slow
def test_no_judge_is_said_before_the_model_is_asked(evaluate):
    with pytest.raises(InputError, match="a judge needs a base URL and a model; for example --metadata"):
        evaluate({})
    with pytest.raises(InputError, match="unknown setting 'url'"):
        evaluate({"url": "x", "model": "m"})
    with pytest.raises(InputError, match="only MathVerse's authors have one"):
        evaluate({"base_url": "http://localhost/v1", "model": "m", "prompts": "prompts.py"})
    with pytest.raises(InputError, match=r"prompts\.py: not a Python file"):
        evaluate({"base_url": "http://localhost/v1", "model": "m", "prompts": "prompts.py"}, "mathverse")


def test_command_line(responses, endpoint, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    server = endpoint()
    command = ["judge", str(responses), "--benchmark", "mathvista", "--sample", "--model", "scripted"]
    assert main([*command, "--dry-run", "--price-in", "1", "--price-out", "2"]) == 0
    assert "calls (0 answers are cached already), about" in capsys.readouterr().out
    assert not server.requests()
    command += ["--base-url", server.url]
    assert main(command) == 0
    output = capsys.readouterr().out
    assert "0 unscored" in output
    assert output.startswith("  judged: responses in column 'response' (32 rows)\n  acc   ")
    rows = [
        json.loads(line) for line in (tmp_path / "samples_mathvista_responses_answer.jsonl").read_text().splitlines()
    ]
    assert len(rows) == len(responses.read_text().splitlines())
    assert rows[1]["judge"]["model"] == "scripted"
    assert rows[1]["judge"]["prompts"] == ["mathvista_extraction@1"]
    card = json.loads((tmp_path / "scorecard_mathvista_responses_answer.json").read_text())
    assert card["provenance"]["judge"]["tokens_in"] > 0
    asked = len(server.requests())
    assert main([*command, "--judge-only-unsure"]) == 0
    output = capsys.readouterr().out
    assert "by the judge" in output
    assert re.search(r"\n  acc, \d+ of \d+ read by rules +\d", output)
    assert len(server.requests()) == asked


@pytest.mark.parametrize("what", [(), ("--judge-only-unsure",), ("--probe", "injection"), ("--metric", "errors")])
def test_a_run_in_which_every_call_fails_says_so_by_its_status(responses, tmp_path, capsys, what):
    """The embedded sample has empty responses too: they are scored without the judge, and are no success of it."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # not listening: connections are refused
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        command = ["judge", str(responses), "--benchmark", "mathvista", "--sample", "--model", "m", "--base-url", url]
        command += ["--attempts", "1", "--cache", str(tmp_path / "c.sqlite"), "--out", str(tmp_path / "out")]
        lines = responses.read_text().splitlines()
        responses.write_text(
            "\n".join([*lines[:-2], *(json.dumps({**json.loads(x), "response": ""}) for x in lines[-2:])])
        )
        assert main([*command, *what]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.fullmatch(
        rf"mmmath: nothing was judged, nothing written: (\d+) of \1 questions to m at {url} failed: .*", said[0]
    )
    assert not list((tmp_path / "out").glob("*"))


def test_a_run_in_which_some_calls_fail_says_how_many(responses, endpoint, tmp_path, capsys):
    command = ["judge", str(responses), "--benchmark", "mathvista", "--sample", "--model", "m", "--max-calls", "3"]
    command += ["--base-url", endpoint().url, "--cache", str(tmp_path / "c.sqlite"), "--concurrency", "1"]
    assert main(command) == 0
    assert re.match(r"mmmath: \d+ of \d+ questions failed; the same command asks them again: ", capsys.readouterr().err)


def test_command_line_without_the_data_set(endpoint, tmp_path, capsys, monkeypatch):
    """The samples of an lm-eval run hold their problems; nothing else is needed."""
    monkeypatch.delenv("MMMATH_DATA", raising=False)
    doc = {"pid": "1", "question": "How many?", "choices": None, "unit": None, "precision": None, "answer": "7"}
    meta = dict.fromkeys(("category", "context", "grade", "language", "source", "task"), "x")
    doc |= {"question_type": "free_form", "answer_type": "integer", "metadata": {**meta, "skills": []}, "query": "Q"}
    rows = [{"doc_id": 0, "doc": doc, "resps": [["The answer is 7."]], "filtered_resps": ["x"], "arguments": []}]
    file = tmp_path / "samples_mathvista_testmini_2026.jsonl"
    file.write_text(json.dumps(rows[0]) + "\n")
    command = ["judge", str(file), "--base-url", endpoint().url, "--model", "m", "--cache", str(tmp_path / "c.sqlite")]
    assert main(command) == 0
    assert "1 scored (1 by the judge), 0 unscored" in capsys.readouterr().out


def test_two_judges_on_the_command_line(endpoint, tmp_path, capsys):
    server = endpoint("--full")
    file = saved(tmp_path, "mathverse")
    command = [
        "judge",
        str(file),
        "--benchmark",
        "mathverse",
        "--sample",
        "--metric",
        "cot_e",
        "--base-url",
        server.url,
    ]
    command += ["--model-steps", "reader", "--model-score", "seer", "--cache", str(tmp_path / "c.sqlite")]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "fewer than 15 words: CoT-E judges reasoning, as the prompt cot" in said
    assert {r["body"]["model"] for r in server.requests()} == {"reader", "seer"}
    card = json.loads((tmp_path / "scorecard_mathverse_responses_cot_e.json").read_text())
    judge = card["provenance"]["judge"]
    assert (judge["model"], judge["steps_model"], card["provenance"]["alpha"]) == ("seer", "reader", 0.7)
    assert main([*command[:-6], "--model-steps", "reader"]) == 2
    assert "name the judge with --base-url and --model" in capsys.readouterr().err


def test_command_line_errors_and_classes(responses, endpoint, tmp_path, capsys):
    server = endpoint()
    base = ["judge", str(responses), "--benchmark", "mathvista", "--sample", "--model", "scripted"]
    base += ["--base-url", server.url, "--cache", str(tmp_path / "c.sqlite")]
    assert main([*base, "--metric", "errors"]) == 0
    output = capsys.readouterr().out
    assert "hallucination" in output
    table = json.loads((tmp_path / "distribution_mathvista_responses_errors.json").read_text())
    assert sum(row["count"] for row in table["rows"] if row["table"] == "error_type") > 0
    assert main([*base, "--metric", "cot_e"]) == 2
    assert "mathvista has no cot_e" in capsys.readouterr().err
    assert main([*base, "--model-steps", "other"]) == 2
    assert "--model-steps belongs to --metric cot_e" in capsys.readouterr().err
    assert main([*base, "--param", "api_key=x"]) == 2
    assert main([*base, "--max-cost", "1"]) == 2
    assert main([*base[:-4], "--concurrency", "0", *base[-4:]]) == 2
    assert main(["judge", str(tmp_path / "none.jsonl"), "--model", "m", "--base-url", "http://h"]) == 2
