"""evalscope: the lines of predictions/MODEL/DATASET_SUBSET.jsonl and of reviews/MODEL/DATASET_SUBSET.jsonl.

Format: evalscope 1.14.1, `ModelResult` and `ReviewResult` in evalscope/api/evaluator/cache.py. Both name a sample by
its position in the subset (`index`) and keep what the adapter put into its metadata: MATH-Vision's id, MathVerse's
sample_index, for MathVista nothing, so that its position counts. Where a problem was asked several times, only reviews
say which samples are its own (`group_id`), and only predictions say which were cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mmmath_tasks.outputs.sheets import Row
from mmmath_tasks.outputs.tools import said

NAME = "evalscope"


def row(raw: Row) -> Row | None:
    """Return a prediction or a review as a row."""
    messages = raw.get("messages")
    if "index" not in raw or not isinstance(messages, list):
        return None
    found = _prediction(raw) if "model_output" in raw else _review(raw) if "sample_score" in raw else None
    return None if found is None else {"doc_id": raw["index"], "asked": _prompt(messages), **found}


def _prediction(raw: Row) -> Row:
    output = _mapping(raw["model_output"])
    found = {
        "response": [said(choice) for choice in output.get("choices") or () if isinstance(choice, Mapping)] or None,
        "doc": _mapping(raw.get("metadata")),
    }
    return {**found, "error": output["error"]} if output.get("error") else found


def _review(raw: Row) -> Row:
    sample = _mapping(raw["sample_score"])
    score = _mapping(sample.get("score"))
    values = _mapping(score.get("value"))
    accepted = raw.get("target") or ()
    return {
        "doc_id": sample.get("group_id", raw["index"]),
        "response": score.get("prediction"),
        "extracted_answer": score.get("extracted_prediction"),
        "correct": values.get(str(score.get("main_score_name")), next(iter(values.values()), None)),
        "target": accepted[0] if isinstance(accepted, list) and accepted else None,
        "doc": _mapping(sample.get("sample_metadata")),
    }


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _prompt(messages: list[Any]) -> str:
    """Return the text of the last question in a conversation."""
    asked = [m.get("content") for m in messages if isinstance(m, Mapping) and m.get("role") == "user"]
    said = asked[-1] if asked else ""
    if isinstance(said, list):
        return "".join(str(part.get("text") or "") for part in said if isinstance(part, Mapping))
    return str(said or "")
