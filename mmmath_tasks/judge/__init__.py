"""The language-model judge: any OpenAI-compatible endpoint, asked concurrently, every answer cached as it arrives.

`engine.Judge` asks questions that `prompt` builds; one module a judged metric turns the answers into verdicts. A judge
that fails leaves an item unscored with its cause, never wrong. Needs the extra `judge` (httpx2, pydantic).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmmath_tasks.judge.case import Metric
    from mmmath_tasks.judge.error_types import Taxonomy


def metric(benchmark: str) -> Metric | None:
    """Return how a benchmark's answers are judged; None where its authors score by rules alone."""
    from mmmath_tasks.judge.contract import judging

    return judging(benchmark).judge_answers


def taxonomy_of(benchmark: str) -> Taxonomy | None:
    """Return the classes of errors of a benchmark's paper; None where it has none."""
    from mmmath_tasks.judge.contract import judging

    return judging(benchmark).ERRORS
