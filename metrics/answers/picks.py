"""Which number a sentence gives: behind its verb, before its asides, nearest to what was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon, units
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import variables
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import Number, numbers
from mmmath_tasks.metrics.answers.question import Question, content, names, stem, vocabulary
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.weights import bounded, in_years, weights

# "1, 2, 3, 5"
_LISTED = re.compile(r"(?:[^\d\n]{0,3}-?[$]?\d[\d.,]*,){3,}[^\d\n]{0,5}\d")
# " to $"
_RANGE = re.compile(r"^\s?%?\s*(?:-|to|~|\u2013)\s*[$]?$")
# "250 +/- 5"
_PLUS_MINUS = re.compile(r"\s?(?:[a-z\u00b0%$]{1,6}\s?)?(?:\u00b1|\\pm(?![a-z])|\+ ?/ ?-)\s?[$]?\d")
# "$7 thousand"
_SCALED = re.compile(rf"\s?({'|'.join(lexicon.values('scale'))})\b(?! of\b)", re.I)
_CENTS = re.compile(r"\s?(?:cents?|\u00a2)\b")
_RESULTS = ("which makes", "which gives", "which leaves", "which yields")
# "3.2 x 10^4 cm"
_WITH_UNIT = re.compile(
    r"\s*-?[\d.,]+(?:\s?(?:\\times|x|\u00d7)\s?10\^\{?-?\d+\}?)?\s*\\?[A-Za-z]*(?:[A-Z]|[a-z]{2}|/)\S{0,12}[\s.$]*"
)
# "12 cm"
_TWO_LETTERS = re.compile(r"(?<![\\A-Za-z])(?!sin|cos|tan|log|ln|pi\b|sqrt)[A-Za-z]{2}")
_THOUSANDS = re.compile(r"\s?[1-9]\d{0,2} \d{3}[.!\s]*$")
# "3 + 4 = 7"
_WORKED = re.compile(
    r"(?:(?:\s?[a-z\u00b0%]{1,6})?\s?(?:[-+*/x\u00d7\u00f7\u00b7]|\\times|\\cdot)\s?[$(]?\d[\d.,]*\)?)+[a-z\u00b0%]{0,6}\s?=\s?"
)
# "1. Read the scale"
_LIST_MARK = re.compile(r"[\s*#]*\d{1,2}[.)]\s+(?=[A-Z])")
_AND_THEN = re.compile(r" ((?:[a-z-]+ ){1,4})and ")
_NOUNS = re.compile(r" ((?:[a-z-]+[ .]?){1,4})")


class Pick(NamedTuple):
    """The number that a sentence gives: its value (None: a range or a bound, no single number) and a weight."""

    value: Fraction | None
    text: str
    weight: float


def pick(text: str, asked: Question, announced: bool = False) -> Pick | None:
    """Choose the number that a sentence gives: behind its verb, before its asides, nearest to what was asked."""
    text = text.replace("**", "").replace("\\$", "$").replace("\\%", "%")
    mark = _LIST_MARK.match(text)
    shares = asked.share or "percent" in asked.text
    begin = mark.end() if mark else 0
    found = [n for n in numbers(text, words=True) if n.start >= begin and (shares or n.text.lower() != "half")]
    if not found:
        return Pick(Fraction(0), "0", 1.0) if asked.counted and none_of(text, asked) else None
    links = [m for m in cue("so").finditer(text) if m.end() < found[-1].start]
    if links:
        before, clause = text[: links[-1].end()], text[links[-1].end() :]
        if concludes(clause, before, asked):
            said = pick(clause, asked, announced)
            if said is not None and (said.value is None or said.weight > -2):
                return said if said.value is not None else said._replace(weight=max(said.weight, 0.0))
        else:
            said = pick(text[: links[-1].start()], asked, announced)
            if said is not None and said.value is not None and said.weight >= 1:
                return said
    weighed = weights(text, found, asked)
    weighed[0] += 2 * announced
    weight, i = max(zip(weighed, range(len(found)), strict=True))
    equals = text.rfind("=")
    if 0 < equals < found[i].start and _formula(text[equals + 1 :]):
        return None  # "F = k q / r^2": no value
    worked = _WORKED.match(text, found[i].end)
    if worked:  # "3 x 9 = 27"
        i = next((j for j, n in enumerate(found) if n.end > worked.end()), i)
    if weight <= -2 and asked.counted and none_of(text, asked):
        return Pick(Fraction(0), "0", 1.0)
    here = _Chosen(text, found, i, weight, asked, announced)
    return next((said for rule in _RULES if (said := rule(here)) is not None), here.pick(found[i].value, found[i].text))


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

    def next(self) -> Number | None:
        return self.found[self.at + 1] if self.at + 1 < len(self.found) else None

    def pick(self, value: Fraction | None, text: str) -> Pick:
        return Pick(value, text, self.weight)

    def through(self, value: Fraction | None, a: Number, b: Number) -> Pick:
        return self.pick(value, self.text[a.start : b.end])


def _out_of(here: _Chosen) -> Pick | None:
    """Read "3 of the 12" where a share is asked for."""
    percent = "percent" in here.asked.text and here.number.text[:1].isalpha()  # "one in four"
    for a, b, between in here.pairs():
        if (here.asked.share or percent) and b.value and cue("out of").match(between):
            return here.through(a.value / b.value * (100 if percent else 1), a, b)
    return None


def _ratio(here: _Chosen) -> Pick | None:
    """Read "3 to 2" where a share is asked for, and "3:2"."""
    for a, b, between in here.pairs():
        if here.asked.share and between.strip() == "to" and b.value:
            return here.through(a.value / b.value, a, b)
    colon = {":", ": ", " : "} if here.asked.share or "ratio" in here.text else {":"}
    for a, b, _ in here.pairs():
        # a number's start may be that of its sign or currency
        if b.value and here.text[a.end : b.end - len(b.text)] in colon:
            return here.through(a.value / b.value, a, b)
    return None


def _range(here: _Chosen) -> Pick | None:
    """Read "between 3 and 5", "3 to 5" and "3-5": no single number."""
    for a, b, between in here.pairs():
        if between.strip(" $%") == "and" and cue("between").search(here.text[: a.start]):
            return here.through(None, a, b)
    for a, b, between in here.pairs():
        if _RANGE.match(between):
            return here.through(None, a, b)
    return None


def _tolerance(here: _Chosen) -> Pick | None:
    """Read "5 \u00b1 0.5": no single number."""
    match = _PLUS_MINUS.match(here.text, here.number.end)
    return here.pick(None, here.text[here.number.start : match.end()]) if match else None


def _scale(here: _Chosen) -> Pick | None:
    """Read "1.5 thousand" as 1500 where a whole number is asked for; where a decimal is, it counts in thousands."""
    match = _SCALED.match(here.text, here.number.end)
    if (
        match is None
        or not here.asked.whole
        or not here.number.text[-1:].isdigit()
        or match[1].lower() in here.asked.text
    ):
        return None
    return here.pick(
        here.number.value * lexicon.values("scale")[match[1].lower()], here.text[here.number.start : match.end()]
    )


def _bound(here: _Chosen) -> Pick | None:
    """Read "more than 5", the only number that the question does not give."""
    start = max(0, here.number.start - 40)
    fresh = [n for n in here.found if n is here.number or n.value not in here.asked.values]
    if len(fresh) == 1 and bounded(here.text[start : here.number.start].lower().rstrip(" $").split(), here.asked):
        return here.pick(None, here.text[start : here.number.end])
    return None


def _years(here: _Chosen) -> Pick | None:
    """Read which years, where it is asked how many."""
    if here.asked.counted and in_years(here.number) and sum(map(in_years, here.found)) > 1:
        return here.through(None, here.found[0], here.found[-1])
    return None


def _two_things(here: _Chosen) -> Pick | None:
    """Read "four toy cars and one small bus" where what is counted is neither, or both: no single number."""
    first, second = here.number, here.next()
    if second is None or not here.asked.counted:
        return None
    between = _AND_THEN.fullmatch(here.text[first.end : second.start])
    behind = _NOUNS.match(here.text, second.end)
    if not between or not behind or between[1] in units.UNITS:
        return None
    a, b = ({stem(w) for w in words.lower().split()} for words in (between[1], behind[1]))
    return here.through(None, first, second) if not (a | b) & here.asked.words else None


def _either(here: _Chosen) -> Pick | None:
    """Read "3 or 5": no single number; of "75 cents, or $0.75" the one in the question's unit."""
    for a, b, between in here.pairs():
        if a.value == b.value or _percent_of(here.text, a, b) or not cue("or a number").match(between):
            continue
        cents, whole = (a, b) if a.value == 100 * b.value else (b, a)
        if cents.value == 100 * whole.value and _CENTS.match(here.text, cents.end):
            same = cents if "cent" in here.asked.unit else whole
            return here.pick(same.value, same.text)
        return here.pick(None, f"{a.text} or {b.text}")
    return None


def _enumeration(here: _Chosen) -> Pick | None:
    """Read one of many numbers behind each other: no single number."""
    listed = [m.span() for m in _LISTED.finditer(here.text)] if len(here.found) > 3 and not here.announced else []
    if any(start <= here.number.start < end for start, end in listed):
        return here.through(None, here.found[0], here.found[-1])
    return None


def _percentage(here: _Chosen) -> Pick | None:
    """Read "0.25 = 25%" as the one that was asked for; a percentage is a hundredth where a share is."""
    number, wanted = here.number, "percent" in here.asked.text or "%" in here.asked.text
    for a, b, _ in here.pairs():
        if b is number and here.asked.unit != "%" and not wanted and _percent_of(here.text, a, b):
            return here.pick(a.value, a.text)
        if a is number and wanted and _percent_of(here.text, a, b):
            number = b
    if wanted and number.text[:1].isalpha() and 0 < number.value < 1:
        return here.pick(number.value * 100, number.text)  # "about half of it" is 50 percent
    share = here.asked.share and here.text[number.end : number.end + 1] == "%"
    return (
        here.pick(number.value / 100 if share else number.value, number.text)
        if share or number is not here.number
        else None
    )


def _thousands(here: _Chosen) -> Pick | None:
    """Read "34 426"."""
    second = here.next()
    if second and _THOUSANDS.match(here.text, here.number.start):
        return here.through(here.number.value * 1000 + second.value, here.number, second)
    return None


def _fall(here: _Chosen) -> Pick | None:
    """Read "fell by 5" where a change is asked for."""
    number = here.number
    if (
        here.asked.change
        and number.value > 0
        and cue("falling").search(here.text[max(0, number.start - 40) : number.start])
    ):
        return here.pick(-number.value, f"-{number.text}")
    return None


# The first that has something to say decides.
_RULES = (
    _out_of,
    _ratio,
    _range,
    _tolerance,
    _scale,
    _bound,
    _years,
    _two_things,
    _either,
    _enumeration,
    _percentage,
    _thousands,
    _fall,
)


def concludes(clause: str, before: str, asked: Question) -> bool:
    """Tell a conclusion, "..., so Mia gets 6", from a consequence: "there are 24 children, so each table gets 6".

    It is a consequence where all that is asked for stands before it, and the clause speaks of something else.
    """
    if before.removesuffix(" that").endswith(_RESULTS) or not asked.core:
        return True
    if not (asked.core <= content(before) and asked.named <= names(before)) or asked.core <= content(clause):
        return True
    return not [word for word in content(clause) - asked.words if word not in units.UNITS and word not in _LIGHT]


_LIGHT = vocabulary(
    "about approximat approximately approx roughly around exactly only just total get must equal valu sid mak giv leav "
    "she he they"
)


def _formula(text: str) -> bool:
    """Tell whether a side of an equation is a formula with variables, whose value is not given."""
    bare = undress(text)
    if len(bare) > 80 or _WITH_UNIT.fullmatch(bare) or _TWO_LETTERS.search(bare):
        return False
    node = parse(units.split(bare)[0])
    return node is not None and node[0] != "num" and bool(variables(node))


def _percent_of(text: str, value: Number, percent: Number) -> bool:
    """Tell whether a number is written again as a percentage: 3/4 or 75%."""
    return text[percent.end : percent.end + 1] == "%" and value.value * 100 == percent.value


def none_of(text: str, asked: Question) -> bool:
    """Tell whether a sentence says that there are none of what is counted."""
    match = cue("none of a thing").search(text)
    if match is None or refuses(text):
        return False
    noun = match[1] or match[2] or match[3]
    return noun is None or noun.lower() == "left" or stem(noun.lower()) in asked.words
