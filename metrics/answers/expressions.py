r"""A small grammar of school mathematics, LaTeX or plain, read into a tree; bounded before anything is computed.

Nodes are tuples: ("num", Fraction), ("const", name), ("var", name), ("add", a, b), ("mul", a, b), ("div", a, b),
("pow", a, b), ("neg", a), ("root", degree, a), ("fn", name, a), ("abs", a), ("fact", a), ("deg", a).
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mmmath_tasks.metrics.answers.dress import SUPERSCRIPTS

MAX_DIGITS = 120  # digits of one number

FUNCTIONS = (
    "arcsin|arccos|arctan|arccot|arsinh|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|log|lg|exp|sqrt|cbrt|max|min|gcd|lcm"
)
# "1,234.5"
_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+\.\d*|\.\d+|\d+)(?:[eE](?P<exp>[+-]?\d{1,4})(?![\d.a-zA-Z]))?"
    r"|\\(?P<cmd>[A-Za-z]+|[%$#&{}|])"
    rf"|(?P<word>{FUNCTIONS}|pi\b|infty|infinity)(?![a-z])"
    r"|(?P<var>[A-Za-z\u0391-\u03a9\u03b1-\u03c9](?:_(?:\{[A-Za-z0-9]{1,6}\}|[A-Za-z0-9]))?'*)"
    r"|(?P<op>\*\*|[-+*/^()\[\]{}|!%,_]|[\u00b7\u00d7\u00f7\u2217\u22c5\u221a\u221b\u00b0\u221e\u2220"
    r"\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u00bc-\u00be\u2153-\u215e]))"
)
# Four letters side by side are a word and no product, unless they name a function.
# "54 This is the"
_PROSE = re.compile(
    rf"(?<![A-Za-z\\{{])(?!(?:{FUNCTIONS}|infty|infinity|pi)(?![a-z]))(?:[A-Za-z]{{4,}}"
    r"|(?:the|and|are|for|has|its|not|all|one|was|is|of)\b)"
)
_GREEK_LETTERS = {
    "\u03b1": "alpha", "\u03b2": "beta", "\u03b3": "gamma", "\u03b4": "delta", "\u03b5": "epsilon", "\u03b6": "zeta",
    "\u03b7": "eta", "\u03b8": "theta", "\u03b9": "iota", "\u03ba": "kappa", "\u03bb": "lambda", "\u03bc": "mu",
    "\u03bd": "nu", "\u03be": "xi", "\u03c0": "pi", "\u03c1": "rho", "\u03c3": "sigma", "\u03c4": "tau",
    "\u03c5": "upsilon", "\u03c6": "phi", "\u03c7": "chi", "\u03c8": "psi", "\u03c9": "omega",
}  # fmt: skip
_BLANK = {"left", "right", "displaystyle", "textstyle", "quad", "qquad", "big", "Big", "bigl", "bigr", "limits", "$"}


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
    """Return (kind, value) pairs; kind is "num", "cmd", "var" or "op".

    Raises:
        Unreadable: a character of no token, a word, a number of too many digits.
    """
    text = text.replace("{,}", "").replace("\\,", "").replace("\\!", "").replace("\\ ", " ").replace("~", " ")
    text = text.replace("\\;", " ").replace("\\:", " ").rstrip()
    if "\\overline" in text or "\\dot" in text or "\\bar" in text:
        text = _REPEATING.sub(_repeating, text)
    if _PROSE.search(text):
        raise Unreadable
    found: list[tuple[str, Any]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise Unreadable
        position = match.end()
        kind = match.lastgroup
        if match["num"]:
            digits = match["num"].replace(",", "")
            if len(digits) > MAX_DIGITS:
                raise Unreadable
            value = Fraction(digits.rstrip(".") if digits.endswith(".") else digits)
            if match["exp"]:
                power = int(match["exp"])
                if abs(power) > MAX_DIGITS:
                    raise Unreadable
                value *= Fraction(10) ** power
            found.append(("num", value))
        elif kind == "cmd":
            name = match["cmd"]
            if name not in _BLANK:
                found.append(("cmd", name))
        elif kind == "word":
            found.append(("cmd", match["word"]))
        elif kind == "var":
            name = match["var"].replace("{", "").replace("}", "")
            found.append(("cmd", _GREEK_LETTERS[name]) if name in _GREEK_LETTERS else ("var", name))
        else:
            found.append(("op", match["op"]))
    return found


Node = tuple[Any, ...]

MAX_LENGTH = 400  # characters of one expression
MAX_DEPTH = 40  # nesting of brackets, roots, fractions and powers

_VULGAR = {
    "\u00bc": (1, 4), "\u00bd": (1, 2), "\u00be": (3, 4), "\u2153": (1, 3), "\u2154": (2, 3), "\u2155": (1, 5),
    "\u2156": (2, 5), "\u2157": (3, 5), "\u2158": (4, 5), "\u2159": (1, 6), "\u215a": (5, 6), "\u215b": (1, 8),
    "\u215c": (3, 8), "\u215d": (5, 8), "\u215e": (7, 8),
}  # fmt: skip
_PRODUCT = {"cdot", "times", "ast", "*", "\u00b7", "\u00d7", "\u2217", "\u22c5"}
_FRACTION = {"frac", "dfrac", "tfrac", "cfrac"}
_GROUPS = {"mathrm", "mathbf", "mathit", "text", "textbf", "textit", "operatorname", "mbox", "mathsf", "boldsymbol"}
_GREEK = {
    "alpha", "beta", "gamma", "delta", "theta", "lambda", "mu", "rho", "sigma", "phi", "omega", "varphi", "epsilon",
}  # fmt: skip
_OPENING = {"(": ")", "[": "]", "{": "}"}


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


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: list[tuple[str, Any]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.bars = 0

    def whole(self) -> Node:
        node = self.sum()
        if self.at != len(self.tokens):
            raise Unreadable
        return node

    def peek(self) -> tuple[str, Any]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, *values: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at][0] != "num" and self.tokens[self.at][1] in values:
            self.at += 1
            return True
        return False

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
            kind, value = self.peek()
            if kind != "num" and value in _PRODUCT:
                self.at += 1
                node = ("mul", node, self.signed())
            elif self.take("/", "div", "\u00f7"):
                node = ("div", node, self.signed())
            elif self.begins(kind, value):
                mixed = node[0] == "num" and node[1].denominator == 1 and (kind == "num" or value in _FRACTION)
                bare = kind == "num" and node[0] == "num"
                right = self.power()
                if bare and not (mixed and right[0] == "num" and self.take("/")):
                    raise Unreadable  # two numbers side by side are no product
                if bare:
                    right = ("div", right, self.power())
                node = ("add", node, right) if mixed and _proper(right) else ("mul", node, right)
            elif kind != "num" and value in _VULGAR and node[0] == "num":
                self.at += 1
                node = ("add", node, ("num", Fraction(*_VULGAR[value])))
            else:
                return node

    def begins(self, kind: str, value: Any) -> bool:
        if kind in {"num", "var"}:
            return True
        if kind == "cmd":
            return value not in {
                "cdot",
                "times",
                "div",
                "rfloor",
                "rceil",
                "circ",
                "degree",
                "%",
                "ast",
                "}",
                "|",
                "rvert",
                "vert",
            }
        if kind == "op":
            return value in _OPENING or value in {"\u221a", "\u221b"} or (value == "|" and self.bars == 0)
        return False

    def signed(self) -> Node:
        negative = False
        for _ in range(4):
            if self.take("-"):
                negative = not negative
            elif not self.take("+"):
                break
        node = self.power()
        return ("neg", node) if negative else node

    def power(self) -> Node:
        self.deeper()
        node = self.atom()
        while True:
            kind, value = self.peek()
            if kind == "num":
                break
            if self.take("^", "**"):
                if self.take("circ", "degree", "\u00b0"):
                    node = ("deg", node)
                elif self.tokens[self.at : self.at + 3] in ([("op", "{"), ("cmd", c), ("op", "}")] for c in _DEGREES):
                    self.at += 3
                    node = ("deg", node)
                else:
                    node = ("pow", node, self.exponent())
            elif value in SUPERSCRIPTS:
                digits = 0
                while self.peek()[1] in SUPERSCRIPTS and self.peek()[0] == "op" and digits < 10_000:
                    digits = digits * 10 + int(SUPERSCRIPTS[self.peek()[1]])
                    self.at += 1
                node = ("pow", node, ("num", Fraction(digits)))
            elif self.take("!"):
                node = ("fact", node)
            elif self.take("circ", "degree", "\u00b0"):
                node = ("deg", node)
            elif self.take("%"):
                node = ("pct", node)
            else:
                break
        self.depth -= 1
        return node

    def exponent(self) -> Node:
        if self.peek() == ("op", "{"):
            return self.atom()
        return self.signed()

    def atom(self) -> Node:
        kind, value = self.peek()
        self.at += 1
        if kind == "num":
            return ("num", value)
        if kind == "var":
            return ("const", "e") if value == "e" else ("var", value)
        if kind == "op":
            if value in _OPENING:
                node = self.sum()
                self.need(_OPENING[value])
                return node
            if value == "|":
                self.bars += 1
                node = self.sum()
                self.need("|")
                self.bars -= 1
                return ("abs", node)
            if value in {"\u221a", "\u221b"}:
                degree = Fraction(2 if value == "\u221a" else 3)
                return ("root", ("num", degree), self.argument())
            if value in _VULGAR:
                return ("num", Fraction(*_VULGAR[value]))
            if value == "\u221e":
                return ("const", "inf")
            raise Unreadable
        if kind == "cmd":
            return self.command(value)
        raise Unreadable

    def command(self, name: str) -> Node:
        if name in {"lfloor", "lceil"}:
            node = self.sum()
            self.need("rfloor" if name == "lfloor" else "rceil")
            return (name[1:], node)
        if name in _FRACTION:
            return ("div", self.argument(), self.argument())
        if name == "sqrt":
            degree: Node = ("num", Fraction(2))
            if self.take("["):
                degree = self.sum()
                self.need("]")
            return ("root", degree, self.argument())
        if name == "cbrt":
            return ("root", ("num", Fraction(3)), self.argument())
        if name == "pi":
            return ("const", "pi")
        if name in {"infty", "infinity"}:
            return ("const", "inf")
        if name in _GROUPS:
            return self.argument()
        if name in {"angle", "triangle"}:
            return self.power()
        if name in {"lvert", "vert", "|"}:
            self.bars += 1
            node = self.sum()
            if not self.take("rvert", "vert", "|"):
                raise Unreadable
            self.bars -= 1
            return ("abs", node)
        if name in {"binom", "dbinom", "tbinom"}:
            return ("binom", self.argument(), self.argument())
        if name in _GREEK:
            return ("var", name)
        if name in _FUNCTION_NAMES:
            return self.function(name)
        raise Unreadable

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
        kind, value = self.peek()
        if kind == "op" and value in {"(", "[", "{", "|"}:
            return self.power()
        node = self.signed()
        while self.begins(*self.peek()) and self.peek()[0] != "cmd" and self.peek()[1] not in _OPENING:
            node = ("mul", node, self.power())
        if self.peek() == ("cmd", "pi"):
            node = ("mul", node, self.power())
        return node

    def argument(self) -> Node:
        """Read `{...}`, or the one token (one digit of a number) that LaTeX takes without braces."""
        kind, value = self.peek()
        if kind == "num":
            text = str(value)
            if value.denominator == 1 and len(text) > 1 and self.at and self.tokens[self.at - 1][1] in _ONE_DIGIT:
                # \frac12 is one half: the first digit is the argument, the rest stays for the next.
                rest = Fraction(text[1:])
                self.tokens[self.at] = ("num", rest)
                return ("num", Fraction(text[0]))
            self.at += 1
            return ("num", value)
        self.deeper()
        node = self.atom()
        self.depth -= 1
        return node


_DEGREES = ("circ", "degree")
_ONE_DIGIT = frozenset(_FRACTION)
_FUNCTION_NAMES = frozenset(FUNCTIONS.split("|")) - {"sqrt", "cbrt", "max", "min", "gcd", "lcm"}


def _proper(node: Node) -> bool:
    """Tell whether a fraction is the second half of a mixed number: whole numbers, smaller above than below."""
    if node[0] != "div" or node[1][0] != "num" or node[2][0] != "num":
        return False
    above, below = Fraction(node[1][1]), Fraction(node[2][1])
    return above.denominator == below.denominator == 1 and 0 < above < below
