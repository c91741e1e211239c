"""Which expression, of any mathematical kind, a response gives as its answer."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from mmmath_tasks.metrics.answers.document import MAX_DEPTH, enclosed
from mmmath_tasks.metrics.answers.dress import boxed, in_words, mathematics, undress
from mmmath_tasks.metrics.answers.endings import at_end
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.lexicon import cue, refuses
from mmmath_tasks.metrics.answers.numbers import UNITS, decimal_points, numbers, split_unit
from mmmath_tasks.metrics.answers.options import dense
from mmmath_tasks.metrics.answers.quantities import CODE, UNANNOUNCED, announced
from mmmath_tasks.metrics.answers.records import Expectation, Reading, content
from mmmath_tasks.metrics.answers.relations import is_equation, is_inequality, listed, named, pieces, value
from mmmath_tasks.metrics.answers.response import NOTHING, Response, broken_off, first, rejected
from mmmath_tasks.metrics.answers.sentences import announcements, sentences

# "14 regions"
_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{2,}|[\u4e00-\u9fff]{2,}")
# A variable, a triangle, an angle.
# "\triangle ABC"
_NAME = re.compile(
    r"\s*(?:[A-Za-z](?:_\{?\w{1,3}\}?)?|(?:\\(?:triangle|angle|overline|square)\b[\s{]*)?[A-Z]{1,6}\s*\}?)\s*"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SIGN = re.compile(r"[\[(\\*+=^]")
# "- $\sqrt{2}$"
_MARK = re.compile(r"^[->*]\s+(?=\$)")  # of a quotation or a list
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*")
_LONG_DECIMAL = re.compile(r"-?\d+\.\d{20,}")
# "\frac"
_TERM = r"(?:[^A-Za-z()\[\]]|\\(?:[dt]?frac|sqrt|pi|infty)(?![a-z]))"
# "(\frac{1}{2}, 3)"
_TUPLE = re.compile(rf"[\[(\u27e8{{]{_TERM}*,{_TERM}*[\])\u27e9}}]")
# "A'(2, -3)", "3 out of 4"
_POINT = re.compile(rf"(?:(?:the )?(?:point|vector) )?[A-Z]?'{{0,2}}\s?{_TUPLE.pattern}|\d{{1,9}} out of \d{{1,9}}")
# "\text{cm}^2"
_ONLY_UNIT = re.compile(r"\s*\\(?:mathrm|text)\s*\{[^{}]*\}\s*(?:\^\s*\{?[23]\}?)?\s*|\s*\^\s*\{?[23]\}?\s*")


def read_expression(text: str, expectation: Expectation, depth: int = 0) -> Reading | None:
    """Return the expression that a text gives as its answer; None where it gives none."""
    text = _MARK.sub("", text.strip())
    rather = cue("not but").match(text)
    text = text[rather.end() :] if rather else text
    found = first(TEXTS if expectation.kind == "text" else RANKING, Response(text, expectation, depth))
    if found is None or found is NOTHING or found.text is None or "=" not in found.text:
        return None if found is NOTHING else found
    asked = dense(expectation.question)
    for said in (found.text, *map(undress, mathematics(found.passage))):
        left, _, right = said.partition("=")
        # "Y^2 = 384" gives the value of Y^2, if that is what is asked for.
        name = re.escape(dense(left))
        # "find EF^2"
        asks = re.search(rf"(?:valueof|find|whatis|compute|evaluate|calculate|determine){name}(?![-+*/^=])", asked)
        if name and asks and "=" not in right and value(right) is not None:
            return replace(found, text=right.strip())
    return found


_INTERVAL = r"[\[(][^()\[\]]{1,40},[^()\[\]]{1,40}[\])]"
_PART = (
    rf"{_INTERVAL}(?:\s*(?:\\cup|\u222a|and)\s*{_INTERVAL})*"
    r"|-?[\w./\\]{1,9}\s?(?:[<>\u2264\u2265]|\\[lg]eq?\b)(?:(?! and\b)[^.,;|\n]){1,40}"
)
# "increasing on (0, 1)", "Domain: x > 0", "| (0, 1) | increasing |", "local minimum at (3, -60)"
_NAMED_PART = re.compile(
    r"\b(domain|range|increas(?:ing|es)|decreas(?:ing|es)|constant|(?:local |relative )?(?:maxim|minim)um)\b"
    rf"[^.\n()\[\]]{{0,25}}?({_PART})|({_INTERVAL})[\s|:$]*(?:is )?(increasing|decreasing|constant)\b",
    re.I,
)
_UNION = r" \cup "


def _by_name(response: Response) -> Reading | None:
    """Read what the last sentence, else the text, says of parts by their names: "increasing: (0, 1), constant: ..."."""
    if not any(map(response.text.__contains__, ("omain", "creas", "imum"))):
        return None
    parts = sentences(response.text)
    begin = max((part.start for part in parts if announcements(part.text)), default=0)
    for said in (parts[-1].text, response.text[begin:]):
        found: dict[str, list[str]] = {}
        for match in _NAMED_PART.finditer(in_words(said).replace("*", "").replace("$", "")):
            name, part = (match[1], match[2]) if match[1] else (match[4], match[3])
            found.setdefault(name.lower().replace("ases", "asing"), []).append(part.strip().replace(", ", ","))
        if len(found) > 1:
            told = {name: _UNION.join(dict.fromkeys(parts)) for name, parts in found.items()}
            alike = len({"imum" in name for name in told}) == 1  # turning points beside intervals belong together
            asked = [part for name, part in told.items() if alike and name.split()[-1][:6] in response.asked.text]
            whole = ", ".join(f"{name}: {part}" for name, part in told.items())
            return Reading(asked[0] if len(asked) == 1 else whole, None, "parts", passage=said[-200:])
    return None


def _set_apart(response: Response) -> Reading | None:
    """Read what a response sets apart as its answer: a formula, or a text that is read like any other."""
    apart = enclosed(response.text)
    if apart is None:
        return None
    later = _announced(replace(response, text=apart.behind)) if apart.rule == "box" else None
    if later is not None and parse(_value_of(later.text or "")) is not None:
        return later
    boxes = [box[2] for box in boxed(apart.passage)]
    chosen = [box for box in boxes if box in apart.behind] if len(boxes) > 1 else []
    if len(chosen) == 1:  # "\boxed{3} and \boxed{5}: the smaller is 3"
        return Reading(undress(chosen[0]), None, "box", passage=apart.behind)
    bare, inside = undress(apart.inside), in_words(apart.inside)
    worded = "$" in inside and named(bare) is None
    derived = apart.rule != "box" and len(sentences(inside)) > 1
    told = (worded and parse(_value_of(bare)) is None) or (derived and len(_WORD.findall(bare)) > 1)
    if response.depth < MAX_DEPTH and (told or announcements(inside) or refuses(bare)):
        within = read_expression(inside, response.expectation, response.depth + 1)
        return NOTHING if within is None else replace(within, rule=apart.rule, passage=within.passage or apart.passage)
    return Reading(bare or None, None, apart.rule, reason="" if bare else "unextracted", passage=apart.passage)


def _displayed(response: Response) -> Reading | None:
    """Read the displayed formula to which the last sentence, which draws no conclusion, is a remark."""
    parts = response.parts
    if len(parts) < 2 or not parts[-2].text.rstrip(" .").endswith(("$$", "\\]")):
        return None
    last, math = response.last, mathematics(parts[-2].text)
    told = math and "=" in math[-1] and not (cue("so").search(last) or "=" in last or numbers(last))
    return Reading(undress(math[-1]), None, "last_math", passage=parts[-2].text) if told else None


_DELIMITED = re.compile(r"\$[^$]+\$")
# "x, and y"
_JOINS = re.compile(r"\s*(?:,|and|or|, and|, or|;)\s*")


def _short(response: Response) -> Reading | None:
    """Read one sentence that announces nothing: "The solutions are $x=-2$ and $x=2$", or an answer alone."""
    text = response.text
    if len(sentences(text)) != 1 or announcements(text):
        return None
    _, *between = _DELIMITED.split(text)
    math = mathematics(text) if between and not re.search(r"\w", between[-1]) else []
    if any("=" in m for m in math) and all(map(_JOINS.fullmatch, between[:-1])):
        return Reading(undress(", ".join(math)), None, "whole", passage=text)
    return _alone(response) if len(text) < 80 else None


def _alone(response: Response) -> Reading | None:
    """Read a text that is an answer and nothing else, or a short sentence that counts something."""
    text = whole = response.text
    *_, said = cue("so").split(cue("in other words").split(text)[-1])
    before = text[: len(text) - len(said)]
    text = said if "=" in said and before.count("(") <= before.count(")") else text
    bare = undress(cue("lead of a formula").sub("", _shorn(text)))
    if response.expectation.kind == "text":
        plain_word = cue("yes or no").match(bare)
        bare = plain_word[1] if plain_word else cue("article").sub("", bare)
        bare = bare if cue("verb of a sentence").search(bare) else cue("end of a formula").sub("", bare)
    worded = len(_WORD.findall(bare))
    sentence = bool(worded and cue("verb of a sentence").search(bare))
    if worded > 1 and not sentence and len(numbers(bare, words=True)) == 1 and not _SIGN.search(text):
        counted = _counted(replace(response, text=text))  # "Eric gets 23 marbles"
        if counted is not None:
            return counted
    stated = cue("given value").match(bare)
    if stated and is_equation(stated[1]):
        return Reading(stated[1], None, "last_sentence", passage=whole)
    if worded > 3 and _EQUALS.search(bare):  # a sentence that ends in an equation
        bare = bare.rpartition("=")[2].strip() if "=" in bare else _equation(bare)
        sentence = bool(cue("verb of a sentence").search(bare))
    alone = bare and not (" " in bare and sentence) and not refuses(bare) and not CODE.search(text)
    return Reading(bare, None, "whole", passage=whole) if alone else None


# "the area is 16 - 4\u03c0"
_RUN = re.compile(
    r"(?:(?<=\s)|^)(?:[\d\u03c0\u221a(]|\\pi|\\sqrt)(?:[\d.\u03c0\u221a()+*/^{}-]|\\(?:pi|sqrt|frac|cdot|times)(?![a-z])|\s(?=[-+*/\d\u03c0\u221a(]))*"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_OPERATES = re.compile(r"[\u03c0\u221a]|\\(?:pi|sqrt)")


def _around(counted: str, text: str) -> str:
    """Return the formula with a root or \u03c0 in which a number stands in a text, else the number."""
    runs = [m[0].strip(" .") for m in _RUN.finditer(text) if counted in _NUMBER.findall(m[0])]
    return next((run for run in reversed(runs) if _OPERATES.search(run) and parse(run) is not None), counted)


def _counted(response: Response) -> Reading | None:
    """Read a number that is not announced: with its unit, or as the fraction of which it gives the first digits."""
    reading, text = first(UNANNOUNCED, response), response.text
    if reading is None or reading.text is None:
        return reading
    formula = _around(reading.text, text) if "=" not in text else reading.text
    if formula != reading.text:
        return replace(reading, text=formula)
    if not _LONG_DECIMAL.fullmatch(reading.text):
        # "12 cm"
        behind = re.search(rf"(?<![\d.]){re.escape(reading.text)}\s?([A-Za-z]{{1,12}})(?![\w^])", text)
        unit = behind[1] if behind and behind[1] in UNITS and len(behind[1]) > 1 else ""
        return replace(reading, text=f"{reading.text} {unit}") if unit else reading
    return replace(reading, text=str(Fraction(reading.text).limit_denominator(1_000_000)))


# "x = 5 or x = -5; since lengths are positive, x = 5"
_REASONED = re.compile(r"\b(?:since|because)\b[^,=\n]*,\s+([^,\n]*=[^,\n]*)$")
# "the maximum is 60 at x = 3"
_WHERE = re.compile(r"(?<=\d)\s+at\s+\$?[a-z]\s*=[^=\n]{1,20}$")
# "x", but no article
_SAYS = re.compile(r"\d|\\|\b(?![Aa]\b)[A-Za-z]\b")


def _shorn(text: str) -> str:
    """Return a sentence without condition and remark at its end, if a number, a letter or a formula is left of it."""
    text = _WHERE.sub("", text)
    reasoned = _REASONED.search(text)
    text = reasoned[1] if reasoned else text
    for role in ("aside of a formula", "behind value"):
        shorn = cue(role).sub("", text)
        text = shorn if _SAYS.search(shorn) else text
    return text


# "V \approx 12.5"
_EQUALS = re.compile(r"=|\u2248|\\approx(?![a-z])")


def _value_of(text: str) -> str:
    return split_unit(decimal_points(_EQUALS.split(text)[-1].strip()))[0].strip()


def _announced(response: Response) -> Reading | None:
    """Read the last announcement."""
    for i, span in announced(response.parts):
        bare = undress(span)
        if not pieces(bare):
            said = cue("behind value").sub("", cue("in other words").split(span)[-1].rstrip(" !*\n"))
            bare = undress(cue("end of a formula").sub("", said))
        if (len(_WORD.findall(bare)) > 3 or _HAN.match(bare)) and parse(_value_of(bare)) is None:
            # "it has decreased by $3\pi$ degrees", "it has 12 faces"
            math = [m for m in map(undress, mathematics(span)) if parse(_value_of(m)) is not None]
            counted = [n.text for n in numbers(bare)]
            bare = math[-1] if math else _around(counted[0], bare) if len(counted) == 1 else bare
        if bare and (re.search(r"\d", bare) or not _VALUE_IN_BOLD.fullmatch(response.last)):
            return Reading(bare, None, "statement", passage=response.parts[i].text)
    return None


# "**He needs 20 more cubes.**"
_VALUE_IN_BOLD = re.compile(r"\s*\*\*[^*\n\d]*\d[^*\n]*\*\*[\s.]*")
# "Shape C is not used."
_SUBJECT = re.compile(r"\W*(?:the )?(?:[A-Za-z]+ )?([A-Z])\s+(?:is|are|was)\b(.{3,80})", re.S)


def _words(response: Response) -> Reading | None:
    """Read what the last sentence says of its subject: "The function is even"."""
    last = response.last
    given = cue("given value").search(cue("aside of a formula").sub("", last))
    if given is None or refuses(last):
        return None
    bare = undress(cue("end of a formula").sub("", given[1]))
    subject = _SUBJECT.match(cue("so").split(last)[-1])
    if subject and content(subject[2]) <= response.asked.words:
        bare = subject[1]  # "Which shape is not used?", "Shape C is not used."
    return Reading(bare, None, "words", passage=last) if bare and len(bare.split()) < 6 else None


# "the origin, (0, 0)"
_APPOSED = re.compile(rf"[A-Za-z ]+,\s({_TUPLE.pattern})[\s.$]*$")
# "4:30 pm", "in the ratio 1 : 64"
_TIME_OR_RATIO = re.compile(
    r"\b(\d{1,2}:\d\d\s?[ap]\.?m)\b|\bratio\b\D{0,20}?(\d{1,9}(?:\s?:\s?\d{1,9})+)[\s.]*$", re.I
)


def _in_bold(response: Response) -> Reading | None:
    """Read the last value in bold of the last sentence."""
    bold = [b for b in _BOLD.findall(response.last) if not b.endswith(":") and _is_value(undress(b))]
    return Reading(undress(bold[-1]), None, "bold", passage=response.last) if bold else None


def _last(response: Response) -> Reading | None:
    """Read the mathematics of the last sentence: in dollars, behind its verb or its sign of equality."""
    whole, asked = response.last, "".join(response.asked.text.split())
    math = ["".join(m.lower().split()) for m in mathematics(whole)]
    if math and all("=" in m and m in asked for m in math):
        return None  # the question's equation: "So $f(x) = 6$ has 5 solutions."
    if refuses(whole) and not numbers(whole):
        return None
    last = cue("reason first").sub("", cue("in other words").split(whole)[-1])
    concluded = cue("so").split(last)[-1]
    last = _shorn(concluded if numbers(concluded, words=True) else last)
    apart = [m[1] or m[2] for m in _TIME_OR_RATIO.finditer(last)]
    if len(apart) == 1:
        return Reading(apart[0], None, "last_sentence", passage=whole)
    math = [m for m in mathematics(last) if not m.rstrip().endswith("=")]  # no "4.50 =" of "3 x $4.50 = $13.50"
    if not all(map(_NAME.fullmatch, math)):
        math = [m for m in math if not _ONLY_UNIT.fullmatch(m)] or math
    elif numbers(last, words=True):
        math = []  # "3 of the 4 numbers in place of $x$", "the area of $ABCD$ is 18"
    if math:
        return Reading(undress(math[-1]), None, "last_math", passage=whole)
    bare = undress(cue("lead of a formula").sub("", last))
    lead, *stated = _EQUALS.split(bare)
    worded = stated and len(_WORD.findall(lead)) > 3
    if "=" not in bare and not worded and _is_value(bare):
        return Reading(bare, None, "last_sentence", passage=whole)
    if "=" in last or worded:
        return Reading(undress(_equation(last)), None, "last_equation", passage=whole)
    given = cue("given value").match(last)
    apposed = _APPOSED.search(given[1]) if given else None
    bare = undress(cue("end of a formula").sub("", apposed[1] if apposed else given[1])) if given else ""
    values = listed(bare) if given and " are " in last else ()
    told = _is_value(bare) or (len(values) > 1 and all(map(_is_value, values)))
    return Reading(bare, None, "last_sentence", passage=whole) if told else None


def _equation(said: str) -> str:
    """Return the last equation of a sentence without the words around it, or the value that is given behind it."""
    said = _UNIT_WITHIN.sub(lambda m: "" if m[1] in UNITS else m[0], said)
    equations = [m for m in _MATH.finditer(said) if _EQUATED.search(m[0])]
    few = len(_WORD.findall(said)) <= 3
    side = cue("lead of a formula").sub("", said if few else said.rpartition("=")[2])
    derived = len(equations) > 1 and _SUM.match(equations[-1][0])  # "a = 36, b = 9 and a + b = 45"
    if not equations or (not derived and not _LONG_WORD.search(side) and _is_value(undress(side))):
        return side
    if given := _GIVEN_BEHIND.fullmatch(said, equations[-1].end()):
        return given[1]
    last = equations[-1][0].strip(" ,(")
    joined = len(equations) > 1 and _JOINS.fullmatch(said, equations[-2].end(), equations[-1].start())
    if joined and equations[-2][0].partition("=")[0].strip() == last.partition("=")[0].strip():
        return f"{equations[-2][0]}, {last}"
    left, _, right = last.rpartition("=")
    return right if left.count(")") > left.count("(") or _OF_ONE.fullmatch(left) else last  # "(a, b) = (20, 10)"


# What mathematics is made of: numbers, commands, names, commas of points and of named values, signs.
_LETTER = r"[^\W\d_\u00b2\u00b3\u00b9\u2070-\u209f]"  # raised digits are none
_ELEMENT = (
    rf"(?:\d+(?:[.,]\d+)*(?![.,]?\d)|\\[A-Za-z]+|(?<!{_LETTER})(?<![a-z]')(?:sin|cos|tan|log|ln|sqrt|[A-Za-z\u03b1-\u03c9])(?!{_LETTER}|'[a-z])"
    r"|,(?=\s?(?:[-+\u2212]?[\d(\[]|[A-Za-z]\s?=))|[^\w\s.,;:?'\"$*\\]|\\(?![A-Za-z])|[*_](?!\*)|[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f])"
)
# "y = -2x + 5"
_MATH = re.compile(rf"{_ELEMENT}(?:\s?{_ELEMENT})*")
# "2 * 37 mm = 74 mm"
_UNIT_WITHIN = re.compile(r"(?<=\d)\s([a-z]{1,3})(?=\s?[=\u2248])")
# "x = 3"
_EQUATED = re.compile(r"[^\s([{]\s?(?:=|\u2248|\\approx)\s?[^\s)]")
# "2S = 54", "a + 3 = 7": a value is given, no equation
_OF_ONE = re.compile(r"\s*(?:\d+\s?[A-Za-z]|[A-Za-z]\s?[-+]\s?\d+)\s*")
# "a + b = 45"
_SUM = re.compile(r"[A-Za-z]\s?[-+*/]\s?[A-Za-z]\s?=")
# ", and the probability is 0.75."
_GIVEN_BEHIND = re.compile(rf"[^.?!]*\b(?:is|are)\s+({_ELEMENT}(?:\s?{_ELEMENT})*)[.\s]*")
# "other"
_LONG_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4}")


def _is_value(bare: str) -> bool:
    return parse(_value_of(bare)) is not None or _POINT.fullmatch(bare) is not None or is_inequality(bare)


def _at_end(response: Response) -> Reading | None:
    """Read the result that the last sentence sets apart; of "number 3" the number."""
    found = at_end(response, read_expression)
    text = (found and found.text) or ""
    told = () if _is_value(text) else numbers(text)
    return replace(found, text=told[0].text) if found is not None and len(told) == 1 else found


# What counts more stands before what counts less.
_ANNOUNCED = (_set_apart, _by_name, rejected, _announced, broken_off, _at_end, _in_bold, _short)
RANKING = (*_ANNOUNCED, _displayed, _last, _counted, _words)
TEXTS = (*_ANNOUNCED, _words)  # where words are asked for
