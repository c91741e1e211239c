r"""A small grammar of school mathematics, LaTeX or plain, read into a tree; bounded before anything is computed.

Nodes are tuples: ("num", Fraction), ("const", name), ("var", name), ("add", a, b), ("mul", a, b), ("div", a, b),
("pow", a, b), ("neg", a), ("root", degree, a), ("fn", name, a), ("abs", a), ("fact", a), ("deg", a).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from mmmath_tasks.metrics.answers.characters import SUPERSCRIPTS
from mmmath_tasks.metrics.answers.tokens import FUNCTIONS, Unreadable, tokens

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
