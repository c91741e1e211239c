"""Upstream's JSON: whatever is wrong with it is one message that names the place."""

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import load_json, load_json_lines

FAULTS = {
    "[" * 100_000: "Brackets nested too deep$",
    "9" * 5000: "A number of too many digits$",
    "{": "Expecting .* at column 2$",
}


@pytest.mark.parametrize("text", FAULTS, ids=FAULTS.values())
def test_what_is_no_json_is_named(tmp_path, text):
    path = tmp_path / "rows"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"/rows: not JSON: {FAULTS[text]}"):
        load_json(path)
    path.write_text(f"{{}}\n{text}")
    with pytest.raises(InputError, match=rf"/rows: line 2 is not JSON: {FAULTS[text]}"):
        list(load_json_lines(path))


def test_a_key_that_repeats_is_named(tmp_path):
    path = tmp_path / "rows"
    path.write_text('{"1": {"a": 1, "a": 2}}')
    with pytest.raises(InputError, match="/rows: the key 'a' stands twice in one object"):
        load_json(path)
