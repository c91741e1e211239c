"""Rows to parquet as the Hub wants it: pictures embedded as they are, small row groups, the same bytes each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from mmmath_tasks.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Features

GROUP_ROWS = 100
"""Rows in a row group: with more, the Hub's viewer gives up on picture columns."""
GROUP_BYTES = 100 * 1024**2
"""A row group ends early at this size, so that large pictures neither fill the memory nor the viewer's limit."""
SHARD_BYTES = 500 * 1024**2
"""A file ends at about this size."""
CHUNKS = {"min_chunk_size": 256 * 1024, "max_chunk_size": 1024 * 1024, "norm_level": 0}
"""Pages end where their content says so, as `datasets` has it since 5: of a new edition with a few other rows, the Hub
takes and gives only the pages that are new."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Written:
    """A finished file: where it is, its size in bytes, its SHA-256 in hexadecimal."""

    path: Path
    size: int
    sha256: str


class SplitWriter:
    """Writes one split of one configuration as `<split>-00000-of-0000N.parquet`, holding two row groups in memory.

    While one row group is written by a thread, the next one is collected. The file names are final only after `with`
    ended without an error.

    Attributes:
        rows: rows written.
        bytes: their size in Arrow's memory, which a card calls num_bytes.
        files: the finished files, in order; empty before the end.
    """

    def __init__(
        self, folder: Path, split: str, features: Features, *, shard_bytes: int = SHARD_BYTES, place: str = ""
    ) -> None:
        """Prepare to write into `folder`, which is created.

        Args:
            folder: `data/<config>`.
            split: the split's name.
            features: the columns; an Image takes {"bytes", "path"} dicts with the bytes given, or None.
            shard_bytes: a new file begins behind the row group that reaches this.
            place: where the rows come from, for errors; "": the split's name says it.
        """
        self.rows, self.bytes, self.files = 0, 0, list[Written]()
        self._folder, self._split, self._shard_bytes = folder, split, shard_bytes
        self._schema, self._place = features.arrow_schema, place or split
        self._nested = [field for field in self._schema if field.type.num_fields]
        self._pictures = [f"{name}.bytes" for name in picture_columns(features)]
        self._group: list[Row] = []
        self._group_bytes = 0
        self._thread = ThreadPoolExecutor(1)
        self._pending: Future[None] | None = None
        # Used by the thread alone:
        self._parts: list[Written] = []
        self._sink: _Sink | None = None
        self._writer: Any = None
        self._shard = 0

    def __enter__(self) -> Self:
        """Create the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is left and give the files their names; after an error only close them."""
        try:
            if error is None:
                self._flush()
                self._wait()
                if not self.rows:
                    self._write([])
        finally:
            self._thread.shutdown()
            self._close()
        if error is None:
            for number, part in enumerate(self._parts):
                final = self._folder / f"{self._split}-{number:05d}-of-{len(self._parts):05d}.parquet"
                self.files.append(Written(part.path.rename(final), part.size, part.sha256))

    def add(self, row: Row) -> None:
        """Take one row.

        Args:
            row: every column of the features; what is more is left out, what is missing is null.

        Raises:
            InputError: a value is not of its column's type; the message names the row (its number in the split) and
                the column. It comes some rows later, at the latest when `with` ends.
        """
        self._group.append(row)
        self._group_bytes += 1000 + sum(
            len(value["bytes"]) for value in row.values() if isinstance(value, dict) and value.get("bytes")
        )
        if len(self._group) >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._wait()
        if self._group:
            self._pending = self._thread.submit(self._write, self._group)
        self._group, self._group_bytes = [], 0

    def _wait(self) -> None:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            pending.result()

    def _write(self, group: Sequence[Row]) -> None:
        import pyarrow as pa

        try:
            for row in group:
                for field in self._nested:
                    _hold(row.get(field.name), field.type)
            table = pa.Table.from_pylist(group, schema=self._schema)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise InputError(self._blame(group, error)) from None
        if self._writer is None:
            self._open()
        self._writer.write_table(table, row_group_size=GROUP_ROWS)
        self.rows += table.num_rows
        self.bytes += table.nbytes
        self._shard += table.nbytes
        if self._shard >= self._shard_bytes:
            self._close()

    def _blame(self, group: Sequence[Row], error: Exception) -> str:
        import pyarrow as pa

        for number, row in enumerate(group, self.rows + 1):
            for field in self._schema:
                try:
                    _hold(row.get(field.name), field.type)
                    pa.array([row.get(field.name)], field.type)
                except (pa.ArrowException, TypeError, ValueError, OverflowError) as found:
                    shown = repr(row.get(field.name))[:80]
                    return f"{self._place}: row {number}: column {field.name!r} holds {shown}: {found}"
        return f"{self._place}: rows from {self.rows + 1}: {error}"

    def _open(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._sink = _Sink(self._folder / f".{self._split}-{len(self._parts):05d}.part")
        columns = [path for path in _leaves(self._schema) if path not in self._pictures]
        # Picture bytes do not compress, repeat or sort: a dictionary or statistics of them only cost time and memory.
        self._writer = pq.ParquetWriter(
            pa.PythonFile(self._sink, "w"),
            self._schema,
            compression={**dict.fromkeys(columns, "snappy"), **dict.fromkeys(self._pictures, "none")},
            use_dictionary=columns,
            write_statistics=columns,
            # Readers find the pages of the rows they want; the viewer asks for few at a time.
            write_page_index=True,
            use_content_defined_chunking=CHUNKS,
        )

    def _close(self) -> None:
        if self._writer is None or self._sink is None:
            return
        self._writer.add_key_value_metadata({"content_defined_chunking": json.dumps(CHUNKS)})
        self._writer.close()
        self._parts.append(self._sink.finish())
        self._writer, self._sink, self._shard = None, None, 0


class _Sink(FileIO):
    """A file that hashes what is written to it, so that it need not be read again."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "wb")
        self._path, self._hash = path, hashlib.sha256()

    def write(self, data: Any) -> int:
        self._hash.update(data)
        left = memoryview(data)
        while left:
            left = left[super().write(left) :]
        return len(data)

    def finish(self) -> Written:
        size = self.tell()
        self.close()
        return Written(self._path, size, self._hash.hexdigest())


def _hold(value: Any, kind: pa.DataType) -> None:
    """Refuse a text where a list is wanted: Arrow would take it for a list of its letters."""
    import pyarrow as pa

    if pa.types.is_list(kind):
        if value is not None and not isinstance(value, list | tuple):
            raise TypeError(f"expected a list, got {type(value).__name__}")
        for item in value or () if kind.value_type.num_fields else ():
            _hold(item, kind.value_type)
    elif pa.types.is_struct(kind) and isinstance(value, Mapping):
        for field in kind:
            if field.type.num_fields:
                _hold(value.get(field.name), field.type)


def picture_columns(features: Features) -> list[str]:
    """Return the names of the top-level columns that hold a picture."""
    from datasets import Image

    return [name for name, feature in features.items() if isinstance(feature, Image)]


def _leaves(schema: pa.Schema) -> list[str]:
    """Return the columns' paths as parquet names them: "metadata.skills.list.element"."""
    import pyarrow as pa

    def below(path: str, kind: pa.DataType) -> list[str]:
        if pa.types.is_struct(kind):
            return [leaf for field in kind for leaf in below(f"{path}.{field.name}", field.type)]
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            return below(f"{path}.list.element", kind.value_type)
        return [path]

    return [leaf for field in schema for leaf in below(field.name, field.type)]
