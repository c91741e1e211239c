"""What a reader is told about the answer to expect, what the question asks, and what is reported back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import numbers

Kind = Literal["choice", "integer", "float", "list", "expression", "text"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What kind of answer a question asks for.

    Attributes:
        kind: "choice" (one of `choices`), "integer", "float", "list" (of numbers), "expression" (any mathematical
            answer: number, formula, tuple, interval, equation, ...) or "text".
        choices: the texts of the options in order of their letters A, B, ...; () where none are offered.
        precision: decimals to which a float is compared; None: compare as given.
        unit: the unit asked for; None where none is named.
        question: the question's text; "" where unknown. It tells what a bare "it is not" denies, which number of a
            sentence is asked for, and which text is only the question repeated.
    """

    kind: Kind
    choices: tuple[str, ...] = ()
    precision: int | None = None
    unit: str | None = None
    question: str = ""

    def __post_init__(self) -> None:
        """Accept the list that JSON gives where a tuple is meant."""
        object.__setattr__(self, "choices", tuple(self.choices))


@dataclass(frozen=True, slots=True)
class Reading:
    """The final answer of one response.

    Attributes:
        text: the answer as text. For kind "choice" the option's letter, or, where `choice` is None, what was said
            in an option's place (a letter that is not offered, a value that matches none). None: nothing was found.
        choice: for kind "choice" the index of the option, None where the response commits to none.
        rule: the name of the rule that found it ("tag", "box", "statement", "conclusion", "whole", ...); "" with None.
        confidence: the chance, 0 to 1, that the verdict on this reading is a careful reader's, also where no answer
            was found (perf/answers_fit.py fits it).
        reason: "" for a plain reading, else why there is none or why it should not count: "empty", "refusal",
            "truncated", "unextracted", "ambiguous".
        features: the names of what decided how sure the reading is.
        passage: the sentence, tag or box from which the answer was read, without its markup; "" where not known.
        span: where that passage stands in the response, from the first character to behind the last; None where it is
            not known or not found again.
    """

    text: str | None
    choice: int | None = None
    rule: str = ""
    confidence: float = 0.0
    reason: str = ""
    features: tuple[str, ...] = ()
    passage: str = ""
    span: tuple[int, int] | None = None


# "the fox's"
_WORD = re.compile(r"(?<!\\)(?<![\w])[^\W\d_]{2,}(?:'[a-z]+)?|[\u4e00-\u9fff]")


def vocabulary(words: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(words.split())


COMMON = vocabulary(
    "the a an is are was were be been of in on at to for from by with and or that this these those there it its as if "
    "what which who how when where why do does did has have had can could will would should than then not no many much "
    "you your we our i answer question image picture figure shown hint please find determine choose following option "
    "letter correct provide end based so therefore"
)
_UNIT = re.compile(r"\s*\(Unit: ([^()]{1,40})\)\s*$")
BLANK = r"(?:\(_\)|_{2,})"
"""What a question leaves to be filled in: "(_)" or "___"."""
# "(_) dots in each group"
_BLANK = re.compile(rf"{BLANK}\s*((?:[\w'-]+\s+){{0,4}}[\w'-]+)")


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks.

    Attributes:
        text: the question in lower case, blanks single.
        words: its content words, without endings.
        core: those of the sentence that asks.
        named: the points, sides and angles, in capitals, of the sentence that asks.
        values: the numbers it gives.
        counted: the words behind "how many" or the blank, in order: what is counted.
        share: whether it asks for a fraction, so that a percentage counts as its hundredth.
        year: whether it asks for a year.
        change: whether it asks for a change, which is negative where something falls.
        combined: whether it asks for a sum or a difference of figures that stand apart.
        unit: the unit asked for, in lower case; "" where none is named.
        whole: whether a whole number is asked for.
    """

    text: str
    words: frozenset[str]
    core: frozenset[str]
    named: frozenset[str]
    values: frozenset[Fraction]
    counted: tuple[str, ...]
    share: bool
    year: bool
    change: bool
    combined: bool
    unit: str
    whole: bool = False


def question(expectation: Expectation) -> Question:
    """Return what is asked; the question "" asks nothing."""
    return _question(expectation.question, expectation.unit, expectation.kind == "integer")


@lru_cache(maxsize=4096)
def _question(text: str, unit: str | None, integer: bool) -> Question:
    whole = text = text[:4_000]
    said = _UNIT.search(text)
    text = text if said is None else text[: said.start()]
    unit = unit or (said[1] if said else None)
    # "It is 3 cm long. How"
    parts = re.split(r"(?<=[.?!])['\"]?\s+", text.strip())
    asking = next((part for part in reversed(parts) if part.rstrip("'\" ").endswith("?")), parts[-1])
    counted = _BLANK.findall(text) or cue("counted").findall(asking)
    things = [w for w in counted[-1].lower().split() if w not in COMMON] if counted else []
    return Question(
        " ".join(whole.lower().split()),
        content(text),
        content(asking),
        names(asking),
        frozenset(n.value for n in numbers(text, words=True)),
        tuple(map(stem, things)),
        bool(cue("asks for a share").search(text)) and "percent" not in text.lower(),
        bool(cue("asks for a year").search(asking)),
        bool(cue("asks for a change").search(asking)),
        bool(cue("asks for a combination").search(asking)),
        (unit or "").split(",")[0].strip().lower(),
        integer,
    )


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its plural or verbal ending: rough, but the same on both sides of a comparison."""
    for ending in ("ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@lru_cache(maxsize=2048)
def content(text: str) -> frozenset[str]:
    """Return the content words of a text, in lower case and without endings."""
    return frozenset(stem(w) for w in _WORD.findall(text.lower()) if w not in COMMON)


def names(text: str) -> frozenset[str]:
    """Return the points, sides and angles that a text names by capital letters."""
    return frozenset(_NAME.findall(text)) - {"A", "I"} if _NAME.search(text) else frozenset()


_NAME = re.compile(r"\b[A-Z]{1,3}\b")


def overlap(text: str, asked: Question) -> float:
    """Return the share, 0 to 1, of the question's content words that stand in a text; 0 where there are none."""
    if not asked.words:
        return 0.0
    return len(asked.words & content(text)) / len(asked.words)


def nearness(text: str, asked: Question) -> float:
    """Return the share, 0 to 1, of the asking sentence's content words that stand in a text; 0 where there are none."""
    return len(asked.core & content(text)) / max(1, len(asked.core))
