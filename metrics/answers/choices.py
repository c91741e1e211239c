"""Which option a response finally commits to."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.boxes import boxed
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.options import (
    LETTERS,
    Options,
    letter_at_start,
    letters_in,
    matching,
    mentions,
    options,
)
from mmmath_tasks.metrics.answers.polarity import Polarity, polarity
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.sentences import CONCLUSION, CUE, Sentence, sentences
from mmmath_tasks.metrics.answers.wrappers import in_json, tagged


class Claim(NamedTuple):
    """What a part of a response commits to."""

    choice: int | None
    text: str
    rule: str
    confidence: float


def read_choice(text: str, expectation: Expectation) -> Reading | None:
    """Return the option that a text commits to; None where nothing in it does."""
    offered = options(expectation.choices)
    claim = _claim(text.strip(), offered, expectation.question)
    if claim is None:
        return None
    shown = claim.text if claim.choice is None else LETTERS[claim.choice]
    reason = "unextracted" if claim.choice is None else ""
    return Reading(shown, claim.choice, claim.rule, claim.confidence, reason)


def _claim(text: str, offered: Options, question: str) -> Claim | None:
    whole = _short(text, offered, "whole", 0.97) if len(text) < 200 else None
    if whole is not None and whole.choice is not None:
        return whole
    for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", _box(text))):
        if inside:
            claim = _short(inside, offered, rule, 0.97) or _spoken(inside, offered, question, rule)
            if claim is not None:
                return claim
            if rule == "box":
                return Claim(None, undress(inside), rule, 0.6)
    return _from_sentences(text, offered, question)


def _box(text: str) -> str | None:
    boxes = boxed(text)
    return boxes[-1][2] if boxes else None


def _short(text: str, offered: Options, rule: str, confidence: float) -> Claim | None:
    """Read a text that is an answer and nothing else."""
    bare = undress(text)
    if re.fullmatch(r"\W*[A-Za-z]\W*", text) or len(bare) == 1:
        letter = letter_at_start(text, offered) or letter_at_start(bare, offered)
        if letter is not None:
            return Claim(letter[1], letter[0], rule, confidence)
    whole = matching(text, offered)
    if whole is not None:
        return Claim(whole, text, rule, confidence)
    if len(text) < 200 and "\n" not in text.strip():
        letter = letter_at_start(text, offered) or letter_at_start(bare, offered)
        if letter is not None and (letter[1] is not None or re.match(r"\s*\(?[A-Z][).:]", text)):
            return Claim(letter[1], letter[0], rule, confidence)
    return None


def _from_sentences(text: str, offered: Options, question: str) -> Claim | None:
    parts = sentences(text)
    if not parts:
        return None
    strong = None
    for i in range(len(parts) - 1, -1, -1):
        strong = _announced(parts, i, text, offered, question)
        if strong is not None:
            break
    if strong is not None:
        later = _concluded(parts[i + 1 :], offered, question)
        return later or strong
    last = parts[-1]
    first = parts[0]
    concluded = _concluded(parts, offered, question)
    if concluded is not None:
        return concluded
    claim = _spoken(last.text, offered, question, "last_sentence")
    if claim is not None and len(parts) > 1:
        return claim
    letter = letter_at_start(first.text, offered)
    if letter is not None:
        return Claim(letter[1], letter[0], "first_letter", 0.85)
    claim = _spoken(first.text, offered, question, "first_sentence") or claim
    if claim is not None:
        return claim
    for part in reversed(parts[1:-1]):
        claim = _spoken(part.text, offered, question, "sentence")
        if claim is not None:
            return claim._replace(confidence=0.5)
    return None


def _announced(parts: list[Sentence], i: int, text: str, offered: Options, question: str) -> Claim | None:
    """Read a sentence in which the answer is announced; the answer may stand on the next line."""
    part = parts[i].text
    cue = None
    for cue in CUE.finditer(part):
        pass
    if cue is None:
        return None
    span = part[cue.end() :]
    if not re.search(r"\w", span):
        span = parts[i + 1].text if i + 1 < len(parts) else ""
    if not span:
        return None
    if refuses(span) and not letters_in(span, offered):
        return None
    letter = letter_at_start(span, offered)
    if letter is not None:
        return Claim(letter[1], letter[0], "statement", 0.95)
    found = letters_in(span, offered)
    if len({f[1] for f in found}) == 1:
        return Claim(found[0][2], found[0][1], "statement", 0.92)
    whole = matching(span, offered)
    if whole is not None:
        return Claim(whole, span, "statement", 0.95)
    named = mentions(span, offered)
    if named and (len({n[1] for n in named}) == 1 or named[0][0] < 6):
        return Claim(named[0][1], span, "statement", 0.9)
    said = polarity(span, offered, question)
    if said is not None:
        return Claim(said.choice, span, "statement", 0.85)
    return None


def _concluded(parts: list[Sentence], offered: Options, question: str) -> Claim | None:
    for part in reversed(parts):
        if CONCLUSION.match(part.text):
            claim = _spoken(part.text, offered, question, "conclusion")
            if claim is not None:
                return claim
    return None


_COPULA = re.compile(r"\b(?:is|are|was|were|be|equals?|=|shows?|represents?|called|has|have)\b|[=:\u662f\u4e3a]")


def _spoken(text: str, offered: Options, question: str, rule: str) -> Claim | None:
    """Read a sentence that gives the answer in its own words."""
    found = [f for f in letters_in(text, offered) if f[2] is not None]
    if found and len({f[1] for f in found}) == 1:
        return Claim(found[0][2], found[0][1], rule, 0.85)
    said: Polarity | None = polarity(text, offered, question)
    if said is not None:
        return Claim(said.choice, text, rule, said.confidence)
    if refuses(text):
        return None
    named = mentions(text, offered)
    if named:
        kinds = {n[1] for n in named}
        if len(kinds) == 1:
            return Claim(named[0][1], text, rule, 0.8)
        copulas = [m.end() for m in _COPULA.finditer(text)]
        after = [n for n in named if copulas and n[0] >= copulas[-1] - 4]
        if after and len({n[1] for n in after}) == 1:
            return Claim(after[0][1], text, rule, 0.65)
        if offered.numeric:
            return Claim(named[-1][1], text, rule, 0.55)
    return None
