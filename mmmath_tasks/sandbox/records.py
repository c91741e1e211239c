"""The shape of element records, checked where they leave the jail: what a script forged must not upset the scorer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

LIMIT = 20_000
# n number, N number or None, s text, b truth, 2 two different numbers, L numbers or None, T texts or None, P points
_FIELDS = {
    "axes": {"xlim": "2", "ylim": "2", "box": "L"},
    "bar": {"series": "s", "label": "s", "value": "n", "base": "n", "horizontal": "b"},
    "line": {"series": "s", "x": "L", "y": "L", "labels": "T"},
    "points": {"series": "s", "x": "L", "y": "L", "labels": "T"},
    "wedge": {"label": "s", "fraction": "n"},
    "text": {"text": "s", "x": "N", "y": "N"},
    "area": {},
    "segment": {"points": "P", "dashed": "b"},
    "circle": {"x": "n", "y": "n", "radius": "n"},
    "arc": {"points": "P"},
    "curve": {"points": "P"},
    "dot": {"x": "n", "y": "n"},
}


def sound(elements: Any) -> bool:
    """Tell whether these are records as jailed/artists.py and jailed/tikz.py write them."""
    return isinstance(elements, list) and len(elements) <= LIMIT and all(map(_record, elements))


def _record(element: Any) -> bool:
    if not isinstance(element, Mapping) or not isinstance(element.get("axes"), int):
        return False
    fields = _FIELDS.get(str(element.get("kind")))
    if fields is None or not all(name in element and _value(code, element[name]) for name, code in fields.items()):
        return False
    long = [len(element[name]) for name in ("x", "y", "labels") if isinstance(element.get(name), list)]
    return len(set(long)) <= 1


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e100


def _value(code: str, value: Any) -> bool:
    if code == "n":
        return _number(value)
    if code == "N":
        return value is None or _number(value)
    if code == "s":
        return isinstance(value, str)
    if code == "b":
        return isinstance(value, bool)
    if code == "T" and value is None:
        return True
    if not isinstance(value, list):
        return False
    if code == "T":
        return all(isinstance(v, str) for v in value)
    if code == "L":
        return all(v is None or _number(v) for v in value)
    if code == "2":
        return len(value) == 2 and all(map(_number, value)) and not math.isclose(*value, rel_tol=1e-12)
    return len(value) > 1 and all(isinstance(p, list) and len(p) == 2 and all(map(_number, p)) for p in value)
