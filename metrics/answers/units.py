"""Units of school mathematics: taken off an answer, and converted when both answers carry one."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from mmmath_tasks.metrics.answers import lexicon


class Unit(NamedTuple):
    """A unit: what it measures ("L" length, "L2" area, "L3" volume, "M" mass, "T" time, ...) and its size."""

    measures: str
    size: Fraction


def _table() -> dict[str, Unit]:
    found = [e for e in lexicon.entries() if e.role == "unit"]
    table = {name: Unit(str(e.measures), Fraction(str(e.size))) for e in found for name in e.pattern.split()}
    return table | {name.capitalize(): unit for name, unit in table.items() if len(name) > 3 and name.isalpha()}


UNITS = _table()
_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_LENGTHS = "|".join(re.escape(name) for name in sorted((n for n, u in UNITS.items() if u.measures in {"L", "any"}),
                                                        key=len, reverse=True))  # fmt: skip
# "cm^2"
_POWERED = (
    rf"(?:(?P<kind>square|sq\.?|cubic|cu\.?)\s*)?(?P<name>{_NAMES})\.?\s*(?:\^?\s*\{{?\s*(?P<power>[23²³])\s*\}}?)?"
)
# "square centimeters"
_UNIT = re.compile(rf"{_POWERED}(?:\s*(?:/|per)\s*(?P<per>{_NAMES})(?:\s*\^?\{{?(?P<below>[23])\}}?)?)?\.?\s*$")
# "16 英寸"
_HAN = re.compile(
    r"(?<=[\d)}\u03c0\u00b0i])\s*[\u4e00-\u9fff]{1,4}$"
)  # "16\\pi 英寸": a unit in Chinese is not looked up
# "12 (units)"
_IN_BRACKETS = re.compile(rf"(?<=[\d}}\u03c0])\s*\((units?|{_NAMES})\)$")
# "-$12.50"
_PREFIX = re.compile(r"^\s*(?P<sign>-?)\s*\\?(?P<money>US\$|\$|\u20ac|\u00a3|\u00a5)\s*(?=[\d.(\\-])")
_POWERS = {"2": 2, "²": 2, "3": 3, "³": 3}
_MONEY = {"US$": "money", "$": "money", "\u20ac": "euro", "\u00a3": "pound", "\u00a5": "yuan"}


@lru_cache(maxsize=4096)
def split(text: str) -> tuple[str, Unit | None]:
    """Return an answer without its unit, and the unit (None: there is none).

    `text` is free of LaTeX dress ("5 cm^2", "0.5m", "$8", "90\u00b0", "6 square units").
    """
    text = _IN_BRACKETS.sub(r" \1", _HAN.sub("", text.strip()))
    unit: Unit | None = None
    money = _PREFIX.match(text)
    if money:
        unit = Unit(_MONEY[money["money"]], Fraction(1))
        text = money["sign"] + text[money.end() :]
    for start in _starts(text):
        match = _UNIT.match(text, start)
        if match is not None:
            return text[:start].rstrip(), _unit(match)
    return text, unit


def _starts(text: str) -> list[int]:
    """Return where a unit may start: after a digit, a bracket or a blank, in the last 40 characters, first to last."""
    found = []
    for i in range(max(1, len(text) - 40), len(text)):
        before, here = text[i - 1], text[i]
        if not (here.isalpha() or here in "°%\u20ac"):
            continue
        if before.isdigit() or before in ")}] \u03c0.²³" or (before.isalpha() and here == "°"):
            found.append(i)
    return found


def _unit(match: re.Match[str]) -> Unit:
    base = UNITS[match["name"]]
    power = _POWERS.get(match["power"], 1)
    if match["kind"]:
        power = 2 if match["kind"].startswith("sq") else 3
    measures, size = base.measures, base.size**power
    if power != 1:
        measures += str(power)
    if match["per"]:
        below = UNITS[match["per"]]
        measures += "/" + below.measures
        size /= below.size ** int(match["below"] or 1)
    return Unit(measures, size)


def ratio(given: Unit | None, gold: Unit | None) -> Fraction:
    """Return by what the given value is multiplied to stand in the gold's unit; 1 where the units do not compare."""
    if given is None or gold is None or given.measures != gold.measures:
        return Fraction(1)
    return given.size / gold.size
