"""The LaTeX documents of figures, in several ways to write TikZ."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import tikz
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure
from mmmath_tasks.hub_datasets.mathopeval_generator.labels import FONTS, Layout
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import when

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
    figure, segments = layout.figure, layout.figure.segments if drawn is None else drawn
    area, sides = shaded(figure, look), layout.sides
    filled = area and all(s in segments for s in figure.segments if set(s) < set(area))
    points, letters = tikz.coordinates(figure), [tikz.letter(k, side) for k, side in sides.items()]
    if look["letters"] == "loop":
        places = ", ".join(f"{k}/{side}" for k, side in sides.items())
        letters = [f"\\foreach \\p/\\where in {{{places}}}", "  \\node[\\where] at (\\p) {$\\p$};"]
    elif look["letters"] == "label":
        ways = [f"\\coordinate[label={side}:${k}$]" for k, side in sides.items()]
        points = [line.replace("\\coordinate", way, 1) for line, way in zip(points, ways, strict=True)]
        letters = []
    blocks = (
        points,
        [
            *when(filled, f"\\fill[{look['fill']}] {' -- '.join(f'({k})' for k in area)} -- cycle;"),
            *tikz.circle(figure),
            *_segments(segments, look["segments"]),
        ],
        [
            *when(look["dots"], f"\\foreach \\p in {{{', '.join(figure.points)}}} \\fill (\\p) circle (1.4pt);"),
            *letters,
        ],
        [line for name, text in labels.items() for line in tikz.measure(figure, name, text, layout.place(name))],
        added,
    )
    words = look["comments"] or [""] * len(blocks)
    body = [line for word, block in zip(words, blocks, strict=True) for line in (*when(word and block, word), *block)]
    options = [
        *when(look["scale"] != 1, f"scale={look['scale']}"),
        *when(look["width"], look["width"]),
        *when(look["ink"], look["ink"]),
        *when(look["font"], f"every node/.style={{font={look['font']}}}"),
    ]
    lines = [
        "\\documentclass{article}",
        "\\usepackage{tikz}",
        *when(look["libraries"], "\\usetikzlibrary{calc,angles,quotes}"),
        "\\pagestyle{empty}",
        "\\begin{document}",
        "\\begin{tikzpicture}" + (f"[{', '.join(options)}]" if options else ""),
        *(f"  {line}" for line in body),
        "\\end{tikzpicture}",
        "\\end{document}\n",
    ]
    return "\n".join(lines)


def brief(figure: Figure, added: Sequence[str] = ()) -> str:
    """Return a whole picture with the points, segments and circle of a figure, without letters and labels."""
    points = [f"\\coordinate ({k}) at ({p[0]:g},{p[1]:g});" for k, p in figure.points.items()]
    extra = [line for line in added if not line.startswith("\\node")]
    lines = [*points, *tikz.circle(figure), *_segments(figure.segments, "one"), *extra]
    return "\n".join(["\\begin{tikzpicture}", *lines, "\\end{tikzpicture}"])


def shaded(figure: Figure, look: Mapping[str, Any]) -> str:
    """Return the triangle that is filled, as its letters; "": none. It is not where one of its sides is not drawn."""
    return next(iter(figure.triangles()), "") if look["fill"] else ""


def _segments(segments: Sequence[str], way: str) -> list[str]:
    if way == "one":
        return [f"\\draw {' '.join(f'({s[0]})--({s[1]})' for s in segments)};"]
    if way == "loop":
        return [f"\\foreach \\a/\\b in {{{', '.join(f'{s[0]}/{s[1]}' for s in segments)}}}", "  \\draw (\\a) -- (\\b);"]
    return tikz.draws(segments)
