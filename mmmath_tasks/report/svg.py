"""Drawings as SVG text: elements, and text that fits. Pure functions; lengths are in CSS pixels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape as _html_escape
from html import unescape
from textwrap import wrap

from mmmath_tasks.name_text import shortened
from mmmath_tasks.report.themes import GREY, INK, PAPER, fixed

WIDTH = 440
"""Width of every drawing: two or three stand side by side on a screen, one fills a phone."""

DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""What tells the lines of four runs apart beside their colours."""

_WIDTHS = {
    **dict.fromkeys("ijl.,:;'|! ", 0.33),
    **dict.fromkeys('ftr()[]-/\\"', 0.42),
    **dict.fromkeys("abcdeghknopqsuvxyz_#*+", 0.63),
    **dict.fromkeys("mwMW%@\u2026\u2014", 1.0),
    **dict.fromkeys("GOQDHNU", 0.78),
}
"""Parts of its size that a sign is wide, in DejaVu Sans or a little more; the others are as wide as a capital."""

# "bell\x07"
_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def escape(words: str) -> str:
    """Return text as it may stand in XML: marked up, and without the characters that XML has no place for."""
    return _html_escape(_NOT_XML.sub("\ufffd", words))


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element; `_` in an attribute's name stands for "-", numbers are rounded, None is left out."""
    named = "".join(
        f' {name.replace("_", "-")}="{_attribute(value)}"' for name, value in attributes.items() if value is not None
    )
    inner = "".join(children)
    return f"<{tag}{named}>{inner}</{tag}>" if inner else f"<{tag}{named}/>"


def _attribute(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value))


def text(x: float, y: float, content: str, **attributes: object) -> str:
    """Return a line of text; its size is 12 and its colour INK unless said otherwise, as `drawing` has it."""
    return element("text", escape(content), x=x, y=y, **attributes)


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
        font_size=12,
        fill=INK,
    )


def alone(svg: str, title: str, caption: str) -> str:
    """Return a drawing as a file that needs no page: its title above, its caption below, colours fixed, on white."""
    inner, (words, body) = size(svg)[1], _parts(svg)
    pad = 14.0
    heading = folded(title, 14 * 1.08, WIDTH)
    remarks = folded(caption, 10, WIDTH)
    top = pad + 18 * len(heading) + 6
    below = top + inner + 8
    height = below + 13.5 * len(remarks) + pad
    lines = [
        *(text(0, pad + 12 + 18 * i, words, font_size=14, font_weight=600) for i, words in enumerate(heading)),
        element("g", body, transform=f"translate(0 {top:g})"),
        *(text(0, below + 10 + 13.5 * i, words, font_size=10, fill=GREY) for i, words in enumerate(remarks)),
    ]
    paper = element("rect", width=WIDTH + 2 * pad, height=math.ceil(height), fill=PAPER)
    shown = element("g", *lines, transform=f"translate({pad:g} 0)")
    return fixed(drawing(height, title, words, paper, shown, width=WIDTH + 2 * pad))


def size(svg: str) -> tuple[int, int]:
    """Return the width and the height of a drawing."""
    width, height = re.findall(r' (?:width|height)="(\d+)"', svg.partition(">")[0])
    return int(width), int(height)


def _parts(svg: str) -> tuple[str, str]:
    """Return a drawing's description in plain words, and its shapes."""
    words, _, body = svg.partition("<desc>")[2].partition("</desc>")
    return unescape(words), body.removesuffix("</svg>")


def text_width(content: str, size: float = 12) -> float:
    """Return how wide a line of text is at most, whichever of the usual fonts is there (DejaVu Sans is the widest)."""
    return size * sum(_WIDTHS.get(sign, 0.7 if sign < "\u0370" else 1.0) for sign in content)


def fitting(names: Sequence[str], size: float, width: float) -> list[str]:
    """Return names cut so that they fit a width and still differ."""
    for most in range(max(map(len, names), default=0), 8, -1):
        found = shortened(names, most)
        if all(text_width(name, size) <= width for name in found):
            return found
    return shortened(names, 8)


def folded(content: str, size: float, width: float) -> list[str]:
    """Return text as the lines of that width it takes; a word that is wider stands alone and stands out."""
    found = [""]
    for word in content.split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and text_width(longer, size) > width:
            found.append(word)
        else:
            found[-1] = longer
    return list(filter(None, found))


def legend(entries: Sequence[tuple[str, str]], left: float = 0, right: float = WIDTH) -> tuple[str, float]:
    """Return marks with what they mean, in as many lines from left to right as they take, and how high that is.

    A mark is drawn around its middle and at most 16 wide.
    """
    x, y, drawn = left, 8.0, []
    for mark, words in entries:
        wide = 20 + text_width(words, 10.5) + 12
        if x > left and x + wide - 12 > right:
            x, y = left, y + 16
        drawn.append(element("g", mark, transform=f"translate({x + 8:g} {y:g})"))
        drawn.append(text(x + 20, y + 4, words, font_size=10.5))
        x += wide
    return "".join(drawn), y + 12 if entries else 0.0


def axis_title(x: float, y: float, words: str) -> str:
    """Return what an axis shows, its middle at x."""
    return text(x, y, words, font_size=10, fill=GREY, text_anchor="middle")


def wrapped(content: str, most: int, lines: int = 2) -> list[str]:
    """Return text as at most `lines` lines of at most `most` characters; what does not fit ends in an ellipsis."""
    found = wrap(content, most, break_long_words=False, break_on_hyphens=False) or [""]
    if len(found) > lines:
        found[lines - 1 :] = [" ".join(found[lines - 1 :])]
    return [part if len(part) <= most else part[: most - 1].rstrip() + "…" for part in found]
