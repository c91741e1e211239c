"""From verdicts to what lm-eval prints and writes: metrics of a whole run, scorecards, submissions.

How a scorecard gets out: lm-eval's aggregations see every record of a run, gathered from all processes, but may only
return a number, and know neither the run's settings nor its output folder. So the records ride on the number that the
aggregation returns (a float with an attribute) to where both are known: lm_eval_run writes `scorecards` beside the
results, and callers of simple_evaluate have them by the same function. Nothing is kept in a global.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mmmath_tasks import __version__, papers
from mmmath_tasks.files import write_json
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.score_labels import conditions, label
from mmmath_tasks.scoring import benchmark
from mmmath_tasks.truncation import complaint, marked

_log = logging.getLogger(__name__)


class Outcome(dict[str, Any]):
    """A verdict as a dict, which is what --log_samples writes, with what the end of the run needs as attributes."""

    def __init__(self, doc: Mapping[str, Any], problem: Problem, verdict: Verdict, response: str) -> None:
        """Keep the document without its pictures, which may be large."""
        super().__init__(verdict.to_dict())
        self.doc = {name: value for name, value in doc.items() if name != "pictures"}
        self.problem = problem
        self.verdict = verdict
        self.response = response


class Aggregate(float):
    """A metric of a whole run that remembers what it was made from."""

    outcomes: tuple[Outcome, ...]

    def __new__(cls, value: float, outcomes: Sequence[Outcome] = ()) -> Aggregate:
        """Return `value` with the outcomes attached; copying and unpickling give the value alone, then its state."""
        made = super().__new__(cls, value)
        made.outcomes = tuple(outcomes)
        return made


class ScoredResponse(str):
    """A response with its verdict, which rides on it because a filter returns one value a document and no more.

    Attributes:
        verdict: what the filter made of the response.
        provenance: what a scorecard must say of how it came by that.
    """

    verdict: Verdict
    provenance: Mapping[str, Any]

    @classmethod
    def of(cls, text: str, verdict: Verdict, **provenance: Any) -> ScoredResponse:
        """Return a response with its verdict; no arguments of `cls`, so that it can be copied and pickled."""
        made = cls(text)
        made.verdict, made.provenance = marked(verdict, text), provenance
        return made


class SubScore(float):
    """The mean over a part of a run's responses, nan where it is empty, with its standard error (None for one)."""

    stderr: float | None = None


def metrics(doc: Mapping[str, Any], response: str | None) -> dict[str, Any]:
    """Score one response; a ScoredResponse has the verdict that it brings.

    Returns:
        `acc` and `acc_verified` where the response could be scored so; what `table_scores` of the benchmark's module
        adds (sub-scores, nan there and None here where the response does not count for one, for lm-eval wants every
        metric of every response) or takes away (None there); `truncated`; and `extracted` (with whatever else
        `TABLE_SUMMARIES` names): the outcome, from which numbers of the whole run are made at its end.
    """
    chosen = benchmark(doc["benchmark"])
    problem = chosen.problem(doc)
    if isinstance(response, ScoredResponse):
        doc = {**doc, "provenance": {**doc["provenance"], **response.provenance}}
        return scored(doc, problem, response.verdict, str(response))
    return scored(doc, problem, chosen.score(problem, response), response or "")


def headlines(doc: Mapping[str, Any], response: str | None) -> dict[str, Any]:
    """Score one response as `metrics` does, for a table of many tasks; scorecards are the same.

    Returns:
        of `metrics` those that the benchmark's module names in `TABLE_HEADLINES` (where it names none: `acc` and
        `acc_verified`), `truncated` and `extracted`.
    """
    named = benchmark(doc["benchmark"]).metrics.TABLE_HEADLINES
    return {name: value for name, value in metrics(doc, response).items() if name in (*named, "truncated", "extracted")}


def scored(doc: Mapping[str, Any], problem: Problem, verdict: Verdict, response: str) -> dict[str, Any]:
    """Return the metrics of a response whose verdict is known; see `metrics`."""
    chosen = benchmark(problem.benchmark)
    verdict = marked(verdict, response)
    outcome = Outcome(doc, problem, verdict, response)
    table = chosen.metrics.table_scores
    scores = {
        "acc": verdict.official,
        "acc_verified": verdict.verified,
        **(table(problem, verdict) if table else {}),
        **{name: verdict.scores[name] for name in vlmeval.EXPLAINED if name in verdict.scores},
    }
    return {
        **{n: None if math.isnan(value) else float(value) for n, value in scores.items() if value is not None},
        "truncated": float(verdict.truncated),
        **dict.fromkeys(("extracted", *chosen.metrics.TABLE_SUMMARIES), outcome),
    }


def extracted(outcomes: Sequence[Outcome]) -> Aggregate:
    """Return the share of responses from which an answer could be read: an aggregation for a task's YAML."""
    return Aggregate(sum(o.verdict.extracted is not None for o in outcomes) / len(outcomes), outcomes)


def sub_score(values: Sequence[float | None]) -> SubScore:
    """Return the mean of the values that are not None: an aggregation for a task's YAML."""
    found = [value for value in values if value is not None]
    made = SubScore(statistics.fmean(found) if found else math.nan)
    made.stderr = statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else None
    return made


def complete_sub_scores(results: Mapping[str, dict[str, Any]], stderr: bool) -> None:
    """Give the sub-scores in lm-eval's `results` their standard errors, if wanted; leave out those without rows."""
    for numbers in results.values():
        for key, number in [(key, number) for key, number in numbers.items() if isinstance(number, SubScore)]:
            error = "_stderr,".join(key.split(","))
            if math.isnan(number):
                del numbers[key], numbers[error]
            elif stderr and number.stderr is not None:
                numbers[error] = number.stderr


def scorecard(outcomes: Sequence[Outcome]) -> Scorecard:
    """Return the scorecard of outcomes of one benchmark, without what only the harness knows of the run.

    What the outcomes' documents say of their origin (data revision, prompt hash) is a list where they differ.
    """
    chosen = benchmark(outcomes[0].problem.benchmark)
    card = chosen.summarise([o.problem for o in outcomes], [o.verdict for o in outcomes])
    origin = {}
    for name in outcomes[0].doc["provenance"]:
        values = list({json.dumps(v): v for o in outcomes if (v := o.doc["provenance"].get(name)) is not None}.values())
        origin[name] = values[0] if len(values) == 1 else values
    return replace(card, provenance={**card.provenance, **origin})


def scorecards(results: Mapping[str, Any]) -> dict[str, Scorecard]:
    """Return the scorecard of each of our tasks in what lm_eval.simple_evaluate returned.

    Returns:
        task name (and filter, where a task has several: "name,filter") to scorecard; empty after --predict_only.
    """
    return {
        name: _with_run(scorecard(outcomes), name, tasks, len(outcomes), results)
        for name, tasks, outcomes in _tasks(results)
    }


def truncation(results: Mapping[str, Any], remedy: str) -> str | None:
    """Return one line about the tasks of which too many responses were cut, with a remedy; None where there is none."""
    cuts = [
        (name, sum(o.verdict.truncated for o in outcomes), len(outcomes))
        for name, tasks, outcomes in _tasks(results)
        if len(tasks) == 1
    ]
    return complaint(cuts, remedy)


def label_tasks(results: Mapping[str, Any]) -> list[str]:
    """Add to the names that lm-eval's tables show what must stand beside a score (`score_labels.conditions`).

    A task's `alias` becomes "NAME (acc, read by rules)"; names of metrics stay as they are: other tools look for them.

    Returns:
        warnings of what makes the numbers other than they seem, each once.
    """
    said: dict[str, list[str]] = {}
    warnings: dict[str, None] = {}
    for name, tasks, outcomes in _tasks(results):
        if len(tasks) > 1:
            continue
        card = scorecard(outcomes)
        if conditions(card):
            kind = name.partition(",")[2]  # of several filters
            said.setdefault(tasks[0], []).append(": ".join(filter(None, [kind, label([card], card.headline)])))
        warnings |= {f"{name}: {note}": None for note in card.notes if note.startswith("Warning")}
    for task, labels in said.items():
        numbers = results["results"][task]
        numbers["alias"] = f"{numbers.get('alias', task)} ({'; '.join(labels)})"
    return list(warnings)


def prompt_hash(prompts: Mapping[str, str]) -> str:
    """Return a short hash of all prompts of a split, the same in whatever order its rows come."""
    ordered = json.dumps(sorted(prompts.items()), ensure_ascii=False)
    return hashlib.sha256(ordered.encode()).hexdigest()[:16]


def described(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of a task that asks for descriptions of pictures: none is scored.

    Returns:
        `described`: the outcome, of which `description_share` makes a number and `write` a file; `truncated`.
    """
    response = results[0] or ""
    problem = benchmark(doc["benchmark"]).problem(doc)
    verdict = marked(Verdict(problem.id, None, None), response)
    return {"described": Outcome(doc, problem, verdict, response), "truncated": float(verdict.truncated)}


def description_share(outcomes: Sequence[Outcome]) -> Aggregate:
    """Return the share of pictures of which something was said: an aggregation for a task's YAML."""
    return Aggregate(sum(bool(o.response.strip()) for o in outcomes) / len(outcomes), outcomes)


def _captions(results: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each task that asked for descriptions, and what its file holds."""
    for task, metrics in results["results"].items():
        for key, number in metrics.items():
            if key.startswith("described,") and isinstance(number, Aggregate):
                texts = {o.problem.id: o.response for o in number.outcomes}
                yield task, {"model": model_name(results.get("config", {})), "task": task, "texts": texts}


def write(folder: Path, date: str, results: Mapping[str, Any]) -> list[Path]:
    """Write scorecard_<task>_<date>.json for each of our tasks, and a submission file where no answer is known.

    For a task that asks for descriptions of pictures captions_<task>_<date>.json, which tasks read that show them to a
    language model (--metadata captions=FILE).

    Returns:
        the files.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, tasks, outcomes in _tasks(results):
        ending = f"{name.replace(',', '_')}_{date}.json"
        card = _with_run(scorecard(outcomes), name, tasks, len(outcomes), results)
        written.append(_dump(folder / f"scorecard_{ending}", card.to_dict()))
        submission = benchmark(card.benchmark).rows.submission
        if submission and all(o.problem.answer is None for o in outcomes):
            content = submission([(o.doc, o.response, o.verdict) for o in outcomes])
            written.append(_dump(folder / f"submission_{ending}", content))
    written += [_dump(folder / f"captions_{task}_{date}.json", content) for task, content in _captions(results)]
    return written


def _dump(path: Path, content: Any) -> Path:
    write_json(path, content)
    _log.info("wrote %s", path)
    return path


def _tasks(results: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], tuple[Outcome, ...]]]:
    """Yield the name of a scorecard, its tasks, their outcomes.

    Each task has one for each of its filters; tasks whose metadata name the same `scorecard` have one together besides.
    """
    shared: dict[str, list[tuple[str, tuple[Outcome, ...]]]] = {}
    for task, metrics in results["results"].items():
        numbers = {key.partition(",")[::2]: number for key, number in metrics.items() if isinstance(number, Aggregate)}
        found = {which: number.outcomes for (metric, which), number in numbers.items() if metric == "extracted"}
        for which, outcomes in found.items():
            ending = "" if len(found) == 1 else f",{which}"
            yield f"{task}{ending}", (task,), outcomes
            together = results["configs"][task].get("metadata", {}).get("scorecard")
            if together:
                shared.setdefault(f"{together}{ending}", []).append((task, outcomes))
    for name, parts in shared.items():
        if len(parts) > 1:
            yield name, tuple(task for task, _ in parts), tuple(o for _, outcomes in parts for o in outcomes)


def _with_run(card: Scorecard, name: str, tasks: Sequence[str], count: int, results: Mapping[str, Any]) -> Scorecard:
    task = tasks[0]
    config, task_config = results.get("config", {}), results["configs"][task]
    run = {
        "task": task if len(tasks) == 1 else name.partition(",")[0],
        **({} if len(tasks) == 1 else {"tasks": list(tasks)}),
        "task_version": results["versions"][task],
        "package_version": __version__,
        "harness": f"lm_eval {version('lm_eval')}",
        "model": model_name(config),
        "model_source": config.get("model"),
        **_replayed(config),
        "generation": task_config.get("generation_kwargs"),
        **({"seeds": seeds} if (seeds := {k: v for k, v in config.items() if k.endswith("_seed")}) else {}),
        "limit": config.get("limit"),
        "samples": {
            "original": sum(results["n-samples"][name]["original"] for name in tasks),
            "effective": count,  # lm-eval's own count is, before 0.4.13, that of any one metric
        },
    }
    chance = papers.on_chance(card.benchmark) if config.get("model") == "mmmath-random-chance" else ""
    notes = (*card.notes, *([chance] if chance else []))
    return replace(card, provenance={**card.provenance, **run}, notes=notes)


def _replayed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the file that mmmath-replay answered from, and whose responses they are unless the user said; else {}."""
    replayed = config.get("replayed")
    if not replayed:
        return {}
    named = {"model": replayed["model"]} if model_name(config) == config.get("model") else {}
    return {**named, "responses": replayed["file"], "responses_sha256": replayed["sha256"]}


def model_name(config: Mapping[str, Any]) -> str | None:
    """Return the model's name or path from its arguments, else the kind of model: lm-eval's own field may be random."""
    from lm_eval.utils import simple_parse_args_string

    given = config.get("model_args") or {}
    arguments = simple_parse_args_string(given) if isinstance(given, str) else given
    named = (arguments[name] for name in ("peft", "delta", "pretrained", "model", "path") if arguments.get(name))
    return str(next(named, config.get("model")))
