"""MathVista's rows: upstream's columns to Problem, the prompts of the paper, upstream's own files.

Paper: arXiv 2310.02255. Upstream: github.com/lupantech/MathVista at commit 53d5258. The new contributions are
CC BY-SA 4.0, the pictures keep their owners' rights, and the authors allow use as a test set only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import (
    choice_lines,
    data_folder,
    list_field,
    load_json,
    load_json_lines,
    picture,
    table_text,
    text_field,
)
from mmmath_tasks.hub_datasets.mathvista_texts import description, detected, worked_examples
from mmmath_tasks.metrics.mathvista import GROUPS
from mmmath_tasks.problem import AnswerType, Problem, QuestionType, Verdict

if TYPE_CHECKING:
    from datasets import Features

HUB_ID = "AI4Math/MathVista"
REVISION = "main"
LICENCE = "CC-BY-SA-4.0"
PAPER = "2310.02255"
SPLITS = ("testmini", "test")

PROMPT_STYLES = ("default", "question", "solution", "code", "cot_2shot", "pot_2shot", "describe", "vlmeval")
"""default: upstream's `query` column (hint, question, choices). question: without the hint. solution and code: the
augmented-LLM layout of Table 2's text rows (question, choices, caption, OCR text, hint, then "Solution:" or "Python
code:") without worked examples; cot_2shot and pot_2shot: the same after two worked examples of our own.
describe: asks for a description of the picture (Table 10). vlmeval: what VLMEvalKit asks, whose table (MathVista_MINI)
holds upstream's `query`: the same 1,000 texts as default, under a name of their own."""

SETTINGS = {"vlmeval": "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVista_MINI)"}

SKILLS = {
    "algebraic reasoning": "ALG",
    "arithmetic reasoning": "ARI",
    "geometry reasoning": "GEO",
    "logical reasoning": "LOG",
    "numeric commonsense": "NUM",
    "scientific reasoning": "SCI",
    "statistical reasoning": "STA",
}
"""Names of the skills and their short forms in Table 2."""

_HINTS: dict[tuple[str, int | None], str] = {
    ("text", None): "Please answer the question and provide the correct option letter, e.g., A, B, C, D, at the end.",
    (
        "integer",
        None,
    ): "Please answer the question requiring an integer answer and provide the final value, e.g., 1, 2, 3, at the end.",
    ("float", 1): (
        "Please answer the question requiring a floating-point number with one decimal place and provide the final "
        "value, e.g., 1.2, 1.3, 1.4, at the end."
    ),
    ("float", 2): (
        "Please answer the question requiring a floating-point number with two decimal places and provide the final "
        "value, e.g., 1.23, 1.34, 1.45, at the end."
    ),
    ("list", None): (
        "Please answer the question requiring a Python list as an answer and provide the final list, e.g., "
        "[1, 2, 3], [1.2, 1.3, 1.4], at the end."
    ),
}
"""The five task instructions of Table 9, keyed by answer type and decimals; protocol, to the letter."""

_DESCRIBE = (
    "Describe the fine-grained content of the image or figure, including scenes, objects, relationships, and any text "
    "present."
)
"""Table 10, to the letter."""

_CODE_HINT = "Please generate a python code to solve the problem"
"""Upstream's build_query.py, for every program of thought, in place of Table 9's."""

OWN_COLUMNS = ("answer_type", "question_type")

SHORT_ANSWERS = (
    ("extraction", ("question_type", "answer_type")),  # upstream's extract_answer.py, beside the data's own columns
    ("extraction", ("prediction", "true_false")),  # upstream's calculate_score.py
    ("extraction", ("doc_id", "question_id")),  # lmms-eval's log of its judge
    ("res", ("index", "prediction")),  # VLMEvalKit, after its judge
)
"""Upstream's rule reads an extracted answer and no response (section E.2)."""

_COLUMNS = (
    "pid",
    "question",
    "image",
    "choices",
    "unit",
    "precision",
    "answer",
    "question_type",
    "answer_type",
    "metadata",
)


def problem(row: Mapping[str, Any]) -> Problem:
    """Turn a row of upstream's file or of the Hub's copy into a Problem.

    Args:
        row: upstream's columns; `precision` may be a float (the Hub's copy) or an int (upstream's file), `answer` may
            be absent or "" (split test).

    Returns:
        the problem; groups are the nine of `GROUPS`, extra holds `query` where the row has one.

    Raises:
        InputError: a column is missing or of the wrong type.
    """
    pid = text_field(row, "pid", "MathVista")
    where = f"MathVista pid {pid}"
    metadata = row.get("metadata")
    if not isinstance(metadata, Mapping):
        raise InputError(f"{where}: column 'metadata' should be a mapping, got {metadata!r}")
    precision = row.get("precision")
    if not isinstance(precision, int | float | None) or abs(precision or 0) == math.inf:
        raise InputError(f"{where}: column 'precision' should be a number or null, got {precision!r}")
    question_type: QuestionType = text_field(row, "question_type", where)  # type: ignore[assignment]
    if question_type not in get_args(QuestionType):
        known = ", ".join(get_args(QuestionType))
        raise InputError(f"{where}: column 'question_type' should be one of {known}, got {question_type!r}")
    answer_type: AnswerType = text_field(row, "answer_type", where)  # type: ignore[assignment]
    if answer_type not in get_args(AnswerType):
        known = ", ".join(get_args(AnswerType))
        raise InputError(f"{where}: column 'answer_type' should be one of {known}, got {answer_type!r}")
    groups = {name: (str(metadata[name]),) for name in GROUPS[2:-1] if metadata.get(name) is not None}
    if answer_type == "float" and (precision is None or precision != precision):
        raise InputError(f"{where}: column 'precision' is empty or missing for a float")
    choices = list_field(row, "choices", where)
    if question_type == "multi_choice" and not choices:
        raise InputError(f"{where}: column 'choices' is empty or missing for a question of multiple choice")
    return Problem(
        benchmark="mathvista",
        id=pid,
        question=text_field(row, "question", where),
        choices=choices,
        answer=str(row["answer"]) if row.get("answer") not in (None, "") else None,
        question_type=question_type,
        answer_type=answer_type,
        precision=None if precision is None or precision != precision else int(precision),
        unit=text_field(row, "unit", where) if row.get("unit") else None,
        groups={
            "question_type": (question_type,),
            "answer_type": (answer_type,),
            **groups,
            "skill": list_field(metadata, "skills", where),
        },
        extra={"query": row["query"]} if row.get("query") else {},
    )


_PLACES = {"one decimal place": 1, "two decimal places": 2}
_UNIT = re.compile(r" \(Unit: ([^()]*)\)$")  # "How far is it? (Unit: km)"


def saved_row(row: Mapping[str, Any], ids: Sequence[str]) -> Mapping[str, Any]:
    """Return a saved row with upstream's columns: where a harness kept `metadata`, as it is, with its pid.

    In a VLMEvalKit table the prompt stands for the question, metadata are flat, and precision is only in the hint.

    Raises:
        InputError: it is a row of such a table without the prompt.
    """
    if isinstance(row.get("metadata"), Mapping) or "index" not in row:
        # upstream's files are one object, pid to row; an `index` beside its columns is pandas' own
        return {**row, "pid": ids[0]} if "pid" not in row and ids else row
    query = text_field(row, "question", f"MathVista index {row['index']}").replace("\r\n", "\n")
    hint, _, asked = query.partition("\nQuestion: ")
    asked = asked.partition("\nChoices:")[0] if asked else query
    unit = _UNIT.search(asked)
    names = ("category", "context", "grade", "language", "source", "task")
    skills = row.get("skills")
    return {
        **row,
        "pid": table_text(row["index"]),
        "question": asked[: unit.start()] if unit else asked,
        "query": query,
        "unit": unit.group(1) if unit else None,
        "answer": table_text(row.get("answer")),
        "choices": row.get("choices") if isinstance(row.get("choices"), list) else None,
        "precision": next((n for words, n in _PLACES.items() if words in hint), None),
        "metadata": {
            **{name: row[name] for name in names if row.get(name)},
            "skills": skills if isinstance(skills, list) else [skills] if skills else [],
        },
    }


def hint(problem: Problem) -> str:
    """Return the task instruction of Table 9 for this problem's answer type and precision.

    Raises:
        InputError: the paper has no instruction for such an answer (a float with another precision, say).
    """
    if problem.question_type == "multi_choice":
        return _HINTS["text", None]
    key = (problem.answer_type, problem.precision if problem.answer_type == "float" else None)
    if key not in _HINTS:
        raise InputError(f"MathVista pid {problem.id}: Table 9 has no instruction for answer type and precision {key}")
    return _HINTS[key]


def prompt(problem: Problem, style: str = "default") -> str:
    """Return the text a model is asked.

    Args:
        problem: from `problem`.
        style: one of `PROMPT_STYLES`; "default" (and "vlmeval") gives the stored `query` where the row has one
            (upstream stripped the right end of five of them), else the same rebuilt. The four augmented styles read
            `problem.extra["caption"]` and `problem.extra["ocr"]` where they are given (inputs I_c and I_t of Table 2),
            as upstream's files hold them; worked examples then show a text of their own, whether the problem has one
            or "".

    Raises:
        ValueError: the style is unknown.
    """
    if style in ("default", "vlmeval"):
        return problem.extra.get("query") or f"Hint: {hint(problem)}\n{_asked(problem)}"
    if style == "question":
        return _asked(problem)
    if style == "describe":
        return _DESCRIBE
    if style not in PROMPT_STYLES:
        raise ValueError(f"unknown prompt style {style!r} for mathvista; known: {', '.join(PROMPT_STYLES)}")
    shots = worked_examples() if style.endswith("_2shot") else ()
    code = style in ("code", "pot_2shot")
    texts = {name for name in ("caption", "ocr") if name in problem.extra}
    ending = "\n{code}" if code else " {solution}"
    worked = [_augmented(shot, code, texts) + ending.format(**shot.extra) for shot in shots]
    return "\n\n".join([*worked, _augmented(problem, code, texts)]).strip()


def _asked(problem: Problem) -> str:
    """Return question, unit and choices."""
    asked = f"Question: {problem.question}" + (f" (Unit: {problem.unit})" if problem.unit else "")
    return f"{asked}\nChoices:\n{choice_lines(problem.choices)}" if problem.choices else asked


def _augmented(problem: Problem, code: bool, texts: Container[str]) -> str:
    """Return one problem in the layout of Table 2's text rows, with the inputs that are on, up to what is asked for."""
    caption, ocr = (str(problem.extra[name]) if name in texts else "" for name in ("caption", "ocr"))
    parts = [
        ("", _asked(problem)),
        ("Image description: ", description(caption)),
        ("Image detected text: ", detected(ocr)),
        ("Hint: ", _CODE_HINT if code else hint(problem)),
    ]
    return "\n".join([*(name + text for name, text in parts if text), "Python code:" if code else "Solution:"])


def read(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield upstream's rows of one split from a folder with `<split>.json` and `images/`.

    Args:
        folder: upstream's data folder, or a clone of their repository; `query_<split>.jsonl` (pid, query), where it
            lies beside the rows, gives the stored prompts.
        split: "testmini" or "test".

    Yields:
        rows with the Hub's columns; `decoded_image` is {"bytes": None, "path": the picture's absolute path}.

    Raises:
        InputError: a file is missing or broken.
    """
    base = data_folder(folder, f"{split}.json")
    source = base / f"{split}.json"
    rows = load_json(source)
    if not isinstance(rows, Mapping):
        raise InputError(f"{source}: expected one JSON object, pid to row, got {type(rows).__name__}")
    stored = base / f"query_{split}.jsonl"
    queries = {}
    if stored.is_file():
        queries = {text_field(line, "pid", str(stored)): line.get("query") for line in load_json_lines(stored)}
    for pid, row in rows.items():
        if not isinstance(row, Mapping):
            raise InputError(f"{source}: pid {pid}: expected a JSON object, got {row!r}")
        full = {"pid": pid, **row, "decoded_image": picture(base, row.get("image"), f"pid {pid}")}
        if not full.get("query"):
            full["query"] = queries.get(pid) or prompt(problem(full))
        yield full


def pictures(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the row's one picture as [{"bytes", "path"}]; [] where the row carries none."""
    found = row.get("decoded_image")
    return [found] if found else []


def submission(answers: Iterable[tuple[Mapping[str, Any], str, Verdict]]) -> dict[str, dict[str, Any]]:
    """Return what upstream's leaderboard takes for the split whose answers are not released.

    Args:
        answers: row (its `prompt` is what was asked, where that is not `query`), response, verdict.

    Returns:
        pid to upstream's columns with `query`, `response`, `extraction` and `prediction`, by rising pid: the layout of
        the output files that upstream's generate_response.py and extract_answer.py write.
    """
    found = {}
    for row, response, verdict in answers:
        found[str(row["pid"])] = {
            **{name: row[name] for name in _COLUMNS if name in row},
            "query": row.get("prompt") or row.get("query"),
            "response": response,
            "extraction": verdict.extracted or "",
            "prediction": verdict.prediction,
        }
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0])))


def features(split: str) -> Features:
    """Return the columns of the Hub's copy (data card of AI4Math/MathVista); the same for both splits."""
    from datasets import Features, Image, List, Value

    text, number = Value("string"), Value("int64")
    names = ("category", "context", "grade", "img_height", "img_width", "language", "skills", "source", "split", "task")
    metadata = {**dict.fromkeys(names, text), "img_height": number, "img_width": number, "skills": List(text)}
    columns = dict.fromkeys((*_COLUMNS[:3], "decoded_image", *_COLUMNS[3:], "query"), text)
    others = {"decoded_image": Image(), "choices": List(text), "precision": Value("float64"), "metadata": metadata}
    return Features({**columns, **others})
