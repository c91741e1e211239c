"""How values become literals, and blocks of lines a script, in the idiom of Axes or of pyplot.

All blocks are written for Axes `ax`; for the pyplot idiom the whole script is then translated call by call.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from textwrap import indent
from typing import Any

_COMMENTS = {
    "style": ("# General look", "# Fonts and colours", "# Style of the whole figure"),
    "function": ("# The function", "# Function and samples", "# What is plotted"),
    "data": ("# Data", "# The numbers behind the chart", "# Values to plot"),
    "plot": ("# Draw it", "# Plot the values", "# Main axes"),
    "values": ("# Write the values", "# Annotations", "# Labels at the marks"),
    "dress": ("# Titles, axes and grid", "# Labels and layout", "# Finishing touches"),
}
FONTS = ("sans-serif", "sans-serif", "serif", "monospace", "STIXGeneral")  # of which Matplotlib brings the last
SHEETS = (
    *("", "", "", "ggplot", "bmh", "seaborn-v0_8-whitegrid", "seaborn-v0_8-darkgrid", "Solarize_Light2", "grayscale"),
)
# Methods of Axes that pyplot has under the same name, and the setters that it has without "set_".
_METHODS = (
    *("bar", "barh", "plot", "pie", "scatter", "fill_between", "axhline", "axvline", "text", "annotate", "bar_label"),
    *("title", "xlabel", "ylabel", "xlim", "ylim", "xticks", "yticks", "tick_params", "grid", "legend"),
)
_MODULES = {"plt": "matplotlib.pyplot", "np": "numpy", "pd": "pandas", "sns": "seaborn"}


def shown(value: float) -> str:
    """Return a value as scripts and annotations write it."""
    return f"{value:g}"


def written(thing: object) -> str:
    """Return a number or text as a literal."""
    return shown(thing) if isinstance(thing, float | int) else repr(thing)


def listed(things: Sequence[object]) -> str:
    """Return a list of numbers or texts as a literal."""
    return f"[{', '.join(map(written, things))}]"


def when(there: object, *lines: str) -> list[str]:
    """Return these lines of a script, or none."""
    return list(lines) if there else []


def manner(rng: random.Random) -> dict[str, Any]:
    """Draw how a script is written, whatever it draws."""
    return {
        "function": rng.random() < 0.12,
        "comments": rng.randrange(3) if rng.random() < 0.4 else None,
        "notes": rng.choice(["library", "loop", "helper"]),
        "sheet": rng.choice(SHEETS),
        "font": rng.choice(FONTS),
    }


def style(look: Mapping[str, Any]) -> list[str]:
    """Return the lines that set style sheet and font."""
    lines = [f"plt.style.use({look['sheet']!r})"] if look["sheet"] else []
    return lines + ([f"plt.rcParams['font.family'] = {look['font']!r}"] if look["font"] != "sans-serif" else [])


def assembled(blocks: Mapping[str, Sequence[str]], look: Mapping[str, Any], idiom: str) -> str:
    """Return the script of these blocks (by their names in _COMMENTS), in the manner of `look`."""
    parts = []
    for name, lines in blocks.items():
        if lines:
            comment = [] if look["comments"] is None else [_COMMENTS[name][look["comments"]]]
            parts.append("\n".join([*comment, *lines]))
    body = "\n\n".join([*parts, "plt.show()"])
    if idiom == "pyplot":
        body = _translated(body)
    if look["function"]:
        body = "\ndef main():\n" + indent(body, "    ") + "\n\n\nmain()"
    imports = [f"import {module} as {name}" for name, module in _MODULES.items() if re.search(rf"\b{name}\.", body)]
    return "\n".join([*sorted(imports), "", body, ""])


def _translated(code: str) -> str:
    """Return code for Axes `ax` as code for pyplot's current axes."""

    def call(found: re.Match[str]) -> str:
        name = found[1].removeprefix("set_")
        return f"plt.{name}(" if name in _METHODS else f"plt.gca().{found[1]}("

    code = code.replace("fig, ax = plt.subplots(", "plt.figure(")
    code = re.sub(r"\bax\.(\w+)\(", call, code)  # "ax.set_title("
    code = re.sub(r"\bax\b", "plt.gca()", code)
    return code.replace("fig.text(", "plt.figtext(").replace("fig.", "plt.gcf().")
