"""Scores of inspect_ai: one scorer a metric that lm-eval's tables average, the rest of the table as a metric of theirs.

A sample's score is "C" or "I" (a number for `execution`) and unscored, which inspect_ai counts apart, where the rule
gives no verdict. Its metadata is the verdict; so what needs the whole run is made from the log alone, and `inspect
score LOG --scorer mmmath/acc` scores it anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from statistics import NormalDist, fmean
from typing import Any

import anyio
import anyio.to_thread
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    mean,
    metric,
    scorer,
    stderr,
    value_to_float,
)
from inspect_ai.solver import TaskState

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval_results, task_files
from mmmath_tasks.problem import Verdict
from mmmath_tasks.score_labels import count_by_rules, official_reader
from mmmath_tasks.scoring import benchmark
from mmmath_tasks.truncation import CutResponse

NAMESPACE = "mmmath"
CONFIRM = (
    "runs code that the model writes, in a sandbox; confirm with confirm_run_unsafe_code=true (-T, for a scorer -S)"
)

_CUT = ("max_tokens", "model_length")
_REASONS = {"empty": "no_response", "unextracted": "invalid_response_format", "unmatched": "invalid_response_format"}
_Z = NormalDist().inv_cdf(0.975)


def scored_by(name: str, doc: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return the metrics of a task's YAML that are a score of each response, in its order.

    Those that lm-eval averages, but for `truncated`, which is no score; and `execution`, which it sums up from
    verdicts. With `doc`, one of the task's documents, those that only a judge gives are left out.
    """
    content = task_files.content_of(name)
    means = [m["metric"] for m in content["metric_list"] if m["aggregation"] == "mean" or m["metric"] == "execution"]
    known = [metric for metric in means if metric != "truncated"]
    if doc is None or "filter_list" in content:
        return tuple(known)
    given = task_files.function(content["process_results"])(doc, [""])
    return tuple(metric for metric in known if metric in given) or tuple(known)


def _sub_scores(headline: str = "") -> Metric:
    """Return a metric: the other numbers of lm-eval's table for the task, sub-scores and what needs the whole run.

    Those of "verified" stand with the scorer of that name, the others with the task's first. {} after several epochs
    with different outcomes, whose scores are no verdicts: `mmmath rescore LOG` says what they come to. The standard
    error of what needs the whole run is the half of its 95 % interval, divided by 1.96. `read_by_rules` is the share of
    answers that rules read where the authors ask a language model. `headline` names a number that is nan where nothing
    is scored yet, rather than absent.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        if not all(map(_is_of_one_response, scores)):
            return {}
        if not scores:
            return {headline: math.nan} if headline else {}
        responses = [_metrics(sample) for sample in scores]
        card = lm_eval_results.scorecard([response["extracted"] for response in responses])
        found: dict[str, float] = {}
        for listed in _rest(scores[0]):
            name, aggregation = listed["metric"], listed["aggregation"]
            values = [response[name] for response in responses if name in response]
            of_run = not values or isinstance(values[0], lm_eval_results.Outcome)
            error: float | None
            if of_run and (score := card.get(name)):
                value, error = score.value, (score.high - score.low) / (2 * _Z)
            else:
                sum_up = fmean if aggregation == "mean" else task_files.function(aggregation)
                value = sum_up(values)
                error = getattr(value, "stderr", None)
            both = {name: float(value), f"{name}_stderr": error}
            found |= {n: v for n, v in both.items() if v is not None and not math.isnan(v)}
        if official_reader(card.benchmark) and scores[0].score.metadata["metric"] == "acc":
            found["read_by_rules"] = count_by_rules(card) / len(scores)
        return found

    return compute


_sub_scores.__module__ = NAMESPACE
sub_scores = metric(f"{NAMESPACE}/sub_scores")(_sub_scores)


def _rest(sample: SampleScore) -> list[Mapping[str, Any]]:
    """Return the entries of the task's metric_list that stand with a sample's scorer."""
    about = sample.score.metadata or {}
    listed = task_files.content_of(about["task"])["metric_list"]
    rest = [m for m in listed if m["aggregation"] != "mean" or m["metric"] == "truncated"]
    first, *others = about["beside"]
    apart = "acc_verified" in others
    whose = {m["metric"]: "acc_verified" if apart and "_verified" in m["metric"] else first for m in rest}
    return [m for m in rest if whose[m["metric"]] == about["metric"] and m["metric"] not in about["beside"]]


def _is_of_one_response(sample: SampleScore) -> bool:
    """Say whether a score is that of the response whose verdict is its metadata, rather than one of several epochs."""
    about = sample.score.metadata or {}
    return bool(value_to_float()(sample.score.value) == about.get("number"))


def _metrics(sample: SampleScore) -> dict[str, Any]:
    """Return lm-eval's metrics of a response from the verdict in its score."""
    doc, about = sample.sample_metadata or {}, sample.score.metadata or {}
    verdict = Verdict.from_dict({f.name: about[f.name] for f in fields(Verdict) if f.name in about})
    return lm_eval_results.scored(doc, benchmark(doc["benchmark"]).problem(doc), verdict, "")


def scorer_of(name: str, headline: str = "") -> Callable[..., Scorer]:
    """Return the scorer of a metric, registered in inspect_ai as "mmmath/METRIC"; see sub_scores.

    Of a task that runs code it refuses to, with an InputError, unless its argument confirms that: a log that is scored
    anew may be anyone's.
    """
    numbers = [mean() if name == "execution" else accuracy(), stderr(), sub_scores(headline)]

    def made(confirm_run_unsafe_code: bool = False) -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return await _scored(name, state, confirm_run_unsafe_code)

        return score

    made.__name__, made.__module__ = name, NAMESPACE
    registered: Callable[..., Scorer] = scorer(metrics=numbers, name=f"{NAMESPACE}/{name}")(made)
    return registered


async def _scored(name: str, state: TaskState, confirmed: bool) -> Score:
    doc = {**state.metadata, "pictures": []}
    about = doc.pop(NAMESPACE, None)
    if about is None:
        raise InputError(f"{NAMESPACE}/{name} scores samples of {NAMESPACE}/... tasks only; see `mmmath rescore LOG`")
    content = task_files.content_of(about["task"])
    if content.get("unsafe_code") and not confirmed:
        raise InputError(f"{about['task']} {CONFIRM}")
    response: str = state.output.completion
    if state.output.stop_reason in _CUT:
        response = CutResponse(response)
    for step in content.get("filter_list", [{"filter": []}])[0]["filter"]:
        if step["function"] == "custom":
            response = await _together(step["filter_fn"])(response, doc)
    found = task_files.function(content["process_results"])(doc, [response])
    outcome = found["extracted"]
    verdict: Verdict = outcome.verdict
    number = verdict.scores.get(name, math.nan) if name == "execution" else found.get(name)
    value: float | str = math.nan
    if number is not None and not math.isnan(number):
        value = float(number) if name == "execution" else CORRECT if number else INCORRECT
    others = {n: v for n, v in found.items() if isinstance(v, float) and not math.isnan(v) and n != name}
    return Score(
        value=value,
        answer=verdict.extracted,
        explanation=_explained(verdict),
        reason=_REASONS.get(verdict.reason, verdict.reason) or None,
        metadata={
            **about,
            "metric": name,
            "number": None if number is None or math.isnan(number) else float(number),
            **verdict.to_dict(),
            "sub_scores": others,
            "groups": outcome.problem.to_dict()["groups"],
        },
    )


def _explained(verdict: Verdict) -> str:
    """Return in one line how the answer was read and why there is none."""
    read = f"read by rule {verdict.rule!r}, confidence {verdict.confidence:.2f}" if verdict.rule else "no answer read"
    judged = {True: "right", False: "wrong", None: "not scored"}
    said = f"official: {judged[verdict.official]}; verified: {judged[verdict.verified]}"
    return "; ".join(filter(None, [read, said, verdict.reason, "truncated" if verdict.truncated else ""]))


class _Together:
    """A filter of lm-eval's that runs over whatever responses wait for it: a sandbox takes a second to start."""

    def __init__(self, run: Callable[[Sequence[Sequence[str]], Sequence[Mapping[str, Any]]], list[list[str]]]) -> None:
        self._run = run
        self._lock = anyio.Lock()
        self._waiting: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._done: dict[tuple[str, str], str] = {}

    async def __call__(self, response: str, doc: Mapping[str, Any]) -> str:
        """Return what the filter makes of a response; both of a task's scorers ask, and it is run once."""
        key = (str(doc["id"]), response)
        self._waiting[key] = doc
        async with self._lock:
            if key not in self._done:
                taken, self._waiting = self._waiting, {}
                taken = {k: d for k, d in taken.items() if k not in self._done} | {key: doc}
                made = await anyio.to_thread.run_sync(self._run, [[k[1]] for k in taken], [*taken.values()])
                self._done |= {k: first for k, (first, *_) in zip(taken, made, strict=True)}
        return self._done[key]


@cache
def _together(name: str) -> _Together:
    return _Together(task_files.function(name))


SCORERS = {name: scorer_of(name) for name in sorted({n for task in task_files.tasks() for n in scored_by(task)})}
"""Metric to its scorer, for `inspect score --scorer mmmath/METRIC`."""
