r"""MATH-Vision's official rule: from a response to the model's answer, from two answers to right or wrong.

Upstream: github.com/mathllm/MATH-V, evaluation/evaluate.py and evaluation/utils.py at commit a1f5cc3. All of it is kept
on purpose, errors included: an answer is cut at its first unbalanced brace, 3.14 equals \pi, 0.004 equals 0, and
a box around "C. 3" is not C. What upstream computes by `eval` is plain arithmetic in
mmmath_tasks.metrics.mathvision_values, whose docstring lists the deviations. Two more bound the time: of a response
longer than 100,000 characters the first 1,000 and the last 99,000 are read, and a number longer than 1,000 is text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mmmath_tasks.metrics.mathvision_values import value

_LETTERS = "ABCDE"
_ENDINGS = {c: (f" {c}.", f" ({c}).") for c in _LETTERS}
_STARTS = {c: (f"{c}\n", f"({c})\n", f"({c}) {c}\n") for c in _LETTERS}
_PHRASES = tuple(
    phrase
    for rest in ("final answer is", "answer is", "correct answer is", "answer should be")
    for phrase in (f"the {rest}", f"The {rest}")
)
_BOX = "oxed{"
_MOST, _START = 100_000, 1_000
_MOST_DIGITS = 1_000
_MOST_ELEMENTS = 100
_BARE_LETTERS = re.compile(r"\(([a-e])\)")
_BRACED_LETTERS = re.compile(r"\{([a-e])\}")

# What is dropped from an answer, or replaced, one after the other.
_CLEANINGS = (
    (" ", ""),
    ("\\,", ""),
    ("∞", "\\infty"),
    ("+\\infty", "\\infty"),
    ("\\\\", "\\"),
    ("\n", ""),
    ("\\text", ""),
    ("\\mbox", ""),
    ("bmatrix", "pmatrix"),
    ("\\left", ""),
    ("\\right", ""),
    ("^{\\circ}", ""),
    ("^\\circ", ""),
    ("{m}^3", ""),
    ("m^3", ""),
    ("{units}", ""),
    ("units", ""),
    ("{km}", ""),
    ("km", ""),
    ("\\!", ""),
    ("\\\\", "\\"),
    ("tfrac", "frac"),
    ("dfrac", "frac"),
    ("\\left", ""),
    ("\\right", ""),
    ("^{\\circ}", ""),
    ("^\\circ", ""),
    ("\\$", ""),
    ("$", ""),
    ("\\%", ""),
    ("{.", "{0."),
)


def model_answer(response: str) -> str:
    """Return what upstream's file calls `model_answer`: the answer read from a response, normalised.

    Args:
        response: the model's text.

    Returns:
        lower-case text without blanks; "" where nothing is left. Without a box or a known phrase it is the whole
        response.
    """
    text = response.strip()
    if len(text) > _MOST:
        text = text[:_START] + text[_START - _MOST :]
    for letter in _LETTERS:
        if text.endswith(_ENDINGS[letter]) or text.startswith(_STARTS[letter]):
            text = letter
    tail = text.rpartition("is ")[2].rstrip(".")
    if len(tail) <= _MOST_DIGITS and _is_number(tail):
        text = tail
    boxes = text.count(_BOX)
    if not boxes:
        for phrase in _PHRASES:
            _, found, after = text.rpartition(phrase)
            text = after.strip()
            if found:
                text = text.split("\n", 1)[0].split(". ", 1)[0]
    elif boxes > 1:
        text = f"\\boxed{{{text.rpartition(_BOX)[2]}"
    answer = _BRACED_LETTERS.sub(r"\1", _BARE_LETTERS.sub(r"\1", _normalised(text)))
    return answer.rstrip(".").lstrip(":").strip()


def _is_number(text: str) -> bool:
    """Say whether Python reads the text as a number ("nan" and "infinity" too) or it is one numeric character."""
    try:
        float(text)
    except ValueError:
        return len(text) == 1 and unicodedata.numeric(text, None) is not None
    return True


def _normalised(text: str) -> str:
    """Return the inside of the box, or all of the text, in upstream's normal form."""
    text = text.lower().replace("{}", "")
    opening, closing = text.find(_BOX), text.rfind("}")
    if opening >= 0 and closing >= opening + len(_BOX):
        text = text[opening + len(_BOX) : closing]
    brace = text.find("}")
    if brace >= 0 and not 0 <= text.find("{") < brace:
        text = text[:brace]
    text = text.rpartition("=")[2].rpartition("\\approx")[2]
    for old, new in _CLEANINGS:
        text = text.replace(old, new)
    if text.startswith("."):
        text = f"0{text}"
    if "sqrt" in text:
        text = _braced_fractions(_braced_roots(text))
    return "\\frac{1}{2}" if text == "0.5" else _slashed(text)


def _braced_roots(text: str) -> str:
    r"""Brace the character that follows \sqrt: \sqrt3 becomes \sqrt{3}, and \sqrt[3]{8} becomes \sqrt{[}3]{8}."""
    first, *rest = text.split("\\sqrt")
    return first + "".join(
        f"\\sqrt{part}" if part[:1] in ("{", "") else f"\\sqrt{{{part[0]}}}{part[1:]}" for part in rest
    )


def _braced_fractions(text: str) -> str:
    r"""Brace numerator and denominator of every \frac: \frac12 becomes \frac{1}{2}, and \frac1{3} \frac{1}{3}.

    The whole text comes back unchanged where fewer than two characters follow a \frac that no brace follows. Upstream
    takes this step only where "sqrt" stands somewhere in the answer, so \frac12 alone is not 1/2 there.
    """
    first, *rest = text.split("\\frac")
    parts = [first]
    for part in rest:
        if part[:1] == "{":
            parts.append(f"\\frac{part}")
        elif len(part) < 2:
            return text
        else:
            below = part[1] if part[1] == "{" else f"{{{part[1]}}}"
            parts.append(f"\\frac{{{part[0]}}}{below}{part[2:]}")
    return "".join(parts)


def _slashed(text: str) -> str:
    r"""Turn a/b of two integers into \frac{a}{b}."""
    above, slash, below = text.partition("/")
    if not slash or len(text) > 1000:
        return text
    try:
        top, bottom = int(above), int(below)
    except ValueError:
        return text
    return f"\\frac{{{top}}}{{{bottom}}}" if text == f"{top}/{bottom}" else text


def equal(gold: str, answer: str) -> bool:
    """Say whether upstream calls an answer equal to a gold: as text, tuple of numbers, or number to 2 decimals.

    Args:
        gold: the gold as it stands in the data, or an option's text.
        answer: from `model_answer`.
    """
    gold, answer = gold.lower(), answer.lower()
    if not gold.strip(" ") or not answer.strip(" "):
        return False
    if gold.strip() == answer.strip():
        return True
    text, number = _gold(gold)
    elements = _elements(answer)
    if text == elements:
        return True
    return number is not None and number == _rounded(elements)


@lru_cache(maxsize=32_768)
def _gold(gold: str) -> tuple[str, int | float | None]:
    elements = _elements(gold)
    return elements, _rounded(elements)


def _elements(text: str) -> str:
    """Return "(a,b)" or "[a,b]" with every element as a rounded number; the text itself where it is no such thing."""
    if text[:1] + text[-1:] not in ("()", "[]") or not 1 <= text.count(",") < _MOST_ELEMENTS:
        return text
    elements = []
    for part in text[1:-1].split(","):
        if "infty" in part or part in ("a", "-a"):
            elements.append(part)
            continue
        number = _rounded(part)
        if number is None:
            return text
        elements.append(str(number))
    return f"{text[0]}{','.join(elements)}{text[-1]}"


def _rounded(text: str) -> int | float | None:
    number = value(text)
    return None if number is None else round(number, 2)
