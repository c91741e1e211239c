"""What is odd about a row: looked for in every row of a build, listed in the card, never mended silently."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from mmmath_tasks.errors import InputError
from mmmath_tasks.problem import Problem

KINDS = {
    "gold_outside_choices": "the stored answer is neither the letter nor the text of a choice",
    "repeated_choice": "two choices have the same text",
    "carriage_return": "a text holds a carriage return",
    "control_character": "a text holds a control character",
    "outer_blanks": "the answer or a choice begins or ends with blanks",
    "broken_text": "a text holds the traces of a wrong decoding",
    "no_question": "the question is empty, and not one that is drawn into the picture",
    "no_answer": "no answer was released",
    "missing_picture": "the picture was not in the source",
    "missing_column": "some row of the source had no such column; it is null there",
    "dropped_column": "the source had a column that upstream's data card has not; it is left out",
}
"""Every kind of anomaly that a build lists, and what it means. Types that do not fit, ids that repeat and pictures that
do not open are errors, not anomalies."""

LFS_POINTER = b"version https://git-lfs.github.com/spec/"
"""How a file begins in whose place a clone without Git LFS has its address."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# UTF-8 degree, plus-minus and multiplication signs read as GBK or Latin-1.
# "60掳"
_BROKEN = re.compile("\ufffd|掳|卤|脳|Â[°±]|Ã[\x80-\xbf]")


@dataclass
class Anomalies:
    """The anomalies of one build, by split and kind.

    Attributes:
        known: kind to the ids (of any split) that the benchmark's edition expects; "*" among them: no anomaly here.
        found: split to kind to ids, in the order of the rows.
    """

    known: Mapping[str, frozenset[str]] = field(default_factory=dict)
    found: dict[str, dict[str, dict[str, None]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))

    @classmethod
    def of(cls, found: Mapping[str, Mapping[str, Iterable[str]]], known: Mapping[str, frozenset[str]]) -> Self:
        """Return the anomalies that `to_dict` described."""
        result = cls(known)
        for split, kinds in found.items():
            for kind, names in kinds.items():
                result.found[split][kind] = dict.fromkeys(names)
        return result

    def add(self, split: str, kind: str, name: str) -> None:
        """Record one anomaly of one row (or column), once."""
        if "*" not in self.known.get(kind, ()):
            self.found[split][kind][name] = None

    def new(self) -> list[tuple[str, str, list[str]]]:
        """Return (split, kind, ids) of what the edition does not know of.

        Missing pictures are never new: a build leaves them out only when told to.
        """
        return [
            (split, kind, fresh)
            for split, kinds in self.found.items()
            for kind, names in kinds.items()
            if kind != "missing_picture" and (fresh := [name for name in names if name not in self.known.get(kind, ())])
        ]

    def to_dict(self) -> dict[str, dict[str, list[str]]]:
        """Return split to kind to ids as plain values."""
        return {split: {kind: list(names) for kind, names in kinds.items()} for split, kinds in self.found.items()}


def of_row(row: Mapping[str, Any], problem: Problem, *, drawn: bool = False) -> Iterator[str]:
    """Yield the kinds of anomaly that a row's texts have.

    Args:
        row: upstream's columns.
        problem: the same row as a Problem.
        drawn: whether upstream drew the question into the picture (Edition.drawn_question), so that it has no text.
    """
    if problem.answer is None:
        yield "no_answer"
    elif problem.choices:
        accepted = {*problem.choices, *(chr(ord("A") + i) for i in range(len(problem.choices)))}
        if problem.answer not in accepted:
            yield "gold_outside_choices"
    if len(set(problem.choices)) < len(problem.choices):
        yield "repeated_choice"
    if any(text != text.strip() for text in (*problem.choices, problem.answer or "")):
        yield "outer_blanks"
    if not problem.question.strip() and not drawn:
        yield "no_question"
    texts = [text for text in _texts(row) if text]
    if any("\r" in text for text in texts):
        yield "carriage_return"
    if any(_CONTROL.search(text) for text in texts):
        yield "control_character"
    if any(_BROKEN.search(text) for text in texts):
        yield "broken_text"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def check_picture(data: bytes, where: str, name: str = "the picture", *, whole: bool = False) -> tuple[int, int]:
    """Return a picture's width and height in pixels.

    Args:
        data: the file's bytes.
        where: names the row in an error.
        name: of the picture there, with its path where it has one.
        whole: decode every pixel; else only the header, and the end where the format has an end mark.

    Raises:
        InputError: it does not open, or is cut short.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            size, kind = picture.size, picture.format
            if whole:
                # an eighth of the size: the entropy-coded data is read to its end all the same
                picture.draft("L", (max(1, size[0] // 8), max(1, size[1] // 8)))
                picture.load()
    except UnidentifiedImageError:
        pointer = data.startswith(LFS_POINTER)
        why = "a pointer of Git LFS: `git lfs pull`" if pointer else "it is of no format that Pillow knows"
        raise InputError(f"{where}: {name} does not open: {why}") from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(f"{where}: {name} does not open: {error}") from None
    marks = {"JPEG": b"\xff\xd9", "PNG": b"IEND", "GIF": b"\x3b"}
    if kind in marks and marks[kind] not in data[-4096:]:
        raise InputError(f"{where}: {name} is cut short: a {kind} file without its end mark")
    return size
