"""High-school functions on [-5, 5] with their key points in closed form, rounded to two decimals only when written."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Point = tuple[float, float]
LOW, HIGH = -5, 5
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Curve:
    """One function on [-5, 5].

    Attributes:
        family: its name in FAMILIES.
        expression: NumPy text in x.
        at: the function itself; ZeroDivisionError or ValueError where it is not defined.
        zeros: its x-intercepts within the domain, left to right.
        extremes: its local extrema inside the domain, left to right.
    """

    family: str
    expression: str
    at: Callable[[float], float]
    zeros: tuple[Point, ...]
    extremes: tuple[Point, ...]

    @property
    def start(self) -> Point:
        """The y-intercept."""
        return (0.0, self.at(0))

    def points(self, kind: str) -> tuple[Point, ...]:
        """Return the points of a kind: "x", "y" or "extreme"."""
        return {"x": self.zeros, "y": (self.start,), "extreme": self.extremes}[kind]


def number(value: float) -> str:
    """Write a coordinate: at most two decimals, no minus zero."""
    return f"{round(value, 2) + 0.0:g}"


def numbers(text: str) -> list[float]:
    """Return the numbers in a text; a minus sign counts where it cannot mean a subtraction."""
    # "-2.5"
    return [float(n) for n in re.findall(r"(?<![\w.)] )(?<![\w.)\]])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?", text)]


def pair(point: Point) -> str:
    """Write a point as "(x, y)"."""
    return f"({number(point[0])}, {number(point[1])})"


def polynomial(coefficients: Sequence[Fraction], variable: str = "x") -> str:
    """Write a polynomial, highest power first, in NumPy's text: "-x**2 + 4*x - 3"."""
    text = ""
    for power, c in zip(range(len(coefficients) - 1, -1, -1), coefficients, strict=True):
        if c == 0:
            continue
        sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
        size = f"{float(abs(c)):g}"
        name = {0: "", 1: variable}.get(power, f"{variable}**{power}")
        text += sign + (size if not name else name if size == "1" else f"{size}*{name}")
    return text or "0"


def around(coefficients: Sequence[Fraction], centre: int) -> str:
    """Write a polynomial by powers of (x - centre), so that no key point stands in the text as a number of its own."""
    moved = list(coefficients)
    for done in range(len(moved)):
        for i in range(1, len(moved) - done):
            moved[i] += centre * moved[i - 1]
    return polynomial(moved, f"(x {'-' if centre > 0 else '+'} {abs(centre)})")


def _horner(coefficients: Sequence[Fraction]) -> Callable[[float], float]:
    numbers = [float(c) for c in coefficients]

    def at(x: float) -> float:
        value = 0.0
        for c in numbers:
            value = value * x + c
        return value

    return at


def _from_roots(family: str, a: Fraction, roots: Sequence[Fraction], centre: int) -> Curve:
    """Return a(x - r1)(x - r2)... for two or three roots."""
    coefficients = [a]
    for r in roots:
        shifted = [*coefficients, Fraction(0)]
        for i, c in enumerate(coefficients):
            shifted[i + 1] -= r * c
        coefficients = shifted
    at = _horner(coefficients)
    if len(roots) == 2:
        turning = [float(sum(roots) / 2)]
    else:
        p, q, r, _ = coefficients
        root = math.sqrt(float(4 * q * q - 12 * p * r))
        turning = sorted((float(-2 * q) + s * root) / float(6 * p) for s in (-1, 1))
    zeros = tuple((float(r), 0.0) for r in sorted(set(roots)))
    return Curve(family, around(coefficients, centre), at, zeros, tuple((t, at(t)) for t in turning))


def _inside(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(sorted(p for p in points if LOW <= p[0] <= HIGH))


def _tail(k: Fraction) -> str:
    return f" {'-' if k < 0 else '+'} {float(abs(k)):g}" if k else ""


def _times(a: Fraction, text: str) -> str:
    size = f"{float(abs(a)):g}"
    return ("-" if a < 0 else "") + (text if size == "1" else f"{size}*{text}")


def _quadratic(a: Fraction, h: Fraction, k: Fraction, centre: int) -> Curve:
    coefficients = [a, -2 * a * h, a * h * h + k]
    spread = -k / a
    zeros = [(float(h) + s * math.sqrt(spread), 0.0) for s in (-1, 1)] if spread > 0 else []
    return Curve(
        "quadratic", around(coefficients, centre), _horner(coefficients), _inside(zeros), ((float(h), float(k)),)
    )


def _absolute(a: Fraction, h: Fraction, k: Fraction) -> Curve:
    inner = polynomial([2 * abs(a), -2 * abs(a) * h])
    zeros = [(float(h + s * k / a), 0.0) for s in (-1, 1)] if k / a < 0 else []
    text = f"({'-' if a < 0 else ''}np.abs({inner}){_tail(2 * k)})/2"
    return Curve(
        "absolute value",
        text,
        lambda x: float(a) * abs(x - float(h)) + float(k),
        _inside(zeros),
        ((float(h), float(k)),),
    )


def _sine(a: Fraction, h: Fraction, p: Fraction) -> Curve:
    """Return a sin(pi (x - h) / p): half a period is p wide."""
    zeros = [(float(h + n * p), 0.0) for n in range(-12, 13)]
    peaks = [(float(h + (n + Fraction(1, 2)) * p), float(a) * (-1) ** n) for n in range(-12, 13)]
    return Curve(
        "sine",
        _times(a, f"np.sin(np.pi*({polynomial([Fraction(2), -2 * h])})/{float(2 * p):g})"),
        lambda x: float(a) * math.sin(math.pi * (x - float(h)) / float(p)),
        _inside(zeros),
        tuple(point for point in _inside(peaks) if abs(point[0]) < HIGH),
    )


def _cosine(a: Fraction, k: Fraction, p: Fraction) -> Curve:
    """Return a cos(pi x / p) + k."""
    zeros = []
    if abs(k) < abs(a):
        angle = math.acos(float(-k / a)) / math.pi * float(p)
        zeros = [(s * angle + 2 * n * float(p), 0.0) for n in range(-6, 7) for s in (-1, 1)]
    peaks = [(float(n * p), float(a) * (-1) ** n + float(k)) for n in range(-12, 13)]
    return Curve(
        "cosine",
        f"{_times(a, f'np.cos(np.pi*x/{float(p):g})')}{_tail(k)}",
        lambda x: float(a) * math.cos(math.pi * x / float(p)) + float(k),
        _inside(zeros),
        tuple(point for point in _inside(peaks) if abs(point[0]) < HIGH),
    )


def _exponential(a: Fraction, k: Fraction, b: Fraction) -> Curve:
    """Return a b^x + k."""
    zeros = [(math.log(float(-k / a)) / math.log(float(b)), 0.0)] if k / a < 0 else []
    return Curve(
        "exponential",
        f"{_times(a, f'{float(b):g}**x')}{_tail(k)}",
        lambda x: float(a) * float(b) ** x + float(k),
        _inside(zeros),
        (),
    )


def _rational(h: Fraction, k: Fraction, a: Fraction) -> Curve:
    """Return a / (x - h) + k."""
    zeros = [(float(h - a / k), 0.0)] if k else []
    return Curve(
        "rational",
        f"({polynomial([k, a - k * h])})/(x{_tail(-h)})",
        lambda x: float(a) / (x - float(h)) + float(k),
        _inside(zeros),
        (),
    )


def _logarithm(a: Fraction, k: Fraction, h: Fraction) -> Curve:
    """Return a ln(x + h) + k, defined on the whole domain for h > 5."""
    return Curve(
        "logarithm",
        f"{_times(a, f'np.log(x + {float(h):g})')}{_tail(k)}",
        lambda x: float(a) * math.log(x + float(h)) + float(k),
        _inside([(math.exp(float(-k / a)) - float(h), 0.0)]),
        (),
    )


def _step(rng: random.Random, low: float, high: float, step: Fraction = HALF) -> Fraction:
    """Draw a multiple of `step` between two numbers."""
    return step * rng.randint(math.ceil(low / step), math.floor(high / step))


def _pick(rng: random.Random, *choices: str) -> Fraction:
    """Draw one of these numbers, with either sign."""
    return Fraction(rng.choice(choices)) * rng.choice([1, -1])


def _centre(rng: random.Random) -> int:
    return rng.choice([-2, -1, 1, 2])


Maker = Callable[[], Curve]


def _quadratics(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "1", "0.5"), _centre(rng)
    side = 1 if a < 0 else -1
    return lambda: _quadratic(a, _step(rng, -3.5, 3.5), side * _step(rng, 1, 8), centre)


def _factored(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "1", "0.5", "0.8"), _centre(rng)
    return lambda: _from_roots("factored", a, [_step(rng, -5, 2), _step(rng, -2, 5)], centre)


def _cubics(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "0.2", "0.25", "0.3", "0.4"), _centre(rng)
    return lambda: _from_roots("cubic", a, [_step(rng, -5, -2), _step(rng, -2.5, 2.5), _step(rng, 2, 5)], centre)


def _doubles(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "0.1", "0.2", "0.3", "0.4"), _centre(rng)

    def make() -> Curve:
        double, single = _step(rng, -4, 4), _step(rng, -4, 4)
        return _from_roots("double root", a, [double, double, single], centre)

    return make


def _absolutes(rng: random.Random) -> Maker:
    a = _pick(rng, "1", "2", "1.5")
    side = 1 if a < 0 else -1
    return lambda: _absolute(a, _step(rng, -3.5, 3.5), side * _step(rng, 1, 6))


def _sines(rng: random.Random) -> Maker:
    a = _pick(rng, "2", "3", "4", "5")
    return lambda: _sine(a, _step(rng, -3.5, 3.5), _step(rng, 2.5, 5))


def _cosines(rng: random.Random) -> Maker:
    sign, p = rng.choice([1, -1]), Fraction(rng.choice(["3", "3.5", "4", "4.5"]))
    return lambda: _cosine(sign * _step(rng, 1.5, 6), _step(rng, -4, 4), p)


def _exponentials(rng: random.Random) -> Maker:
    sign, b = rng.choice([1, -1]), Fraction(rng.choice(["2", "0.5", "3"]))
    return lambda: _exponential(sign * _step(rng, 0.5, 4), -sign * _step(rng, 0.5, 8), b)


def _rationals(rng: random.Random) -> Maker:
    a = _pick(rng, "2", "3", "4", "5", "6")
    return lambda: _rational(_step(rng, -4, 4), _step(rng, -4, 4), a)


def _logarithms(rng: random.Random) -> Maker:
    h, sign = Fraction(rng.choice(["6", "7", "8"])), rng.choice([1, -1])
    return lambda: _logarithm(sign * _step(rng, 1.5, 6), -sign * _step(rng, 1, 9), h)


# Families take turns in this order. The paper's counts of questions (Table 7: 141 on x-intercepts, 101 on y-intercepts,
# 142 on extrema can be read off its percentages) come out where seven in ten have extrema, with two questions each, and
# four in ten a second question on x-intercepts.
FAMILIES: dict[str, Callable[[random.Random], Maker]] = {
    "quadratic": _quadratics,
    "cubic": _cubics,
    "absolute value": _absolutes,
    "sine": _sines,
    "exponential": _exponentials,
    "factored": _factored,
    "rational": _rationals,
    "cosine": _cosines,
    "logarithm": _logarithms,
    "double root": _doubles,
}
TWO_ON_ZEROS = ("cubic", "absolute value", "factored", "double root")
