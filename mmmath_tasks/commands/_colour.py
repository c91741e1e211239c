"""Colour in a terminal, and nowhere else (NO_COLOR and a dumb terminal are respected)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from mmmath_tasks.outputs.table_text import FAINT, HEAD, STRONG

_CODES = {HEAD: "1", STRONG: "1;32", FAINT: "2", "error": "31"}


def show(lines: Iterable[str]) -> None:
    """Print lines; the styled ones (see mmmath_tasks.outputs.table_text) in colour where the output shows it."""
    for line in lines:
        print(painted(line, getattr(line, "style", ""), sys.stdout))


def painted(text: str, style: str, stream: TextIO) -> str:
    """Return a text in a style, or as it is where the stream shows no colour (https://no-color.org)."""
    shown = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if shown and style and text else text
