"""build.json: what a built folder holds, how it was made, and the mark that it is whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from mmmath_tasks.errors import InputError
from mmmath_tasks.problem import Record
from mmmath_tasks.scoring import benchmarks

NAME = "build.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest(Record):
    """The record of one build; the same source and options give the same record.

    Attributes:
        benchmark: its name.
        version: of this package.
        source: what was read (`Source.record`).
        options: those of the build that change the rows: {"splits": [...], "pictures": ..., "seed": ...}.
        configs: configuration to split to {"rows", "bytes"} ("bytes" in Arrow's memory).
        anomalies: split to kind to ids.
        files: path in the folder, this file aside, to {"size", "sha256"}.
        tag: under which it is published, made of all the rest (README.md as it is before it names the tag); "" in
            records of older versions.
        format: of this record.
    """

    benchmark: str
    version: str
    source: Mapping[str, Any]
    options: Mapping[str, Any]
    configs: Mapping[str, Mapping[str, Mapping[str, int]]]
    anomalies: Mapping[str, Mapping[str, list[str]]]
    files: Mapping[str, Mapping[str, Any]]
    tag: str = ""
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """Return the file's content: JSON, sorted, no times and no local paths."""
        return (json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()

    @classmethod
    def from_bytes(cls, content: bytes, where: str) -> Self:
        """Read the file's content.

        Raises:
            InputError: it is not such a record.
        """
        try:
            record = cls.from_json(content.decode())
            _require_known(record)
        except (ValueError, TypeError) as error:
            raise InputError(f"{where}: not the record of a build: {error}") from None
        return record


def _require_known(record: Manifest) -> None:
    """Raise TypeError for a benchmark, splits or files beyond the fields' types that the other modules cannot read."""
    if record.benchmark not in benchmarks():
        raise TypeError(f"the benchmark {record.benchmark!r} is unknown")
    if not isinstance(record.options.get("splits", []), list):
        raise TypeError("the splits of options should be a list")
    for path, facts in record.files.items():
        if not {"size", "sha256"} <= facts.keys():
            raise TypeError(f"the file {path} should have size and sha256")


def load(folder: Path) -> Manifest:
    """Read a built folder's record.

    Raises:
        InputError: the folder has none, so it was not (wholly) built by `mmmath hub build`.
    """
    path = folder / NAME
    if not path.is_file():
        raise InputError(f"{folder}: no {NAME}, so it is no folder that `mmmath hub build` finished")
    return Manifest.from_bytes(path.read_bytes(), str(path))
