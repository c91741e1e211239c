"""Trees of expressions to numbers, exact or of many digits, and whether two are mathematically equal."""

from __future__ import annotations

import math
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from operator import add, mul, neg, pos, truediv
from typing import Any

from mmmath_tasks.metrics.answers.expressions import Node

MAX_BITS = 20_000  # size of one exact number
_MAX_POWER = 5_000  # an exponent that is computed
_DIGITS = 150  # that are computed of a number
_NOTHING = 1e-40  # a difference, of numbers about 1, that is none
_DEGREE = "\u00b0"  # what a degree is of an angle, among the values of variables
_FUNCTIONS = {"log": "log10", "lg": "log10", "arsinh": "asinh"}
_POINTS = ((0.731, 0.0), (2.317, 0.0), (-1.853, 0.0), (0.577, 0.919))
_FAILURES = (ArithmeticError, ValueError, TypeError, KeyError)


def exact(node: Node) -> Fraction | None:
    """Return the value of a rational expression, None where it is irrational, too large, undefined or has variables."""
    with suppress(*_FAILURES):
        return _exact(node)
    return None


def _exact(node: Node) -> Fraction:
    if node[0] == "num":
        return node[1]  # type: ignore[no-any-return]
    rule = _EXACT[node[0]]
    values = [*map(_exact, node[1:])]
    if sum(map(_bits, values)) > MAX_BITS:
        raise OverflowError
    return rule(*values)  # type: ignore[no-any-return]


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def _within(x: Fraction, most: int) -> int:
    """Return a whole number from 0 to `most` as an int."""
    if x.denominator != 1 or not 0 <= x <= most:
        raise ValueError
    return int(x)


def _exact_power(x: Fraction, y: Fraction) -> Fraction:
    if y.denominator != 1:
        x = _exact_root(Fraction(y.denominator), x)
    if abs(y.numerator) * _bits(x) > MAX_BITS:
        raise OverflowError
    return x**y.numerator


def _exact_root(degree: Fraction, x: Fraction) -> Fraction:
    """Return a root; OverflowError: one of its parts may have more than 62 bits."""
    n = _within(degree, 20)
    if x < 0 and n % 2:
        return -_exact_root(degree, -x)
    above, below = (
        bisect_left(range(1 << (part.bit_length() // n + 1)), part, key=lambda low: low**n)
        for part in (x.numerator, x.denominator)
    )
    if Fraction(above, below) ** n != x:
        raise ValueError
    return Fraction(above, below)


def _power(x: Any, y: Any) -> Any:
    if abs(y) > _MAX_POWER:
        raise OverflowError
    return x**y


def _root(degree: Any, x: Any) -> Any:
    if x.imag == 0 and x.real < 0 and degree.imag == 0 and degree.real % 2 == 1:
        return -_power(-x, 1 / degree)
    return _power(x, 1 / degree)


_Rules = dict[str, Callable[..., Any]]
_ARITHMETIC: _Rules = {
    "neg": neg, "deg": pos, "pct": lambda x: x / 100, "abs": abs, "add": add, "mul": mul, "div": truediv,
}  # fmt: skip
_WHOLE: _Rules = {
    "floor": lambda x: Fraction(math.floor(x)),
    "ceil": lambda x: Fraction(math.ceil(x)),
    "fact": lambda x: Fraction(math.factorial(_within(x, 200))),
    "binom": lambda x, y: Fraction(math.comb(_within(x, 500), _within(y, 500))),
}
_EXACT: _Rules = {**_ARITHMETIC, **_WHOLE, "pow": _exact_power, "root": _exact_root}
_NUMERIC: _Rules = {**_ARITHMETIC, "pow": _power, "root": _root}


def variables(node: Node) -> frozenset[str]:
    """Return the names of the variables in a tree."""
    if node[0] == "var":
        return frozenset((node[1],))
    found = frozenset[str]()
    for part in node[1:]:  # a generator would take a second frame for each level
        if isinstance(part, tuple):
            found |= variables(part)
    return found


@cache
def _context(thread: int) -> Any:
    """Return a thread's mpmath context: mpmath changes a context's precision while it computes."""
    from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]

    mp = MPContext()
    mp.dps = _DIGITS
    return mp


def _value(node: Node, at: Mapping[str, Any], mp: Any) -> Any:
    """Return the value at a point, a number of mpmath."""
    kind, *parts = node
    if kind == "num":
        return mp.mpf(parts[0].numerator) / parts[0].denominator
    if kind == "var":
        return at[parts[0]]
    if kind == "const":
        return +getattr(mp, parts[0])
    if kind == "fn":
        x = _value(parts[1], {**at, _DEGREE: mp.pi / 180}, mp)
        if abs(x) > 1e6:
            raise OverflowError
        name = str(parts[0])
        return getattr(mp, _FUNCTIONS.get(name, name.replace("arc", "a")))(x)
    if kind in _WHOLE:
        return _value(("num", _exact(node)), at, mp)
    values = []
    for part in parts:
        values.append(_value(part, at, mp))
    value = _NUMERIC[kind](*values)
    return value * at.get(_DEGREE, 1) if kind == "deg" else value


def same(a: Node, b: Node) -> bool:
    """Tell whether two expressions are mathematically equal: a rounded decimal is not the number it stands for.

    Rational values are compared exactly, constants and formulas with variables (at fixed points, complex ones included,
    so that sqrt(x^2) is not x) to 40 digits, while a hundred may cancel on the way: two different formulas of this
    grammar's size that agree there to that accuracy do not occur in practice.
    """
    if a == b:
        return True
    x, y = exact(a), exact(b)
    if x is not None and y is not None:
        return x == y
    # A variable may cancel out, as in x - x + 1: such forms do not occur as final answers.
    agree = False
    for u, v in _values(a, b):
        if abs(u - v) > _NOTHING * max(1e-20, abs(u), abs(v)):
            return False
        agree = True
    return agree


def proportional(a: Node, b: Node, positive: bool = False) -> bool:
    """Tell whether a = k·b for one constant k other than 0 (above 0 where `positive`): the same equation = 0."""
    values = [*_values(a, b)]
    if not values or any(abs(u) < _NOTHING or abs(v) < _NOTHING for u, v in values):
        return False
    factors = [u / v for u, v in values]
    constant = all(abs(factor - factors[0]) <= 1e-35 * abs(factors[0]) for factor in factors)
    return constant and not (positive and factors[0].real < 0)


def _values(a: Node, b: Node) -> Iterator[tuple[Any, Any]]:
    """Yield the values of two expressions at the points where both have one; none where their variables differ."""
    names = sorted(variables(a))
    if variables(b) != set(names):
        return
    mp = _context(threading.get_ident())
    for real, imaginary in _POINTS if names else _POINTS[:1]:
        at = {
            name: mp.mpc(real * (1 + 0.3713 * i) + 0.0917 * i, imaginary * (1 + 0.19 * i))
            for i, name in enumerate(names)
        }
        with suppress(*_FAILURES):
            pair = _value(a, at, mp), _value(b, at, mp)
            if all(abs(value) < math.inf for value in pair):  # also false for nan
                yield pair
