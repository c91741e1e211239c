"""The texts on a page of a PDF, put together from its glyphs; in the jail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

Element = dict[str, Any]

CM = 72 / 2.54
GLYPH_LIMIT = 5_000
_SIGNS = {"\u25e6": "\u00b0", "\u2218": "\u00b0", "\u2032": "'", "\u2212": "-", "\u0338": "\u2220"}


def texts(page: Any, rules: list[Element]) -> Iterator[Element]:
    """Yield the page's texts: glyphs whose boxes nearly touch, superscripts included, are one text."""
    groups: list[list[_Glyph]] = []
    for glyph in sorted(_fractions(_glyphs(page), rules), key=lambda glyph: glyph.box[0]):
        near = [group for group in groups if _touch(group, glyph)]
        groups = [group for group in groups if group not in near]
        groups.append([*(g for group in near for g in group), glyph])
    for group in groups:
        group.sort(key=lambda glyph: glyph.box[0])
        text, end = "", group[0].box[0]
        for glyph in group:
            text += " " + glyph.text if glyph.box[0] - end > 0.22 * glyph.size else glyph.text
            end = max(end, glyph.box[2])
        left, bottom, right, top = _union(group)
        x, y = (left + right) / 2 / CM, (bottom + top) / 2 / CM
        yield {"kind": "text", "text": text, "x": round(x, 4), "y": round(y, 4)}


class _Glyph(NamedTuple):
    text: str
    box: tuple[float, float, float, float]
    size: float


def _union(glyphs: Iterable[_Glyph]) -> tuple[float, float, float, float]:
    left, bottom, right, top = zip(*(glyph.box for glyph in glyphs), strict=True)
    return min(left), min(bottom), max(right), max(top)


def _glyphs(page: Any) -> list[_Glyph]:
    from ctypes import byref, c_double

    from pypdfium2 import raw

    found = []
    for number in range(min(page.count_chars(), GLYPH_LIMIT)):
        sign = chr(raw.FPDFText_GetUnicode(page.raw, number))
        if sign.isspace() or raw.FPDFText_IsGenerated(page.raw, number) == 1:
            continue
        sides = [c_double() for _ in range(4)]
        raw.FPDFText_GetCharBox(page.raw, number, *map(byref, sides))
        left, right, bottom, top = (side.value for side in sides)
        size = raw.FPDFText_GetFontSize(page.raw, number)
        found.append(_Glyph(_SIGNS.get(sign, sign), (left, bottom, right, top), size))
    return found


def _fractions(glyphs: list[_Glyph], rules: list[Element]) -> list[_Glyph]:
    """Return the glyphs with each fraction as one, and drop from `rules` the bars of fractions, roots, angles."""
    for rule in list(rules):
        (x, y), (end, level) = ([v * CM for v in point] for point in rule["points"])
        if abs(y - level) > 0.01 or abs(end - x) > 2 * CM:
            continue
        x, end = min(x, end), max(x, end)
        over = [g for g in glyphs if x - 1 < (g.box[0] + g.box[2]) / 2 < end + 1 and abs(g.box[1] - y) < 0.5 * g.size]
        under = [g for g in glyphs if x - 1 < (g.box[0] + g.box[2]) / 2 < end + 1 and abs(g.box[3] - y) < 0.5 * g.size]
        over, under = [g for g in over if g.box[3] > y + 2], [g for g in under if g.box[1] < y - 2]
        for part in (over, under):
            if part and (_union(part)[0] < x - 1 or _union(part)[2] > end + 1):
                part.clear()
        angle = any(
            g.text == "\u2220" and abs(g.box[1] - y) < 2 and x - 2 < g.box[2] and g.box[0] < end + 2 for g in glyphs
        )
        root = any(g.text == "\u221a" and abs(g.box[2] - x) < 1 and abs(g.box[3] - y) < 1.5 for g in glyphs)
        if over and under:
            text = "/".join("".join(g.text for g in sorted(part, key=lambda g: g.box[0])) for part in (over, under))
            glyphs = [g for g in glyphs if g not in over and g not in under]
            glyphs.append(_Glyph(text, _union([*over, *under]), max(g.size for g in over)))
        if root or angle or (over and under):
            rules.remove(rule)
    return glyphs


def _touch(group: list[_Glyph], glyph: _Glyph) -> bool:
    """Tell whether a glyph follows a group closely, in line with one of its glyphs."""
    size = max(glyph.size, *(other.size for other in group))
    in_line = any(
        max(other.box[1], glyph.box[1]) - min(other.box[3], glyph.box[3]) < 0.1 * max(other.size, glyph.size)
        for other in group
    )
    return in_line and glyph.box[0] - max(other.box[2] for other in group) < 0.45 * size
