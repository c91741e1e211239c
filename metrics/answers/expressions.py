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

Node = tuple[Any, ...]

MAX_LENGTH = 400  # characters of one expression
MAX_DEPTH = 20  # nesting of brackets, roots, fractions and powers

_FUNCTIONS = "arcsin|arccos|arctan|arccot|arsinh|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|log|lg|exp"
_NAMES = frozenset(_FUNCTIONS.split("|"))
_GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|varsigma|sigma|tau|upsilon"
    "|phi|chi|psi|omega"
)
_IN_TEX = {
    **{ord("\u03b1") + i: rf"\{name} " for i, name in enumerate(_GREEK.split("|"))},
    **{  # signs of fractions
        code: r"\frac{{{}}}{{{}}}".format(*unicodedata.normalize("NFKC", chr(code)).split("\u2044"))
        for code in (*range(0xBC, 0xBF), *range(0x2153, 0x215F))
    },
}
# "x²"
_RAISED = re.compile(r"[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
# "1,234.5"
_TOKEN = re.compile(
    r"(?:\s|\\[ ,;:!]|~)*(?:"
    r"(?P<num>(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,120}(?!\d))(?:\.\d{0,120}(?!\d))?|\.\d{1,120}(?!\d))"
    rf"|\\?(?P<word>{_FUNCTIONS}|sqrt|cbrt|pi|infty|infinity)(?![a-z])"
    rf"|(?P<var>(?:[A-Za-z\u0391-\u03a9]|\\(?:varphi|{_GREEK})(?![A-Za-z]))"
    r"(?:_(?:\{[A-Za-z0-9]{1,6}\}|[A-Za-z0-9]))?'*)"
    r"|\\(?P<cmd>[A-Za-z]+|[%$|])"
    r"|(?P<op>\*\*|[-+*/^()\[\]{}|!%_\u00b7\u00d7\u00f7\u2217\u22c5\u221a\u221b\u00b0\u221e])"
    r"|(?P<other>\S))"
)
_ONE_NAME = {
    "cdot": "*", "times": "*", "ast": "*", "\u00b7": "*", "\u00d7": "*", "\u2217": "*", "\u22c5": "*", "div": "/",
    "\u00f7": "/", "**": "^", "circ": "\u00b0", "degree": "\u00b0", "vert": "|", "infty": "inf", "infinity": "inf",
    "\u221e": "inf", "\u221a": "sqrt", "\u221b": "cbrt", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac",
    "dbinom": "binom", "tbinom": "binom",
    **dict.fromkeys(("left", "right", "displaystyle", "big", "Big", "$", "angle", "triangle"), ""),
}  # fmt: skip
# "54 This is the": four letters side by side are a word and no product, unless they name a function.
_PROSE = re.compile(
    rf"(?<![A-Za-z\\{{])(?!(?:{_FUNCTIONS}|sqrt|cbrt|infty|infinity|pi)(?![a-z]))(?:[A-Za-z]{{4,}}"
    r"|(?:the|and|are|for|has|its|not|all|one|was|is|of)\b)"
)
_BARE = str.maketrans("", "", "\\{}")
# "0.1\overline{6}"
_REPEATING = re.compile(r"(\d{0,9})\.(\d{0,9})\\(?:overline|bar|dot)\s*\{?(\d{1,9})\}?")
_SHORT_FRACTION = re.compile(r"frac\s*(\d)\s*(\d)")
# "2\frac{1}{2}", "2 1/2"
_MIXED = re.compile(
    r"(?<![\d.,^_])(\d{1,9})(?:\s*\\[dtc]?frac\s*\{\s*(\d{1,9})\s*\}\s*\{\s*(\d{1,9})\s*\}"
    r"| (\d{1,9})/(\d{1,9})(?![\d/.]))"
)


def _repeating(match: re.Match[str]) -> str:
    r"""Write 0.1\overline{3} as the fraction it is."""
    whole, fixed, again = match.groups()
    difference = int(whole + fixed + again) - int(f"0{whole}{fixed}")
    return f"({difference}/{10 ** len(fixed + again) - 10 ** len(fixed)})"


def _mixed(match: re.Match[str]) -> str:
    """Write 2 1/2 as one fraction; behind a whole number, an improper one is a factor."""
    whole, above, below = (int(group) for group in match.groups() if group)
    return f"({whole * below + above}/{below})" if 0 < above < below else match[0]


def _tokens(text: str) -> list[tuple[str, Any]]:
    """Return the kind ("num", "var", "const", "op") and value of each token; ValueError: a word or no token."""
    if "\\overline" in text or "\\dot" in text or "\\bar" in text:
        text = _REPEATING.sub(_repeating, text)
    if "frac" in text:
        text = _SHORT_FRACTION.sub(r"frac{\1}{\2}", text)
    if not text.isascii():
        text = _RAISED.sub(lambda m: f"^{{{unicodedata.normalize('NFKC', m[0])}}}", text).translate(_IN_TEX)
    text = _MIXED.sub(_mixed, text)
    if _PROSE.search(text):
        raise ValueError
    found: list[tuple[str, Any]] = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        name = match[kind]
        if kind == "num":
            found.append((kind, Fraction(int(name) if name.isdigit() else name.replace(",", "").rstrip("."))))
        elif kind == "var":
            found.append((kind, name.translate(_BARE)) if name != "e" else ("const", name))
        elif kind == "other":
            raise ValueError
        elif name := _ONE_NAME.get(name, name):
            found.append(("const" if name in {"pi", "inf"} else "op", name))
    return found


@lru_cache(maxsize=8192)
def parse(text: str) -> Node | None:
    """Return the tree of an expression, None where the text is none (or too long or too deep)."""
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        parser = _Parser(_tokens(text))
        node = parser.sum()
    except ValueError:
        return None
    return node if parser.next() == _END else None


def ratio(text: str) -> Node | None:
    """Return the tree of a ratio "a:b" or "a to b" as the quotient it stands for; None where the text is none."""
    left, sign, right = text.partition(":" if ":" in text else " to ") if len(text) <= 80 else ("", "", "")
    above, below = (parse(left.strip()), parse(right.strip())) if sign else (None, None)
    return None if above is None or below is None else ("div", above, below)


_BRACKETS = {
    "(": (")", ""), "[": ("]", ""), "{": ("}", ""), "|": ("|", "abs"), "lvert": ("rvert", "abs"),
    "lfloor": ("rfloor", "floor"), "lceil": ("rceil", "ceil"),
}  # fmt: skip
_OF_TWO = {"frac": "div", "binom": "binom"}
_ROOTS = {"sqrt": 2, "cbrt": 3}
_STARTS = {*_BRACKETS, *_OF_TWO, *_NAMES, *_ROOTS}
_POSTFIX = {"!": "fact", "\u00b0": "deg", "%": "pct"}
_LEAVES = {"num", "var", "const"}
_END = ("end", "")


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: list[tuple[str, Any]]) -> None:
        self.tokens = [*tokens, _END]
        self.at = 0
        self.depth = 0
        self.bars = 0

    def next(self) -> tuple[str, Any]:
        return self.tokens[self.at]

    def take(self, *values: str) -> str:
        """Take the next token where it is one of these signs; "" where it is not."""
        kind, value = self.next()
        if kind != "op" or value not in values:
            return ""
        self.at += 1
        return str(value)

    def sum(self) -> Node:
        node = self.product()
        while sign := self.take("+", "-"):
            right = self.product()
            node = ("add", node, right if sign == "+" else ("neg", right))
        return node

    def product(self) -> Node:
        node = self.signed()
        while True:
            kind, value = self.next()
            if sign := self.take("*", "/"):
                node = ("mul" if sign == "*" else "div", node, self.signed())
            elif kind in _LEAVES or (value in _STARTS and not (value == "|" and self.bars)):
                if kind == "num" == (node[1] if node[0] == "neg" else node)[0]:
                    raise ValueError  # two numbers side by side are no product
                node = ("mul", node, self.power())
            else:
                return node

    def signed(self) -> Node:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        return ("neg", self.power()) if negative else self.power()

    def power(self) -> Node:
        """Read an atom with the exponents and signs behind it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError
        node = self.atom()
        while sign := self.take("^", *_POSTFIX):
            node = ("pow", node, self.exponent()) if sign == "^" else (_POSTFIX[sign], node)
        self.depth -= 1
        return node

    def exponent(self) -> Node:
        return self.atom() if self.next() == ("op", "{") else self.signed()

    def atom(self) -> Node:
        kind, value = self.next()
        self.at += kind != "end"
        if kind in _LEAVES:
            return (kind, value)
        if value in _BRACKETS:
            return self.bracket(*_BRACKETS[value])
        if value in _OF_TWO:
            return (_OF_TWO[value], self.atom(), self.atom())
        if value in _ROOTS:
            degree = self.bracket("]") if self.take("[") else ("num", Fraction(_ROOTS[value]))
            return ("root", degree, self.atom())
        if value in _NAMES:
            return self.function(value)
        raise ValueError

    def bracket(self, closing: str, meaning: str = "") -> Node:
        self.bars += closing == "|"
        node = self.sum()
        if not self.take(closing):
            raise ValueError
        self.bars -= closing == "|"
        return (meaning, node) if meaning else node

    def function(self, name: str) -> Node:
        base = self.atom() if name == "log" and self.take("_") else None
        power = self.exponent() if self.take("^") else None
        if power == ("neg", ("num", 1)) and f"arc{name}" in _NAMES:
            name, power = f"arc{name}", None
        bracketed = self.next()[1] in {"(", "[", "{", "|"}
        argument = self.signed()
        while not bracketed and self.next()[0] in _LEAVES:
            argument = ("mul", argument, self.power())
        node: Node = ("fn", name, argument)
        if base is not None:
            node = ("div", ("fn", "ln", argument), ("fn", "ln", base))
        return node if power is None else ("pow", node, power)
