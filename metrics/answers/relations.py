"""Answers that are more than one value: lists, intervals, equations, inequalities, named parts, and bearings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from mmmath_tasks.metrics.answers.evaluation import proportional, same, variables
from mmmath_tasks.metrics.answers.expressions import Node, parse
from mmmath_tasks.metrics.answers.numbers import COMPOUND, split_unit

# "x \leq 3"
_COMPARISON = re.compile(r"(?<!\d)!=|\\(?:[lg]e(?:q|qslant)?|[lg]t|neq?)(?![A-Za-z])|<=|>=|[<>\u2264\u2265\u2260]")
_SIGNS = {"le": "<=", "ge": ">=", "lt": "<", "gt": ">", "ne": "!=", "\u2264": "<=", "\u2265": ">=", "\u2260": "!="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}
# "(0, 1) \cup (2, 3)"
_UNION = re.compile(r"\\cup(?![A-Za-z])|\u222a|(?<=[\])])\s*(?:U|or)\s*(?=[\[(])")
_BRACKETED = re.compile(r"\s*(\\\{|[\[({])(.*?)(\\\}|[\])}])\s*$", re.S)
# "f(x)"
_NAME = r"(?:[A-Za-z][A-Za-z0-9_'{}]{0,12}|\\[a-z]+|[A-Za-z]\s*\((?:[a-z]|-?\d{1,3})\)|[\u2220\u25b3]\s*[A-Z]{1,3})"
# "(x, y)"
_LABEL = re.compile(rf"\s*(?:{_NAME}|\(\s*{_NAME}\s*,\s*{_NAME}\s*\)|[A-Za-z][A-Za-z. ]{{0,40}})\s*$")
_T = TypeVar("_T")


# One of these stands in whatever is more than one value: "x \le 3", "1 and 2"
_RELATED = re.compile(
    r"[=<>,;\n\u2264\u2265\u2260\u00b1\u222a]|\\(?:[lgn][a-z]|pm|cup)|\b(?:and|or)\b|[\])]\s*U\s*[\[(]"
)


def equal_relations(given: str, gold: str) -> bool | None:
    """Compare answers that are tuples, sets, intervals, equations or inequalities.

    Returns:
        None where both are single values, which `grading` compares.
    """
    if not _RELATED.search(given) and not _RELATED.search(gold):
        return None
    given, gold = _united(_both_signs(given)), _united(_both_signs(gold))
    found, wanted = _relation(given), _relation(gold)
    if found is not None and wanted is not None:
        return len(found) == len(wanted) and _matched(found, wanted, _same_relation)
    if found is not None or wanted is not None:  # 1 < x <= 3 is (1, 3]
        return bool(_same_elements(_elements(_interval(given) or given), _elements(_interval(gold) or gold)))
    first, second = _equation(given), _equation(gold)
    if first is not None and second is not None:
        return proportional(first, second)
    if first is not None or second is not None:
        left, _, right = (given if second is None else gold).partition("=")
        if first is not None and _names_quantity(parse(left.strip())):
            given = right  # "m + n = 7" gives the value of m + n
        elif not _LABEL.match(left):
            return False  # a value is not the equation that it stands in
    given, gold = _after_label(given), _after_label(gold)
    if _UNION.search(gold) or _UNION.search(given):
        return _matched(_UNION.split(given), _UNION.split(gold), _same_part)
    a, b = _elements(given), _elements(gold)
    if a is None or b is None:
        return None if a is b else False
    if {a[0], b[0]} == {"set", "()"} and all("=" in part for part in (a if a[0] == "set" else b)[1]):
        a, b = ("()", _by_name(a[1])), ("()", _by_name(b[1]))  # y = -4, x = 3 is (3, -4)
    return _same_elements(a, b)


def _matched(given: Sequence[_T], gold: Sequence[_T], same: Callable[[_T, _T], bool]) -> bool:
    """Tell whether each of some things is the same as one of others, and none is left."""
    rest = list(gold)
    for part in given[:20]:
        found = next((i for i, other in enumerate(rest) if same(part, other)), None)
        if found is None:
            return False
        del rest[found]
    return not rest and len(given) == len(gold)


# "1 \pm \sqrt{2}"
_PLUS_MINUS = re.compile(r"\\pm(?![a-z])|\u00b1")


def _both_signs(text: str) -> str:
    r"""Write "x = 1 \pm a" as "x = 1 + a, x = 1 - a"."""
    left, sign, right = text.rpartition("=")
    if len(_PLUS_MINUS.findall(right)) != 1 or _PLUS_MINUS.search(left):
        return text
    plus, minus = (_PLUS_MINUS.sub(s, right).strip() for s in "+-")
    return f"{left}{sign}{plus.lstrip('+')}, {left}{sign}{minus}"


def _united(text: str) -> str:
    """Write "x <= 2 or x >= 3" as the union of its intervals."""
    intervals = [_interval(part.strip()) for part in _OR.split(text)] if " or " in text else []
    return r" \cup ".join(map(str, intervals)) if len(intervals) > 1 and all(intervals) else text


_OR = re.compile(r",?\s+or\s+")


def _by_name(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts "y = 2", "x = 3" of a point in the order of their names; others as they stand."""
    return tuple(sorted(parts)) if all(re.match(r"[xyz]\s*=", part) for part in parts) else parts


_Elements = tuple[str, tuple[str, ...]]


def _elements(text: str) -> _Elements | None:
    """Return the brackets and the parts of a tuple, list or set; None where the text is a single value."""
    match = _BRACKETED.match(text)
    brackets = ""
    if match and _balanced(match[2]):
        brackets, text = match[1][-1] + match[3][-1], match[2]
    # "1,234"
    elif COMPOUND.fullmatch(text) or (re.search(r"\d,\d{3}(?!\d)", text) and not re.search(r",\s", text)):
        return None  # a thousands comma, "2 hours and 30 minutes"
    parts = listed(text)
    if len(parts) < 2:
        return None
    return ("set" if brackets in {"{}", ""} else brackets, parts)


# "(1, 2) and (3, 4)"
_PIECES = re.compile(r"[(\[{]|[)\]}]|[,;\n]|\b(?:and|or)\b")
_END = " ,;.:\n"


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a list that are not empty; what stands in brackets is one part."""
    parts, depth, start = [], 0, 0
    for match in _PIECES.finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    stripped = (part.lstrip(" ,;:\n").rstrip(_END) for part in (*parts, text[start:]))  # ".5" keeps its point
    return tuple(part for part in stripped if part)


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _same_elements(a: _Elements | None, b: _Elements | None) -> bool | None:
    """Tell whether two tuples or sets are the same; None where either is none."""
    if a is None or b is None:
        return None
    if a[0] == "set" == b[0]:
        return _matched(a[1], b[1], _same_part)
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(map(_same_part, a[1], b[1]))


def _same_part(given: str, gold: str) -> bool:
    a, b = _after_label(given).strip(), _after_label(gold).strip()
    if re.sub(r"\s+", "", a) == re.sub(r"\s+", "", b):
        return True
    inner = _same_elements(_elements(a), _elements(b))
    if inner is not None:
        return inner
    x, y = parse(split_unit(a)[0]), parse(split_unit(b)[0])
    return a.casefold() == b.casefold() if x is None or y is None else same(x, y)


def _after_label(text: str) -> str:
    left, sign, right = text.partition("=")
    return right if sign and "=" not in right and (not left.strip() or _LABEL.match(left)) else text


def _equation(text: str) -> Node | None:
    """Return left minus right of an equation with variables on a side that is no mere name."""
    left, _, right = text.partition("=")
    a, b = (parse(left.strip()), parse(split_unit(right.strip())[0])) if "=" not in right else (None, None)
    if a is None or b is None:
        return None
    if not variables(b) and (a[0] == "var" or not variables(a)):
        return None  # x = 5 is 5
    return None if b[0] == "var" and not variables(a) else ("add", a, ("neg", b))


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


_Relation = tuple[tuple[str, Node], ...]


def _relation(text: str) -> _Relation | None:
    """Return the parts of an inequality, each as "difference, sign, zero"."""
    signs, sides = _compared(text)
    if not signs or len(signs) > 3 or any("=" in side for side in sides):
        return None
    trees = [parse(side) for side in sides]
    found: list[tuple[str, Node]] = []
    for sign, a, b in zip(signs, trees, trees[1:], strict=False):
        if a is None or b is None:
            return None
        found.append((sign, ("add", a, ("neg", b))))
    return tuple(found)


def _compared(text: str) -> tuple[list[str], list[str]]:
    """Return the signs of an inequality, each in one spelling, and its sides."""
    signs = [_SIGNS.get(sign.lstrip("\\")[:2], sign) for sign in _COMPARISON.findall(text)]
    return signs, [side.strip() for side in _COMPARISON.split(text)]


def _interval(text: str) -> str | None:
    """Return the interval of a variable that stands between bounds, or beside one: "(1, 3]" for 1 < x <= 3."""
    signs, sides = _compared(text)
    if set(signs) <= {">", ">="}:
        signs, sides = [_TURNED[sign] for sign in reversed(signs)], sides[::-1]
    named = [i for i, side in enumerate(sides) if re.fullmatch(r"[A-Za-z]", side)]
    if not signs or not set(signs) <= {"<", "<="} or len(signs) > 2 or len(named) != 1:
        return None
    at = named[0]
    if len(signs) == 2 and at != 1:
        return None
    low = f"{'(' if signs[at - 1] == '<' else '['}{sides[at - 1]}" if at else r"(-\infty"
    high = f"{sides[at + 1]}{')' if signs[at] == '<' else ']'}" if at < len(signs) else r"\infty)"
    return f"{low}, {high}"


def _same_relation(given: tuple[str, Node], gold: tuple[str, Node]) -> bool:
    (sign, difference), (wanted, other) = given, gold
    return (sign == wanted and proportional(difference, other, positive=True)) or (
        _TURNED[sign] == wanted and proportional(("neg", difference), other, positive=True)
    )


_WORDS = (
    r"domain|range|increasing|decreasing|constant|maximum|minimum|max|min|vertex|centre|center|radius|slope|amplitude"
    r"|period"
)
# "the maximum of f(x) is 3"
_NAMED_WORD = re.compile(
    rf"(?:\b(?:the|and|its)\s+)?\b({_WORDS})\b(?:\s+(?:on|of [a-z]\([a-z]\)|of the \w+))?"
    r"\s*(?:is|are|:|=|on)?\s*(?=[^\s])",
    re.I,
)
# "x_1 = 3"
_VARIABLE = re.compile(r"\s*\\?([A-Za-z][A-Za-z]{0,9}(?:_\{?\w{1,3}\}?)?)\s*=\s*([^=]{1,80})\s*$")
_TRAIL = re.compile(r"(?:[\s,;.:*\u2022-]|\band\b)+$")
# "The function is "
_SUBJECT = re.compile(
    r"^\W*(?:(?:the )?(?:function|graph|curve)|it|f)\s+(?:is|has)\b(?: an?\b)?|\b(?:local|relative|absolute)\b", re.I
)


def named(text: str) -> dict[str, str] | None:
    """Return the named parts of an answer by their names, in order; None where it is not made of such."""
    words = list(_NAMED_WORD.finditer(text))
    if words and not _SUBJECT.sub("", text[: words[0].start()]).strip(" ,;:.\\*\u2022-"):
        ends = [m.start() for m in words[1:]] + [len(text)]
        parts = [_TRAIL.sub("", text[m.end() : end]).lstrip(_END) for m, end in zip(words, ends, strict=True)]
        return {m[1].lower(): part for m, part in zip(words, parts, strict=True)} if all(parts) else None
    found = [_VARIABLE.match(part) for part in listed(text)] if "=" in text else []
    values = {m[1]: m[2] for m in found if m}
    return values if len(values) == len(found) > 1 else None


def same_parts(given: str, gold: str, same: Callable[[str, str], bool]) -> bool | None:
    """Compare answers with a gold of named parts: by name where the answer names them, else in their order.

    Returns:
        None where the gold has no named parts.
    """
    wanted = named(gold)
    if wanted is None:
        return None
    found = named(given)
    if found is None:
        values = listed(given) if len(wanted) > 1 else (given,)
        return len(values) == len(wanted) and all(map(same, values, wanted.values()))
    if wanted.keys() == {"domain", "range"}:
        found = {{"D": "domain", "R": "range"}.get(name, name): value for name, value in found.items()}
    if found.keys() == wanted.keys():
        return all(same(found[name], wanted[name]) for name in wanted)
    return False


# "45 degrees"
_DEGREES = r"(\d{1,3}(?:\.\d{1,4})?)\s*(?:\u00b0|degrees?|deg)?\s*"
# "045°T"
_TRUE = re.compile(rf"{_DEGREES}(T?)(?:rue)?\.?")
# "N 23.5° W"
_COMPASS = re.compile(rf"([NS])\s*{_DEGREES}([EW])")
_QUADRANTS = {"NE": (0, 1), "SE": (180, -1), "SW": (180, 1), "NW": (360, -1)}


@lru_cache(maxsize=4096)
def bearing(text: str) -> tuple[Fraction, bool] | None:
    """Return the angle of a bearing in degrees from north, clockwise, and whether it is written as one; else None."""
    compass = _COMPASS.fullmatch(text.strip())
    if compass:
        start, turn = _QUADRANTS[compass[1] + compass[3]]
        return (start + turn * Fraction(compass[2])) % 360, True
    true = _TRUE.fullmatch(text.strip())
    if true is None:
        return None
    return Fraction(true[1]) % 360, bool(true[2])
