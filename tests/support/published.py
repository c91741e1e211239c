"""Readers of published responses and verdicts, which are not part of the project."""

from __future__ import annotations

import gzip
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("MMMATH_SHARED") or Path(__file__).parents[3] / "shared")


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSONL file, gzipped or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def by_run(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of such a file by the run that they belong to."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in lines(path):
        found[str(row["run"])].append(row)
    return found
