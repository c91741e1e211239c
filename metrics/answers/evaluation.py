"""Trees of expressions to numbers, exact or of many digits, and whether two are mathematically equal."""

from __future__ import annotations

import cmath
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import repeat
from operator import add, mul, neg, pos, truediv
from typing import Any

from mmmath_tasks.metrics.answers.expressions import Node

MAX_BITS = 20_000  # size of one exact number
_DIGITS = 50  # decimals of the numeric comparison
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
    """Return the value at a point as an mpmath number of 50 digits, made in this thread's own context.

    Raises:
        Unvalued: undefined, infinite or overflowing.
    """
    return _computed(node, at or {}, _context())


def _context() -> Any:
    """Return this thread's mpmath context: mpmath changes a context's precision while it computes."""
    if not hasattr(_LOCAL, "mp"):
        from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]

        _LOCAL.mp = MPContext()
        _LOCAL.mp.dps = _DIGITS
    return _LOCAL.mp


def _unsigned(function: Callable[[complex], complex]) -> Callable[[complex], complex]:
    """Return a function of cmath that takes -0.0 for 0.0, as mpmath does: else ln(-x) and ln(0 - x) are two values."""
    return lambda x: function(x + 0j)


class _Double:
    """The few functions needed, under mpmath's names, in double precision: most pairs differ in it already."""

    pi, e, mpf, mpc = math.pi, math.e, complex, complex
    exp, sin, cos, tan = cmath.exp, cmath.sin, cmath.cos, cmath.tan
    sinh, cosh, tanh = cmath.sinh, cmath.cosh, cmath.tanh
    ln, asin, acos, atan, asinh = map(_unsigned, (cmath.log, cmath.asin, cmath.acos, cmath.atan, cmath.asinh))


def _computed(node: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    try:
        value = _value(node, at, ctx)
        size = abs(value)
    except _FAILURES as error:
        raise Unvalued from error
    if not size < 1e290:  # also false for nan
        raise Unvalued
    return value


def _value(node: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    match node:
        case ("num", x):
            return ctx.mpf(x.numerator) / x.denominator
        case ("var", name):
            return at[name]
        case ("const", "pi" | "e" as name):
            return +getattr(ctx, name)
        case ("pow", a, b):
            return _raised(_value(a, at, ctx), b, at, ctx)
        case ("root", degree, a):
            return _rooted(exact(degree), _value(a, at, ctx), ctx)
        case ("fn", name, a):
            return _function(name, _value(a, at, ctx), _in_degrees(a), ctx)
    if node[0] in _WHOLE:
        return _value(("num", _exact(node)), at, ctx)
    return _ARITHMETIC[node[0]](*map(_value, node[1:], repeat(at), repeat(ctx)))


def _raised(x: Any, exponent: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    power = exact(exponent)
    if power is None or power.denominator != 1:
        return _power(x, _value(exponent, at, ctx), ctx)
    if abs(power) > 5_000:
        raise OverflowError
    return x ** int(power)


def _rooted(degree: Fraction | None, x: Any, ctx: Any) -> Any:
    if degree is None or not 1 <= degree <= 1000:
        raise ValueError
    power = ctx.mpf(degree.denominator) / degree.numerator
    if degree.denominator == 1 and degree % 2 and x.imag == 0 and x.real < 0:
        return -_power(-x, power, ctx)
    return _power(x, power, ctx)


def _power(x: Any, y: Any, ctx: Any) -> Any:
    if x == 0:
        if y.real <= 0:
            raise ValueError
        return x
    if abs(y) > 5_000:
        raise OverflowError
    return ctx.exp(y * ctx.ln(x))


_RECIPROCAL = {"cot": "tan", "sec": "cos", "csc": "sin"}
_SHORT = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arsinh": "asinh"}


def _function(name: str, x: Any, in_degrees: bool, ctx: Any) -> Any:
    if abs(x) > 1e6:
        raise OverflowError
    if in_degrees and name in {"sin", "cos", "tan", *_RECIPROCAL}:
        x = x * ctx.pi / 180
    if name in _RECIPROCAL:
        return 1 / getattr(ctx, _RECIPROCAL[name])(x)
    if name in {"log", "lg"}:
        return ctx.ln(x) / ctx.ln(10)
    return ctx.pi / 2 - ctx.atan(x) if name == "arccot" else getattr(ctx, _SHORT.get(name, name))(x)


def _in_degrees(node: Node) -> bool:
    return node[0] == "deg" or any(map(_in_degrees, _parts(node)))


def same(a: Node, b: Node) -> bool:
    """Tell whether two expressions are mathematically equal: a rounded decimal is not the number it stands for.

    Rational values are compared exactly, constants to 50 digits, formulas with variables at fixed points (complex
    ones included, so that sqrt(x^2) is not x) to 50 digits: two different formulas of this grammar's size that agree
    there to that accuracy do not occur in practice.
    """
    if a == b:
        return True
    x, y = exact(a), exact(b)
    if x is not None and y is not None:
        return x == y
    # A variable may cancel out, as in x - x + 1: such forms do not occur as final answers.
    return variables(a) == variables(b) and _close(a, b, _Double, 1e-9) and _close(a, b, _context(), 1e-40)


def _close(a: Node, b: Node, ctx: Any, share: float) -> bool:
    valued = False
    for u, v in _pairs(a, b, ctx):
        if abs(u - v) > share * max(1, abs(u), abs(v)):
            return False
        valued = True
    return valued


def proportional(a: Node, b: Node, positive: bool = False) -> bool:
    """Tell whether a = k·b for one constant k other than 0 (above 0 where `positive`): the same equation = 0."""
    pairs = list(_pairs(a, b, _context())) if variables(a) == variables(b) else []
    if any(abs(u) < 1e-40 or abs(v) < 1e-40 for u, v in pairs):
        return all(abs(u - v) < 1e-40 for u, v in pairs)
    factors = [u / v for u, v in pairs]
    if not factors or (positive and not (abs(factors[0].imag) < 1e-40 and factors[0].real > 0)):
        return False
    return all(abs(factor - factors[0]) <= 1e-35 * abs(factors[0]) for factor in factors)


_POINTS = ((0.731, 0.0), (2.317, 0.0), (-1.853, 0.0), (0.577, 0.919))


def _pairs(a: Node, b: Node, ctx: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the values of two expressions in the same variables at the points where both have one."""
    names = sorted(variables(a))
    for real, imaginary in _POINTS if names else _POINTS[:1]:
        at = {
            name: ctx.mpc(real * (1 + 0.3713 * i) + 0.0917 * i, imaginary * (1 + 0.19 * i))
            for i, name in enumerate(names)
        }
        try:
            yield _computed(a, at, ctx), _computed(b, at, ctx)
        except Unvalued:
            continue
