r"""A small grammar of school mathematics, LaTeX or plain, read into a tree; bounded before anything is computed.

Nodes are tuples: ("num", Fraction), ("const", name), ("var", name), ("add", a, b), ("mul", a, b), ("div", a, b),
("pow", a, b), ("neg", a), ("root", degree, a), ("fn", name, a), ("abs", a), ("floor", a), ("ceil", a), ("fact", a),
("binom", a, b), ("deg", a), ("pct", a).
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mmmath_tasks.metrics.answers.dress import SUPERSCRIPTS

Node = tuple[Any, ...]

MAX_DIGITS = 120  # digits of one number
MAX_LENGTH = 400  # characters of one expression
MAX_DEPTH = 40  # nesting of brackets, roots, fractions and powers

FUNCTIONS = (
    "arcsin|arccos|arctan|arccot|arsinh|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|log|lg|exp|sqrt|cbrt|max|min|gcd|lcm"
)
_GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|varsigma|sigma|tau|upsilon"
    "|phi|chi|psi|omega"
)
_GREEK_LETTERS = {ord("\u03b1") + i: rf"\{name} " for i, name in enumerate(_GREEK.split("|"))}
# "1,234.5"
_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+\.\d*|\.\d+|\d+)(?:[eE](?P<exp>[+-]?\d{1,4})(?![\d.a-zA-Z]))?"
    rf"|\\?(?P<word>{FUNCTIONS}|pi|infty|infinity)(?![a-z])"
    rf"|(?P<var>(?:[A-Za-z\u0391-\u03a9]|\\(?:varphi|{_GREEK})(?![A-Za-z]))"
    r"(?:_(?:\{[A-Za-z0-9]{1,6}\}|[A-Za-z0-9]))?'*)"
    r"|(?P<degree>\^\s*(?:\{\s*\\(?:circ|degree)\s*\}|\\(?:circ|degree)(?![A-Za-z])|\u00b0))"
    r"|\\(?P<cmd>[A-Za-z]+|[%$|])"
    r"|(?P<raised>[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]{1,4})"
    r"|(?P<vulgar>[\u00bc-\u00be\u2153-\u215e])"
    r"|(?P<op>\*\*|[-+*/^()\[\]{}|!%_\u00b7\u00d7\u00f7\u2217\u22c5\u221a\u221b\u00b0\u221e]))"
)
_ONE_NAME = {
    "cdot": "*", "times": "*", "ast": "*", "\u00b7": "*", "\u00d7": "*", "\u2217": "*", "\u22c5": "*", "div": "/",
    "\u00f7": "/", "**": "^", "circ": "\u00b0", "degree": "\u00b0", "vert": "|", "infty": "inf", "infinity": "inf",
    "\u221e": "inf", "\u221a": "sqrt", "\u221b": "cbrt", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac",
    "dbinom": "binom", "tbinom": "binom", "triangle": "angle",
    **dict.fromkeys(("mathrm", "mathbf", "mathit", "textbf", "textit", "operatorname", "mbox", "mathsf"), "text"),
    **dict.fromkeys(("left", "right", "displaystyle", "textstyle", "quad", "qquad", "big", "Big", "bigl", "bigr"), ""),
    "limits": "", "$": "",
}  # fmt: skip
# Four letters side by side are a word and no product, unless they name a function.
# "54 This is the"
_PROSE = re.compile(
    rf"(?<![A-Za-z\\{{])(?!(?:{FUNCTIONS}|infty|infinity|pi)(?![a-z]))(?:[A-Za-z]{{4,}}"
    r"|(?:the|and|are|for|has|its|not|all|one|was|is|of)\b)"
)
_UNSEEN = re.compile(r"\{,\}|\\[,!]")
_BLANK = re.compile(r"\\[ ;:]|~")
# "0.1\overline{6}"
_REPEATING = re.compile(r"(\d{0,9})\.(\d{0,9})\\(?:overline|bar|dot)\s*(?:\{(\d{1,9})\}|(\d))")


def _repeating(match: re.Match[str]) -> str:
    r"""Write 0.1\overline{3} as the fraction it is."""
    fixed, again = match[2], match[3] or match[4]
    scale = 10 ** len(fixed)
    value = Fraction(int((match[1] or "0") + fixed), scale) + Fraction(int(again), scale * (10 ** len(again) - 1))
    return f"({value.numerator}/{value.denominator})"


class Unreadable(Exception):  # noqa: N818 - not an error but a "no" that ends the descent
    """The text is not an expression of this grammar."""


def tokens(text: str) -> list[tuple[str, Any]]:
    r"""Return (kind, value) pairs, kind being "num", "var" or "op": a small 2 as ^{2}, a half sign as \frac{1}{2}.

    Raises:
        Unreadable: a character of no token, a word, a number of too many digits.
    """
    text = _BLANK.sub(" ", _UNSEEN.sub("", text))
    if "\\overline" in text or "\\dot" in text or "\\bar" in text:
        text = _REPEATING.sub(_repeating, text)
    text = text.rstrip() if text.isascii() else text.translate(_GREEK_LETTERS).rstrip()
    if _PROSE.search(text):
        raise Unreadable
    found: list[tuple[str, Any]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise Unreadable
        position = match.end()
        kind = str(match.lastgroup)
        name = match[kind]
        if match["num"]:
            found.append(("num", _decimal(match["num"].replace(",", ""), int(match["exp"] or 0))))
        elif kind == "var":
            found.append(("var", name.translate(_BARE)))
        elif kind == "raised":
            power = Fraction("".join(SUPERSCRIPTS[sign] for sign in name))
            found += (("op", "^"), ("op", "{"), ("num", power), ("op", "}"))
        elif kind == "vulgar":
            half = Fraction(unicodedata.numeric(name)).limit_denominator(10)
            found += (("op", "frac"), ("num", Fraction(half.numerator)), ("num", Fraction(half.denominator)))
        elif name := "\u00b0" if kind == "degree" else _ONE_NAME.get(name, name):
            found.append(("op", name))
    return found


_BARE = str.maketrans("", "", "\\{}")


def _decimal(digits: str, power: int) -> Fraction:
    if len(digits) > MAX_DIGITS or abs(power) > MAX_DIGITS:
        raise Unreadable
    value = Fraction(int(digits) if digits.isdigit() else digits.rstrip("."))
    return value * Fraction(10) ** power if power else value


@lru_cache(maxsize=8192)
def parse(text: str) -> Node | None:
    """Return the tree of an expression, None where the text is none (or too long, too deep, too many digits)."""
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        return _Parser(tokens(text)).whole()
    except Unreadable:
        return None


def ratio(text: str) -> Node | None:
    """Return the tree of a ratio "a:b" as the quotient it stands for; None where the text is none."""
    left, sign, right = text.partition(":")
    if not sign and len(text) <= 80:
        left, sign, right = text.partition(" to ")
    if not sign or not left.strip() or ":" in right or len(text) > 80:
        return None
    above, below = parse(left.strip()), parse(right.strip())
    return None if above is None or below is None else ("div", above, below)


_BRACKETS = {
    "(": (")", ""), "[": ("]", ""), "{": ("}", ""), "|": ("|", "abs"), "lvert": ("rvert", "abs"),
    "lfloor": ("rfloor", "floor"), "lceil": ("rceil", "ceil"),
}  # fmt: skip
_OF_TWO = {"frac": "div", "binom": "binom"}
_NAMES = frozenset(FUNCTIONS.split("|")) - {"sqrt", "cbrt", "max", "min", "gcd", "lcm"}
_STARTS = {*_BRACKETS, *_OF_TWO, *_NAMES, "sqrt", "cbrt", "pi", "inf", "text", "angle"}
_POSTFIX = {"!": "fact", "\u00b0": "deg", "%": "pct"}


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: list[tuple[str, Any]]) -> None:
        self.tokens = [*tokens, *3 * [("end", "")]]
        self.at = 0
        self.depth = 0
        self.bars = 0

    def whole(self) -> Node:
        node = self.sum()
        if self.peek()[0] != "end":
            raise Unreadable
        return node

    def peek(self) -> tuple[str, Any]:
        return self.tokens[self.at]

    def take(self, value: str) -> bool:
        taken = self.tokens[self.at] == ("op", value)
        self.at += taken
        return taken

    def need(self, value: str) -> None:
        if not self.take(value):
            raise Unreadable

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable

    def sum(self) -> Node:
        self.deeper()
        node = self.product()
        while True:
            if self.take("+"):
                node = ("add", node, self.product())
            elif self.take("-"):
                node = ("add", node, ("neg", self.product()))
            else:
                self.depth -= 1
                return node

    def product(self) -> Node:
        node = self.signed()
        while True:
            if self.take("*"):
                node = ("mul", node, self.signed())
            elif self.take("/"):
                node = ("div", node, self.signed())
            elif self.begins():
                if self.peek()[0] == "num" == (node[1] if node[0] == "neg" else node)[0]:
                    raise Unreadable  # two numbers side by side are no product
                node = ("mul", node, self.power())
            else:
                return node

    def begins(self) -> bool:
        """Tell whether a factor begins here."""
        kind, value = self.peek()
        return kind in {"num", "var"} or (value in _STARTS and not (value == "|" and self.bars))

    def signed(self, mixed: bool = True) -> Node:
        negative = False
        for _ in range(4):
            if self.take("-"):
                negative = not negative
            elif not self.take("+"):
                break
        node = self.power(mixed)
        return ("neg", node) if negative else node

    def power(self, mixed: bool = True) -> Node:
        """Read an atom or a mixed number (where one may stand) with the exponents and signs behind it."""
        self.deeper()
        node, factor = self.atom(), None
        if mixed and node[0] == "num" and node[1].denominator == 1:
            part = self.fraction()
            if _proper(part):
                node = ("add", node, part)
            elif part is not None:
                node, factor = part, node
        while True:
            value = self.peek()[1]
            if self.take("^"):
                node = ("pow", node, self.exponent())
            elif value in _POSTFIX:
                self.at += 1
                node = (_POSTFIX[value], node)
            else:
                self.depth -= 1
                return node if factor is None else ("mul", factor, node)

    def fraction(self) -> Node | None:
        """Read the fraction beside a whole number: one of LaTeX, or a proper one of digits as in 2 1/2."""
        if self.peek() == ("op", "frac"):
            return self.atom()
        (kind, above), sign, (other, below) = self.tokens[self.at : self.at + 3]
        part = ("div", ("num", above), ("num", below))
        if (kind, sign, other) != ("num", ("op", "/"), "num") or not _proper(part):
            return None
        self.at += 3
        return part

    def exponent(self) -> Node:
        return self.atom() if self.peek() == ("op", "{") else self.signed(mixed=False)

    def atom(self) -> Node:
        kind, value = self.peek()
        self.at += kind != "end"
        if kind == "num":
            return ("num", value)
        if kind == "var":
            return ("const", "e") if value == "e" else ("var", value)
        if value in _BRACKETS:
            return self.bracket(*_BRACKETS[value])
        if value in _OF_TWO:
            return (_OF_TWO[value], self.argument(), self.argument())
        if value in {"sqrt", "cbrt"}:
            degree: Node = ("num", Fraction(2 if value == "sqrt" else 3))
            if self.take("["):
                degree = self.bracket("]")
            return ("root", degree, self.argument())
        if value in {"pi", "inf"}:
            return ("const", value)
        if value == "text":
            return self.argument()
        if value == "angle":
            return self.power()
        if value in _NAMES:
            return self.function(value)
        raise Unreadable

    def bracket(self, closing: str, meaning: str = "") -> Node:
        self.bars += closing == "|"
        node = self.sum()
        self.need(closing)
        self.bars -= closing == "|"
        return (meaning, node) if meaning else node

    def function(self, name: str) -> Node:
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            if self.take("^"):
                power = self.exponent()
            elif self.take("_"):
                base = self.atom()
        if power == ("neg", ("num", Fraction(1))) and name in {"sin", "cos", "tan", "cot"}:
            name, power = "arc" + name, None
        argument = self.argument_of_function()
        node: Node = ("fn", name, argument)
        if base is not None:
            if name != "log":
                raise Unreadable
            node = ("div", ("fn", "ln", argument), ("fn", "ln", base))
        return node if power is None else ("pow", node, power)

    def argument_of_function(self) -> Node:
        if self.peek()[1] in {"(", "[", "{", "|"}:
            return self.power()
        node = self.signed()
        while self.peek()[0] in {"num", "var"} or self.peek()[1] == "pi":
            node = ("mul", node, self.power())
        return node

    def argument(self) -> Node:
        """Read `{...}`, or the one token (one digit of a number) that LaTeX takes without braces."""
        kind, value = self.peek()
        text = str(value)
        if kind == "num" and len(text) > 1 and value.denominator == 1 and self.tokens[self.at - 1] == ("op", "frac"):
            # \frac12 is one half: the first digit is the argument, the rest stays for the next.
            self.tokens[self.at] = ("num", Fraction(text[1:]))
            return ("num", Fraction(text[0]))
        self.deeper()
        node = self.atom()
        self.depth -= 1
        return node


def _proper(node: Node | None) -> bool:
    """Tell whether a fraction is the second half of a mixed number: whole numbers, smaller above than below."""
    match node:
        case ("div", ("num", above), ("num", below)):
            return above.denominator == below.denominator == 1 and 0 < above < below  # type: ignore[no-any-return]
    return False
