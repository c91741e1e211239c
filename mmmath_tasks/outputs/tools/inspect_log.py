"""Logs of inspect_ai, .eval and JSON, of our tasks and of others'; inspect_ai need not be installed.

Format: inspect_ai 0.3.285, `EvalLog` and `EvalSample`. A .eval file is an archive of header.json and one JSON file a
sample and epoch, compressed by zstd, which Python reads from 3.14 on; pyarrow, which is here anyway, reads it in any. A
sample that was asked in several epochs is one row with a response an epoch.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.cuts import ended
from mmmath_tasks.outputs.sheets import Row

NAME = "inspect_ai log"

_EPOCHS = "epochs"
_ZSTD = 93
_MOST_BYTES = 1 << 28
_ATTACHED = "attachment://"


def row(raw: Row) -> Row | None:
    """Return the epochs of a sample as a row; the first stands for what a row has once."""
    if raw.keys() != {_EPOCHS}:
        return None
    samples: Sequence[Mapping[str, Any]] = raw[_EPOCHS]
    first = samples[0]
    doc = dict(first.get("metadata") or {})
    found = {
        "id": first.get("id"),
        "response": [_response(sample) for sample in samples],
        "correct": _verdict(first),
        "doc": {"id": first.get("id"), **doc},
    }
    return {**found, "error": first["error"]} if first.get("error") else found


def rows_in(value: Mapping[str, Any]) -> Iterator[Row] | None:
    """Return the samples of a JSON log, one row for all epochs of each."""
    if not {"version", "status", "eval"} <= value.keys() or not isinstance(value["eval"], Mapping):
        return None
    by_id: dict[Any, list[Any]] = {}
    for sample in value.get("samples") or ():
        if isinstance(sample, Mapping):
            by_id.setdefault(sample.get("id"), []).append(sample)
    return ({_EPOCHS: samples} for samples in by_id.values())


def unzipped(path: Path, archive: ZipFile) -> Iterator[Row] | None:
    """Return the samples of a .eval file, likewise, read one by one."""
    names = archive.namelist()
    if not {"header.json", "_journal/start.json"} & {*names}:
        return None
    by_id: dict[str, list[str]] = {}
    for name in names:
        if name.startswith("samples/"):
            by_id.setdefault(name.rpartition("_epoch_")[0], []).append(name)
    return ({_EPOCHS: [_member(path, archive, n) for n in sorted(each, key=_epoch)]} for each in by_id.values())


def _epoch(name: str) -> int:
    number = name.rpartition("_epoch_")[2].removesuffix(".json")
    return int(number) if number.isdecimal() else 0


def _member(path: Path, archive: ZipFile, name: str) -> Mapping[str, Any]:
    where = f"{path}: {name}"
    try:
        info = archive.getinfo(name)
        if info.file_size > _MOST_BYTES:
            raise InputError(f"{where}: more than {_MOST_BYTES >> 20} million bytes")
        data = _zstd(archive, info) if info.compress_type == _ZSTD else archive.read(info)
        found = json_text.loads(data.decode())
    except (OSError, ValueError, NotImplementedError, struct.error, zlib.error) as error:
        raise (
            error if isinstance(error, InputError) else InputError(f"{where}: broken off or damaged ({error})")
        ) from None
    if not isinstance(found, Mapping):
        raise InputError(f"{where}: expected a JSON object, got {type(found).__name__}")
    return found


def _zstd(archive: ZipFile, info: ZipInfo) -> bytes:
    """Return a member that zstd has compressed, in one frame or several."""
    import pyarrow as pa

    file: Any = archive.fp
    file.seek(info.header_offset)
    head = file.read(30)
    file.seek(sum(struct.unpack("<26x2H", head)), 1)  # lengths of its name and of the extra field
    with pa.CompressedInputStream(pa.BufferReader(file.read(info.compress_size)), "zstd") as stream:
        data: bytes = stream.read(info.file_size + 1)
    if zlib.crc32(data) != info.CRC:
        raise ValueError("the checksum does not fit")
    return data


def _response(sample: Mapping[str, Any]) -> str | None:
    """Return what a sample's model said, without its thoughts, as the sample's scorers get it; None after an error."""
    output = sample.get("output")
    choices = output.get("choices") if isinstance(output, Mapping) else None
    if not isinstance(choices, list) or not choices:
        return None
    content = choices[0].get("message", {}).get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    kept = sample.get("attachments") or {}
    texts = [str(part.get("text") or "") for part in parts if isinstance(part, Mapping) and part.get("type") == "text"]
    found = (kept.get(t.removeprefix(_ATTACHED), t) if t.startswith(_ATTACHED) else t for t in texts)
    return ended("\n".join(found), choices[0].get("stop_reason"))


def _verdict(sample: Mapping[str, Any]) -> Any:
    """Return the value of a sample's first score, "C" and "I" as 1 and 0."""
    scores = sample.get("scores")
    first = next(iter(scores.values()), None) if isinstance(scores, Mapping) else None
    value = first.get("value") if isinstance(first, Mapping) else None
    return {"C": 1, "I": 0}.get(value, value) if isinstance(value, str) else value
