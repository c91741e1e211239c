"""Rows of workbooks and parquet files, and the names of any table's columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.names import ID_COLUMNS, RESPONSE_COLUMNS

Row = dict[str, Any]

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def header(path: Path, names: Iterable[Any]) -> list[str]:
    """Return the names of a table's columns: two or more, no two alike; those without one are named by their place.

    Raises:
        InputError: there are fewer, or two are alike.
    """
    found = [str(name) if name not in (None, "") else f"column {i}" for i, name in enumerate(names, 1)]
    if len(found) < 2:
        what = f"one column {found[0].strip()[:60]!r}" if found else "no column"
        raise InputError(f"{path}: {what}; expected a table with an id and a response column")
    name, times = Counter(found).most_common(1)[0]
    if times > 1:
        raise InputError(f"{path}: header: {times} columns are called {name!r}")
    return found


def sheet_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of the sheet of responses, else of the first; see mmmath_tasks.outputs.tables.rows.

    Raises:
        InputError: it is no workbook, or several sheets hold responses.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError(f"{path}: reading xlsx needs openpyxl; pip install 'mmmath-tasks[report]'") from None
    with path.open("rb") as file:
        try:
            sheets = load_workbook(file, read_only=True).worksheets
            told = [sheet for sheet in sheets if _holds_responses(sheet)] if len(sheets) > 1 else []
            if len(told) > 1:
                titles = some([repr(sheet.title) for sheet in told])
                raise InputError(f"{path}: {len(told)} sheets hold responses ({titles}): save one of them alone")
            cells = (told or sheets)[0].iter_rows(values_only=True)
            names = header(path, next(cells, ()))
            for number, values in enumerate(cells, 1):
                if any(value is not None for value in values):
                    yield number, {name: _cell(value) for name, value in zip(names, values, strict=False)}
        except InputError:
            raise
        except Exception as error:  # whatever the readers of zip, XML and cells raise
            raise InputError(f"{path}: not a workbook (or .eval log), or a damaged one ({_line(error)})") from None


def _holds_responses(sheet: Any) -> bool:
    names = {*next(sheet.iter_rows(max_row=1, values_only=True), ())}
    return bool(names & {*ID_COLUMNS} and names & {*RESPONSE_COLUMNS})


def _cell(value: Any) -> Any:
    """Undo the _x000D_ of control characters in a workbook's text."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), value) if isinstance(value, str) else value


def parquet_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a parquet file without its pictures, numbered from 1; see mmmath_tasks.outputs.tables.rows."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path)
        pictures = {
            f.name
            for f in file.schema_arrow
            if pyarrow.types.is_struct(f.type) and f.type.get_field_index("bytes") >= 0
        }
        columns = [name for name in header(path, file.schema_arrow.names) if name not in pictures]
        batches = file.iter_batches(256, columns=columns)
        yield from enumerate((row for batch in batches for row in batch.to_pylist()), 1)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a readable parquet file ({_line(error)})") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
