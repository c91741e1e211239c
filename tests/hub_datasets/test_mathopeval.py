"""MathOPEval's rows: prompts to the letter, files in and out, errors that name the place."""

import json
import re
import shutil

import pytest

import mmmath_tasks as mm
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets import mathopeval
from mmmath_tasks.hub_datasets.mathopeval_generator.build import build
from mmmath_tasks.hub_datasets.mathopeval_generator.report import report
from support.needs import skip_without
from support.sample_rows import rows

B = mm.benchmark("mathopeval")
ROWS = rows("mathopeval")
CHOICE = next(row for row in ROWS if row["format"] == "multiple_choice" and row["task"] == "mce_deletion")
CODE = next(row for row in ROWS if row["format"] == "free_form" and row["task"] == "mce_modification")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small set without geometry, which would need LaTeX."""
    skip_without("sandbox")
    from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample

    made = tmp_path_factory.mktemp("set")
    build(made, kept=made / "drawn", sources=[sample(0, kind, 0) for kind in ("function", "bar", "line", "pie")])
    return made


@pytest.fixture
def copy(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


ENDINGS = {
    # The paper's appendix, each prompt's last lines.
    "direct": ("Please directly output the correct option.", "Please directly output your code using markdown format."),
    "cot": (
        "Let's think step by step. Please equip the correct option with \\boxed{} at the end of your response.",
        "Let's think step by step. Please wrap your code using markdown format at the end of your response.",
    ),
    "dcot": (
        "Describe the image information relevant to the question.\n"
        "Please equip the correct option with \\boxed{} at the end of your response.",
        "Describe the image information relevant to the question.\n"
        "Please wrap your code using markdown format at the end of your response.",
    ),
    "vcot": (
        "Visualize the state after each reasoning step.\n"
        "Please equip the correct option with \\boxed{} at the end of your response.",
        "Visualize the state after each reasoning step.\n"
        "Please wrap your code using markdown format at the end of your response.",
    ),
}


@pytest.mark.parametrize("style", ENDINGS)
def test_prompts_to_the_letter(style):
    options = "\n".join(f"({letter}) {text}" for letter, text in zip("ABCD", CHOICE["choices"], strict=True))
    text = f"Question: {CHOICE['question']}\nChoices:\n{options}\n{ENDINGS[style][0]}"
    assert B.prompt(B.problem(CHOICE), style) == text
    assert B.prompt(B.problem(CODE), style) == f"Question: {CODE['question']}\n{ENDINGS[style][1]}"


def test_the_default_is_direct_and_an_unknown_style_is_named():
    problem = B.problem(CHOICE)
    assert B.prompt(problem) == B.prompt(problem, "direct")
    with pytest.raises(ValueError, match=r"'vot'.*direct, cot, dcot, vcot, cot_1shot"):
        B.prompt(problem, "vot")


@pytest.mark.parametrize("count", range(1, 6))
def test_shots_are_worked_examples_before_the_question(count):
    """Figure 4: up to five shots with the CoT prompt, on geometry."""
    problem = B.problem(next(r for r in ROWS if r["format"] == "multiple_choice" and r["type"] == "geometry"))
    text = B.prompt(problem, f"cot_{count}shot")
    assert text.endswith(f"\n\n{B.prompt(problem, 'cot')}")
    assert text.count("Choices:\n") == count + 1
    assert len(re.findall(r"\\boxed\{[A-D]\}\n\n", text)) == count
    with pytest.raises(ValueError, match="for multiple choice on geometry"):
        B.prompt(B.problem(CODE), f"cot_{count}shot")


def test_what_a_model_is_shown():
    """The edited picture for deletion and modification; never the annotated one, though rows hold it (section 2)."""
    shown = {(row["format"], row["task"]): len(mathopeval.pictures(row)) for row in ROWS}
    assert {count for (_, task), count in shown.items() if task in ("mcg", "mce_annotation")} == {1}
    assert {count for (_, task), count in shown.items() if task in ("mce_deletion", "mce_modification")} == {2}
    assert len(shown) == 8
    assert all(row["target_picture"] for row in ROWS if row["format"] == "free_form" and row["task"] != "mcg")
    assert not any(row["target_picture"] for row in ROWS if row["task"] == "mcg")


def test_groups():
    for row in ROWS:
        groups = B.problem(row).groups
        assert groups["task x type"] == (f"{row['task']} x {row['type']}",)
        if row["type"] in ("geometry", "function") and row["task"] == "mce_annotation":
            assert groups["element"]
        if row["format"] == "multiple_choice" and row["task"] == "mce_annotation":
            assert groups["direction"] in (("forward",), ("backward",))


def test_the_answer_is_not_in_the_question():
    for row in ROWS:
        assert row["original_code"] is None or row["original_code"] != row["answer"]
        if row["format"] == "free_form":
            assert row["answer"].strip() not in row["question"]
            assert (row["original_code"] is None) == (row["task"] == "mcg")


def test_read_gives_the_features_columns(folder):
    counts = {}
    for split in mathopeval.SPLITS:
        rows = list(mathopeval.read(folder, split))
        counts[split] = len(rows)
        assert all(set(row) == set(mathopeval.features(split)) for row in rows)
        assert len({B.problem(row).id for row in rows}) == len(rows)
    assert counts["gen"] == 16


@pytest.mark.parametrize(
    ("file", "line", "change", "message"),
    [
        ("samples.jsonl", 1, {"deleted": None}, "samples.jsonl: object 2: expected id and the states"),
        ("samples.jsonl", 1, {"id": ["a"]}, "samples.jsonl: object 2: expected id and the states"),
        (
            "samples.jsonl",
            1,
            {"original": {"code": 5, "instruction": "", "picture": ""}},
            "object 2: expected id and the",
        ),
        ("multiple_choice.jsonl", 2, {"sample": ["a"]}, "multiple_choice.jsonl: object 3: sample \\['a'\\] is not in"),
        ("multiple_choice.jsonl", 0, {"choices": None}, "column 'answer' should be the letter of a choice"),
        ("multiple_choice.jsonl", 2, {"sample": "bar-9999"}, "multiple_choice.jsonl: object 3: sample 'bar-9999'"),
        ("multiple_choice.jsonl", 0, {"answer": "E"}, "column 'answer' should be the letter of a choice, got 'E'"),
        ("multiple_choice.jsonl", 0, {"task": "mce"}, "column 'task' should be one of mcg, .*got 'mce'"),
    ],
)
def test_broken_files_are_named(copy, file, line, change, message):
    lines = (copy / file).read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **change})
    (copy / file).write_text("\n".join(lines))
    with pytest.raises(InputError, match=message):
        [B.problem(row) for row in mathopeval.read(copy, "mc")]


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(InputError, match=r"samples\.jsonl"):
        list(mathopeval.read(tmp_path, "mc"))


@pytest.mark.slow
def test_processes_and_batches_change_no_byte(folder, tmp_path):
    from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample

    again = [sample(0, kind, 0) for kind in ("function", "bar", "line", "pie")]
    build(tmp_path, kept=tmp_path / "drawn", sources=again[::-1], processes=2)
    assert {p.name: p.read_bytes() for p in (folder / "pictures").iterdir()} == {
        p.name: p.read_bytes() for p in (tmp_path / "pictures").iterdir()
    }
    assert sorted((folder / "samples.jsonl").read_text().splitlines()) == sorted(
        (tmp_path / "samples.jsonl").read_text().splitlines()
    )


def test_the_report_names_faults(folder, copy):
    assert "NO" not in report(*(list(mathopeval.read(folder, split)) for split in mathopeval.SPLITS))
    lines = (copy / "samples.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    first["modified"]["code"] = first["original"]["code"]
    (copy / "samples.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]))
    found = report(*(list(mathopeval.read(copy, split)) for split in mathopeval.SPLITS))
    assert "every edit changes the code: NO" in found
    assert "every edit changes the picture: yes" in found
