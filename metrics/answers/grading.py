"""Whether a given answer equals the gold: by kind, cheapest means first."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import Unvalued, digits, exact, same, variables
from mmmath_tasks.metrics.answers.expressions import Node, parse, ratio
from mmmath_tasks.metrics.answers.letters import option_named
from mmmath_tasks.metrics.answers.numbers import number, numbers, several, split_unit, unit_ratio
from mmmath_tasks.metrics.answers.options import LETTERS, options
from mmmath_tasks.metrics.answers.records import Expectation
from mmmath_tasks.metrics.answers.relations import bearing, equal_relations, same_parts

# "\frac{10}{3} \approx 3.33"
_APPROX = re.compile(r"\\approx(?![a-z])|\\simeq(?![a-z])|\u2248|\u2243|\\doteq")
# "Area of ABC = 12"
_LABEL = re.compile(
    r"(?:[A-Za-z\u0391-\u03c9\u2220\u25b3\\][\w\s'.,\\{}\u2220\u25b3\u00b0()-]{0,60}?|\([a-z] ?, ?[a-z]\))"
    r"\s*(?:=|:(?![\d/]))\s*"
)
# "14 regions"
_WORDS_AFTER = re.compile(r"(?<=[\d)}\u00b0%\u03c0])\s+[A-Za-z][A-Za-z ,.'-]*$|(?<=\\pi)\s+[A-Za-z][A-Za-z ,.'-]*$")
# "the Pythagorean theorem"
_ONLY_WORDS = re.compile(r"(?=[^\n]{0,40}[A-Za-z]{3})[A-Za-z]+(?:[ '-][A-Za-z]+)*")
# "x \\in [0, 1)" names its interval, "P(3, -2)" its point.
# "x \in (-1, 2)"
_NAME = re.compile(
    r"^[A-Za-z]\s*(?:\\in(?![A-Za-z])|\u2208)\s*(?=\S)"
    r"|^(?:[A-Z]'?\s?|[A-Za-z][A-Za-z ]{1,30}:\s*)(?=\([^()]*,[^()]*\)$)"
)
# "x is equal to 12"
_EQUALS_WORD = re.compile(r"\s+(?:equals|is equal to|is|are)\s+(?:about |approximately )?(?=[-\d\\$(\u221a])")

_DECIMAL_COMMA = re.compile(r"-?\d+,(?:\d{1,2}|\d{4,9})")
_LONGEST = 2_000  # characters of an answer or a gold that are compared


def equal(given: str, gold: str, expectation: Expectation) -> bool:
    """Tell whether an answer, as read or as extracted elsewhere, equals the gold in the form asked.

    Args:
        given: the answer without its sentence: a letter, an option's text, a number, an expression.
        gold: the gold as the data set stores it; for kind "choice" a letter or an option's text.
        expectation: the same that `read` was given.

    Returns:
        False also where either cannot be understood. Never raises, and is bounded in time for any text.
    """
    given, gold = given[:_LONGEST], gold[:_LONGEST]
    if not given or not gold:
        return False
    if expectation.kind == "choice" and expectation.choices:
        return _equal_choice(given, gold, expectation)
    if expectation.kind in {"integer", "float"}:
        return _equal_number(given, gold, expectation)
    if expectation.kind == "list":
        return _equal_list(given, gold)
    return equivalent(given, gold)


def _equal_choice(given: str, gold: str, expectation: Expectation) -> bool:
    offered = options(expectation.choices)
    letter = re.fullmatch(r"[A-Z]", gold.strip())
    if letter and LETTERS.index(letter.group()) < len(expectation.choices):
        wanted = {LETTERS.index(letter.group())}  # a letter, even where an option's text is that letter too
    else:
        wanted = {i for i, text in enumerate(expectation.choices) if text.strip() == gold.strip()}
    if not wanted:
        found = option_named(gold, offered)
        wanted = set() if found is None else {found}
    chosen = option_named(given, offered)
    if chosen is None or not wanted:
        return False
    # Options that repeat a text are the same answer.
    return chosen in wanted or any(
        expectation.choices[chosen].strip() == expectation.choices[i].strip() for i in wanted
    )


def _equal_number(given: str, gold: str, expectation: Expectation) -> bool:
    wanted, found = value(gold), value(given)
    if wanted is None or found is None or expectation.precision is None or max(abs(found), abs(wanted)) > 10**15:
        return wanted is not None and wanted == found
    if expectation.kind == "float":
        return round(float(found), expectation.precision) == round(float(wanted), expectation.precision)
    return wanted == found


def _equal_list(given: str, gold: str) -> bool:
    return [n.value for n in numbers(given)] == [n.value for n in numbers(gold)] != []


@lru_cache(maxsize=4096)
def value(text: str) -> Fraction | None:
    """Return the rational value of an answer, its unit, label and words taken off; None where there is none."""
    bare = undress(text)
    if several(bare):
        return None
    found = number(bare)
    if found is not None:
        return found
    bare, _ = split_unit(_unlabelled(bare))
    found = number(bare)
    if found is None:
        bare = _WORDS_AFTER.sub("", bare)
        found = number(bare)
    if found is None:
        node = parse(bare)
        found = None if node is None else exact(node)
    return found


@lru_cache(maxsize=16384)
def equivalent(given: str, gold: str) -> bool:
    """Tell whether two answers of any mathematical kind are equal (tuples, sets, intervals, equations, values, words).

    Units convert where both have one, and do not matter otherwise; a rounded decimal is not its exact value.
    """
    a, b = _plainly(undress(given)), _plainly(undress(gold))
    if not a or not b:
        return False
    if _key(a) == _key(b) or b.split() == [a, a]:
        return True  # a gold may stand on two lines
    towards = bearing(b)
    if towards is not None and towards[1]:
        found = bearing(a)
        return found is not None and found[0] == towards[0]
    divided = same_parts(a, b, equivalent)
    if divided is not None:
        return divided
    if a.count(":") > 1 and a.count(":") == b.count(":"):
        terms = [[value(term) or 0 for term in text.split(":")] for text in (a, b)]
        return all(x and x * terms[1][0] == y * terms[0][0] for x, y in zip(*terms, strict=True))
    a, b = _NAME.sub("", a), _NAME.sub("", b)
    if _DECIMAL_COMMA.fullmatch(a) and "," not in b:
        a = a.replace(",", ".")
    a, b = _EQUALS_WORD.sub(" = ", a, count=1), _EQUALS_WORD.sub(" = ", b, count=1)
    related = equal_relations(a, b)
    if related is not None:
        return related
    wanted = _unlabelled(b)
    return any(_same_value(part, wanted) for part in _parts(a))


# "all real numbers"
_REALS = re.compile(
    r"(?:x\s*\\in\s*)?\\mathbb\s*\{?R\}?|(?:the set of )?all real (?:numbers|values)"
    r"|\(\s*-\\infty\s*,\s*\+?\\infty\s*\)",
    re.I,
)
# "no real solution"
_NOTHING = re.compile(
    r"\\emptyset|\\varnothing|\\\{\s*\\\}|(?:there (?:is|are) )?no (?:real )?solutions?|(?:the )?empty set",
    re.I,
)
# "4:30 pm"
_HALF_DAY = re.compile(r"(?<=\d)\s*[ap]\.?\s?m\b\.?$", re.I)
# "triangle ABC"
_KIND_OF_NAME = re.compile(r"^\\?(?:triangle|line|segment|point|side|\u25b3)\s*(?=[A-Z]{1,4}$)")
# "1.5 million"
_SCALED = re.compile(rf"(-?[\d,]*\d(?:\.\d+)?) ({'|'.join(lexicon.values('scale'))})", re.I)
# "8th"
_ORDINAL = re.compile(r"(\d{1,6})\s?(?:st|nd|rd|th)")
# "approximately 3.5"
_ABOUT = re.compile(r"^(?:approximately|about|roughly|around)\s+(?=[-\d\\$])", re.I)
_SINGLE = re.compile(r"\\\{([^,;{}]{1,60}|[^,;]{1,60})\\\}")


def _plainly(text: str) -> str:
    """Return a bare answer with one spelling of what has several: the reals, nothing, a set of one, an ordinal."""
    if _REALS.fullmatch(text):
        return r"\mathbb{R}"
    if _NOTHING.fullmatch(text):
        return r"\emptyset"
    if text.startswith("[["):
        text = text.replace("[", "(").replace("]", ")")  # a matrix as programs print it
    text = _HALF_DAY.sub("", _KIND_OF_NAME.sub("", text.replace("\\langle", "(").replace("\\rangle", ")")))
    scaled = _SCALED.fullmatch(text)
    if scaled:
        text = str(Fraction(scaled[1].replace(",", "")) * lexicon.values("scale")[scaled[2].lower()])
    if text.isalpha() and (worded := numbers(text.lower(), words=True)) and worded[0].text == text.lower():
        text = str(worded[0].value)  # "two"
    ordinal, single = _ORDINAL.fullmatch(text), _SINGLE.fullmatch(text)
    if ordinal or single:
        return (ordinal or single)[1].strip()  # type: ignore[index]
    return _ABOUT.sub("", text).replace("\\overrightarrow", "\\vec")


def _parts(text: str) -> list[str]:
    """Return the ends of `text` that may stand for its value: the last side of an equation, each side of "about"."""
    return [_unlabelled(part).strip() for part in _APPROX.split(text) if part.strip()][:4]


def _unlabelled(text: str) -> str:
    """Return what stands behind "x =", "Area =", "f(x) =" or at the end of a chain of equations."""
    if "=" in text and not re.search(r"[<>\u2264\u2265!]=", text):
        left, _, right = text.rpartition("=")
        if re.fullmatch(r"\s*[A-Za-z]\s*", right) and not re.fullmatch(r"\s*[A-Za-z]\s*", left):
            return left.strip()  # 5 = s
        return right.strip()
    if ":" in text:
        match = _LABEL.match(text)
        if match:
            return text[match.end() :].strip()
    return text


def _same_value(given: str, gold: str) -> bool:
    if _key(given) == _key(gold):
        return True
    if _ONLY_WORDS.fullmatch(given) and _ONLY_WORDS.fullmatch(gold) and _words(given) == _words(gold) != "":
        return True
    x, unit_x = split_unit(given)
    y, unit_y = split_unit(gold)
    factor = unit_ratio(unit_x, unit_y)
    a, b = _tree(x), _tree(y)
    if a is not None and b is not None:
        if factor != 1:
            a = ("mul", a, ("num", factor))
        if same(a, b):
            return True
        # "5m" may be five metres or five times m: compare whole forms too where only one side lost a letter.
        if (unit_x is None) != (unit_y is None):
            a, b = _tree(given), _tree(gold)
            return a is not None and b is not None and same(a, b)
        return False
    return a is None and b is None and _words(given) == _words(gold) != ""


@lru_cache(maxsize=8192)
def _tree(text: str) -> Node | None:
    node = ratio(text) if " to " in text else parse(text)
    if node is None:
        found = number(text)
        if found is not None:
            return ("num", found)
        node = parse(_WORDS_AFTER.sub("", text))
    if node is None:
        node = ratio(text)
    return node


def _key(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def _words(text: str) -> str:
    # "in the"
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"^\W*(?:in|on|at)\b|\b(?:the|an?|is)\b", " ", text.casefold())))


def approximate(text: str) -> float | None:
    """Return the value of an answer as a float, irrational ones too; None where there is none or it is not real."""
    found = value(text)
    if found is not None:
        return float(found) if abs(found) < 10**300 else None
    node = _tree(split_unit(_unlabelled(undress(text)))[0])
    if node is None or variables(node):
        return None
    try:
        result = digits(node)
    except Unvalued:
        return None
    return float(result.real) if abs(result.imag) < 1e-20 and abs(result) < 1e300 else None
