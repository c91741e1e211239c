"""Small sets of our own problems (CC0), one parquet file a benchmark, in upstream's own columns with pictures inside.

They need no download: a newcomer's first run and the end-to-end tests read them. Each file <name>_sample.parquet is
drawn by the module <name>.py beside it; `python -m mmmath_tasks.hub_datasets.samples` draws all of them anew
(ours need the `sandbox` extra for matplotlib; one that is drawn with Pillow alone needs none).
"""

from __future__ import annotations

from pathlib import Path

from mmmath_tasks.errors import InputError


def sample(name: str) -> Path:
    """Return the path of a benchmark's sample.

    Args:
        name: the benchmark's name, such as "mathvista".

    Raises:
        InputError: there is no sample of that name; the message names those there are, or how it is drawn.
    """
    path = Path(__file__).with_name(f"{name}_sample.parquet")
    if not path.is_file():
        if path.with_name(f"{name}.py").is_file():
            raise InputError(f"{path}: not drawn yet: `python -m {__name__} --only {name}` does it")
        known = sorted(p.name.removesuffix("_sample.parquet") for p in path.parent.glob("*_sample.parquet"))
        raise InputError(f"no sample named {name!r}; known: {', '.join(known)}")
    return path
