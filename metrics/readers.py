"""Who read the answers that a score is about, where the authors have a language model read them, and how to say so.

A benchmark whose official rule asks a language model names it in its metrics module (`OFFICIAL_READER`). Each of its
verdicts says who read instead (`Verdict.reader`), its scorecard counts them (provenance, "answers_read_by"), and
whatever shows one of its numbers names it with `label`, and prints the scorecard's notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Literal

from mmmath_tasks.problem import Scorecard, Verdict

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

_CODE_LINE = re.compile(
    r"\s*(?:print\(|return\b|import \w|from [\w.]+ import |#"
    r"|(?:def|class|for|while|if|elif|else|try|except|with)\b.*:\s*$"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\]|\s*,\s*[A-Za-z_]\w*)*\s*[-+*/]?=[^=]|[A-Za-z_][\w.]*\(.*\)\s*$|[\])}]+\s*$)"
)
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


def mostly_code(read_by: dict[str, int]) -> bool:
    """Say whether most of what the rules read were programs, or wrapped in code."""
    return read_by.get(RULES_OF_CODE, 0) > read_by.get(RULES, 0)


def how_read(card: Scorecard, metric: str = "") -> str:
    """Return what must stand beside a score.

    Args:
        card: the run.
        metric: "acc", "gain", "share_empty", ...; "": the headline.

    Returns:
        "read by rules", "788 of 1,000 read by rules", "reader not recorded" (a scorecard of before 0.2), or "" where
        nobody stood in for the authors' model, or the score is not of the headline's kind.
    """
    if not _is_about(card, metric or card.headline):
        return ""
    read_by = card.provenance.get(KEY)
    if not isinstance(read_by, dict) or UNKNOWN in read_by:
        return "reader not recorded" if official_reader(card.benchmark) else ""
    by_rules = count_by_rules(card)
    if not by_rules:
        return ""
    others = set(read_by) - {RULES, RULES_OF_CODE, NOBODY}
    return f"{by_rules:,} of {sum(read_by.values()):,} read by rules" if others else "read by rules"


def count_by_rules(card: Scorecard) -> int:
    """Return how many of the headline's answers our rules read in place of the authors' model, as far as is known."""
    found = card.provenance.get(KEY, {})
    return sum(found.get(name, 0) for name in (RULES, RULES_OF_CODE))


def label(cards: Sequence[Scorecard], metric: str, name: str = "") -> str:
    """Return a metric's name for a table or plot of some runs: "acc, read by rules".

    Args:
        cards: of one benchmark.
        metric: see `how_read`.
        name: what to call it; "": as it is.

    Returns:
        the name, and how the answers were read where all the cards say the same of it (see `readers_differ`).
    """
    said = {how_read(card, metric) for card in cards}
    return ", ".join(filter(None, [name or metric, *said])) if len(said) == 1 else name or metric


def readers_differ(cards: Sequence[Scorecard]) -> bool:
    """Say whether the answers of some runs were read otherwise than those of others, so that each must name it."""
    return len({how_read(card) for card in cards}) > 1


def read_by(card: Scorecard) -> str:
    """Return who read a run's answers: "extraction 788, rules 202, 10 needed none"; "" for nothing to say."""
    found = card.provenance.get(KEY)
    if not isinstance(found, dict):
        return how_read(card)
    said = [f"{name} {count:,}" for name, count in found.items() if name != NOBODY]
    return ", ".join([*said, *([f"{found[NOBODY]:,} needed none"] if NOBODY in found else [])])


def official_reader(benchmark: str) -> str:
    """Return the model that a benchmark's authors have read answers; "" for none or an unknown benchmark."""
    try:
        module = import_module(f"mmmath_tasks.metrics.{benchmark}")
    except ModuleNotFoundError:
        return ""
    return str(getattr(module, "OFFICIAL_READER", ""))


def _is_about(card: Scorecard, metric: str) -> bool:
    """Say whether a metric is made of the verdicts that the headline is made of."""
    kinds = ["_verified" in name for name in (metric, card.headline)]
    return metric.startswith(("acc", "gain")) and kinds[0] == kinds[1]
