"""LaTeX formulas as MathML (latex2mathml), with nothing in them but what MathML Core draws."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element, tostring

_LONGEST = 5_000
_DEEPEST = 60

_ELEMENTS = (
    "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle"
    " msub msubsup msup mtable mtd mtext mtr munder munderover none"
)
_ATTRIBUTES = (
    "accent accentunder columnalign columnspan depth displaystyle fence form height largeop linethickness lspace"
    " mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy symmetric width"
)

ELEMENTS = frozenset(_ELEMENTS.split())
"""Elements that a formula may have; scripts/rich_text.js has the same list."""

ATTRIBUTES = frozenset(_ATTRIBUTES.split())
"""Attributes that they may have; the same holds. `display` is set here, colours and links are dropped."""

# "0.167em", "left", "-2px"
_VALUE = re.compile(r"[\w.%+ -]{1,40}")

# r"\foo": a command that nobody knew
_COMMAND = re.compile(r"\\[A-Za-z]")

# r"\&" in \text{...}
_ESCAPED = re.compile(r"\\([&%$#_{}])")

# "{", and r"\{", which opens nothing
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)

# r"\label{eq:1}", r"\nonumber": what has no drawing
_SILENT = re.compile(r"\\(?:label\{[^{}]*\}|nonumber\b|notag\b|displaylimits\b)")

# environments and commands that latex2mathml lacks, beside one that draws alike
_RENAMED = (
    # r"\begin{eqnarray*}"
    (re.compile(r"\\(begin|end)\{(?:eqnarray|gather|multline|equation|alignat)\*?\}"), r"\\\1{align*}"),
    # r"\end{gathered}"
    (re.compile(r"\\(begin|end)\{(?:gathered|split)\}"), r"\\\1{aligned}"),
    (re.compile(r"\\[dt]binom\b"), r"\\binom"),
    (re.compile(r"\\cfrac\b"), r"\\dfrac"),
    (re.compile(r"\\(?:textnormal|mbox)\b"), r"\\text"),
    (re.compile(r"\\textdollar\b"), r"\\$"),
)


@lru_cache(maxsize=100_000)
def mathml(latex: str, display: bool = False) -> str | None:
    """Return a formula as a `math` element, as HTML takes it in; `latex` is without its dollars or brackets.

    Returns:
        None where it cannot be converted as a whole: it is no LaTeX, has a command that is not known or braces that do
        not match, or is too long or nested too deeply to be a formula.
    """
    from latex2mathml.converter import convert_to_element

    if not latex.strip() or len(latex) > _LONGEST or not 0 <= _depth(latex) <= _DEEPEST:
        return None
    source = _SILENT.sub("", latex)
    for pattern, plain in _RENAMED:
        source = pattern.sub(plain, source)
    try:
        found = _clean(convert_to_element(source))
    except Exception:  # the converter fails in as many ways as models misspell
        return None
    if found is None or not "".join(found.itertext()).strip():
        return None
    found.attrib = {"display": "block"} if display else {}
    return tostring(found, encoding="unicode")


def _depth(latex: str) -> int:
    """Return how deeply a formula may be nested; -1 where its braces do not match: it was cut, or is none."""
    depth = most = 0
    for mark in _BRACE.findall(latex):
        depth += 1 if mark == "{" else -1 if mark == "}" else 0
        most = max(most, depth)
        if depth < 0:
            return -1
    return -1 if depth else most + latex.count(r"\left") + latex.count(r"\begin")


def _clean(element: Element) -> Element | None:
    """Return a copy with elements, attributes and characters that are allowed; None where a command is left over."""
    # the converter writes characters as entities, for a text that it leaves unescaped: markup may hide in them
    text = unescape(element.text or "")
    if element.tag == "mtext":
        text = _ESCAPED.sub(r"\1", text)
    if element.tag not in ELEMENTS or _COMMAND.search(text):
        return None
    known = {k: v for k, v in element.attrib.items() if k in ATTRIBUTES and _VALUE.fullmatch(v)}
    found = Element(element.tag, known)
    found.text = text
    for child in element:
        clean = _clean(child)
        if clean is None:
            return None
        found.append(clean)
    if found.tag == "mrow" and len(found) == 1 and not found.attrib:
        return found[0]
    return found
