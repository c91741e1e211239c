"""The words by which answers are announced, concluded, declined and denied, by language: a table in lexicon.jsonl.

Every entry has a role, a language, a pattern of `re` (written for text in one alphabet, so that one entry serves both
Chinese scripts) and an example that a test reads; those that lead to an answer say what the example's answer is, those
of numbers their value. What a role means stands where it is used.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A line of the table.

    Attributes:
        role: what the words do.
        language: "en", "zh", ...
        pattern: of `re`; of a number or a unit its names.
        example: a text that has it.
        reads: the answer in the example, where it leads to one.
        value: that of a number.
        measures: what a unit measures: "L" length, "L2" area, "M" mass, ...
        size: how large a unit is, as a fraction of the first of its kind.
    """

    role: str
    language: str
    pattern: str
    example: str
    reads: str | None = None
    value: int | None = None
    measures: str | None = None
    size: str | None = None


@cache
def entries() -> tuple[Entry, ...]:
    """Return the table."""
    lines = Path(__file__).with_name("lexicon.jsonl").read_text("utf-8").splitlines()
    return tuple(Entry(**json.loads(line)) for line in lines)


@cache
def either(role: str) -> str:
    """Return the pattern that matches any entry of a role, those of long patterns first where they are plain words."""
    found = [e.pattern for e in entries() if e.role == role]
    return "(?:" + "|".join(sorted(found, key=len, reverse=True) if all(map(str.isalpha, found)) else found) + ")"


@cache
def cue(role: str) -> re.Pattern[str]:
    """Return the compiled pattern of a role, whatever the case of letters."""
    return re.compile(either(role), re.I)


@cache
def values(role: str) -> dict[str, int]:
    """Return the words of a role of numbers with their values."""
    return {e.pattern: e.value for e in entries() if e.role == role and e.value is not None}
