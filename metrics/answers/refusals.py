"""Sentences in which a model declines or says that the answer cannot be known."""

from __future__ import annotations

import re
from functools import lru_cache

_REFUSAL = re.compile(
    r"(?:can(?: ?not|'t)|could(?: not|n't)|unable to|not able to|(?:im|not )possible to|insufficient"
    r"|hard to|difficult to)"
    r"[^.\n]{0,60}?(?:determin|answer|solv|provid|calculat|find|identif|comput|confirm|give|see|view|tell|be known"
    r"|conclude|estimate|make|access|say|select|choose|assist|help|measure|specify)"
    r"|cannot be (?:determin|answer|solv|provid|calculat|found|identif)"
    r"|(?:\bnot\b|n't\b|\bno\b|\binsufficient|\bwithout)[^.\n]{0,40}?"
    r" (?:information|context|details?|data|image|figure|picture|specific)\b"
    r"|(?:please|could you) (?:provide|share|clarify|upload|specify|give)"
    r"|(?:i'm|i am|we are) sorry|i apologi[sz]e|unfortunately|as an ai\b"
    r"|is (?:not (?:provided|given|specified|clear|known)|unknown)\b"
    r"|(?:\bnot|n't) (?:provide|give|contain|include|specify|mention)\b"
    r"|\b(?:needs?|requires?)\s+(?:more(?! than)|additional|further|specific|the specific|information|access)\b"
    r"|\bmore (?:information|context|details) (?:is|are|would be|about)"
    r"|(?:\bnot|n't) (?:visible|legible|readable)\b"
    r"|(?:\b(?:i|we)\b[^.\n]{0,12}(?:not|n't)|^\W*not) (?:sure|certain|know)\b"
    r"|\bno idea\b|\btoo (?:blurry|unclear|small to)\b|^\W*(?:n/a|unknown)\W*$"
    r"|\u65e0\u6cd5|\u770b\u4e0d\u6e05|\u4e0d\u77e5\u9053|\u4e0d\u80fd\u786e\u5b9a|\u62b1\u6b49|\u6ca1\u6709\u63d0\u4f9b",
    re.I,
)


# One of these stands in every refusal: looking for them first is many times faster than the pattern.
_REFUSAL_WORDS = (
    "not", "n't", "unable", "impossible", "insufficient", "hard to", "difficult", "no ", "without", "please",
    "could you", "sorry", "apologi", "unfortunately", "as an ai", "need", "require", "more info", "more context",
    "more detail", "unknown", "n/a", "too ", "\u770b\u4e0d\u6e05", "\u4e0d\u77e5",
    "\u65e0\u6cd5", "\u4e0d\u80fd", "\u62b1\u6b49", "\u6ca1\u6709",
)  # fmt: skip


@lru_cache(maxsize=2048)
def refuses(text: str) -> bool:
    """Tell whether a sentence declines to answer."""
    lowered = text.lower()
    return any(word in lowered for word in _REFUSAL_WORDS) and _REFUSAL.search(text) is not None


_REJECTION = re.compile(
    r"\b(?:none|neither|no) of (?:the |these |those )?(?:given |provided |above |listed |available |answer )*"
    r"(?:options?|choices?|answers?|above)\b"
    r"|\bnone of the (?:given|provided|listed|offered) \w+ (?:can|could|works?|fits?|match\w*|satisf\w+"
    r"|(?:is|are) (?:possible|correct|right))\b"
    r"|\bnot (?:in|one of|among|available|listed|present|an option|provided|given|included|match\w*)\b[^.\n]{0,40}"
    r"\b(?:options?|choices?|list)\b"
    r"|(?:options?|choices?) (?:given |provided )?(?:do|does|are|is)(?: not|n't) (?:match|correct|include|contain)"
    r"|\b(?:mistake|error|typo|contradiction)\b[^.\n]{0,60}\b(?:question|problem|options?|choices?)\b"
    r"|\u9009\u9879\u90fd\u4e0d|\u6ca1\u6709[^.\n]{0,8}\u9009\u9879|\u4e0d\u5728\u9009[\u62e9\u9879]|\u6ca1\u6709\u6b63\u786e",
    re.I,
)


def rejects(text: str) -> bool:
    """Tell whether a sentence says that no option offered is right."""
    lowered = text.lower()
    if not any(
        word in lowered
        for word in ("option", "choice", "above", "mistake", "error", "typo", "list", "none of", "\u9009", "\u6b63")
    ):
        return False
    return _REJECTION.search(text) is not None


_DENIES = re.compile(
    r"\b(?:impossible|never|can(?: ?not|'t)|could(?: not|n't)|(?:can|could) \w+ not|no (?:such|solution|way)|none"
    r"|not possible)\b|n't (?:be|do|happen|exist)\b",
    re.I,
)


def denies(text: str) -> bool:
    """Tell whether a sentence says that something cannot be, and not only that the model does not know."""
    return _DENIES.search(text) is not None


_UNSURE = re.compile(r"\b(?:see|view|sure|certain\w*|verify|confirm|exact\w*|precise\w*|guarantee)\b", re.I)
_THOUGH = re.compile(r",?\s+(?:even )?(?:though|although)\b", re.I)
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
