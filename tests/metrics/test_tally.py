"""Counts of causes: each response under one name, and the names agree with the shares."""

from mmmath_tasks.metrics.mathvision import score, summarise
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
