"""MathOPEval's execution score: what a generated figure is worth beside the reference, without a judge.

A companion of the paper's judged score (section 3), not in the paper: reference, original and generated code are run
(mmmath_tasks.sandbox), and the elements of the figures compared.

    mcg                             F1 over keyed elements, values within 2 %
    mce_deletion, mce_modification  F1 of the changes made to the original x share of untouched elements preserved
    mce_annotation                  mean of value F1 and place F1 of the new texts x share of what was there preserved

So a copy of the reference scores 1, and an unedited copy of the original 0 on every edit. Elements and tolerances:
mmmath_tasks.metrics.figures (charts, curves, geometry, labels).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.metrics.figures import charts, curves, geometry, labels
from mmmath_tasks.metrics.figures.counts import Counts, Edit

RULE_VERSION = "execution-2"
TOLERANCE = 0.02

Element = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExecutionScore:
    """What one generated figure is worth.

    Attributes:
        score: 0 to 1; nan where the reference cannot be used (see `cause`).
        cause: "" for a score by comparison; else why it is 0 (the sandbox's cause: "syntax", "timeout", "blank", ...;
            "forged" where its records are not what our reader writes) or nan ("reference: ...").
        parts: what the score is made of: "f1", "preserved", "value_f1", "place_f1", and the counts "right", "wanted",
            "given" (of changes, for edits; of values, for annotations).
    """

    score: float
    cause: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)


def execution_score(
    type: str,
    task: str,
    reference: Sequence[Element],
    generated: Sequence[Element],
    original: Sequence[Element] = (),
    *,
    tolerance: float = TOLERANCE,
) -> ExecutionScore:
    """Score a figure that was drawn.

    Args:
        type: "bar", "line", "pie", "function" or "geometry".
        task: "mcg", "mce_deletion", "mce_modification" or "mce_annotation".
        reference: element records of the figure asked for.
        generated: element records of the figure to score.
        original: element records of the figure that was to be edited; not used by "mcg".
        tolerance: how far off a value may be, as a share of its size (a place: of the drawing's diagonal).

    Returns:
        the score; nan with cause "reference: nothing to compare" where reference and original hold no difference
        (or the reference no element) of the kind compared.

    Raises:
        ValueError: an unknown type or task.
    """
    if type not in ("bar", "line", "pie", "function", "geometry"):
        raise ValueError(f"unknown type of figure {type!r}")
    if task not in ("mcg", "mce_deletion", "mce_modification", "mce_annotation"):
        raise ValueError(f"unknown task {task!r}")
    if task == "mcg":
        return _whole(_compare(type, reference, generated, tolerance))
    if task == "mce_annotation":
        return _annotation(type, original, reference, generated, tolerance)
    edit = _edit(type, original, reference, generated, tolerance)
    if not edit.changes.wanted:
        return ExecutionScore(math.nan, "reference: nothing to compare")
    parts = {"f1": edit.changes.f1, "preserved": edit.preserved, **_counts(edit.changes)}
    return ExecutionScore(edit.changes.f1 * edit.preserved, "", parts)


def failed_score(cause: str) -> ExecutionScore:
    """Return the score of code that failed, hung or drew nothing: 0, with its cause."""
    return ExecutionScore(0.0, cause)


def _counts(counts: Counts) -> dict[str, float]:
    return {"right": counts.right, "wanted": counts.wanted, "given": counts.given}


def _whole(counts: Counts) -> ExecutionScore:
    if not counts.wanted:
        return ExecutionScore(math.nan, "reference: nothing to compare")
    return ExecutionScore(counts.f1, "", {"f1": counts.f1, **_counts(counts)})


def _compare(type: str, reference: Sequence[Element], generated: Sequence[Element], tolerance: float) -> Counts:
    if type == "geometry":
        return geometry.compare(reference, generated, tolerance)
    if type == "function":
        return curves.compare(reference, generated, tolerance)
    return charts.compare(type, reference, generated, tolerance)


def _edit(
    type: str, original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> Edit:
    if type == "geometry":
        return geometry.edit(original, reference, generated, tolerance)
    if type == "function":
        return curves.edit(original, reference, generated, tolerance)
    return charts.edit(type, original, reference, generated, tolerance)


def _annotation(
    type: str, original: Sequence[Element], reference: Sequence[Element], generated: Sequence[Element], tolerance: float
) -> ExecutionScore:
    if type == "geometry":
        said, edit = geometry.annotation(original, reference, generated, tolerance)
    else:
        frame = labels.frames(reference)
        said = [labels.labels(elements, frame) for elements in (original, reference, generated)]
        edit = _edit(type, original, reference, generated, tolerance)
    wanted, still = labels.added(said[0], said[1])
    given, still_given = labels.added(said[0], said[2])
    if not wanted:
        return ExecutionScore(math.nan, "reference: nothing to compare")
    values, places = labels.compare(wanted, given)
    untouched = edit.untouched + len(still)
    preserved = (edit.kept + len(still & still_given)) / untouched if untouched else 1.0
    parts = {"value_f1": values.f1, "place_f1": places.f1, "preserved": preserved, **_counts(values)}
    return ExecutionScore((values.f1 + places.f1) / 2 * preserved, "", parts)
