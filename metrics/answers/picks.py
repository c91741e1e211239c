"""Which number a sentence gives: behind its verb, before its asides, nearest to what was asked."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import variables
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.numbers import Number, numbers
from mmmath_tasks.metrics.answers.question import Question, content, stem, vocabulary
from mmmath_tasks.metrics.answers.refusals import refuses

# What stands before a number: words to look through, verbs that give it, words that only qualify it.
_ADVERBS = vocabulary(
    "about only exactly approximately around roughly also a an the total of just now still number value"
)
_STRONG = vocabulary("is are be equals equal there's \\approx =")
_GIVES = vocabulary(
    "was were to approximately about around roughly only exactly has have had make makes made of give gives cost costs "
    "with remain remains show shows get gets need needs needed by in spend spends spent pay pays paid earn earns "
    "earned receives a an total there leaves leaving left yields giving contains contain "
    "reads read holds totals"
)
_CONDITION = vocabulary(
    "than least most exactly over under exceeds exceed above below when if where per every step day figure fig since "
    "in of age"
)
_BOUNDS = vocabulary("than over above below under exceeds")
_ASIDE = re.compile(
    r"(?:[,;]\s|\s|^)(?:as|because|since|when|where|out of|compared|which|while|(?<!the )given|if|based on|rather than"
    r"|instead of|meaning|specifically|followed|but not|from|respectively)\s|, with the |, and the ",
    re.I,
)
_LISTED = re.compile(r"(?:[^\d\n]{0,3}-?[$]?\d[\d.,]*,){3,}[^\d\n]{0,5}\d")
_RATE = re.compile(r"\s*(?:[a-z]+ )?(?:per|each|an?) |\s*/\s?[a-z]")
_RANGE = re.compile(r"^\s?%?\s*(?:-|to|~|\u2013)\s*[$]?$")
EACH = re.compile(r"\b(?:each|every|per|apiece)\b", re.I)
_IN_ALL = re.compile(r"\s*(?:[a-z]+ )?(?:in total|altogether|in all)\b")
_BETWEEN = re.compile(
    r"\b(?:is|are|be|lies|lie|falls|shows|reads|weighs|measures|has|somewhere|^\W*)\s*between\s?[$]?$", re.I
)
_SETTING = re.compile(r"\b(?:at|when|if|where|for|with)\s+[$]?([a-z])\s*=\s*[$]?$", re.I)
_OR = re.compile(
    r"\s?[a-z%\u00b0]{0,8},?\s(?:or|\u6216)\s(?:(?:even|perhaps|maybe|possibly|also) )?(?:[a-z]\s?=\s?)?[$]?$"
)
_CENTS = re.compile(r"\s?(?:cents?|\u00a2)\b")
# The last clause of a sentence that draws the conclusion from the others.
SO = re.compile(
    r"(?<=[\w%)\u00b0$])[,;:]?\s+(?:so|thus|hence|therefore)\b(?! (?:that|far|many|much|on|as)\b),?"
    r"|, which (?:makes|gives|leaves|yields)(?: that)?\b|[,;]?\s*(?:\u6240\u4ee5|\u56e0\u6b64)",
    re.I,
)
_OPERAND = re.compile(r"(?:[)\dA-Za-z}]\s?[/*\u00d7^]|[)\d}]\s?\+)\s?$")
_OPERATOR = re.compile(r"\s?[+*/\u00d7]\s?[\d(]")
_WITH_UNIT = re.compile(
    r"\s*-?[\d.,]+(?:\s?(?:\\times|x|\u00d7)\s?10\^\{?-?\d+\}?)?\s*\\?[A-Za-z]*(?:[A-Z]|[a-z]{2}|/)\S{0,12}[\s.$]*"
)
_TWO_LETTERS = re.compile(r"(?<![\\A-Za-z])(?!sin|cos|tan|log|ln|pi\b|sqrt)[A-Za-z]{2}")
_THOUSANDS = re.compile(r"\s?[1-9]\d{0,2} \d{3}[.!\s]*$")
_TOLERANCE = re.compile(r"(?:\u00b1|\\pm|\+ ?/ ?-)\s?$")
_DATED = vocabulary("in of since by from after before")
_LEADS_TO = vocabulary("simplifies reduces comes amounts evaluates out")
_WORD = re.compile(r"[\s{\\]*([A-Za-z%\u00b0]+)")
_WORKED = re.compile(
    r"(?:(?:\s?[a-z\u00b0%]{1,6})?\s?(?:[-+*/x\u00d7\u00f7\u00b7]|\\times|\\cdot)\s?[$(]?\d[\d.,]*\)?)+[a-z\u00b0%]{0,6}\s?=\s?"
)
_LIST_MARK = re.compile(r"[\s*#]*\d{1,2}[.)]\s+(?=[A-Z])")
_AND_THEN = re.compile(r" ((?:[a-z-]+ ){1,4})and ")
_NOUNS = re.compile(r" ((?:[a-z-]+[ .]?){1,4})")
_FALLING = re.compile(
    r"\b(?:decreas|drop|declin|f[ae]ll|reduc|los[st])\w*\s+(?:of|by)\s+(?:about |approximately |around )?[$]?$", re.I
)
_OUT_OF = re.compile(r"\s*(?:out of|of|in|/)\s*(?:the )?$")


class Pick(NamedTuple):
    """The number that a sentence gives: its value (None: a range or a bound, no single number) and a weight."""

    value: Fraction | None
    text: str
    weight: float


def pick(text: str, asked: Question, announced: bool = False) -> Pick | None:
    """Choose the number that a sentence gives: behind its verb, before its asides, nearest to what was asked."""
    text = text.replace("**", "").replace("\\$", "$").replace("\\%", "%")
    mark = _LIST_MARK.match(text)
    found = [n for n in numbers(text, words=True) if not mark or n.start >= mark.end()]
    if not found:
        return Pick(Fraction(0), "0", 1.0) if asked.counted and none_of(text, asked) else None
    concluded = [m.end() for m in SO.finditer(text) if m.end() < found[-1].start]
    if concluded and concludes(text[concluded[-1] :], text[: concluded[-1]], asked):
        said = pick(text[concluded[-1] :], asked, announced)
        if said is not None and (said.value is None or said.weight > -2):
            return said if said.value is not None else said._replace(weight=max(said.weight, 0.0))
    aside = [m.start() for m in _ASIDE.finditer(text)]
    best: tuple[float, int] | None = None
    equals = text.rfind("=")
    for i, n in enumerate(found):
        weight = _weight(text, n, aside, asked) + (0.5 if 0 < equals < n.start else 0.0)
        if announced and i == 0:
            weight += 2
        if best is None or weight >= best[0]:
            best = (weight, i)
    assert best is not None  # noqa: S101 - there is a number
    weight, i = best
    if 0 < equals < found[i].start and _formula(text[equals + 1 :]):
        return None  # "F = k q / r^2": no value
    worked = _WORKED.match(text, found[i].end)
    if worked:  # "3 x 9 = 27"
        i = next((j for j, n in enumerate(found) if n.end > worked.end()), i)
    if weight <= -2 and asked.counted and none_of(text, asked):
        return Pick(Fraction(0), "0", 1.0)
    chosen = found[i]
    if (
        asked.share
        and i + 1 < len(found)
        and _OUT_OF.match(text[chosen.end : found[i + 1].start])
        and found[i + 1].value
    ):
        return Pick(chosen.value / found[i + 1].value, text[chosen.start : found[i + 1].end], weight)
    for a, b in pairwise(found):
        if asked.share and chosen in (a, b) and text[a.end : b.start].strip() == "to" and b.value:
            return Pick(a.value / b.value, text[a.start : b.end], weight)  # the ratio 3 to 2
    colon = {":", ": ", " : "} if asked.share or "ratio" in text else {":"}
    if i and text[found[i - 1].end : chosen.end - len(chosen.text)] in colon and chosen.value:
        return Pick(found[i - 1].value / chosen.value, text[found[i - 1].start : chosen.end], weight)  # 2:1 is 2
    if (
        i + 1 < len(found)
        and text[chosen.end : found[i + 1].end - len(found[i + 1].text)] in colon
        and found[i + 1].value
    ):
        return Pick(chosen.value / found[i + 1].value, text[chosen.start : found[i + 1].end], weight)
    for a, b in pairwise(found):
        if chosen in (a, b) and _BETWEEN.search(text[: a.start]) and text[a.end : b.start].strip(" $%") == "and":
            return Pick(None, text[a.start : b.end], weight)
    if i + 1 < len(found) and _RANGE.match(text[chosen.end : found[i + 1].start]):
        return Pick(None, text[chosen.start : found[i + 1].end], weight)
    if i and _RANGE.match(text[found[i - 1].end : chosen.start]):
        return Pick(None, text[found[i - 1].start : chosen.end], weight)
    fresh = [n for n in found if n is chosen or n.value not in asked.values]
    if len(fresh) == 1 and _bounded(text[max(0, chosen.start - 40) : chosen.start].lower().rstrip(" $").split()):
        return Pick(None, text[max(0, chosen.start - 40) : chosen.end], weight)
    if asked.counted and sum(1900 <= n.value < 2100 for n in found) > 1 and 1900 <= chosen.value < 2100:
        return Pick(None, text[found[0].start : found[-1].end], weight)  # which years, and not how many
    if i + 1 < len(found) and _two_things(text, chosen, found[i + 1], asked):
        return Pick(None, text[chosen.start : found[i + 1].end], weight)
    for a, b in pairwise(found):
        if chosen in (a, b) and a.value != b.value and not _percent_of(text, a, b) and _OR.match(text[a.end : b.start]):
            cents, whole = (a, b) if a.value == 100 * b.value else (b, a)
            if cents.value == 100 * whole.value and _CENTS.match(text, cents.end):  # 75 cents, or $0.75
                same = cents if "cent" in asked.unit else whole
                return Pick(same.value, same.text, weight)
            return Pick(None, f"{a.text} or {b.text}", weight)
    if len(found) > 3 and not announced and any(m.start() <= chosen.start < m.end() for m in _LISTED.finditer(text)):
        return Pick(None, text[found[0].start : found[-1].end], weight)
    wanted = "percent" in asked.text or "%" in asked.text
    if i and asked.unit != "%" and not wanted and _percent_of(text, found[i - 1], chosen):
        return Pick(found[i - 1].value, found[i - 1].text, weight)  # 0.25 = 25%
    if i + 1 < len(found) and wanted and _percent_of(text, chosen, found[i + 1]):
        chosen = found[i + 1]
    value = chosen.value
    if asked.share and text[chosen.end : chosen.end + 1] == "%":
        value /= 100
    if i + 1 < len(found) and _THOUSANDS.match(text, chosen.start):
        return Pick(value * 1000 + found[i + 1].value, text[chosen.start : found[i + 1].end], weight)  # 34 426
    if asked.change and value > 0 and _FALLING.search(text[max(0, chosen.start - 40) : chosen.start]):
        return Pick(-value, f"-{chosen.text}", weight)
    return Pick(value, chosen.text, weight)


def concludes(clause: str, before: str, asked: Question) -> bool:
    """Tell a conclusion, "..., so Mia gets 6", from a consequence: "there are 24 children, so each table gets 6"."""
    if before.removesuffix(" that").endswith(_RESULTS) or asked.core & content(clause):
        return True
    return not asked.core & content(before)


_RESULTS = ("which makes", "which gives", "which leaves", "which yields")


def _formula(text: str) -> bool:
    """Tell whether a side of an equation is a formula with variables, whose value is not given."""
    bare = undress(text)
    if len(bare) > 80 or _WITH_UNIT.fullmatch(bare) or _TWO_LETTERS.search(bare):
        return False
    node = parse(units.split(bare)[0])
    return node is not None and node[0] != "num" and bool(variables(node))


def _two_things(text: str, first: Number, second: Number, asked: Question) -> bool:
    """Tell "four toy cars and one small bus" where what is counted is neither, or both: no single number."""
    between = _AND_THEN.fullmatch(text[first.end : second.start])
    behind = _NOUNS.match(text, second.end)
    if not between or not behind or not asked.counted or between[1] in units.UNITS:
        return False
    a, b = ({stem(w) for w in words.lower().split()} for words in (between[1], behind[1]))
    return not a & asked.words and not b & asked.words


def _percent_of(text: str, value: Number, percent: Number) -> bool:
    """Tell whether a number is written again as a percentage: 3/4 or 75%."""
    return text[percent.end : percent.end + 1] == "%" and value.value * 100 == percent.value


def none_of(text: str, asked: Question) -> bool:
    """Tell whether a sentence says that there are none of what is counted."""
    match = _NONE.search(text)
    if match is None or refuses(text):
        return False
    noun = match[1] or match[2] or match[3]
    return noun is None or noun.lower() == "left" or stem(noun.lower()) in asked.words


_NONE = re.compile(
    r"\b(?:there (?:is|are)|has|have|contains?|shows?)\s+(?:no|none|zero)\b(?:\s+([a-z]+))?|^\W*none of the\s+([a-z]+)"
    r"|^\W*no\s+(?:[a-z]+\s+){0,2}?([a-z]+)\s+(?:is|are|remain\w*)\b|^\W*none\W*$",
    re.I,
)


def _verb(words: list[str]) -> float:
    """Return 2 where a number follows "is", "=" or the like, 1 where it follows another verb that gives it, else 0."""
    for word in words[:-5:-1]:
        if word in _STRONG or word[-1] in "=\u2248\u662f\u4e3a":
            return 2.0
        if word not in _ADVERBS:
            return 1.0 if word in _GIVES or word[-1] in ":\u6709\u5269\u5171\u5f97" else 0.0
    return 1.0 if words and words[-1] in _GIVES else 0.0


def _bounded(words: list[str]) -> bool:
    """Tell whether a number is a bound ("more than", "at least", ">") and no value."""
    if not words:
        return False
    if words[-1][-1] in "<>\u2264\u2265" or words[-2:] in (["at", "least"], ["at", "most"]):
        return True
    return words[-1] in _BOUNDS or words[-4:] == ["than", "or", "equal", "to"]


def _weight(text: str, n: Number, aside: list[int], asked: Question) -> float:
    words = text[max(0, n.start - 40) : n.start].lower().rstrip(" $*\"'(").split()
    after = text[n.end : n.end + 60].lower()
    weight = _verb(words)
    if n.value in asked.values:
        weight -= 2
    last = words[-1] if words else ""
    if last in _GIVES and len(last) > 2 and stem(last) in asked.words:
        weight += 1  # the question's own verb: "How many does each get?", "Each gets 7."
    if (_OPERAND.search(text[max(0, n.start - 4) : n.start]) and "=" not in after[:3]) or (
        _OPERATOR.match(after) and "=" not in text[n.end :]
    ):
        weight -= 4
    if _TOLERANCE.search(text[max(0, n.start - 5) : n.start]):
        weight -= 5
    if len(words) > 1 and last in {"to", "at"} and words[-2] in _LEADS_TO:
        weight += 2
    in_years = 1900 <= n.value < 2100
    if asked.year:
        weight += 2 if in_years else -1
    elif in_years and asked.counted and last in _DATED:
        weight -= 2.5
    if stem(last) in asked.core and last not in _DATED and last not in _GIVES:
        weight += 0.7  # "which makes the diameter 12"
    if words[-2:] in (["rounds", "to"], ["rounded", "to"]) and not after.lstrip().startswith("decimal"):
        weight += 3
    if ("total" in words[-3:] and last in {"of", "total", "is"}) or _IN_ALL.match(after) or "altogether" in words[-4:]:
        weight += -1.5 if EACH.search(asked.text) else 1.5
    elif last == "of" and len(words) > 1 and stem(words[-2]) in asked.words:
        weight += 3
    if _bounded(words):
        weight -= 2.5
    elif setting := _SETTING.search(text[max(0, n.start - 20) : n.start]):
        wanted = re.search(rf"\bwhen\b|\bwhere\b|(?<![(\w]){setting[1]}(?!\w)", asked.text)
        weight += 1 if wanted else -2.5
    elif last in _CONDITION or (len(last) == 1 and words[-2:-1] in (["when"], ["if"], ["where"])):
        weight -= 0.7
    if any(a < n.start for a in aside if a > 3) or text.rfind("(", 0, n.start) > text.rfind(")", 0, n.start):
        weight -= 1
    if words[-2:] == ["of", "the"]:
        weight -= 5
    elif last == "the" and not n.text[:1].isdigit():
        weight -= 2  # "the two people"
    if _RATE.match(after) and " per " not in asked.text:
        weight -= 1.5
    word = _WORD.match(after)
    unit = units.UNITS.get(word[1]) if word else None
    if asked.unit:
        named = n.text.startswith(asked.unit) or after.lstrip(" {\\").startswith(asked.unit)
        weight += 1 if named or (unit is not None and unit == units.UNITS.get(asked.unit)) else -0.5
    elif unit is not None and unit in [units.UNITS.get(w) for w in asked.text.split()[-8:]]:
        weight += 1
    if asked.counted:
        follows = [stem(w) for w in re.findall(r"[\w'-]+", after)[:4]]
        same = sum(1 for a, b in zip(follows, asked.counted, strict=False) if a == b)
        if same:
            weight += 1 + same
        elif set(follows[:3]) & set(asked.counted):
            weight += 1.5
    return weight
