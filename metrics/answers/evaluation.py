"""Trees of expressions to numbers, exact or of many digits, and whether two are mathematically equal."""

from __future__ import annotations

import cmath
import math
import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import neg, pos
from typing import Any

from mmmath_tasks.metrics.answers.expressions import Node

MAX_BITS = 20_000  # size of one exact number
_DIGITS = 50  # decimals of the numeric comparison
_LOCAL = threading.local()
_HALF = Fraction(1, 2)


def exact(node: Node) -> Fraction | None:
    """Return the value of a rational expression, None where it is irrational, too large, undefined or has variables."""
    match node:
        case ("num", value):
            return value  # type: ignore[no-any-return]
        case ("neg", a):
            x = exact(a)
            return None if x is None else -x
        case ("deg", a):
            return exact(a)
        case ("pct", a):
            x = exact(a)
            return None if x is None else x / 100
        case ("abs", a):
            x = exact(a)
            return None if x is None else abs(x)
        case ("floor" | "ceil" as way, a):
            x = exact(a)
            return None if x is None else Fraction(math.floor(x) if way == "floor" else math.ceil(x))
        case ("root", degree, a):
            n, x = exact(degree), exact(a)
            return None if n is None or x is None else _exact_root(x, n)
        case ("pow", a, b):
            x, y = exact(a), exact(b)
            return None if x is None or y is None else _exact_power(x, y)
        case ("fact", a):
            return _factorial(exact(a))
        case ("binom", a, b):
            return _binomial(exact(a), exact(b))
        case ("add" | "mul" | "div" as sign, a, b):
            x = exact(a)
            return None if x is None else _combined(sign, x, exact(b))
    return None


def _factorial(x: Fraction | None) -> Fraction | None:
    if x is None or x.denominator != 1 or not 0 <= x <= 200:
        return None
    return Fraction(math.factorial(int(x)))


def _binomial(x: Fraction | None, y: Fraction | None) -> Fraction | None:
    if x is None or y is None or x.denominator != 1 or y.denominator != 1 or not 0 <= y <= x <= 500:
        return None
    return Fraction(math.comb(int(x), int(y)))


def _combined(sign: str, x: Fraction, y: Fraction | None) -> Fraction | None:
    if y is None or _bits(x) + _bits(y) > MAX_BITS:
        return None
    if sign == "add":
        return x + y
    if sign == "mul":
        return x * y
    return x / y if y else None


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def _exact_power(x: Fraction, y: Fraction) -> Fraction | None:
    if y.denominator != 1:
        root = _exact_root(x, Fraction(y.denominator))
        return None if root is None else _exact_power(root, Fraction(y.numerator))
    if abs(y.numerator) * _bits(x) > MAX_BITS or (x == 0 and y < 0):
        return None
    return x**y.numerator


def _exact_root(x: Fraction, degree: Fraction) -> Fraction | None:
    if degree.denominator != 1 or not 2 <= degree <= 20 or _bits(x) > 2_000:
        return None
    n = int(degree)
    if x < 0:
        if n % 2 == 0:
            return None
        inner = _exact_root(-x, degree)
        return None if inner is None else -inner
    above, below = _whole_root(x.numerator, n), _whole_root(x.denominator, n)
    return None if above is None or below is None else Fraction(above, below)


def _whole_root(x: int, n: int) -> int | None:
    if n == 2:
        root = math.isqrt(x)
        return root if root * root == x else None
    low, high = 0, 1 << (x.bit_length() // n + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**n < x:
            low = middle + 1
        else:
            high = middle
    return low if low**n == x else None


class Unvalued(Exception):  # noqa: N818 - a "no value" that ends the descent
    """The expression has no finite value here, or one too large to compute."""


def variables(node: Node) -> frozenset[str]:
    """Return the names of the variables in a tree."""
    if node[0] == "var":
        return frozenset((node[1],))
    found: frozenset[str] = frozenset()
    for part in node[1:]:
        if isinstance(part, tuple):
            found |= variables(part)
    return found


def double(node: Node, at: Mapping[str, complex] | None = None) -> complex:
    """Return the value in double precision at a point.

    Raises:
        Unvalued: undefined, infinite or overflowing.
    """
    return complex(_compute(node, at or {}, _Double))


def digits(node: Node, at: Mapping[str, Any] | None = None) -> Any:
    """Return the value at a point as an mpmath number of 50 digits, made in this thread's own context.

    Raises:
        Unvalued: undefined, infinite or overflowing.
    """
    return _compute(node, at or {}, context())


def context() -> Any:
    """Return this thread's mpmath context: mpmath changes a context's precision while it computes."""
    if not hasattr(_LOCAL, "mp"):
        from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]

        _LOCAL.mp = MPContext()
        _LOCAL.mp.dps = _DIGITS
    return _LOCAL.mp


class _Double:
    """The few functions needed, under mpmath's names, in double precision."""

    pi = math.pi
    e = math.e
    exp, sin, cos, tan = cmath.exp, cmath.sin, cmath.cos, cmath.tan
    asin, acos, atan = cmath.asin, cmath.acos, cmath.atan
    sinh, cosh, tanh, sqrt, ln = cmath.sinh, cmath.cosh, cmath.tanh, cmath.sqrt, cmath.log

    @staticmethod
    def mpf(x: Fraction) -> complex:
        return complex(x)


def _compute(node: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    try:
        value = _value(node, at, ctx)
        size = abs(value)
    except (OverflowError, ZeroDivisionError, ValueError, TypeError, KeyError) as error:
        raise Unvalued from error
    if not size < 1e290:  # also false for nan
        raise Unvalued
    return value


def _value(node: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    match node:
        case ("num", x):
            return complex(x) if ctx is _Double else ctx.mpf(x.numerator) / x.denominator
        case ("var", name):
            return at[name]
        case ("const", "pi"):
            return +ctx.pi
        case ("const", "e"):
            return +ctx.e
        case ("add", a, b):
            return _value(a, at, ctx) + _value(b, at, ctx)
        case ("mul", a, b):
            return _value(a, at, ctx) * _value(b, at, ctx)
        case ("div", a, b):
            return _value(a, at, ctx) / _value(b, at, ctx)
        case ("neg" | "deg" | "pct" | "abs" as sign, a):
            return _UNARY[sign](_value(a, at, ctx))
        case ("pow", a, b):
            return _raised(a, b, at, ctx)
        case ("root", degree, a):
            return _rooted(degree, a, at, ctx)
        case ("fn", name, a):
            return _function(name, a, at, ctx)
        case ("fact" | "binom" | "floor" | "ceil", *_):
            x = exact(node)
            if x is None:
                raise ValueError
            return _value(("num", x), at, ctx)
    raise ValueError


_UNARY: dict[str, Callable[[Any], Any]] = {"neg": neg, "deg": pos, "pct": lambda x: x / 100, "abs": abs}


def _raised(a: Node, b: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    power = exact(b)
    if power is not None and power.denominator == 1:
        if abs(power) > 5_000:
            raise OverflowError
        return _value(a, at, ctx) ** int(power)
    return _power(_value(a, at, ctx), _value(b, at, ctx), ctx)


def _rooted(degree: Node, a: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    n, x = exact(degree), _value(a, at, ctx)
    if n is None or not 1 <= n <= 1000:
        raise ValueError
    if n == 2:
        return ctx.sqrt(x)
    if n.denominator == 1 and n % 2 and abs(x.imag) == 0 and x.real < 0:
        return -_power(-x, ctx.mpf(1) / int(n), ctx)
    return _power(x, ctx.mpf(n.denominator) / n.numerator, ctx)


def _power(x: Any, y: Any, ctx: Any) -> Any:
    if x == 0:
        if abs(y) == 0 or y.real < 0:
            raise ValueError
        return x
    if abs(y) > 5_000:
        raise OverflowError
    return ctx.exp(y * ctx.ln(x))


def _function(name: str, argument: Node, at: Mapping[str, Any], ctx: Any) -> Any:
    x = _value(argument, at, ctx)
    if abs(x) > 1e6:
        raise OverflowError
    if name in {"sin", "cos", "tan", "cot", "sec", "csc"} and _in_degrees(argument):
        x = x * ctx.pi / 180
    match name:
        case "sin" | "cos" | "tan" | "exp" | "sinh" | "cosh" | "tanh":
            return getattr(ctx, name)(x)
        case "cot":
            return 1 / ctx.tan(x)
        case "sec":
            return 1 / ctx.cos(x)
        case "csc":
            return 1 / ctx.sin(x)
        case "arcsin" | "arccos" | "arctan":
            return getattr(ctx, name.replace("rc", ""))(x)
        case "arccot":
            return ctx.pi / 2 - ctx.atan(x)
        case "ln":
            return ctx.ln(x)
        case "log" | "lg":
            return ctx.ln(x) / ctx.ln(ctx.mpf(10) if ctx is not _Double else 10)
    raise ValueError


def _in_degrees(node: Node) -> bool:
    return node[0] == "deg" or any(_in_degrees(part) for part in node[1:] if isinstance(part, tuple))


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
    names = variables(a)
    if names != variables(b):
        # A variable may cancel out, as in x - x + 1: such forms do not occur as final answers.
        return False
    seen = False
    for point in _POINTS if names else ((0.0, 0.0),):
        where = _place(names, point)
        try:
            p, q = double(a, where), double(b, where)
        except Unvalued:
            if not names:
                return False
            continue
        if abs(p - q) > 1e-9 * max(1e-3, abs(p), abs(q)):
            return False
        mp = context()
        fine = {name: mp.mpc(value.real, value.imag) for name, value in where.items()}
        try:
            u, v = digits(a, fine), digits(b, fine)
        except Unvalued:
            continue
        if abs(u - v) > mp.mpf(10) ** -40 * max(1, abs(u), abs(v)):
            return False
        seen = True
    return seen


_POINTS = ((0.731, 0.0), (2.317, 0.0), (-1.853, 0.0), (0.577, 0.919))


def _place(names: frozenset[str], point: tuple[float, float]) -> dict[str, complex]:
    real, imaginary = point
    return {
        name: complex(real * (1 + 0.3713 * i) + 0.0917 * i, imaginary * (1 + 0.19 * i))
        for i, name in enumerate(sorted(names))
    }


def proportional(a: Node, b: Node, positive: bool = False) -> bool:
    """Tell whether a = k·b for one constant k other than 0 (above 0 where `positive`): the same equation = 0."""
    names = variables(a)
    if names != variables(b):
        return False
    factor: Any = None
    mp = context()
    for point in _POINTS if names else _POINTS[:1]:
        fine = {name: mp.mpc(value.real, value.imag) for name, value in _place(names, point).items()}
        try:
            u, v = digits(a, fine), digits(b, fine)
        except Unvalued:
            continue
        if abs(v) < 1e-40 or abs(u) < 1e-40:
            return bool(abs(u - v) < 1e-40)
        if factor is None:
            factor = u / v
            if positive and not (abs(factor.imag) < 1e-40 and factor.real > 0):
                return False
        elif abs(u / v - factor) > mp.mpf(10) ** -35 * abs(factor):
            return False
    return factor is not None
