"""Which number a response gives as its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from mmmath_tasks.metrics.answers.document import MAX_DEPTH, Enclosed, enclosed
from mmmath_tasks.metrics.answers.dress import in_words, undress
from mmmath_tasks.metrics.answers.endings import at_end
from mmmath_tasks.metrics.answers.evaluation import exact
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.lexicon import beyond, cue, foreign, refuses
from mmmath_tasks.metrics.answers.numbers import number, numbers, several, split_unit
from mmmath_tasks.metrics.answers.picks import Pick, pick
from mmmath_tasks.metrics.answers.records import Expectation, Question, Reading, content, nearness, overlap
from mmmath_tasks.metrics.answers.response import NOTHING, Response, broken_off, first, rejected
from mmmath_tasks.metrics.answers.sentences import (
    Sentence,
    announcements,
    begins_conclusion,
    ends_in_list,
    entry_asked_for,
    hypothetical,
    sentences,
)

_HEAD, _TAIL = 2, 10  # sentences of a response that are looked at
_ARITHMETIC = re.compile(r"\d\s?[-+*/\u00d7]\s?[$]?\d[^=]{0,40}=")
# A number in bold, with a unit of at most two words.
# "**6 square units**"
_BOLD = re.compile(r"\*\*\s*[$]?(-?\d[\d.,]*?)(?:\s?[A-Za-z%\u00b0/]{1,15}){0,2}[.,]?\s*\*\*")
# "the area is **6**."
_ENDS_IN_BOLD = re.compile(rf"(?:\b(?:is|are)|[=:])\s*{_BOLD.pattern}\W*$")
_IN_BOLD = re.compile(r"\s*\*\*[^*\n]{1,60}\*\*[\s.]*")
# "- $F_{1}$ = 30 N"
_COMPONENT = re.compile(r"[\s*\-]*\$?([A-Za-z])_?\{?(\w)\}?\$?\s*[=\u2248]\s*-?\d[\d.]*[^=]{0,20}$")
# "import math"
CODE = re.compile(r"\w\(\s*['\"]|^\s*(?:import|from \w+ import|def|return|print)\b|^[^\\]*[{;]\s*$|^\s*\}\s*$")
# "Rounded to one decimal place"
_ROUNDED = re.compile(
    r"^\W*(?:rounded|rounding|to \w+ (?:decimal|significant))\b|\bgerundet\b|^arrondie?\b|^redondeando\b", re.I
)
_ITEM = re.compile(r"\s*(?:\d{1,2}[.)]|[-*\u2022])\s")
# "2x + 3"
_SYMBOLIC = re.compile(r"\d{0,3}[a-z](?:\^?\d)?\s?[/*+-]\s?\d{1,4}|\d{1,4}\s?[/*+]\s?[a-z]|\d{1,4}\s?[xynabk]")
# "\frac{3}{4}"
_FORMULA = re.compile(r"[\d\\][^A-Za-z]*[\^*/!+\\-]|\d\s?[a-z]$|\\[a-z]")
# "the difference is therefore"
_THEREFORE = re.compile(r"\b(?:is|are) (?:therefore|thus|hence|then)\b")
# "18 students"
_PROSE = re.compile(r"(?<!\\)\b[A-Za-z]{2,}|'")


def read_number(text: str, expectation: Expectation, depth: int = 0) -> Reading | None:
    r"""Return the number that a text gives as its answer; None where it gives none.

    The text of the reading is a plain decimal ("1000", "0.75"), or what stands in the answer's place where that is no
    single number ("6 to 8", "2\sqrt{3}").
    """
    found = first(RANKING, Response(text.strip(), expectation, depth))
    return None if found is NOTHING else found


def written(value: Fraction) -> str:
    """Return a number without sign of money, thousands separator or exponent; a fraction as its decimal value."""
    if value.denominator == 1:
        return str(value.numerator)
    return format(_CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")


_CONTEXT = Context(prec=28)


def _reading(value: Fraction, rule: str, passage: str) -> Reading:
    return Reading(written(value), None, rule, passage=passage)


def _picked(picked: Pick, rule: str, passage: str) -> Reading:
    if picked.value is None:
        return Reading(picked.text, None, rule, reason="ambiguous", passage=passage)
    return _reading(picked.value, rule, passage)


def _whole(bare: str) -> Reading | None:
    """Read a text that is one number or formula and nothing else; a formula with variables gives no number."""
    bare = bare.rstrip("!")
    if several(bare):
        return Reading(bare, None, "whole", reason="ambiguous", passage=bare)
    value = number(bare)
    if value is None and not _PROSE.search(bare) and _FORMULA.search(bare):
        node = parse(split_unit(bare.rpartition("=")[2].strip())[0])
        value = None if node is None else exact(node)
        if value is None and node is not None:
            return Reading(bare, None, "whole", passage=bare)
    return None if value is None else _reading(value, "whole", bare)


def _alone(response: Response) -> Reading | None:
    """Read a text that is an answer and nothing else."""
    bare = undress(response.text) if len(response.text) < 120 else ""
    return None if not bare or (bare.endswith("%") and "=" in bare) else _whole(bare)


def _set_apart(response: Response) -> Reading | None:
    """Read an answer in a tag, a JSON reply or a box, unless the text behind a box announces another."""
    apart = enclosed(response.text)
    if apart is None:
        return None
    later = _announced(replace(response, text=apart.behind)) if apart.rule == "box" else None
    return later or _enclosed(apart, response) or NOTHING


def _enclosed(apart: Enclosed, response: Response) -> Reading | None:
    """Read what a response sets apart as its answer: one value, or a text that is read like any other."""
    inside, rule, passage = apart.inside, apart.rule, apart.passage
    bare = undress(inside)
    whole = _whole(bare)
    if whole is not None:
        return replace(whole, rule=rule, passage=passage)
    inside = in_words(inside)
    if refuses(beyond(bare)) and not announcements(inside):
        return None
    if response.depth < MAX_DEPTH and (len(sentences(inside)) > 1 or announcements(inside)):
        found = read_number(inside, response.expectation, response.depth + 1)
        return None if found is None else replace(found, rule=rule)
    picked = pick(beyond(bare), response.asked, announced=True)
    if picked is not None:
        return _picked(picked, rule, passage)
    return Reading(bare, None, rule, passage=passage) if bare else None


def announced(parts: list[Sentence]) -> Iterator[tuple[int, str]]:
    """Yield what sentences announce, the last first: (index, text); one that ends with the cue announces the next.

    Passed over are headings, suppositions and sentences that decline.
    """
    declined = len(parts) > 1 and refuses(parts[-1].text)
    for i in range(len(parts) - 1, -1, -1):
        text = parts[i].text
        for end in reversed(announcements(text)):
            span = text[end:]
            if not re.search(r"[\w\u221e]", span):
                span = parts[i + 1].text if i + 1 < len(parts) else ""
            supposed = declined and cue("supposed").match(text)
            heads = cue("heading").match(text) and i < len(parts) - 1
            if span and not (supposed or heads or hypothetical(parts, i) or refuses(beyond(text)) or refuses(span)):
                yield i, span


def _announced(response: Response) -> Reading | None:
    """Read the last announcement."""
    for i, span in announced(response.parts):
        following = response.parts[i + 1 :] if not response.parts[i].text.endswith(span) else []
        if len(following) > 1 and number(undress(span)) is None:
            behind = replace(response, text=response.text[following[0].start :])
            return first(UNANNOUNCED, behind)  # "Here is the answer:" and some sentences
        said = response.parts[i].text
        if cue("valueless").match(span):
            return Reading(span.strip(" .*$"), None, "statement", reason="unextracted", passage=said)
        bare = undress(span)
        if several(bare):
            return Reading(bare, None, "statement", reason="ambiguous", passage=said)
        if _SYMBOLIC.fullmatch(bare):
            return Reading(bare, None, "statement", passage=said)
        picked = pick(span, response.asked, announced=True)
        if picked is not None:
            return _picked(picked, "statement", said)
    return None


class _Weighed(NamedTuple):
    """A sentence's number, how likely it is the answer, and whether the sentence draws a conclusion."""

    weight: float
    picked: Pick
    concludes: bool
    passage: str


def _first_line(response: Response) -> Reading | None:
    """Read a first line that is a number, which others explain."""
    parts = response.parts
    value = number(undress(parts[0].text)) if len(parts) > 1 else None
    if value is None or number(undress(response.last)) is not None:
        return None
    concluded = any(begins_conclusion(p.text) or "=" in p.text for p in parts)
    return None if concluded else _reading(value, "first_line", parts[0].text)


def _last_line(response: Response) -> Reading | None:
    """Read a last line that is a number, to which the line before leads or which was named before."""
    before = response.parts[:-1]
    lone = _lone(response.last) if before else None
    if lone is None or _lone(before[-1].text) is not None:
        return None
    led_to = before[-1].text.rstrip().endswith((":", "="))
    stated = led_to or any(n.value == lone for p in before for n in numbers(p.text, words=True))
    return _reading(lone, "last_line", response.last) if stated else None


def _at_end(response: Response) -> Reading | None:
    """Read the result that the last sentence sets apart."""
    return at_end(response, read_number)


def _entry(response: Response) -> Reading | None:
    """Read the line of a list that names what is asked for."""
    entry = entry_asked_for(response.parts, response.asked) if response.parts else None
    return None if entry is None else _reading(entry[0], "entry", entry[1])


def _likeliest(response: Response) -> Reading | None:
    """Read the number of the sentence that most likely gives the answer."""
    parts, asked, count = response.parts, response.asked, len(response.parts)
    best: _Weighed | None = None
    for i in [*range(min(_HEAD, count)), *range(max(_HEAD, count - _TAIL), count)]:
        weighed = _weighed(parts, i, asked)
        if weighed is not None and (best is None or weighed.weight >= best.weight):
            best = weighed
    if not parts or _open_end(parts, asked, best is not None and best.concludes):
        return None
    nearest = max(parts[-_TAIL:], key=lambda p: nearness(p.text, asked)).text
    infinite = cue("infinite").search(nearest) and all(n.value in asked.values for n in numbers(nearest))
    if infinite or cue("no value").search(response.last):
        said = nearest if infinite else response.last
        return Reading(said.strip()[:200], None, "sentence", reason="unextracted", passage=said)
    if best is None or best.weight < -1:
        return None
    return _picked(best.picked, "conclusion" if best.concludes else "sentence", best.passage)


def _weighed(parts: list[Sentence], i: int, asked: Question) -> _Weighed | None:
    """Weigh the number of one sentence by what it says of the question and by where it stands."""
    text, count = beyond(parts[i].text), len(parts)
    if text.rstrip().endswith("?") or "___" in text or refuses(text):
        return None
    if (cue("passed over").match(text) and not cue("so").search(text)) or CODE.search(text):
        return None
    if _ITEM.match(text) and any(cue("details").match(p.text) for p in parts[1:i]):
        return None
    picked = pick(text, asked)
    alone = _lone(text) is not None
    if picked is None or (picked.weight <= -2 and not alone):
        return None
    share, said = overlap(text, asked), content(text)
    far = bool(asked.words) and not share
    weak = (picked.weight < 2 and far) or (picked.weight < 0 and nearness(text, asked) < 0.4)
    rounded = _ROUNDED.search(text) is not None
    if weak and not rounded and len(said) > 4 and "=" not in text and not foreign(text):
        return None  # a number named in passing
    concludes, ends = begins_conclusion(text) or _THEREFORE.search(text) is not None, i == count - 1
    weight = picked.weight + 2 * share + (2 if ends else 1.5) * concludes - 1.0 * bool(cue("step").match(text))
    if not ends and (_ARITHMETIC.search(text) or (_ITEM.match(text) and not _ITEM.match(parts[-1].text))):
        weight -= 1  # a step of the way
    if cue("each").search(asked.text) and not cue("each").search(text):
        weight -= 1.5  # of all, and one's share is asked for
    if asked.combined and cue("combination").search(text):
        weight += 2
    if alone or (_IN_BOLD.fullmatch(text) and re.search(r"[=\u2248]|\bis\b", text)):
        weight += 2  # a line that is a number and nothing else
    if ends:
        weight += 4 * rounded
        # The steps of a derivation stand on lines of their own and end with the answer; one paragraph begins with it.
        lines = count > 1 and parts[-1].start - parts[-2].start > len(parts[-2].text) + 1
        weight += 3.0 if lines else 1.5
    if i == 0 and count < 4:
        weight += 0.8  # an answer with its explanation
    return _Weighed(weight + 0.3 * i / count, picked, concludes, text)


def _lone(text: str) -> Fraction | None:
    """Return the value of a line that is a number, with a unit or without, and nothing else."""
    return number(split_unit(undress(text))[0])


def _bold(response: Response) -> Reading | None:
    """Read the only number in bold of a conclusion, or of a first sentence that others explain."""
    parts, asked = response.parts, response.asked
    near = [nearness(p.text, asked) for p in parts[-3:]]
    for i, part in enumerate(parts[-3:]):
        ends = _ENDS_IN_BOLD.search(part.text) if begins_conclusion(part.text) else None
        if ends and near[i] >= 0.5 and near[i] > max(near[i + 1 :], default=0.0):
            value = number(ends[1])
            return None if value is None else _reading(value, "bold", part.text)
    found = [(p.text, m[1]) for p in parts for m in _BOLD.finditer(p.text)]
    if len(found) != 1 or found[0][0] is not parts[0].text or nearness(parts[0].text, asked) < 0.5:
        return None
    explained = any(begins_conclusion(p.text) or cue("so").search(p.text) or "=" in p.text for p in parts)
    value = None if explained else number(found[0][1])
    return None if value is None else _reading(value, "bold", parts[0].text)


def _open_end(parts: list[Sentence], asked: Question, concluded: bool) -> bool:
    """Tell whether a response without an announcement ends without an answer, whatever numbers stand in it.

    It does where it ends with a list of values, with a question, with values of two components, by declining, by
    concluding that something is a symbol, or where it gives figures but not the sum or difference asked for.
    """
    last = parts[-1].text
    if CODE.search(last) and last.lstrip().startswith(("print(", "return ")):
        return True  # a program's output is not known
    if ends_in_list(parts):
        return True
    ends = [_COMPONENT.match(p.text) for p in parts[-2:]]
    if len(ends) == 2 and all(ends):
        first, second = (m.groups() for m in ends if m)
        if first[0] == second[0] and first[1] != second[1]:
            return True
    for part in reversed(parts[-3:]):
        if refuses(beyond(part.text)):
            if not concluded or (cue("declines").search(part.text) and not cue("unsure").search(part.text)):
                return True
            break
        if pick(part.text, asked) is not None:
            break
    if concluded:
        return False
    given = [n for p in parts for n in numbers(p.text) if n.value not in asked.values and not 1900 <= n.value < 2100]
    apart = len({n.value for n in given}) > 1 and not any(
        cue("combination").search(p.text) or (cue("so").search(p.text) and len(numbers(p.text)) > 1) for p in parts
    )
    return last.rstrip().endswith("?") or (asked.combined and apart)


UNANNOUNCED = (_first_line, _last_line, _bold, _at_end, _entry, _likeliest)
"""What gives a number without announcing it; what counts more stands before what counts less."""
RANKING = (
    _alone,
    _set_apart,
    rejected,
    _announced,
    broken_off,
    _first_line,
    _last_line,
    _bold,
    _at_end,
    _entry,
    _likeliest,
)
