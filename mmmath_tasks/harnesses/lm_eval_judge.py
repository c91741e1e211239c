"""A judge inside lm-eval: a filter that judges all responses at once, when the model has given the last of them.

A task's YAML names `load`, `judge` (as the function of a `custom` filter, before take_first) and `process_results`;
who judges stands in its metadata, usually from the command line:
    --metadata '{"judge": {"base_url": "http://localhost:8000/v1", "model": "NAME"}}'
A filter returns one value a document and no more, so the verdict rides on the response (a str with attributes).
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval, lm_eval_results
from mmmath_tasks.problem import Verdict
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from datasets import Dataset

    from mmmath_tasks.judge.case import Metric
    from mmmath_tasks.judge.settings import Settings


_log = logging.getLogger(__name__)


class JudgedResponse(str):
    """A response with its verdict and the account of the judge of the whole run."""

    verdict: Verdict
    account: Mapping[str, Any]


def load(*, judge: Mapping[str, Any] | None = None, **metadata: Any) -> dict[str, Dataset]:
    """Return the documents as `lm_eval.load` does, the judge's settings among their provenance.

    Raises:
        InputError: the settings are missing or wrong; raised before the model is asked anything.
    """
    _judge_answers(str(metadata["benchmark"]), _settings(judge or {}))
    return lm_eval.load(judge=dict(judge or {}), **metadata)


def judge(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Judge the first response to each document, all concurrently; a filter_fn.

    Returns:
        for each document its response as a JudgedResponse.
    """
    from mmmath_tasks.judge.case import Case, with_cuts

    if not docs:
        return []
    settings = _settings(docs[0]["provenance"]["judge"])
    name = docs[0]["benchmark"]
    judge_answers = _judge_answers(name, settings)
    rows = benchmark(name)
    cases = [Case(rows.problem(doc), drawn[0] or "") for doc, drawn in zip(docs, responses, strict=True)]
    asked = settings.open()
    try:
        judged = judge_answers(asked, cases, sure=settings.only_unsure)
        account = settings.account(asked, judged)
    finally:
        asked.close()
    causes = Counter(j.verdict.reason for j in judged if j.verdict.reason.startswith("judge_failed"))
    if causes:
        _log.warning("%d of %d responses stay unscored: %s", causes.total(), len(judged), dict(causes.most_common(5)))
    judged = with_cuts(cases, judged)
    return [[_response(case.response, j.verdict, account)] for case, j in zip(cases, judged, strict=True)]


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of one response: the judge's under the filter `judge`, the rules' under any other."""
    response = results[0]
    provenance = {name: value for name, value in doc["provenance"].items() if name != "judge"}
    if not isinstance(response, JudgedResponse):
        return lm_eval_results.metrics({**doc, "provenance": provenance}, response)
    doc = {**doc, "provenance": {**provenance, "judge": response.account}}
    return lm_eval_results.scored(doc, benchmark(doc["benchmark"]).problem(doc), response.verdict, str(response))


def _response(text: str, verdict: Verdict, account: Mapping[str, Any]) -> JudgedResponse:
    response = JudgedResponse(text)
    response.verdict, response.account = verdict, account
    return response


def _judge_answers(name: str, settings: Settings) -> Metric:
    """Return how answers are judged; raises InputError where they are not, or the file of prompts cannot be used."""
    from mmmath_tasks.judge import metric

    judge_answers = metric(name, settings.prompts)
    if judge_answers is None:
        raise InputError(f"{name} has no judged answer")
    return judge_answers


def _settings(given: Mapping[str, Any]) -> Settings:
    try:
        from mmmath_tasks.judge.settings import Settings
    except ModuleNotFoundError as error:
        raise InputError(f"the judge needs {error.name}: pip install 'mmmath-tasks[judge]'") from None
    try:
        return Settings.from_mapping(given)
    except InputError as error:
        example = """--metadata '{"judge": {"base_url": "http://localhost:8000/v1", "model": "NAME"}}'"""
        raise InputError(f"{error}; for example {example}") from None
