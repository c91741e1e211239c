"""The data of the sample browser: every problem once, with what each run answered, packed for the page."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks import papers
from mmmath_tasks.report.runs import Identity, Run, Sample, identity, samples
from mmmath_tasks.report.themes import run_colour

ANSWER = (
    *("response", "extracted", "prediction", "rule", "confidence", "reason", "official", "verified", "scores"),
    "prompt",
)
"""What the page gets of each response, as a list in this order; the prompt is an index of the problem's `prompts`."""

_COMMIT = re.compile(r"\b([0-9a-f]{10})[0-9a-f]{6,}\b")  # ten characters tell commits and digests apart

Pictures = Mapping[tuple[str, str | None, Identity], Sequence[str]]
"""Benchmark, split and problem to paths of pictures, relative to the page."""


def browser_data(runs: Sequence[Run], pictures: Pictures) -> dict[str, Any]:
    """Return what the page's script reads.

    Args:
        runs: of any benchmarks.
        pictures: of their problems.

    Returns:
        {"benchmarks": [{"name", "title", "runs", "fields", "problems", "answers"}]}, one for each benchmark, split and
        revision of the data: ids mean one problem within those only. `problems` are dicts; `answers` has a list a run,
        as long as `problems`, of lists as `ANSWER` says, or None where the run has no response. What has no responses
        is left out.

    Raises:
        InputError: a file of responses is broken.
    """
    sets: dict[tuple[str, str | None, str], list[Run]] = {}
    for run in runs:
        if run.responses is not None:
            revision = run.card.provenance.get("data_revision")
            key = (run.card.benchmark, papers.split_of(run.card), json.dumps(revision))
            sets.setdefault(key, []).append(run)
    found = [_one(key, _title(key, list(sets)), chosen, pictures) for key, chosen in sets.items()]
    return {"benchmarks": [entry for entry in found if entry["problems"]]}


def _title(key: tuple[str, str | None, str], keys: Sequence[tuple[str, str | None, str]]) -> str:
    """Return the benchmark's title, with split and revision of the data where the page has several."""
    name, split, revision = key
    splits = {other[1] for other in keys if other[0] == name}
    revisions = {other[2] for other in keys if other[:2] == key[:2]}
    told = json.loads(revision)
    said = ", ".join(map(str, told)) if isinstance(told, list) else str(told or "not known")
    said = _COMMIT.sub(r"\1", said)
    return (
        papers.title(name)
        + (f", {split or 'split not known'}" if len(splits) > 1 else "")
        + (f", data {said}" if len(revisions) > 1 else "")
    )


def _one(key: tuple[str, str | None, str], title: str, runs: Sequence[Run], pictures: Pictures) -> dict[str, Any]:
    name, split, _ = key
    problems: dict[Identity, dict[str, Any]] = {}
    answers: list[dict[Identity, list[Any]]] = []
    for run in runs:
        answers.append({})
        for sample in samples(run):
            same = identity(sample.problem)
            known = problems.setdefault(same, _problem(sample, pictures.get((name, split, same), ())))
            answers[-1][same] = _answer(sample, known["prompts"])
    fields = list(dict.fromkeys(field for problem in problems.values() for field in problem["fields"]))
    with_responses = [i for i, given in enumerate(answers) if given]
    return {
        "name": name,
        "title": title,
        "runs": [{"name": runs[i].name, "colour": run_colour(runs[i].colour)} for i in with_responses],
        "fields": fields,
        "problems": list(problems.values()),
        "answers": [[answers[i].get(same) for same in problems] for i in with_responses],
    }


def _problem(sample: Sample, pictures: Sequence[str]) -> dict[str, Any]:
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
        "prompts": [],
        "fields": {**kinds, **groups},
        "pictures": list(pictures),
    }


def _answer(sample: Sample, prompts: list[str]) -> list[Any]:
    if sample.prompt is not None and sample.prompt not in prompts:
        prompts.append(sample.prompt)
    values = {
        **sample.verdict.to_dict(),
        "response": sample.response,
        "prompt": None if sample.prompt is None else prompts.index(sample.prompt),
    }
    return [values[name] for name in ANSWER]


def packed(data: Mapping[str, Any]) -> str:
    """Return data as JSON, gzip and base64: a fifth of its size, and no text of a model stands in the page's source."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), compresslevel=6, mtime=0)).decode("ascii")
