"""Codes in, execution scores out: the sandbox and the comparison together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mmmath_tasks.metrics.mathopeval_execution import ExecutionScore, execution_score, failed_score
from mmmath_tasks.sandbox.figures import Drawing, run_figures
from mmmath_tasks.sandbox.jail import Limits


@dataclass(frozen=True, slots=True)
class Attempt:
    """One code to score.

    Attributes:
        type: "bar", "line", "pie", "function" (Matplotlib) or "geometry" (TikZ).
        task: "mcg", "mce_deletion", "mce_modification" or "mce_annotation".
        reference: the code of the figure asked for.
        generated: the code to score.
        original: the code of the figure to be edited; "" for "mcg".
    """

    type: str
    task: str
    reference: str
    generated: str
    original: str = ""


def execution_scores(
    attempts: Sequence[Attempt], *, limits: Limits | None = None, workers: int = 1
) -> list[ExecutionScore]:
    """Run every code once, however often it is named, and compare.

    Returns:
        one score per attempt, in order: 0 with the sandbox's cause where the generated code came to nothing; nan with
        cause "reference: ..." or "original: ..." where one of those did.

    Raises:
        InputError: the sandbox cannot be used (see run_figures).
    """
    drawn: dict[tuple[str, str], Drawing] = {}
    for kind in ("matplotlib", "tikz"):
        codes = dict.fromkeys(
            code
            for a in attempts
            if _kind(a) == kind
            for code in ((a.reference, a.generated) if a.task == "mcg" else (a.original, a.reference, a.generated))
        )
        if codes:
            done = run_figures(list(codes), kind, pictures=False, limits=limits, workers=workers)
            drawn |= {(kind, code): drawing for code, drawing in zip(codes, done, strict=True)}
    return [_score(a, drawn) for a in attempts]


def _kind(attempt: Attempt) -> str:
    return "tikz" if attempt.type == "geometry" else "matplotlib"


def _score(attempt: Attempt, drawn: dict[tuple[str, str], Drawing]) -> ExecutionScore:
    kind = _kind(attempt)
    reference, generated = (drawn[kind, code] for code in (attempt.reference, attempt.generated))
    if not reference.ok:
        return ExecutionScore(math.nan, f"reference: {reference.cause}")
    original = () if attempt.task == "mcg" else drawn[kind, attempt.original].elements
    if attempt.task != "mcg" and not drawn[kind, attempt.original].ok:
        return ExecutionScore(math.nan, f"original: {drawn[kind, attempt.original].cause}")
    if not generated.ok:
        return failed_score(generated.cause)
    return execution_score(attempt.type, attempt.task, reference.elements, generated.elements, original)
