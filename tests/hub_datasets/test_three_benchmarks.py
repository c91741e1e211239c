"""Rows, prompts and local files of MATH-Vision, MathVerse and We-Math."""

import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.hub_datasets import mathverse, mathvision, wemath

VISION = {
    "id": "7",
    "question": "Count them.\n<image1>",
    "options": [],
    "answer": "5",
    "level": 2,
    "subject": "counting",
}
VERSE = {
    "sample_index": "7",
    "problem_index": "2",
    "problem_version": "Vision Only",
    "question": "",
    "question_for_eval": "Which?\nChoices:\nA:1\nB.2\n(C) 3\nmore of it",
    "question_type": "multi-choice",
    "answer": "B",
    "metadata": {"subject": "Solid Geometry", "subfield": "Area"},
    "query_wo": "Answer.",
    "query_cot": "Reason.",
}
WE = {
    "ID": "2steps_9",
    "key": "2steps_1",
    "question": "How long?",
    "option": "A. 1 m;B. 2 m; C. 3 m",
    "answer": "C",
    "knowledge concept": "Translation",
    "knowledge concept description": "Translation:\n1. It moves.",
}
ROWS = {"mathvision": VISION, "mathverse": VERSE, "wemath": WE}


@pytest.mark.parametrize("name", ROWS)
def test_a_problem_survives_json(name):
    problem = mm.benchmark(name).problem(ROWS[name])
    assert mm.Problem.from_json(problem.to_json()) == problem


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("mathvision", "options", "ABCDE"),
        ("mathvision", "options", [1]),
        ("mathvision", "level", None),
        ("mathvision", "answer", 5),
        ("mathverse", "metadata", {}),
        ("mathverse", "question_type", None),
        ("wemath", "key", "4steps_1"),
        ("wemath", "option", None),
    ],
)
def test_a_bad_row_is_named(name, column, value):
    row = {**ROWS[name], column: value}
    with pytest.raises(mm.InputError, match=column):
        mm.benchmark(name).problem(row)
    row.pop(column)
    if column != "answer":
        with pytest.raises(mm.InputError, match=column):
            mm.benchmark(name).problem(row)


@pytest.mark.parametrize("name", ROWS)
def test_an_unknown_style_is_named(name):
    rows = mm.benchmark(name)
    with pytest.raises(ValueError, match="unknown prompt style 'haiku'"):
        rows.prompt(rows.problem(ROWS[name]), "haiku")


def test_vision_prompts():
    problem = mathvision.problem(VISION)
    assert mathvision.prompt(problem) == (
        'Please solve the problem step by step and put your answer in one "\\boxed{}". If it is a multiple choice '
        'question, only one letter is allowed in the "\\boxed{}".\nCount them.'
    )
    assert mathvision.prompt(problem, "word") == "Count them.\nAnswer the question using a single word or phrase."
    letters = mathvision.prompt(mathvision.problem({**VISION, "options": ["a", "b", "c", "d", "e"]}), "gemini")
    assert letters.splitlines()[0] == "Count them."
    assert letters.endswith("\n(E) e\nAnswer the question using a single letter or number or word.")
    with pytest.raises(mm.InputError, match="no caption"):
        mathvision.prompt(problem, "caption")
    told = mathvision.problem({**VISION, "caption": "Five apples."})
    assert mathvision.prompt(told, "caption").endswith("\nImage caption: Five apples.\nCount them.")
    choice = mathvision.problem({**VISION, "caption": "Five apples.", "options": ["1", "2", "3", "4", "5"]})
    assert mathvision.prompt(choice, "caption").endswith("\nImage caption: Five apples.\nCount them.")
    assert mathvision.prompt(choice, "caption+letters").endswith("\nCount them.\n(A) 1\n(B) 2\n(C) 3\n(D) 4\n(E) 5")


@pytest.mark.parametrize(
    ("question", "options", "shown"),
    [
        ("<image1>\nCount.", [], "Count."),
        ("Look. <image1> Count.", [], "Look. Count."),
        ("The sum <image1> is wrong.", [], "The sum <image1> is wrong."),
        ("This <image1>\nor <image2>", [], "This <image1>\nor <image2>"),
        ("Which?", ["<image1>"] * 5, "Which?"),
    ],
)
def test_picture_marks(question, options, shown):
    problem = mathvision.problem({**VISION, "question": question, "options": options, "answer": "A"})
    lines = mathvision.prompt(problem).split("\n", 1)[1]
    assert lines.startswith(shown)
    assert lines.count("<image") == (question + "".join(options)).count("<image") - (question.count("<image") == 1) * (
        "is wrong" not in question
    )


def test_options_that_are_bare_letters_are_left_out():
    problem = mathvision.problem({**VISION, "options": list("ABCDE"), "answer": "A"})
    assert "(B)" not in mathvision.prompt(problem)
    assert mathvision.prompt(problem, "direct+letters").endswith("(D) D\n(E) E")
    other = mathvision.problem({**VISION, "options": list("ABCDF"), "answer": "A"})
    assert mathvision.prompt(other).endswith("(E) F")


def test_verse_options_come_from_the_whole_question():
    problem = mathverse.problem(VERSE)
    assert problem.choices == ("1", "2", "3\nmore of it")
    assert problem.groups["subfield"] == ("Solid Geometry: Area",)
    assert (mathverse.prompt(problem), mathverse.prompt(problem, "cot")) == ("Answer.", "Reason.")
    with pytest.raises(mm.InputError, match="query_cot"):
        mathverse.prompt(mathverse.problem({k: v for k, v in VERSE.items() if k != "query_cot"}), "cot")


def test_verse_ids_of_all_versions_differ():
    text = mathverse.problem({**VERSE, "problem_version": "Text Only"})
    assert text.id != mathverse.problem(VERSE).id


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("A. 1;B. 2; C. 3", ("1", "2", "3")),
        ("A. 45° B. 60° ;C. 120°", ("45°", "60°", "120°")),
        ("A. 1, 2; 3;B. 4", ("1, 2 3", "4")),
        ("A. to point ;B.; B. to point ;C.; C. no", ("to point B.", "to point C.", "no")),
        ("A. yes; B. no; F. neither", ("yes", "no", "", "", "", "neither")),
        ("A. ①;B\uff0e②", ("①", "②")),
        ("", ()),
    ],
)
def test_we_options(text, options):
    assert wemath.options(text) == options


def test_we_prompts():
    problem = wemath.problem(WE)
    text = wemath.prompt(problem)
    assert "Question: How long?\nOption: A. 1 m;B. 2 m; C. 3 m\n" in text
    assert text.endswith("<Thought process>: <<your thought process>>\n<Answer>: <<your option>>")
    assert "1. It moves." not in text
    cards = wemath.prompt(problem, "kca")
    assert cards.index("1. It moves.") < cards.index("Question:")


def test_we_groups():
    problem = wemath.problem(WE)
    assert problem.groups == {
        "step": ("one-step",),
        "topic": ("Basic Transformations of Figures",),
        "domain": ("Transformation and Motion of Figures",),
        "concept": ("Translation",),
    }
    whole = wemath.problem({**WE, "key": "3steps_multi", "knowledge concept": "Translation;Rotation"})
    assert whole.groups == {"step": ("three-step",)}
    assert whole.extra["concepts"] == ["Translation", "Rotation"]


@pytest.mark.parametrize(
    ("name", "file"), [("mathvision", "test.jsonl"), ("mathverse", "testmini.json"), ("wemath", "testmini.json")]
)
def test_local_files(tmp_path, name, file):
    module = mm.benchmark(name).rows
    split = file.partition(".")[0]
    row = {**ROWS[name], "image": "images/7.png", "image_path": "7.png"}
    text = json.dumps(row) + "\n" if file.endswith("l") else json.dumps([row])
    with pytest.raises(mm.InputError, match="no such file"):
        list(module.read(tmp_path, split))
    (tmp_path / file).write_text(text)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "7.png").touch()
    (found,) = module.read(tmp_path, split)
    (picture,) = module.pictures(found)
    assert picture == {"bytes": None, "path": str((tmp_path / "images" / "7.png").resolve())}
    assert set(module.features(split)) - set(found) <= {"solution", "image", "split", "question number"}
    (tmp_path / file).write_text("[1]\n" if file.endswith("l") else "[1]")
    with pytest.raises(mm.InputError, match=r"(line|row) 1"):
        list(module.read(tmp_path, split))
    (tmp_path / file).write_text("{")
    with pytest.raises(mm.InputError, match="not JSON"):
        list(module.read(tmp_path, split))


def test_captions_beside_the_rows(tmp_path):
    (tmp_path / "test.jsonl").write_text(json.dumps(VISION) + "\n")
    (tmp_path / "captions.jsonl").write_text(json.dumps({"id": "7", "caption": "Five apples."}) + "\n")
    (row,) = mathvision.read(tmp_path, "test")
    assert row["caption"] == "Five apples."
