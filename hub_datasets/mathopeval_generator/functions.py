"""High-school functions on [-5, 5] with their key points in closed form, rounded to two decimals only when written."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Sequence
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


def _curve(
    family: str, expression: str, at: Callable[[float], float], zeros: Iterable[float], extremes: Iterable[Point] = ()
) -> Curve:
    """Return a curve of its zeros and extremes wherever they lie."""
    inside = sorted((x, 0.0) for x in zeros if LOW <= x <= HIGH)
    return Curve(family, expression, at, tuple(inside), tuple(sorted(p for p in extremes if LOW < p[0] < HIGH)))


def _from_roots(family: str, a: Fraction, roots: Sequence[Fraction], centre: int) -> Curve:
    """Return a(x - r1)(x - r2)... for two or three roots."""
    coefficients = [a]
    for r in roots:
        coefficients = [
            c - r * d for c, d in zip([*coefficients, Fraction(0)], [Fraction(0), *coefficients], strict=True)
        ]
    at = _horner(coefficients)
    if len(roots) == 2:
        turning = [float(sum(roots) / 2)]
    else:
        p, q, r, _ = coefficients
        root = math.sqrt(float(4 * q * q - 12 * p * r))
        turning = [(float(-2 * q) + s * root) / float(6 * p) for s in (-1, 1)]
    return _curve(family, around(coefficients, centre), at, map(float, set(roots)), [(t, at(t)) for t in turning])


def _tail(k: Fraction) -> str:
    return f" {'-' if k < 0 else '+'} {float(abs(k)):g}" if k else ""


def _times(a: Fraction, text: str) -> str:
    size = f"{float(abs(a)):g}"
    return ("-" if a < 0 else "") + (text if size == "1" else f"{size}*{text}")


def _step(rng: random.Random, low: float, high: float) -> Fraction:
    """Draw a multiple of one half between two numbers."""
    return Fraction(rng.randint(math.ceil(2 * low), math.floor(2 * high)), 2)


def _pick(rng: random.Random, *choices: str) -> Fraction:
    """Draw one of these numbers, with either sign."""
    return Fraction(rng.choice(choices)) * rng.choice([1, -1])


def _centre(rng: random.Random) -> int:
    return rng.choice([-2, -1, 1, 2])


Maker = Callable[[], Curve]


def _quadratics(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "1", "0.5"), _centre(rng)

    def make() -> Curve:
        h, k = _step(rng, -3.5, 3.5), (1 if a < 0 else -1) * _step(rng, 1, 8)
        coefficients, reach = [a, -2 * a * h, a * h * h + k], math.sqrt(-k / a)
        zeros = [float(h) + s * reach for s in (-1, 1)]
        vertex = float(h), float(k)
        return _curve("quadratic", around(coefficients, centre), _horner(coefficients), zeros, [vertex])

    return make


def _factored(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "1", "0.5", "0.8"), _centre(rng)
    return lambda: _from_roots("factored", a, [_step(rng, -5, 2), _step(rng, -2, 5)], centre)


def _cubics(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "0.2", "0.25", "0.3", "0.4"), _centre(rng)
    return lambda: _from_roots("cubic", a, [_step(rng, -5, -2), _step(rng, -2.5, 2.5), _step(rng, 2, 5)], centre)


def _doubles(rng: random.Random) -> Maker:
    a, centre = _pick(rng, "0.1", "0.2", "0.3", "0.4"), _centre(rng)
    return lambda: _from_roots("double root", a, [*[_step(rng, -4, 4)] * 2, _step(rng, -4, 4)], centre)


def _absolutes(rng: random.Random) -> Maker:
    """Return what makes a|x - h| + k."""
    a = _pick(rng, "1", "2", "1.5")

    def make() -> Curve:
        h, k = _step(rng, -3.5, 3.5), (1 if a < 0 else -1) * _step(rng, 1, 6)
        inner = polynomial([2 * abs(a), -2 * abs(a) * h])
        return _curve(
            "absolute value",
            f"({'-' if a < 0 else ''}np.abs({inner}){_tail(2 * k)})/2",
            lambda x: float(a) * abs(x - float(h)) + float(k),
            [float(h + s * k / a) for s in (-1, 1)],
            [(float(h), float(k))],
        )

    return make


def _sines(rng: random.Random) -> Maker:
    """Return what makes a sin(pi (x - h) / p): half a period is p wide."""
    a = _pick(rng, "2", "3", "4", "5")

    def make() -> Curve:
        h, p = _step(rng, -3.5, 3.5), _step(rng, 2.5, 5)
        return _curve(
            "sine",
            _times(a, f"np.sin(np.pi*({polynomial([Fraction(2), -2 * h])})/{float(2 * p):g})"),
            lambda x: float(a) * math.sin(math.pi * (x - float(h)) / float(p)),
            [float(h + n * p) for n in range(-12, 13)],
            [(float(h + (n + HALF) * p), float(a) * (-1) ** n) for n in range(-12, 13)],
        )

    return make


def _cosines(rng: random.Random) -> Maker:
    """Return what makes a cos(pi x / p) + k."""
    sign, p = rng.choice([1, -1]), Fraction(rng.choice(["3", "3.5", "4", "4.5"]))

    def make() -> Curve:
        a, k = sign * _step(rng, 1.5, 6), _step(rng, -4, 4)
        angle = math.acos(float(-k / a)) / math.pi * float(p) if abs(k) < abs(a) else math.inf
        return _curve(
            "cosine",
            f"{_times(a, f'np.cos(np.pi*x/{float(p):g})')}{_tail(k)}",
            lambda x: float(a) * math.cos(math.pi * x / float(p)) + float(k),
            [s * angle + 2 * n * float(p) for n in range(-6, 7) for s in (-1, 1)],
            [(float(n * p), float(a) * (-1) ** n + float(k)) for n in range(-12, 13)],
        )

    return make


def _exponentials(rng: random.Random) -> Maker:
    """Return what makes a b^x + k."""
    sign, b = rng.choice([1, -1]), Fraction(rng.choice(["2", "0.5", "3"]))

    def make() -> Curve:
        a, k = sign * _step(rng, 0.5, 4), -sign * _step(rng, 0.5, 8)
        text = f"{_times(a, f'{float(b):g}**x')}{_tail(k)}"
        zeros = [math.log(float(-k / a)) / math.log(float(b))]
        return _curve("exponential", text, lambda x: float(a) * float(b) ** x + float(k), zeros)

    return make


def _rationals(rng: random.Random) -> Maker:
    """Return what makes a / (x - h) + k."""
    a = _pick(rng, "2", "3", "4", "5", "6")

    def make() -> Curve:
        h, k = _step(rng, -4, 4), _step(rng, -4, 4)
        text, zeros = f"({polynomial([k, a - k * h])})/(x{_tail(-h)})", [float(h - a / k)] if k else []
        return _curve("rational", text, lambda x: float(a) / (x - float(h)) + float(k), zeros)

    return make


def _logarithms(rng: random.Random) -> Maker:
    """Return what makes a ln(x + h) + k, defined on the whole domain for h > 5."""
    h, sign = Fraction(rng.choice(["6", "7", "8"])), rng.choice([1, -1])

    def make() -> Curve:
        a, k = sign * _step(rng, 1.5, 6), -sign * _step(rng, 1, 9)
        text, zeros = f"{_times(a, f'np.log(x + {float(h):g})')}{_tail(k)}", [math.exp(float(-k / a)) - float(h)]
        return _curve("logarithm", text, lambda x: float(a) * math.log(x + float(h)) + float(k), zeros)

    return make


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
