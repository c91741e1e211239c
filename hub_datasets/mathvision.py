"""MATH-Vision's rows: upstream's columns to Problem, the prompts of the paper, upstream's own files.

Paper: arXiv 2402.14804. Upstream: github.com/mathllm/MATH-V at commit a1f5cc3 (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import (
    choice_lines,
    data_folder,
    lettered,
    load_json_lines,
    picture,
    table_text,
    text_field,
)
from mmmath_tasks.problem import Problem, Verdict

if TYPE_CHECKING:
    from datasets import Features

HUB_ID = "MathLLMs/MathVision"
REVISION = "main"
LICENCE = "MIT"
PAPER = "2402.14804"
SPLITS = ("test", "testmini")

_INSTRUCTIONS = {
    "cot": (
        'Please solve the problem step by step and put your answer in one "\\boxed{}". '
        'If it is a multiple choice question, only one letter is allowed in the "\\boxed{}".'
    ),
    "direct": (
        'Please solve the problem and put your answer in one "\\boxed{}". '
        'If it is a multiple choice question, only one letter is allowed in the "\\boxed{}".'
    ),
    "word": "Answer the question using a single word or phrase.",
    "gemini": "Answer the question using a single letter or number or word.",
    "gemini_cot": (
        "Please first solve the problem step by step, then put your final answer or a single letter "
        '(if it is a multiple choice question) in one "\\boxed{}".'
    ),
    "text": (
        'Please solve the problem step by step and put your answer in one "\\boxed{}". '
        'If it is a multiple choice question, only one letter is allowed in the "\\boxed{}".'
    ),
    "caption": (
        "Please first solve the problem step by step, then put your final answer or a single letter "
        '(if it is a multiple choice question) in one "\\boxed{}".'
    ),
}
"""Table 6, to the letter (the extracted paper shows \\boxed{} as a square): GPT4V-CoT, GPT4-V/o/turbo, Qwen-VL and
LLaVA, Gemini Pro and 1.5 Pro, Gemini Pro-CoT, GPT4-CoT (Text Only), ChatGPT 3.5-CoT (Text + Image Caption)."""

_LAST = ("word", "gemini")
"""Whose sentence stands behind question and options; upstream has it so for `word`, and `gemini` is of its kind."""

PROMPT_STYLES = (*_INSTRUCTIONS, *(f"{style}+letters" for style in _INSTRUCTIONS), "describe", "vlmeval")
"""cot: the default. direct: the box without the steps. word, gemini: no box. gemini_cot: `caption`'s words with the
picture. text: no picture. caption: a caption in
the picture's place (Table 2), before the question, and no options, as upstream has it; the words "Image caption:" are
ours. Options that are nothing but the letters A to E (they are drawn in the picture) are left out, as for GPT-4V in the
paper; "+letters" keeps them, and those of `caption`. describe: asks for such a caption (section E.2). vlmeval: what
VLMEvalKit asks. Its table (MathVision, MathVision_MINI) holds whole prompts and comes with no package, so that their
layout is inferred (docs/settings.md says from what)."""

_DESCRIBE = (
    "Here is a diagram of a math problem, please describe the diagram in complete detail so that your description can "
    "be used to replace the diagram for math problem-solving."
)
"""Section E.2, to the letter."""

SETTINGS = {"vlmeval": "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVision, MathVision_MINI)"}

_VLMEVAL = {
    "multi_choice": (
        "Hint: Please answer the question and provide the correct option letter, e.g., A, B, C, D, at the end."
    ),
    "free_form": "Hint: Please answer the question and provide the final answer at the end.",
}
"""The first line of VLMEvalKit's prompts, by the kind of question; a model of its own (Valley 3) takes no other."""

OWN_COLUMNS = ("level", "subject")

ODD_GOLDS = {
    "59": "a letter in a free-form question: the options are drawn in the picture",
    "434": "a letter in a free-form question: the options are drawn in the picture",
    "654": "an option's text is the letter of another option",
    "742": "an option's text is the letter of another option",
    "941": "an option's text is the letter of another option",
    "1843": "two options have the same text",
    "1893": "two options have the same text, and one is the letter of another option",
    "2521": "ends in a blank",
    "2804": "never equals itself under the official rule",
    "2828": "never equals itself under the official rule",
    "2830": "a form feed and 'rac{36}{13}' stand for \\frac{36}{13}",
    "2833": "never equals itself under the official rule",
    "2866": "never equals itself under the official rule",
    "2875": "never equals itself under the official rule",
    "2877": "never equals itself under the official rule",
    "2947": "carries its unit",
    "3007": "carries its unit",
    "3008": "carries its unit",
}
"""Ids of split test whose gold or options are out of the ordinary, and how. The rows reach the official rule as they
are; only the verified reading looks through the form feed, the blank and the units."""

_COLUMNS = ("id", "question", "options", "image", "answer", "solution", "level", "subject")

_LETTERS = ("A", "B", "C", "D", "E")
_MARK = re.compile(r"<image\d*>")
# "Look: <image1>"
_FREE_MARK = re.compile(
    r"^[ \t]*<image\d*>[ \t]*|(?:(?<=[.:?!,])[ \t]*)<image\d*>|[ \t]*<image\d*>[ \t]*$", re.MULTILINE
)


def problem(row: Mapping[str, Any]) -> Problem:
    """Turn a row of upstream's file or of the Hub's copy into a Problem.

    Args:
        row: upstream's columns; a column `caption` (text that describes the picture) is kept where there is one.

    Returns:
        the problem; groups: level ("1" to "5"), subject, "subject x level" ("algebra, level 1").

    Raises:
        InputError: a column is missing or of the wrong type.
    """
    name = text_field(row, "id", "MATH-Vision")
    where = f"MATH-Vision id {name}"
    options = row.get("options")
    if not isinstance(options, list | tuple) or not all(isinstance(option, str) for option in options):
        raise InputError(f"{where}: column 'options' should be a list of texts, got {options!r}")
    level, subject = text_field(row, "level", where), text_field(row, "subject", where)
    answer = row.get("answer")
    if answer is not None and not isinstance(answer, str):
        raise InputError(f"{where}: column 'answer' should be text, got {answer!r}")
    return Problem(
        benchmark="mathvision",
        id=name,
        question=text_field(row, "question", where),
        choices=tuple(options),
        answer=answer or None,
        question_type="multi_choice" if options else "free_form",
        answer_type="text" if options else "expression",
        groups={"level": (level,), "subject": (subject,), "subject x level": (f"{subject}, level {level}",)},
        extra={"caption": row["caption"]} if row.get("caption") else {},
    )


def saved_row(row: Mapping[str, Any], _: Sequence[str]) -> Mapping[str, Any]:
    """Return a row of a VLMEvalKit table, which has an `index`, with upstream's columns; any other as it is.

    Raises:
        InputError: such a table has no options: the letters among its golds would be texts.
    """
    if "index" not in row:
        return row
    if not row.keys() & {"options", "choices", "A"}:
        raise InputError(f"MATH-Vision index {row['index']}: column 'options' is missing, and so are A, B, ...")
    options = row.get("options", row.get("choices"))
    return {
        **row,
        "id": table_text(row.get("id", row["index"])),
        "answer": table_text(row.get("answer")),
        "options": options if isinstance(options, list) else lettered(row),
        "subject": row.get("subject", row.get("category")),
    }


def prompt(problem: Problem, style: str = "default") -> str:
    """Return the text a model is asked: the instruction, the question, the options one a line, in the style's order.

    Each problem has one picture. Where it is composed of several, upstream drew the marks <image1>, <image2>, ... into
    it as labels, so several marks stay in the text and name its parts. A single mark has no such label: it goes where
    it stands between sentences or at the edge of a line, and stays where a sentence would make no sense without it.

    Args:
        problem: from `problem`.
        style: one of `PROMPT_STYLES`, or "default" for the first.

    Raises:
        ValueError: the style is unknown.
        InputError: style "caption" for a row without a caption.
    """
    name, _, letters = ("cot" if style == "default" else style).partition("+")
    if style != "default" and style not in PROMPT_STYLES:
        raise ValueError(f"unknown prompt style {style!r} for mathvision; known: {', '.join(PROMPT_STYLES)}")
    if name == "describe":
        return _DESCRIBE
    if name == "vlmeval":
        asked = f"{_VLMEVAL[problem.question_type]}\nQuestion: {problem.question}"
        return f"{asked}\nChoices:\n{choice_lines(problem.choices)}" if problem.choices else asked
    question = problem.question
    if len(_MARK.findall(" ".join([question, *problem.choices]))) == 1:
        question = _FREE_MARK.sub("", question)
    parts = [question.strip()]
    if problem.choices and (letters or (name != "caption" and problem.choices != _LETTERS)):
        parts.append(choice_lines(problem.choices))
    if name == "caption":
        caption = problem.extra.get("caption")
        if not caption:
            raise InputError(
                f"MATH-Vision id {problem.id}: no caption; give the rows a column 'caption' or put captions.jsonl "
                '({"id": ..., "caption": ...} a line) into the data folder'
            )
        parts.insert(0, f"Image caption: {caption}")
    parts.insert(len(parts) if name in _LAST else 0, _INSTRUCTIONS[name])
    return "\n".join(parts)


def read(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield upstream's rows of one split from a folder with `<split>.jsonl` and `images/`.

    Args:
        folder: upstream's data folder, or a clone of their repository; `captions.jsonl` (id, caption), where it
            lies beside the rows, adds the captions.
        split: "test" or "testmini".

    Yields:
        rows with the Hub's columns (and `caption`); `decoded_image` is {"bytes": None, "path": the absolute path}.

    Raises:
        InputError: a file is missing or broken.
    """
    base = data_folder(folder, f"{split}.jsonl")
    stored = base / "captions.jsonl"
    captions = {}
    if stored.is_file():
        captions = {text_field(line, "id", str(stored)): line.get("caption") for line in load_json_lines(stored)}
    for row in load_json_lines(base / f"{split}.jsonl"):
        full = {**row, "decoded_image": picture(base, row.get("image"), f"id {row.get('id')}")}
        if captions:
            full["caption"] = captions.get(str(row.get("id")))
        yield full


def pictures(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the row's one picture as [{"bytes", "path"}]; [] where the row carries none."""
    found = row.get("decoded_image")
    return [found] if found else []


def submission(answers: Iterable[tuple[Mapping[str, Any], str, Verdict]]) -> list[dict[str, Any]]:
    """Return what upstream's evaluation/evaluate.py takes, one object a line of a .jsonl file.

    Args:
        answers: row, response, verdict.

    Returns:
        upstream's columns and `response`, in the order given.
    """
    return [{**{name: row[name] for name in _COLUMNS if name in row}, "response": said} for row, said, _ in answers]


def features(split: str) -> Features:
    """Return the columns of the Hub's copy (data card of MathLLMs/MathVision); the same for both splits."""
    from datasets import Features, Image, List, Value

    columns = dict.fromkeys((*_COLUMNS[:4], "decoded_image", *_COLUMNS[4:]), Value("string"))
    return Features({**columns, "options": List(Value("string")), "decoded_image": Image(), "level": Value("int64")})
