"""MathOPEval sample: two figures of every type from the generator, with all of their questions."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

SEED = 2026
"""Not the seed of the full set, so that no figure of the sample is in it."""

PER_TYPE = 2


def rows() -> list[dict[str, Any]]:
    """Return the rows of both formats, pictures inside; geometry needs LaTeX (see the generator)."""
    from mmmath_tasks.hub_datasets import mathopeval
    from mmmath_tasks.hub_datasets.mathopeval_generator.build import build
    from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
    from mmmath_tasks.hub_datasets.mathopeval_generator.sample import TYPES

    chosen = [sample(SEED, kind, index) for kind in TYPES for index in range(PER_TYPE)]
    with tempfile.TemporaryDirectory() as scratch:
        build(Path(scratch), kept=Path(scratch, "drawn"), seed=SEED, sources=chosen)
        return [
            {name: _embedded(value) for name, value in row.items()}
            for split in mathopeval.SPLITS
            for row in mathopeval.read(Path(scratch), split)
        ]


def _embedded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    path = Path(value["path"])
    return {"bytes": path.read_bytes(), "path": path.name}
