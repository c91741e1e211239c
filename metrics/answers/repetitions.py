"""The question and its options said again, which is no answer."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.claims import Asking
from mmmath_tasks.metrics.answers.options import LETTERS, Options, matching, words
from mmmath_tasks.metrics.answers.question import overlap
from mmmath_tasks.metrics.answers.records import Expectation
from mmmath_tasks.metrics.answers.sentences import LETTER_MARK, Sentence, announcements

_OPTION = re.compile(r"\s*[-*]?\s*\(?([A-Za-z])[).:]\s*(.*)", re.S)
# "(E) none of the above"
_OPTION_LINE = re.compile(r"[^\S\n]*[-*]?\s?[(\[]?([A-Z])[)\].:]\s*([^\n]*)(?:\n|$)")
_LIST_HEADING = re.compile(r"\s*(?:Choices|Options)\s*:?[^\S\n]*\n", re.I)


def unrepeated(text: str, expectation: Expectation) -> str:
    """Return a response without the question and the list of options that it repeats first."""
    question = expectation.question.strip()
    bare = text.lstrip()
    if len(question) > 20 and bare.startswith(question[:60]) and question in bare[: len(question) + 200]:
        bare = bare[len(question) :].lstrip()
    heading = _LIST_HEADING.match(bare)
    at = heading.end() if heading else 0
    count = 0
    while (line := _OPTION_LINE.match(bare, at)) is not None:
        index = ord(line[1]) - ord("A")
        if index >= len(expectation.choices) or words(line[2]) != words(expectation.choices[index]):
            break
        count += 1
        at = line.end()
    return bare[at:] if count > 1 else bare


def repeats(text: str, question: str) -> bool:
    """Tell whether a response is a part of the question and nothing else."""
    if not text.rstrip().endswith("?") and question.rstrip(" '\"").endswith("?"):
        return False  # "The sum is greater." answers "Is the sum greater?"
    said = words(text)
    return len(said) > 25 and said in words(question[:4_000])


def repeated(text: str, parts: list[Sentence], asking: Asking) -> bool:
    """Tell whether a text is the question or the list of options again, and no answer."""
    marks = [m[1] for m in (LETTER_MARK.match(p.text) for p in parts) if m]
    if (
        len(set(marks)) >= 2
        and len(marks) >= len(parts) - 2
        and (LETTER_MARK.match(parts[-1].text) or len(parts[-1].text) < 6)
    ):
        return not any(announcements(p.text) for p in parts)
    asked = asking.question
    asks = [p.text.rstrip().endswith("?") or words(p.text) in words(asked.text) for p in parts]
    return all(asks) and "?" in text and overlap(text, asked) > 0.7


def without_list(parts: list[Sentence], offered: Options) -> list[Sentence]:
    """Return the sentences without the whole list of options where they end with it again."""
    count = len(offered.texts)
    marks = [_OPTION.match(p.text) for p in parts[-count:]]
    again = [i for i, m in enumerate(marks) if m and m[1].upper() == LETTERS[i] and matching(m[2], offered) == i]
    return parts[:-count] if 1 < count == len(again) < len(parts) else parts
