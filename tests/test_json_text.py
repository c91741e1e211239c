"""JSON that Python's own reader answers with three kinds of errors."""

import json

import pytest

from mmmath_tasks.json_text import loads


@pytest.mark.parametrize("text", ["", "{", '{"a": ' + "1" * 5_000 + "}", "[" * 200_000, '"\x00"'])
def test_one_kind_of_error(text):
    with pytest.raises(json.JSONDecodeError):
        loads(text)


def test_what_is_json_is_read():
    assert loads('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    assert loads("1.5", parse_float=str) == "1.5"
