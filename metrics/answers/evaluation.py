"""Trees of expressions to numbers, exact or of many digits, and whether two are mathematically equal."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import repeat
from operator import add, mul, neg, pos, truediv
from typing import Any

from mmmath_tasks.metrics.answers.expressions import Node

MAX_BITS = 20_000  # size of one exact number
_MAX_POWER = 5_000  # an exponent that is computed
_DIGITS = 150  # that are computed of a number
_NOTHING = 1e-40  # a difference, of numbers about 1, that is none
_LOCAL = threading.local()
_FAILURES = (ArithmeticError, ValueError, TypeError, KeyError)


class Unvalued(Exception):  # noqa: N818 - a "no value" that ends the descent
    """The expression has no finite value here, or one too large to compute."""


def exact(node: Node) -> Fraction | None:
    """Return the value of a rational expression, None where it is irrational, too large, undefined or has variables."""
    try:
        return _exact(node)
    except _FAILURES:
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
    n = _within(degree, 20)
    if n < 2 or _bits(x) > 2_000 or (x < 0 and n % 2 == 0):
        raise ValueError
    root = Fraction(_whole_root(abs(x.numerator), n), _whole_root(x.denominator, n))
    return -root if x < 0 else root


def _whole_root(x: int, n: int) -> int:
    low, high = 0, 1 << (x.bit_length() // n + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**n < x:
            low = middle + 1
        else:
            high = middle
    if low**n != x:
        raise ValueError
    return low


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


def variables(node: Node) -> frozenset[str]:
    """Return the names of the variables in a tree."""
    if node[0] == "var":
        return frozenset((node[1],))
    return frozenset[str]().union(*map(variables, _parts(node)))


def _parts(node: Node) -> list[Node]:
    return [part for part in node[1:] if isinstance(part, tuple)]


def digits(node: Node, at: Mapping[str, Any] | None = None) -> Any:
    """Return the value at a point as an mpmath number, made in this thread's own context.

    Raises:
        Unvalued: undefined, infinite or overflowing.
    """
    try:
        value = _value(node, at or {}, _context())
        size = abs(value)
    except _FAILURES as error:
        raise Unvalued from error
    if not size < math.inf:  # also false for nan
        raise Unvalued
    return value


def _context() -> Any:
    """Return this thread's mpmath context: mpmath changes a context's precision while it computes."""
    if not hasattr(_LOCAL, "mp"):
        from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]

        _LOCAL.mp = MPContext()
        _LOCAL.mp.dps = _DIGITS
    return _LOCAL.mp


def _value(node: Node, at: Mapping[str, Any], mp: Any) -> Any:
    match node:
        case ("num", x):
            return mp.mpf(x.numerator) / x.denominator
        case ("var", name):
            return at[name]
        case ("const", "pi" | "e" as name):
            return +getattr(mp, name)
        case ("pow", a, b):
            return _raised(_value(a, at, mp), b, at, mp)
        case ("root", degree, a):
            return _rooted(exact(degree), _value(a, at, mp), mp)
        case ("fn", name, a):
            return _function(name, _value(a, at, mp), _in_degrees(a), mp)
    if node[0] in _WHOLE:
        return _value(("num", _exact(node)), at, mp)
    return _ARITHMETIC[node[0]](*map(_value, node[1:], repeat(at), repeat(mp)))


def _raised(x: Any, exponent: Node, at: Mapping[str, Any], mp: Any) -> Any:
    power = exact(exponent)
    if power is None or power.denominator != 1:
        return _power(x, _value(exponent, at, mp), mp)
    if abs(power) > _MAX_POWER:
        raise OverflowError
    return x ** int(power)


def _rooted(degree: Fraction | None, x: Any, mp: Any) -> Any:
    if degree is None or not 1 <= degree <= 1000:
        raise ValueError
    power = mp.mpf(degree.denominator) / degree.numerator
    if degree.denominator == 1 and degree % 2 and x.imag == 0 and x.real < 0:
        return -_power(-x, power, mp)
    return _power(x, power, mp)


def _power(x: Any, y: Any, mp: Any) -> Any:
    if x == 0:
        if y.real <= 0:
            raise ValueError
        return x
    if abs(y) > _MAX_POWER:
        raise OverflowError
    return mp.exp(y * mp.ln(x))


_RECIPROCAL = {"cot": "tan", "sec": "cos", "csc": "sin"}
_SHORT = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arsinh": "asinh"}


def _function(name: str, x: Any, in_degrees: bool, mp: Any) -> Any:
    if abs(x) > 1e6:
        raise OverflowError
    if in_degrees and name in {"sin", "cos", "tan", *_RECIPROCAL}:
        x = x * mp.pi / 180
    if name in _RECIPROCAL:
        return 1 / getattr(mp, _RECIPROCAL[name])(x)
    if name in {"log", "lg"}:
        return mp.ln(x) / mp.ln(10)
    return mp.pi / 2 - mp.atan(x) if name == "arccot" else getattr(mp, _SHORT.get(name, name))(x)


def _in_degrees(node: Node) -> bool:
    return node[0] == "deg" or any(map(_in_degrees, _parts(node)))


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
    values = _values(a, b)
    return bool(values) and all(abs(u - v) <= _NOTHING * max(1e-20, abs(u), abs(v)) for u, v in values)


def proportional(a: Node, b: Node, positive: bool = False) -> bool:
    """Tell whether a = k·b for one constant k other than 0 (above 0 where `positive`): the same equation = 0."""
    values = _values(a, b)
    if any(abs(u) < _NOTHING or abs(v) < _NOTHING for u, v in values):
        return all(abs(u - v) < _NOTHING for u, v in values)
    factors = [u / v for u, v in values]
    if not factors or (positive and not (abs(factors[0].imag) < _NOTHING and factors[0].real > 0)):
        return False
    return all(abs(factor - factors[0]) <= 1e-35 * abs(factors[0]) for factor in factors)


_POINTS = ((0.731, 0.0), (2.317, 0.0), (-1.853, 0.0), (0.577, 0.919))


def _values(a: Node, b: Node) -> list[tuple[Any, Any]]:
    """Return the values of two expressions at the points where both have one; [] where their variables differ."""
    names = sorted(variables(a))
    found: list[tuple[Any, Any]] = []
    for real, imaginary in (_POINTS if names else _POINTS[:1]) if variables(b) == set(names) else ():
        at = {
            name: _context().mpc(real * (1 + 0.3713 * i) + 0.0917 * i, imaginary * (1 + 0.19 * i))
            for i, name in enumerate(names)
        }
        with suppress(Unvalued):
            found.append((digits(a, at), digits(b, at)))
    return found
