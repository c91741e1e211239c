"""The LaTeX documents of figures, in several ways to write TikZ."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure
from mmmath_tasks.hub_datasets.mathopeval_generator.labels import FONTS, Layout

_COMMENTS = (
    ("% points", "% lines", "% letters", "% labels", "% auxiliary line"),
    ("% Coordinates of all vertices", "% The figure itself", "% Names of the points", "% Measures", "% What was added"),
)
_INKS = ("", "", "blue!60!black", "teal!80!black", "violet")
_FILLS = ("", "", "", "gray!12", "yellow!15", "cyan!10")


PLAIN: Mapping[str, Any] = {
    **{"segments": "single", "letters": "single", "comments": None, "ink": "", "fill": "", "width": "", "scale": 1},
    **{"dots": False, "font": "", "libraries": False},
}
"""The look of the first edition."""


def look(rng: random.Random) -> dict[str, Any]:
    """Draw everything about a drawing that no edit changes."""
    return {
        "segments": rng.choice(["single", "loop", "one"]),
        "letters": rng.choice(["single", "loop", "loop", "label", "label"]),
        "comments": rng.choice([None, None, *_COMMENTS]),
        "ink": rng.choice(_INKS),
        "fill": rng.choice(_FILLS),
        "width": rng.choice(["", "thick", "semithick", "line width=0.7pt", "line width=1pt"]),
        "scale": rng.choice([1, 1, 0.8, 0.9, 1.1]),
        "dots": rng.random() < 0.4,
        "font": rng.choice(list(FONTS)),
        "libraries": rng.random() < 0.4,
    }


def document(
    layout: Layout,
    look: Mapping[str, Any],
    labels: Mapping[str, str],
    drawn: Sequence[str] | None = None,
    added: Sequence[str] = (),
) -> str:
    """Return the document that draws a figure.

    Args:
        layout: the figure, and where its texts stand.
        look: from `look`, or PLAIN.
        labels: what is written at angles ("ABC") and segments ("AB"), in mathematics.
        drawn: the segments to draw; None: all.
        added: further lines of TikZ.
    """
    figure = layout.figure
    segments = figure.segments if drawn is None else drawn
    words = look["comments"] or [""] * 5
    area = shaded(figure, look)
    fill = ""
    if area and all(s in segments for s in figure.segments if set(s) < set(area)):
        fill = f"\\fill[{look['fill']}] {' -- '.join(f'({k})' for k in area)} -- cycle;"
    notes = [line for name, text in labels.items() for line in _label(layout, name, text)]
    blocks = (
        _coordinates(layout, look["letters"] == "label"),
        [*([fill] if fill else []), *tikz.circle(figure), *_segments(segments, look["segments"])],
        [*_dots(figure, look), *_letters(layout, look["letters"])],
        notes,
        added,
    )
    lines: list[str] = []
    for word, block in zip(words, blocks, strict=True):
        if block:
            lines += [*([word] if word else []), *block]
    options = [o for o in (f"scale={look['scale']}" if look["scale"] != 1 else "", look["width"], look["ink"]) if o]
    if look["font"]:
        options.append(f"every node/.style={{font={look['font']}}}")
    how = f"[{', '.join(options)}]" if options else ""
    body = "".join(f"  {line}\n" for line in lines)
    libraries = "\\usetikzlibrary{calc,angles,quotes}\n" if look["libraries"] else ""
    return (
        f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n{libraries}\\pagestyle{{empty}}\n\\begin{{document}}\n"
        f"\\begin{{tikzpicture}}{how}\n{body}\\end{{tikzpicture}}\n\\end{{document}}\n"
    )


def brief(figure: Figure, added: Sequence[str] = ()) -> str:
    """Return a whole picture with the points, segments and circle of a figure, without letters and labels."""
    points = [f"\\coordinate ({k}) at ({p[0]:g},{p[1]:g});" for k, p in figure.points.items()]
    extra = [line for line in added if not line.startswith("\\node")]
    lines = [*points, *tikz.circle(figure), *_segments(figure.segments, "one"), *extra]
    return "\n".join(["\\begin{tikzpicture}", *lines, "\\end{tikzpicture}"])


def shaded(figure: Figure, look: Mapping[str, Any]) -> str:
    """Return the triangle that is filled, as its letters; "": none. It is not where one of its sides is not drawn."""
    return next(iter(figure.triangles()), "") if look["fill"] else ""


def _coordinates(layout: Layout, lettered: bool) -> list[str]:
    lines = tikz.coordinates(layout.figure)
    if lettered:
        sides = [f"[label={side}:${k}$]" for k, side in layout.sides.items()]
        lines = [
            line.replace("\\coordinate", f"\\coordinate{side}", 1) for line, side in zip(lines, sides, strict=True)
        ]
    return lines


def _segments(segments: Sequence[str], way: str) -> list[str]:
    if way == "one":
        return [f"\\draw {' '.join(f'({s[0]})--({s[1]})' for s in segments)};"]
    if way == "loop":
        return [f"\\foreach \\a/\\b in {{{', '.join(f'{s[0]}/{s[1]}' for s in segments)}}}", "  \\draw (\\a) -- (\\b);"]
    return tikz.draws(segments)


def _dots(figure: Figure, look: Mapping[str, Any]) -> list[str]:
    return [f"\\foreach \\p in {{{', '.join(figure.points)}}} \\fill (\\p) circle (1.4pt);"] if look["dots"] else []


def _letters(layout: Layout, way: str) -> list[str]:
    if way == "label":
        return []  # they stand with the coordinates
    if way == "loop":
        sides = ", ".join(f"{k}/{side}" for k, side in layout.sides.items())
        return [f"\\foreach \\p/\\where in {{{sides}}}", "  \\node[\\where] at (\\p) {$\\p$};"]
    return [tikz.letter(k, side) for k, side in layout.sides.items()]


def _label(layout: Layout, name: str, text: str) -> list[str]:
    place = layout.place(name)
    return tikz.angle_mark(layout.figure, name, text, place) if len(name) == 3 else [tikz.length_mark(text, place)]
