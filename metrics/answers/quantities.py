"""Which number a response gives as its answer."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from mmmath_tasks.metrics.answers.boxes import boxed
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.numbers import Number, number, numbers
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.sentences import CONCLUSION, CUE, sentences
from mmmath_tasks.metrics.answers.wrappers import in_json, tagged

_IS = re.compile(
    r"(?:\b(?:is|are|was|were|be|equals?|equal to|approximately|about|around|has|have|had|makes?|total of|gives?|left with|remains?)\b|[=\u2248\u662f\u4e3a\u6709]|\\approx|\\boxed)"
)
_ASIDE = re.compile(
    r"[,;]?\s+(?:as|because|since|with|when|where|out of|compared|which|while|given|if|from|after|between|based on|rather than|instead of)\b|\(|, (?:as|and|so|with)\b"
)
_RANGE = re.compile(r"^\s*(?:-|to|and|or|~)\s*[$]?\d")


def read_number(text: str, expectation: Expectation) -> Reading | None:
    """Return the number that a text gives as its answer; None where it gives none."""
    text = text.strip()
    if len(text) < 120:
        value = number(undress(text))
        if value is not None:
            return Reading(written(value), None, "whole", 0.98)
    for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", _box(text))):
        if inside is not None:
            bare = undress(inside)
            value = number(bare)
            if value is not None:
                return Reading(written(value), None, rule, 0.97)
            chosen = _pick(bare, expectation)
            if chosen is not None:
                return Reading(written(chosen.value), None, rule, 0.9)
            if rule == "box" or bare:
                return Reading(bare or None, None, rule, 0.6)
    parts = sentences(text)
    for i in range(len(parts) - 1, -1, -1):
        cue = None
        for cue in CUE.finditer(parts[i].text):
            pass
        if cue is None:
            continue
        span = parts[i].text[cue.end() :]
        if not re.search(r"\w", span):
            span = parts[i + 1].text if i + 1 < len(parts) else ""
        chosen = _pick(span, expectation)
        if chosen is not None:
            return Reading(written(chosen.value), None, "statement", 0.93)
    for part in reversed(parts):
        if CONCLUSION.match(part.text) and not refuses(part.text):
            chosen = _pick(part.text, expectation)
            if chosen is not None:
                return Reading(written(chosen.value), None, "conclusion", 0.85)
    for part in reversed(parts):
        if refuses(part.text):
            return None
        chosen = _pick(part.text, expectation)
        if chosen is not None:
            return Reading(written(chosen.value), None, "sentence", 0.7)
    return None


def written(value: Fraction) -> str:
    """Return a number without sign of money, thousands separator or exponent; a fraction as its decimal value."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return format(decimal, "f")


def _box(text: str) -> str | None:
    boxes = boxed(text)
    return boxes[-1][2] if boxes else None


def _pick(text: str, expectation: Expectation) -> Number | None:
    """Choose the number that a sentence gives: behind its verb, before its asides, nearest to what was asked."""
    text = text.replace("**", "").replace("\\$", "$").replace("\\%", "%")
    found = numbers(text, words=True)
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    asked = re.search(r"\bhow many ([a-z ]{3,40})", expectation.question.lower())
    if asked:
        noun = asked[1].split()
        for n in reversed(found):
            after = text[n.end : n.end + 40].lower().split()
            if after and any(w.strip(".,") in noun for w in after[:3]):
                return n
    equals = [m.end() for m in re.finditer(r"=|\\approx|\u2248", text)]
    if equals:
        behind = [n for n in found if n.start >= equals[-1]]
        if behind:
            return behind[0]
    verbs = [m.end() for m in _IS.finditer(text)]
    aside = [m.start() for m in _ASIDE.finditer(text)]
    for verb in verbs:
        behind = [n for n in found if verb <= n.start <= verb + 40 and not any(verb < a < n.start for a in aside)]
        if behind:
            return behind[0]
    return found[-1]
