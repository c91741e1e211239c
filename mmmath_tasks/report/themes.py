"""The colours of plots: named where they are drawn, so that a page gives them by its theme and a file has them fixed.

Runs have the colours of Okabe and Ito (Color Universal Design, 2008), which readers with any common colour blindness
tell apart, and of those the five that stand out from white and from a dark page alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LIGHT = {
    "plot-ink": "#1d2733",
    "plot-grey": "#5b6775",
    "plot-rule": "#dde2e8",
    "plot-paper": "#ffffff",
    "plot-heat": "#0b2f5c",
    "plot-on-pale": "#000000",
    "plot-on-deep": "#ffffff",
    "run-1": "#0072b2",
    "run-2": "#d55e00",
    "run-3": "#009e73",
    "run-4": "#cc79a7",
    "run-5": "#1d2733",
}
DARK = LIGHT | {
    "plot-ink": "#e6eaef",
    "plot-grey": "#a3aebb",
    "plot-rule": "#343c46",
    "plot-paper": "#14181d",
    "plot-heat": "#7ab0e8",
    "plot-on-pale": "#ffffff",
    "plot-on-deep": "#000000",
    "run-5": "#e6eaef",
}

INK, GREY, RULE, PAPER = (f"var(--plot-{name})" for name in ("ink", "grey", "rule", "paper"))
HEAT, ON_PALE, ON_DEEP = (f"var(--plot-{name})" for name in ("heat", "on-pale", "on-deep"))

RUNS = tuple(f"var(--{name})" for name in LIGHT if name.startswith("run-"))
"""Colours of runs; where there are more runs than colours, none has any."""

SHARES = ("#aab4c0", "#e69f00", "#56b4e9", "#009e73")
"""Colours of the parts of a bar, under black text; the least to be wished for comes first."""

# "var(--plot-ink)"
_NAMED = re.compile(r"var\(--((?:plot|run)-[a-z0-9-]+)\)")


def run_colour(index: int | None) -> str:
    """Return the colour of the run with that index; grey where it has none."""
    return GREY if index is None else RUNS[index]


def fixed(svg: str, theme: Mapping[str, str] = LIGHT) -> str:
    """Return a drawing whose colours are those of a theme, for readers that know no style sheet."""
    return _NAMED.sub(lambda match: theme[match[1]], svg)


def style_sheet() -> str:
    """Return the colours as CSS, the dark ones where the reader wishes them, on screens only."""
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in theme.items()) for theme in (LIGHT, DARK))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
