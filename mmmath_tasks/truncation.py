"""Responses that were cut: how a text carries the mark, how its verdict gets it, when a run must say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmmath_tasks.problem import Verdict

MOST = 0.02
"""The share of cut responses above which a run's numbers say more about its token limit than about its model."""

MORE = "--gen_kwargs max_gen_toks=N"
"""How lm-eval is told a larger limit."""


class CutResponse(str):
    """A response that its model did not end: the harness, the server or the file says that it met its token limit.

    A plain text otherwise, so that it goes through filters, logs and caches as one.
    """

    __slots__ = ()


def was_cut(response: str | None) -> bool:
    """Say whether a response was cut: it is marked so, or it ends in the middle of its thinking."""
    from mmmath_tasks.metrics.answers.document import ends_in_thought

    return isinstance(response, CutResponse) or ends_in_thought(response or "")


def kept(before: str, after: str) -> str:
    """Return the text `after`, marked as cut if the response `before` that it was made from was."""
    return CutResponse(after) if was_cut(before) else str(after)


def marked(verdict: Verdict, response: str | None) -> Verdict:
    """Return the verdict on a response with `truncated` set if it was cut, or if reading found that it breaks off."""
    if verdict.truncated or not (verdict.reason == "truncated" or was_cut(response)):
        return verdict
    return replace(verdict, truncated=True)


def complaint(cuts: Sequence[tuple[str, int, int]], remedy: str) -> str | None:
    """Return one line, with a remedy, about the runs of which more than `MOST` was cut; None where there is none.

    For each run there are its name, how many of its responses were cut, and how many there are.
    """
    named = [
        f"{cut:,} of {total:,} responses ({100 * cut / total:.1f} %) of {name}"
        for name, cut, total in cuts
        if total and cut / total > MOST
    ]
    return f"truncated: {', '.join(named)} were cut before they ended; {remedy}" if named else None
