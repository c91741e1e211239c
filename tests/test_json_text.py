"""JSON that Python's own reader answers with three kinds of errors."""

import json

import pytest

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError


@pytest.mark.parametrize("text", ["", "{", '{"a": ' + "1" * 5_000 + "}", "[" * 200_000, '"\x00"'])
def test_one_kind_of_error(text):
    with pytest.raises(json.JSONDecodeError):
        json_text.loads(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value at column 1"),
        ('{"a": "\x00"}\n', "Invalid control character at column 8"),
        ('{"a": 1,\n "b" 2}', "Expecting ':' delimiter at line 2, column 6"),
        ("[1,\n2,\n", "Expecting value at line 2, column 3"),
        ("[" * 200_000, "Brackets nested too deep"),
        ("1" * 5_000, "A number of too many digits"),
    ],
    ids=lambda text: text[:9],
)
def test_a_fault_is_named_with_its_place_where_it_has_one(text, said):
    with pytest.raises(json.JSONDecodeError) as raised:
        json_text.loads(text)
    assert json_text.fault(raised.value) == said


def test_an_error_of_a_hook_goes_through():
    def refuse(pairs):
        raise InputError("no")

    with pytest.raises(InputError, match=r"^no$"):
        json_text.loads("{}", object_pairs_hook=refuse)


def test_what_is_json_is_read():
    assert json_text.loads('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    assert json_text.loads("1.5", parse_float=str) == "1.5"
