"""Small sets of our own problems (CC0), one parquet file a benchmark, in upstream's own columns with pictures inside.

They need no download: a newcomer's first run and the end-to-end tests read them. Each file <name>_sample.parquet is
drawn by the module <name>.py beside it; `python -m mmmath_tasks.hub_datasets.samples` draws all of them anew
(needs the `sandbox` extra for matplotlib).
"""

from __future__ import annotations

from pathlib import Path


def sample(name: str) -> Path:
    """Return the path of a benchmark's sample.

    Args:
        name: the benchmark's name, such as "mathvista".

    Raises:
        ValueError: there is no sample of that name; the message names those there are.
    """
    path = Path(__file__).with_name(f"{name}_sample.parquet")
    if not path.is_file():
        known = sorted(p.name.removesuffix("_sample.parquet") for p in path.parent.glob("*_sample.parquet"))
        raise ValueError(f"no sample named {name!r}; known: {', '.join(known)}")
    return path
