import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.hub_datasets.publishing.statistics import (
    StatisticsTable,
    distinct,
    kl_divergence,
    mean,
    number,
    over,
    portion,
    share,
    size,
    table,
    times,
    total_variation,
    words,
)

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


def test_a_line_is_counted_over_every_split():
    counts = {
        "rows": size,
        "ones": times(lambda row: row["a"] == 1),
        "share": portion(lambda row: row["a"] == 1),
        "kinds": distinct(lambda row: row["a"]),
        "most": over(max, lambda row: [row["a"], row["b"]]),
        "mean": over(mean, lambda row: [row["a"], row["b"]]),
    }
    splits = {"x": [{"a": 1, "b": 1000}, {"a": 1, "b": 3}, {"a": 2, "b": 3}], "none": []}
    found = table("T", "C", splits, [(name, f"p {name}", count) for name, count in counts.items()])
    assert (found.title, found.covers) == ("T", "C")
    assert [(line.name, line.paper, line.built["x"], line.built["none"], line.note) for line in found.lines] == [
        ("rows", "p rows", "3", "0", ""),
        ("ones", "p ones", "2", "0", ""),
        ("share", "p share", "2 (66.7%)", "0", ""),
        ("kinds", "p kinds", "2", "0", ""),
        ("most", "p most", "1,000", "0", ""),
        ("mean", "p mean", "168.33", "-", ""),
    ]
    noted = table("T", "C", splits, [found.lines[0], ("rows", "7", size, "a note")])
    assert noted == StatisticsTable("T", "C", (found.lines[0], noted.lines[1]))
    assert noted.lines[1].note == "a note"
