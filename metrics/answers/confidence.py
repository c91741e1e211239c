"""How sure a reading is: named features of it, weighed by a table that was fitted on labelled responses.

The confidence is the chance that the verdict on the reading is a careful reader's, also where no answer was found.
perf/answers_fit.py writes the table, confidence.json: the weight of each feature, in logits.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.options import options
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.refusals import refuses

_TAIL = 600  # characters of a response's end that are looked at
_KINDS = {"choice": "choice", "integer": "number", "float": "number", "list": "number"}
_RULES = {
    "tag": "set apart", "json": "set apart", "box": "set apart", "whole": "the whole text", "statement": "announced",
    "conclusion": "concluded", "yes_no": "yes or no", "first_letter": "a letter at an end", "none": "none of them",
    "last_letter": "a letter at an end", "bold": "marked", "tick": "marked", "entry": "marked", "first_line": "marked",
}  # fmt: skip
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "(A)"
_LETTER = re.compile(r"(?<![A-Za-z'\\])[B-H](?![A-Za-z'])|\(A\)|\bA[.):]")


def features(reading: Reading, text: str, expectation: Expectation) -> tuple[str, ...]:
    """Return the names of what speaks for or against a reading.

    Args:
        reading: what was found in a response, with the rule's own rough confidence.
        text: what the response says, without thinking and decoration.
        expectation: what kind of answer was asked for.
    """
    tail = text[-_TAIL:]
    kind = _KINDS.get(expectation.kind, "formula")
    if reading.text is None:
        found = [f"no answer: {reading.reason}"]
    else:
        found = [_RULES.get(reading.rule, "in a sentence"), f"{kind}, {_RULES.get(reading.rule, 'in a sentence')}"]
        found += [f"rough {min(9, int(10 * reading.confidence)) / 10}"]
        if reading.reason:
            found.append("no option or several values")
    found.append(kind)
    if len(text) > 1_500:
        found.append("long")
    elif len(text) < 60:
        found.append("short")
    if cue("hedge").search(tail):
        found.append("hedged")
    if cue("denied").search(tail):
        found.append("denied")
    if cue("changed").search(tail):
        found.append("turned")
    if tail.rstrip().endswith("?"):
        found.append("ends by asking")
    if refuses(tail[-200:]):
        found.append("declines")
    if kind == "choice":
        offered = options(expectation.choices)
        if not offered.valued and not offered.lettered:
            found.append("options in words")
        if len(set(_LETTER.findall(tail))) > 1:
            found.append("several letters")
    elif len(set(_NUMBER.findall(tail))) > 5:
        found.append("many numbers")
    return tuple(found)


@cache
def table() -> dict[str, float]:
    """Return the weight of each feature, in logits; "" is that of every reading."""
    found: dict[str, float] = json.loads(Path(__file__).with_name("confidence.json").read_text("utf-8"))
    return found


def calibrated(reading: Reading, text: str, expectation: Expectation) -> Reading:
    """Return a reading with the confidence that the table gives it, and the features that decided."""
    weights = table()
    named = features(reading, text, expectation)
    logit = weights[""] + sum(weights.get(name, 0.0) for name in named)
    return replace(reading, confidence=round(1 / (1 + math.exp(-logit)), 4), features=named)
