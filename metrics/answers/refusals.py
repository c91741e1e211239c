"""Sentences in which a model declines or says that the answer cannot be known."""

from __future__ import annotations

from functools import lru_cache

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.lexicon import cue

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
    return lexicon.cue("refusal").search(text) is not None


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
    return lexicon.cue("rejection").search(text) is not None


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
        return held
    *_, rest = cue("but").split(text)
    return rest if len(rest) < len(text) and not refuses(rest) else text
