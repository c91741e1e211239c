"""VLMEvalKit's judge arguments are handed to our engine; the runner itself is tested where vlmeval is installed."""

import csv
import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.vlmevalkit import scored, table
from mmmath_tasks.outputs.run import problems_of
from support import authors_prompts

ORIGIN = {"data_revision": "test", "prompt_style": "default", "prompt_hash": "0"}


@pytest.fixture
def predictions(tmp_path, monkeypatch):
    """A prediction table as VLMEvalKit writes it, right for every second problem; the judge's cache is the test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    problems = problems_of("mathvista", "sample", None)[0]
    path = tmp_path / "model_mmmath_mathvista_sample.tsv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "answer", "prediction"])
        for i, p in enumerate(problems):
            answer = str(p.answer).replace(" ", "") if i % 2 else "nothing"
            writer.writerow([p.id, p.question, p.answer, f"At length: the figure says a lot. The answer is {answer}."])
    return path, problems


def test_a_judge_reads_the_answers(predictions, endpoint):
    path, problems = predictions
    server = endpoint()
    judge = {"model": "judge", "api_base": f"{server.url}/chat/completions", "nproc": 4, "retry": 3, "timeout": 60}
    card = scored(path, "mathvista_sample", problems, ORIGIN, judge)
    assert len(server.good_answers()) == len(problems)
    assert card.provenance["judge"]["model"] == "judge"
    rows = [json.loads(line) for line in path.with_name(f"{path.stem}_samples.jsonl").read_text().splitlines()]
    assert {row["verdict"]["rule"] for row in rows} == {"judge:judge"}
    assert mm.Scorecard.from_json(path.with_name(f"{path.stem}_scorecard.json").read_text()).scores == card.scores
    printed = table(card)
    assert next(iter(printed)) == "overall"
    assert printed["overall"] == pytest.approx(100 * card.value("acc"), abs=1e-3)
    assert printed["acc"] == printed["overall"]


def test_without_a_judge_none_is_asked(predictions):
    path, problems = predictions
    card = scored(path, "mathvista_sample", problems, ORIGIN, {"nproc": 4})
    assert "judge" not in card.provenance
    printed = table(card)
    assert printed["acc, read by rules"] == printed["overall"]
    assert "acc" not in printed
    assert "acc_verified" in printed


def test_a_benchmark_that_rules_alone_score_refuses_a_judge(tmp_path):
    problems = problems_of("wemath", "sample", None)[0]
    path = tmp_path / "m_mmmath_wemath_sample.jsonl"
    path.write_text("".join(json.dumps({"id": p.id, "response": "Answer: A"}) + "\n" for p in problems))
    with pytest.raises(mm.InputError, match="wemath has no judged answer"):
        scored(path, "wemath_sample", problems, ORIGIN, {"model": "judge", "api_base": "http://127.0.0.1:9/v1"})


def test_the_authors_prompts_are_named_among_the_judges_arguments(tmp_path, monkeypatch, endpoint):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    problems = problems_of("mathverse", "sample", None)[0][:6]
    path = tmp_path / "m_mmmath_mathverse_sample.jsonl"
    path.write_text("".join(json.dumps({"id": p.id, "response": f"It is {p.answer}."}) + "\n" for p in problems))
    judge = {"model": "judge", "api_base": endpoint().url, "nproc": 2}
    prompts = str(authors_prompts.write(tmp_path))
    named = [scored(path, "mathverse_sample", problems, ORIGIN, judge | more) for more in ({}, {"prompts": prompts})]
    assert [card.headline for card in named] == ["acc_judged", "acc"]
