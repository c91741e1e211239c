"""Who read the answers that a score is about, where the authors have a language model read them.

A benchmark whose official rule asks a language model names it in its metrics module (`OFFICIAL_READER`). Each of its
verdicts says who read instead (`Verdict.reader`), its scorecard counts them (provenance, "answers_read_by"), and
whatever shows one of its numbers names it (mmmath_tasks.score_labels), and its notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from mmmath_tasks.problem import Verdict

RULES = "rules"
"""Our rules, where the authors ask a model."""

RULES_OF_CODE = "rules on code"
"""The same, of a response that is a program, or wrapped in code: the authors run programs and read what they print."""

GIVEN = "extraction"
"""Handed in: by a file with its authors' or a judge's column, or a caller."""

JUDGE = "judge"
"""A judge whose name is not known; "judge:<model>" where it is."""

NOBODY = "nobody"
"""The authors ask no model either: the response is empty, or is the answer and nothing else."""

UNKNOWN = "not recorded"
"""A verdict of before 0.2."""

KEY = "answers_read_by"
"""In a scorecard's provenance: reader to count."""

# "for i in range(3):"
_CODE_LINE = re.compile(
    r"\s*(?:print\(|return\b|import \w|from [\w.]+ import |#"
    r"|(?:def|class|for|while|if|elif|else|try|except|with)\b.*:\s*$"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\]|\s*,\s*[A-Za-z_]\w*)*\s*[-+*/]?=[^=]|[A-Za-z_][\w.]*\(.*\)\s*$|[\])}]+\s*$)"
)
# "import math"
_PROGRAM_LINE = re.compile(r"\s*(?:print\(|import \w|from [\w.]+ import |def \w+\()")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_MOST_CHARACTERS = 20_000


def rules_for(response: str) -> str:
    """Return which of the two rules' names a response falls under."""
    return RULES_OF_CODE if is_code(response) else RULES


def is_code(response: str) -> bool:
    """Say whether most lines of a response stand between fences of code, or are those of a Python program.

    A program is told by a line that prints, imports or defines, and by most of its lines being statements.
    """
    lines: list[str] = []
    fenced = 0
    inside = False
    for line in response[:_MOST_CHARACTERS].splitlines():
        if _FENCE.match(line):
            inside = not inside
        elif line.strip():
            lines.append(line)
            fenced += inside
    statements = sum(_CODE_LINE.match(line) is not None for line in lines)
    return 2 * fenced > len(lines) or (any(map(_PROGRAM_LINE.match, lines)) and 2 * statements > len(lines))


def readers(verdicts: Iterable[Verdict], outcome: Literal["official", "verified"] = "official") -> dict[str, int]:
    """Return how many verdicts rest on whose reading, most first; those without that outcome are left out."""
    return dict(Counter(v.reader or UNKNOWN for v in verdicts if getattr(v, outcome) is not None).most_common())


def counted(provenance: Mapping[str, Any]) -> dict[str, int]:
    """Return what a scorecard's provenance says of who read the answers; {} where it says nothing, or no counts."""
    found = provenance.get(KEY)
    plain = isinstance(found, dict) and all(type(count) is int and count >= 0 for count in found.values())
    return dict(found or {}) if plain else {}


def mostly_code(read_by: Mapping[str, int]) -> bool:
    """Say whether most of what the rules read were programs, or wrapped in code."""
    return read_by.get(RULES_OF_CODE, 0) > read_by.get(RULES, 0)
