"""What several sampled responses to one problem are worth together (MATH-Vision, Figure 3b: majority of 20)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mmmath_tasks.metrics.answers import Expectation, equal
from mmmath_tasks.problem import Problem, Verdict

TIES = "the largest set of equal answers; of sets of one size the one whose answer came first"
"""How a vote is decided, in the words that stand beside its numbers."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The vote of several responses to one problem.

    Attributes:
        verdict: of the response that won the verified vote, `official`, `prediction` and `reader` from the winner of
            the official one; of the first response where nobody has a vote.
        tied_official: the largest set of the official vote was not alone.
        tied_verified: likewise.
        agreement: the share of pairs of responses whose answers are equal by the verified vote; a response without a
            vote agrees with none. nan for a single response.
    """

    verdict: Verdict
    tied_official: bool
    tied_verified: bool
    agreement: float


def vote(
    problem: Problem,
    verdicts: Sequence[Verdict],
    expectation: Callable[[Problem], Expectation] | None = None,
    official_equal: Callable[[Problem, str, str], bool] | None = None,
) -> Vote:
    """Return the majority of several responses.

    Each rule votes on what it reads: `official` on the predictions, equal as the authors' rule calls them equal,
    `verified` on the answers read, equal by option or by value. A response
    from which nothing could be read has no vote, and in the verified vote none that names no option has one.

    Args:
        problem: the one that was asked.
        verdicts: at least one, in the order in which the responses were sampled.
        expectation: the benchmark's; None: answers are equal as texts.
        official_equal: the benchmark's; None: predictions are equal as texts.
    """
    expected = expectation(problem) if expectation else None

    def same(first: str, second: str) -> bool:
        return expected is not None and equal(first, second, expected)

    predictions = [None if v.extracted is None else v.prediction for v in verdicts]
    answers = [v.extracted for v in verdicts]
    if expected is not None and expected.kind == "choice":
        answers = [answer if answer is not None and same(answer, answer) else None for answer in answers]
    theirs = equal_sets(predictions, partial(official_equal, problem) if official_equal else str.__eq__)
    ours = equal_sets(answers, same)
    official = verdicts[_winner(theirs) or 0]
    won = replace(
        verdicts[_winner(ours) or 0],
        official=official.official,
        prediction=official.prediction,
        reader=official.reader,
    )
    pairs = math.comb(len(verdicts), 2)
    agreement = sum(math.comb(len(members), 2) for members in ours) / pairs if pairs else math.nan
    return Vote(won, _tied(theirs), _tied(ours), agreement)


def equal_sets(answers: Sequence[str | None], same: Callable[[str, str], bool]) -> list[list[int]]:
    """Return the sets of equal answers, as positions, in the order of their first ones.

    Args:
        answers: to one problem, in the order in which they were sampled; None is in no set.
        same: whether two answers that differ as texts are equal.
    """
    sets: list[tuple[str, list[int]]] = []
    for position, answer in enumerate(answers):
        if answer is None:
            continue
        for first, members in sets:
            if answer == first or same(answer, first):
                members.append(position)
                break
        else:
            sets.append((answer, [position]))
    return [members for _, members in sets]


def _winner(sets: Sequence[Sequence[int]]) -> int | None:
    """Return the first position of the largest set, of sets of one size the first, so that the vote needs no chance."""
    return max(sets, key=len)[0] if sets else None


def _tied(sets: Sequence[Sequence[int]]) -> bool:
    return [len(members) for members in sets].count(max(map(len, sets), default=0)) > 1
