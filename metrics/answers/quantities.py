"""Which number a response gives as its answer."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.boxes import final_box
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import exact
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.numbers import Number, number, numbers, several
from mmmath_tasks.metrics.answers.question import Question, overlap, question, stem, vocabulary
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.refusals import refuses, rejects
from mmmath_tasks.metrics.answers.sentences import CONCLUSION, Sentence, announcements, cut_off, sentences
from mmmath_tasks.metrics.answers.wrappers import in_json, tagged

# What stands before a number: words to look through, verbs that give it, words that only qualify it.
_ADVERBS = vocabulary("about only exactly approximately around roughly also a an the total of just now still")
_STRONG = vocabulary("is are be equals equal there's \\approx =")
_GIVES = vocabulary(
    "was were to approximately about around roughly only exactly has have had make makes made of give gives cost costs "
    "with remain remains show shows get gets need needs needed by in spend spends spent pay pays paid earn earns "
    "earned receives a an total there leaves leaving left yields giving"
)
_CONDITION = vocabulary(
    "than least most exactly over under exceeds exceed above below when if where per every step day figure fig since "
    "in of age"
)
_BOUNDS = vocabulary("than over above below under exceeds")
_ASIDE = re.compile(
    r"(?:[,;]\s|\s|^)(?:as|because|since|when|where|out of|compared|which|while|given|if|based on|rather than"
    r"|instead of|meaning|specifically|followed|but not|from|respectively)\s|, with the |, and the ",
    re.I,
)
_HEAD, _TAIL = 2, 10  # sentences of a response that are looked at
_STEP = re.compile(
    r"[\s*\-#\d.)]*(?:first|second|next|then|step|to (?:find|calculate|determine|solve|answer)|let|given|we know"
    r"|since|if)\b",
    re.I,
)
_ARITHMETIC = re.compile(r"\d\s?[-+*/\u00d7]\s?[$]?\d[^=]{0,40}=")
_ENTRY = re.compile(r"\s*(?:[-*]|\d{1,2}[.)])?\s*[A-Za-z][^:\n]{0,40}[:(]\s*-?[\d./]+\)?\s*$")
_CODE = re.compile(r"\w\(\s*['\"]|^\s*(?:import|from \w+ import|def|return|print)\b|^[^\\]*[{};]\s*$")
_NO_VALUE = re.compile(r"\b(?:does not exist|is undefined|do(?:es)? not have a|no (?:real )?solution)\b", re.I)
_VALUELESS = re.compile(r"\W*(?:undefined|unknown|none|n/a|infinite|infinity|does not exist|indeterminate)\b\W*$", re.I)
_LISTED = re.compile(r"(?:[^\d\n]{0,3}-?[$]?\d[\d.,]*,){3,}[^\d\n]{0,5}\d")
_RATE = re.compile(r"\s*(?:[a-z]+ )?(?:per|each|an?) |\s*/\s?[a-z]")
_RANGE = re.compile(r"^\s?%?\s*(?:-|to|~|\u2013)\s*[$]?$")
_EACH = re.compile(r"\b(?:each|every|per|apiece)\b", re.I)
_IN_ALL = re.compile(r"\s*(?:[a-z]+ )?(?:in total|altogether|in all)\b")
_BETWEEN = re.compile(r"\b(?:is|are|be|lies|lie|falls|somewhere|^\W*)\s*between\s?[$]?$", re.I)
_SETTING = re.compile(r"\b(?:at|when|if|where|for|with)\s+[$]?([a-z])\s*=\s*[$]?$", re.I)
_OR = re.compile(r"\s?[a-z%\u00b0]{0,8}\s(?:or|\u6216)\s(?:[a-z]\s?=\s?)?[$]?$")
_FORMULA = re.compile(r"[\d\\][^A-Za-z]*[\^*/!+\\-]|\d\s?[a-z]$|\\[a-z]")
_PROSE = re.compile(r"(?<!\\)\b[A-Za-z]{2,}|'")
_OUT_OF = re.compile(r"\s*(?:out of|of|in|/)\s*(?:the )?$")


def read_number(text: str, expectation: Expectation) -> Reading | None:
    r"""Return the number that a text gives as its answer; None where it gives none.

    The text of the reading is a plain decimal ("1000", "0.75"), or what stands in the answer's place where that is no
    single number ("6 to 8", "2\sqrt{3}").
    """
    text = text.strip()
    asked = question(expectation.question, expectation.unit)
    if len(text) < 120:
        bare = undress(text)
        whole = None if bare.endswith("%") and "=" in bare else _whole(bare)
        if whole is not None:
            return whole
    box = final_box(text)
    for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", box and box[0])):
        if inside and inside.strip():
            later = _announced(sentences(text[box[1] :]), asked) if rule == "box" and box else None
            return later or _enclosed(inside, rule, asked)
    parts = sentences(text)
    if parts and rejects(parts[-1].text):
        return None
    return _announced(parts, asked) or (None if cut_off(parts) else _unannounced(parts, asked))


def written(value: Fraction) -> str:
    """Return a number without sign of money, thousands separator or exponent; a fraction as its decimal value."""
    if value.denominator == 1:
        return str(value.numerator)
    return format(_CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")


_CONTEXT = Context(prec=28)


def _reading(value: Fraction, rule: str, confidence: float) -> Reading:
    return Reading(written(value), None, rule, confidence)


def _whole(bare: str) -> Reading | None:
    """Read a text that is one number or formula and nothing else; a formula with variables gives no number."""
    bare = bare.rstrip("!")
    if several(bare):
        return Reading(bare, None, "whole", 0.4, "ambiguous")
    value = number(bare)
    if value is None and not _PROSE.search(bare) and _FORMULA.search(bare):
        node = parse(units.split(bare.rpartition("=")[2].strip())[0])
        value = None if node is None else exact(node)
        if value is None and node is not None:
            return Reading(bare, None, "whole", 0.6)
    return None if value is None else _reading(value, "whole", 0.98)


def _enclosed(inside: str, rule: str, asked: Question) -> Reading | None:
    bare = undress(inside)
    whole = _whole(bare)
    if whole is not None:
        return replace(whole, rule=rule)
    picked = pick(bare, asked)
    if picked is not None and picked.value is not None:
        return _reading(picked.value, rule, 0.9)
    return Reading(bare, None, rule, 0.6) if bare else None


class Pick(NamedTuple):
    """The number that a sentence gives: its value (None: a range or a bound, no single number) and a weight."""

    value: Fraction | None
    text: str
    weight: float


def _announced(parts: list[Sentence], asked: Question) -> Reading | None:
    for i in range(len(parts) - 1, -1, -1):
        for end in reversed(announcements(parts[i].text)):
            span = parts[i].text[end:]
            if not re.search(r"\w", span):
                rest = parts[i + 1 :]
                if not rest or len(rest) > 3:
                    continue
                if len(rest) > 1 and number(undress(rest[0].text)) is None:
                    return _unannounced(rest, asked)  # "Here is the answer:" and some sentences
                span = rest[0].text
            if refuses(parts[i].text) or refuses(span):
                continue
            if _VALUELESS.match(span):
                return Reading(span.strip(" .*$"), None, "statement", 0.6)
            picked = pick(span, asked, announced=True)
            if picked is not None:
                if picked.value is None:
                    return Reading(picked.text, None, "statement", 0.5, "ambiguous")
                return _reading(picked.value, "statement", 0.93)
    return None


def _unannounced(parts: list[Sentence], asked: Question) -> Reading | None:
    best: tuple[float, Pick, str] | None = None
    count = len(parts)
    first = number(undress(parts[0].text)) if count > 1 else None
    if (
        first is not None
        and number(undress(parts[-1].text)) is None
        and not any(CONCLUSION.match(p.text) or "=" in p.text for p in parts)
    ):
        return _reading(first, "first_line", 0.8)  # the answer, and its explanation
    # The steps of a derivation stand on lines of their own and end with the answer; one paragraph begins with it.
    lines = count > 1 and parts[-1].start - parts[-2].start > len(parts[-2].text) + 1
    for i in range(count):
        if _HEAD <= i < count - _TAIL:
            continue  # the middle of a derivation gives no answer
        text = parts[i].text
        if text.rstrip().endswith("?") or "___" in text or refuses(text) or _CODE.search(text):
            continue
        picked = pick(text, asked)
        if picked is None or picked.weight <= -2:
            continue
        concludes = bool(CONCLUSION.match(text))
        if i < count - 1 and _ARITHMETIC.search(text):
            picked = picked._replace(weight=picked.weight - 1)  # a step of the way
        weight = picked.weight + 2 * overlap(text, asked) + 1.5 * concludes - 1.0 * bool(_STEP.match(text))
        if _EACH.search(asked.text) and not _EACH.search(text):
            weight -= 1.5  # of all, and one's share is asked for
        if number(undress(text)) is not None:
            weight += 2  # a line that is a number and nothing else
        weight += (
            ((3.0 if lines else 1.5) if i == count - 1 else 0.0)
            + (0.8 if i == 0 and count < 4 else 0.0)
            + 0.3 * i / count
        )
        if best is None or weight >= best[0]:
            best = (weight, picked, "conclusion" if concludes else "sentence")
    if sum(_ENTRY.match(p.text) is not None for p in parts) > 3 and _ENTRY.match(parts[-1].text):
        return None  # a list of values, and no answer after it
    if best is not None and best[2] == "sentence" and parts[-1].text.rstrip().endswith("?"):
        return None
    if parts and _NO_VALUE.search(parts[-1].text):
        return Reading(parts[-1].text.strip()[:200], None, "sentence", 0.4, "unextracted")
    if best is None or best[0] < -1 or (best[2] == "sentence" and parts and refuses(parts[-1].text)):
        return None
    weight, picked, rule = best
    if picked.value is None:
        return Reading(picked.text, None, rule, 0.4, "ambiguous")
    return _reading(picked.value, rule, 0.85 if rule == "conclusion" else 0.7)


def pick(text: str, asked: Question, announced: bool = False) -> Pick | None:
    """Choose the number that a sentence gives: behind its verb, before its asides, nearest to what was asked."""
    text = text.replace("**", "").replace("\\$", "$").replace("\\%", "%")
    found = numbers(text, words=True)
    if not found:
        return Pick(Fraction(0), "0", 1.0) if asked.counted and _none_of(text, asked) else None
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
    if weight <= -2 and asked.counted and _none_of(text, asked):
        return Pick(Fraction(0), "0", 1.0)
    chosen = found[i]
    if (
        asked.share
        and i + 1 < len(found)
        and _OUT_OF.match(text[chosen.end : found[i + 1].start])
        and found[i + 1].value
    ):
        return Pick(chosen.value / found[i + 1].value, text[chosen.start : found[i + 1].end], weight)
    if i and text[found[i - 1].end : chosen.start].strip() == ":" and chosen.value:
        return Pick(found[i - 1].value / chosen.value, text[found[i - 1].start : chosen.end], weight)  # 2:1 is 2
    if i + 1 < len(found) and text[chosen.end : found[i + 1].start].strip() == ":" and found[i + 1].value:
        return Pick(chosen.value / found[i + 1].value, text[chosen.start : found[i + 1].end], weight)
    for a, b in pairwise(found):
        if chosen in (a, b) and _BETWEEN.search(text[: a.start]) and text[a.end : b.start].strip(" $%") == "and":
            return Pick(None, text[a.start : b.end], weight)
    if i + 1 < len(found) and _RANGE.match(text[chosen.end : found[i + 1].start]):
        return Pick(None, text[chosen.start : found[i + 1].end], weight)
    if i and _RANGE.match(text[found[i - 1].end : chosen.start]):
        return Pick(None, text[found[i - 1].start : chosen.end], weight)
    if len(found) == 1 and _bounded(text[max(0, chosen.start - 40) : chosen.start].lower().rstrip(" $").split()):
        return Pick(None, text[max(0, chosen.start - 40) : chosen.end], weight)
    for a, b in pairwise(found):
        if chosen in (a, b) and a.value != b.value and not _percent_of(text, a, b) and _OR.match(text[a.end : b.start]):
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
    return Pick(value, chosen.text, weight)


def _percent_of(text: str, value: Number, percent: Number) -> bool:
    """Tell whether a number is written again as a percentage: 3/4 or 75%."""
    return text[percent.end : percent.end + 1] == "%" and value.value * 100 == percent.value


def _none_of(text: str, asked: Question) -> bool:
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
            return 1.0 if word in _GIVES or word[-1] in ":\u6709" else 0.0
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
    if words[-2:] in (["rounds", "to"], ["rounded", "to"]) and not after.lstrip().startswith("decimal"):
        weight += 3
    if ("total" in words[-3:] and last in {"of", "total", "is"}) or _IN_ALL.match(after) or "altogether" in words[-4:]:
        weight += -1.5 if _EACH.search(asked.text) else 1.5
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
    if asked.unit:
        weight += 1 if n.text.startswith(asked.unit) or after.lstrip(" {\\").startswith(asked.unit) else -0.5
    if asked.counted:
        follows = [stem(w) for w in re.findall(r"[\w'-]+", after)[:4]]
        same = sum(1 for a, b in zip(follows, asked.counted, strict=False) if a == b)
        if same:
            weight += 1 + same
        elif set(follows[:3]) & set(asked.counted):
            weight += 1.5
    return weight
