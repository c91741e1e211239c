"""The vote over several sampled responses inside lm-eval, for tasks with `repeats`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.harnesses.lm_eval_results import ScoredResponse
from mmmath_tasks.metrics import majority
from mmmath_tasks.scoring import benchmark


def vote(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return for each document the response that stands for the largest set of equal answers; a filter_fn.

    It is a ScoredResponse, with the verdict of both votes (see mmmath_tasks.metrics.majority).
    Where no response holds an answer, the first stands: it is scored as what it is.
    """
    return [[_voted(drawn, doc)] for drawn, doc in zip(responses, docs, strict=True)]


def _voted(drawn: Sequence[str], doc: Mapping[str, Any]) -> ScoredResponse:
    chosen = benchmark(doc["benchmark"])
    problem = chosen.problem(doc)
    verdicts = [chosen.score(problem, response) for response in drawn]
    verdict = majority.vote(problem, verdicts, chosen.metrics.expectation, chosen.metrics.official_equal).verdict
    place = next(i for i, found in enumerate(verdicts) if found.extracted == verdict.extracted)
    return ScoredResponse.of(drawn[place] or "", verdict, vote=majority.TIES)
