"""Which number a response gives as its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from operator import itemgetter

from mmmath_tasks.metrics.answers.document import MAX_DEPTH, enclosed
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
    ITEM,
    Sentence,
    announcements,
    begins_conclusion,
    ends_in_list,
    entry_asked_for,
    hypothetical,
    sentences,
)

_HEAD, _TAIL = 2, 10  # sentences of a response that are looked at
_CONTEXT = Context(prec=28)
_ARITHMETIC = re.compile(r"\d\s?[-+*/\u00d7]\s?[$]?\d[^=]{0,40}=")
# "**6 square units**": a number in bold, with a unit of at most two words.
_BOLD = re.compile(r"\*\*\s*[$]?(-?\d[\d.,]*?)(?:\s?[A-Za-z%\u00b0/]{1,15}){0,2}[.,]?\s*\*\*")
# "the area is **6**."
_ENDS_IN_BOLD = re.compile(rf"(?:\b(?:is|are)|[=:])\s*{_BOLD.pattern}\W*$")
_IN_BOLD = re.compile(r"\s*\*\*[^*\n]{1,60}\*\*[\s.]*")
# "**T = 130.4 minutes**"
_BOLD_VALUE = re.compile(r"\s*\*\*[^*\n:=\u2248]{1,30}[=\u2248][^*\n:=\u2248]{1,30}\*\*[\s.]*")
# "- $F_{1}$ = 30 N"
_COMPONENT = re.compile(r"[\s*\-]*\$?[A-Za-z]_?\{?\w\}?\$?\s*[=\u2248]\s*-?\d[\d.]*[^=]{0,20}$")
# "import math"
CODE = re.compile(r"\w\(\s*['\"]|^\s*(?:import|from \w+ import|def|return|print)\b|^[^\\]*[{;]\s*$|^\s*\}\s*$")
# "Rounded to one decimal place"
_ROUNDED = re.compile(
    r"^\W*(?:rounded|rounding|to \w+ (?:decimal|significant))\b|\bgerundet\b|^arrondie?\b|^redondeando\b", re.I
)
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


def _reading(value: Fraction | None, rule: str, passage: str) -> Reading | None:
    """Return the reading of a number, a fraction as its decimal value."""
    if value is None:
        return None
    written = str(value.numerator)
    if value.denominator != 1:
        written = format(_CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")
    return Reading(written, None, rule, passage=passage)


def _picked(picked: Pick | None, rule: str, passage: str) -> Reading | None:
    if picked is not None and picked.value is None:
        return Reading(picked.text, None, rule, reason="ambiguous", passage=passage)
    return None if picked is None else _reading(picked.value, rule, passage)


def _whole(bare: str) -> Reading | None:
    """Read a text that is one number or formula and nothing else; a formula with variables gives no number."""
    bare = bare.rstrip("!")
    if several(bare):
        return Reading(bare, None, "whole", reason="ambiguous", passage=bare)
    value = number(bare)
    if value is None and not _PROSE.search(bare) and _FORMULA.search(bare):
        node = parse(split_unit(bare.rpartition("=")[2].strip())[0])
        value = exact(node) if node else None
        if node and value is None:
            return Reading(bare, None, "whole", passage=bare)
    return _reading(value, "whole", bare)


def _alone(response: Response) -> Reading | None:
    """Read a text that is an answer and nothing else."""
    bare = undress(response.text) if len(response.text) < 120 else ""
    return None if bare.endswith("%") and "=" in bare else _whole(bare)


def _set_apart(response: Response) -> Reading | None:
    """Read an answer in a tag, a JSON reply or a box: one value, or a text that is read like any other."""
    apart = enclosed(response.text)
    if apart is None:
        return None
    rule, passage, bare = apart.rule, apart.passage, undress(apart.inside)
    found = _whole(bare)
    if found is None and not refuses(beyond(bare)):
        inside = in_words(apart.inside)
        if response.depth < MAX_DEPTH and (len(sentences(inside)) > 1 or announcements(inside)):
            nested = read_number(inside, response.expectation, response.depth + 1)
            return replace(nested, rule=rule) if nested else NOTHING
        found = _picked(pick(beyond(bare), response.asked, announced=True), rule, passage)
        found = found or (Reading(bare) if bare else None)
    return replace(found, rule=rule, passage=passage) if found else NOTHING


def announced(parts: list[Sentence]) -> Iterator[tuple[int, str]]:
    """Yield what sentences announce, the last first: (index, text); one that ends with the cue announces the next.

    Passed over are headings, suppositions and sentences that decline.
    """
    declined = len(parts) > 1 and refuses(parts[-1].text)
    for i in range(len(parts) - 1, -1, -1):
        text = parts[i].text
        supposed = declined and cue("supposed").match(text)
        for end in reversed(announcements(text)):
            span = text[end:]
            if not re.search(r"[\w\u221e]", span):
                span = parts[i + 1].text if i + 1 < len(parts) else ""
            heads = cue("heading").match(text) and i < len(parts) - 1
            if span and not (supposed or heads or hypothetical(parts, i) or refuses(beyond(text)) or refuses(span)):
                yield i, span


def _bold_line(response: Response) -> Reading | None:
    """Read a last line in bold that gives a value, where no plain number is announced before it."""
    last = response.last
    if response.depth or len(response.parts) < 3 or not _BOLD_VALUE.fullmatch(last):
        return None
    if any(number(split_unit(undress(span))[0]) is not None for _, span in announced(response.parts)):
        return None
    return _picked(pick(last, response.asked), "marked", last)


def _announced(response: Response) -> Reading | None:
    """Read the last announcement."""
    for i, span in announced(response.parts):
        following = response.parts[i + 1 :] if not response.parts[i].text.endswith(span) else []
        if len(following) > 1 and number(undress(span)) is None:
            behind = replace(response, text=response.text[following[0].start :])
            return first(UNANNOUNCED, behind)  # "Here is the answer:" and some sentences
        said, bare = response.parts[i].text, undress(span)
        if several(bare) or _SYMBOLIC.fullmatch(bare) or cue("valueless").match(span):
            return Reading(bare, None, "statement", reason="ambiguous" if several(bare) else "", passage=said)
        if picked := _picked(pick(span, response.asked, announced=True), "statement", said):
            return picked
    return None


def _first_line(response: Response) -> Reading | None:
    """Read a first line that is a number, which others explain."""
    parts = response.parts
    value = number(undress(parts[0].text)) if len(parts) > 1 else None
    if value is None or number(undress(response.last)) is not None:
        return None
    if any(begins_conclusion(p.text) or "=" in p.text for p in parts):
        return None
    return _reading(value, "first_line", parts[0].text)


def _last_line(response: Response) -> Reading | None:
    """Read a last line that is a number, to which the line before leads or which was named before."""
    before = response.parts[:-1]
    lone = _lone(response.last) if before else None
    if lone is None:
        return None
    led_to = before[-1].text.rstrip().endswith((":", "="))
    stated = led_to or any(n.value == lone for p in before for n in numbers(p.text, words=True))
    return _reading(lone, "last_line", response.last) if stated else None


def _entry(response: Response) -> Reading | None:
    """Read the line of a list that names what is asked for."""
    entry = entry_asked_for(response.parts, response.asked) if response.parts else None
    return entry and _reading(entry[0], "entry", entry[1])


def _likeliest(response: Response) -> Reading | None:
    """Read the number of the sentence that most likely gives the answer."""
    parts, asked, count = response.parts, response.asked, len(response.parts)
    looked_at = (*range(min(_HEAD, count)), *range(max(_HEAD, count - _TAIL), count))
    found = [weighed for i in reversed(looked_at) if (weighed := _weighed(parts, i, asked)) is not None]
    weight, best = max(found, key=itemgetter(0), default=(-2.0, None))
    if not parts or _open_end(parts, asked, best is not None and best.rule == "conclusion"):
        return None
    for said in (max(parts[-_TAIL:], key=lambda p: nearness(p.text, asked)).text, response.last):
        if cue("no value").search(said) and all(n.value in asked.values for n in numbers(said)):
            return Reading(said.strip()[:200], None, "sentence", reason="unextracted", passage=said)
    return best if weight >= -1 else None


def _weighed(parts: list[Sentence], i: int, asked: Question) -> tuple[float, Reading] | None:
    """Read the number of one sentence, and weigh it by what it says of the question and by where it stands."""
    text, count = beyond(parts[i].text), len(parts)
    passed_over = cue("passed over").match(text) and not cue("so").search(text)
    if passed_over or refuses(text) or "___" in text or text.rstrip().endswith("?") or CODE.search(text):
        return None
    picked = pick(text, asked)
    if picked is None or picked.weight <= -2:
        return None
    if ITEM.match(text) and any(cue("details").match(p.text) for p in parts[1:i]):
        return None
    share, rounded = overlap(text, asked), _ROUNDED.search(text) is not None
    weak = (picked.weight < 2 and asked.words and not share) or (picked.weight < 0 and nearness(text, asked) < 0.4)
    if weak and not rounded and len(content(text)) > 4 and "=" not in text and not foreign(text):
        return None  # a number named in passing
    concludes = begins_conclusion(text) or _THEREFORE.search(text) is not None
    weight = picked.weight + 2 * share + (2 if i == count - 1 else 1.5) * concludes - bool(cue("step").match(text))
    if cue("each").search(asked.text) and not cue("each").search(text):
        weight -= 1.5  # of all, and one's share is asked for
    if asked.combined and cue("combination").search(text):
        weight += 2
    if _lone(text) is not None or (_IN_BOLD.fullmatch(text) and re.search(r"[=\u2248]|\bis\b", text)):
        weight += 2  # a line that is a number and nothing else
    if i < count - 1:
        weight -= bool(_ARITHMETIC.search(text))  # a step of the way
    else:
        # The steps of a derivation stand on lines of their own and end with the answer; one paragraph begins with it.
        lines = count > 1 and parts[-1].start - parts[-2].start > len(parts[-2].text) + 1
        weight += 4 * rounded + (3.0 if lines else 1.5)
    if i == 0 and count < 4:
        weight += 0.8  # an answer with its explanation
    read = _picked(picked, "conclusion" if concludes else "sentence", text)
    return (weight + 0.3 * i / count, read) if read else None


def _lone(text: str) -> Fraction | None:
    """Return the value of a line that is a number, with a unit or without, and nothing else."""
    return number(split_unit(undress(text))[0])


def _bold(response: Response) -> Reading | None:
    """Read the only number in bold of a conclusion, or of a first sentence that others explain."""
    parts = response.parts
    for part in parts[-3:]:
        ends = _ENDS_IN_BOLD.search(part.text) if begins_conclusion(part.text) else None
        if ends and nearness(part.text, response.asked) >= 0.5:
            return _reading(number(ends[1]), "bold", part.text)
    found = [(p.text, m[1]) for p in parts for m in _BOLD.finditer(p.text)]
    if len(found) != 1 or found[0][0] is not parts[0].text or nearness(parts[0].text, response.asked) < 0.5:
        return None
    explained = any(begins_conclusion(p.text) or cue("so").search(p.text) or "=" in p.text for p in parts)
    return None if explained else _reading(number(found[0][1]), "bold", found[0][0])


def _open_end(parts: list[Sentence], asked: Question, concluded: bool) -> bool:
    """Tell whether a response without an announcement ends without an answer, whatever numbers stand in it.

    It does where it ends with a list of values, with a question, with values of two components, by declining, in a
    program, whose output is not known, or where it gives figures but not the sum or difference asked for.
    """
    last = parts[-1].text
    components = len(parts) > 1 and all(_COMPONENT.match(p.text) for p in parts[-2:])
    if components or ends_in_list(parts) or last.lstrip().startswith(("print(", "return ")):
        return True
    for part in reversed(parts[-3:]):
        if refuses(beyond(part.text)):
            if not concluded or cue("declines").search(part.text):
                return True
            break
        if pick(part.text, asked) is not None:
            break
    apart = len({n.value for p in parts for n in numbers(p.text)}) > 1 and not any(
        cue("combination").search(p.text) or cue("so").search(p.text) for p in parts
    )
    return not concluded and (last.rstrip().endswith("?") or (asked.combined and apart))


UNANNOUNCED = (_first_line, _last_line, _bold, partial(at_end, reader=read_number), _entry, _likeliest)
"""What gives a number without announcing it; what counts more stands before what counts less."""
RANKING = (_alone, _set_apart, rejected, _bold_line, _announced, broken_off, *UNANNOUNCED)
