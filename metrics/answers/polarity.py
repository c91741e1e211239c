"""Yes or no, more or less: what a sentence says of the question where the options are such words."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.options import Options, words
from mmmath_tasks.metrics.answers.refusals import refuses


class Polarity(NamedTuple):
    """The option a sentence amounts to, and how sure that is."""

    choice: int
    confidence: float


_YES = {"yes", "true", "correct", "right"}
_NO = {"no", "false", "incorrect", "wrong"}
_MORE = re.compile(r"\b(?:larger|greater|bigger|higher|more|above|exceeds?)\b")
_LESS = re.compile(r"\b(?:smaller|less|lower|fewer|below)\b")
_SAME = re.compile(r"\b(?:equal|equals|same|identical|equivalent)\b")
_PLAIN_YES = re.compile(r"^\W*(?:yes|yeah|true|correct|indeed)\b", re.I)
_PLAIN_NO = re.compile(r"^\W*(?:no|nope|false|incorrect)\b(?!\s*(?:\.|,)?\s*(?:information|data)\b)", re.I)
_FALSE = re.compile(r"\b(?:is|are|be)\s+(?:false|incorrect|not true|not correct|untrue|wrong)\b", re.I)
_TRUE = re.compile(r"\b(?:is|are|be)\s+(?:true|correct)\b", re.I)
_NEGATED = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|can|will|would|should)(?:\s+not\b|n't\b)|\bnot\b|\bneither\b|\bno\b|\bcannot\b|n't\b",
    re.I,
)


def polarity(text: str, offered: Options, question: str) -> Polarity | None:
    """Return the option that a sentence amounts to where the options are yes/no or comparisons; else None."""
    yes, no = _pair(offered)
    if yes is not None and no is not None:
        return _yes_or_no(text, yes, no, question)
    return _comparison(text, offered)


def _pair(offered: Options) -> tuple[int | None, int | None]:
    if len(offered.texts) > 3:
        return None, None
    yes = next((i for i, item in enumerate(offered.items) if item.words in _YES), None)
    no = next((i for i, item in enumerate(offered.items) if item.words in _NO), None)
    return yes, no


def _yes_or_no(text: str, yes: int, no: int, question: str) -> Polarity | None:
    if _PLAIN_YES.match(text):
        return Polarity(yes, 0.9)
    if _PLAIN_NO.match(text):
        return Polarity(no, 0.9)
    if refuses(text):
        return None
    if _FALSE.search(text):
        return Polarity(no, 0.85)
    if _TRUE.search(text):
        return Polarity(yes, 0.85)
    said, asked = words(text), words(question)
    if not asked:
        return Polarity(no, 0.5) if _NEGATED.search(text) else None
    subject = [w for w in asked.split() if len(w) > 2 and w not in _COMMON]
    shared = sum(w in said for w in subject)
    if not subject or shared < max(1, len(subject) * 0.4):
        return Polarity(no, 0.55) if _NEGATED.search(text) and shared else None
    negative = bool(_NEGATED.search(text)) != bool(_NEGATED.search(question))
    opposite = _opposite(said, asked)
    return Polarity(no if negative != opposite else yes, 0.75)


_COMMON = {
    "the", "are", "there", "and", "that", "than", "what", "which", "does", "this", "with", "for", "has", "have", "from",
    "question", "image", "figure", "picture",
}  # fmt: skip
_OPPOSITES = [
    (_MORE, _LESS),
    (_MORE, _SAME),
    (_LESS, _SAME),
    (re.compile(r"\b(?:maximum|highest|largest|most|greatest)\b"), re.compile(r"\b(?:minimum|lowest|smallest|least|fewest)\b")),
    (re.compile(r"\b(?:roughest|rough)\b"), re.compile(r"\b(?:smoothest|smooth)\b")),
    (re.compile(r"\b(?:increas\w+)\b"), re.compile(r"\b(?:decreas\w+)\b")),
    (re.compile(r"\b(?:continuous)\b"), re.compile(r"\b(?:discontinuous)\b")),
    (re.compile(r"\b(?:even)\b"), re.compile(r"\b(?:odd)\b")),
    (re.compile(r"\b(?:positive)\b"), re.compile(r"\b(?:negative)\b")),
]  # fmt: skip


def _opposite(said: str, asked: str) -> bool:
    for one, other in _OPPOSITES:
        for a, b in ((one, other), (other, one)):
            if a.search(asked) and not b.search(asked) and b.search(said) and not a.search(said):
                return True
    return False


def _comparison(text: str, offered: Options) -> Polarity | None:
    """Options "larger than", "equal to", "smaller than" and the like."""
    kinds = {}
    for i, item in enumerate(offered.items):
        for name, pattern in (("more", _MORE), ("less", _LESS), ("same", _SAME)):
            if pattern.search(item.words) and len(item.words.split()) <= 3:
                kinds[name] = i
    if len(kinds) < 2 or len(kinds) != len(offered.texts):
        return None
    lowered = text.lower()
    found = {name for name, pattern in (("more", _MORE), ("less", _LESS), ("same", _SAME)) if pattern.search(lowered)}
    if len(found) == 1 and not refuses(text):
        name = found.pop()
        if name in kinds and not _NEGATED.search(text):
            return Polarity(kinds[name], 0.8)
    return None
