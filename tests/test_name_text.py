"""Names that fit and still differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.name_text import shortened

names = st.text(st.characters(), min_size=1, max_size=30)


def test_long_names_are_cut_where_they_are_alike():
    alike = ["Qwen2.5-VL-72B-Instruct-direct-answers-first", "Qwen2.5-VL-72B-Instruct-direct-answers-second"]
    assert shortened(alike, 24) == ["Qwen2.5-VL-…nswers-first", "Qwen2.5-VL-…swers-second"]
    assert shortened(["short", "shorter", "short"], 24) == ["short", "shorter", "short #2"]


@given(st.lists(names | st.sampled_from(["a", "a #2"]), min_size=1, max_size=6), st.integers(6, 30))
def test_different_names_stay_different(found, most):
    cut = shortened(found, most)
    assert len(set(cut)) == len(found)
    assert all(len(name) <= most for name in cut)


@pytest.mark.parametrize("where", range(0, 60, 7))
def test_names_that_differ_in_one_place_stay_different_wherever_that_is(where):
    pair = ["x" * where + sign + "x" * (59 - where) for sign in "ab"]
    assert len(set(shortened(pair, 22))) == 2
