"""Rows to parquet as the Hub wants it: pictures embedded as they are, small row groups, the same bytes each time."""

from __future__ import annotations

from collections.abc import Mapping
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


class SplitWriter:
    """Writes one split of one configuration as `<split>-00000-of-0000N.parquet`, holding one row group in memory.

    The file names are final only after `with` ended without an error.

    Attributes:
        rows: rows written.
        bytes: their size in Arrow's memory, which a card calls num_bytes.
        files: the finished files, in order; empty before the end.
    """

    def __init__(self, folder: Path, split: str, features: Features, *, shard_bytes: int = SHARD_BYTES) -> None:
        """Prepare to write into `folder`, which is created.

        Args:
            folder: `data/<config>`.
            split: the split's name.
            features: the columns; an Image takes {"bytes", "path"} dicts with the bytes given, or None.
            shard_bytes: a new file begins behind the row group that reaches this.
        """
        self.rows, self.bytes, self.files = 0, 0, list[Path]()
        self._folder, self._split, self._shard_bytes = folder, split, shard_bytes
        self._schema = features.arrow_schema
        self._pictures = [f"{name}.bytes" for name in picture_columns(features)]
        self._parts: list[Path] = []
        self._writer: Any = None
        self._group: list[Mapping[str, Any]] = []
        self._group_bytes = self._shard = 0

    def __enter__(self) -> Self:
        """Create the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is left and give the files their names; after an error only close them."""
        if error is None:
            if self._group or not self._parts:
                self._flush()
            self._close()
            total = len(self._parts)
            for number, part in enumerate(self._parts):
                final = self._folder / f"{self._split}-{number:05d}-of-{total:05d}.parquet"
                self.files.append(part.rename(final))
        else:
            self._close()

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one row.

        Args:
            row: every column of the features; what is more is left out, what is missing is null.

        Raises:
            InputError: a value is not of its column's type; the message names the row (its number in the split) and
                the column. It comes with the row group's end.
        """
        self._group.append(row)
        self._group_bytes += 1000 + sum(
            len(value["bytes"]) for value in row.values() if isinstance(value, dict) and value.get("bytes")
        )
        if len(self._group) >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        try:
            table = pa.Table.from_pylist(self._group, schema=self._schema)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise InputError(self._blame(error)) from None
        if self._writer is None:
            self._open()
        self._writer.write_table(table, row_group_size=GROUP_ROWS)
        self.rows += table.num_rows
        self.bytes += table.nbytes
        self._shard += table.nbytes
        self._group, self._group_bytes = [], 0
        if self._shard >= self._shard_bytes:
            self._close()

    def _blame(self, error: Exception) -> str:
        import pyarrow as pa

        for number, row in enumerate(self._group, self.rows + 1):
            for field in self._schema:
                try:
                    pa.array([row.get(field.name)], field.type)
                except (pa.ArrowException, TypeError, ValueError) as found:
                    shown = repr(row.get(field.name))[:80]
                    return f"{self._split}: row {number}: column {field.name!r} holds {shown}: {found}"
        return f"{self._split}: rows from {self.rows + 1}: {error}"

    def _open(self) -> None:
        import pyarrow.parquet as pq

        part = self._folder / f".{self._split}-{len(self._parts):05d}.part"
        self._parts.append(part)
        columns = [path for path in _leaves(self._schema) if path not in self._pictures]
        # Picture bytes do not compress, repeat or sort: a dictionary or statistics of them only cost time and memory.
        self._writer = pq.ParquetWriter(
            part,
            self._schema,
            compression={**dict.fromkeys(columns, "snappy"), **dict.fromkeys(self._pictures, "none")},
            use_dictionary=columns,
            write_statistics=columns,
        )

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._shard = None, 0


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
