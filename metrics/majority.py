"""Which of several responses to one problem speaks for the majority (MATH-Vision, Figure 3b: 20 sampled responses)."""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.metrics.answers import Expectation, Reading, equal, read


def majority(responses: Sequence[str], expectation: Expectation) -> int | None:
    """Return the position of the first response of the largest set of equal answers.

    Args:
        responses: what was sampled for one problem, in order.
        expectation: what kind of answer the problem asks for.

    Returns:
        the position; of sets of the same size the one whose answer came first wins, so the vote needs no chance; None
        where no answer could be read. Options are equal by index, other answers by value.
    """
    sets: list[tuple[Reading, list[int]]] = []
    for position, response in enumerate(responses):
        reading = read(response, expectation)
        if reading.text is None or (expectation.kind == "choice" and reading.choice is None):
            continue
        for first, members in sets:
            if _same(first, reading, expectation):
                members.append(position)
                break
        else:
            sets.append((reading, [position]))
    return max(sets, key=lambda found: len(found[1]))[1][0] if sets else None


def _same(first: Reading, second: Reading, expectation: Expectation) -> bool:
    if expectation.kind == "choice":
        return first.choice == second.choice
    return first.text == second.text or equal(second.text or "", first.text or "", expectation)
