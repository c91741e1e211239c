"""What single cells and rows of saved files hold."""

import math
from pathlib import Path

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs import cells
from mmmath_tasks.outputs.columns import choose
from mmmath_tasks.outputs.objects import rows_of
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.outputs.sheets import header
from mmmath_tasks.outputs.upstream_row import upstream_row


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("['a', 'b'] \n", ["a", "b"]),
        ('["a"]', ["a"]),
        ("['a' 'b'\n 'c']", ["a", "b", "c"]),  # as numpy prints it
        ("['a' 'b', 'c']", ["ab", "c"]),
        ("{'x': 1}", {"x": 1}),
        ("[1, 2", "[1, 2"),
        ("['a'] is the answer", "['a'] is the answer"),
        (" ['a']", " ['a']"),
        ("[a]", "[a]"),
        (7, 7),
        ("[" + "1," * 100_000 + "]", "[" + "1," * 100_000 + "]"),
    ],
)
def test_a_literal_in_brackets_is_read_and_nothing_else(value, found):
    assert cells.literal(value) == found


@pytest.mark.parametrize(
    ("function", "pairs"),
    [
        (
            cells.flag,
            {
                "True": True,
                "FALSE": False,
                "1": True,
                0: False,
                1.0: True,
                "0.0": False,
                2: None,
                -1: None,
                "2": None,
                "": None,
            },
        ),
        (cells.identifier, {7.0: "7", 7.5: "7.5", "7.0": "7", " 7 ": "7", "a.0": "a.0", "17.00": "17.00", None: ""}),
        (cells.integer, {7: 7, -1: -1, True: None, 8.0: None, "7": None, None: None}),
        (cells.number, {"7": 7, "7.5": 7.5, "x": "x", "": "", 8: 8}),
        (cells.text, {None: None, math.nan: None, 1.5: "1.5", "": "", "a": "a"}),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_cells_of_each_kind(function, pairs):
    found = {value: function(value) for value in pairs}
    assert {k: (type(v), v) for k, v in found.items()} == {k: (type(v), v) for k, v in pairs.items()}


def asked(role, content):
    return {"role": role, "content": content}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (["a", None, 3], ["a", None, "3"]),
        ([["a"], [["b"]]], ["a", "b"]),
        ([], []),
        (None, [None]),
        ([asked("user", "?"), asked("assistant", "b")], ["b"]),
        ([asked("assistant", "b"), asked("user", "?")], []),
        ([{"from": "human", "value": "?"}, {"from": "gpt", "value": "c"}], ["c"]),
        ([[asked("user", "?"), asked("model", "d")], [asked("bot", "e")]], ["d", "e"]),
        (asked("user", [{"text": "f"}, {"type": "image"}, "x", {"text": "g"}]), ["fg"]),
    ],
)
def test_texts_in_any_wrapping(value, found):
    assert cells.texts(value) == found


def test_an_object_that_is_no_message_is_named():
    with pytest.raises(InputError, match=r"^row 3 should be text or a list of texts, got an object$"):
        cells.texts(["a", {"role": "user"}], "row 3")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"a": "x", "b": ["y"]}, [(1, {"id": "a", "response": "x"}), (2, {"id": "b", "response": ["y"]})]),
        ({"a": {"response": "x"}, "b": None}, [(1, {"id": "a", "response": "x"}), (2, {"id": "b", "response": None})]),
        ({"id": "x", "b": "y"}, [(1, {"id": "id", "response": "x"}), (2, {"id": "b", "response": "y"})]),
        ({"n": 3, "data": {"7": {"response": "x"}}}, [(1, {"id": "7", "response": "x"})]),
        ({"rows": [{"id": "7", "response": "x"}]}, [(1, {"id": "7", "response": "x"})]),
        ({"id": ["7", "8"], "response": ["x", "y"]}, [(i, {"id": f"{6 + i}", "response": "wxy"[i]}) for i in (1, 2)]),
        ({"id": {"0": "7"}, "response": {"0": "x"}}, [(1, {"id": "7", "response": "x"})]),
        ({"id": "7", "response": "x"}, [(1, {"id": "7", "response": "x"})]),
    ],
)
def test_rows_of_an_object(value, found):
    assert list(rows_of(Path("f.json"), value)) == found


def test_a_csv_row_gets_its_numbers_and_its_empty_cells_back():
    row = {"pid": "1", "question": "?", "choices": "", "precision": "2.0", "unit": "", "x": ""}
    saved = Saved(where=1, ids=("1",), position=None, responses=(), row=row)
    assert dict(upstream_row("mathvista", saved)) == {**row, "choices": None, "precision": 2.0, "unit": None}
    for precision in ("", "two", None):
        found = upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "precision": precision}))
        assert found["precision"] == (None if precision == "" else precision)
    inner = {"pid": "2"}
    assert upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "problem_row": inner})) == inner
    assert upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "problem_row": "x"}))["pid"] == "1"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"response": "z"}, "f: --response-column: no column 'z'; its columns: id, response"),
        ({"extraction": "z"}, "f: --extraction-column: no column 'z'; its columns: id, response"),
    ],
)
def test_a_column_that_is_not_there_is_named_with_its_option(options, said):
    rows = [{"id": "1", "response": "x"}]
    with pytest.raises(InputError) as raised:
        choose(Path("f"), rows, rows, None, **options)
    assert str(raised.value) == said


def test_columns_are_listed_up_to_twelve():
    rows = [{f"c{i:02}": "x" for i in range(13)}]
    with pytest.raises(InputError, match=r"another\); its columns: c00, .*, c11, \.\.\.$"):
        choose(Path("f"), rows, rows, None)


ASKED = "How many apples lie there?"


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([{"response": "A", "prediction": "b" * 31}] * 2, "prediction"),  # twice as long, and more than a short answer
        ([{"response": "A" * 17, "prediction": "b" * 33}] * 2, "response"),
        ([{"response": "A", "prediction": "b" * 30}] * 2, "response"),
        ([{"response": "A", "prediction": f"{ASKED} Say it.", "question": ASKED}] * 2, "response"),
        (
            [{"response": "A", "prediction": f"{ASKED} It is 7.", "question": q} for q in (ASKED, "x" * 20)],
            "prediction",
        ),
        ([{"response": "A", "prediction": f"apples? {'b' * 30}", "question": "apples?"}] * 2, "prediction"),
        ([{"response": "", "prediction": "A"}, {"response": None, "prediction": "B"}], "prediction"),
    ],
)
def test_the_models_text_is_told_from_short_answers_and_prompts(rows, chosen):
    assert choose(Path("f"), rows, rows, None).responses[0] == chosen


@pytest.mark.parametrize(
    ("verdicts", "flag"),
    [
        ([1, "maybe", "no"], None),
        ([1, 0, "no"], "correct"),
        ([1, "no"], None),
        ([None, "", True], "correct"),
        ([], None),
    ],
)
def test_stored_verdicts_are_what_is_mostly_plain(verdicts, flag):
    rows = [{"response": "A", "correct": verdict} for verdict in verdicts] or [{"response": "A"}]
    assert choose(Path("f"), rows, rows, None).flag == flag


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["id", "x"], ["id", "x"]),
        (["id", None, ""], ["id", "column 2", "column 3"]),
        ([7, 8], ["7", "8"]),
        (["id"], "f: one column 'id'; expected a table with an id and a response column"),
        ([], "f: one column; expected a table with an id and a response column"),
        (["a", "b", "a"], "f: header: 2 columns are called 'a'"),
    ],
)
def test_names_of_columns(names, found):
    if isinstance(found, list):
        assert header(Path("f"), names) == found
        return
    with pytest.raises(InputError) as raised:
        header(Path("f"), names)
    assert str(raised.value) == found
