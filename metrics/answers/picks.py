"""Which number a sentence gives, by what stands before and behind each: a verb, an aside, what was asked."""

from __future__ import annotations

import re
from bisect import bisect
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
_LIGHT = vocabulary(
    "about approximat approximately approx roughly around exactly only just total get must equal valu sid mak giv leav "
    "she he they"
)
# "2x *"
_OPERAND = re.compile(r"(?:[)\dA-Za-z}]\s?[/*\u00d7^]|[)\d}]\s?\+)\s?$")
_OPERATOR = re.compile(r"\s?[+*/\u00d7]\s?[\d(]")
_SIGN = re.compile(r"[=+*/\u00d7\u00f7]")
# " decimal places"
_PRECISION = re.compile(r"\W*(?:significant|decimal|sig\.? ?fig|d\.? ?p\b)")
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
_WORD = re.compile(r"[\s{\\]*([A-Za-z%\u00b0]+)")


def weights(text: str, found: list[Number], asked: Question) -> list[float]:
    """Return for each number of a sentence how much speaks for it: at most about 10, below -2 where little does."""
    asides = [m.start() for m in cue("aside of a number").finditer(text) if m.start() > min(3, found[0].start)]
    equals, broken_down = text.rfind("="), _breakdown(text, found)
    result = []
    for n, elsewhere in zip(found, _elsewhere(text, found, asked), strict=True):
        aside = any(a < n.start for a in asides) or text.rfind("(", 0, n.start) > text.rfind(")", 0, n.start)
        weight = _placed(text, n, asked) + _asked(n, text[n.end : n.end + 60].lower(), asked)
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


def _verb(words: list[str]) -> float:
    """Weigh what gives the number: "is" and "=" more than other verbs."""
    for word in words[:-5:-1]:
        if word.rstrip(":") in _STRONG or word[-1] in "=\u2248\u662f\u4e3a":
            return 2.0
        if word not in _ADVERBS:
            return 1.0 * (word in _GIVES)
    return 0.0


def _placed(text: str, number: Number, asked: Question) -> float:
    """Weigh the words before a number and what stands behind it."""
    before, after = text[max(0, number.start - 40) : number.start], text[number.end : number.end + 60].lower()
    words = before.lower().rstrip(" $*\"'(").split()
    last, pair = words[-1] if words else "", words[-2:]
    weight = _verb(words)
    if _OPERAND.search(before[-4:]) or _OPERATOR.match(after):
        weight -= 4  # a part of a calculation, whose result stands elsewhere
    if last == "to" and _PRECISION.match(after) and "decimal" not in asked.counted:
        weight -= 5  # "to two significant figures"
    elif last in {"to", "at"} and not _LEADS_TO.isdisjoint(pair[:1]):
        weight += 2.5
    weight += 0.7 * (last not in _DATED and stem(last) in asked.core) + 4 * bool(cue("is extreme").match(after))
    if setting := cue("setting").search(before[-20:]):
        # "where"
        wanted = re.search(rf"\bwhen\b|\bwhere\b|(?<![(\w]){setting[1]}(?!\w)", asked.text)
        weight += 1.0 if wanted else -2.5
    elif _bounded(words, asked):
        weight -= 2.5
    elif pair == ["of", "the"]:
        weight -= 5  # they are spoken of and not counted
    else:
        weight -= 0.7 * (last in _CONDITION) + 2 * (last == "the" and not number.text[:1].isdigit())
        weight -= 1.5 * bool(cue("rate").match(after) and " per " not in asked.text)
    if last in _DATED and in_years(number) and not asked.year:
        weight -= 2.5
    if ("total" in words[-3:] and last in {"of", "total", "is"}) or cue("in all").match(after):
        return weight + (-1.5 if cue("each").search(asked.text) else 1.5)
    return weight + 3 * (
        last == "of" and not asked.words.isdisjoint(map(stem, pair[:-1]))
    )  # "the number of books of 5"


def _asked(number: Number, after: str, asked: Question) -> float:
    """Weigh a number, its unit and the nouns behind it against what the question gives and asks for."""
    weight = -2.0 * (number.value in asked.values)
    if asked.year:
        weight += 2.0 if in_years(number) else -1.0
    word = _WORD.match(after)
    unit = UNITS.get(word[1]) if word else None
    if unit is not None and unit in map(UNITS.get, [asked.unit] if asked.unit else asked.text.split()[-8:]):
        weight += 1.0
    elif asked.unit:
        weight -= 0.5
    near = _SIGN.split(after, maxsplit=1)[0]  # beyond it are another number's words
    follows = [stem(w) for w in re.findall(r"[\w'-]+", near)[:4] if w not in COMMON] if asked.counted else []
    same = sum(a == b for a, b in zip(follows, asked.counted, strict=False))
    return weight + (1.0 + min(same, 1.5) if same else 1.5 * (not set(asked.counted).isdisjoint(follows[:3])))


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
    chosen = (text, found, i, weight, asked)
    return _of_two(*chosen) or _several(*chosen) or _sized(*chosen) or Pick(found[i].value, found[i].text, weight)


def _of_two(text: str, found: list[Number], at: int, weight: float, asked: Question) -> Pick | None:
    """Read a number and its neighbour: "3 of the 12" and "3 to 2" as a share, "3:2", "3-5", "3 or 5", "1/4 = 25%"."""
    share, percent = asked.share, "percent" in asked.text or "%" in asked.text
    colon = {":", ": ", " : "} if share or cue("asks for a share").search(text) else {":"}
    for a, b in pairwise(found[max(0, at - 1) : at + 2]):
        between, both = text[a.end : b.start], text[a.start : b.end]
        if b.value and (share or (percent and found[at].text[:1].isalpha())) and cue("out of").match(between):
            return Pick(a.value / b.value * (1 if share else 100), both, weight)  # "one in four"
        # A number's start may be that of its sign or currency.
        if b.value and ((share and between.strip() == "to") or text[a.end : b.end - len(b.text)] in colon):
            return Pick(a.value / b.value, both, max(weight, 2.0 if share else -9))
        if _RANGE.match(between) or (between.strip(" $%") == "and" and cue("between").search(text[: a.start])):
            return Pick(None, both, weight)  # "between 3 and 5", "3-5"
        if text[b.end : b.end + 1] == "%" and a.value * 100 == b.value and not (percent and found[at] is b):
            return Pick(b.value, b.text, weight) if percent else Pick(a.value, a.text, weight)
        if a.value != b.value and cue("or a number").match(between):
            cents, whole = (a, b) if a.value > b.value else (b, a)
            if not (cents.value == 100 * whole.value and _CENTS.match(text, cents.end)):
                return Pick(None, f"{a.text} or {b.text}", weight)
            said = cents if "cent" in asked.unit else whole
            return Pick(said.value, said.text, weight)
    return None


def _several(text: str, found: list[Number], at: int, weight: float, asked: Question) -> Pick | None:
    """Read what is no single number: a tolerance, a bound, years, a long list."""
    number = found[at]
    if tolerance := _PLUS_MINUS.match(text, number.end):
        return Pick(None, text[number.start : tolerance.end()], weight)
    start = max(0, number.start - 40)
    fresh = [n for n in found if n is number or n.value not in asked.values]
    if len(fresh) == 1 and _bounded(text[start : number.start].lower().rstrip(" $").split(), asked):
        return Pick(None, text[start : number.end], weight)  # "more than 5"
    years = asked.counted and in_years(number) and sum(map(in_years, found)) > 1
    if years or any(m.start() <= number.start < m.end() for m in _LISTED.finditer(text if len(found) > 3 else "")):
        return Pick(None, text[found[0].start : found[-1].end], weight)
    return None


def _sized(text: str, found: list[Number], at: int, weight: float, asked: Question) -> Pick | None:
    """Read "half of it" as 50 percent, "25%" as a share, "1.5 thousand", "34 426", and "fell by 5" as a change."""
    number = found[at]
    if ("percent" in asked.text or "%" in asked.text) and number.text[:1].isalpha() and 0 < number.value < 1:
        return Pick(number.value * 100, number.text, weight)
    if asked.share and text[number.end : number.end + 1] == "%":
        return Pick(number.value / 100, number.text, weight)
    scale = _SCALED.match(text, number.end) if asked.whole else None
    if scale and scale[1].lower() not in asked.text:
        value = number.value * lexicon.values("scale")[scale[1].lower()]
        return Pick(value, text[number.start : scale.end()], weight)
    if _THOUSANDS.match(text, number.start) and number is not found[-1]:
        second = found[at + 1]
        return Pick(number.value * 1000 + second.value, text[number.start : second.end], weight)
    if asked.change and cue("falling").search(text[max(0, number.start - 40) : number.start]):
        return Pick(-number.value, f"-{number.text}", weight)
    return None


def concludes(clause: str, before: str, asked: Question) -> bool:
    """Tell a conclusion, "..., so Mia gets 6", from a consequence: "there are 24 children, so each table gets 6".

    It is a consequence where all that is asked for stands before it, and the clause speaks of something else.
    """
    if not (asked.core <= content(before) and asked.named <= names(before)):
        return True
    return not content(clause) - asked.words - _LIGHT


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
