"""A TikZ picture: typeset by pdfTeX, read from the PDF's vectors, in the jail.

Records are dicts of JSON values, lengths in centimetres on the page, y upwards:
    segment  points [[x, y], [x, y]], dashed
    circle   x, y, radius
    arc      points: start, middle, end of a round arc
    curve    points: any other curve, sampled
    dot      x, y: a small filled disc
    area     x, y: centre of a filled shape without an outline
    text     text, x, y: centre of its box; glyphs that stand close together make one text
"""

from __future__ import annotations

import io
import math
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Element = dict[str, Any]
Point = tuple[float, float]

CM = 72 / 2.54
DOT_RADIUS = 0.15
DOTS_PER_INCH = 150
MARGIN = 6.0
OBJECT_LIMIT = 5_000
_BLANK: Element = {"cause": "blank", "message": "nothing was drawn", "elements": []}
_CLASS = r"""\documentclass{standalone}
\usepackage{amsmath,amssymb,tikz}
"""
_BARE = r"""\usetikzlibrary{angles,quotes,calc,intersections,arrows.meta,positioning,through,decorations.markings}
%s
\begin{document}
%s
\end{document}
"""
# "\usepackage{amsmath}"
_PREAMBLE = re.compile(r"^[ \t]*\\(?:usepackage|RequirePackage|use\w*library|pgfplotsset)\b.*\n?", re.MULTILINE)
# A page number is not part of a figure. Small installations lack the fonts of the encodings T1 and TS1: fontenc counts
# as loaded, and the signs that a figure is likely to take from them are set in mathematics.
_MAIN = r"""\makeatletter
\@namedef{ver@fontenc.sty}{9999/12/31}
\@namedef{opt@fontenc.sty}{OT1,T1,T2A,TS1}
\@namedef{@raw@opt@fontenc.sty}{OT1,T1,T2A,TS1}
\makeatother
\AtBeginDocument{\pagestyle{empty}\thispagestyle{empty}%
\def\textdegree{\ensuremath{^\circ}}%
\DeclareUnicodeCharacter{00B0}{\ensuremath{^\circ}}\DeclareUnicodeCharacter{00B1}{\ensuremath{\pm}}%
\DeclareUnicodeCharacter{00B2}{\ensuremath{^2}}\DeclareUnicodeCharacter{00B7}{\ensuremath{\cdot}}%
\DeclareUnicodeCharacter{00D7}{\ensuremath{\times}}\DeclareUnicodeCharacter{00BD}{\ensuremath{\frac12}}}
\input{figure.tex}
"""


def write(code: str, folder: Path) -> None:
    """Put the document into the folder; a bare picture gets a preamble, with what of one stands before it."""
    code = code.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if "\\documentclass" not in code:
        if "\\begin{document}" not in code:
            code = _BARE % ("".join(_PREAMBLE.findall(code)), _PREAMBLE.sub("", code))
        code = _CLASS + code
    (folder / "figure.tex").write_text(code, encoding="utf-8")
    (folder / "main.tex").write_text(_MAIN, encoding="utf-8")


def typeset(folder: Path) -> None:
    """Become pdfTeX; called in the child, does not return."""
    os.chdir(folder)
    # Python ignores it, and what is ignored stays so in the program
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    words = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "-no-shell-escape", "main.tex"]
    os.execvp(words[0], words)  # noqa: S606 (the jail's own program, no shell)


def complaint(folder: Path) -> str:
    """Return TeX's first error with its line, "" where there is no log."""
    log = folder / "main.log"
    if not log.is_file():
        return ""
    with log.open("rb") as file:
        text = file.read(1 << 20).decode("utf-8", "replace")
    found = re.search(r"^! .*(?:\n.*){0,3}", text, re.MULTILINE)
    return found.group()[:500] if found else text[-300:]


def read(folder: Path, pictures: bool) -> tuple[dict[str, Any], bytes]:
    """Return the records of the PDF's first page and, if wanted, its picture, cropped."""
    import pypdfium2

    from mmmath_tasks.sandbox.jailed import glyphs

    pages = folder / "main.pdf"
    if not pages.is_file() or not pages.stat().st_size:
        return _BLANK, b""
    document = pypdfium2.PdfDocument(pages.read_bytes())
    page = document[0]
    found: list[Element] = []
    box: list[float] = []
    for item in page.get_objects(max_depth=8):
        bounds = item.get_bounds()
        found += _path(item) if item.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH else []
        low, high = box[:2] or bounds[:2], box[2:] or bounds[2:]
        box = [*map(min, low, bounds[:2]), *map(max, high, bounds[2:])]
        if len(found) > OBJECT_LIMIT:
            break
    segments = [element for element in found if element["kind"] == "segment"]
    others = [element for element in found if element["kind"] != "segment"]
    texts = list(glyphs.texts(page.get_textpage(), segments))
    found = [*segments, *others, *texts]
    if not found:
        return _BLANK, b""
    elements = [{"figure": 0, "axes": 0, **element} for element in found]
    reply = {"cause": "", "message": "", "elements": elements}
    if not pictures:
        return reply, b""
    page.set_cropbox(box[0] - MARGIN, box[1] - MARGIN, box[2] + MARGIN, box[3] + MARGIN)
    file = io.BytesIO()
    page.render(scale=DOTS_PER_INCH / 72).to_pil().convert("RGB").save(file, "PNG", compress_level=6)
    return reply, file.getvalue()


def _round(*values: float) -> list[float]:
    return [round(v / CM, 4) for v in values]


def _xy(x: float, y: float) -> Element:
    return dict(zip("xy", _round(x, y), strict=True))


def _path(item: Any) -> Iterator[Element]:
    """Yield the records of one path object."""
    from ctypes import byref, c_int, c_uint

    from pypdfium2 import raw

    fill, stroke = c_int(), c_int()
    raw.FPDFPath_GetDrawMode(item.raw, byref(fill), byref(stroke))
    channels = [c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetStrokeColor(item.raw, *map(byref, channels))
    stroked = bool(stroke.value) and any(c.value < 255 for c in channels[:3]) and channels[3].value > 0
    dashed = raw.FPDFPageObj_GetDashCount(item.raw) > 0
    for strokes in _subpaths(item, raw):
        curve = [point for points in strokes for point in _sampled(points)]
        round_ = _circle(curve) if any(len(points) > 2 for points in strokes) else None
        full = math.dist(curve[0], curve[-1]) < 1e-2 if curve else False
        if round_ and full and fill.value and round_[2] < DOT_RADIUS * CM:
            yield {"kind": "dot", **_xy(*round_[:2])}
        elif not stroked:
            if fill.value and curve:
                middle = [sum(p[i] for p in curve) / len(curve) for i in (0, 1)]
                yield {"kind": "area", **_xy(*middle)}
        elif round_ and full:
            x, y, radius = _round(*round_)
            yield {"kind": "circle", "x": x, "y": y, "radius": radius}
        else:
            yield from _pieces(strokes, dashed)


def _pieces(strokes: list[list[Point]], dashed: bool) -> Iterator[Element]:
    """Yield straight strokes one by one, and each run of curved ones as one record."""
    run: list[Point] = []
    for points in [*strokes, []]:
        if len(points) > 2:
            run += _sampled(points)
            continue
        if run:
            if _circle(run):
                yield {"kind": "arc", "points": [_round(*p) for p in (run[0], run[len(run) // 2], run[-1])]}
            else:
                yield {"kind": "curve", "points": [_round(*p) for p in run]}
            run = []
        if points and math.dist(*points) > 1e-2:
            yield {"kind": "segment", "points": [_round(*p) for p in points], "dashed": dashed}


def _subpaths(item: Any, raw: Any) -> Iterator[list[list[Point]]]:
    """Yield each subpath as strokes (two points: straight; four: Bezier)."""
    from ctypes import byref, c_float

    matrix = item.get_matrix()
    strokes: list[list[Point]] = []
    start = here = (0.0, 0.0)
    controls: list[Point] = []
    for number in range(raw.FPDFPath_CountSegments(item.raw)):
        piece = raw.FPDFPath_GetPathSegment(item.raw, number)
        x, y = c_float(), c_float()
        raw.FPDFPathSegment_GetPoint(piece, byref(x), byref(y))
        point = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(piece)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            if strokes:
                yield strokes
            strokes, start = [], point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            strokes.append([here, point])
        else:
            controls.append(point)
            if len(controls) < 3:
                continue
            strokes.append([here, *controls])
            controls = []
        here = point
        if raw.FPDFPathSegment_GetClose(piece):
            if math.dist(here, start) > 1e-3:
                strokes.append([here, start])
            yield strokes
            strokes, here = [], start
    if strokes:
        yield strokes


def _sampled(points: list[Point], steps: int = 8) -> list[Point]:
    """Return a stroke's points: its ends, or a Bezier curve's at equal parameters."""
    if len(points) == 2:
        return points
    found = []
    for number in range(steps + 1):
        t = number / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        found.append(tuple(sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1)))
    return found  # type: ignore[return-value]


def _circle(points: list[Point]) -> tuple[float, float, float] | None:
    """Return centre and radius of the circle through these points; None where they lie on none."""
    import numpy as np

    if len(points) < 5:
        return None
    x, y = np.asarray(points, dtype=float).T
    # x^2 + y^2 = 2 a x + 2 b y + c, solved about the mean for precision
    u, v = x - x.mean(), y - y.mean()
    (a, b, c), _, rank, _ = np.linalg.lstsq(np.stack([2 * u, 2 * v, np.ones_like(u)], 1), u * u + v * v, rcond=None)
    radius = math.sqrt(max(0.0, float(c + a * a + b * b)))
    off = np.abs(np.hypot(u - a, v - b) - radius)
    if rank < 3 or radius == 0 or radius > 1e4 or off.max() > 0.01 * radius:
        return None
    return float(a + x.mean()), float(b + y.mean()), radius
