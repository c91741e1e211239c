r"""The dress of an answer taken off: dollar signs, \text, \left, blanks, boxes, markdown, labels, full stops."""

from __future__ import annotations

import re
from functools import lru_cache

from mmmath_tasks.metrics.answers.boxes import boxed
from mmmath_tasks.metrics.answers.characters import plain

MAX_ANSWER = 600  # characters of an answer that are looked at

_WRAPPED = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|mbox|operatorname|boldsymbol|emph|textsf)\s*\{([^{}]*)\}"
)
_SIDE = re.compile(r"\\(?:overline|overleftrightarrow|overrightarrow|widehat)\s*\{\s*([A-Z]{2})\s*\}")
_SPACES = re.compile(
    r"\\[,;:!> ]|\\(?:quad|qquad|left|right|displaystyle|textstyle|limits|bigl|bigr|Bigl|Bigr)(?![A-Za-z])|~"
)
_MATH = re.compile(r"\$\$?|\\[()\[\]]")
_DELIMITED = re.compile(r"\$\$?([^$]{1,300})\$\$?|\\\(([^$\n]{1,300}?)\\\)|\\\[([^$]{1,300}?)\\\]")
_DEGREE = re.compile(r"\s*(?:\^\s*\{?\s*\\?circ\b\s*\}?|\\circ\b|\\degree\b|\^\s*\{?°\}?)")
_WORD_IN_BRACES = re.compile(
    r"(?<![A-Za-z}\]_^])\{([A-Za-z ]{2,})\}|(?<=[\d})\]])\{([A-Za-z ]{3,})\}|(?<=\\pi)\{([A-Za-z ]{3,})\}"
)
_END = ".,;:? \n\t"
_EXCLAIMED = re.compile(r"(?<=[A-Za-z]{2})!+$")


@lru_cache(maxsize=8192)
def undress(text: str) -> str:
    """Return the bare answer: the inside of its last box, no math delimiters, no markup, no end punctuation."""
    text = plain(text[: 4 * MAX_ANSWER]).strip()
    if text.startswith("rac{"):
        text = "\\f" + text  # a form feed lost on the way
    boxes = boxed(text)
    if boxes:
        text = boxes[-1][2] or text
    text = (
        text[:MAX_ANSWER].replace("**", "").replace("__", "").replace("`", "").replace("\\%", "%").replace("\\$", "$")
    )
    if "\\" in text or "$" in text or "{" in text:
        for _ in range(3):
            text, count = _WRAPPED.subn(r" \1 ", text)
            if not count:
                break
        text = _SIDE.sub(r"\1", text)
        text = _MATH.sub(" ", text) if not re.match(r"\s*-?\$\d[\d,.]*\s*$", text) else text
        text = _DEGREE.sub("°", text)
        text = text.replace("\\,", "").replace("{,}", "")
        text = _SPACES.sub(" ", text)
        text = _WORD_IN_BRACES.sub(lambda m: " " + (m[1] or m[2] or m[3]), text)
    text = " ".join(text.split())
    return _EXCLAIMED.sub("", text.rstrip(_END).lstrip(",;:!? \n\t")).strip()


def mathematics(text: str) -> list[str]:
    r"""Return what stands between dollar signs, \(...\) and \[...\] in a text, in order."""
    return [next(inside for inside in m.groups() if inside) for m in _DELIMITED.finditer(text)]
