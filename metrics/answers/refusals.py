"""Sentences in which a model declines or says that the answer cannot be known."""

from __future__ import annotations

import re
from functools import lru_cache

from mmmath_tasks.metrics.answers import lexicon

# One of these stands in every refusal: looking for them first is many times faster than the pattern.
_REFUSAL_WORDS = (
    "not", "n't", "unable", "impossible", "insufficient", "hard to", "difficult", "no ", "without", "please",
    "could you", "sorry", "apologi", "unfortunately", "as an ai", "need", "require", "more info", "more context",
    "more detail", "unknown", "n/a", "too ", "nicht", "imposible",
)  # fmt: skip


@lru_cache(maxsize=2048)
def refuses(text: str) -> bool:
    """Tell whether a sentence declines to answer."""
    lowered = text.lower()
    if text.isascii() and not any(word in lowered for word in _REFUSAL_WORDS):
        return False
    return lexicon.pattern("refusal").search(text) is not None


def rejects(text: str) -> bool:
    """Tell whether a sentence says that no option offered is right."""
    lowered = text.lower()
    if text.isascii() and not any(
        word in lowered
        for word in (
            "option",
            "choice",
            "above",
            "mistake",
            "error",
            "typo",
            "list",
            "none of",
            "no ",
            "provided",
            "given",
            "original",
        )
    ):
        return False
    return lexicon.pattern("rejection").search(text) is not None


# "that can't be"
_DENIES = re.compile(
    r"\b(?:impossible|never|can(?: ?not|'t)|could(?: not|n't)|(?:can|could) \w+ not|no (?:such|solution|way)|none"
    r"|not possible)\b|n't (?:be|do|happen|exist)\b",
    re.I,
)


def denies(text: str) -> bool:
    """Tell whether a sentence says that something cannot be, and not only that the model does not know."""
    return _DENIES.search(text) is not None


# "I can't confirm"
_UNSURE = re.compile(r"\b(?:see|view|sure|certain\w*|verify|confirm|exact\w*|precise\w*|guarantee)\b", re.I)
_THOUGH = re.compile(r",?\s+(?:even )?(?:though|although)\b", re.I)
# ", but"
_BUT = re.compile(r"[,;]\s*(?:but|however|though|nevertheless|yet)\b,?|\bbut\b", re.I)


def beyond(text: str) -> str:
    """Return what a sentence says after it declined: "cannot be known exactly, but I'd estimate 10"; else all of it.

    What it says before "though" counts as much: "about 10, though I can't be sure".
    """
    if not refuses(text):
        return text
    held, *reserved = _THOUGH.split(text)
    if reserved and not refuses(held) and _UNSURE.search(reserved[-1]):
        return held
    *_, rest = _BUT.split(text)
    return rest if len(rest) < len(text) and not refuses(rest) else text
