"""Equations and inequalities within sentences, in signs or in words: "so X + Y is greater than Z"."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.lexicon import cue

_SIGNS = {"greater": ">", "larger": ">", "bigger": ">", "more": ">", "less": "<", "smaller": "<", "fewer": "<"}
# "2x + y"
_SUM = r"[\w.\u00b0]+(?:\s?[-+*/]\s?[\w.\u00b0]+)*"
# "they satisfy b < a < c"
_ENDS_IN_RELATION = re.compile(
    rf"(?:(?<!would )\b[a-z]{{2,}}|[:,])\s+(-?{_SUM}(?:\s?[<=>\u2264\u2265]\s?-?{_SUM}){{1,2}})$"
)


def relations_said(text: str) -> list[str]:
    """Return the relations with which a sentence ends, in signs: "x>3" for "we see that x is greater than 3"."""
    related, ends = cue("related").search(text), _ENDS_IN_RELATION.search(text)
    said = []
    if related and not cue("denied relation").search(text):
        said.append(related[1] + _SIGNS.get(related[2].split()[0].lower(), "=") + related[3])
    if ends:
        said.append(ends[1])
    return said


def without_denial(text: str) -> str:
    """Return a sentence without its full stop and without what it says not to be: "x = 3, not x = 4."."""
    return cue("not this").sub("", text)
