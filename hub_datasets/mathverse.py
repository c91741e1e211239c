"""MathVerse's rows: upstream's columns to Problem, its two stored prompts, upstream's own files.

Paper: arXiv 2403.14624. Upstream: github.com/ZrrSkywalker/MathVerse at commit 937b090 (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import data_folder, load_json_rows, picture, text_field
from mmmath_tasks.metrics.mathverse import TEXT_ONLY
from mmmath_tasks.problem import Problem, Verdict

if TYPE_CHECKING:
    from datasets import Features

HUB_ID = "AI4Math/MathVerse"
REVISION = "main"
LICENCE = "MIT"
PAPER = "2403.14624"
SPLITS = ("testmini", "testmini_text_only")
CONFIGS = {"testmini": "testmini", "testmini_text_only": "testmini_text_only"}
"""The Hub's configuration that holds a split: here each split has its own, named alike."""
OWN_COLUMNS = ("problem_version",)

PROMPT_STYLES = ("wo", "cot", "vlmeval", "vlmeval_cot")
"""wo: answer directly, upstream's `query_wo`, the score of Table 2's "w/o". cot: reason first, `query_cot`. vlmeval and
vlmeval_cot: what VLMEvalKit asks from its tables (MathVerse_MINI and one a version; MathVerse_MINI_Vision_Only_cot):
the columns `question`, which is not to be had here and taken to be `query_wo`, and `query_cot` (docs/settings.md)."""

SETTINGS = {
    "vlmeval": "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVerse_MINI)",
    "vlmeval_cot": "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVerse_MINI_Vision_Only_cot)",
}

_QUERIES = {"wo": "query_wo", "cot": "query_cot", "vlmeval": "query_wo", "vlmeval_cot": "query_cot"}

ODD_GOLDS = {
    "339": "the option's text",
    "340": "the option's text",
    "429": "the option's text (B)",
    "430": "the option's text (A)",
    "440": "two letters",
    "517": "the letter in brackets",
    "518": "the letter in brackets",
    "521": "the letter in brackets",
    "523": "the letter in brackets",
    "524": "E, of six options",
    "525": "F, of six options",
    "526": "F, of six options",
    "528": "E, of six options",
    "552": "E, of five options",
    "555": "two letters",
    "756": "E, of five options",
    "760": "E, of five options",
}
"""The problem_index of the 17 multiple-choice problems whose gold is not one of A, B, C, D, and what it is instead.
The golds stay as they are; the verified rule reads them (mmmath_tasks.metrics.mathverse.gold_letters)."""

_COLUMNS = (
    "sample_index",
    "problem_index",
    "problem_version",
    "question",
    "image",
    "answer",
    "question_type",
    "metadata",
    "query_wo",
    "query_cot",
    "question_for_eval",
)

_CHOICES = re.compile(r"(?:^|\n)[ \t]*Choices?[ \t]*:[ \t]*\n")
_OPTION = re.compile(r"^[ \t]*\(?([A-H])[ \t]*[.:)][ \t]*", re.MULTILINE)


def choices(question: str) -> tuple[str, ...]:
    """Return the texts of the options that follow "Choices:" or "Choice:" in a question, () where there are none.

    The options are lettered from A, one a line ("A:40°", "A.40°", "(A) 40°"); a line without a letter belongs to the
    option before it.
    """
    start = list(_CHOICES.finditer(question))
    if not start:
        return ()
    block = question[start[-1].end() :]
    found: list[tuple[int, int]] = []
    for match in _OPTION.finditer(block):
        if match[1] == chr(ord("A") + len(found)):
            found.append(match.span())
    ends = [begin for begin, _ in found[1:]] + [len(block)]
    return tuple(block[after:end].strip() for (_, after), end in zip(found, ends, strict=True))


def problem(row: Mapping[str, Any]) -> Problem:
    """Turn a row of upstream's file or of the Hub's copy into a Problem.

    Args:
        row: upstream's columns; `question_for_eval` may be absent (the text-only rows have none: their `question` is
            whole).

    Returns:
        the problem. Its id is the sample_index; Text Only rows, which are counted from 1 again, have
        "text_only_<sample_index>", so that all six versions can be summed up together. Groups: version, subject,
        subfield ("Plane Geometry: Angle", since two subjects have an Area). Extra: problem_index, question_for_eval,
        query_wo, query_cot. The choices are read from question_for_eval, because Vision Only has no question.

    Raises:
        InputError: a column is missing or of the wrong type.
    """
    index = text_field(row, "sample_index", "MathVerse")
    where = f"MathVerse sample_index {index}"
    version = text_field(row, "problem_version", where)
    metadata = row.get("metadata")
    if not isinstance(metadata, Mapping) or not {"subject", "subfield"} <= set(metadata):
        raise InputError(f"{where}: column 'metadata' should hold subject and subfield, got {metadata!r}")
    subject, subfield = str(metadata["subject"]), str(metadata["subfield"])
    question = text_field(row, "question", where)
    whole = text_field(row, "question_for_eval", where) if row.get("question_for_eval") else question
    chosen = text_field(row, "question_type", where) == "multi-choice"
    queries = {name: row[name] for name in ("query_wo", "query_cot") if row.get(name)}
    return Problem(
        benchmark="mathverse",
        id=f"text_only_{index}" if version == TEXT_ONLY else index,
        question=question,
        choices=choices(whole) if chosen else (),
        answer=str(row["answer"]) if row.get("answer") not in (None, "") else None,
        question_type="multi_choice" if chosen else "free_form",
        answer_type="text" if chosen else "expression",
        groups={"version": (version,), "subject": (subject,), "subfield": (f"{subject}: {subfield}",)},
        extra={"problem_index": text_field(row, "problem_index", where), "question_for_eval": whole, **queries},
    )


def prompt(problem: Problem, style: str = "default") -> str:
    """Return the text a model is asked: the stored query, one of upstream's columns.

    Args:
        problem: from `problem`.
        style: one of `PROMPT_STYLES`; "default" is "wo".

    Raises:
        ValueError: the style is unknown.
        InputError: the row had no such column.
    """
    name = PROMPT_STYLES[0] if style == "default" else style
    if name not in PROMPT_STYLES:
        raise ValueError(f"unknown prompt style {style!r} for mathverse; known: {', '.join(PROMPT_STYLES)}")
    stored = problem.extra.get(_QUERIES[name])
    if not stored:
        raise InputError(f"MathVerse sample_index {problem.id}: column {_QUERIES[name]!r} is missing or empty")
    return str(stored)


def read(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield upstream's rows of one split from a folder with `<split>.json` and the pictures, beside it or in `images/`.

    Args:
        folder: upstream's data folder, or a clone of their repository.
        split: "testmini" (five versions) or "testmini_text_only".

    Yields:
        rows with the Hub's columns; `image` is {"bytes": None, "path": the picture's absolute path}, "" for Text Only.

    Raises:
        InputError: a file is missing or broken.
    """
    base = data_folder(folder, f"{split}.json")
    for row in load_json_rows(base / f"{split}.json"):
        yield {**row, "image": picture(base, row.get("image"), f"sample_index {row.get('sample_index')}") or ""}


def pictures(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the row's one picture as [{"bytes", "path"}]; [] for Text Only."""
    found = row.get("image")
    return [found] if found else []


def submission(answers: Iterable[tuple[Mapping[str, Any], str, Verdict]]) -> list[dict[str, Any]]:
    """Return what upstream's evaluation takes.

    Args:
        answers: row, response, verdict.

    Returns:
        upstream's columns with the response as `model_answer`: the layout of output_testmini.json.
    """
    return [
        {**{name: row[name] for name in _COLUMNS if isinstance(row.get(name), str | dict)}, "model_answer": response}
        for row, response, _ in answers
    ]


def features(split: str) -> Features:
    """Return the columns of the Hub's copy (data card of AI4Math/MathVerse)."""
    from datasets import Features, Image, Value

    text = Value("string")
    columns = dict.fromkeys(_COLUMNS, text)
    columns["metadata"] = dict.fromkeys(("split", "source", "subject", "subfield"), text)
    if split == "testmini_text_only":
        del columns["question_for_eval"]
    else:
        columns["image"] = Image()
    return Features(columns)
