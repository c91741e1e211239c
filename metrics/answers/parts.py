"""Answers of several named parts ("domain: ... and range: ...", "k = 45, n = 2"), and bearings."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

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
# "x = 1, y = 2"
_SEPARATOR = re.compile(r"\s*(?:[,;]|\n|\band\b)\s*(?:and\s+)?(?![^()\[\]{}]{0,60}[)\]}])")
_END = " ,;.:\n"
_LIST = " ,;.:\n*\u2022-"


def named(text: str) -> dict[str, str] | None:
    """Return the named parts of an answer by their names, in order; None where it is not made of such."""
    words = list(_NAMED_WORD.finditer(text))
    if words and not text[: words[0].start()].strip(" ,;:.\\*\u2022-"):
        ends = [m.start() for m in words[1:]] + [len(text)]
        parts = [text[m.end() : end].strip(_END).rstrip(_LIST) for m, end in zip(words, ends, strict=True)]
        parts = [re.sub(r"[\s,;]*\band$", "", part).strip(_END) for part in parts]
        return {m[1].lower(): part for m, part in zip(words, parts, strict=True)} if all(parts) else None
    found = [_VARIABLE.match(part) for part in _SEPARATOR.split(text) if part.strip()]
    if len(found) < 2 or not all(found):
        return None
    values = {m[1]: m[2] for m in found if m}
    return values if len(values) == len(found) else None


def unnamed(text: str) -> list[str]:
    """Return the parts of a list without names; what stands in brackets is one part."""
    parts, depth, start = [], 0, 0
    # "x and y"
    for match in re.finditer(r"[(\[{]|[)\]}]|[,;\n]|\band\b", text):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [part.strip(_END) for part in (*parts, text[start:]) if part.strip(_END)]


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
        values = unnamed(given) if len(wanted) > 1 else [given]
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
