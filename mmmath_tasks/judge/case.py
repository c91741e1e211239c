"""What is judged, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.prompt import Prompt
from mmmath_tasks.metrics.readers import GIVEN, JUDGE
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.scoring import benchmark, was_cut

_FAILED = "judge_failed: "


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, the response to judge, and the problem's pictures in their order."""

    problem: Problem
    response: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and what it rests on.

    Attributes:
        verdict: as from the benchmark's own scoring; unscored with "judge_failed: <cause>" where the judge failed.
        answers: the judge's answers in the order they were asked for; () where the judge was not needed.
        detail: what the metric keeps for a reader: steps with their marks and analyses, an error's class, ...
        prompts: "id@version" of every prompt that was asked.
    """

    verdict: Verdict
    answers: tuple[Answer, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    prompts: tuple[str, ...] = ()

    @property
    def failure(self) -> str:
        """Why the judge failed; "" where it did not."""
        reason = self.verdict.reason
        return reason.removeprefix(_FAILED) if reason.startswith(_FAILED) else ""

    def row(self, case: Case, model: str) -> dict[str, Any]:
        """Return one row of a samples file: problem, response, verdict; what the metric keeps; who judged, the cost."""
        account = {
            "model": model if self.answers else None,
            "prompts": list(self.prompts),
            "tokens_in": sum(a.tokens_in for a in self.answers),
            "tokens_out": sum(a.tokens_out for a in self.answers),
            "cost": round(sum(a.cost for a in self.answers), 9),
        }
        return {
            "problem": case.problem.to_dict(),
            "response": case.response,
            "verdict": self.verdict.to_dict(),
            "detail": dict(self.detail),
            "judge": account,
        }


Metric = Callable[..., list[Judged]]
"""A judged metric: (judge, cases, **options) -> one Judged a case, in their order."""


def failed(case: Case, answers: Sequence[Answer], prompts: Sequence[Prompt]) -> Judged:
    """Return the unscored verdict of a case whose last answer brought no reply."""
    reason = f"{_FAILED}{answers[-1].cause}"
    return Judged(Verdict(case.problem.id, None, None, reason=reason), tuple(answers), {}, names(prompts))


def with_cuts(cases: Sequence[Case], judged: Sequence[Judged]) -> list[Judged]:
    """Return what was judged with the verdicts on cut responses saying so."""
    found = []
    for case, one in zip(cases, judged, strict=True):
        cut = was_cut(benchmark(case.problem.benchmark), one.verdict, case.problem, case.response)
        found.append(dataclasses.replace(one, verdict=dataclasses.replace(one.verdict, truncated=cut)))
    return found


def names(prompts: Sequence[Prompt]) -> tuple[str, ...]:
    """Return "id@version" of each prompt."""
    return tuple(f"{prompt.id}@{prompt.version}" for prompt in prompts)


def by_judge(verdict: Verdict, judge: Judge, **changes: Any) -> Verdict:
    """Return a verdict with the judge named as the rule that read the answer; as its reader, too, unless rules were."""
    who = f"judge:{judge.client.model}"
    reader = who if verdict.reader in (GIVEN, JUDGE) else verdict.reader
    return dataclasses.replace(verdict, rule=who, reader=reader, **changes)


Sure = float | frozenset[str] | None
"""Where the rules' verdict stands: on a plain answer read with this confidence, or on these ids; None: nowhere."""


def is_sure(verdict: Verdict, sure: Sure) -> bool:
    """Say whether the rules' verdict stands."""
    if isinstance(sure, frozenset):
        return verdict.id in sure
    plain = verdict.extracted is not None and verdict.reason in ("", "judge_needed", "no_gold")
    return sure is not None and plain and verdict.confidence >= sure


def whole_question(case: Case) -> str:
    """Return the question with its options, lettered; for MathVerse the text that is whole in every version."""
    problem = case.problem
    if problem.extra.get("question_for_eval"):
        return str(problem.extra["question_for_eval"])
    options = "\n".join(f"({chr(ord('A') + i)}) {choice}" for i, choice in enumerate(problem.choices))
    return "\n".join(filter(None, [problem.question, options]))
