"""Draw every sample anew: `python -m mmmath_tasks.hub_datasets.samples [folder]`, the default being this folder."""

from __future__ import annotations

import sys
from pathlib import Path

from mmmath_tasks.hub_datasets.samples.building import build, names

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
for name in names():
    path = build(name, folder)
    print(f"{path}  {path.stat().st_size:,} bytes")
