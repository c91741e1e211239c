"""The samples are what their columns, their pictures and their golds say."""

import io
import json
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module, metadata
from itertools import groupby
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image

import mmmath_tasks as mm
from mmmath_tasks.hub_datasets import samples
from mmmath_tasks.hub_datasets.samples import sample
from mmmath_tasks.hub_datasets.samples.building import build, names, versions
from mmmath_tasks.hub_datasets.wemath_knowledge import PLACES
from support.needs import needs
from support.sample_rows import rows

WORKED = json.loads((Path(__file__).parent / "worked.json").read_text(encoding="utf-8"))
PICTURE = {"mathvista": "decoded_image", "mathvision": "decoded_image", "mathverse": "image", "wemath": "image_path"}
NAMES = tuple(PICTURE)


def pixels(row, name):
    return Image.open(io.BytesIO(row[PICTURE[name]]["bytes"])).convert("RGB")


def test_unknown_sample_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"no sample named 'nope'; known: .*mathverse, mathvision, mathvista, wemath"):
        sample("nope")


def test_a_sample_that_is_not_drawn_says_how(monkeypatch, tmp_path):
    (tmp_path / "geomark.py").touch()
    monkeypatch.setattr(samples, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(mm.InputError, match=r"geomark_sample\.parquet: not drawn yet: `python -m .*--only geomark`"):
        sample("geomark")


def test_a_library_that_is_missing_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(mm.InputError, match=r"the sample of mathvision needs matplotlib.*: pip install"):
        build("mathvision", tmp_path)


def test_only_the_libraries_that_are_there_are_noted(monkeypatch):
    there = [found for found in metadata.distributions() if found.name in ("pillow", "pyarrow")]
    monkeypatch.setattr(metadata, "distributions", lambda: there)
    assert re.fullmatch(r"pillow [\d.]+, pyarrow [\d.]+", versions())


def test_a_name_that_is_unknown_is_one_message():
    command = [sys.executable, "-m", "mmmath_tasks.hub_datasets.samples", "--only", "nope"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    assert "invalid choice: 'nope'" in run.stderr


def test_every_sample_can_be_drawn_and_every_drawing_is_shipped():
    assert set(NAMES) <= set(names())
    assert all(sample(name).is_file() for name in names())


def test_importing_the_problems_loads_no_drawing_library():
    names = ", ".join(f"mmmath_tasks.hub_datasets.samples.{name}" for name in (*NAMES, "building"))
    code = f"import sys, {names}; print({{'matplotlib', 'PIL', 'pyarrow', 'datasets'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


@pytest.mark.parametrize("name", NAMES)
def test_columns_are_those_of_the_hub(name):
    data_set = import_module(f"mmmath_tasks.hub_datasets.{name}")
    wanted = data_set.features(data_set.SPLITS[0]).arrow_schema
    schema = pq.read_schema(sample(name))
    assert schema.equals(wanted)
    assert schema.metadata[b"huggingface"] == wanted.metadata[b"huggingface"]
    assert schema.metadata[b"licence"] == b"CC0-1.0"


@pytest.mark.parametrize("name", NAMES)
def test_datasets_shows_pictures(name, tmp_path):
    from datasets import load_dataset

    split = load_dataset("parquet", data_files=str(sample(name)), cache_dir=str(tmp_path), split="train")
    assert isinstance(split[0][PICTURE[name]], Image.Image)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_open_and_are_large_enough_for_every_model(name):
    for row in rows(name):
        if row.get("problem_version") == "Text Only":
            assert row["image"] is None
            continue
        picture = Image.open(io.BytesIO(row[PICTURE[name]]["bytes"]))
        picture.load()
        assert (picture.format, picture.mode) == ("PNG", "P")
        assert not picture.info.keys() - {"transparency"}, "metadata would change with the library"
        assert min(picture.size) >= 28
        assert len(picture.convert("RGB").getcolors(1 << 16)) > 1, "blank"
    assert sample(name).stat().st_size < 300_000


@pytest.mark.slow
@needs("sandbox")
@pytest.mark.parametrize("name", NAMES)
def test_a_rebuild_gives_the_same_rows_and_pixels(name, tmp_path):
    path = build(name, tmp_path)
    new, old = pq.read_table(path).to_pylist(), rows(name)
    built_with = pq.read_schema(sample(name)).metadata[b"built_with"].decode()
    same_libraries = built_with == versions()
    assert len(new) == len(old)
    for one, other in zip(new, old, strict=True):
        if same_libraries:
            assert one == other
        for row in (one, other):  # other releases of the libraries may set type a pixel wider
            picture = row.pop(PICTURE[name])
            assert picture is None or picture["bytes"].startswith(b"\x89PNG")
            if name == "mathvista":
                del row["metadata"]["img_width"], row["metadata"]["img_height"]
        assert one == other
    if same_libraries:
        assert path.read_bytes() == sample(name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_golds_are_those_worked_by_hand(name):
    golds = [row["answer"] for row in rows(name)]
    if name == "mathverse":
        assert golds == [answer for answer in WORKED[name] for _ in range(6)]
    elif name == "wemath":
        assert golds == list("".join(WORKED[name]))
    else:
        assert golds == WORKED[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_a_problem_with_its_gold_among_the_choices(name):
    data_set = import_module(f"mmmath_tasks.hub_datasets.{name}")
    problems = [data_set.problem(row) for row in rows(name)]
    assert len({problem.id for problem in problems}) == len(problems)
    for problem in problems:
        assert (problem.question_type == "multi_choice") == bool(problem.choices)
        assert len(set(problem.choices)) == len(problem.choices)
        assert data_set.prompt(problem)
        if name == "mathvista" and problem.choices:
            assert problem.answer in problem.choices
        elif problem.choices:
            assert problem.choices["ABCDE".index(problem.answer)]


@pytest.mark.parametrize("name", [name for name in NAMES if name in mm.benchmarks()])
def test_every_gold_scores_and_a_wrong_answer_does_not(name):
    benchmark = mm.benchmark(name)
    for row in rows(name):
        problem = benchmark.problem(row)
        letters = "ABCDE"[: len(problem.choices)]
        gold = problem.answer
        if name == "mathvista" and problem.choices:
            gold = letters[problem.choices.index(gold)]
        wrong = letters[(letters.index(gold) + 1) % len(letters)] if letters else "\\boxed{987654}"
        right = gold if letters or name != "mathvision" else f"\\boxed{{{gold.strip('$')}}}"
        assert benchmark.score(problem, f"Answer: {right}").verified is True, problem.id
        assert benchmark.score(problem, f"Answer: {wrong}").verified is False, problem.id


def test_mathvista_covers_the_real_set():
    found = rows("mathvista")
    assert len(found) >= 24
    assert {row["question_type"] for row in found} == {"multi_choice", "free_form"}
    assert {row["answer_type"] for row in found} == {"text", "integer", "float", "list"}
    assert {row["precision"] for row in found if row["answer_type"] == "float"} == {1.0, 2.0}
    assert {row["unit"] for row in found} > {None, "years", "g"}
    values = {key: {row["metadata"][key] for row in found} for key in found[0]["metadata"] if key != "skills"}
    assert values["language"] == {"english", "chinese", "persian"}
    assert values["category"] == {"math-targeted-vqa", "general-vqa"}
    assert values["grade"] == {"elementary school", "high school", "college", "not applicable"}
    from mmmath_tasks.hub_datasets.mathvista import SKILLS
    from mmmath_tasks.metrics.mathvista import TASKS

    assert values["task"] == set(TASKS)
    assert {skill for row in found for skill in row["metadata"]["skills"]} == set(SKILLS)
    assert len(values["context"]) >= 12
    for row in found:
        assert row["query"].startswith("Hint: Please answer the question")
        assert f"\nQuestion: {row['question']}" in row["query"]
        assert ("\nChoices:\n(A) " in row["query"]) == (row["choices"] is not None)
        assert pixels(row, "mathvista").size == (row["metadata"]["img_width"], row["metadata"]["img_height"])


def test_mathvision_covers_levels_subjects_and_kinds_of_options():
    found = rows("mathvision")
    assert {row["level"] for row in found} == {1, 2, 3, 4, 5}
    assert len({row["subject"] for row in found}) == 16
    assert {len(row["options"]) for row in found} == {0, 5}
    assert sum(row["options"] == list("ABCDE") for row in found) >= 2
    assert sum("\\" in row["answer"] and not row["options"] for row in found) >= 3
    assert any(row["question"].count("<image") > 1 for row in found)
    assert any(option.startswith("<image") for row in found for option in row["options"])


def test_mathverse_moves_text_into_the_picture():
    found = rows("mathverse")
    kinds = {(row["metadata"]["subject"], row["question_type"]) for row in found}
    assert len(kinds) == 6, "three subjects, each with both question types"
    for _, versions_of_one in groupby(found, key=lambda row: row["problem_index"]):
        by = {row["problem_version"]: row for row in versions_of_one}
        told = {version: row["question"].split("\nChoices:")[0] for version, row in by.items()}
        assert told["Text Dominant"] == told["Text Only"]
        dominant, lite, intensive = told["Text Dominant"], told["Text Lite"], told["Vision Intensive"]
        assert dominant.endswith(lite)
        assert lite.endswith(intensive)
        assert len(dominant) > len(lite) > max(len(intensive), len(told["Vision Dominant"]))
        assert told["Vision Only"] == ""
        essential, ask = intensive.split(". ", 1)
        assert told["Vision Dominant"].endswith(ask)
        assert essential not in told["Vision Dominant"], "the essential condition is still in the text"
        plain, dense, whole = (pixels(by[v], "mathverse") for v in ("Text Lite", "Vision Dominant", "Vision Only"))
        assert by["Text Dominant"]["image"]["bytes"] == by["Vision Intensive"]["image"]["bytes"]
        assert plain.tobytes() != dense.tobytes()
        assert whole.height > dense.height + 40, "the question is written above the drawing"
        assert {row["question_for_eval"] == "" for row in by.values()} == {False}
        assert by["Vision Only"]["query_wo"].startswith("According to the question shown in the image, please directly")
        assert by["Text Lite"]["query_cot"].startswith("Please first conduct reasoning, and then answer")


def test_wemath_has_whole_problems_with_real_concepts():
    found = rows("wemath")
    problems = {key: list(group) for key, group in groupby(found, key=lambda row: row["ID"])}
    assert len(found) >= 28
    assert Counter(len(group) for group in problems.values()) == {3: 4, 4: 4}
    for group in problems.values():
        kind = len(group) - 1
        assert [row["key"] for row in group] == [f"{kind}steps_{step}" for step in (*range(1, kind + 1), "multi")]
        assert group[-1]["knowledge concept"] == ";".join(row["knowledge concept"] for row in group[:-1])
        for row in group[:-1]:
            assert row["knowledge concept"] in PLACES
            assert row["knowledge concept description"].startswith(row["knowledge concept"] + ":\n")
    places = [PLACES[row["knowledge concept"]] for row in found if row["key"][-1] != "i"]
    assert len({place.domain for place in places}) == 5
    assert sum(row["option"].count(";") != 4 or "; " not in row["option"][:20] for row in found) >= 2
