"""A judge inside lm-eval: a filter that judges all responses at once, when the model has given the last of them.

A task's YAML names `load`, `judge` (as the function of a `custom` filter, before take_first) and `process_results`;
who judges stands in its metadata, usually from the command line:
    --metadata '{"judge": {"base_url": "http://localhost:8000/v1", "model": "NAME"}}'
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval
from mmmath_tasks.harnesses.lm_eval_results import ScoredResponse, metrics
from mmmath_tasks.judge import need_extra
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from datasets import Dataset

    from mmmath_tasks.judge.settings import Settings


_log = logging.getLogger(__name__)


def load(*, judge: Mapping[str, Any] | None = None, **metadata: Any) -> dict[str, Dataset]:
    """Return the documents as `lm_eval.load` does, the judge's settings among their provenance.

    Raises:
        InputError: the settings are missing or wrong; raised before the model is asked anything.
    """
    settings = _settings(judge or {})
    from mmmath_tasks.judge.judging import answers_of

    answers_of(str(metadata["benchmark"]), settings.prompts)
    return lm_eval.load(judge=dict(judge or {}), **metadata)


def judge(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Judge the first response to each document, all concurrently; a filter_fn.

    Returns:
        for each document its response as a ScoredResponse.
    """
    if not docs:
        return []
    settings = _settings(docs[0]["provenance"]["judge"])
    from mmmath_tasks.judge.case import Case
    from mmmath_tasks.judge.judging import judge_with

    rows = benchmark(docs[0]["benchmark"])
    cases = [Case(rows.problem(doc), drawn[0] or "") for doc, drawn in zip(docs, responses, strict=True)]
    judged, account = judge_with(settings, rows.name, cases)
    causes = Counter(j.verdict.reason for j in judged if j.failure)
    if causes:
        _log.warning("%d of %d responses stay unscored: %s", causes.total(), len(judged), dict(causes.most_common(5)))
    return [[ScoredResponse.of(case.response, j.verdict, judge=account)] for case, j in zip(cases, judged, strict=True)]


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of one response: the judge's under the filter `judge`, the rules' under any other."""
    provenance = {name: value for name, value in doc["provenance"].items() if name != "judge"}
    return metrics({**doc, "provenance": provenance}, results[0])


def _settings(given: Mapping[str, Any]) -> Settings:
    need_extra()
    from mmmath_tasks.judge.settings import Settings

    try:
        return Settings.from_mapping(given)
    except InputError as error:
        example = """--metadata '{"judge": {"base_url": "http://localhost:8000/v1", "model": "NAME"}}'"""
        raise InputError(f"{error}; for example {example}") from None
