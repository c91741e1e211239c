"""Responses written as the authors, the harnesses and plain people write them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mmmath_tasks as mm

Row = dict[str, Any]


def _write_lines(path: Path, lines: Sequence[Row]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def as_lm_eval(path: Path, name: str, rows: Sequence[Row], responses: Sequence[str]) -> None:
    """Write sample lines of lm-eval; every document comes once for each of two filters."""
    lines = [
        {
            "doc_id": i,
            "doc": row,
            "target": "",
            "arguments": {},
            "resps": [[text]],
            "filtered_resps": [text],
            "filter": kind,
            "doc_hash": "",
        }
        for kind in ("none", "judge")
        for i, (row, text) in enumerate(zip(rows, responses, strict=True))
    ]
    _write_lines(path, lines)


def as_lmms_eval(path: Path, name: str, rows: Sequence[Row], responses: Sequence[str]) -> None:
    """Write sample lines of lmms-eval: a position in the split and the gold, no document."""
    _write_lines(
        path,
        [
            {"doc_id": i, "target": row.get("answer"), "filtered_resps": [text], "doc_hash": "", "input": "..."}
            for i, (row, text) in enumerate(zip(rows, responses, strict=True))
        ],
    )


def as_authors(path: Path, name: str, rows: Sequence[Row], responses: Sequence[str]) -> None:
    """Write what the benchmark's own programs write."""
    lines = [{**row, "response": text} for row, text in zip(rows, responses, strict=True)]
    if name == "mathvista":
        path.write_text(json.dumps({line.pop("pid"): line for line in lines}, indent=2))
    elif name == "mathvision":
        _write_lines(path, lines)
    else:
        if name == "mathverse":
            lines = [{"model_answer": line.pop("response"), **line} for line in lines]
        path.write_text(json.dumps(lines, indent=2))


def as_plain(path: Path, name: str, rows: Sequence[Row], responses: Sequence[str]) -> None:
    """Write a CSV of id and response."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "response"])
        writer.writerows([mm.benchmark(name).problem(row).id, text] for row, text in zip(rows, responses, strict=True))


FORMATS: dict[str, Callable[[Path, str, Sequence[Row], Sequence[str]], None]] = {
    "lm-eval": as_lm_eval,
    "lmms-eval": as_lmms_eval,
    "authors": as_authors,
    "plain": as_plain,
}
