"""The tokens of an expression: numbers, commands, names and signs of LaTeX or plain text."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

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
_GREEK = {
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
            found.append(("cmd", _GREEK[name]) if name in _GREEK else ("var", name))
        else:
            found.append(("op", match["op"]))
    return found
