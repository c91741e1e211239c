"""Which number a sentence gives, by what stands before and behind each: a verb, an aside, what was asked."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import variables
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import UNITS, Number, numbers, split_unit
from mmmath_tasks.metrics.answers.records import COMMON, Question, content, names, stem, vocabulary

# What stands before a number: words to look through, verbs that give it, words that only qualify it.
_ADVERBS = vocabulary(
    "about only exactly approximately around roughly also a an the total of just now still number value "
    "therefore thus hence then"
)
_STRONG = vocabulary("is are be equals equal there's that's it's \\approx =")
_GIVES = vocabulary(
    "was were to approximately about around roughly only exactly has have had make makes made of give gives cost costs "
    "with remain remains show shows get gets need needs needed by in spend spends spent pay pays paid earn earns "
    "earned receives a an total there leaves leaving left yields giving contains contain "
    "reads read holds totals find finds found obtain count"
)
_CONDITION = vocabulary(
    "than least most exactly over under exceeds exceed above below when if where per every step day figure fig since "
    "in of age"
)
_BOUNDS = vocabulary("than over above below under exceeds")
_LEADS_TO = vocabulary("rounds rounded simplifies reduces comes amounts evaluates out")
_DATED = vocabulary("in of since by from after before")
# "2x *"
_OPERAND = re.compile(r"(?:[)\dA-Za-z}]\s?[/*\u00d7^]|[)\d}]\s?\+)\s?$")
_OPERATOR = re.compile(r"\s?[+*/\u00d7]\s?[\d(]")
_SIGN = re.compile(r"[=+*/\u00d7\u00f7]")
# " decimal places"
_PRECISION = re.compile(r"\W*(?:significant|decimal|sig\.? ?fig|d\.? ?p\b)")
_WORD = re.compile(r"[\s{\\]*([A-Za-z%\u00b0]+)")


class _Place(NamedTuple):
    """A number in its sentence: the words before it, the last of them, the text behind it, all in lower case."""

    text: str
    number: Number
    words: list[str]
    last: str
    after: str
    asked: Question


def weights(text: str, found: list[Number], asked: Question) -> list[float]:
    """Return for each number of a sentence how much speaks for it: at most about 10, below -2 where little does."""
    asides = [m.start() for m in cue("aside of a number").finditer(text) if m.start() > min(3, found[0].start)]
    equals, broken_down = text.rfind("="), _breakdown(text, found)
    result = []
    for n, elsewhere in zip(found, _elsewhere(text, found, asked), strict=True):
        words = text[max(0, n.start - 40) : n.start].lower().rstrip(" $*\"'(").split()
        place = _Place(text, n, words, words[-1] if words else "", text[n.end : n.end + 60].lower(), asked)
        weight = sum((rule(place) for rule in _EACH_WEIGHS), 0.0)
        aside = any(a < n.start for a in asides) or text.rfind("(", 0, n.start) > text.rfind(")", 0, n.start)
        weight -= aside + 1.5 * elsewhere + 3 * (0 <= broken_down < n.start)
        result.append(weight + 0.5 * (0 < equals < n.start))
    return result


def _elsewhere(text: str, found: list[Number], asked: Question) -> list[bool]:
    """Tell for each number whether another number's clause says more of the question: "20 like it; 80 do not"."""
    ends = [m.end() for m in cue("clause of a number").finditer(text)] if len(found) > 1 else []
    if not ends:
        return [False] * len(found)
    said = [len(asked.words & content(text[a:b])) for a, b in pairwise([0, *ends, len(text)])]
    here = [said[bisect(ends, n.start)] for n in found]
    return [share + 1 < max(here) for share in here]


def _breakdown(text: str, found: list[Number]) -> int:
    """Return where a total is broken down, "10 objects: 1 cylinder, 5 spheres, 4 cubes"; -1 where none is."""
    colon = text.find(": ", found[0].end)
    named = re.search(r"[a-z]{3}", text[found[0].end : colon]) and not re.search(r"[:;=]", text[:colon])
    return colon if named and sum(n.start > colon for n in found) > 1 and "=" not in text[colon:] else -1


def in_years(number: Number) -> bool:
    """Tell whether a number may be a year."""
    return 1900 <= number.value < 2100


def _bounded(words: list[str], asked: Question) -> bool:
    """Tell whether the number behind some words is a bound ("more than", "at least", ">") and no value."""
    if not words or cue("extreme").search(asked.text):
        return False  # it is asked for
    return words[-1][-1] in "<>\u2264\u2265" or words[-1] in _BOUNDS or words[-2:] in (["at", "least"], ["at", "most"])


def _verb(here: _Place) -> float:
    """Weigh what gives the number: "is" and "=" more than other verbs."""
    for word in here.words[:-5:-1]:
        if word.rstrip(":") in _STRONG or word[-1] in "=\u2248\u662f\u4e3a":
            return 2.0
        if word not in _ADVERBS:
            return 1.0 * (word in _GIVES)
    return 0.0


def _operand(here: _Place) -> float:
    """Weigh a part of a calculation whose result stands elsewhere."""
    operand = _OPERAND.search(here.text[max(0, here.number.start - 4) : here.number.start])
    return -4.0 if operand or _OPERATOR.match(here.after) else 0.0


def _result(here: _Place) -> float:
    """Weigh what a calculation leads to: "rounded to", "which makes the diameter 12", "12 is the largest"."""
    if here.last == "to" and _PRECISION.match(here.after) and "decimal" not in here.asked.counted:
        return -5.0  # "to two significant figures"
    weight = 2.5 * (here.last in {"to", "at"} and not _LEADS_TO.isdisjoint(here.words[-2:-1]))
    weight += 0.7 * (here.last not in _DATED and stem(here.last) in here.asked.core)
    return weight + 4 * bool(cue("is extreme").match(here.after))


def _condition(here: _Place) -> float:
    """Weigh a bound, the setting of a variable, what stands behind "when", and "of the 5", "the two people"."""
    setting = cue("setting").search(here.text[max(0, here.number.start - 20) : here.number.start])
    if setting:
        # "where"
        wanted = re.search(rf"\bwhen\b|\bwhere\b|(?<![(\w]){setting[1]}(?!\w)", here.asked.text)
        return 1.0 if wanted else -2.5
    if _bounded(here.words, here.asked):
        return -2.5
    if here.words[-2:] == ["of", "the"]:
        return -5.0
    rate = cue("rate").match(here.after) and " per " not in here.asked.text
    worded = here.last == "the" and not here.number.text[:1].isdigit()
    return -1.5 * bool(rate) - 0.7 * (here.last in _CONDITION) - 2 * worded


def _total(here: _Place) -> float:
    """Weigh a total, which is not what is asked of each, and "the number of books of 5"."""
    if ("total" in here.words[-3:] and here.last in {"of", "total", "is"}) or cue("in all").match(here.after):
        return -1.5 if cue("each").search(here.asked.text) else 1.5
    return 3.0 * (here.last == "of" and not here.asked.words.isdisjoint(map(stem, here.words[-2:-1])))


def _asked(here: _Place) -> float:
    """Weigh the number, its unit and the nouns behind it against what the question gives and asks for."""
    number, asked = here.number, here.asked
    weight = -2.0 * (number.value in asked.values)
    if asked.year:
        weight += 2.0 if in_years(number) else -1.0
    elif in_years(number) and here.last in _DATED:
        weight -= 2.5
    word = _WORD.match(here.after)
    unit = UNITS.get(word[1]) if word else None
    if unit is not None and unit in map(UNITS.get, [asked.unit] if asked.unit else asked.text.split()[-8:]):
        weight += 1.0
    elif asked.unit:
        weight -= 0.5
    after = _SIGN.split(here.after, maxsplit=1)[0]  # beyond it are another number's words
    follows = [stem(w) for w in re.findall(r"[\w'-]+", after)[:4] if w not in COMMON] if asked.counted else []
    same = sum(a == b for a, b in zip(follows, asked.counted, strict=False))
    return weight + (1.0 + min(same, 1.5) if same else 1.5 * (not set(asked.counted).isdisjoint(follows[:3])))


_EACH_WEIGHS = (_verb, _operand, _result, _condition, _total, _asked)


# "1, 2, 3, 5"
_LISTED = re.compile(r"(?:[^\d\n]{0,3}-?[$]?\d[\d.,]*,){3,}[^\d\n]{0,5}\d")
# " to $"
_RANGE = re.compile(r"^\s?%?\s*(?:-|to|~|\u2013)\s*[$]?$")
# "250 +/- 5"
_PLUS_MINUS = re.compile(r"\s?(?:[a-z\u00b0%$]{1,6}\s?)?(?:\u00b1|\\pm(?![a-z])|\+ ?/ ?-)\s?[$]?\d")
# "$7 thousand"
_SCALED = re.compile(rf"\s?({'|'.join(lexicon.values('scale'))})\b(?! of\b)", re.I)
_CENTS = re.compile(r"\s?(?:cents?|\u00a2)\b")
# "12 kg m", "0.21 N/C"
_WITH_UNIT = re.compile(r"(?<![\\A-Za-z])(?!sin|cos|tan|log|ln|pi\b|sqrt)[A-Za-z]{2}|^[\d.]+ [A-Z](?:/[A-Z])?$")
_THOUSANDS = re.compile(r"\s?[1-9]\d{0,2} \d{3}[.!\s]*$")
# "1. Read the scale"
_LIST_MARK = re.compile(r"^[\s*#]*\d{1,2}[.)]\s+(?=[A-Z])")


class Pick(NamedTuple):
    """The number that a sentence gives: its value (None: a range or a bound, no single number) and a weight."""

    value: Fraction | None
    text: str
    weight: float


def pick(text: str, asked: Question, announced: bool = False) -> Pick | None:
    """Choose the number that a sentence gives: behind its verb, before its asides, nearest to what was asked."""
    text = text.replace("**", "").replace("\\$", "$").replace("\\%", "%")
    text = _LIST_MARK.sub("", cue("reason first").sub("", text))
    shares = asked.share or "percent" in asked.text
    found = [n for n in numbers(text, words=True) if shares or n.text.lower() != "half"]
    if not found:
        return Pick(Fraction(0), "0", 1.0) if none_of(text, asked) else None
    for link in [m for m in cue("so").finditer(text) if m.end() < found[-1].start][-1:]:
        before, clause = text[: link.end()], text[link.end() :]
        if concludes(clause, before, asked):
            said = pick(clause, asked, announced)
            if said is not None:
                return said._replace(weight=max(said.weight, 2.0 * (undress(clause) == said.text)))
        else:
            said = pick(text[: link.start()], asked, announced)
            if said is not None and said.value is not None and said.weight >= 1:
                return said
    weighed = weights(text, found, asked)
    weighed[0] += 2 * announced
    weight, i = max(zip(weighed, range(len(found)), strict=True))
    if "=" in text[: found[i].start] and _formula(text.rpartition("=")[2]):
        return None  # "F = k q / r^2": no value
    if weight <= -2 and none_of(text, asked):
        return Pick(Fraction(0), "0", 1.0)
    here = _Chosen(text, found, i, weight, asked, announced)
    return _of_two(here) or _several(here) or _size(here) or here.pick(found[i].value, found[i].text)


class _Chosen(NamedTuple):
    """The number that weighs most, among the others of its sentence."""

    text: str
    found: list[Number]
    at: int
    weight: float
    asked: Question
    announced: bool

    @property
    def number(self) -> Number:
        return self.found[self.at]

    def pairs(self) -> Iterator[tuple[Number, Number, str]]:
        """Go through the number with the one before it and the one behind it, and what stands between the two."""
        for a, b in pairwise(self.found[max(0, self.at - 1) : self.at + 2]):
            yield a, b, self.text[a.end : b.start]

    def pick(self, value: Fraction | None, text: str) -> Pick:
        return Pick(value, text, self.weight)

    def through(self, value: Fraction | None, a: Number, b: Number) -> Pick:
        return self.pick(value, self.text[a.start : b.end])


def _of_two(here: _Chosen) -> Pick | None:
    """Read a number and its neighbour: "3 of the 12" and "3 to 2" as a share, "3:2", "3-5", "3 or 5", "1/4 = 25%"."""
    text, asked = here.text, here.asked
    share, percent = asked.share, "percent" in asked.text or "%" in asked.text
    colon = {":", ": ", " : "} if share or cue("asks for a share").search(text) else {":"}
    for a, b, between in here.pairs():
        if b.value and (share or (percent and here.number.text[:1].isalpha())) and cue("out of").match(between):
            return here.through(a.value / b.value * (1 if share else 100), a, b)  # "one in four"
        # A number's start may be that of its sign or currency.
        if b.value and ((share and between.strip() == "to") or text[a.end : b.end - len(b.text)] in colon):
            return here.through(a.value / b.value, a, b)._replace(weight=max(here.weight, 2.0 if share else -9))
        if _RANGE.match(between) or (between.strip(" $%") == "and" and cue("between").search(text[: a.start])):
            return here.through(None, a, b)  # "between 3 and 5", "3-5"
        if text[b.end : b.end + 1] == "%" and a.value * 100 == b.value and not (percent and here.number is b):
            return here.pick(b.value, b.text) if percent else here.pick(a.value, a.text)
        if a.value != b.value and cue("or a number").match(between):
            cents, whole = (a, b) if a.value > b.value else (b, a)
            if not (cents.value == 100 * whole.value and _CENTS.match(text, cents.end)):
                return here.pick(None, f"{a.text} or {b.text}")
            said = cents if "cent" in asked.unit else whole
            return here.pick(said.value, said.text)
    return None


def _several(here: _Chosen) -> Pick | None:
    """Read what is no single number: a tolerance, a bound, years, a long list."""
    text, number = here.text, here.number
    tolerance = _PLUS_MINUS.match(text, number.end)
    if tolerance:
        return here.pick(None, text[number.start : tolerance.end()])
    start = max(0, number.start - 40)
    fresh = [n for n in here.found if n is number or n.value not in here.asked.values]
    if len(fresh) == 1 and _bounded(text[start : number.start].lower().rstrip(" $").split(), here.asked):
        return here.pick(None, text[start : number.end])  # "more than 5"
    years = here.asked.counted and in_years(number) and sum(map(in_years, here.found)) > 1
    lists = _LISTED.finditer(text) if len(here.found) > 3 and not here.announced else ()
    if years or any(m.start() <= number.start < m.end() for m in lists):
        return here.through(None, here.found[0], here.found[-1])
    return None


def _size(here: _Chosen) -> Pick | None:
    """Read "half of it" as 50 percent, "25%" as a share, "1.5 thousand", "34 426", and "fell by 5" as a change."""
    text, number, asked = here.text, here.number, here.asked
    if ("percent" in asked.text or "%" in asked.text) and number.text[:1].isalpha() and 0 < number.value < 1:
        return here.pick(number.value * 100, number.text)
    if asked.share and text[number.end : number.end + 1] == "%":
        return here.pick(number.value / 100, number.text)
    scale = _SCALED.match(text, number.end)
    if scale and asked.whole and scale[1].lower() not in asked.text:
        return here.pick(number.value * lexicon.values("scale")[scale[1].lower()], text[number.start : scale.end()])
    if _THOUSANDS.match(text, number.start) and number is not here.found[-1]:
        second = here.found[here.at + 1]
        return here.through(number.value * 1000 + second.value, number, second)
    if asked.change and cue("falling").search(text[max(0, number.start - 40) : number.start]):
        return here.pick(-number.value, f"-{number.text}")
    return None


def concludes(clause: str, before: str, asked: Question) -> bool:
    """Tell a conclusion, "..., so Mia gets 6", from a consequence: "there are 24 children, so each table gets 6".

    It is a consequence where all that is asked for stands before it, and the clause speaks of something else.
    """
    if not (asked.core <= content(before) and asked.named <= names(before)):
        return True
    return not content(clause) - asked.words - _LIGHT


_LIGHT = vocabulary(
    "about approximat approximately approx roughly around exactly only just total get must equal valu sid mak giv leav "
    "she he they"
)


def _formula(text: str) -> bool:
    """Tell whether a side of an equation is a formula with variables, whose value is not given."""
    bare = undress(text)
    node = None if _WITH_UNIT.search(bare) else parse(split_unit(bare)[0])
    return node is not None and bool(variables(node))


def none_of(text: str, asked: Question) -> bool:
    """Tell whether a sentence says that there are none of what is counted."""
    match = cue("none of a thing").search(text) if asked.counted else None
    noun = next(filter(None, match.groups()), None) if match else None
    return match is not None and (noun is None or stem(noun.lower()) in asked.words)
