"""Rules where they are sure, a judge for the rest: which responses it gets, what that saves and what it moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mmmath_tasks.judge.case import Case, Judged, Sure
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.problem import Verdict
from mmmath_tasks.scoring import Benchmark


@dataclass(frozen=True, slots=True)
class Mixing:
    """What became of responses of which a judge read some only.

    Attributes:
        share: the least sure share, 0 to 1, that the judge was to read; None where a confidence was named.
        below: the confidence below which the judge was to read; None where a share was named.
        by_judge: responses that the judge read.
        by_rules: the others.
        raised: of the judge's, ids that the rules call wrong and the judge calls right.
        lowered: the other way round.
        calls, tokens, cost: what the judge would have taken for the others, about: requests, tokens in and out, US
            dollars.
    """

    share: float | None
    below: float | None
    by_judge: int
    by_rules: int
    raised: tuple[str, ...]
    lowered: tuple[str, ...]
    calls: int
    tokens: int
    cost: float

    @property
    def asked(self) -> str:
        """Which responses the judge got, in words."""
        if self.share is not None:
            return f"the least sure {100 * self.share:g} % of the responses"
        return f"where the rules are less sure than {self.below:g}"

    def account(self) -> dict[str, Any]:
        """Return what a scorecard says of it."""
        return {
            "by_judge": self.by_judge,
            "by_rules": self.by_rules,
            "raised": len(self.raised),
            "lowered": len(self.lowered),
            "saved": {"calls": self.calls, "tokens": self.tokens, "cost": round(self.cost, 6)},
        }


def surest(known: Benchmark, cases: Sequence[Case], settings: Settings) -> Sure:
    """Return for which responses the rules' verdict stands: a confidence, ids, or None for none.

    Those of a share are the least sure, whatever they say, also where the rules found no answer: it is then that they
    are sure of, or not.
    """
    if settings.unsure is None:
        return settings.only_unsure
    ruled = sorted((known.score(c.problem, c.response) for c in cases), key=lambda v: (v.confidence, v.id))
    return frozenset(v.id for v in ruled[math.ceil(settings.unsure * len(ruled)) :])


def mixing(
    known: Benchmark,
    cases: Sequence[Case],
    judged: Sequence[Judged],
    settings: Settings,
    ask: Callable[[Judge, Sequence[Case]], list[Judged]],
) -> Mixing | None:
    """Return what the rules did in the judge's place; None where the judge was asked about all.

    `judged` is what was made of the cases, in their order; `ask` has a judge judge all of some cases.
    """
    if settings.only_unsure is None and settings.unsure is None:
        return None
    pairs = list(zip(cases, judged, strict=True))
    read = [(known.score(c.problem, c.response), j.verdict) for c, j in pairs if j.answers and not j.failure]
    moved = [(ruled.id, _outcome(ruled), _outcome(verdict)) for ruled, verdict in read]
    left = [case for case, j in pairs if not j.answers]
    pretender = settings.open(dry=True, forget=True)
    try:
        ask(pretender, left)
        plan = pretender.plan
        assert plan is not None  # noqa: S101
        cost = pretender.budget.prices.cost(plan.tokens_in, plan.tokens_out)
    finally:
        pretender.close()
    return Mixing(
        settings.unsure,
        settings.only_unsure,
        len(pairs) - len(left),
        len(left),
        tuple(key for key, before, after in moved if after and not before),
        tuple(key for key, before, after in moved if before and not after),
        plan.calls,
        plan.tokens_in + plan.tokens_out,
        cost,
    )


def _outcome(verdict: Verdict) -> bool | None:
    """Return the verdict that a judge stands for: the official one, where the rules give none the verified one."""
    return verdict.verified if verdict.official is None else verdict.official
