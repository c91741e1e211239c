"""Drawings as SVG text: elements, colours, and text that fits. Pure functions; lengths are in CSS pixels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape as _html_escape

WIDTH = 440
"""Width of every drawing: two or three stand side by side on a screen, one fills a phone."""

INK, GREY, RULE, PAPER = "#1d2733", "#5b6775", "#dde2e8", "#ffffff"

RUNS = ("#1f5fa8", "#c2510c", "#0f766e", "#8b3d8f", "#8a6a00", "#b3263a", "#4d5d73", "#3f7d20")
"""Colours of runs, each at least 4.5 : 1 on white and told apart by readers with any common colour blindness when at
most four are used; lines also differ in dash."""

DASHES = ("", "7 3", "2 3", "9 3 2 3")

SHARES = (("#aab4c0", INK), ("#e0a83a", INK), ("#a1568f", PAPER), ("#2d7f5e", PAPER))
"""Colours of the parts of a bar, each with that of the text on it; the least to be wished for comes first."""


# "bell\x07"
_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def escape(words: str) -> str:
    """Return text as it may stand in XML: marked up, and without the characters that XML has no place for."""
    return _html_escape(_NOT_XML.sub("\ufffd", words))


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element; `_` in an attribute's name stands for "-", numbers are rounded, None is left out."""
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{tag}{named}>{inner}</{tag}>" if inner else f"<{tag}{named}/>"


def _attribute(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value))


def text(x: float, y: float, content: str, **attributes: object) -> str:
    """Return a line of text; its size is 12 and its colour INK unless said otherwise."""
    return element("text", escape(content), **{"x": x, "y": y, "font_size": 12, "fill": INK, **attributes})


def line(x1: float, y1: float, x2: float, y2: float, **attributes: object) -> str:
    """Return a line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **{"stroke": INK, "stroke_width": 1, **attributes})


def titled(content: str, *children: str, **attributes: object) -> str:
    """Return a group that says `content` to a pointer that rests on it."""
    return element("g", element("title", escape(content)), *children, **attributes)


def drawing(height: float, title: str, description: str, *children: str, width: float = WIDTH) -> str:
    """Return a whole drawing with a title and a description for those who do not see it."""
    return element(
        "svg",
        element("title", escape(title)),
        element("desc", escape(description)),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {math.ceil(height)}",
        width=width,
        height=math.ceil(height),
        role="img",
        font_family="system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif",
    )


def run_colour(index: int) -> str:
    """Return the colour of the run with that index."""
    return RUNS[index % len(RUNS)]


def ceiling(values: Sequence[float]) -> float:
    """Return the end of an axis from 0 that holds all values: 0.2, 0.4, 0.6, 0.8 or 1."""
    most = max((value for value in values if not math.isnan(value)), default=1.0)
    return next((end for end in (0.2, 0.4, 0.6, 0.8) if most <= end), 1.0)


def wrapped(content: str, most: int, lines: int = 2) -> list[str]:
    """Return text as at most `lines` lines of at most `most` characters; what does not fit ends in an ellipsis."""
    found = [""]
    for word in content.split():
        if found[-1] and len(found[-1]) + 1 + len(word) > most:
            found.append(word)
        else:
            found[-1] = f"{found[-1]} {word}".strip()
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [part if len(part) <= most else part[: most - 1].rstrip() + "…" for part in found]
