"""What stands behind an answer and is no part of it: pleasantries, notes, checks, common mistakes."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.question import Question, names, nearness
from mmmath_tasks.metrics.answers.refusals import denies, refuses
from mmmath_tasks.metrics.answers.sentences import announcements, begins_conclusion, sentences

_CLOSES = (
    "hope", "et me know", "eel free", "questions", "ould you like", "o you ", "anything else", "to help", "reat ",
    "ood luck",
)  # fmt: skip
_TICKS = "\u2713\u2714\u2705"
_DRESS = " \n*_.)"
_CROSS = re.compile(r"[\u2717\u2718\u274c]")
# "**6 square units**"
_RESULT = re.compile(r"[=\u2264\u2265]|\w\s?[<>]\s?[\w-]|\*\*[^*]+\*\*|\\approx|\u2248|^\W*\$[^$]+\$[.\s]*$")


def without_remarks(text: str, asked: Question) -> str:
    """Return a response without the remarks with which it ends, where what stands before them states an answer.

    A remark that announces an answer, draws a conclusion or corrects what stands before it is no mere remark.
    """
    text = _without_line(text)
    if any(word in text[-400:] for word in _CLOSES):
        text = cue("pleasantry").sub("", text) or text
    text = cue("note").sub("", text) or text
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
        earlier = (p for p in parts[end - 2 :: -1] if re.search(r"\w", p) and not cue("check").match(p))
        before = next(earlier, "")
        if not _states(before, asked):
            break
        mistake = cue("mistake").match(said) and not cue("of mistakes").search(asked.text)
        remark = (cue("remark").match(said) or cue("check").match(said)) and not _decides(
            said.lstrip(" ("), before, asked
        )
        ticked = said.rstrip(_DRESS).endswith(tuple(_TICKS)) and any(
            map(cue("check").match, parts[max(1, end - 6) : end - 1])
        )
        if not (mistake or remark or ticked):
            break
        end -= 1
    return end


def _states(said: str, asked: Question) -> bool:
    """Tell whether a sentence gives a result, so that what stands behind it may be a remark on it."""
    if any(re.search(r"\w", said[end:]) for end in announcements(said)) or _RESULT.search(said):
        return True
    if begins_conclusion(said) or cue("so").search(said):
        return not said.rstrip().endswith(":")
    return (cue("is value").search(said) is not None or denies(said)) and nearness(said, asked) > 0.3


def _decides(said: str, before: str, asked: Question) -> bool:
    """Tell whether what looks like a remark announces, concludes, corrects, or names what is asked for at last."""
    if announcements(said) or begins_conclusion(said) or cue("so").search(said) or refuses(said):
        return True
    if cue("check").match(said):
        return cue("corrects").search(said) is not None
    if asked.named & names(said) - names(before):
        return True
    named = _NAMED.search(said)
    return named is not None and named[1].lower() in asked.text and named[1] not in before


_NAMED = re.compile(r"(\w\([^()\s]{1,8}\))\s*=")
