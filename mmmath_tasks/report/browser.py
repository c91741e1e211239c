"""The data of the sample browser: every problem once, with what each run answered, packed for the page."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks import papers
from mmmath_tasks.report.runs import Run, Sample, samples
from mmmath_tasks.report.svg import run_colour

ANSWER = ("response", "extracted", "prediction", "rule", "confidence", "reason", "official", "verified", "scores")
"""What the page gets of each response, as a list in this order."""


def browser_data(
    runs: Mapping[str, Sequence[Run]], pictures: Mapping[tuple[str, str], Sequence[str]]
) -> dict[str, Any]:
    """Return what the page's script reads.

    Args:
        runs: the runs of each benchmark.
        pictures: (benchmark, problem id) to paths of pictures, relative to the page.

    Returns:
        {"benchmarks": [{"name", "title", "runs", "fields", "problems", "answers"}]}: `problems` are dicts; `answers`
        has a list a run, as long as `problems`, of lists as `ANSWER` says, or None where the run has no response.
        Benchmarks without responses are left out.

    Raises:
        InputError: a file of responses is broken.
    """
    found = [_one(name, chosen, pictures) for name, chosen in runs.items()]
    return {"benchmarks": [entry for entry in found if entry["problems"]]}


def _one(name: str, runs: Sequence[Run], pictures: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, Any]:
    problems: dict[str, dict[str, Any]] = {}
    answers: list[dict[str, list[Any]]] = []
    for run in runs:
        answers.append({})
        for sample in samples(run):
            known = problems.setdefault(sample.problem.id, _problem(sample, pictures))
            if known["prompt"] is None:
                known["prompt"] = sample.prompt
            answers[-1][sample.problem.id] = _answer(sample)
    fields = list(dict.fromkeys(field for problem in problems.values() for field in problem["fields"]))
    with_responses = [i for i, given in enumerate(answers) if given]
    return {
        "name": name,
        "title": papers.title(name),
        "runs": [{"name": runs[i].name, "colour": run_colour(runs[i].colour)} for i in with_responses],
        "fields": fields,
        "problems": list(problems.values()),
        "answers": [[answers[i].get(key) for key in problems] for i in with_responses],
    }


def _problem(sample: Sample, pictures: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, Any]:
    problem = sample.problem
    # Vision Only has its question in the picture; what a judge is shown tells a reader what was asked.
    question = problem.question or str(problem.extra.get("question_for_eval") or "")
    kinds = {"question type": [problem.question_type], "answer type": [problem.answer_type]}
    groups = {name: list(parts) for name, parts in problem.groups.items() if name.replace("_", " ") not in kinds}
    return {
        "id": problem.id,
        "question": question,
        "choices": list(problem.choices),
        "answer": problem.answer,
        "unit": problem.unit,
        "prompt": sample.prompt,
        "fields": {**kinds, **groups},
        "pictures": list(pictures.get((problem.benchmark, problem.id), ())),
    }


def _answer(sample: Sample) -> list[Any]:
    verdict = sample.verdict.to_dict()
    return [sample.response, *(verdict[name] for name in ANSWER[1:])]


def packed(data: Mapping[str, Any]) -> str:
    """Return data as JSON, gzip and base64: a fifth of its size, and no text of a model stands in the page's source."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), compresslevel=6, mtime=0)).decode("ascii")
