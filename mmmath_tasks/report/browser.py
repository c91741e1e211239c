"""The data of the sample browser: what lists need of every problem at once, what one problem shows in blocks.

Texts are rendered here, once; a block holds those of some problems, and the page unpacks it when one of them is opened.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mmmath_tasks import papers
from mmmath_tasks.problem import Problem
from mmmath_tasks.report.pairs import pairs_data
from mmmath_tasks.report.rich_text import rich_answer, rich_line, rich_text
from mmmath_tasks.report.runs import Identity, Run, Sample, identity, progress, samples
from mmmath_tasks.report.tags import tags
from mmmath_tasks.report.themes import run_colour

ANSWER = (
    *("extracted", "prediction", "rule", "confidence", "reason", "official", "verified", "scores", "truncated"),
    *("reader", "span", "features", "length", "prompt"),
)
"""What the page gets of each response at once, as a list in this order: the verdict, the response's length in
characters, and its prompt as an index of the problem's prompts. `span` counts characters as a browser does (UTF-16)."""

_BLOCK = 600_000
"""Characters of JSON in a block."""

_COMMIT = re.compile(r"\b([0-9a-f]{10})[0-9a-f]{6,}\b")  # ten characters tell commits and digests apart

# "\ud835" without its other half, as a text ends that was cut; UTF-8 has no place for it, JSON has
_HALF = re.compile("[\ud800-\udfff]")

Pictures = Mapping[tuple[str, str | None, Identity], Sequence[str]]
"""Benchmark, split and problem to paths of pictures, relative to the page."""


@dataclass(frozen=True, slots=True)
class BrowserData:
    """What the page's script reads.

    Attributes:
        lists: {"benchmarks": [...]}, one for each benchmark, split and revision of the data: ids mean one problem
            within those only. Each has name, title, runs, fields, tags, problems (dicts), answers (a list a run, as
            long as problems, of lists as `ANSWER` says, None where the run has no response), and `blocks`: the index of
            the first problem of each of its blocks. What has no responses is left out.
        blocks: of all of them, in order. Each is a list of {"problem", "question", "choices", "answer", "prompts",
            "answers"}: the problem's record, the HTML of its parts ("" where it is the text), and for each run
            [response, HTML, HTML of extracted, HTML of prediction, the short answer that the file had] or None.
        pairs: for each of `lists`, what `pairs_data` says of its runs.
        formulas: how many formulas the responses have.
        raw: how many of those could not be rendered.
    """

    lists: dict[str, Any]
    blocks: tuple[list[Any], ...]
    pairs: tuple[dict[str, Any], ...]
    formulas: int
    raw: int


@dataclass(frozen=True, slots=True)
class _Asked:
    """A problem with what every run said, None where it said nothing; its prompts, each once."""

    problem: Problem
    pictures: Sequence[str]
    prompts: list[str]
    said: list[Sample | None]


def browser_data(runs: Sequence[Run], pictures: Pictures) -> BrowserData:
    """Return what the page's script reads.

    Raises:
        InputError: a file of responses is broken.
    """
    lists, blocks, pairs = [], [], []
    formulas = raw = 0
    titles = set_titles(runs)
    for key, chosen in _sets(runs).items():
        asked, given = _asked(key, chosen, pictures)
        if not asked:
            continue
        firsts: list[int] = []
        own: list[list[Any]] = []
        size = _BLOCK
        for i, one in enumerate(progress(asked, f"rendering {titles[key]}", "problem")):
            entry, found, left = _texts(one)
            formulas, raw = formulas + found, raw + left
            if size >= _BLOCK:
                firsts.append(i)
                own.append([])
                size = 0
            own[-1].append(entry)
            size += len(json.dumps(entry))
        blocks += own
        verdicts = [[said and said.verdict for said in column] for column in zip(*(a.said for a in asked), strict=True)]
        pairs.append(pairs_data([run.card for run in given], [one.problem for one in asked], verdicts))
        lists.append(_list(key[0], titles[key], given, asked, firsts))
    return BrowserData({"benchmarks": lists}, tuple(blocks), tuple(pairs), formulas, raw)


_Key = tuple[str, str | None, str]


def set_key(run: Run) -> _Key:
    """Return benchmark, split and revision of the data: within those an id means one problem."""
    return run.card.benchmark, papers.split_of(run.card), json.dumps(run.card.provenance.get("data_revision"))


def _sets(runs: Sequence[Run]) -> dict[_Key, list[Run]]:
    found: dict[_Key, list[Run]] = {}
    for run in runs:
        if run.responses is not None:
            found.setdefault(set_key(run), []).append(run)
    return found


def set_titles(runs: Sequence[Run]) -> dict[_Key, str]:
    """Return what the browser calls the sets of problems of runs that have responses."""
    keys = list(_sets(runs))
    return {key: _title(key, keys) for key in keys}


def _title(key: _Key, keys: Sequence[_Key]) -> str:
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


def _asked(key: _Key, runs: Sequence[Run], pictures: Pictures) -> tuple[list[_Asked], list[Run]]:
    """Return the problems with what the runs said, and those runs that said anything."""
    name, split, _ = key
    found: dict[Identity, _Asked] = {}
    for number, run in enumerate(runs):
        for sample in samples(run):
            same = identity(sample.problem)
            if same not in found:
                found[same] = _Asked(sample.problem, pictures.get((name, split, same), ()), [], [None] * len(runs))
            one = found[same]
            one.said[number] = sample
            if sample.prompt is not None and sample.prompt not in one.prompts:
                one.prompts.append(sample.prompt)
    given = [i for i in range(len(runs)) if any(one.said[i] for one in found.values())]
    return [replace(one, said=[one.said[i] for i in given]) for one in found.values()], [runs[i] for i in given]


def _list(name: str, title: str, runs: Sequence[Run], asked: Sequence[_Asked], blocks: Sequence[int]) -> dict[str, Any]:
    problems = [_problem(one) for one in asked]
    return {
        "name": name,
        "title": title,
        "runs": [{"name": run.name, "colour": run_colour(run.colour)} for run in runs],
        "fields": list(dict.fromkeys(field for problem in problems for field in problem["fields"])),
        "tags": tags(name),
        "problems": problems,
        "answers": [[_answer(one, i) for one in asked] for i in range(len(runs))],
        "blocks": list(blocks),
    }


def _question(problem: Problem) -> str:
    """Return what was asked; of a question that is in the picture (Vision Only), what a judge is shown of it."""
    return problem.question or str(problem.extra.get("question_for_eval") or "")


def _problem(one: _Asked) -> dict[str, Any]:
    problem = one.problem
    kinds = {"question type": [problem.question_type], "answer type": [problem.answer_type]}
    groups = {name: list(parts) for name, parts in problem.groups.items() if name.replace("_", " ") not in kinds}
    return {
        "id": problem.id,
        "line": rich_line(_question(problem)),
        "answer": problem.answer,
        "unit": problem.unit,
        "fields": {**kinds, **groups},
        "pictures": list(one.pictures),
    }


def _answer(one: _Asked, run: int) -> list[Any] | None:
    sample = one.said[run]
    if sample is None:
        return None
    values = {
        **sample.verdict.to_dict(),
        "length": len(sample.response),
        "prompt": None if sample.prompt is None else one.prompts.index(sample.prompt),
    }
    values["span"] = _in_utf16(values["span"], sample.response)
    return [values[name] for name in ANSWER]


def _in_utf16(span: Sequence[int] | None, text: str) -> list[int] | None:
    """Return a span of characters as a browser counts them: those beyond U+FFFF are two."""
    return None if span is None else [end + sum(c > "\uffff" for c in text[:end]) for end in span]


def _texts(one: _Asked) -> tuple[dict[str, Any], int, int]:
    """Return a problem's texts, with the number of formulas in its responses, and of those that stay raw."""
    answers: list[list[Any] | None] = []
    formulas = raw = 0
    for sample in one.said:
        if sample is None:
            answers.append(None)
            continue
        verdict = sample.verdict
        shown = rich_text(sample.response, verdict.span)
        formulas, raw = formulas + shown.formulas, raw + len(shown.raw)
        short = rich_answer(verdict.extracted), rich_answer(verdict.prediction)
        answers.append([sample.response, shown.html, *short, sample.extraction])
    problem = one.problem
    entry = {
        "problem": problem.to_dict(),
        "question": [_question(problem), rich_text(_question(problem)).html],
        "choices": [rich_answer(choice) for choice in problem.choices],
        "answer": rich_answer(problem.answer),
        "prompts": [[prompt, rich_text(prompt).html] for prompt in one.prompts],
        "answers": answers,
    }
    return entry, formulas, raw


def packed(data: Any) -> str:
    """Return data as JSON, gzip and base64: a fifth of its size, and no text of a model stands in the page's source."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode("ascii")
