"""JSON that Python's own reader answers with three kinds of errors."""

import json

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.json_text import loads


@pytest.mark.parametrize("text", ["", "{", '{"a": ' + "1" * 5_000 + "}", "[" * 200_000, '"\x00"'])
def test_one_kind_of_error(text):
    with pytest.raises(json.JSONDecodeError):
        loads(text)


def test_an_error_of_a_hook_goes_through():
    def refuse(pairs):
        raise InputError("no")

    with pytest.raises(InputError, match=r"^no$"):
        loads("{}", object_pairs_hook=refuse)


def test_what_is_json_is_read():
    assert loads('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    assert loads("1.5", parse_float=str) == "1.5"
