"""One response on its way through a ranking: its text, what is asked, and what several kinds of evidence look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from mmmath_tasks.metrics.answers.claims import Asking, Claim, asking, lettered
from mmmath_tasks.metrics.answers.letters import letter_at_start
from mmmath_tasks.metrics.answers.lexicon import beyond, rejects
from mmmath_tasks.metrics.answers.options import Options
from mmmath_tasks.metrics.answers.records import Expectation, Question, Reading, question
from mmmath_tasks.metrics.answers.sentences import Sentence, cut_off, own, sentences


@dataclass(frozen=True)
class Response:
    """A text that is read for an answer, at a depth of tags and boxes: its sentences, first and last, are found once.

    `parts` are its own sentences: what others are reported to say, and what is rejected then, is left out.
    """

    text: str
    expectation: Expectation
    depth: int = 0

    @cached_property
    def parts(self) -> list[Sentence]:
        """Its own sentences."""
        return own(sentences(self.text))

    @cached_property
    def asked(self) -> Question:
        """What the question asks."""
        return question(self.expectation)

    @cached_property
    def asking(self) -> Asking:
        """The options and the question."""
        return asking(self.expectation)

    @property
    def offered(self) -> Options:
        """The options."""
        return self.asking.offered

    @property
    def last(self) -> str:
        """The last sentence; "" where there is none."""
        return self.parts[-1].text if self.parts else ""

    @cached_property
    def held(self) -> str:
        """The last sentence without its reservation."""
        return beyond(self.last)

    @cached_property
    def discussed(self) -> set[str]:
        """The letters with which sentences begin."""
        return {found[0] for p in self.parts if (found := letter_at_start(p.text, self.offered)) is not None}

    @cached_property
    def start(self) -> Claim | None:
        """The letter with which the response begins, unless it goes through the options."""
        first = self.parts[0].text
        letter = letter_at_start(first, self.offered) if len(self.discussed) < 3 else None
        return None if letter is None else lettered(first, letter, "first_letter", self.asking)


Found = TypeVar("Found")


def first(kinds: Iterable[Callable[[Response], Found | None]], response: Response) -> Found | None:
    """Return what the first kind of evidence in a ranking finds that finds anything; None where none does."""
    return next((found for kind in kinds if (found := kind(response)) is not None), None)


NOTHING = Reading(None)
"""The response gives no answer, whatever else stands in it: no kind of evidence behind counts."""


def rejected(response: Response) -> Reading | None:
    """Find nothing where the last sentence says that no answer is right."""
    return NOTHING if rejects(response.last) else None


def broken_off(response: Response) -> Reading | None:
    """Find nothing in sentences that stop in the middle."""
    return NOTHING if cut_off(response.parts) else None
