"""Numbers in text, with or without units: digits, fractions, powers of ten, percent, money, and words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.lexicon import cue

# "2\frac{3}{4}"
_TEX_FRACTION = re.compile(
    r"(-?)\s?(\d{0,9})\s?\\[dtc]?frac\s?(?:\{\s*(-?\d{1,30})\s*\}\s?\{\s*(\d{1,30})\s*\}|(\d)\s?(\d))"
)
# "-$1,234.56"; an exponent, the "2" of cm^2, is none
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_.^\u0370-\u03ff])(?<!\^\{)(?<!\^\{-)(?:(?<![\d)\]}])-\s?)?[$\u20ac\u00a3\u00a5]?\s?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+(?![\d,]\d)|\d{1,60}(?:\{,\}\d{3})*(?!\d))?(?P<part>\.\d{1,60}(?!\d))?(?<=\d)(?!\.\d)"
    # "the 21st", "3D", "the 1990s"
    r"(?!(?i:st|nd|rd|th|d|(?:(?<=1[5-9]\d0)|(?<=20\d0))s)(?![A-Za-z]))"
)
# What may stand behind the digits of a number: "/4", " 1/2", "^{10}", "²", " x 10^4", " dollars and 50 cents".
_BEHIND = re.compile(
    r"\s?/\s?(?P<below>0*[1-9]\d{0,19})(?![\d.]*[/\d])| (?P<proper>\d{1,3}/[1-9]\d{0,2})(?![\d/.])"
    r"|(?:\^\{?|(?=[\u00b9\u00b2\u00b3\u2074-\u2079]))(?P<power>-?[1-9]\d?|[\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})"
    r"\}?(?![\w^])|(?:[eE](?![+-]?\d+[A-Za-z_.])|\s?(?:\\times|x|\u00d7|\*)\s?10\s?\^\s?\{?)(?P<tens>[+-]?\d{1,3})\}?"
    r"|(?i: dollars?(?: and|,) (?P<cents>\d{1,2}) cents?\b)"
)
_BLANK_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?")
# "1970 and 1971"
_SEVERAL = re.compile(r"[\[(]?-?\d[\d.]*%?(?:\s?-\s?\d[\d.]*%?|(?:, |,? (?:or|and|to) )-?\d[\d.]*%?)+[\])]?")


class Number(NamedTuple):
    """A number in a text: where it stands, its value, and how it was written."""

    start: int
    end: int
    value: Fraction
    text: str


@lru_cache(maxsize=2048)
def numbers(text: str, words: bool = False) -> tuple[Number, ...]:
    """Return the numbers of a text in order, those in English or Chinese words too where asked.

    Numbers that are part of a name (x2, A1), of a longer number or of an ordinal (1st) do not count.
    """
    text = text.replace("\\approx", "\\appro\u2248")  # what stands behind a letter is part of a name
    found: list[Number] = []
    taken = bytearray(len(text))
    for kind in (_tex_fractions, _in_digits, *((_in_words, _in_signs) if words else ())):
        for number in kind(text):
            if not any(taken[number.start : number.end]):
                taken[number.start : number.end] = b"\1" * (number.end - number.start)
                found.append(number)
    return tuple(sorted(found))


def _tex_fractions(text: str) -> Iterator[Number]:
    for match in _TEX_FRACTION.finditer(text) if "frac" in text else ():
        above, below = int(match[3] or match[5]), int(match[4] or match[6])
        if below:
            value = Fraction(above, below) + int(match[2] or 0)
            yield Number(*match.span(), -value if match[1] else value, match[0].strip())


def _in_digits(text: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        digits, whole = (match["whole"] or "0").replace(",", "").replace("{}", ""), match["part"] is None
        value = Fraction(int(digits) if whole else digits + match["part"])
        behind = _BEHIND.match(text, end)
        kind = str(behind.lastgroup) if behind else ""
        said = behind[kind] if behind else ""
        together = None
        match kind:
            case "below" if whole:
                together = value / int(said)
            case "proper" if whole and Fraction(said) < 1:
                together = value + Fraction(said)
            case "power" if 0 < value < 1_000:
                together = value ** int(unicodedata.normalize("NFKC", said))
            case "tens":
                together = value * Fraction(10) ** int(said)
            case "cents":
                together = value + Fraction(int(said), 100)
        if behind and together is not None:
            value, end = together, behind.end()
        yield _signed(text, start, end, value)


def _signed(text: str, start: int, end: int, value: Fraction) -> Number:
    """Return a number with its sign, or the "minus" or "negative" that stands before it."""
    written = text[start:end].strip()
    if written.startswith("-"):
        return Number(start, end, -value, written)
    before = text[max(0, start - 24) : start]
    worded = before.rstrip().lower().endswith(("minus", "negative"))
    negative = cue("negative before").search(before) if worded else None
    if negative is None:
        return Number(start, end, value, written)
    return Number(start - len(negative[0]), end, -value, f"-{written}")


_ONES, _SCALES, _PARTS = lexicon.values("ones"), lexicon.values("scale"), lexicon.values("part")
_VALUES = {**_ONES, **lexicon.values("tens")}
_NAMES_OF_NUMBERS = (*_VALUES, *_SCALES)
_WORD = "|".join(_NAMES_OF_NUMBERS)
_HAN, _HAN_TENS = lexicon.values("han"), lexicon.values("han_scale")
_SIGN = f"[{''.join((*_HAN, *_HAN_TENS))}]"
# "二十五"; one sign is more often a part of another word.
_HAN_NUMBER = re.compile(rf"{_SIGN}{{2,8}}|(?<=[\u662f\u4e3a\u6709\u5269\u4e0b\u5171\u5f97:= ]){_SIGN}")
# "a hundred and twenty-five", but not "one of them"
_NUMBER_WORDS = re.compile(
    r"\b(?!one (?:of|from|another|would|can|must|needs?|is|has)\b)"
    rf"(?:a (?=hundred|thousand|million|billion))?(?:{_WORD})(?:(?:[ -]|(?: and ))(?:{_WORD}))*\b"
)
# "the smallest one"
_PRONOUN = re.compile(r"\b(?:the|this|that|which|each|every|another|no)(?: [a-z]+)? one$", re.I)
# "three quarters", "one-third", "two and a half"; "a third person" and "a quarter past" are none.
_FRACTION_WORDS = re.compile(
    rf"\b(?:(?:(?P<whole>{'|'.join(_ONES)}) and )?(?P<above>{'|'.join(_ONES)}|an?)[ -]"
    rf"(?P<below>{'|'.join(_PARTS)}|halve)s?|(?P<half>half)(?= of\b))"
    r"\b(?! (?:past|to|after|before|person|time|one|place|grade|row|column)\b)",
)


def _in_words(text: str) -> Iterator[Number]:
    lowered = text.lower() if len(text.lower()) == len(text) else text
    if any(map(lowered.__contains__, _PARTS)) or "halve" in lowered:
        for match in _FRACTION_WORDS.finditer(lowered):
            value = Fraction(_ONES.get(match["above"], 1), _PARTS.get(match["below"], 2))
            yield Number(*match.span(), value + _ONES.get(match["whole"], 0), match[0])
    if any(map(lowered.__contains__, _NAMES_OF_NUMBERS)):
        for match in _NUMBER_WORDS.finditer(lowered):
            # "1.5 million" is 1.5 in a unit of its own, as data sets have it
            if match[0] not in _SCALES and not (match[0] == "one" and _PRONOUN.search(text[: match.end()])):
                yield _signed(text, *match.span(), Fraction(_word_value(match[0])))


def _word_value(phrase: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]+", phrase):
        if word not in _SCALES:
            current += _VALUES.get(word, 0)  # "a", "and"
        elif word == "hundred":
            current = max(current, 1) * 100
        else:
            total, current = total + max(current, 1) * _SCALES[word], 0
    return total + current


def _in_signs(text: str) -> Iterator[Number]:
    for match in () if text.isascii() else _HAN_NUMBER.finditer(text):
        total = current = 0
        for sign in match[0]:
            if sign in _HAN_TENS:
                total, current = total + max(current, 1) * _HAN_TENS[sign], 0
            else:
                current = _HAN[sign]
        yield Number(*match.span(), Fraction(total + current), match[0])


def number(text: str) -> Fraction | None:
    r"""Return the value of a text that is one number and nothing else ("-1,234.5", "3/4", "\frac{3}{4}", "seven")."""
    text = text.strip()
    if text.isdigit() and text.isascii() and len(text) < 60:
        return Fraction(int(text))
    if " " in text and _BLANK_THOUSANDS.fullmatch(text):
        text = text.replace(" ", "")
    found = numbers(text, words=True) if len(text) <= 200 else ()
    return found[0].value if len(found) == 1 and found[0][:2] == (0, len(text)) else None


def several(text: str) -> bool:
    """Tell whether a text is a range or several numbers ("10-15", "2 or 3", "[1, 2]") and nothing else."""
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
_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))


# "3,5"; "12,500" are thousands
_DECIMAL_COMMA = re.compile(r"(?<![\d,])\d{1,9},(?:\d{1,2}|\d{4,9})(?![\d,]|\.\d)")
_COMMA_IN_BRACKETS = re.compile(r"[(\[{][^)\]}]*,")


def decimal_points(text: str) -> str:
    """Write decimal commas as points where every comma of a text is one, and none stands in brackets."""
    said = _DECIMAL_COMMA.sub(_pointed, text) if "," in text and not _COMMA_IN_BRACKETS.search(text) else text
    return text if "," in said else said


def _pointed(match: re.Match[str]) -> str:
    return match[0].replace(",", ".")


# "(3,4)", "\left(3,4\right)", "1,2,3", "2, 3": commas that divide values
_NO_DECIMALS = re.compile(
    r"\d\.\d|\d,\d+,\d|\d, \d|(?<![a-z])[({\[]-?\d+,-?\d+[)}\]]|\\left\s*[(\[]|(?<!\\)\[[^\[\]\n]{1,80},"
)
# "≈ 113,097"
_ROUNDED = re.compile(r"(?<=\u2248)\s?\d{1,4},\d{3}(?![\d,])")
# "3,5 cm"
_MEASURED = re.compile(rf"\d,(?:\d{{1,2}}|\d{{4,9}})\s?(?:{_NAMES})(?![A-Za-z])")
_GROUPED = re.compile(r"(?<![\d.])(\d{1,3})[. ](\d{3}),(?=\d)")  # "2.827,43"


def with_points(text: str, sure: bool, foreign: bool) -> str:
    """Return a response with its decimal commas as points where no comma or point in it divides anything else.

    `sure`: the answer is a decimal; `foreign`: the text is in a language that writes decimal commas; else a unit must
    stand behind one.
    """
    if "," not in text or not re.search(r"\d,\d", text):
        return text
    said = _GROUPED.sub(r"\1\2,", text)
    if _NO_DECIMALS.search(said) or not (sure or foreign or _MEASURED.search(said)):
        return text
    return _DECIMAL_COMMA.sub(_pointed, _ROUNDED.sub(_pointed, said) if foreign else said)


# "5 cm^2", "90° "; it stands behind a digit, a bracket or a blank.
_UNIT = re.compile(
    rf"(?:(?<=[\d)}}\] \u03c0.²³])|(?<=[A-Za-z])(?=°))(?P<open>(?:(?<=[\d}}\u03c0])|(?<=[\d}}\u03c0] ))\()?"
    rf"(?:(?P<kind>square|sq\.?|cubic|cu\.?)\s*)?(?P<name>{_NAMES})\.?\s*(?:\^?\s*\{{?\s*(?P<power>[23²³])\s*\}}?)?"
    rf"(?:\s*(?:/|per)\s*(?P<per>{_NAMES})(?:\s*\^?\{{?(?P<below>[23])\}}?)?)?(?(open)\))\.?\s*$"
)
# "16 英寸": a unit in Chinese or Russian is not looked up
_HAN_UNIT = re.compile(
    r"(?<=[\d)}\u03c0\u00b0i])\s*(?:[\u4e00-\u9fff]{1,4}|(?:[\u0400-\u04ff]{1,6}\.?\s?){1,2}[\u00b2\u00b3]?)$"
)
# "-$12.50"
_MONEY = re.compile(r"(-?)\s*\\?(US\$|USD ?|EUR ?|\$|\u20ac|\u00a3|\u00a5)\s*(?=[\d.(\\-])")
_CURRENCIES = {"EUR": "euro", "\u20ac": "euro", "\u00a3": "pound", "\u00a5": "yuan"}
# "2 hours and 30 minutes"
COMPOUND = re.compile(rf"(\d{{1,9}}) ?({_NAMES}),? (?:and )?(\d{{1,9}}(?:\.\d+)?) ?({_NAMES})")


@lru_cache(maxsize=4096)
def split_unit(text: str) -> tuple[str, Unit | None]:
    """Return an answer without its unit, and the unit (None: there is none).

    `text` is free of LaTeX dress ("5 cm^2", "0.5m", "$8", "90\u00b0", "6 square units").
    """
    text = text.strip() if text.isascii() else _HAN_UNIT.sub("", text.strip())
    unit: Unit | None = None
    if money := _MONEY.match(text):
        unit = Unit(_CURRENCIES.get(money[2].strip(), "money"), Fraction(1))
        text = money[1] + text[money.end() :]
    if compound := COMPOUND.fullmatch(text):
        larger, smaller = UNITS[compound[2]], UNITS[compound[4]]
        if larger.measures == smaller.measures and larger.size > smaller.size:
            return str(Fraction(compound[1]) * larger.size / smaller.size + Fraction(compound[3])), smaller
    match = _UNIT.search(text, max(1, len(text) - 40))
    return (text[: match.start()].rstrip(), _unit(match)) if match else (text, unit)


def _unit(match: re.Match[str]) -> Unit:
    base = UNITS[match["name"]]
    power = {"": 1, "s": 2, "2": 2, "\u00b2": 2}.get((match["kind"] or match["power"] or "")[:1], 3)
    measures, size = base.measures + (str(power) if power > 1 else ""), base.size**power
    if match["per"]:
        below = UNITS[match["per"]]
        measures, size = f"{measures}/{below.measures}", size / below.size ** int(match["below"] or 1)
    return Unit(measures, size)


def unit_ratio(given: Unit | None, gold: Unit | None) -> Fraction:
    """Return by what the given value is multiplied to stand in the gold's unit; 1 where the units do not compare."""
    if given is None or gold is None or given.measures != gold.measures:
        return Fraction(1)
    return given.size / gold.size
