"""Rows of saved files turned back into upstream's columns, so that a problem can be rebuilt without its data set."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.scoring import benchmark


def upstream_row(name: str, saved: Saved) -> Mapping[str, Any]:
    """Return the columns that the benchmark's `problem(row)` reads; a row that has them comes back as it is."""
    embedded = saved.row.get("problem_row")
    if isinstance(embedded, Mapping):
        return embedded
    convert, row = benchmark(name).rows.saved_row, _typed(saved.row)
    return convert(row, saved.ids) if convert else row


def _typed(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row of upstream's columns with what a CSV lost: numbers, and cells that hold nothing."""
    changed: dict[str, Any] = {name: None for name in ("choices", "precision", "unit") if row.get(name) == ""}
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        changed.setdefault("precision", float(row["precision"]))
    return {**row, **changed}
