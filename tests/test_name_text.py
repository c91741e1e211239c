"""Names that fit and still differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.name_text import did_you_mean, shortened

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
    first, second = shortened(pair, 22)
    assert "a" in first
    assert "b" in second


def test_several_long_names_that_differ_in_the_middle_show_where():
    names = [f"org__vision-language-model-{size}b-instruct-temperature-0-run" for size in (3, 7, 72)]
    found = shortened(names, 24)
    assert all(size in name for size, name in zip(("-3b", "-7b", "-72"), found, strict=True))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mathvist", "; did you mean 'mathvista'?"),
        ("rescor", "; did you mean 'rescore'?"),
        ("--bechmark", "; did you mean '--benchmark'?"),
        ("chess", ""),
        ("", ""),
    ],
)
def test_near_words_are_named_and_far_ones_are_not(word, said):
    assert did_you_mean(word, ["mathvista", "wemath", "rescore", "report", "--benchmark"]) == said
