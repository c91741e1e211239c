import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.hub_datasets.publishing.statistics import kl_divergence, mean, number, share, total_variation, words

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 1000), min_size=1)


@given(COUNTS, COUNTS)
def test_distances_are_zero_for_equals_and_bounded(part, whole):
    assert kl_divergence(part, part) == pytest.approx(0, abs=1e-12)
    assert 0 <= total_variation(part, whole) <= 1
    assert total_variation(part, whole) == pytest.approx(total_variation(whole, part))
    # Pinsker's inequality ties the two together
    assert total_variation(part, whole) <= math.sqrt(kl_divergence(part, whole) / 2) + 1e-9


@given(COUNTS, st.integers(2, 9))
def test_only_proportions_matter(part, times):
    more = {name: count * times for name, count in part.items()}
    assert kl_divergence(part, more) == pytest.approx(0, abs=1e-12)
    assert total_variation(part, more) == pytest.approx(0, abs=1e-12)


def test_known_values():
    assert kl_divergence({"a": 3, "b": 1}, {"a": 1, "b": 1}) == pytest.approx(
        0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    )
    assert total_variation({"a": 3, "b": 1}, {"a": 1, "b": 1}) == pytest.approx(0.25)
    assert kl_divergence({"a": 1}, {"b": 1}) == math.inf
    assert math.isnan(kl_divergence({}, {"a": 1}))
    assert math.isnan(total_variation({"a": 1}, {}))


def test_how_figures_are_shown():
    assert [number(1234), number(2.5), number(mean([]))] == ["1,234", "2.50", "-"]
    assert [share(540, 1000), share(0, 0)] == ["540 (54.0%)", "0"]
    assert words("Which number\n<image1>  fits?") == 4
