"""Counts of causes: each response under one name, and the names agree with the shares."""

import pytest

from mmmath_tasks.metrics.mathvision import score, summarise
from mmmath_tasks.metrics.tally import mean, wilson
from mmmath_tasks.problem import Problem


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
        ([0.0, 1.0, 1.0], (0.0, 1.0)),
        ([0.4] * 5, (0.0, 1.0)),
        ([0.7], (0.0, 1.0)),
        ([10.0] * 5, (1.0, 10.0)),
    ],
)
def test_the_interval_of_a_mean_is_never_a_point(values, scale):
    found, (least, most) = mean("m", values, scale=scale), scale
    assert least <= found.low <= found.value <= found.high <= most
    share = (sum(values) / len(values) - least) / (most - least)
    bounds = [least + x * (most - least) for x in wilson(share * len(values), len(values))]
    assert [found.low, found.high] == pytest.approx(bounds)
    assert found.high - found.low > 0.3 * (most - least)


def test_the_interval_of_values_that_differ_is_the_normal_one():
    found = mean("m", [2.0, 4.0, 6.0, 8.0], scale=(1.0, 10.0))
    assert (found.low, found.high) == pytest.approx(
        (5 - 1.96 * (20 / 3 / 4) ** 0.5, 5 + 1.96 * (20 / 3 / 4) ** 0.5), 1e-3
    )
