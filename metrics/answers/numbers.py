"""Numbers in text, with or without units: digits, fractions, powers of ten, percent, money, and words."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.dress import SUPERSCRIPTS
from mmmath_tasks.metrics.answers.lexicon import cue


class Number(NamedTuple):
    """A number in a text: where it stands, its value, and how it was written."""

    start: int
    end: int
    value: Fraction
    text: str


_ONES, _TENS, _SCALES = lexicon.values("ones"), lexicon.values("tens"), lexicon.values("scale")
_HAN = lexicon.values("han")
_HAN_BEFORE = {*"\u662f\u4e3a\u6709\u5269\u4e0b\u5171\u5f97:= ", "\u7b49\u4e8e"}
_HAN_TENS = lexicon.values("han_scale")

_NAMES = (*_ONES, *_TENS, *_SCALES)
_WORD = "|".join(_NAMES)
# "a hundred and twenty-five"
_NUMBER_WORDS = re.compile(
    rf"\b(?:a (?=hundred|thousand|million|billion))?(?:{_WORD})(?:(?:[ -]|(?: and ))(?:{_WORD}))*\b"
)
# "二十五"
_HAN_NUMBER = re.compile(
    r"[\u96f6\u3007\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343]+"
)
# "-$1,234.56"
DIGITS = re.compile(
    r"(?<![A-Za-z0-9_.\u0370-\u03ff])(?:(?<![\d)\]}])-\s?)?[$\u20ac\u00a3\u00a5]?\s?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+(?![\d,]\d)|\d{1,60}(?:\{,\}\d{3})*(?!\d))?(?P<part>\.\d{1,60}(?!\d))?(?<=\d)(?!\.\d)"
    r"(?:[eE](?P<exp>[+-]?\d{1,3})(?![\w.]))?"
)
_QUICK = re.compile(r"\d")
# "3/4"
_FRACTION_AFTER = re.compile(r"\s?/\s?(\d{1,20})(?![\d.]*[/\d])")
# "3 1/2"
_MIXED_AFTER = re.compile(r" (\d{1,3})/(\d{1,3})(?![\d/.])")
# "2\frac{3}{4}"
_TEX_FRACTION = re.compile(
    r"(-?)\s?(\d{0,9})\s?\\[dtc]?frac\s?(?:\{\s*(-?\d{1,30})\s*\}\s?\{\s*(\d{1,30})\s*\}|(\d)\s?(\d))"
)
_EXPONENT_OF = re.compile(r"[A-Za-z]\^\{?$")
_CENTS_AFTER = re.compile(r" dollars?(?: and|,) (\d{1,2}) cents?\b", re.I)
# "60^0" is 60 degrees.
# "2^{10}"
_RAISED = re.compile(r"\^(?:\{(-?[1-9]\d?)\}|(-?[1-9]\d?))(?![\w^])|([\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})(?!\w)")
_RAISED_DIGITS = str.maketrans(SUPERSCRIPTS)
# "3.2 x 10^4"
_POWER_AFTER = re.compile(r"\s?(?:\\times|x|\u00d7|\*)\s?10\s?\^\s?\{?(-?\d{1,2})\}?")


@lru_cache(maxsize=2048)
def numbers(text: str, words: bool = False) -> tuple[Number, ...]:
    """Return the numbers of a text in order, those in English or Chinese words too where asked.

    Numbers that are part of a name (x2, A1, 3D), of a longer number or of an ordinal (1st) do not count.
    """
    found: list[Number] = []
    if "frac" in text:
        for match in _TEX_FRACTION.finditer(text):
            above, below = int(match[3] or match[5]), int(match[4] or match[6])
            if below:
                value = Fraction(above, below) + int(match[2] or 0)
                found.append(Number(match.start(), match.end(), -value if match[1] else value, match[0].strip()))
    fractions = _Spans(found)
    if _QUICK.search(text):
        end = 0
        for match in DIGITS.finditer(text):
            number = None if match.start() < end else _number(text, match)
            if number and not fractions.meet(number):
                found.append(number)
                end = number.end
    if words:
        found.sort()
        digits = _Spans(found)
        found += [n for n in _worded(text) if not digits.meet(n)]
    found.sort()
    return tuple(found)


class _Spans:
    """Where numbers stand that were found already, in order and apart."""

    def __init__(self, found: list[Number]) -> None:
        self.starts = [n.start for n in found]
        self.ends = [n.end for n in found]

    def meet(self, number: Number) -> bool:
        """Tell whether a number shares characters with one of these."""
        i = bisect_left(self.starts, number.end)  # those before i begin before the number ends
        return i > 0 and self.ends[i - 1] > number.start


def _negative(text: str, start: int) -> re.Match[str] | None:
    """Return the "minus" or "negative" that stands before a number."""
    before = text[max(0, start - 24) : start]
    return cue("negative before").search(before) if before.rstrip().lower().endswith(("minus", "negative")) else None


def _number(text: str, match: re.Match[str]) -> Number | None:
    end = match.end()
    if _EXPONENT_OF.search(text[max(0, match.start() - 3) : match.start()]):
        return None  # cm^2
    if end < len(text) and (text[end].isalpha() and text[end].isascii()):
        after = text[end : end + 2].lower()
        if after in {"st", "nd", "rd", "th"} and not text[end + 2 : end + 3].isalpha():
            return None
        if after[0] == "s" and not after[1:].isalpha() and re.fullmatch(r"(?:1[5-9]|20)\d0", match[0].strip()):
            return None  # the 1990s
        if after[0] == "d" and not after[1:].isalpha():
            return None  # 2D, 3D
    whole = (match["whole"] or "0").replace(",", "").replace("{}", "")
    written = match[0].strip()
    value = Fraction(whole + (match["part"] or ""))
    if match["exp"]:
        value *= Fraction(10) ** int(match["exp"])
    if match["part"] is None:
        fraction = _FRACTION_AFTER.match(text, end)
        mixed = None if fraction else _MIXED_AFTER.match(text, end)
        if mixed and 0 < int(mixed[1]) < int(mixed[2]):
            value += Fraction(int(mixed[1]), int(mixed[2]))
            end = mixed.end()
            written += mixed[0]
        if fraction and int(fraction[1]):
            value /= int(fraction[1])
            end = fraction.end()
            written += fraction[0]
    raised = _RAISED.match(text, end)
    if raised and 0 < value < 1_000:  # 10^8
        value **= int(raised[1] or raised[2] or raised[3].translate(_RAISED_DIGITS))
        end = raised.end()
        written += raised[0]
    power = _POWER_AFTER.match(text, end)
    if power:
        value *= Fraction(10) ** int(power[1])
        end = power.end()
        written += power[0]
    cents = _CENTS_AFTER.match(text, end)
    if cents:
        value += Fraction(int(cents[1]), 100)
        end = cents.end()
        written += cents[0]
    if written.startswith("-"):
        value = -value
    negative = _negative(text, match.start())
    if negative and value > 0:
        return Number(match.start() - len(negative[0]), end, -value, f"-{written}")
    return Number(match.start(), end, value, written)


_PARTS = lexicon.values("part")
# "three quarters", "one-third of", "two and a half"; "a third person" and "a quarter past" are none.
# "three quarters"
_FRACTION_WORDS = re.compile(
    rf"\b(?:(?:(?P<whole>{'|'.join(_ONES)}) and )?(?P<above>{'|'.join(_ONES)}|an?)[ -]"
    rf"(?P<below>{'|'.join(_PARTS)}|halve)s?|(?P<half>half)(?= of\b))"
    r"\b(?! (?:past|to|after|before|person|time|one|place|grade|row|column)\b)",
)


def _worded(text: str) -> list[Number]:
    lowered = text.lower()
    lowered = lowered if len(lowered) == len(text) else text
    found = _fractions(lowered) if any(part in lowered for part in _PARTS) or "halve" in lowered else []
    if any(word in lowered for word in _NAMES):
        taken = [(n.start, n.end) for n in found]
        for match in _NUMBER_WORDS.finditer(lowered):
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            if match[0] in _SCALES:
                continue  # "1.5 million" is 1.5 in a unit of its own, as data sets have it
            if match[0] == "one" and _is_pronoun(text, match.start(), match.end()):
                continue
            value = _word_value(match[0])
            if value is not None:
                negative = _negative(text, match.start())
                start = match.start() - len(negative[0]) if negative else match.start()
                found.append(
                    Number(
                        start, match.end(), Fraction(-value if negative else value), text[match.start() : match.end()]
                    )
                )
    if not text.isascii():
        for match in _HAN_NUMBER.finditer(text):
            if len(match[0]) == 1 and text[max(0, match.start() - 1) : match.start()] not in _HAN_BEFORE:
                continue  # one sign is more often a part of another word
            value = _han_value(match[0])
            if value is not None:
                found.append(Number(match.start(), match.end(), Fraction(value), match[0]))
    return found


def _fractions(lowered: str) -> list[Number]:
    found = []
    for match in _FRACTION_WORDS.finditer(lowered):
        above = _ONES.get(match["above"] or "a", 1)
        below = _PARTS.get(match["below"] or "half", 2)
        value = Fraction(above, below) + _ONES[match["whole"] or "zero"]
        found.append(Number(match.start(), match.end(), value, match[0]))
    return found


# "one in 3"
_IN_SO_MANY = re.compile(rf" (?:times? |chances? )?(?:in|out of) (?:every )?(?:\d|(?:{_WORD})\b)")
# "one car"
_NOUN_NEXT = re.compile(
    r" (?!of\b|another\b|would\b|can\b|must\b|needs?\b|is\b|has\b|in\b|on\b|with\b|that\b|who\b|which\b|by\b)[a-z]"
)


def _is_pronoun(text: str, start: int, end: int) -> bool:
    """Tell "the smallest one" from "one apple" and "the answer is one"."""
    if end - start == len(text.strip(" .*")):
        return False
    if _IN_SO_MANY.match(text, end):
        return False  # one in four
    return not cue("counting").search(text[max(0, start - 12) : start]) and not _NOUN_NEXT.match(text, end)


def _word_value(phrase: str) -> int | None:
    total = current = 0
    for word in re.split(r"[ -]+", phrase.lower()):
        if word in {"and", "a"}:
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        elif word in _TENS:
            current += _TENS[word]
        elif word in _ONES:
            current += _ONES[word]
        else:
            return None
    return total + current


def _han_value(phrase: str) -> int | None:
    total = current = 0
    if len(phrase) > 8:
        return None
    for sign in phrase:
        if sign in _HAN_TENS:
            total += max(current, 1) * _HAN_TENS[sign]
            current = 0
        else:
            current = _HAN[sign]
    return total + current


def number(text: str) -> Fraction | None:
    r"""Return the value of a text that is one number and nothing else ("-1,234.5", "3/4", "\frac{3}{4}", "seven")."""
    text = text.strip()
    if len(text) > 200:
        return None
    if _BLANK_THOUSANDS.fullmatch(text):
        text = text.replace(" ", "")
    found = numbers(text, words=True)
    if len(found) != 1 or found[0].start != 0 or found[0].end != len(text):
        return None
    return found[0].value


_BLANK_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?")
# "1970 and 1971"
_SEVERAL = re.compile(r"-?\d[\d.]*%?(?:\s?-\s?\d[\d.]*%?|(?:, |,? (?:or|and|to) )-?\d[\d.]*%?)+")


def several(text: str) -> bool:
    """Tell whether a text is a range or several numbers ("10-15", "2 or 3") and nothing else."""
    return len(text) < 200 and _SEVERAL.fullmatch(text) is not None


class Unit(NamedTuple):
    """A unit: what it measures ("L" length, "L2" area, "L3" volume, "M" mass, "T" time, ...) and its size."""

    measures: str
    size: Fraction


def _units() -> dict[str, Unit]:
    found = [e for e in lexicon.entries() if e.role == "unit"]
    table = {name: Unit(str(e.measures), Fraction(str(e.size))) for e in found for name in e.pattern.split()}
    return table | {name.capitalize(): unit for name, unit in table.items() if len(name) > 3 and name.isalpha()}


UNITS = _units()
_UNIT_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
# "cm^2"
_POWERED = (
    rf"(?:(?P<kind>square|sq\.?|cubic|cu\.?)\s*)?(?P<name>{_UNIT_NAMES})\.?"
    r"\s*(?:\^?\s*\{?\s*(?P<power>[23²³])\s*\}?)?"
)
# "square centimeters"
_UNIT = re.compile(rf"{_POWERED}(?:\s*(?:/|per)\s*(?P<per>{_UNIT_NAMES})(?:\s*\^?\{{?(?P<below>[23])\}}?)?)?\.?\s*$")
# "16 英寸"
_HAN_UNIT = re.compile(
    r"(?<=[\d)}\u03c0\u00b0i])\s*[\u4e00-\u9fff]{1,4}$"
)  # "16\\pi 英寸": a unit in Chinese is not looked up
# "12 (units)"
_IN_BRACKETS = re.compile(rf"(?<=[\d}}\u03c0])\s*\((units?|{_UNIT_NAMES})\)$")
# "-$12.50"
_PREFIX = re.compile(r"^\s*(?P<sign>-?)\s*\\?(?P<money>US\$|\$|\u20ac|\u00a3|\u00a5)\s*(?=[\d.(\\-])")
_POWERS = {"2": 2, "²": 2, "3": 3, "³": 3}
_MONEY = {"US$": "money", "$": "money", "\u20ac": "euro", "\u00a3": "pound", "\u00a5": "yuan"}


# "2 hours and 30 minutes"
_COMPOUND = re.compile(rf"(\d{{1,9}}) ?({_UNIT_NAMES}),? (?:and )?(\d{{1,9}}(?:\.\d+)?) ?({_UNIT_NAMES})")


@lru_cache(maxsize=4096)
def split_unit(text: str) -> tuple[str, Unit | None]:
    """Return an answer without its unit, and the unit (None: there is none).

    `text` is free of LaTeX dress ("5 cm^2", "0.5m", "$8", "90\u00b0", "6 square units").
    """
    text = text.strip() if text.isascii() else _HAN_UNIT.sub("", text.strip())
    text = _IN_BRACKETS.sub(r" \1", text) if text.endswith(")") else text
    unit: Unit | None = None
    money = _PREFIX.match(text)
    if money:
        unit = Unit(_MONEY[money["money"]], Fraction(1))
        text = money["sign"] + text[money.end() :]
    compound = _COMPOUND.fullmatch(text)
    if compound:
        larger, smaller = UNITS[compound[2]], UNITS[compound[4]]
        if larger.measures == smaller.measures and larger.size > smaller.size:
            return str(Fraction(compound[1]) * larger.size / smaller.size + Fraction(compound[3])), smaller
    for start in _starts(text):
        match = _UNIT.match(text, start)
        if match is not None:
            return text[:start].rstrip(), _unit(match)
    return text, unit


def _starts(text: str) -> list[int]:
    """Return where a unit may start: after a digit, a bracket or a blank, in the last 40 characters, first to last."""
    found = []
    for i in range(max(1, len(text) - 40), len(text)):
        before, here = text[i - 1], text[i]
        if not (here.isalpha() or here in "°%\u20ac"):
            continue
        if before.isdigit() or before in ")}] \u03c0.²³" or (before.isalpha() and here == "°"):
            found.append(i)
    return found


def _unit(match: re.Match[str]) -> Unit:
    base = UNITS[match["name"]]
    power = _POWERS.get(match["power"], 1)
    if match["kind"]:
        power = 2 if match["kind"].startswith("sq") else 3
    measures, size = base.measures, base.size**power
    if power != 1:
        measures += str(power)
    if match["per"]:
        below = UNITS[match["per"]]
        measures += "/" + below.measures
        size /= below.size ** int(match["below"] or 1)
    return Unit(measures, size)


def unit_ratio(given: Unit | None, gold: Unit | None) -> Fraction:
    """Return by what the given value is multiplied to stand in the gold's unit; 1 where the units do not compare."""
    if given is None or gold is None or given.measures != gold.measures:
        return Fraction(1)
    return given.size / gold.size
