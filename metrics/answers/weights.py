"""How likely each number of a sentence is the one that was asked for: what stands before it and behind it."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import NamedTuple

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.numbers import Number
from mmmath_tasks.metrics.answers.question import COMMON, Question, content, stem, vocabulary

# What stands before a number: words to look through, verbs that give it, words that only qualify it.
_ADVERBS = vocabulary(
    "about only exactly approximately around roughly also a an the total of just now still number value"
)
_STRONG = vocabulary("is are be equals equal there's \\approx =")
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
_DATED = vocabulary("in of since by from after before")
_LEADS_TO = vocabulary("simplifies reduces comes amounts evaluates out")
# "2x *"
_OPERAND = re.compile(r"(?:[)\dA-Za-z}]\s?[/*\u00d7^]|[)\d}]\s?\+)\s?$")
_SIGN = re.compile(r"[=+*/\u00d7\u00f7]")
# " decimal places"
_PRECISION = re.compile(r"\W*(?:significant|decimal|sig\.? ?fig|d\.? ?p\b)")
_OPERATOR = re.compile(r"\s?[+*/\u00d7]\s?[\d(]")
_TOLERANCE = re.compile(r"(?:\u00b1|\\pm|\+ ?/ ?-)\s?$")
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
        weight = sum((rule(place) for rule in _RULES), 0.0)
        if any(a < n.start for a in asides) or text.rfind("(", 0, n.start) > text.rfind(")", 0, n.start):
            weight -= 1
        weight -= 1.5 * elsewhere + 3 * (0 <= broken_down < n.start)
        result.append(weight + (0.5 if 0 < equals < n.start else 0.0))
    return result


def _elsewhere(text: str, found: list[Number], asked: Question) -> list[bool]:
    """Tell for each number whether another number's clause says more of the question: "20 like it; 80 do not"."""
    ends = [m.end() for m in cue("clause of a number").finditer(text)] if len(found) > 1 else []
    if not ends:
        return [False] * len(found)
    bounds = [0, *ends, len(text)]
    said = [len(asked.words & content(text[a:b])) for a, b in pairwise(bounds)]
    here = [said[bisect(ends, n.start)] for n in found]
    fresh = [share for share, n in zip(here, found, strict=True) if n.value not in asked.values]
    return [share + 1 < max(fresh, default=0) for share in here]


def _breakdown(text: str, found: list[Number]) -> int:
    """Return where a total is broken down, "10 objects: 1 cylinder, 5 spheres, 4 cubes"; -1 where none is."""
    colon = text.find(": ", found[0].end)
    named = colon > 0 and re.search(r"[a-z]{3}", text[found[0].end : colon]) and not re.search(r"[:;=]", text[:colon])
    return colon if named and sum(n.start > colon for n in found) > 1 and "=" not in text[colon:] else -1


def in_years(number: Number) -> bool:
    """Tell whether a number may be a year."""
    return 1900 <= number.value < 2100


def bounded(words: list[str], asked: Question) -> bool:
    """Tell whether the number behind some words is a bound ("more than", "at least", ">") and no value."""
    if not words:
        return False
    if words[-2:] in (["at", "least"], ["at", "most"]) and cue("extreme").search(asked.text):
        return False  # which is asked for
    if words[-1][-1] in "<>\u2264\u2265" or words[-2:] in (["at", "least"], ["at", "most"]):
        return True
    return words[-1] in _BOUNDS or words[-4:] == ["than", "or", "equal", "to"]


def _verb(here: _Place) -> float:
    """Weigh what gives the number: "is" and "=" more than other verbs, the question's own verb beside either."""
    own = here.last in _GIVES and len(here.last) > 2 and stem(here.last) in here.asked.words
    own_verb = 1.0 if own else 0.0  # "How many does each get?", "Each gets 7."
    for word in here.words[:-5:-1]:
        if word.rstrip(":") in _STRONG or word[-1] in "=\u2248\u662f\u4e3a":
            return 2.0 + own_verb
        if word not in _ADVERBS:
            return (1.0 if word in _GIVES or word[-1] in ":\u6709\u5269\u5171\u5f97" else 0.0) + own_verb
    return (1.0 if here.last in _GIVES else 0.0) + own_verb


def _given(here: _Place) -> float:
    return -2.0 if here.number.value in here.asked.values else 0.0


def _operand(here: _Place) -> float:
    """Weigh a part of a calculation whose result stands elsewhere, and a tolerance."""
    before = here.text[max(0, here.number.start - 5) : here.number.start]
    behind = _OPERAND.search(before[-4:]) and "=" not in here.after[:3]
    ahead = _OPERATOR.match(here.after) and "=" not in here.text[here.number.end :]
    return (-4.0 if behind or ahead else 0.0) + (-5.0 if _TOLERANCE.search(before) else 0.0)


def _result(here: _Place) -> float:
    """Weigh what a calculation leads to: "simplifies to", "rounded to", "which makes the diameter 12"."""
    weight = 2.0 if here.last in {"to", "at"} and here.words[-2:-1] and here.words[-2] in _LEADS_TO else 0.0
    if here.last == "to" and _PRECISION.match(here.after) and "decimal" not in here.asked.counted:
        return weight - 5  # "to two significant figures"
    if here.words[-2:] in (["rounds", "to"], ["rounded", "to"]):
        weight += 3
    if stem(here.last) in here.asked.core and here.last not in _DATED and here.last not in _GIVES:
        weight += 0.7
    return weight


def _year(here: _Place) -> float:
    if here.asked.year:
        return 2.0 if in_years(here.number) else -1.0
    return -2.5 if in_years(here.number) and here.asked.counted and here.last in _DATED else 0.0


def _total(here: _Place) -> float:
    """Weigh a total, which is not what is asked of each, and "the number of books of 5"."""
    words = here.words
    if (
        ("total" in words[-3:] and here.last in {"of", "total", "is"})
        or cue("in all").match(here.after)
        or "altogether" in words[-4:]
    ):
        return -1.5 if cue("each").search(here.asked.text) else 1.5
    return 3.0 if here.last == "of" and len(words) > 1 and stem(words[-2]) in here.asked.words else 0.0


def _condition(here: _Place) -> float:
    """Weigh a bound, the setting of a variable and what stands behind "when"."""
    words = here.words
    if bounded(words, here.asked):
        return -2.5
    setting = cue("setting").search(here.text[max(0, here.number.start - 20) : here.number.start])
    if setting:
        # "where"
        wanted = re.search(rf"\bwhen\b|\bwhere\b|(?<![(\w]){setting[1]}(?!\w)", here.asked.text)
        return 1.0 if wanted else -2.5
    named = len(here.last) == 1 and words[-2:-1] in (["when"], ["if"], ["where"])
    return -0.7 if here.last in _CONDITION or named else 0.0


def _of_things(here: _Place) -> float:
    """Weigh "of the 5" and "the two people", which are spoken of and not counted, and rates that are not asked for."""
    weight = -1.5 if cue("rate").match(here.after) and " per " not in here.asked.text else 0.0
    if here.words[-2:] == ["of", "the"]:
        return weight - 5
    return weight - (2 if here.last == "the" and not here.number.text[:1].isdigit() else 0)


def _unit(here: _Place) -> float:
    word = _WORD.match(here.after)
    unit = units.UNITS.get(word[1]) if word else None
    asked = here.asked.unit
    if asked:
        named = here.number.text.startswith(asked) or here.after.lstrip(" {\\").startswith(asked)
        return 1.0 if named or (unit is not None and unit == units.UNITS.get(asked)) else -0.5
    said = unit is not None and unit in [units.UNITS.get(w) for w in here.asked.text.split()[-8:]]
    return 1.0 if said else 0.0


def _counted(here: _Place) -> float:
    """Weigh the nouns behind the number against what the question counts."""
    counted = here.asked.counted
    if not counted:
        return 0.0
    after = _SIGN.split(here.after, maxsplit=1)[0]  # beyond it are another number's words
    follows = [stem(w) for w in re.findall(r"[\w'-]+", after)[:4] if w not in COMMON]
    same = sum(1 for a, b in zip(follows, counted, strict=False) if a == b)
    if same:
        return 1.0 + min(same, 1.5)
    return 1.5 if set(follows[:3]) & set(counted) else 0.0


_RULES = (_verb, _given, _operand, _result, _year, _total, _condition, _of_things, _unit, _counted)
