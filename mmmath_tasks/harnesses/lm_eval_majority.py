"""The vote over several sampled responses inside lm-eval, for tasks with `repeats`.

A filter returns one value a document and no more, so the verdict rides on the response (a str with an attribute).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.harnesses import lm_eval_results
from mmmath_tasks.metrics import majority
from mmmath_tasks.problem import Verdict
from mmmath_tasks.scoring import benchmark


class VotedResponse(str):
    """The response that won the verified vote, with the verdict of both votes (see mmmath_tasks.metrics.majority)."""

    verdict: Verdict


def vote(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return for each document the response that stands for the largest set of equal answers; a filter_fn.

    Where no response holds an answer, the first stands: it is scored as what it is.
    """
    return [[_voted(drawn, doc)] for drawn, doc in zip(responses, docs, strict=True)]


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of one response: the vote's under the filter `majority`, its own under any other."""
    response = results[0]
    if not isinstance(response, VotedResponse):
        return lm_eval_results.metrics(doc, response)
    doc = {**doc, "provenance": {**doc["provenance"], "vote": majority.TIES}}
    return lm_eval_results.scored(doc, benchmark(doc["benchmark"]).problem(doc), response.verdict, str(response))


def _voted(drawn: Sequence[str], doc: Mapping[str, Any]) -> VotedResponse:
    chosen = benchmark(doc["benchmark"])
    problem = chosen.problem(doc)
    verdicts = [chosen.score(problem, response) for response in drawn]
    verdict = majority.vote(problem, verdicts, chosen.metrics.expectation, chosen.metrics.official_equal)
    place = next(i for i, found in enumerate(verdicts) if found.extracted == verdict.extracted)
    response = VotedResponse(drawn[place] or "")
    response.verdict = verdict
    return response
