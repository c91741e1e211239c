"""The texts in a figure: normal form, the numbers in them, and whether two say the same."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_COMMANDS = {
    "circ": "\u00b0",
    "degree": "\u00b0",
    "pi": "\u03c0",
    "times": "\u00d7",
    "cdot": "\u00b7",
    "angle": "\u2220",
    "triangle": "\u25b3",
    "infty": "\u221e",
    "prime": "'",
    "approx": "\u2248",
    "le": "\u2264",
    "leq": "\u2264",
    "ge": "\u2265",
    "geq": "\u2265",
    "pm": "\u00b1",
    "%": "%",
    "$": "$",
}
_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00ba": "\u00b0", "\u2032": "'", "\u2019": "'"})
# "\frac{1}{2}"
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*(?:\{([^{}]*)\}|(\w))")
# "\mathrm{AB}"
_WRAPPER = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|textbf|mathregular|left|right|displaystyle|,|;|!|quad)\b ?|\\[,;! ]"
)
_COMMAND = re.compile(r"\\([A-Za-z]+|[%$])")
# A number does not begin inside a word or a number: "Q1", "x2" and "1.2.3" hold none that counts
# "-1,234.5"
_NUMBER = re.compile(r"(?<![\w.])([-+]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\d])")
_INNER = re.compile(r"\([^()]*\)")
# "ABC"
_NAME = re.compile(r"(?<![A-Za-z])[A-Z]{1,4}'?(?![A-Za-z])")


# Nothing in a figure says more in so many characters
_LONGEST = 200


@lru_cache(65_536)
def normal(text: str) -> str:
    """Return a text (its first 200 characters) without LaTeX dress, with one kind of minus, degree and space."""
    text = unicodedata.normalize("NFKC", text[:_LONGEST]).translate(_SIGNS)
    text = _WRAPPER.sub("", text)
    for _ in range(3):
        text = _FRACTION.sub(r"\1/\2", text)
        text = _ROOT.sub(lambda found: "\u221a" + (found[1] or found[2]), text)
    text = _COMMAND.sub(lambda found: _COMMANDS.get(found[1], found[1]), text)
    text = text.replace("^{\u00b0}", "\u00b0").replace("^\u00b0", "\u00b0")
    # "$x$"
    text = re.sub(r"(?<!\\)\$|[{}]", "", text)
    return " ".join(text.split())


def fold(text: object) -> str:
    """Return the form under which labels and series are compared: normal, without case."""
    return normal(str(text)).casefold()


@dataclass(frozen=True, slots=True)
class _Number:
    value: float
    decimals: int


@lru_cache(16_384)
def _numbers(text: str) -> tuple[_Number, ...]:
    found = []
    # Inside brackets a comma parts coordinates, so "(5,125)" is two numbers and "1,234" is one
    # "(5,125)"
    spaced = _INNER.sub(lambda inner: re.sub(r",(?=\S)", ", ", inner.group()), text)
    for match in _NUMBER.finditer(spaced):
        sign, digits = match.groups()
        before = spaced[: match.start()].rstrip()
        negative = sign == "-" and not (before and (before[-1].isalnum() or before[-1] in ")%"))
        digits = digits.replace(",", "")
        found.append(_Number(-float(digits) if negative else float(digits), len(digits.partition(".")[2])))
    return tuple(found)


def numbers(text: str) -> tuple[float, ...]:
    """Return the numbers in a text: "(3.00,0.00)" has two, "1,234" one, "Q1" none."""
    return tuple(number.value for number in _numbers(normal(text)))


def same(given: str, wanted: str) -> bool:
    """Tell whether two texts say the same.

    They do where their normal forms agree (but for case in words of three letters and more), or where both hold the
    same numbers, up to rounding to the fewer decimals of the two, the same roots, fractions and powers, and no
    different names of points: "x = 2.50" says what "2.5" says, and "AB = 5" not what "BC = 5" says.
    """
    given, wanted = normal(given), normal(wanted)
    tight = given.replace(" ", ""), wanted.replace(" ", "")
    if tight[0] == tight[1] or (len(tight[1]) > 2 and tight[0].casefold() == tight[1].casefold()):
        return True
    ours, theirs = _numbers(given), _numbers(wanted)
    if not theirs or len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs, strict=True):
        if abs(a.value - b.value) > 0.5 * 10.0 ** -min(a.decimals, b.decimals) * (1 + 1e-9):
            return False
        if (a.value == 0) != (b.value == 0):
            return False
    marks = [{sign for sign in text if sign in "\u221a/^\u03c0"} for text in (given, wanted)]
    names = [set(_NAME.findall(text)) for text in (given, wanted)]
    return marks[0] == marks[1] and (not all(names) or names[0] == names[1])
