"""What a report page holds, read from the file as its script reads it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mmmath_tasks.report.browser import ANSWER

COLUMN = {name: i for i, name in enumerate(ANSWER)}
"""Where each column stands in an answer of the lists."""


@contextmanager
def unpainted() -> Iterator[None]:
    """Make reports with empty PNG files: painting them takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("resvg_py.svg_to_bytes", lambda **_: b"")
        yield


def _unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))


def page_data(folder: Path) -> list[dict[str, Any]]:
    """Return the sets of problems of the page in a folder, each with `texts` (an entry a problem) and `pairs`."""
    html = (folder / "index.html").read_text()
    scripts = dict(re.findall(r'<script id="([\w-]+)" type="[\w/]+">(.*?)</script>', html, re.DOTALL))
    found = _unpacked(json.loads(scripts["data"])["data"])["benchmarks"]
    pairs, number = _unpacked(scripts["pairs"]), 0
    for one, own in zip(found, pairs, strict=True):
        blocks = [_unpacked(scripts[f"texts-{number + i}"]) for i in range(len(one["blocks"]))]
        number += len(blocks)
        one |= {"texts": [entry for block in blocks for entry in block], "pairs": own}
    return found


def responses(held: dict[str, Any], run: int) -> list[str | None]:
    """Return what a run said to each problem of a set."""
    return [entry["answers"][run] and entry["answers"][run][0] for entry in held["texts"]]
