"""MathVista's inputs for language models: descriptions of pictures, text detected in them, and worked examples.

Paper: arXiv 2310.02255, sections 3.1 and E.4, Table 2. Upstream keeps both kinds of texts as their models gave them
(Bard, EasyOCR) and tidies them up on the way into a query, with the rules below; the zero-shot queries that it builds
for testmini are reproduced byte for byte. The worked examples are our own.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

from mmmath_tasks.problem import Problem

_STOCK = (
    "Sure. ",
    "Sure, I can do that.",
    "I can't process this file.",
    "I'm not programmed to assist with that.",
    "I'm unable to help you with that, as I'm only a language model and don't have the necessary information or "
    "abilities.",
    "I hope this is helpful!",
    "I hope this helps!",
    "Please let me know if you have any other questions.",
)
"""What Bard says about itself, wherever it says it: acknowledgements, refusals, closing courtesies. No others go,
however alike; "Sure, I can help you with that." and "I cannot describe ..." stay."""


def description(text: str) -> str:
    """Return a picture's description as a query shows it: without stock phrases, two blanks as one, ends stripped."""
    for phrase in _STOCK:
        text = text.replace(phrase, "")
    return text.replace("  ", " ").strip()


def detected(text: str) -> str:
    """Return the text detected in a picture as a query shows it.

    Args:
        text: EasyOCR's list in Python's notation, [(corners, text, confidence), ...], or any other text.

    Returns:
        a list in the same notation of ([x, y], text), the first corner cut to integers; "" for an empty list, any other
        text as it is (upstream has no such texts).
    """
    try:
        found = ast.literal_eval(text)
        kept = [([int(corners[0][0]), int(corners[0][1])], words) for corners, words, _ in found]
    except (ValueError, TypeError, SyntaxError, LookupError, OverflowError, MemoryError, RecursionError):
        return text
    return str(kept) if kept else ""


@cache
def worked_examples() -> tuple[Problem, ...]:
    """Return the problems of the two-shot prompts; extra holds caption, ocr, solution and code of each."""
    rows = json.loads((Path(__file__).parent / "prompts" / "mathvista_2shot.json").read_text(encoding="utf-8"))
    return tuple(Problem(benchmark="mathvista", **{**row, "choices": tuple(row["choices"])}) for row in rows)
