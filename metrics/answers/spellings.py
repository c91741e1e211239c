"""One spelling of an answer that has several, and what stands behind its label."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.numbers import number

# One spelling of what has several, for any case of letters.
_SPELLINGS = tuple(
    (re.compile(pattern, re.I), spelling)
    for pattern, spelling in {
        # "all real numbers"
        r"^(?:(?:x\s*\\in\s*)?\\mathbb\s*\{?R\}?|(?:the set of )?all real (?:numbers|values))$": r"\\mathbb{R}",
        r"^\(\s*-\\infty\s*,\s*\+?\\infty\s*\)$": r"\\mathbb{R}",
        # "no real solution"
        r"^(?:\\varnothing|\\\{\s*\\\}|(?:there (?:is|are) )?no (?:real )?solutions?|(the )?empty set)$": r"\\emptyset",
        r"\\langle|\u27e8": "(",
        r"\\rangle|\u27e9": ")",
        r"^(\d{1,9}) out of (\d{1,9})$": r"\1/\2",
        # "\\vec{a}"
        r"\\vec\s*\{?\s*([A-Za-z])\s*\}?(?![A-Za-z])": r"\1",
        # "x \\in R, x \\neq 2" and "2k\\pi (k \\in Z)"
        r"^[a-z]\s*\\in\s*\\mathbb\s*\{?R\}?\s*,\s*(?=[a-z])": "",
        r"(?<=\S)[\s,;(]+[a-z]\s*\\in\s*\\mathbb\s*\{?Z\}?\s*\)?$": "",
        # "triangle ABC"
        r"^(?:the )?\\?(?:triangle|line|segment|point|vector|side|\u25b3)\s*(?=(?-i:[A-Z]{1,4})$|\()": "",
        # "8th"
        r"^(\d{1,6})\s?(?:st|nd|rd|th)$": r"\1",
        # "{x | x > 0}"
        r"^(?:\\?\{)?\s*[a-z](?:\s*\\in\s*\\mathbb\s*\{?R\}?)?\s*(?:\\mid|\\?\|)\s*([^|]{1,80}?)\s*(?:\\?\})?$": r"\1",
        # "{x: x > 0}"
        r"^\\?\{\s*[a-z]\s*:\s*(.{1,80}?)\s*\\?\}$": r"\1",
        # "\{5\}"
        r"^\\\{\s*([^,;{}]{1,60}|[^,;]{1,60})\\\}$": r"\1",
        # "]0, 1]" is (0, 1]
        r"^\]([^\[\]]{1,40}[,;][^\[\]]{1,40})([\[\]])$": r"(\1\2",
        r"^([(\[][^\[\]]{1,40}[,;][^\[\]]{1,40})\[$": r"\1)",
        # "(3|4)" is a point
        r"^\(([^()|]{1,20})\|([^()|]{1,20})\)$": r"(\1, \2)",
        # "all x with x > 4"
        r"^all (?:real )?(?:numbers )?[a-z] (?:with|such that|where|satisfying) (?=\S)": "",
        # "all real numbers less than or equal to 4"
        r"^(?:all )?(?:real )?numbers (?=(?:less|greater) than)": "x ",
        r"\b(?:is )?less than\b": "<",
        r"\b(?:is )?greater than\b": ">",
        r"(?<=[<>]) or equal to\b": "=",
        r"(?<![a-z\\])(?:oo|inf)(?![a-z])": r"\\infty",
        r"(?<=\d)\s?cc$": " cm^3",
        r"^(\d{1,2}) o'clock$": r"\1:00",
        r"^(?:it|they|these|both) (?:is|are) (?=[a-z]+$)": "",
        # "14 cm (rounded down)"
        r"(?<=[\w.%\u00b0])\s+\((?:[a-z]{3,} [a-z][a-z .]{1,40}|\s?\d\s{1,2}(?:d\.?p|s\.?f)\.?\s?)\)$": "",
        r"^the origin$": "(0, 0)",
        # "36\\pi cm^3 (\\approx 113.1 cm^3)"
        r"(?<=[\w.%\u00b0}\u00b2\u00b3])\s*\((?:\u2248|\\approx|=)[^()]*\)$": "",
        # "5 u^3"
        r"(?<=\d)\s?u(?=\s?(?:\^|[\u00b2\u00b3]))": " units",
        # "Yes, they are"
        r"^(yes|no)[,.;:]\s.*$": r"\1",
        # "approximately 3.5"
        r"^(?:approximately|about|roughly|around)\s+(?=[-\d\\$])": "",
    }.items()
)
# "1.5 million", "3 million visitors"
_SCALED = re.compile(rf"(-?[\d,]*\d(?:\.\d+)?) ({'|'.join(lexicon.values('scale'))})((?: [a-z]+){{0,3}})", re.I)
_SAID = re.compile(r"[A-Za-z][A-Za-z -]{1,60}")  # "two", "two and a half"


@lru_cache(maxsize=8192)
def plainly(text: str) -> str:
    """Return a bare answer in one spelling."""
    if "\\begin" in text and _ENVIRONMENT.search(text):
        text = _NEW_LINE.sub(", ", _NEXT_STEP.sub(" =", _ENVIRONMENT.sub(" ", text).replace("&", " ")))
    text = undress(text)
    if text.isdecimal():
        return text
    if text.startswith("[["):
        text = text.replace("[", "(").replace("]", ")")  # a matrix as programs print it
    scaled = _SCALED.fullmatch(text)
    if scaled:
        return f"{Fraction(scaled[1].replace(',', '')) * lexicon.values('scale')[scaled[2].lower()]}{scaled[3]}"
    if text.isascii() and _SAID.fullmatch(text) and (said := number(text.lower())) is not None:
        return str(said)
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return text.strip()


# "\begin{cases} x, & x > 0 \\ -x, & x < 0 \end{cases}"
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{(?:cases|aligned|align\*?|gathered|split)\}")
# "\ "
_NEW_LINE = re.compile(r"\\\\|\\(?=\s)")
# "\ ="
_NEXT_STEP = re.compile(r"\\{1,2}\s*=")
# Labels, but for those with "=". "Area: 12", "x \in (-1, 2)", "P(3, -2)", "The length is equal to 12"
_LEAD = re.compile(
    r"(?:[A-Za-z\u0391-\u03c9\u2220\u25b3\\][\w\s'.,\\{}\u2220\u25b3\u00b0()-]{0,60}?|\([a-z] ?, ?[a-z]\))\s*:(?![\d/])"
    r"|[A-Za-z]\s*(?:\\in(?![A-Za-z])|\u2208)(?=\s*\S)|[A-Z]'?\s?(?=\([^()]*,[^()]*\)$)"
    # "AB\u7684\u957f\u5ea6\u662f15"
    r"|[^=<>\d]{0,20}[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3](?<=[\u662f\u4e3a\u306f\uc740\ub294\uc774\uac00])\s*"
    r"(?=[-\d\\$(\u221a])"
    r"|.*?\s(?:equals|is equal to|is|are)\s+(?:about |approximately )?(?=[-\d\\$(\u221a])"
)


def unlabelled(text: str) -> str:
    """Return what stands behind a label ("x =", "Area:", "f(x) =", "The length is") or a chain of equations."""
    if "=" in text and not re.search(r"[<>\u2264\u2265!]=", text):
        left, right = (side.strip() for side in text.rsplit("=", 1))
        text = left if len(right) == 1 and right.isalpha() and not left.isalpha() else right  # 5 = s
    lead = _LEAD.match(text)
    return text[lead.end() :].strip() if lead else text
