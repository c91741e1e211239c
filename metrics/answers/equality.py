"""Whether two expressions are mathematically equal, or two equations the same."""

from __future__ import annotations

from typing import Any

from mmmath_tasks.metrics.answers.evaluation import Unvalued, context, digits, double, exact, variables
from mmmath_tasks.metrics.answers.expressions import Node


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
