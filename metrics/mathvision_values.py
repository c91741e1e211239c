r"""The number that a LaTeX expression stands for in the eyes of MATH-Vision's official rule, without `eval`.

Upstream parses with latex2sympy2 1.9.0, prints the sympy expression and evaluates the print as Python with the names of
`math` (evaluation/utils.py at commit a1f5cc3). What counts is therefore that parser's reading, odd as it may be: a
mixed number 2\frac{1}{2} is the product 1, 36:17 is a quotient, 2^3^2 is 64, \sin 2\pi takes the whole product, a
parse ends without complaint at a stray ")" or ".", and any letter, symbol or unknown command is a failure. One
left-to-right pass over the tokens gives the same numbers here.

Deviations. Upstream has a value, and this fails: comparisons (1 or 0 there), \gcd and \lcm, determinants, letters
below an exponent (2^3_n is 8 there), integers of more than 65,536 bits, factorials above 5,000, more than 2,000 tokens,
nesting deeper than 50; where upstream would compute for ever (9^{9^{9^{9}}}), this fails at once. Other values: a minus
sign before a quotient whose denominator is a product or a decimal, where upstream's print loses the brackets of the
denominator (-\frac{3}{2\pi} is -3/2 times pi there).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NoReturn

Number = int | float

_MAX_BITS = 65_536
_MAX_FACTORIAL = 5_000
_MAX_TOKENS = 2_000
_MAX_DEPTH = 50

# "1,234.5"; without possessive repeats, which Python before 3.11.5 gets wrong for groups
_NUMBER = r"(?:[0-9]*(?:,[0-9]{3})*\.[0-9]+|[0-9]+(?:,[0-9]{3})*)"
_NAMES = (
    "arsinh|arcsinh|arcosh|arccosh|artanh|arctanh|gcd|lcm|floor|ceil|eye|zeros|ones|cols|rows|diagonalize|diag|norm|rank|"
    "trace|tr|rref|hstack|vstack|orthogonalize|orthogonal|ortho|orth|nullspace|eigenvalues|eigenvals|eigenvectors|"
    "eigenvects|eigen|eig|svd|[pbv]?matrix"
)
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    name: getattr(math, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")
}
_INVERSES: dict[str, Callable[[float], float]] = {name: getattr(math, f"a{name}") for name in _FUNCTIONS}
_FUNCTIONS |= {f"arc{name}": inverse for name, inverse in _INVERSES.items()}
_FUNCTIONS |= {f"ar{name}": inverse for name, inverse in _INVERSES.items() if name.endswith("h")}
# "\frac"
_TOKEN = re.compile(
    rf"""[ \t\r\n]*(?:
    (?P<number>{_NUMBER}(?:\\%)?)
    | (?P<function>\\(?:arc(?:sin|cos|tan)h?|ar(?:sin|cos|tan)h|(?:sin|cos|tan)h?))
    | (?P<command>\\(?:frac|sqrt|pi|times|cdot|div|left|right|[dt]?binom|floor|lfloor|rfloor|log|exp|lbrace|rbrace
        |lbrack|rbrack|rgroup|rceil|longrightarrow|Rightarrow|rightarrow|to|choose|\{{|\}}|\\))
    | (?P<stop>{_NAMES}|[])}}._&])
    | (?P<sign>[-+*/:^!(\[{{e'])
    )""",
    re.VERBOSE,
)
# "(x+1)_{n}"
_FALLING = re.compile(r"\(([a-zA-Z0-9+*/\\ -]+)\)_\{([a-zA-Z0-9+*/\\ -]+)\}")
# "\quad"
_BLANKS = re.compile(r"\\displaystyle|\\q?quad|~|\\,|\$")
_CLOSING = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "\\lbrace": "\\rbrace", "\\lbrack": "\\rbrack"}
_STARTS = frozenset((*_CLOSING, "\\left", "\\frac", "\\sqrt", "\\pi", "\\binom", "\\dbinom", "\\tbinom", "e"))
_STARTS |= {"\\floor", "\\lfloor", "\\log", "\\exp"}
# What ends an expression in peace: no rule of the grammar goes on with these.
_ENDS = frozenset((*")]}._&", "\\}", "\\\\", "\\right", "\\rfloor", "\\rceil", "\\rbrace", "\\rbrack", "\\rgroup"))
_ENDS |= {"\\longrightarrow", "\\Rightarrow", "\\rightarrow", "\\to", "\\choose", "^", ""}  # "^" after "!" only


_LEADS = frozenset(("\\frac", "\\sqrt", "\\binom", "\\dbinom", "\\tbinom", "\\lfloor", "e"))


class _NoValueError(Exception):
    """The expression does not parse, holds a symbol, or is too large."""


def value(text: str) -> Number | None:
    """Return the number that `text` stands for, None where upstream's parser or evaluation would fail.

    Args:
        text: LaTeX, lower case, dollar signs allowed.

    Returns:
        an int where Python's arithmetic on upstream's print would give one, else a float; not rounded.
    """
    text = text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    text = _FALLING.sub(r"\\frac{(\1)!}{((\1)-(\2))!}", text)  # upstream rewrites a falling factorial as text, too
    try:
        parser = _Parser(_BLANKS.sub(" ", text))
        found = parser.sum()
        return found if parser.kind == "stop" or parser.mark in _ENDS else None
    except (_NoValueError, ArithmeticError, ValueError, TypeError):
        return None


class _Parser:
    """One pass over the tokens, one token ahead, computing as it goes."""

    def __init__(self, text: str) -> None:
        """Stand at the first token."""
        self.text, self.at, self.count, self.depth = text, 0, 0, 0
        self.step()

    def step(self) -> None:
        """Move to the next token; "" at the end."""
        found = _TOKEN.match(self.text, self.at)
        self.count += 1
        if self.count > _MAX_TOKENS:
            self.fail()
        if found:
            self.kind = str(found.lastgroup)
            self.mark, self.at = found[self.kind], found.end()
        elif self.text[self.at :].strip(" \t\r\n"):
            self.fail()
        else:
            self.kind = self.mark = ""

    def fail(self) -> NoReturn:
        raise _NoValueError

    def take(self, mark: str) -> None:
        if self.mark != mark:
            self.fail()
        self.step()

    def starts(self) -> bool:
        """Say whether a factor begins here."""
        return self.kind in ("number", "function") or self.mark in _STARTS

    def sum(self) -> Number:
        total = self.product()
        while self.mark in ("+", "-"):
            sign = self.mark
            self.step()
            term = self.product()
            total = _small(total + term if sign == "+" else total - term)
        return total

    def product(self, functions: bool = True) -> Number:
        """Return a product; within an argument without brackets no function follows another factor."""
        total = self.signed(functions)
        while self.mark in ("*", "\\times", "\\cdot", "/", "\\div", ":"):
            sign = self.mark
            self.step()
            factor = self.signed(functions)
            total = _small(total * factor) if sign in ("*", "\\times", "\\cdot") else total / factor
        return total

    def signed(self, functions: bool) -> Number:
        sign = 1
        while self.mark in ("+", "-"):
            sign = -sign if self.mark == "-" else sign
            self.step()
        total = self.powered()
        while self.starts() and (functions or not self.is_function()):
            total = _small(total * self.powered())
        return sign * total

    def is_function(self) -> bool:
        return self.kind == "function" or self.mark in ("\\sqrt", "\\log", "\\exp", "\\floor", "e")

    def powered(self) -> Number:
        """Return a factor with its exponents and exclamation marks."""
        total = self.factor()
        while self.mark == "^":
            total = _power(total, self.exponent())
            if self.mark == "_":  # 45^2_{10} is 45^2
                self.step()
                self.braced()
        while self.mark in ("!", "'"):
            if self.mark == "!":
                if not isinstance(total, int) or total > _MAX_FACTORIAL:
                    self.fail()
                total = math.factorial(total)
            self.step()
        return total

    def exponent(self) -> Number:
        self.take("^")
        return self.braced()

    def braced(self) -> Number:
        r"""Return what follows "^" or "_": one number, \pi, or a group in braces."""
        return self.group() if self.mark == "{" else self.atom()

    def atom(self) -> Number:
        mark, kind = self.mark, self.kind
        if kind == "number":
            self.step()
            return _literal(mark[:-2]) / 100 if mark.endswith("%") else _literal(mark)
        self.take("\\pi")
        return math.pi

    def factor(self) -> Number:
        mark = self.mark
        if self.kind == "function":
            return self.function()
        if mark in _CLOSING or mark == "\\left":
            return self.group()
        if mark in ("\\floor", "\\log", "\\exp"):
            return self.function()
        if mark not in _LEADS:
            return self.atom()
        self.step()
        if mark == "\\frac":
            return self.group("{") / self.group("{")
        if mark == "\\sqrt":
            if self.mark != "[":
                return math.sqrt(self.group("{"))
            degree = self.group("[")
            return _power(self.group("{"), 1 / degree)
        if mark in ("\\binom", "\\dbinom", "\\tbinom"):
            above, below = self.group("{"), self.group("{")
            if not isinstance(above, int) or not isinstance(below, int) or above > _MAX_FACTORIAL:
                self.fail()
            return math.comb(above, below)
        if mark == "\\lfloor":
            inner = self.nested(self.sum)
            self.take("\\rfloor")
            return math.floor(inner)
        found = _exponential(self.exponent())
        return self.fail() if self.mark == "_" else found

    def group(self, opening: str = "") -> Number:
        """Return a bracketed expression; `opening` is the only bracket allowed where it is given."""
        left = self.mark == "\\left"
        if left and not opening:
            self.step()
        closing = _CLOSING.get(self.mark)
        if closing is None or (opening and self.mark != opening):
            self.fail()
        self.step()
        inner = self.nested(self.sum)
        if left and not opening:
            self.take("\\right")
        self.take(closing)
        return inner

    def nested(self, rule: Callable[[], Number]) -> Number:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail()
        inner = rule()
        self.depth -= 1
        return inner

    def argument(self) -> Number:
        r"""Return a function's argument: in brackets (\left and \right as they come), else a whole product."""
        if self.mark == "\\left":
            self.step()
            if self.mark != "(":
                self.fail()
        if self.mark != "(":
            return self.nested(lambda: self.product(functions=False))
        self.step()
        inner = self.nested(self.sum)
        if self.mark == "\\right":
            self.step()
        self.take(")")
        return inner

    def function(self) -> Number:
        """Return a named function of what follows: an argument in brackets, else a whole product."""
        name = self.mark[1:]
        self.step()
        base: Number = 10
        power: Number = 1
        if name == "log" and self.mark == "_":
            self.step()
            base = self.braced()
        if self.mark == "^":
            power = self.exponent()
        argument = self.argument()
        if name == "log":
            found: Number = math.log(argument, base)
        elif name == "exp":
            found = _exponential(argument)
        elif name == "floor":
            found = math.floor(argument)
        elif power == -1 and name in _INVERSES:
            return _INVERSES[name](argument)
        else:
            found = _FUNCTIONS[name](argument)
        return found if power == 1 else _power(found, power)


def _literal(text: str) -> Number:
    """Return a number as upstream's exact fractions print it: an integer where the decimals are all 0."""
    digits = text.replace(",", "")
    whole, _, decimals = digits.partition(".")
    return float(digits) if decimals.strip("0") else int(whole or "0")


def _small(number: Number) -> Number:
    if isinstance(number, int) and number.bit_length() > _MAX_BITS:
        raise _NoValueError
    return number


def _power(base: Number, exponent: Number) -> Number:
    if (
        isinstance(base, int)
        and isinstance(exponent, int)
        and abs(base) > 1
        and exponent * base.bit_length() > _MAX_BITS
    ):
        raise _NoValueError
    found = base**exponent
    if isinstance(found, complex):
        raise _NoValueError
    return found


def _exponential(argument: Number) -> Number:
    """Return e to the argument; upstream's print of e itself is the name E, which has no value there."""
    if argument == 1 and isinstance(argument, int):
        raise _NoValueError
    return 1 if argument == 0 and isinstance(argument, int) else math.exp(argument)
