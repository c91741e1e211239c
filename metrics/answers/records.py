"""What a reader is told about the answer to expect, and what it reports back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
