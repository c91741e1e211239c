"""What stands behind an answer and is no part of it: pleasantries, notes, checks, common mistakes."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.picks import SO
from mmmath_tasks.metrics.answers.question import Question, names, nearness
from mmmath_tasks.metrics.answers.refusals import denies, refuses
from mmmath_tasks.metrics.answers.sentences import announcements, begins_conclusion, sentences

# "It is 24. I hope this helps!"
_PLEASANTRY = re.compile(
    r"(?<=[^\s:])\s+(?:I hope (?:this|that|it)|hope this|(?:please )?let me know if you (?:have|need)|feel free to"
    r"|if you have any (?:more |other |further )?questions|would you like|do you (?:want|have any)"
    r"|(?:happy|glad) to help|great (?:job|question|work)|good luck|is there anything else)\b"
    r"[^\n.!?]{0,150}[^\w\n]*$",
    re.I,
)
_CLOSES = (
    "hope", "et me know", "eel free", "questions", "ould you like", "o you ", "anything else", "to help", "reat ",
    "ood luck",
)  # fmt: skip
# "\n**Note:** the figure is not to scale."
_NOTE = re.compile(r"\n[^\S\n]*[*_(]*(?:please )?(?:note|disclaimer)\b[*_]*\s?:[^\n]{0,400}\s*$", re.I)
# "**Quick check:**"
_CHECK = re.compile(
    r"[\s*_(#>-]*(?:as an? |sanity |quick |double[- ])?(?:sanity )?check(?: with [a-z ]{1,20})?[*_]*\s?:"
    r"|[\s*_(#>-]*(?:verification\W|substituting back|plugging \w+ back)|[^\n]*\blet(?:'s| me) (?:double-?)?check\b",
    re.I,
)
# "Note that the figure"
_REMARK = re.compile(
    r"[\s*_(#>-]*(?:(?:please )?note (?:that|how)\b|note:|remark\W|for comparison\b"
    r"|p\.\s?s\.|incidentally|by the way|keep in mind|not to be (?:confused|mixed up)"
    r"|(?:be careful|remember|bear in mind),? (?:that|not|to)\b"
    r"|(?:do not|don't) (?:confuse|mix) (?:it|this|that|them)\b"
    r"|i (?:want|would like) to (?:be clear|stress|point out)"
    r"|this (?:matches|agrees with|is consistent with) the (?:figure|picture|diagram|graph|image|drawing)\b"
    r"|this checks out\b"
    r"|(?:it's|it is|this is|that's|that is) (?:the|a) (?:well-known|famous|classic)\b)"
    r"|\s*\([A-Za-z][a-z,]+\s[^()\\]*\)[\s.]*$",
    re.I,
)
# "A common mistake"
_MISTAKE = re.compile(r"[\s*_(>-]*a (?:common|frequent|typical) (?:mistake|error|trap)\b", re.I)
_TICKS = "\u2713\u2714\u2705"
_DRESS = " \n*_.)"
_CROSS = re.compile(r"[\u2717\u2718\u274c]")
# "17 is wrong"
_CORRECTS = re.compile(r"\bnot\b|n't\b|\bwrong\b|\bshould be\b|\u2260|\\ne(?:q)?\b|!=")
_OF_MISTAKES = re.compile(r"\b(?:mistake|error|wrong)")
# "the area is 12 cm."
_IS_VALUE = re.compile(
    r"\b(?:is|are|equals|has|in)\s+\$?-?\d[^\s,;]{0,20}(?:\s[a-z]+)?[.\s]*$|\b[A-H][.\s]*$"
    r"|\b(?:is|are|equals|at)\s+\$[^$]{1,80}\$[.\s]*$|\b(?:is|are)\s+an?\s(?:[a-z-]+\s)?[a-z-]+[.\s]*$"
)
# "**6 square units**"
_RESULT = re.compile(r"[=\u2264\u2265]|\w\s?[<>]\s?[\w-]|\*\*[^*]+\*\*|\\approx|\u2248|^\W*\$[^$]+\$[.\s]*$")


def without_remarks(text: str, asked: Question) -> str:
    """Return a response without the remarks with which it ends, where what stands before them states an answer.

    A remark that announces an answer, draws a conclusion or corrects what stands before it is no mere remark.
    """
    text = _without_line(text)
    if any(word in text[-400:] for word in _CLOSES):
        text = _PLEASANTRY.sub("", text) or text
    text = _NOTE.sub("", text) or text
    if _CROSS.search(text):
        return text  # ticks and crosses tell the options apart
    parts = sentences(text)
    end = _end([part.text for part in parts], asked)
    text = text[: parts[end].start] if end < len(parts) else text
    bare = text.rstrip(_DRESS)
    return bare.rstrip(_TICKS + _DRESS) if bare.endswith(tuple(_TICKS)) else text


def _without_line(text: str) -> str:
    """Return a text without a line of dashes at its end."""
    body, _, last = text.rstrip().rpartition("\n")
    return body if len(last.strip()) > 2 and not last.strip(" -*_=") else text


def _end(parts: list[str], asked: Question) -> int:
    """Return how many sentences stand before the remarks."""
    end = len(parts)
    while end > 1:
        said = parts[end - 1]
        earlier = (p for p in parts[end - 2 :: -1] if re.search(r"\w", p) and not _CHECK.match(p))
        before = next(earlier, "")
        if not _states(before, asked):
            break
        mistake = _MISTAKE.match(said) and not _OF_MISTAKES.search(asked.text)
        remark = (_REMARK.match(said) or _CHECK.match(said)) and not _decides(said.lstrip(" ("), before, asked)
        ticked = said.rstrip(_DRESS).endswith(tuple(_TICKS)) and any(
            map(_CHECK.match, parts[max(1, end - 6) : end - 1])
        )
        if not (mistake or remark or ticked):
            break
        end -= 1
    return end


def _states(said: str, asked: Question) -> bool:
    """Tell whether a sentence gives a result, so that what stands behind it may be a remark on it."""
    if any(re.search(r"\w", said[end:]) for end in announcements(said)) or _RESULT.search(said):
        return True
    if begins_conclusion(said) or SO.search(said):
        return not said.rstrip().endswith(":")
    return (_IS_VALUE.search(said) is not None or denies(said)) and nearness(said, asked) > 0.3


def _decides(said: str, before: str, asked: Question) -> bool:
    """Tell whether what looks like a remark announces, concludes, corrects, or names what is asked for at last."""
    if announcements(said) or begins_conclusion(said) or SO.search(said) or refuses(said):
        return True
    if _CHECK.match(said):
        return _CORRECTS.search(said) is not None
    if asked.named & names(said) - names(before):
        return True
    named = _NAMED.search(said)
    return named is not None and named[1].lower() in asked.text and named[1] not in before


_NAMED = re.compile(r"(\w\([^()\s]{1,8}\))\s*=")
