"""What stands behind an answer and is no part of it: pleasantries, notes, checks, common mistakes."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.picks import SO
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.sentences import CONCLUSION, announcements, sentences

_PLEASANTRY = re.compile(
    r"(?<=[^\s:])\s+(?:I hope (?:this|that|it)|hope this|(?:please )?let me know if you (?:have|need)|feel free to"
    r"|if you have any (?:more |other |further )?questions|would you like|do you (?:want|have any)"
    r"|is there anything else)\b[^\n.!?]{0,150}[.!?)]*\s*$",
    re.I,
)
_CLOSES = ("hope", "et me know", "eel free", "questions", "ould you like", "o you ", "anything else")
_NOTE = re.compile(r"\n[^\S\n]*[*_(]*(?:please )?(?:note|disclaimer)\b[*_]*\s?:[^\n]{0,400}\s*$", re.I)
_REMARK = re.compile(
    r"[\s*_(#>-]*(?:(?:please )?note (?:that|how)\b|note:|remark\W"
    r"|(?:as an? |sanity |quick |double[- ])?(?:sanity )?check(?: with [a-z ]{1,20})?[*_]*\s?:|verification\W"
    r"|p\.\s?s\.|incidentally|by the way|keep in mind|not to be (?:confused|mixed up)"
    r"|(?:be careful|remember|bear in mind),? (?:that|not|to)\b"
    r"|i (?:want|would like) to (?:be clear|stress|point out)"
    r"|(?:it's|it is|this is|that's|that is) (?:the|a) (?:well-known|famous|classic)\b)"
    r"|[^\n]*(?:[\u2713\u2714\u2705]|\bchecks out)[\s.*)]*$",
    re.I,
)
_CROSSED = re.compile(r"[\u2717\u2718\u274c\u00d7][\s.*)]*(?:\n|$)")
_MISTAKE = re.compile(r"[\s*_(>-]*a (?:common|frequent|typical) (?:mistake|error|trap)\b", re.I)
_BRACKETED = re.compile(r"\s*\([^()]*[a-z]{3}[^()]*\)[\s.]*$")


def without_remarks(text: str) -> str:
    """Return a response up to the remarks with which it ends; all of it where nothing else would be left.

    A check or a note that goes on to announce an answer or to draw a conclusion is no mere remark.
    """
    closes = any(word in text[-400:] for word in _CLOSES)
    text = (_PLEASANTRY.sub("", text) if closes else "") or text
    text = _NOTE.sub("", text) or text
    if _CROSSED.search(text):
        return text  # ticks and crosses tell the options apart
    parts = sentences(text)
    end = len(parts)
    while end > 1:
        said = parts[end - 1].text
        remark = (_REMARK.match(said) or _BRACKETED.match(said)) and not _decides(said)
        if not remark and not _MISTAKE.match(said):
            break
        end -= 1
    return text[: parts[end].start] if 0 < end < len(parts) else text


def _decides(said: str) -> bool:
    return bool(announcements(said) or CONCLUSION.match(said) or SO.search(said) or refuses(said))
