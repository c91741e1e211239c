"""Lists of labelled values with which a response ends: "- red balls: 3", one line each."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import takewhile

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.question import Question, content
from mmmath_tasks.metrics.answers.sentences import Sentence

# "- Girls in the class: 15"
ENTRY = re.compile(
    r"\s*(?:[-*]|\d{1,2}[.)])?\s*[A-Za-z][^:\n]{0,40}[:(]\s*-?[\d./]+\)?\s*$"
    r"|\s*\d{1,2} ?[-:] ?[A-Za-z][^:=\n]{0,40}\d\s*$"
)


def entry_asked_for(parts: list[Sentence], asked: Question) -> tuple[Fraction, str] | None:
    """Return the value of the one line, and the line, of a list at the end, that names what is asked for."""
    entries = _at_end(parts)
    counted = set(asked.counted[:2])
    near = [len((counted or asked.core) & content(text)) for text in entries]
    if len(entries) < 2 or asked.combined or near.count(max(near)) > 1 or max(near) < len(counted):
        return None
    line = entries[near.index(max(near))]
    found = numbers(line)
    return (found[-1].value, line) if found else None


def ends_in_list(parts: list[Sentence]) -> bool:
    """Tell whether the last lines are a list of values, not one of which is the answer or their total."""
    last = parts[-1].text
    if not ENTRY.match(last) or cue("result of a list").search(last):
        return False
    return sum(ENTRY.match(p.text) is not None for p in parts) > 3


def _at_end(parts: list[Sentence]) -> list[str]:
    """Return the lines of the list at the end, the last first."""
    return list(takewhile(ENTRY.match, (p.text for p in reversed(parts))))
