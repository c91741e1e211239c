"""Counts of corners: right where the last word is the gold."""

from mmmath_tasks.contract import Shares
from mmmath_tasks.metrics.tally import counts, joined, proportion, proportions
from mmmath_tasks.problem import Scorecard, Verdict

RULE_VERSION = "1"
RADARS = ("shape",)
PROFILES = ("size",)
SHARES = (Shares("outcomes", "Outcomes", "acc", {"wrong": "wrong", "right": "acc"}, "wrong", "wrong, right."),)


def score(problem, response, *, extraction=None):
    said = (response if extraction is None else extraction) or ""
    last = said.split()[-1].rstrip(".") if said.split() else None
    right = last == problem.answer
    return Verdict(problem.id, right, right, extracted=last, prediction=last, reason="" if last else "empty")


def summarise(problems, verdicts):
    pairs = joined(problems, verdicts)
    scores = [
        *proportions("acc", [(p, v.official) for p, v in pairs], ("shape", "size")),
        *proportions("acc_verified", [(p, v.verified) for p, v in pairs], ("shape", "size")),
        proportion("wrong", [not v.official for _, v in pairs]),
    ]
    return Scorecard("geomark", "acc", tuple(scores), counts(problems, verdicts))
