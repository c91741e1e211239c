"""Where a text names the options of a question: by their words, by a value, by a formula, by what is left of them."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.options import RELATES, Options, dense, words
from mmmath_tasks.metrics.answers.question import stem

# "graph B"
_BARE_LETTER = re.compile(r"(?<![A-Za-z0-9$\\'])([AI](?! [a-z])|[B-HJ-Z])(?![A-Za-z0-9'=])")
# "line m"
_SMALL_LETTER = re.compile(
    r"\$([a-z])\$|\(([a-z])\)|\b(?:line|graph|curve|point|side|angle|segment|figure|edge) ([a-z])\b"
)


def mentions(text: str, offered: Options) -> list[tuple[int, int]]:
    """Return the options whose text stands in a text: (position in it, index), denied ones left out.

    Numeric options are matched by value, worded ones as whole words, the longest first, others without blanks.
    """
    found: list[tuple[int, int]] = []
    if offered.lettered:
        spans = [m.span() for m in cue("span").finditer(text)]
        named = {undress(t).strip(" ()").upper(): i for i, t in enumerate(offered.texts)}
        for match in (*_BARE_LETTER.finditer(text), *_SMALL_LETTER.finditer(text)):
            index = named.get(next(g for g in match.groups() if g).upper())
            before = text[max(0, match.start() - 24) : match.start()]
            spanned = any(start < match.start() < end for start, end in spans)
            if index is not None and not spanned and not cue("denied option").search(before):
                found.append((match.start(), index))
        if found:
            return found
    plain_words = words(text)
    if any(_SHORT_YEAR.search(option) for option in offered.texts):
        plain_words = _LONG_YEAR.sub(r"\1", plain_words)
    for start, option in _worded(plain_words, offered.worded):
        if not cue("denied option").search(plain_words[max(0, start - 24) : start]):
            found.append((start, offered.by_words[option]))
    if offered.numeric or (not found and any(item.value is not None for item in offered.items)):
        found += _valued(text, offered)
    if not found and not offered.lettered:
        found += _dense_mentions(text, offered)
    found.sort()
    return found


_SHORT_YEAR = re.compile(r"'\d\d\b")
_LONG_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
# "sharks"
_PLURAL = re.compile(r"(?:s|es)(?!\w)")


def _worded(text: str, worded: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return where the texts of options stand in a text as whole words; within a longer one they do not count."""
    taken: list[tuple[int, int]] = []
    found = []
    for option in worded:
        at = text.find(option)
        while at >= 0:
            end = at + len(option)
            plural = _PLURAL.match(text, end)
            end = plural.end() if plural and option[-1].isalpha() else end
            whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
            if whole and not any(a < end and at < b for a, b in taken):
                taken.append((at, end))
                found.append((at, option))
            at = text.find(option, end)
    return found


def _valued(text: str, offered: Options) -> list[tuple[int, int]]:
    found = []
    for n in numbers(text, words=True):
        if _PART_OF_FORM.match(text, n.end) or text[max(0, n.start - 1) : n.start] in ("\u221a", "^"):
            continue
        for i, item in enumerate(offered.items):
            if item.value is not None and item.value == n.value:
                found.append((n.start, i))
                break
    return found


# "2\sqrt"
_PART_OF_FORM = re.compile(r"\s?(?:\u221a|\\sqrt|\u03c0|\\pi|pi\b|\^|sqrt)")


def subsequences(text: str, offered: Options) -> list[int]:
    """Return the options all of whose content words stand in a text in their order, the fullest only."""
    if cue("negation").search(text):
        return []
    said = [stem(w) for w in words(text).split()]
    found: list[tuple[int, int]] = []
    for i, item in enumerate(offered.items):
        wanted = [stem(w) for w in item.words.split() if w in _content_words(item.words)]
        if not wanted or RELATES.search(item.dense) or len(item.words) <= 3:
            continue
        turned = len(wanted) == 2 and wanted[::-1] in [said[j : j + 2] for j in range(len(said))]
        if turned or any(_in_order(order, said) for order in _orders(wanted)):
            found.append((len(wanted), i))
    most = max(found, default=(0, 0))[0]
    return [i for n, i in found if n == most]


def _orders(wanted: list[str]) -> list[list[str]]:
    """Return the words as they stand and, of two things joined by "and", the other way round."""
    if wanted.count("and") != 1:
        return [wanted]
    at = wanted.index("and")
    return [wanted, [*wanted[at + 1 :], "and", *wanted[:at]]]


def _in_order(wanted: list[str], said: list[str]) -> bool:
    rest = iter(said)
    return all(any(s == w or (len(w) > 3 and s.startswith(w)) for s in rest) for w in wanted)


def _content_words(text: str) -> list[str]:
    """Return the words of an option that carry meaning; all of them where none does."""
    if len(text.split()) < 3:
        return text.split()
    light = {"the", "a", "an", "it", "would", "will", "also", "to", "of", "in", "be", "is", "are"}
    parts = text.split()
    return [w for i, w in enumerate(parts) if w not in light or i == len(parts) - 1]


def _dense_mentions(text: str, offered: Options) -> list[tuple[int, int]]:
    packed = dense(text)
    found: list[tuple[int, int, int]] = []
    for i, item in enumerate(offered.items):
        forms = {item.dense, dense(units.split(undress(offered.texts[i]))[0]) if item.unit else item.dense}
        for form in sorted(forms, key=len, reverse=True):
            if not form or (form.isalpha() and form.isascii()):
                continue
            at = packed.rfind(form)
            while (
                at > 0 and (packed[at - 1].isalnum() or packed[at - 1] in "\u221a.-/") and not packed[at - 1].isalpha()
            ):
                at = packed.rfind(form, 0, at)
            if at >= 0 and not (
                packed[at + len(form) : at + len(form) + 1].isdigit() or packed[at + len(form) :][:1] in "/\u221a\u03c0"
            ):
                found.append((at, at + len(form), i))
                break
    # What lies inside a longer match is part of it.
    return [(a, i) for a, b, i in found if not any(c <= a and b <= d and (a, b) != (c, d) for c, d, _ in found)]
