"""MathOPEval's free-form code run inside lm-eval: a filter that runs all responses at once, in the sandbox.

A task's YAML names `load`, `execute` (as the function of a `custom` filter, before take_first) and `process_results`,
and says `unsafe_code: true`, so that lm-eval asks for --confirm_run_unsafe_code.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError, check_all
from mmmath_tasks.harnesses import lm_eval, lm_eval_surround
from mmmath_tasks.harnesses.lm_eval_results import ScoredResponse, metrics
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from datasets import Dataset

_TRIAL = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\n"


def load(**metadata: Any) -> dict[str, Dataset]:
    """Return the documents as `load_after` does, after `check`."""
    return load_after(check, metadata)


def load_after(check: Callable[[], None], metadata: Mapping[str, Any]) -> dict[str, Dataset]:
    """Return the documents as `lm_eval.load` does, after consent and `check`; what any lacks is said at once.

    lm-eval itself asks for consent only when all is loaded, after which nothing should be left to ask for.
    """
    found: dict[str, Dataset] = check_all(_need_consent, check, lambda: lm_eval.load(**metadata))[-1]
    return found


def _need_consent() -> None:
    given = lm_eval_surround.settings()  # None outside simple_evaluate
    if given is not None and not given.get("confirm_run_unsafe_code"):
        raise InputError(
            "this task runs code that the model writes, in a sandbox; say that it may with --confirm_run_unsafe_code "
            "(in Python: confirm_run_unsafe_code=True)"
        )


def check() -> None:
    """Try the sandbox, and look for TeX, before a model is asked anything, and say in what it differs.

    Raises:
        InputError: it cannot be used here; the message names all that is missing.
    """
    from mmmath_tasks.sandbox import environment, run_figures

    check_all(lambda: run_figures([_TRIAL], pictures=False), environment.need_tex)
    tell_differences()


def tell_differences() -> None:
    """Say in the log what of the sandbox's named set is missing."""
    from mmmath_tasks.sandbox import environment

    for line in environment.differences():
        logging.getLogger(__name__).warning("sandbox: %s; code that uses it scores less here than elsewhere", line)


def execute(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Run the code of the first response to each document; a filter_fn.

    Returns:
        for each document its response as a ScoredResponse.

    Raises:
        InputError: the sandbox cannot be used.
    """
    problems = [benchmark(doc["benchmark"]).problem(doc) for doc in docs]
    texts = [drawn[0] or "" for drawn in responses]
    from mmmath_tasks.metrics.code_blocks import code
    from mmmath_tasks.metrics.mathopeval import score
    from mmmath_tasks.metrics.mathopeval_execution import failed_score
    from mmmath_tasks.sandbox.execution import Attempt, execution_scores

    attempts = {}
    for i, (asked, text) in enumerate(zip(problems, texts, strict=True)):
        if (written := code(text)) is not None:
            kind, task, original = asked.groups["type"][0], asked.groups["task"][0], asked.extra["original_code"] or ""
            attempts[i] = Attempt(kind, task, asked.answer or "", written, original)
    scores = dict(zip(attempts, execution_scores(list(attempts.values())), strict=True))
    failed = failed_score("unextracted")
    verdicts = [
        score(p, text, execution=scores.get(i, failed)) for i, (p, text) in enumerate(zip(problems, texts, strict=True))
    ]
    return [[ScoredResponse.of(text, verdict)] for text, verdict in zip(texts, verdicts, strict=True)]


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of one response from the verdict that rides on it.

    Raises:
        InputError: the task's YAML names no `execute` among its filters.
    """
    from mmmath_tasks.metrics.mathopeval import CODE_SUMMARIES, TABLE_SUMMARIES

    response = results[0]
    if not isinstance(response, ScoredResponse):
        raise InputError("a task that takes lm_eval_execution.process_results needs lm_eval_execution.execute")
    found = metrics(with_account(doc), response)
    kept = {name: value for name, value in found.items() if name not in TABLE_SUMMARIES}
    return {**kept, **dict.fromkeys(CODE_SUMMARIES, found["extracted"])}


def with_account(doc: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document whose provenance says what a score of code depends on (see environment.account)."""
    return {**doc, "provenance": {**doc["provenance"], "sandbox": _account()}}


@cache
def _account() -> Mapping[str, Any]:
    from mmmath_tasks.sandbox import environment

    return environment.account()
