"""Which expression, of any mathematical kind, a response gives as its answer."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.boxes import boxed
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.quantities import read_number
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.sentences import announcements, sentences
from mmmath_tasks.metrics.answers.wrappers import in_json, tagged

_JOINED = re.compile(r"\s*\$?\s*(?:,|and|or|;|&|, and|, or)?\s*\$?\s*(?:[A-Za-z]\w{0,3}\s*=\s*)?\$?\s*")
_LEAD = re.compile(r"^\s*(?:so|hence|thus|therefore|then|and|we get|we have|that is)\b[\s,:]*", re.I)
_END = re.compile(r"[,;]?\s+(?:as|because|since|which|where|for|with|so|when|if|I hope)\b.*$|,\s+(?=[a-z]{2}).*$", re.S)
_MATH = re.compile(r"\$\$?([^$]{1,300})\$\$?|\\\(([^$\n]{1,300}?)\\\)|\\\[([^$]{1,300}?)\\\]")


def read_expression(text: str, expectation: Expectation) -> Reading | None:
    """Return the expression that a text gives as its answer; None where it gives none."""
    text = text.strip()
    for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", _boxes(text))):
        if inside is not None and inside.strip():
            return Reading(undress(inside), None, rule, 0.97)
    if len(text) < 80 and "\n" not in text and not announcements(text):
        bare = undress(_LEAD.sub("", text))
        if bare and (parse(bare.rpartition("=")[2].strip()) is not None or " " not in bare):
            return Reading(bare, None, "whole", 0.9)
    parts = sentences(text)
    for i in range(len(parts) - 1, -1, -1):
        cues = announcements(parts[i].text)
        if not cues:
            continue
        span = parts[i].text[cues[-1] :]
        if not re.search(r"\w", span):
            span = parts[i + 1].text if i + 1 < len(parts) else ""
        span = undress(_END.sub("", span))
        if span:
            return Reading(span, None, "statement", 0.9)
    if parts:
        last = parts[-1].text
        math = [next(g for g in m.groups() if g) for m in _MATH.finditer(last)]
        if math:
            return Reading(undress(math[-1]), None, "last_math", 0.7)
        if "=" in last:
            return Reading(undress(_LEAD.sub("", last)), None, "last_equation", 0.7)
    return read_number(text, expectation)


def _boxes(text: str) -> str | None:
    """Return the last box; boxes joined by "and", "or" or a comma are one answer of several parts."""
    boxes = boxed(text)
    if not boxes:
        return None
    parts = [boxes[-1][2]]
    for before, after in zip(boxes[-2::-1], boxes[:0:-1], strict=False):
        if _JOINED.fullmatch(text, before[1], after[0]) is None or after[0] - before[1] > 30:
            break
        if before[2] != parts[0]:
            parts.insert(0, before[2])
    return ", ".join(parts)
