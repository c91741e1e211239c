"""We-Math's rows: upstream's columns to Problem, the prompts of the paper, upstream's own files.

Paper: arXiv 2407.01284. Upstream: github.com/We-Math/We-Math at commit a57a0e8 (CC BY-NC 4.0).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import data_folder, lettered, load_json_rows, picture, text_field
from mmmath_tasks.hub_datasets.wemath_knowledge import PLACES
from mmmath_tasks.problem import Problem, Verdict

if TYPE_CHECKING:
    from datasets import Features

HUB_ID = "We-Math/We-Math"
REVISION = "main"
LICENCE = "CC-BY-NC-4.0"
PAPER = "2407.01284"
SPLITS = ("testmini",)

OWN_COLUMNS = ("knowledge concept",)

PROMPT_STYLES = ("default", "kca", "vlmeval")
"""default: Table 4's multiple-choice prompt. kca: knowledge concept augmentation, the same with the descriptions of the
question's concepts before it (section 4.3, Table 4). vlmeval: what VLMEvalKit asks of its table WeMath: question and
options, and no word of how to answer; that the table has no hint is inferred (docs/settings.md)."""

SETTINGS = {"vlmeval": "VLMEvalKit's prompt (ms-vlmeval 0.0.20, WeMath)"}

_TASK = "Now, we require you to solve a multiple-choice math question. "
_CARDS = "We will provide you with the relevant knowledge concepts of this question for your reference. "
_THOUGHT = "Please briefly describe your thought process and provide the final answer(option)."
_FORMAT = (
    "Regarding the format, please answer following the template below, and be sure to include two <> symbols:\n"
    "<Thought process>: <<your thought process>>\n"
    "<Answer>: <<your option>>"
)

_COLUMNS = (
    "ID",
    "split",
    "knowledge concept",
    "question",
    "option",
    "answer",
    "image_path",
    "key",
    "question number",
    "knowledge concept description",
)

_LETTERS = "ABCDEFGH"
_KEY = re.compile(r"([23])steps_([123]|multi)")
_STEPS = {"2": "two-step", "3": "three-step"}
# "point ;O.;": upstream's file has a stray semicolon before a full stop's letter, so a mark with nothing behind it is
# no option.
# "A. 12 cm; B. 15 cm"
_OPTION = re.compile(r"(?:^|(?<=[;\s]))([A-H])[.\uff0e]\s*(?=[^;\s])")


def options(text: str) -> tuple[str, ...]:
    """Return the options' texts of upstream's `option` column, in the order of their letters.

    The letters decide, not the semicolons, which upstream drops here and adds there. A letter that is skipped
    ("C. No.; F. No correct answer") leaves "" in its place.
    """
    found: list[re.Match[str]] = []
    for match in _OPTION.finditer(text):
        if match[1] > (found[-1][1] if found else "@"):
            found.append(match)
    ends = [match.start() for match in found[1:]] + [len(text)]
    texts = {m[1]: text[m.end() : end].replace(";", "").strip() for m, end in zip(found, ends, strict=False)}
    letters = [chr(c) for c in range(ord("A"), ord(max(texts, default="@")) + 1)]
    return tuple(texts.get(letter, "") for letter in letters)


def problem(row: Mapping[str, Any]) -> Problem:
    """Turn a row of upstream's file or of the Hub's copy into a Problem.

    Args:
        row: upstream's columns.

    Returns:
        the problem, one step or the whole of a We-Math problem. Its id is "<ID>|<key>". Groups: step ("one-step",
        "two-step", "three-step"); for one-step rows also concept, topic and domain. Extra: problem (the ID), key,
        option (upstream's one string), concepts (list) and description.

    Raises:
        InputError: a column is missing or of the wrong type, or `key` is none of the seven.
    """
    problem_id = text_field(row, "ID", "We-Math")
    key = text_field(row, "key", f"We-Math ID {problem_id}")
    name = f"{problem_id}|{key}"
    parts = _KEY.fullmatch(key)
    if not parts:
        raise InputError(f"We-Math ID {problem_id}: column 'key' should be like 2steps_1 or 3steps_multi, got {key!r}")
    where = f"We-Math ID {problem_id}, key {key}"
    option = text_field(row, "option", where)
    concept = text_field(row, "knowledge concept", where)
    groups: dict[str, tuple[str, ...]] = {"step": ("one-step",)}
    if parts[2] == "multi":
        groups = {"step": (_STEPS[parts[1]],)}
    elif concept in PLACES:
        place = PLACES[concept]
        groups |= {"topic": (place.topic,), "domain": (place.domain,), "concept": (concept,)}
    else:
        groups |= {"concept": (concept,)}
    return Problem(
        benchmark="wemath",
        id=name,
        question=text_field(row, "question", where),
        choices=options(option),
        answer=str(row["answer"]) if row.get("answer") not in (None, "") else None,
        question_type="multi_choice",
        answer_type="text",
        groups=groups,
        extra={
            "problem": problem_id,
            "key": key,
            "option": option,
            "concepts": [part.strip() for part in concept.split(";")],
            "description": str(row.get("knowledge concept description") or ""),
        },
    )


def saved_row(row: Mapping[str, Any], _: Sequence[str]) -> Mapping[str, Any]:
    """Return a row of a VLMEvalKit table, which has an `index`, with upstream's options; any other as it is."""
    options = "; ".join(f"{chr(ord('A') + i)}. {text}" for i, text in enumerate(lettered(row)))
    return {**row, "option": row.get("option") or options} if "index" in row else row


def saved_ids(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield "<ID>|<key>", and with a slip mended that files people share have: "3stpes_12"."""
    if "ID" in row and "key" in row:
        name = f"{row['ID']}|{row['key']}"
        yield from (name, name.replace("stpes", "steps"))


def prompt(problem: Problem, style: str = "default") -> str:
    """Return the text a model is asked (Table 4; the template's angle brackets, lost in the paper's text, restored).

    Args:
        problem: from `problem`.
        style: one of `PROMPT_STYLES`.

    Raises:
        ValueError: the style is unknown.
        InputError: style "kca" for a row without `knowledge concept description`.
    """
    if style not in PROMPT_STYLES:
        raise ValueError(f"unknown prompt style {style!r} for wemath; known: {', '.join(PROMPT_STYLES)}")
    if style == "vlmeval":
        lines = [f"{letter}. {text}\n" for letter, text in zip(_LETTERS, problem.choices, strict=False) if text]
        return f"Question: {problem.question}\nOptions:\n{''.join(lines)}"
    asked = f"Question: {problem.question}\nOption: {problem.extra['option']}\n{_FORMAT}"
    if style == "default":
        return f"{_TASK}{_THOUGHT}\n{asked}"
    description = problem.extra["description"]
    if not description:
        raise InputError(f"We-Math {problem.id}: column 'knowledge concept description' is missing or empty")
    return f"{_TASK}{_CARDS}{_THOUGHT}\nKnowledge concept: {description}\n{asked}"


def arrange(rows: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return the order in which to ask rows so that a run cut short has whole problems of both kinds.

    Upstream's file has all first steps, then all second steps, and so on: its first 100 rows hold no whole problem.

    Args:
        rows: with the columns ID and key.

    Returns:
        positions in `rows`: the rows of one ID together, steps before the whole; two- and three-step problems evenly
        mixed; otherwise in the order of the file.
    """
    where: dict[str, list[tuple[str, int]]] = {}
    for position, row in enumerate(rows):
        where.setdefault(str(row["ID"]), []).append((str(row["key"]), position))
    sizes = Counter(min(keys)[0][:1] for keys in where.values())
    seen: Counter[str] = Counter()
    ranked = []
    for keys in where.values():
        kind = min(keys)[0][:1]
        seen[kind] += 1
        ranked.append((seen[kind] / sizes[kind], kind, sorted(keys)))  # "multi" sorts behind the digits
    return [position for _, _, keys in sorted(ranked) for _, position in keys]


def read(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield upstream's rows of one split from a folder with `<split>.json` and the pictures, or `images/`.

    Args:
        folder: upstream's data folder, or a clone of their repository.
        split: "testmini".

    Yields:
        rows with the Hub's columns; `image_path` is {"bytes": None, "path": the picture's absolute path}.

    Raises:
        InputError: a file is missing or broken.
    """
    base = data_folder(folder, f"{split}.json")
    for row in load_json_rows(base / f"{split}.json"):
        where = f"ID {row.get('ID')}, key {row.get('key')}"
        yield {**row, "image_path": picture(base, row.get("image_path"), where)}


def pictures(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the row's one picture as [{"bytes", "path"}]; [] where the row carries none."""
    found = row.get("image_path")
    return [found] if found else []


def submission(answers: Iterable[tuple[Mapping[str, Any], str, Verdict]]) -> list[dict[str, Any]]:
    """Return what upstream's evaluation takes.

    Args:
        answers: row, response, verdict.

    Returns:
        upstream's columns and `response`, in the order given; `image_path`, of which the Hub's copy has the picture in
        place, by upstream's naming: "2steps/image/1-multi.png" for ID 2steps_1, key 2steps_multi.
    """
    rows = [({**row, "image_path": _place(row)}, response) for row, response, _ in answers]
    return [
        {**{name: row[name] for name in _COLUMNS if isinstance(row.get(name), str | int)}, "response": response}
        for row, response in rows
    ]


def _place(row: Mapping[str, Any]) -> str:
    steps, _, number = str(row["ID"]).partition("_")
    named = row.get("image_path")
    return named if isinstance(named, str) else f"{steps}/image/{number}-{str(row['key']).partition('_')[2]}.png"


def features(split: str) -> Features:
    """Return the columns of the Hub's copy (data card of We-Math/We-Math)."""
    from datasets import Features, Image, Value

    columns = dict.fromkeys(_COLUMNS, Value("string"))
    return Features({**columns, "image_path": Image(), "question number": Value("int64")})
