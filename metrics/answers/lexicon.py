"""The words by which answers are announced, concluded, declined and denied, by language: a table in lexicon.jsonl.

Every entry has a role, a language, a pattern of `re` (written for text in one alphabet, so that one entry serves both
Chinese scripts) and an example that a test reads; those that lead to an answer say what the example's answer is, those
of numbers their value. What a role means stands where it is used.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache, lru_cache
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
        means: what a word of another language is in English.
    """

    role: str
    language: str
    pattern: str
    example: str
    reads: str | None = None
    value: int | None = None
    measures: str | None = None
    size: str | None = None
    means: str | None = None


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
def cue(role: str, lowered: bool = False) -> re.Pattern[str]:
    """Return the compiled pattern of a role, whatever the case of letters, or (much faster) for text in lower case."""
    return re.compile(either(role), 0 if lowered else re.I)


@cache
def values(role: str) -> dict[str, int]:
    """Return the words of a role of numbers with their values."""
    return {e.pattern: e.value for e in entries() if e.role == role and e.value is not None}


@cache
def _signs(role: str) -> tuple[str, ...]:
    return tuple(either(role)[3:-1].split("|"))


def signed(role: str, lowered: str, english: bool = False) -> bool:
    """Tell whether a text in lower case has one of the words of a role, or is not ASCII and may have foreign ones.

    Such a role holds what stands in every match of another one: looking for them first is many times faster.
    """
    return (not english and not lowered.isascii()) or any(map(lowered.__contains__, _signs(role)))


@cache
def _languages() -> dict[str, list[str]]:
    """Return the languages of which a word is a common one."""
    shared = {word for e in entries() if e.role == "common in English too" for word in e.pattern.split()}
    found: dict[str, list[str]] = {}
    for entry in entries():
        for word in {*entry.pattern.split()} - shared if entry.role == "common" else ():
            found.setdefault(word, []).append(entry.language)
    return found


@cache
def _foreign() -> frozenset[str]:
    """Return the words that are common in other languages and not in English."""
    return frozenset(word for word, languages in _languages().items() if "en" not in languages)


@cache
def _words() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for entry in entries():
        if entry.role == "word":
            found.setdefault(entry.language, []).append((re.compile(entry.pattern, re.I), entry.means or ""))
    return found


# "donc"
_WORD = re.compile(r"(?<![\\\w])[^\W\d_]+")
_LATIN = re.compile(r"[a-z]+")
_LOOKED_AT = 800  # characters of a text's end by which its language is told


def language(text: str) -> str:
    """Return the language most of whose commonest words stand at a text's end: "en" where none of another does."""
    end = text[-_LOOKED_AT:].lower()
    if end.isascii() and _foreign().isdisjoint(_LATIN.findall(end)):
        return "en"
    known = _languages()
    found = Counter(
        one for word in _WORD.findall(end) for one in known.get(word, ("ru",) if "\u0400" <= word < "\u0500" else ())
    )
    return max(found, key=lambda one: (found[one], one != "en"), default="en")


def in_english(text: str, written: str) -> str:
    """Return a text of another language with the words by which answers are given in English, all others as they are.

    So what is written once, of conclusions, checks, two answers and remarks, holds for every language that has words in
    the table. The last line may be in another than the text.
    """
    head, line, last = text.rpartition("\n")
    other = language(last) if line else "en"
    parts = [(head + line, written), (last, other)] if other != "en" else [(text, written)]
    return "".join(_translated(part, language) for part, language in parts)


def _translated(text: str, written: str) -> str:
    for pattern, means in _words().get(written, ()):
        text = pattern.sub(means, text)
    return text


def foreign(text: str) -> bool:
    """Tell whether a sentence has a common word of another language."""
    return not _foreign().isdisjoint(_WORD.findall(text.lower())) or cue("foreign").search(text) is not None


@lru_cache(maxsize=2048)
def refuses(text: str) -> bool:
    """Tell whether a sentence declines to answer."""
    lowered = text.lower()
    return signed("sign of refusal", lowered) and cue("refusal", lowered=True).search(lowered) is not None


def rejects(text: str) -> bool:
    """Tell whether a sentence says that no option offered is right."""
    lowered = text.lower()
    lowered = cue("dismissed").sub("", lowered) if '"' in lowered else lowered
    return signed("sign of rejection", lowered) and cue("rejection", lowered=True).search(lowered) is not None


def denies(text: str) -> bool:
    """Tell whether a sentence says that something cannot be, and not only that the model does not know."""
    return cue("denies").search(text) is not None


def beyond(text: str) -> str:
    """Return what a sentence says after it declined: "cannot be known exactly, but I'd estimate 10"; else all of it.

    What it says before "though" counts as much: "about 10, though I can't be sure".
    """
    if not refuses(text):
        return text
    held, *reserved = cue("though").split(text)
    if reserved and not refuses(held) and cue("unsure").search(reserved[-1]):
        return held.rstrip(" -")
    *_, rest = cue("but").split(text)
    return rest if len(rest) < len(text) and not refuses(rest) else text
