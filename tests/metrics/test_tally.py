"""Counts of causes: each response under one name, and the names agree with the shares. Intervals of means."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mmmath_tasks.metrics import mathverse
from mmmath_tasks.metrics.mathvision import score, summarise
from mmmath_tasks.metrics.tally import interval, joined, mean, proportion, proportions, wilson
from mmmath_tasks.problem import Problem, Verdict


def choice(number):
    groups = {"level": ("1",), "subject": ("algebra",), "subject x level": ("algebra x 1",)}
    return Problem("mathvision", str(number), "Which?", ("3", "4", "5"), "A", "multi_choice", groups, {})


def test_an_answer_that_is_no_option_is_not_one_that_was_not_found():
    responses = [
        "The answer is A.",
        "The answer is \\boxed{17}.",
        "First, find the height. Then, find the base. It follows that they are related.",
        "",
    ]
    problems = [choice(number) for number in range(len(responses))]
    verdicts = [score(problem, response) for problem, response in zip(problems, responses, strict=True)]
    assert [v.extracted for v in verdicts] == ["A", "17", None, None]
    card = summarise(problems, verdicts)
    counts = {name: card.counts.get(name) for name in ("empty", "refusal", "truncated", "unextracted", "unmatched")}
    assert counts == {"empty": 1, "refusal": 0, "truncated": 0, "unextracted": 1, "unmatched": 1}
    assert card.value("share_unextracted") == (counts["empty"] + counts["unextracted"]) / len(responses)


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1.0] * 5, (0.0, 1.0)),
        ([0.4] * 5, (0.0, 1.0)),
        ([0.7], (0.0, 1.0)),
        ([0.3, 0.1 + 0.2], (0.0, 1.0)),  # which differ by 5.6e-17
        ([0.3, 0.31], (0.0, 1.0)),
        ([10.0] * 5, (1.0, 10.0)),
        ([7.0, 7.0], (1.0, 10.0)),
    ],
)
def test_the_interval_of_a_mean_is_never_a_point(values, scale):
    found, (least, most) = mean("m", values, scale=scale), scale
    assert least <= found.low <= found.value <= found.high <= most
    assert found.high - found.low > 0.3 * (most - least)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_the_interval_of_right_and_wrong_is_wilsons(outcomes):
    """The roots of (p - share)^2 = z^2 p (1 - p) / n, Wilson's own definition (1927)."""
    found, count = mean("m", [float(x) for x in outcomes]), len(outcomes)
    for end in {found.low, found.high} - {found.value}:
        assert (end - found.value) ** 2 == pytest.approx(1.96**2 * end * (1 - end) / count, rel=1e-3, abs=1e-12)


def test_the_interval_of_many_values_is_the_normal_one():
    found = mean("m", [2.0, 4.0, 6.0, 8.0] * 2500, scale=(1.0, 10.0))
    half = 1.96 * (5 / 10_000) ** 0.5
    assert (found.low, found.high) == pytest.approx((5 - half, 5 + half), abs=1e-3)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_an_interval_holds_its_mean_and_stays_on_the_scale(values):
    found = mean("m", values)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert found.high - found.low > 0.01


def test_versions_that_cancel_out_leave_no_point_at_two_problems():
    """Of six versions problem 1 has the first three right, problem 2 the others: the spread is 0, or nearly (1e-17)."""
    rows = {(index, name): (index == "1") == (i < 3) for i, name in enumerate(mathverse.VERSIONS) for index in "12"}
    problems = [
        Problem("mathverse", f"{index} {version}", "?", groups={"version": (version,)}, extra={"problem_index": index})
        for index, version in rows
    ]
    found = mathverse._macro("acc", list(zip(problems, rows.values(), strict=True)))
    assert found.value == 0.5
    assert found.high - found.low > 0.5


@pytest.mark.parametrize("count", [1, 2, 3, 10, 34, 100, 525, 1000])
def test_wilson_is_scipys_and_ends_where_the_scale_does(count):
    for hits in {0, 1, count // 3, count // 2, count - 1, count}:
        wanted = binomtest(hits, count).proportion_ci(method="wilson")
        for low, high in (
            wilson(hits, count),
            (lambda s: (s.low, s.high))(proportion("m", [i < hits for i in range(count)])),
        ):
            assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
            assert 0 <= low <= hits / count <= high <= 1


def test_wilson_of_all_or_none_ends_at_the_end_of_the_scale():
    for count in range(1, 700):
        assert wilson(count, count)[1] == 1.0
        assert wilson(0, count)[0] == 0.0


def test_of_nothing_there_is_no_interval():
    assert all(map(math.isnan, wilson(0, 0)))
    assert all(map(math.isnan, interval(0.5, 0.1, 0)))
    empty = (proportion("m", [], "g", "s"), mean("m", [], "g", "s"))
    assert [(s.metric, s.group, s.slice, s.count) for s in empty] == [("m", "g", "s", 0)] * 2
    assert all(math.isnan(x) for s in empty for x in (s.value, s.low, s.high))


@pytest.mark.parametrize("scale", [(0.0, 1.0), (1.0, 10.0)])
def test_the_interval_of_a_mean_holds_it_95_times_in_100(scale):
    """400 runs of 60 values of a lopsided kind, whose mean is known."""
    dice, (least, most) = random.Random(11), scale
    middle, held = least + (most - least) * 0.7, 0
    for _ in range(400):
        found = mean("m", [least + (most - least) * dice.betavariate(0.7, 0.3) for _ in range(60)], scale=scale)
        held += found.low <= middle <= found.high
    assert 368 <= held <= 392


def test_slices_come_in_the_papers_order_and_others_behind_it():
    groups = [("b",), ("a", "z"), ("c",), ("b", "a"), ()]
    outcomes = [True, False, None, False, True]
    pairs = [
        (Problem("x", str(i), "", groups={"g": g} if g else {}), o)
        for i, (g, o) in enumerate(zip(groups, outcomes, strict=True))
    ]
    found = proportions("m", pairs, ["g"], {"g": ["c", "b"]})
    assert [(s.group, s.slice, s.count) for s in found] == [
        ("", "", 4),
        ("g", "c", 0),
        ("g", "b", 2),
        ("g", "a", 2),
        ("g", "z", 1),
    ]
    assert [s.value for s in found] == pytest.approx([0.5, math.nan, 0.5, 0.0, 0.0], nan_ok=True)


def test_verdicts_keep_their_order_and_find_their_problem():
    problems = [Problem("x", key, "") for key in "abc"]
    found = joined(problems, [Verdict("c", True, True), Verdict("q", True, True), Verdict("a", True, True)])
    assert [(p.id, v.id) for p, v in found] == [("c", "c"), ("a", "a")]


def test_the_mean_of_versions_holds_the_truth_95_times_in_100():
    """Problems that are hard in all their versions: 300 runs of 40 problems in three versions of unlike difficulty."""
    dice, shift, held = random.Random(2), {"Text Dominant": 0.2, "Text Lite": 0.1, "Vision Only": 0.0}, 0
    for _ in range(300):
        pairs = []
        for i in range(40):
            ease = dice.uniform(0, 0.8)
            for version, more in shift.items():
                problem = Problem("mathverse", "", "", groups={"version": (version,)}, extra={"problem_index": str(i)})
                pairs.append((problem, dice.random() < ease + more))
        found = mathverse._macro("acc", pairs)
        held += found.low <= 0.5 <= found.high
    assert 273 <= held <= 297


def test_the_interval_of_versions_of_unlike_sizes_is_that_of_as_many_problems_as_the_smallest_has():
    """Two versions of four and two problems, two of which stand in both: each problem's pull on the mean by hand."""
    rows = {("1", "Text Lite"): True, ("2", "Text Lite"): True, ("3", "Text Lite"): True, ("4", "Text Lite"): False}
    rows |= {("1", "Vision Only"): True, ("2", "Vision Only"): False}
    pairs = [
        (Problem("mathverse", "", "", groups={"version": (version,)}, extra={"problem_index": index}), right)
        for (index, version), right in rows.items()
    ]
    found = mathverse._macro("acc", pairs)
    pulls = [0.25 / 4 / 2 + 0.5 / 2 / 2, 0.25 / 4 / 2 - 0.5 / 2 / 2, 0.25 / 4 / 2, -0.75 / 4 / 2]
    wanted = interval(0.625, 2 * sum(pull**2 for pull in pulls), 2)
    assert (found.value, found.low, found.high) == pytest.approx((0.625, *wanted))
