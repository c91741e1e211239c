"""Rows to documents: what a log shows, what bad input says."""

import json
import re

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval
from mmmath_tasks.harnesses.lm_eval_documents import documents
from support import mathvista_folder
from support.picture_files import BROKEN, USABLE


def load(folder, split="testmini", **metadata):
    return lm_eval.load(benchmark="mathvista", split=split, data_dir=str(folder), **metadata)["test"]


@pytest.fixture
def folder(tmp_path):
    return mathvista_folder.write(tmp_path / "data", count=3)


def test_a_document_is_friendly_and_has_no_bytes():
    doc = lm_eval.load(benchmark="mathvista", split="sample")["test"][0]
    row = mathvista_folder.rows(1)[0]
    picture = row.pop("decoded_image")
    assert next(iter(doc)) == "id"
    assert {name: doc[name] for name in row} == row
    assert doc["id"] == row["pid"]
    assert doc["prompt"] == row["query"]
    assert doc["benchmark"] == "mathvista"
    assert doc["provenance"]["data_revision"].startswith("sample rows sha256:")
    assert [str(p) for p in doc["pictures"]] == [picture["path"]]
    logged = json.dumps(doc, default=str)
    assert len(logged) < 3000
    assert "PNG" not in logged


def test_the_prompt_has_one_mark_for_each_picture(folder):
    doc = load(folder)[0]
    assert lm_eval.doc_to_text(doc) == "<image>" + doc["query"]
    assert [picture.mode for picture in lm_eval.doc_to_image(doc)] == ["RGB"]
    assert lm_eval.doc_to_target(doc) == doc["answer"]


def test_text_only_documents_have_no_pictures_and_need_none(folder):
    for picture in (folder / "images").iterdir():
        picture.unlink()
    doc = load(folder, text_only=True)[0]
    assert doc["pictures"] == []
    assert lm_eval.doc_to_text(doc) == doc["query"]


def test_documents_can_be_filtered_by_a_user(folder):
    docs = load(folder)
    chosen = docs.filter(lambda doc: doc["metadata"]["language"] == "chinese")
    assert 0 < len(chosen) < len(docs)
    assert all(doc["language"] == "chinese" for doc in (d["metadata"] for d in chosen))


def test_other_metadata_is_ignored(folder):
    assert len(load(folder, pretrained="org/model", revision="main", version=1.0, seed=3)) == 3


def test_the_prompt_hash_tells_styles_apart_but_not_orders(folder):
    hashes = {
        style: load(folder, prompt_style=style)[0]["provenance"]["prompt_hash"] for style in ("default", "question")
    }
    assert len(set(hashes.values())) == 2
    rows = json.loads((folder / "testmini.json").read_text())
    (folder / "testmini.json").write_text(json.dumps(dict(reversed(rows.items()))))
    assert load(folder)[0]["provenance"]["prompt_hash"] == hashes["default"]


@pytest.mark.parametrize("wrapped", [False, True], ids=["flat", "as upstream's"])
def test_captions_and_ocr_stand_where_table_2_puts_them(folder, tmp_path, wrapped):
    for name, text in (("captions", "A bar chart."), ("ocr", "12 34")):
        texts = {str(pid): f"{text} {pid}" for pid in range(1, 4)}
        (tmp_path / f"{name}.json").write_text(json.dumps({"texts": texts} if wrapped else texts))
    both = {"captions": str(tmp_path / "captions.json"), "ocr": str(tmp_path / "ocr.json")}
    prompt = load(folder, prompt_style="solution", text_only=True, augmented=True, **both)[1]["prompt"]
    places = [
        prompt.index(part)
        for part in ("Question: ", "Image description: A bar chart. 2", "Image detected text: 12 34 2", "Hint: ")
    ]
    assert places == sorted(places)
    assert prompt.endswith("\nSolution:")
    only = load(folder, prompt_style="solution", text_only=True, augmented=True, ocr=both["ocr"])[1]["prompt"]
    assert "Image description" not in only


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "needs --metadata captions=FILE"),
        ("{", r"captions\.json: not JSON"),
        ('["a"]', r"captions\.json: expected a JSON object"),
        ('{"1": 5}', r"captions\.json: expected a JSON object"),
        ('{"4": "d"}', r"the file of caption texts names none of the 3 problems of "),
    ],
)
def test_bad_captions_are_named(folder, tmp_path, content, message):
    file = tmp_path / "captions.json"
    if content is not None:
        file.write_text(content)
    given = {} if content is None else {"captions": str(file)}
    with pytest.raises(InputError, match=message):
        load(folder, text_only=True, augmented=True, prompt_style="solution", **given)


def test_a_problem_without_a_text_is_asked_without_and_counted(folder, tmp_path, caplog):
    (tmp_path / "captions.json").write_text(json.dumps({"1": "A chart.", "3": "Sure. A bar."}))
    docs = load(folder, prompt_style="solution", captions=str(tmp_path / "captions.json"))
    assert ["Image description: " in doc["prompt"] for doc in docs] == [True, False, True]
    assert docs[0]["provenance"]["texts"] == {"caption": "captions.json: 2 of 3"}
    assert "caption texts are there for 2 of 3 problems" in caplog.text


def test_captions_that_are_not_used_are_mentioned(folder, tmp_path, caplog):
    (tmp_path / "captions.json").write_text(json.dumps({str(pid): "A chart." for pid in range(1, 4)}))
    captions = {"captions": str(tmp_path / "captions.json")}
    load(folder, prompt_style="solution", **captions)
    assert "no place" not in caplog.text
    assert load(folder, **captions)[0]["prompt"] == load(folder)[0]["prompt"]
    assert "prompt style 'default' of mathvista has no place for caption texts" in caplog.text


def test_missing_pictures_are_counted_and_the_first_is_named(folder, caplog):
    (folder / "images" / "2.png").unlink()
    docs = load(folder)
    assert re.search(r"1 of 3 problems lack their picture; first: problem 2 \(.*images/2\.png\)", caplog.text)
    assert len(lm_eval.doc_to_image(docs[0])) == 1
    with pytest.raises(InputError, match=r"problem 2: picture .*2\.png: No such file"):
        lm_eval.doc_to_image(docs[1])
    (folder / "images" / "1.png").unlink()
    mathvista_folder.change(folder, "3", image=None)
    load(folder)
    assert "3 of 3 problems lack their picture; first: problem 1 (" in caplog.text
    with pytest.raises(InputError, match=r"3 of 3 problems lack their picture; first: problem 1 \("):
        documents(benchmark="mathvista", split="testmini", data_dir=str(folder))


def test_a_row_that_names_no_picture_stops_a_run_too(folder):
    mathvista_folder.change(folder, "3", image=None)
    docs = load(folder)
    assert lm_eval.doc_to_text(docs[2]).startswith("<image>")
    with pytest.raises(InputError, match=r"problem 3: the row holds no picture"):
        lm_eval.doc_to_image(docs[2])
    assert load(folder, text_only=True)[2]["pictures"] == []


@pytest.mark.parametrize("name", BROKEN)
def test_an_unreadable_picture_names_file_and_problem(folder, name):
    (folder / "images" / "2.png").write_bytes(BROKEN[name])
    docs = load(folder)
    lm_eval.doc_to_image(docs[0])
    with pytest.raises(InputError, match=rf"{folder}: problem 2: picture 2\.png: "):
        lm_eval.doc_to_image(docs[1])


def test_every_usable_kind_of_picture_comes_through(tmp_path):
    docs = load(mathvista_folder.write(tmp_path, pictures=USABLE))
    assert {doc["image"]: lm_eval.doc_to_image(doc)[0].mode for doc in docs} == {f"images/{n}": "RGB" for n in USABLE}


def test_two_problems_with_one_id_are_refused(folder):
    mathvista_folder.change(folder, "3", pid="1")
    with pytest.raises(InputError, match="row 3: a second problem with id '1'"):
        load(folder)


def test_an_unknown_benchmark_style_or_answer_type_is_named(folder):
    with pytest.raises(InputError, match=r"known: .*mathvista"):
        lm_eval.load(benchmark="mathvistas", split="testmini")
    with pytest.raises(InputError, match="unknown prompt style 'poem'"):
        load(folder, prompt_style="poem")
    mathvista_folder.change(folder, "2", question_type="free_form", answer_type="tensor", query="")
    with pytest.raises(InputError, match="column 'answer_type' should be one of"):
        load(folder)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"data_dir": 3}, "metadata 'data_dir': expected text, got 3"),
        ({"captions": ["a.json"]}, "metadata 'captions': expected text"),
        ({"only": "level"}, "metadata 'only': expected column to value, got 'level'"),
        ({"data_dri": "x"}, "metadata 'data_dri' is unknown; is 'data_dir' meant"),
        ({"caption": "x.json"}, "is 'captions' meant"),
    ],
)
def test_a_setting_of_a_wrong_type_or_nearly_of_our_name_is_refused(folder, metadata, message):
    with pytest.raises(InputError, match=message):
        lm_eval.load(**{"benchmark": "mathvista", "split": "testmini", "data_dir": str(folder), **metadata})


def test_a_models_arguments_are_no_settings(folder):
    theirs = {"pretrained": "m", "revision": "main", "dtype": "float16", "max_length": 1, "image_width": 1, "seed": 1}
    found, plain = load(folder, device_map="auto", **theirs), load(folder)
    assert [doc["query"] for doc in found] == [doc["query"] for doc in plain] != []
