"""Whether two answers are equal: values, words, lists, tuples, intervals, equations, inequalities, named parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import exact, proportional, same, variables
from mmmath_tasks.metrics.answers.expressions import Node, parse, ratio
from mmmath_tasks.metrics.answers.numbers import COMPOUND, decimal_points, number, several, split_unit, unit_ratio
from mmmath_tasks.metrics.answers.spellings import plainly, unlabelled


@lru_cache(maxsize=16384)
def equivalent(given: str, gold: str) -> bool:
    """Tell whether two answers of any mathematical kind are equal (tuples, sets, intervals, equations, values, words).

    Units convert where both have one, and do not matter otherwise; a rounded decimal is not its exact value.
    """
    a, b = plainly(given), plainly(gold)
    if not a or not b:
        return False
    if _key(a) == _key(b) or b.split() == [a, a]:
        return True  # a gold may stand on two lines
    if a.replace(".", "", 1).isdecimal() and b.replace(".", "", 1).isdecimal():
        return Fraction(a) == Fraction(b)
    a = decimal_points(a) if "," in a and _elements(b) is None else a
    a = a if _INEQUALITY.search(b) else _unconditional(a)
    for compared in (_same_bearing, _same_time, _same_parts, _same_ratios):
        verdict = compared(a, b)
        if verdict is not None:
            return verdict
    if (found := pieces(a)) and (wanted := pieces(b)):
        return _matched(found, wanted, lambda one, other: all(map(equivalent, one, other)))
    first, *sides = b.split("=")
    if len(sides) > 1 and a.count("=") == 1:  # a gold may be a chain of equations: y = (x + 2)^3 = x_1(x + 2)
        return any(equivalent(a, f"{first}={side}") for side in sides)
    verdict = equal_relations(a, b)
    if verdict is not None:
        return verdict
    # "10/3 \\approx 3.33" gives the answer twice, "x \\approx 3" its name and its value
    sides = [side for side in map(str.strip, _APPROX.split(b)) if (node := _quantity(side)) and not variables(node)]
    golds = sides if _APPROX.search(b) and sides else [unlabelled(b)]
    return any(_same_value(unlabelled(side).strip(), gold) for side in _APPROX.split(a)[:4] for gold in golds)


def _same_ratios(given: str, gold: str) -> bool | None:
    """Compare ratios of three terms or more."""
    if given.count(":") < 2 or given.count(":") != gold.count(":"):
        return None
    terms = [[value(term) or 0 for term in text.split(":")] for text in (given, gold)]
    return all(x and x * terms[1][0] == y * terms[0][0] for x, y in zip(*terms, strict=True))


# "4:30 pm"
_TIME = re.compile(r"(\d{1,2}):(\d\d)\s*(?:([ap])\.?\s?m\b\.?)?", re.I)


def _same_time(given: str, gold: str) -> bool | None:
    """Compare times of day, one of them at least with its half of the day."""
    found = [_TIME.fullmatch(text) for text in (given, gold)]
    times = [(int(m[1]) % 12, m[2], m[3].lower() if m[3] else "ap"[int(m[1]) > 12 :]) for m in found if m]
    if len(times) < 2 or not any(m[3] for m in found if m):
        return None
    (hour, minute, half), (hours, minutes, halves) = times
    return hour == hours and minute == minutes and (half in halves or halves in half)


# "\frac{10}{3} \approx 3.33"
_APPROX = re.compile(r"\\approx(?![a-z])|\\simeq(?![a-z])|\u2248|\u2243|\\doteq")

# "14 regions"
_WORDS_AFTER = re.compile(r"(?:(?<=[\d)}\u00b0%\u03c0])|(?<=\\pi))\s+[A-Za-z][A-Za-z ,.'-]*$")
# "the Pythagorean theorem"
_ONLY_WORDS = re.compile(r"(?=[^\n]{0,40}[A-Za-z]{3})[A-Za-z]+(?:[ '-][A-Za-z]+)*")


@lru_cache(maxsize=4096)
def value(text: str) -> Fraction | None:
    """Return the rational value of an answer, its unit, label and words taken off; None where there is none."""
    bare = undress(text)
    if several(bare):
        return None
    found = number(bare)
    node = None if found is not None else _quantity(split_unit(unlabelled(bare))[0])
    return found if node is None else exact(node)


def _tree(text: str) -> Node | None:
    found = number(text)
    return parse(text) if found is None else ("num", found)


def _quantity(text: str) -> Node | None:
    """Return the tree of a single value, the words behind it left out where it has no other."""
    return _tree(text) or _tree(_WORDS_AFTER.sub("", text))


def _same_value(given: str, gold: str) -> bool:
    if _ONLY_WORDS.fullmatch(given) and _ONLY_WORDS.fullmatch(gold) and _words(given) == _words(gold) != "":
        return True
    (x, unit_x), (y, unit_y) = split_unit(given), split_unit(gold)
    a, b = ratio(x) or _quantity(x), ratio(y) or _quantity(y)
    if a is None or b is None:
        return a is b and _words(given) == _words(gold) != ""
    factor = unit_ratio(unit_x, unit_y)
    if same(a if factor == 1 else ("mul", a, ("num", factor)), b):
        return True
    # "5m" may be five metres or five times m: compare whole forms too where only one side lost a letter.
    a, b = _quantity(given), _quantity(gold)
    return (unit_x is None) != (unit_y is None) and a is not None and b is not None and same(a, b)


# "x + 1"; the blank of "2 1/2" counts
_BLANKS = re.compile(r"(?<!\d)\s+|\s+(?!\d)")


def _key(text: str) -> str:
    return _BLANKS.sub("", text).replace("\\angle", "\u2220").casefold()


# "a" and "-", but no hyphen
_WORD_OR_SIGN = re.compile(r"[^\W_]+|[+*/^<>=]|(?<![a-z])-|-(?![a-z])")


def _words(text: str) -> str:
    # "in the", "is"
    return " ".join(_WORD_OR_SIGN.findall(re.sub(r"^\W*(?:in|on|at)\b|\b(?:the|an?|is)\b", " ", text.casefold())))


# "x \leq 3"
_COMPARISON = re.compile(r"(?<!\d)!=|\\(?:[lg]e(?:q|qslant)?|[lg]t|neq?)(?![A-Za-z])|<=|>=|[<>=\u2264\u2265\u2260]")
_SIGNS = {"le": "<=", "ge": ">=", "lt": "<", "gt": ">", "ne": "!=", "\u2264": "<=", "\u2265": ">=", "\u2260": "!="}
_BRACKETED = re.compile(r"\s*(\\\{|[\[({])(.*?)(\\\}|[\])}])\s*$", re.S)
# "f(x)"
_NAME = r"(?:[A-Za-z][A-Za-z0-9_'{}]{0,12}|\\[a-z]+|[A-Za-z]\s*\((?:[a-z]|-?\d{1,3})\)|[\u2220\u25b3]\s*[A-Z]{1,3})"
# "(x, y)"
_LABEL = re.compile(rf"\s*(?:{_NAME}|\(\s*{_NAME}\s*,\s*{_NAME}\s*\)|[A-Za-z][A-Za-z. ]{{0,40}})\s*$")
# One of these stands in whatever is more than one value: "x \le 3", "1 and 2"
_RELATED = re.compile(
    r"[=<>,;\n\u2264\u2265\u2260\u00b1\u222a]|\\(?:[lgn][a-z]|pm|cup)|\b(?:and|or)\b|[\])]\s*U\s*[\[(]"
)


def equal_relations(given: str, gold: str) -> bool | None:
    """Compare answers that are tuples, sets, intervals, equations, inequalities; None where both are single values."""
    if not _RELATED.search(given) and not _RELATED.search(gold):
        return None
    given, gold = _punctured(given), _punctured(gold)
    a, b = _elements(given), _elements(gold)
    if a is None and b is None:
        return _same_relations(given, gold)
    a, b = a or _elements(_interval(given)), b or _elements(_interval(gold))  # 1 < x <= 3 is (1, 3]
    if a is None or b is None:
        return False
    (kind, found), (gold_kind, wanted) = a, b
    kinds = {kind, gold_kind}
    if kinds == {"set", "()"} and all("=" in part for part in (found if kind == "set" else wanted)):
        kinds = {"()"}  # y = -4, x = 3 is (3, -4)
        found, wanted = (tuple(sorted(parts)) if "=" in parts[0] else parts for parts in (found, wanted))
    if kinds == {"set"}:
        return _matched(found, wanted, equivalent)
    # A list of three or more is one with brackets or without.
    alike = len(kinds) == 1 or (kinds == {"set", "[]"} and len(wanted) > 2)
    return alike and len(found) == len(wanted) and all(map(equivalent, found, wanted))


# "x \leq 3"
_INEQUALITY = re.compile(r"[<>\u2264\u2265\u2260]|\\(?:[lg]e|[lg]t|ne)q?(?![A-Za-z])")


def _unconditional(text: str) -> str:
    """Return an answer without the bounds of its variable behind it: "A = 2x" for "A = 2x, 0 < x < 6"."""
    said = [part.strip() for part in _PIECE.split(text.replace(" (", ", ("), maxsplit=1) if part.strip()]
    # "x \in [0, 6]"
    if len(said) != 2 or not (_INEQUALITY.search(said[1]) or re.match(r"[a-z]\s*(?:\\in\b|\u2208)", said[1])):
        return text
    bounded = {*re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", said[1])}  # "0 < x < 6"
    return said[0] if len(bounded) == 1 and min(bounded) in said[0] and not _INEQUALITY.search(said[0]) else text


# "[0, 5] \setminus \{3\}", "0 < x < 5, x \ne 3"
_PUNCTURED = re.compile(
    r"(.*?)\s*(?:\\setminus|\\backslash|\\)\s*\\?\{([^,{}]{1,20})\}"
    r"|(.*?),?\s*(?:\band\b)?\s*(?<![A-Za-z])[A-Za-z]\s*(?:\\neq?(?![a-z])|\u2260|!=)\s*([^,]{1,20})"
)


def _punctured(text: str) -> str:
    """Write an interval without one of its points as the union of two."""
    match = _PUNCTURED.fullmatch(text)
    if match is None:
        return (_interval(text) or text) if " and " in text else text  # "x > 1 and x < 3"
    whole, point = match[1] or match[3] or "", (match[2] or match[4]).rstrip("\\")
    whole = r"(-\infty, \infty)" if whole in {"", r"\mathbb{R}"} else _interval(whole) or whole
    low, _, high = whole.partition(",")
    return rf"{low}, {point}) \cup ({point}, {high}" if high and "," not in high else text


# "x + 1 if x > 0"
_PIECE = re.compile(r"[,;]|\b(?:and|for|if|when|where|with)\b|(?<=[\d\w])\s+(?=[a-z]\s?\([a-z]\)\s*=)", re.I)


def pieces(text: str) -> tuple[tuple[str, str], ...]:
    """Return the formulas of a function defined piece by piece, each with where it holds; () where there are none."""
    if "=" not in text or not _INEQUALITY.search(text):
        return ()
    said = [part.strip(" .") for part in _PIECE.split(text) if part.strip(" .")]
    bounds = [_INEQUALITY.search(part) is not None for part in said]
    if len(said) < 4 or len(said) % 2 or any(a == b for a, b in pairwise(bounds)):
        return ()
    pairs = zip(said[bounds[0] :: 2], said[not bounds[0] :: 2], strict=True)
    return tuple((formula.rpartition("=")[2].strip(), bound) for formula, bound in pairs)


def _matched(given: tuple[Any, ...], gold: tuple[Any, ...], same: Callable[[Any, Any], bool]) -> bool:
    """Tell whether each of some things is the same as one of others, and none is left."""
    rest = list(gold)
    for part in given if len(given) == len(rest) <= 20 else ():
        found = next((other for other in rest if same(part, other)), None)
        if found is None:
            return False
        rest.remove(found)
    return not rest


# "1 \pm \sqrt{2}"
_PLUS_MINUS = re.compile(r"\\pm(?![a-z])|\u00b1")


def _elements(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the brackets and the parts of a tuple, list, set or union; None where the text is a single value."""
    left, sign, right = text.rpartition("=")
    if len(_PLUS_MINUS.findall(text)) == 1 and _PLUS_MINUS.search(right):  # "x = 1 \\pm a" is "x = 1 + a, x = 1 - a"
        plus, minus = (_PLUS_MINUS.sub(s, right).strip() for s in "+-")
        text = f"{left}{sign}{plus.lstrip('+')}, {left}{sign}{minus}"
    match = _BRACKETED.match(text)
    depths, brackets = _depths(match[2]) if match else [], ""
    if match and min(depths, default=0) == 0 == sum(depths[-1:]):
        brackets, text = match[1][-1] + match[3][-1], match[2]
    elif COMPOUND.fullmatch(text):
        return None  # "2 hours and 30 minutes"
    parts = listed(text, bracketed=brackets != "")
    if len(parts) > 1:
        return "set" if brackets in {"{}", ""} else brackets, parts
    bare = unlabelled(text)
    return None if bare == text else _elements(bare)


# "1 and 2"
_BETWEEN = re.compile(r"[,;\n\u222a]|\b(?:and|or)\b|\\cup(?![A-Za-z])|(?<=[\])])\s*U\s*(?=[\[(])")
# "1,234"
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_END = " ,;.:\n"


def listed(text: str, bracketed: bool = False) -> tuple[str, ...]:
    """Return the parts of a list, brackets whole; "1,234" is one, but two where the text stood in brackets."""
    depths, gaps = _depths(text), [(0, 0)]
    for gap in _BETWEEN.finditer(text):
        if depths[gap.start()] <= 0 and (bracketed or not _THOUSANDS.match(text, gap.start() - 1)):
            gaps.append(gap.span())
    parts = (text[start:end] for (_, start), (end, _) in pairwise([*gaps, (len(text), 0)]))
    stripped = (part.lstrip(" ,;:\n").rstrip(_END) for part in parts)  # ".5" keeps its point
    return tuple(part for part in stripped if part)


def _depths(text: str) -> list[int]:
    """Return in how many brackets each character of a text stands."""
    return list(accumulate((sign in "([{") - (sign in ")]}") for sign in text))


def _same_relations(given: str, gold: str) -> bool | None:
    """Compare equations and inequalities; None where both are single values."""
    given, gold = (_HEADED.sub("", text) for text in (given, gold))
    found, wanted = _relation(given), _relation(gold)
    if found and wanted:
        return _matched(found, wanted, lambda a, b: a[0] == b[0] and proportional(a[1], b[1], positive="<" in b[0]))
    either = found or wanted
    if not either or either[0][0] != "=":
        return False if either else None
    left = (given if found else gold).partition("=")[0]
    # "m + n = 7" gives the value of m + n, "3x + 2x = 5x" works something out; no value is the equation it stands in.
    gives = found and (_names_quantity(parse(left.strip())) or _is_identity(found[0]))
    return None if gives or _LABEL.match(left) else False


def _is_identity(relation: tuple[str, Node]) -> bool:
    """Tell whether the two sides of an equation are the same formula."""
    _, (_, left, (_, right)) = relation
    return same(left, right)


def _names_quantity(node: Node | None, inside: bool = False) -> bool:
    """Tell whether a side of an equation only names what the other is: AB/BC, m + n, sin X, and no 2x or x^2."""
    match node:
        case ("var", _):
            return True
        case ("pow", base, ("num", _)):  # the square of a length in two letters stands within a product
            return inside and _names_quantity(base)
        case ("fn", "sin" | "cos" | "tan", of):
            return _names_quantity(of)
        case ("add", a, ("neg", b)) | ("add" | "mul" | "div", a, b):
            return all(_names_quantity(part, inside=node[0] == "mul") for part in (a, b))
    return False


_HEADED = re.compile(r"^[A-Za-z][A-Za-z ]{1,40}:\s")  # "Region: y < 2x"


def _compared(text: str) -> list[tuple[str, str, str]]:
    """Return the parts of a relation as sign and sides, the smaller side first: ("<=", "1", "x") for x >= 1."""
    signs = [_SIGNS.get(sign.lstrip("\\")[:2], sign) for sign in _COMPARISON.findall(text)]
    *sides, last = [side.strip() for side in _COMPARISON.split(text)]
    sides.append(split_unit(last)[0])
    rows = zip(signs, sides, sides[1:], strict=False)
    return [(sign.replace(">", "<"), *((b, a) if sign.startswith(">") else (a, b))) for sign, a, b in rows]


_FUNCTION = re.compile(r"^[A-Za-z]\s*\(\s*[a-z]\s*\)$")  # "f(x)" is called y


def _relation(text: str) -> tuple[tuple[str, Node], ...]:
    """Return the parts of a relation as sign and difference of sides; [] of none, and of a name's value: x = 5."""
    rows, found = _compared(text), []
    for sign, left, right in rows[:4]:
        a, b = (parse(_FUNCTION.sub("y", side)) for side in (left, right))
        if a is None or b is None or len(rows) > 3:
            return ()
        named = any(not variables(x) and (y[0] == "var" or not variables(y)) for x, y in ((a, b), (b, a)))
        if sign == "=" and (len(rows) > 1 or named):
            return ()
        found.append((sign, ("add", a, ("neg", b))))
    return tuple(found)


def is_equation(text: str) -> bool:
    """Tell whether a text is an equation, no identity, that says more than what a name is, and nothing else."""
    return "=" in text and not _INEQUALITY.search(text) and not all(map(_is_identity, _relation(text)))


def is_inequality(text: str) -> bool:
    """Tell whether a text, a label before it or not, is an inequality and nothing else."""
    return _INEQUALITY.search(text) is not None and _relation(unlabelled(text)) != ()


def _interval(text: str) -> str:
    """Return the interval of a variable that stands between bounds, or beside one: "(1, 3]" for 1 < x <= 3; else ""."""
    low, high = r"(-\infty", r"\infty)"
    rows = [row for bounds in text.split(" and ") for row in _compared(bounds)]
    for sign, a, b in rows:
        named = [re.fullmatch(r"[A-Za-z](?:\([a-z]\))?", side) is not None for side in (a, b)]
        if "<" not in sign or sum(named) != 1:
            return ""
        if named[1]:
            low = f"{'(' if sign == '<' else '['}{a}"
        else:
            high = f"{b}{')' if sign == '<' else ']'}"
    return f"{low}, {high}" if 0 < len(rows) < 3 else ""


# "the maximum of f(x) is 3"
_NAMED_WORD = re.compile(
    r"(?:\b(?:the|and|its|an?|function is)\s+){0,2}(?:\b(?:local|relative|absolute)\s+)?"
    r"\b(domain|range|(?:in|de)creas(?:ing|es)|constant|(?:max|min)(?:imum)?|vertex|cent(?:re|er)|radius|slope|amplitude|period)\b"
    r"(?:\s+(?:on|of [a-z]\([a-z]\)|of the \w+))?\s*(?:is|are|:|=|on|at|for|when)?\s*(?=\S)",
    re.I,
)
# "x_1 = 3"
_VARIABLE = re.compile(r"\s*\\?([A-Za-z][A-Za-z]{0,9}(?:_\{?\w{1,3}\}?)?)\s*=\s*([^=]{1,80})\s*$")
_TRAIL = re.compile(r"(?:[\s,;.:*\u2022-]|\band\b)+$")


def named(text: str) -> dict[str, str] | None:
    """Return the named parts of an answer by their names, in order; None where it is not made of such."""
    before, *said = _NAMED_WORD.split(text)
    if said and not before.strip(" ,;:.\\*\u2022-"):
        names = [name.lower().replace("imum", "").replace("ases", "asing") for name in said[::2]]
        parts = [_TRAIL.sub("", part).lstrip(_END) for part in said[1::2]]
        return dict(zip(names, parts, strict=True)) if all(parts) else None
    found = [_VARIABLE.match(part) for part in listed(text)] if "=" in text else []
    values = {m[1]: m[2] for m in found if m}
    return values if len(values) == len(found) > 1 else None


def _same_parts(given: str, gold: str) -> bool | None:
    """Compare an answer with named parts: by name where the answer names them, else in their order."""
    found, wanted = named(given), named(gold)
    if wanted is None:
        return None
    if found is None:
        values = listed(given) if len(wanted) > 1 else (given,)
        # "(3, 2)" may be a point for x = 3 and y = 2.
        return all(map(equivalent, values, wanted.values())) if len(values) == len(wanted) else None
    if wanted.keys() == {"domain", "range"}:
        found = {{"D": "domain", "R": "range"}.get(name.partition("_")[0], name): part for name, part in found.items()}
    return found.keys() == wanted.keys() and all(equivalent(found[name], wanted[name]) for name in wanted)


# "045°T", "N 23.5° W"
_BEARING = re.compile(r"([NS]?)\s*(\d{1,3}(?:\.\d{1,4})?)\s*(?:\u00b0|degrees?|deg)?\s*(T|true|[EW]|)\.?")
_TURNS = {"T": (0, 1), "true": (0, 1), "NE": (0, 1), "SE": (180, -1), "SW": (180, 1), "NW": (360, -1)}


def _same_bearing(given: str, gold: str) -> bool | None:
    """Compare an angle with a gold that is written as a bearing."""
    wanted, found = _BEARING.fullmatch(gold), _BEARING.fullmatch(unlabelled(given))
    if wanted is None or wanted[1] + wanted[3] not in _TURNS:
        return None
    if found is None or found[1] + found[3] not in {"", *_TURNS}:
        return False
    return _from_north(found) == _from_north(wanted)


def _from_north(bearing: re.Match[str]) -> Fraction:
    start, turn = _TURNS.get(bearing[1] + bearing[3], (0, 1))
    return (start + turn * Fraction(bearing[2])) % 360
