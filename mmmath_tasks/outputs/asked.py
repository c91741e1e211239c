"""How a model was asked, as far as the rows of a file of responses record it: the documents of our own tasks do."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.outputs.saved import Saved, SavedFile

_KEPT = ("task", "prompt_style", "prompt_hash", "setting", "texts")
_NAMESPACE = "mmmath"  # what inspect_ai's samples have of us
# "samples_mathvista_testmini_2026-01-31T10-00-00.000000"
_SAMPLES = re.compile(r"samples_(\w+)_\d{4}-\d\d-\d\dT")


@dataclass(slots=True)
class Asked:
    """Counts, filled in as files are read.

    Attributes:
        rows: read so far.
        found: what is recorded ("prompt_style", say) to its values, as JSON, with their rows.
    """

    rows: int = 0
    found: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, file: SavedFile, saved: Saved) -> None:
        """Count a row."""
        self.rows += 1
        named = _SAMPLES.match(file.path.name) if file.format == "lm-eval samples" else None
        parts = ({"task": named[1]} if named else {}, saved.row.get("provenance"), saved.row.get(_NAMESPACE))
        recorded = {name: value for part in parts if isinstance(part, Mapping) for name, value in part.items()}
        for name in _KEPT:
            if _is_ours(recorded.get(name)):
                self.found[name][json.dumps(recorded[name])] += 1

    def values(self, name: str) -> dict[str, int]:
        """Return the values that are recorded, as text, to their rows."""
        return {str(json.loads(value)): count for value, count in self.found.get(name, {}).items()}

    def provenance(self) -> dict[str, Any]:
        """Return what every row records, a list where rows differ; of the task only where it is one."""
        found = {}
        for name, counts in self.found.items():
            values = [json.loads(value) for value in counts]
            if counts.total() == self.rows and (name != "task" or len(values) == 1):
                found[name] = values[0] if len(values) == 1 else values
        return found


def _is_ours(value: Any) -> bool:
    """Tell a text, or texts by name, which our documents record, from what others keep under the same names."""
    parts = value.values() if isinstance(value, Mapping) else [value]
    return all(isinstance(part, str) for part in parts)
