"""Files of single tools. Those in files/ were written by the tools themselves, asked over a stub of a model.

evalscope 1.14.1 (`math_vista`, judge off) and inspect_ai 0.3.285 (`inspect eval mmmath/mathvista_sample
--no-log-images`) over the first embedded samples; bodies of the batch by the openai client, its lines as the API
reference prints them. files/answers.json is what the stub said to each problem.
"""

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.join import Account, join
from mmmath_tasks.outputs.run import problems_of, score_file
from mmmath_tasks.outputs.saved import open_saved
from mmmath_tasks.outputs.tools import evalscope, inspect_log, openai_batch
from mmmath_tasks.truncation import CutResponse, was_cut
from support.needs import needs
from support.sample_rows import rows_without_pictures

FILES = Path(__file__).parent / "files"
ANSWERS = json.loads((FILES / "answers.json").read_text(encoding="utf-8"))
CUT = "6"  # the stub said "length" of it
WRITTEN = {
    "evalscope_predictions_math_vista_default.jsonl": ("evalscope", 6),
    "evalscope_reviews_math_vista_default.jsonl": ("evalscope", 6),
    "inspect_mathvista_sample.eval": ("inspect_ai log", 6),
    "inspect_mathvista_sample.json": ("inspect_ai log", 2),
    "openai_batch_mathvista.jsonl": ("OpenAI batch output", 6),
}


@pytest.fixture(scope="module")
def problems():
    return problems_of("mathvista", "sample", None)[0]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_tools_file_gives_the_verdicts_of_the_python_face(problems, name):
    form, count = WRITTEN[name]
    path = FILES / name
    assert (open_saved(path).format, open_saved(path).benchmark) == (form, "mathvista")
    found = score_file(path, problems=problems)
    known = mm.benchmark("mathvista")
    said = {i: CutResponse(a) if i == CUT and "reviews" not in name else a for i, a in ANSWERS.items()}
    wanted = {p.id: known.score(p, said[p.id]) for p in problems[:count]}
    assert {v.id: v for v in found.verdicts} == wanted
    assert len(found.verdicts) == count
    assert any(v.official for v in found.verdicts)
    assert not found.account.extra + found.account.duplicate + found.account.failed


def test_epochs_are_samples_of_one_problem(problems):
    card = score_file(FILES / "inspect_mathvista_sample.eval", problems=problems).card
    assert card.get("acc_mean@2").count == 6


def test_a_log_of_ours_holds_its_problems(problems):
    found = score_file(FILES / "inspect_mathvista_sample.eval")
    assert found.problems == tuple(problems[:6])
    assert found.texts.stored == 6
    assert not found.disagree


def test_verdicts_that_evalscope_stored_are_compared(problems):
    found = score_file(FILES / "evalscope_reviews_math_vista_default.jsonl", problems=problems)
    assert {*found.disagree} == {"1", "2"}  # it looks for "ANSWER: LETTER"
    assert "not read: short answers in 'extracted_answer'" in next(found.lines())


def test_what_a_file_lacks_is_asked_for(capsys, tmp_path):
    for name in ("evalscope_predictions_math_vista_default.jsonl", "openai_batch_mathvista.jsonl"):
        assert main(["rescore", str(FILES / name)]) == 2
        assert re.search("the problem is not in the file .*; name the data with --data", capsys.readouterr().err)
    unnamed = shutil.copy(FILES / "openai_batch_mathvista.jsonl", tmp_path / "run.jsonl")
    assert main(["rescore", str(unnamed)]) == 2
    assert "which benchmark is it? Name it with --benchmark" in capsys.readouterr().err


def test_positions_that_do_not_fit_the_prompts_are_refused(problems, tmp_path):
    lines = (FILES / "evalscope_predictions_math_vista_default.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [{**row, "index": row["index"] + 1} for row in map(json.loads, lines)]
    path = tmp_path / "math_vista_shifted.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(mm.InputError, match="6 of its 6 prompts do not hold their questions"):
        list(join(open_saved(path), "mathvista", problems, Account()))


@pytest.mark.parametrize("count", [1, 3])
def test_predictions_of_a_problem_asked_twice_are_refused(problems, tmp_path, count):
    lines = (FILES / "evalscope_predictions_math_vista_default.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [row for row in map(json.loads, lines[:count]) for _ in "ab"]
    path = tmp_path / "math_vista_repeated.jsonl"
    path.write_text("\n".join(json.dumps({**row, "index": i}) for i, row in enumerate(asked)))
    with pytest.raises(mm.InputError, match=r"several for each.*reviews say which rows are of one problem"):
        list(join(open_saved(path), "mathvista", problems, Account()))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("samples_mathvista_sample_2026-01-31T10-00-00.000000.jsonl", "mathvista_sample"),
        ("renamed_samples.jsonl", None),
    ],
)
def test_a_scorecard_says_how_the_documents_were_asked(tmp_path, name, wanted):
    origin = {"prompt_style": "default", "prompt_hash": "abc", "data_revision": "else"}
    rows = [
        {"doc_id": i, "doc": {**row, "provenance": origin}, "arguments": {}, "resps": [["1"]], "filter": "none"}
        for i, row in enumerate(rows_without_pictures("mathvista")[:3])
    ]
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, rows)))
    said = score_file(path).card.provenance
    assert (said["prompt_style"], said["prompt_hash"], said.get("task")) == ("default", "abc", wanted)
    assert said["data_revision"] == "the file's own columns"
    rows[1]["doc"]["provenance"] = {"prompt_style": "question"}
    path.write_text("\n".join(map(json.dumps, rows)))
    said = score_file(path).card.provenance
    assert said["prompt_style"] == ["default", "question"]
    assert "prompt_hash" not in said


def test_a_scorecard_of_a_log_of_ours_names_task_and_prompt():
    said = score_file(FILES / "inspect_mathvista_sample.eval").card.provenance
    assert (said["task"], said["prompt_style"]) == ("mathvista_sample", "default")
    assert re.fullmatch("[0-9a-f]{16}", said["prompt_hash"])


def batch(body=None, status=200, error=None, **more):
    answer = None if body is None else {"status_code": status, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": "7", "response": answer, "error": error, **more}


def chat(*contents, reason="stop"):
    choices = [
        {"index": i, "finish_reason": reason, "message": {"role": "assistant", "content": c}}
        for i, c in enumerate(contents)
    ]
    return {"object": "chat.completion", "choices": choices}


def responses_api(text, **more):
    spoken = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {"object": "response", "output": [{"type": "reasoning", "summary": []}, spoken], **more}


@pytest.mark.parametrize(
    ("line", "said", "cut", "failed"),
    [
        (batch(chat("B")), ["B"], False, False),
        (batch(chat("B", "C")), ["B", "C"], False, False),
        (batch(chat("So", reason="length")), ["So"], True, False),
        (batch(chat([{"type": "text", "text": "B"}])), ["B"], False, False),
        (batch(chat(None)), [None], False, False),
        (
            batch({"object": "text_completion", "choices": [{"index": 0, "text": "B", "finish_reason": "stop"}]}),
            ["B"],
            False,
            False,
        ),
        (batch(responses_api("B")), ["B"], False, False),
        (batch(responses_api("So", incomplete_details={"reason": "max_output_tokens"})), ["So"], True, False),
        (batch({"choices": [{"message": []}, {"text": "B"}, 7]}), [None, "B"], False, False),
        (batch({"output": [{"content": [{"type": "output_text"}]}, {"content": None}, 7]}), [""], False, False),
        (batch({"output": [], "choices": [{"text": "B"}]}), [""], False, False),
        (batch({"error": {"message": "no"}}, status=400), None, False, True),
        (batch(error={"code": "batch_expired", "message": "late"}), None, False, True),
    ],
)
def test_lines_of_a_batch(line, said, cut, failed):
    row = openai_batch.row(line)
    assert row["id"] == "7"
    assert row["response"] == said
    assert bool(said and was_cut(said and row["response"][0])) == cut
    assert bool(row.get("error")) == failed


@pytest.mark.parametrize(
    "line", [{"id": "1", "response": "B"}, {"custom_id": "1", "response": "B"}, {"custom_id": "1"}]
)
def test_rows_of_nobody_are_left_alone(line):
    assert openai_batch.row(line) is None


@needs("judge")
def test_bodies_of_a_batch_are_those_of_the_openai_package():
    from openai.types import Completion
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response

    lines = (FILES / "openai_batch_mathvista.jsonl").read_text(encoding="utf-8").splitlines()
    for line in map(json.loads, lines):
        typed = ChatCompletion.model_validate(line["response"]["body"])
        assert openai_batch.row(line)["response"] == [choice.message.content for choice in typed.choices]
    about = {"id": "x", "model": "m", "created": 0, "created_at": 0, "tools": [], "tool_choice": "auto"}
    spoken = chat("B", reason="length")
    assert ChatCompletion.model_validate({**about, **spoken}).choices[0].finish_reason == "length"
    text = {"object": "text_completion", "choices": [{"index": 0, "text": "B", "finish_reason": "stop"}]}
    assert Completion.model_validate({**about, **text}).choices[0].text == openai_batch.row(batch(text))["response"][0]
    body = {
        **about,
        "parallel_tool_calls": False,
        **responses_api("B", incomplete_details={"reason": "content_filter"}),
    }
    body["output"][0]["id"] = body["output"][1]["id"] = "y"
    body["output"][1] |= {"status": "incomplete"}
    body["output"][1]["content"][0]["annotations"] = []
    assert Response.model_validate(body).output_text == openai_batch.row(batch(body))["response"][0]


def test_a_failed_request_is_not_scored(problems, tmp_path):
    lines = [json.dumps(batch(error={"code": "batch_expired"}))]
    lines += [(FILES / "openai_batch_mathvista.jsonl").read_text(encoding="utf-8")]
    path = tmp_path / "mathvista_batch.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = score_file(path, problems=problems)
    assert found.account.failed == ["7"]
    assert len(found.verdicts) == 6


@pytest.mark.parametrize("parts", [False, True])
def test_conversations_with_ids(problems, tmp_path, parts):
    def content(text):
        return [{"type": "text", "text": text}] if parts else text

    rows = [
        {
            "id": p.id,
            "messages": [
                {"role": "user", "content": content(p.question)},
                {"role": "assistant", "content": content(ANSWERS[p.id])},
            ],
        }
        for p in problems[:6]
    ]
    path = tmp_path / "mathvista.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    known = mm.benchmark("mathvista")
    found = score_file(path, problems=problems)
    assert list(found.verdicts) == [known.score(p, ANSWERS[p.id]) for p in problems[:6]]
    path.write_text("\n".join(json.dumps({"messages": row["messages"]}) for row in rows), encoding="utf-8")
    with pytest.raises(mm.InputError, match=r"no column of problem ids \(one of pid, id, "):
        score_file(path, problems=problems)


def test_a_log_that_is_damaged_is_named(tmp_path):
    whole = (FILES / "inspect_mathvista_sample.eval").read_bytes()
    with zipfile.ZipFile(FILES / "inspect_mathvista_sample.eval") as archive:
        info = next(i for i in archive.infolist() if i.filename.startswith("samples/"))
    path = tmp_path / "damaged.eval"
    at = info.header_offset + 200
    path.write_bytes(whole[:at] + b"\0" * 20 + whole[at + 20 :])
    with pytest.raises(mm.InputError, match=rf"damaged.eval: {info.filename}: broken off or damaged"):
        list(open_saved(path))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(mm.InputError, match=r"damaged\.eval: not a workbook \(or \.eval log\), or a damaged one"):
        list(open_saved(path))


def test_a_file_of_two_tools_is_refused_at_the_row(tmp_path):
    path = tmp_path / "mathvista.jsonl"
    path.write_text(json.dumps(batch(chat("B"))) + '\n{"id": "2", "response": "C"}\n')
    with pytest.raises(mm.InputError, match="row 2: expected a row of OpenAI batch output, as the first one is"):
        list(open_saved(path))


ASKED = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": [{"text": "How "}, {"x": 1}, {"text": "many?"}]},
]
SCORE = {
    "prediction": "So 12.",
    "extracted_prediction": "12",
    "value": {"f1": 0.5, "acc": 1.0},
    "main_score_name": "acc",
}


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (
            {"model_output": {"choices": [chat("a")["choices"][0], 7]}, "metadata": {"id": "m"}},
            {"response": ["a"], "doc": {"id": "m"}},
        ),
        (
            {"model_output": {"choices": [], "error": "late"}, "metadata": None},
            {"response": None, "doc": {}, "error": "late"},
        ),
        ({"model_output": None}, {"response": None, "doc": {}}),
        (
            {"sample_score": {"group_id": 3, "score": SCORE, "sample_metadata": {"id": "m"}}, "target": ["C", "D"]},
            {
                "doc_id": 3,
                "response": "So 12.",
                "extracted_answer": "12",
                "correct": 1.0,
                "target": "C",
                "doc": {"id": "m"},
            },
        ),
        (
            {"sample_score": {"score": {"value": {"f1": 0.5}, "main_score_name": "acc"}}, "target": "C"},
            {"response": None, "extracted_answer": None, "correct": 0.5, "target": None, "doc": {}},
        ),
        (
            {"sample_score": None, "target": []},
            {"response": None, "extracted_answer": None, "correct": None, "target": None, "doc": {}},
        ),
    ],
)
def test_lines_of_evalscope_in_full(line, row):
    line = {"index": 5, "messages": ASKED, **line}
    assert evalscope.row(line) == {"doc_id": 5, "asked": "How many?", **row}
    assert evalscope.row({**line, "messages": "?"}) is evalscope.row({"index": 5, "messages": ASKED}) is None
    for said, asked in (
        ([*ASKED, {"role": "user", "content": "Sure?"}, "x"], "Sure?"),
        (ASKED[:1], ""),
        ([{"role": "user"}], ""),
    ):
        assert evalscope.row({**line, "messages": said})["asked"] == asked
    del line["index"]
    assert evalscope.row(line) is None


def epoch(said, reason="stop", **more):
    return {"id": 4, "output": {"choices": [{"message": {"content": said}, "stop_reason": reason}]}, **more}


@pytest.mark.parametrize(
    ("samples", "row"),
    [
        (
            [epoch("a", metadata={"level": 1}, scores={"s": {"value": "C"}}), epoch("b", "max_tokens")],
            {"response": ["a", "b"], "correct": 1, "doc": {"id": 4, "level": 1}},
        ),
        (
            [epoch([{"type": "text", "text": "a"}, {"type": "reasoning", "text": "x"}, {"type": "text", "text": "b"}])],
            {"response": ["a\nb"], "correct": None, "doc": {"id": 4}},
        ),
        (
            [epoch("attachment://k", attachments={"k": "long"}, scores={"s": {"value": "I"}, "t": {"value": "C"}})],
            {"response": ["long"], "correct": 0, "doc": {"id": 4}},
        ),
        (
            [epoch("attachment://k", scores={"s": {"value": 0.5}})],
            {"response": ["attachment://k"], "correct": 0.5, "doc": {"id": 4}},
        ),
        ([{"id": 4, "output": {"choices": [{}]}}], {"response": [""], "correct": None, "doc": {"id": 4}}),
        ([epoch(None, scores={"s": {"value": "N"}})], {"response": [""], "correct": "N", "doc": {"id": 4}}),
        (
            [{"id": 4, "error": "late", "scores": []}],
            {"response": [None], "correct": None, "doc": {"id": 4}, "error": "late"},
        ),
        (
            [{"id": 4, "output": {"choices": []}, "scores": {"s": 1}}],
            {"response": [None], "correct": None, "doc": {"id": 4}},
        ),
    ],
)
def test_samples_of_inspect_in_full(samples, row):
    found = inspect_log.row({"epochs": samples})
    assert found == {"id": 4, **row}
    assert [was_cut(said) for said in found["response"]] == [False, True][: len(samples)]
    assert inspect_log.row({"epochs": samples, "id": 4}) is None


def test_a_log_of_inspect_gives_the_epochs_of_each_sample_and_other_objects_are_left_alone():
    log = {"version": 2, "status": "success", "eval": {}}
    samples = [{"id": 1, "epoch": 1}, {"id": 2, "epoch": 1}, "x", {"id": 1, "epoch": 2}]
    found = list(inspect_log.rows_in({**log, "samples": samples}))
    assert found == [{"epochs": [samples[0], samples[3]]}, {"epochs": [samples[1]]}]
    assert list(inspect_log.rows_in(log)) == []
    assert inspect_log.rows_in({**log, "eval": "x"}) is inspect_log.rows_in({"version": 2, "eval": {}}) is None


def zipped(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".json", json.dumps(content))
    return path


def test_the_epochs_of_a_log_come_by_their_number_and_its_faults_are_named(tmp_path, monkeypatch):
    members = {f"samples__4_epoch_{i}": epoch(f"said {i}") for i in (10, 9, 1)}
    path = zipped(tmp_path / "mathvista.eval", header={}, **members, samples__5_epoch_1=epoch("else"))
    assert [saved.responses for saved in open_saved(path)] == [("said 1", "said 9", "said 10"), ("else",)]
    zipped(path, header={}, samples__4_epoch_1=[1])
    with pytest.raises(mm.InputError) as error:
        open_saved(path)
    assert str(error.value) == f"{path}: samples/4_epoch_1.json: expected a JSON object, got list"
    monkeypatch.setattr(inspect_log, "_MOST_BYTES", 3 << 20)
    zipped(path, **{"_journal__start": {}}, samples__4_epoch_1="x" * (3 << 20))
    with pytest.raises(mm.InputError) as error:
        open_saved(path)
    assert str(error.value) == f"{path}: samples/4_epoch_1.json: more than 3 million bytes"
