"""What several sampled responses to one problem are worth together (MATH-Vision, Figure 3b: majority of 20)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mmmath_tasks.metrics.answers import Expectation, equal
from mmmath_tasks.problem import Problem, Verdict

TIES = "the largest set of equal answers; of sets of one size the one whose answer came first"
"""How a vote is decided, in the words that stand beside its numbers."""


def vote(
    problem: Problem,
    verdicts: Sequence[Verdict],
    expectation: Callable[[Problem], Expectation] | None = None,
    official_equal: Callable[[Problem, str, str], bool] | None = None,
) -> Verdict:
    """Return the verdict of the majority.

    Each rule votes on what it reads: `official` on the predictions, equal as the authors' rule calls them equal,
    `verified` on the answers read, equal by option or by value. A response
    from which nothing could be read has no vote, and in the verified vote none that names no option has one.

    Args:
        problem: the one that was asked.
        verdicts: at least one, in the order in which the responses were sampled.
        expectation: the benchmark's; None: answers are equal as texts.
        official_equal: the benchmark's; None: predictions are equal as texts.

    Returns:
        the verdict of the response that won the verified vote, `official` and `prediction` from the winner of the
        official one; of the first response where nobody has a vote.
    """
    expected = expectation(problem) if expectation else None

    def same(first: str, second: str) -> bool:
        return expected is not None and equal(first, second, expected)

    predictions = [None if v.extracted is None else v.prediction for v in verdicts]
    answers = [v.extracted for v in verdicts]
    if expected is not None and expected.kind == "choice":
        answers = [answer if answer is not None and same(answer, answer) else None for answer in answers]
    official = verdicts[majority(predictions, partial(official_equal, problem) if official_equal else str.__eq__) or 0]
    return replace(
        verdicts[majority(answers, same) or 0],
        official=official.official,
        prediction=official.prediction,
        reader=official.reader,
    )


def majority(answers: Sequence[str | None], same: Callable[[str, str], bool]) -> int | None:
    """Return the position of the first answer of the largest set of equal ones.

    Args:
        answers: to one problem, in the order in which they were sampled; None gives no vote.
        same: whether two answers that differ as texts are equal.

    Returns:
        the position; of sets of one size the one whose answer came first wins, so that the vote needs no chance; None
        where nobody votes.
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
    return max(sets, key=lambda found: len(found[1]))[1][0] if sets else None
