"""What single cells of saved files hold."""

import math

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs import cells


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
