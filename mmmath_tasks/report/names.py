"""What metrics and breakdowns are called in words, and on which scale they are shown."""

from __future__ import annotations

from mmmath_tasks.problem import Scorecard

POINTS = 10
"""A judge's rating goes to ten points."""

_WORDS = {
    "acc": "accuracy",
    "acc_macro": "accuracy, mean of slices",
    "acc_judged": "accuracy by a judge",
    "s1": "accuracy on one-step problems",
    "score_strict": "score, strict",
    "score_loose": "score, loose",
    "cot_e": "CoT-E score",
    "execution": "execution score",
    "execution_macro": "execution score, mean of slices",
    "rating": "rating",
    "parse_failure": "share without a readable option",
    "code_failure": "share of failing code",
}


def is_verified(metric: str) -> bool:
    """Say whether a metric is about the verified verdicts: "acc_verified", "acc_verified_macro"."""
    return "_verified" in metric


def official_of(metric: str) -> str:
    """Return the metric without its "_verified"."""
    return metric.replace("_verified", "")


def is_own_judge(metric: str) -> bool:
    """Say whether a metric is a judge's by other prompts than the authors': "acc_judged", "acc_text_only_judged"."""
    return metric.endswith("_judged")


def rule_of(metric: str) -> str:
    """Return by whose rule a headline metric is, in words."""
    if is_own_judge(metric):
        return "not by the authors' prompts"
    return "verified rule" if is_verified(metric) else "authors' rule"


def verified_of(card: Scorecard, metric: str) -> str | None:
    """Return the verified counterpart of an official metric; None where the card has none."""
    named = (s.metric for s in card.scores if is_verified(s.metric))
    return next((name for name in named if official_of(name) == metric.removesuffix("_judged")), None)


def is_difference(metric: str) -> bool:
    """Say whether a metric is a difference of fractions and goes from -1 to 1: MathVista's `gain` over guessing."""
    return metric == "gain"


def words(metric: str) -> str:
    """Return a metric in words, by whichever rule."""
    base = official_of(metric)
    return _WORDS.get(base, base.replace("_", " "))


def group_words(group: str) -> str:
    """Return a breakdown in words."""
    return group.replace("_", " ").replace(" x ", " \u00d7 ")


def head(metric: str) -> str:
    """Return a metric as the head of a column: its name, and whether it is the verified verdicts'."""
    return official_of(metric).replace("_", " ") + (" verified" if is_verified(metric) else "")
