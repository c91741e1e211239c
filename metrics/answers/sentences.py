"""Responses cut into sentences, the words that announce an answer or conclude, and lists of labelled values."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.lexicon import cue, signed
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.records import Question, content

# "x = 7. So it is C."
_BREAK = re.compile(
    r"([.!?][\"')*\]]{0,3})(?:\s+(?=[^\s\d]|\d{1,3}[.)]\s)|(?<=[\d%)$a-z]\.)\s+(?=\d[\d.,]*\s[a-z])|(?<=[\u4e00-\u9fff][.!?])\s*)"
    r"|(?<![A-Za-z,:=\s])\n\s*|\n\s*(?!\s|\$\$|\\\[)"  # a displayed formula goes on with its sentence
)
# "approx."
_ABBREVIATED = re.compile(
    r"(?:\b(?:Fig|Eq|approx|e\.g|i\.e|vs|No|Mr|Mrs|Dr|St|sq|cu|a\.m|p\.m|etc|[A-Z]\.[A-Z])|^\W{0,3}\w)\.$"
)


@cache
def _cue() -> re.Pattern[str]:
    """Return the pattern of "The (final) answer is", "Answer:", ... up to where the answer itself begins."""
    noun, verb, filler = lexicon.either("noun"), lexicon.either("verb"), lexicon.either("filler")
    return re.compile(
        # "The final answer to part (b) is: **"
        r"(?<!other )(?<!each )(?<!every )(?<!wrong )(?<!incorrect )(?<!remaining )"
        rf"\b{noun}(?![^\W\d_])(?!\s+\(?[A-H]\)?(?:\s+(?-i:[a-z])|\s?[,(][^,()]{{1,20}}[,)] is (?!correct|right)))"
        rf"[\s*_\"']*(?:(?:\([^()\n]{{0,30}}\)|(?!(?:so|thus|hence|there|and)\b)[\w'\u2019,-]+)\s+){{0,9}}?"
        rf"(?:(?<![^\W\d_]){verb}(?![^\W\d_])|[:=\u662f])(?:\s*(?:{filler}|:)(?![^\W\d_]))*[\s*:_\"'>]*"
        rf"|{lexicon.either('announcement')}",
        re.I,
    )


@cache
def _conclusion() -> re.Pattern[str]:
    # "**Therefore"
    return re.compile(rf"^[\s*#>\-]*(?:and |but )?{lexicon.either('conclusion')}", re.I)


def begins_conclusion(text: str) -> bool:
    """Tell whether a sentence begins by drawing a conclusion: "Therefore ...", "\u6240\u4ee5 ..."."""
    return _conclusion().match(text) is not None


# A letter and a mark before a line of a list.
LETTER_MARK = re.compile(r"\s*[-*]?\s*\(?([A-Z]{1,2}|[a-h])[).:]\s")
MAX_SENTENCE = 1_200  # characters
MAX_SENTENCES = 100
_FIRST = 10


class Sentence(NamedTuple):
    """A sentence and where it begins in the text."""

    start: int
    text: str


@lru_cache(maxsize=256)
def sentences(text: str) -> list[Sentence]:
    """Cut a text into sentences and lines; abbreviations and list numbers do not end one.

    A sentence longer than MAX_SENTENCE is cut into pieces; of more than MAX_SENTENCES the first few and the last are
    kept: what is looked for stands at either end.
    """
    found: list[Sentence] = []
    at = 0
    for match in _BREAK.finditer(text):
        piece = text[at : match.end(1) if match[1] else match.start()]
        if not piece.strip():
            at = match.end()
            continue
        if match[1] and "\n" not in match[0] and _ABBREVIATED.search(piece[-12:]):
            continue
        _add(found, at, piece)
        at = match.end()
    if text[at:].strip():
        _add(found, at, text[at:])
    if len(found) > MAX_SENTENCES:
        found = found[:_FIRST] + found[_FIRST - MAX_SENTENCES :]
    return found


def _add(found: list[Sentence], at: int, piece: str) -> None:
    if len(piece) <= MAX_SENTENCE:
        found.append(Sentence(at, piece))
        return
    for i in range(0, len(piece), MAX_SENTENCE):
        found.append(Sentence(at + i, piece[i : i + MAX_SENTENCE]))


def hypothetical(parts: list[Sentence], i: int) -> bool:
    """Tell whether a sentence says what would be ("If ..., the result would be 4") and others follow."""
    return i < len(parts) - 1 and " would " in parts[i].text and cue("supposes").search(parts[i].text) is not None


@lru_cache(maxsize=2048)
def announcements(text: str) -> tuple[int, ...]:
    """Return the positions in a sentence right behind each announcement of an answer."""
    if not signed("sign of announcement", text.lower()):
        return ()
    found = []
    for match in _cue().finditer(text):
        rather = cue("not but").match(text, match.end())
        if rather:
            found.append(rather.end())
        elif not (
            cue("denied behind").match(text, match.end())
            or cue("denied before").search(text[: match.end()][-24:])
            or cue("in question").search(text[: match.start()])
        ):
            found.append(match.end())
    return tuple(found[-3:])


def own(parts: list[Sentence]) -> list[Sentence]:
    """Return the sentences without those that report what somebody else says and that they or the next ones reject."""
    return [
        part
        for i, part in enumerate(parts)
        if not signed("sign of somebody", part.text.lower(), english=True)
        or cue("says somebody").search(part.text) is None
        or not any(cue("rejects").search(p.text) for p in parts[i : i + 2])
    ]


_CIRCLE = re.compile(r"([^\n]{8,60}?)\1{3}")  # the same again and again
_DIGITS = re.compile(r"-?\d+")
_COMMAND = re.compile(r"\\[A-Za-z]")
# "$x$"
_DOLLAR = re.compile(r"(?<!\\)\$")
ITEM = re.compile(r"\s*(?:[-*]|\d{1,2}[.)])\s")
_DISPLAY_OPEN = re.compile(r"\$\$[^$]+$")
# "its area is 20 -> B"
_CLOSED = re.compile(r"(?:[.!?\u3002)\]}$*%\"'\u00b0|>]|(?:\u2192|\u21d2|[=-]>|=)\s?[A-H])\s*$")


def cut_off(parts: list[Sentence]) -> bool:
    """Tell whether a response stops in the middle of a sentence or goes round in circles: it reached no end."""
    if not parts:
        return False
    last = parts[-1].text
    if len(parts) > 1 and cue("unfinished").search(last):
        return True
    unclosed = len(_DOLLAR.findall(last)) % 2 or (last.count("$$") % 2 and _DISPLAY_OPEN.search(last))
    if unclosed and _COMMAND.search(last):
        return True  # a formula that never ends
    step = parts[-2].text if len(parts) > 12 else ""
    long = len(step) > (40 if step.isascii() else 12)
    if long and len({_DIGITS.sub("0", p.text)[:80] for p in parts[-13:-1]}) < 5:
        return True  # the same step with other numbers, again and again
    circle = _CIRCLE.search(last[-400:]) if len(last) > 150 else None
    if circle and not circle[1].isdigit():
        return True
    if len(parts) > 3 and max(sum(p.text == said for p in parts[-8:]) for said in (parts[-2].text, last)) > 2:
        return True
    brief = sum(len(p.text) for p in parts) < 300
    if cue("open end").search(last):
        return not brief or len(parts) > 1 or len(last) > 25
    if _CLOSED.search(last) or len(last) < 60 or cue("ends in number").search(last):
        return False
    before = [_CLOSED.search(p.text) is not None for p in parts[:-1]]
    if brief:
        return len(parts) > 1 and all(before)
    item = ITEM.match(last) and len(before) > 2 and all(before[-2:])
    return sum(before) > 0.6 * len(parts) or bool(item)


_PAIRS = ((r"\[", r"\]"), (r"\(", r"\)"), ("{", "}"), (r"\begin", r"\end"))
_LONG = 300  # characters of a text that may have been cut


def stops_short(text: str) -> bool:
    """Tell whether a long text without an answer seems to break off: looser than `cut_off`, it gives only a reason."""
    parts = sentences(text) if len(text) >= _LONG else []
    if not parts:
        return False
    if cut_off(parts) or any(text.count(start) > text.count(end) for start, end in _PAIRS):
        return True
    last = parts[-1].text
    if _CLOSED.search(last) or cue("ends in number").search(last) or announcements(last):
        return False
    if len(last) < (10 if last.isascii() else 4):
        return False
    return 2 * sum(_CLOSED.search(part.text) is not None for part in parts[:-1]) >= len(parts) > 1


# "- Girls in the class: 15"
ENTRY = re.compile(
    r"\s*(?:[-*]|\d{1,2}[.)])?\s*[A-Za-z][^:\n]{0,40}[:(]\s*-?[\d./]+\)?\s*$"
    r"|\s*\d{1,2} ?[-:] ?[A-Za-z][^:=\n]{0,40}\d\s*$"
)


def entry_asked_for(parts: list[Sentence], asked: Question) -> tuple[Fraction, str] | None:
    """Return the value of the one line, and the line, of a list at the end, that names what is asked for."""
    entries = _at_end(parts)
    counted = set(asked.counted[:2])
    near = [len((counted or asked.core) & content(text)) for text in entries]
    if len(entries) < 2 or asked.combined or near.count(max(near)) > 1 or max(near) < len(counted):
        return None
    line = entries[near.index(max(near))]
    found = numbers(line)
    return (found[-1].value, line) if found else None


def ends_in_list(parts: list[Sentence]) -> bool:
    """Tell whether the last lines are a list of values, not one of which is the answer or their total."""
    last = parts[-1].text
    if not ENTRY.match(last) or cue("result of a list").search(last):
        return False
    return sum(ENTRY.match(p.text) is not None for p in parts) > 3


def _at_end(parts: list[Sentence]) -> list[str]:
    """Return the lines of the list at the end, the last first."""
    return list(takewhile(ENTRY.match, (p.text for p in reversed(parts))))
