"""Load data sets from a (double of the) Hub in a process of its own, as users do, and return what came."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_SCRIPT = """
import json, os, sys
import datasets
sys.path.insert(0, sys.argv[1])
from support.loaded_rows import digest
datasets.disable_progress_bars()
for repo, config, split in json.load(sys.stdin):
    for streaming in (False, True):
        rows = datasets.load_dataset(repo, config, split=split, streaming=streaming)
        for column, feature in rows.features.items():
            if isinstance(feature, datasets.Image):
                rows = rows.cast_column(column, datasets.Image(decode=False))
        print(json.dumps([repo, config, split, streaming, *digest(rows)]))
sys.stdout.flush()
os._exit(0)  # pyarrow's readers of streams may abort a process that ends the usual way (apache/arrow#45214)
"""


def digest(rows: Iterable[Mapping[str, Any]]) -> tuple[int, str]:
    """Return the number of rows and a hash of every value in order, picture bytes included."""
    found, count = hashlib.sha256(), 0
    for row in rows:
        count += 1
        found.update(repr(sorted(row.items())).encode())
    return count, found.hexdigest()


def from_hub(environment: Mapping[str, str], wanted: list[tuple[str, str | None, str]]) -> dict[tuple, tuple[int, str]]:
    """Return (repo, config, split, streaming) to the digest of the rows that load_dataset gives."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(Path(__file__).parents[1])],
        input=json.dumps(wanted),
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {tuple(line[:4]): tuple(line[4:]) for line in map(json.loads, done.stdout.splitlines())}


def from_folder(folder: Path) -> dict[tuple[str, str], tuple[int, str]]:
    """Return (config, split) to the digest of the rows in a built folder's files."""
    from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout, rows

    place = Folder(folder)
    return {
        (config, split): digest(rows(place, files))
        for config, splits in layout(place).items()
        for split, files in splits.items()
    }
