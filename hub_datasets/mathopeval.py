"""MathOPEval's rows: one shape for our reconstruction and for the authors' files, the paper's prompts.

Paper: arXiv 2507.18140. The authors have published neither data nor code, so `generate` builds a set from the paper's
description (section 2, Table 1): a reconstruction, whose scores do not compare with
the paper's digit by digit. What the paper leaves open and we chose stands in cards/mathopeval.md.

The files that `read` takes (should the authors' appear, in this shape):

samples.jsonl: one figure a line, {"id", "type": "geometry" | "function" | "bar" | "line" | "pie", "topic", "style",
"language": "python" | "latex", "original", "deleted", "modified", "annotated": {"code", "instruction", "picture"} each,
"annotations": [{"text", "kind", "element"}]}; pictures are paths relative to the folder.
multiple_choice.jsonl: one question a line, {"id", "sample", "task": "mcg" | "mce_deletion" | "mce_modification" |
"mce_annotation", "element", "direction", "question", "choices", "answer": a letter}.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import choice_lines, list_field, load_json_lines, picture, text_field
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import EDITION, QUESTIONS, STATE_OF_TASK, TASKS, TYPES
from mmmath_tasks.problem import Problem

if TYPE_CHECKING:
    from datasets import Features

    from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Sample

HUB_ID = ""
"""None: the benchmark is not published; `mmmath hub build mathopeval` makes it."""
REVISION = ""
LICENCE = "CC0-1.0"
PAPER = "2507.18140"
SPLITS = ("mc", "gen")
SIZES = QUESTIONS
"""Multiple-choice questions and free-form generation (section 2.3, Table 1)."""

OWN_COLUMNS = ("sample", "original_code")
OPTIONAL_PICTURES = ("target_picture",)

PROMPT_STYLES = ("direct", "cot", "dcot", "vcot", *(f"cot_{n}shot" for n in range(1, 6)))
"""Of the paper's appendix ("VCoT" is called VoT in its section 4.1); with shots for multiple choice on geometry alone
(Figure 4), which are ours."""

# The paper's appendix, to the letter; multiple choice and free-form.
_CHOICE_ENDINGS = {
    "direct": "Please directly output the correct option.",
    "cot": "Let's think step by step. Please equip the correct option with \\boxed{} at the end of your response.",
    "dcot": "Describe the image information relevant to the question.\n"
    "Please equip the correct option with \\boxed{} at the end of your response.",
    "vcot": "Visualize the state after each reasoning step.\n"
    "Please equip the correct option with \\boxed{} at the end of your response.",
}
_CODE_ENDINGS = {
    "direct": "Please directly output your code using markdown format.",
    "cot": "Let's think step by step. Please wrap your code using markdown format at the end of your response.",
    "dcot": "Describe the image information relevant to the question.\n"
    "Please wrap your code using markdown format at the end of your response.",
    "vcot": "Visualize the state after each reasoning step.\n"
    "Please wrap your code using markdown format at the end of your response.",
}


def problem(row: Mapping[str, Any]) -> Problem:
    """Turn a row of either split into a Problem.

    Args:
        row: the columns of `features`; pictures are not looked at.

    Returns:
        the problem. Its answer is a letter (mc) or the reference code (gen). Groups: task, type, "task x type"
        ("mcg x bar"), topic; for annotation also element ("angle", "line", "x", "y", "extreme"; several for free-form)
        and direction ("forward", "backward"; multiple choice alone). Extra: sample, language, original_code (None for
        mcg), annotations.

    Raises:
        InputError: a column is missing or of the wrong type, or holds an unknown word.
    """
    name = text_field(row, "id", "MathOPEval")
    where = f"MathOPEval id {name}"
    task, kind = _one_of(row, "task", TASKS, name), _one_of(row, "type", TYPES, name)
    chosen = _one_of(row, "format", ("multiple_choice", "free_form"), name) == "multiple_choice"
    answer = text_field(row, "answer", where)
    choices = list_field(row, "choices", where)
    if chosen and not ("A" <= answer <= "Z" and len(answer) == 1 and ord(answer) - ord("A") < len(choices)):
        raise InputError(f"{where}: column 'answer' should be the letter of a choice, got {answer!r}")
    annotations = _annotations(row, name)
    elements = [text_field(row, "element", where)] if chosen and row.get("element") else []
    if not chosen and task == "mce_annotation":
        elements = [k for k in dict.fromkeys(mark["kind"] for mark in annotations) if k != "value"]
    return Problem(
        benchmark="mathopeval",
        id=name,
        question=text_field(row, "question", where),
        choices=choices if chosen else (),
        answer=answer,
        question_type="multi_choice" if chosen else "free_form",
        groups={
            "task": (task,),
            "type": (kind,),
            "task x type": (f"{task} x {kind}",),
            "topic": (str(row.get("topic") or ""),),
            **({"element": tuple(elements)} if elements else {}),
            **({"direction": (text_field(row, "direction", where),)} if row.get("direction") else {}),
        },
        extra={
            "sample": text_field(row, "sample", where),
            "language": _one_of(row, "language", ("python", "latex"), name),
            "original_code": row.get("original_code") or None,
            "annotations": annotations,
        },
    )


def _annotations(row: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    marks = row.get("annotations") or []
    parts = ("text", "kind", "element")
    if not isinstance(marks, list) or not all(
        isinstance(mark, Mapping) and all(isinstance(mark.get(part), str) for part in parts) for mark in marks
    ):
        raise InputError(
            f"MathOPEval id {name}: column 'annotations' should be a list of {', '.join(parts)}, got {marks!r}"
        )
    return [dict(mark) for mark in marks]


def _one_of(row: Mapping[str, Any], column: str, known: tuple[str, ...], name: str) -> str:
    value = row.get(column)
    if value not in known:
        raise InputError(f"MathOPEval id {name}: column {column!r} should be one of {', '.join(known)}, got {value!r}")
    return str(value)


def prompt(problem: Problem, style: str = "default") -> str:
    """Return the text a model is asked: the paper's appendix to the letter, options as "(A) ..." one below the other.

    Args:
        problem: from `problem`.
        style: "direct" (also "default"), "cot", "dcot", "vcot", or "cot_1shot" to "cot_5shot".

    Raises:
        ValueError: the style is unknown, or has shots where the problem is not a multiple-choice one on geometry.
    """
    name = PROMPT_STYLES[0] if style == "default" else style
    if name not in PROMPT_STYLES:
        raise ValueError(f"unknown prompt style {style!r} for mathopeval; known: {', '.join(PROMPT_STYLES)}")
    if name.endswith("shot"):
        from mmmath_tasks.hub_datasets.mathopeval_generator.shots import shots

        if problem.question_type == "free_form" or problem.groups["type"] != ("geometry",):
            raise ValueError(f"prompt style {style!r} is for multiple choice on geometry, not for {problem.id}")
        return shots(int(name[4]), _CHOICE_ENDINGS["cot"]) + prompt(problem, "cot")
    if problem.question_type == "free_form":
        return f"Question: {problem.question}\n{_CODE_ENDINGS[name]}"
    return f"Question: {problem.question}\nChoices:\n{choice_lines(problem.choices)}\n{_CHOICE_ENDINGS[name]}"


def read(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a split from a folder with samples.jsonl, multiple_choice.jsonl and the pictures they name.

    Args:
        folder: what `generate` writes, or the authors' files in that shape.
        split: "mc" or "gen".

    Yields:
        rows with the columns of `features`; the pictures are {"bytes": None, "path": an absolute path} or None.

    Raises:
        InputError: a file is missing or broken; the message names the line.
    """
    samples = {}
    for number, sample in enumerate(load_json_lines(folder / "samples.jsonl"), 1):
        where = f"{folder / 'samples.jsonl'}: object {number}"
        if not isinstance(sample.get("id"), str) or not all(_is_state(sample.get(s)) for s in STATE_OF_TASK.values()):
            states = ", ".join(STATE_OF_TASK.values())
            raise InputError(f"{where}: expected id and the states {states}, each with code, instruction and picture")
        samples[sample["id"]] = sample
    if split == "gen":
        for sample in samples.values():
            yield from (_free_form(folder, sample, task) for task in TASKS)
        return
    for number, question in enumerate(load_json_lines(folder / "multiple_choice.jsonl"), 1):
        where = f"{folder / 'multiple_choice.jsonl'}: object {number}"
        if missing := {"id", "sample", "task", "question", "choices", "answer"} - set(question):
            raise InputError(f"{where}: no {', '.join(sorted(missing))}")
        if str(question["sample"]) not in samples:
            raise InputError(f"{where}: sample {question['sample']!r} is not in samples.jsonl")
        yield _multiple_choice(folder, samples[str(question["sample"])], question)


def _is_state(found: Any) -> bool:
    texts = isinstance(found, Mapping) and all(isinstance(found.get(part), str) for part in ("code", "instruction"))
    return texts and "picture" in found


def _shared(folder: Path, sample: Mapping[str, Any], task: str) -> dict[str, Any]:
    return {
        "sample": sample["id"],
        "type": sample.get("type"),
        "topic": sample.get("topic") or "",
        "style": sample.get("style") or "",
        "language": sample.get("language"),
        "task": task,
        "original_code": None if task == "mcg" else sample["original"]["code"],
        "picture": _picture(folder, sample, "original"),
    }


def _picture(folder: Path, sample: Mapping[str, Any], state: str) -> dict[str, Any] | None:
    return picture(folder, sample[state]["picture"], f"sample {sample['id']}")


def _free_form(folder: Path, sample: Mapping[str, Any], task: str) -> dict[str, Any]:
    state = sample[STATE_OF_TASK[task]]
    question, code = state["instruction"], sample["original"]["code"]
    if task != "mcg":
        question += f"\nOriginal code:\n```{sample.get('language')}\n{code.strip()}\n```"
    return {
        "id": f"{sample['id']}-gen-{task}",
        "format": "free_form",
        **_shared(folder, sample, task),
        "element": "",
        "direction": "",
        "question": question,
        "choices": [],
        "answer": state["code"],
        "annotations": sample.get("annotations") or [] if task == "mce_annotation" else [],
        "target_picture": None if task == "mcg" else _picture(folder, sample, STATE_OF_TASK[task]),
    }


def _multiple_choice(folder: Path, sample: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    task = question["task"]
    seen = task in ("mce_deletion", "mce_modification")
    return {
        "id": question["id"],
        "format": "multiple_choice",
        **_shared(folder, sample, task),
        "element": question.get("element") or "",
        "direction": question.get("direction") or "",
        "question": question["question"],
        "choices": question["choices"],
        "answer": question["answer"],
        "annotations": [],
        "target_picture": _picture(folder, sample, STATE_OF_TASK[task]) if seen else None,
    }


def pictures(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the pictures a model is shown: the original; for deletion and modification then the edited one.

    The annotated picture is never shown (section 2 of the paper), though free-form rows hold it.
    """
    shown = [row.get("picture")]
    if row.get("task") in ("mce_deletion", "mce_modification"):
        shown.append(row.get("target_picture"))
    return [found for found in shown if found]


def features(split: str) -> Features:
    """Return the columns, the same for both splits."""
    from datasets import Features, Image, List, Value

    text = Value("string")
    names = ("id", "format", "sample", "type", "topic", "style", "language", "task", "element", "direction", "question")
    return Features(
        {
            **dict.fromkeys(names, text),
            "choices": List(text),
            "answer": text,
            "original_code": text,
            "annotations": List({"text": text, "kind": text, "element": text}),
            "picture": Image(),
            "target_picture": Image(),
        }
    )


def generate(
    folder: Path,
    *,
    kept: Path,
    seed: int | None = None,
    seed_file: Path | None = None,
    samples: int | None = None,
    processes: int | None = None,
    sources: Sequence[Sample] | None = None,
    human_subset: bool = False,
    edition: int = EDITION,
) -> dict[str, Any]:
    """Build a set into a folder, in the shape that `read` takes, and print a report on its validity.

    Args:
        folder: where to; created if missing.
        kept: a folder for finished pictures; with the same one again, an interrupted build goes on where it stopped.
        seed: another seed, another set; None: 0, whose golds everyone can make.
        seed_file: in place of a seed a file that is kept secret (mathopeval_generator.seed): a set of the same
            distribution whose golds nobody else has.
        samples: how many, in the paper's proportions; None: 1,888.
        processes: how many draw side by side; None: one a core. The files are the same whatever their number.
        sources: samples on a user's figures (mathopeval_generator.sources), in place of drawn ones.
        human_subset: only what the paper's human evaluation asks (section 6.1): 20 questions of each task and type.
        edition: of the set, 1 or 2 (cards/mathopeval.md says how they differ).

    Returns:
        what makes the same set again: "edition", and "seed" or, of a secret one, "seed_digest", and the options given.

    Raises:
        InputError: fewer than one sample is wanted, seed and seed file are both named, the file is no good, there is no
            such edition, or Matplotlib, pandas, seaborn, pdflatex, its TikZ or pdftoppm is missing.
    """
    from mmmath_tasks.hub_datasets.mathopeval_generator.build import build
    from mmmath_tasks.hub_datasets.mathopeval_generator.report import report
    from mmmath_tasks.hub_datasets.mathopeval_generator.seed import digest, private_seed

    if seed is not None and seed_file is not None:
        raise InputError("a set has one seed: name --seed or --seed-file, not both")
    secret = private_seed(seed_file) if seed_file else None
    number = secret if secret is not None else seed or 0
    side_by_side = processes or os.cpu_count() or 1
    asked: dict[str, Any] = {"samples": samples, "human_subset": human_subset}
    seconds = build(folder, kept=kept, processes=side_by_side, seed=number, sources=sources, edition=edition, **asked)
    choices, codes = (list(read(folder, split)) for split in SPLITS)
    print(report(choices, codes, seconds))
    named = {"seed": number} if secret is None else {"seed_digest": digest(secret)}
    return {"edition": edition, **named, **{name: value for name, value in asked.items() if value}}
