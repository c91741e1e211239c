"""MathVista's sample written out as upstream lays its files out: <split>.json and images/."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support import sample_rows


def rows(count: int | None = None) -> list[dict[str, Any]]:
    """Return the sample's first rows, pictures as {"bytes", "path"}."""
    return sample_rows.rows("mathvista")[:count]


def write(
    folder: Path, split: str = "testmini", count: int | None = None, pictures: Mapping[str, bytes] | None = None
) -> Path:
    """Write rows and pictures, and return the folder.

    Args:
        folder: where to; made if absent.
        split: names the file.
        count: how many of the sample's rows.
        pictures: file name to bytes, in place of the sample's pictures; one row each.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    found: dict[str, dict[str, Any]] = {}
    chosen = rows(count)
    names = list(pictures) if pictures else [Path(row["image"]).name for row in chosen]
    for number, name in enumerate(names):
        row = dict(chosen[number % len(chosen)])
        picture = row.pop("decoded_image")
        (folder / "images" / name).write_bytes(pictures[name] if pictures else picture["bytes"])
        pid = str(number + 1)
        found[pid] = {**row, "pid": pid, "image": f"images/{name}"}
    (folder / f"{split}.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return folder


def change(folder: Path, key: str, /, split: str = "testmini", **columns: Any) -> None:
    """Overwrite columns of one row; ... takes a column away."""
    path = folder / f"{split}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    row = {**found[key], **columns}
    found[key] = {name: value for name, value in row.items() if value is not ...}
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
