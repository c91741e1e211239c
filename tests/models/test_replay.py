"""Files of saved responses."""

import hashlib
import json

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.models.replay import read_responses
from mmmath_tasks.problem import Problem

ROWS = [{"pid": 1, "response": "one\ntwo"}, {"pid": "2", "response": None}, {"pid": "3", "error": "timed out"}]
WANTED = {"1": "one\ntwo", "2": "", "3": ""}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n\n"),
        ("a.json", json.dumps(ROWS)),
        ("a.json", json.dumps({str(row["pid"]): row for row in ROWS})),
        ("a.json", json.dumps(WANTED)),
        ("a.csv", '\ufeffid,model_answer\n1,"one\ntwo"\n2,\n3,\n'),
    ],
    ids=["jsonl", "list", "id to object", "id to text", "csv"],
)
def test_every_layout_gives_the_same(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert read_responses(tmp_path / name).responses == WANTED


def test_we_maths_rows_are_told_apart_by_id_and_key(tmp_path):
    rows = [{"ID": "2steps_1", "key": key, "response": key} for key in ("2steps_1", "2steps_multi")]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    assert read_responses(tmp_path / "a.json").responses == {
        "2steps_1|2steps_1": "2steps_1",
        "2steps_1|2steps_multi": "2steps_multi",
    }


def test_what_a_harness_saved_can_be_replayed(tmp_path):
    row = {"doc_id": 0, "doc": {"pid": "7"}, "arguments": {}, "resps": [["a", "b"]], "filter": "none"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    assert read_responses(tmp_path / "a.jsonl").responses == {"7": "a"}


def test_a_response_may_be_longer_than_csv_cells_usually_are(tmp_path):
    (tmp_path / "a.csv").write_text(f"id,response\n1,{'x' * 200_000}\n")
    assert len(read_responses(tmp_path / "a.csv").responses["1"]) == 200_000


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"id": 1, "response": "a"}\n{"id": 2', r"a\.jsonl: line 2: not JSON: .* seems cut off"),
        ("a.jsonl", "[1]", r"a\.jsonl: row 1: expected a JSON object"),
        ("a.jsonl", '{"response": "a"}', r"a\.jsonl: row 1: no problem id; looked for pid, id.*columns: response"),
        ("a.jsonl", '{"id": 1, "words": "a"}', r"a\.jsonl: no column of responses \(one of response"),
        ("a.jsonl", '{"id": 1, "response": "a"}\n{"id": 2}', "row 2: no response"),
        ("a.json", '[{"id": 1, "response": "a"}, {"id": "1", "response": "b"}]', "row 2: a second, different response"),
        ("a.json", '{"1": 5}', r"a\.json: no column of responses .* columns: 1"),
        ("a.json", "5", r"a\.json: .*expected a table"),
        ("a.json", "{}", r"a\.json: holds no rows"),
        ("a.csv", "", r"a\.csv: is empty"),
        ("a.csv", "id,response\n,a\n", "row 1: no problem id"),
    ],
)
def test_a_bad_file_is_named(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_responses(tmp_path / name)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_missing_and_undecodable_files_are_named(tmp_path, name):
    with pytest.raises(InputError, match=rf"{name}: no such file"):
        read_responses(tmp_path / name)
    (tmp_path / name).write_bytes(b"id,response\n1,\xff\xfe\n")
    with pytest.raises(InputError, match=rf"{name}: line 2: not UTF-8 text"):
        read_responses(tmp_path / name)


def asked(*ids, question="How many apples are in the basket?", benchmark="mathvision"):
    return [Problem(benchmark, name, question, answer="1") for name in ids]


def rows_of(folder, name, **columns):
    rows = [{"id": str(number), "response": "(A)", **columns} for number in range(1, 5)]
    (folder / name).write_text(json.dumps(rows))
    return read_responses(folder / name)


def test_a_file_in_another_benchmarks_columns_answers_nothing(tmp_path):
    saved = rows_of(tmp_path, "a.json", question_type="free_form", answer_type="integer")
    with pytest.raises(InputError, match=r"a\.json: its columns or its name are those of mathvista, not of mathvision"):
        list(saved.check(asked("1", "2")))
    assert list(saved.check(asked("1", "2", "3", "4", benchmark="mathvista"))) == []


def test_a_file_with_other_questions_under_the_same_ids_answers_nothing(tmp_path):
    saved = rows_of(tmp_path, "a.json", question="What is the area of this triangle?")
    with pytest.raises(InputError, match=r"4 of 4 questions in it are not those .* first: 1, 2, 3, 4"):
        list(saved.check(asked("1", "2", "3", "4")))
    same = rows_of(tmp_path, "b.json", prompt="Hint: give a number.\nHow many apples\nare in the basket? Think.")
    assert list(same.check(asked("1", "2", "3", "4"))) == []


def test_rows_that_nobody_asks_for_are_counted(tmp_path):
    saved = rows_of(tmp_path, "a.json")
    (line,) = saved.check(asked("1", "2"))
    assert line.endswith("2 of its 4 responses are to problems that this run does not ask; first: 3, 4")


def test_whose_responses_they_are(tmp_path):
    saved = rows_of(tmp_path, "GPT-9.json")
    digest = hashlib.sha256((tmp_path / "GPT-9.json").read_bytes()).hexdigest()
    assert saved.origin() == {"file": "GPT-9.json", "sha256": digest, "model": "GPT-9"}
    assert rows_of(tmp_path, "b.json", model="Qwen").origin()["model"] == "Qwen"
    row = {"doc_id": 0, "doc": {"pid": "7"}, "arguments": {}, "resps": [["a"]], "filter": "none"}
    samples = tmp_path / "samples_mathvista_testmini_2026-01-01T00-00-00.jsonl"
    samples.write_text(json.dumps(row) + "\n")
    (tmp_path / "results_2026-01-01T00-00-00.json").write_text(json.dumps({"model_name": "org/name"}))
    assert read_responses(samples).origin()["model"] == "org/name"
