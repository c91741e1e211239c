"""Files of rows, told apart by what is in them rather than by their names: JSONL, JSON, CSV, TSV, xlsx, parquet, .eval.

Rows come one by one; only a JSON file (one array or object) is held in memory as a whole, so it is limited in size, as
a line of any other file is.
Cells stay what they are: "None", "N/A" and "nan" are text here, not missing values.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.names import ID_COLUMNS, RESPONSE_COLUMNS
from mmmath_tasks.outputs.objects import as_row, holds_rows, rows_of, without_losses
from mmmath_tasks.outputs.sheets import Row, header, parquet_rows, sheet_rows
from mmmath_tasks.outputs.tools import unzipped

_JSON_CHARACTERS = 1 << 28
_LINE_CHARACTERS = 1 << 26
_BINARY = (".xlsx", ".xls", ".parquet", ".eval")
_NOT_ROWS = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x80\x04": "a pickle (never read: it can run code)",
    b"\x80\x05": "a pickle (never read: it can run code)",
    b"\xd0\xcf\x11\xe0": "an old workbook, to be saved as .xlsx",
    b"SQLite": "an SQLite database",
    b"<!DO": "an HTML page",
    b"<htm": "an HTML page",
}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # Excel's "Unicode text", and what PowerShell's > writes


def rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file with their numbers, from 1; gzip is unpacked on the fly.

    Yields:
        (number, row); the number is the line for JSONL, else the count of rows (a CSV header is not counted).

    Raises:
        InputError: no such file, or one that holds no rows, or a row that is broken; the message names the row.
    """
    if not path.is_file():
        other = "a pipe or device, which is read once only; save the responses to a file"
        what = "a folder, not a file" if path.is_dir() else other if path.exists() else "no such file"
        raise InputError(f"{path}: {what}")
    with path.open("rb") as file:
        head = file.read(4096)
    if head[:2] == b"\x1f\x8b":
        try:
            with gzip.open(path, "rb") as file:
                head = file.read(4096)
        except (EOFError, OSError, zlib.error) as error:
            raise InputError(f"{path}: gzip, but broken off or damaged ({error})") from None
        yield from _text_rows(path, head, partial(gzip.open, path, "rb"))
    elif head[:4] == b"PAR1":
        yield from parquet_rows(path)
    elif head[:4] == b"PK\x03\x04":
        unpacked = unzipped(path)
        yield from sheet_rows(path) if unpacked is None else enumerate(unpacked, 1)
    else:
        yield from _text_rows(path, head, partial(path.open, "rb"))


def _text_rows(path: Path, head: bytes, opened: Callable[[], Any]) -> Iterator[tuple[int, Row]]:
    for magic, what in _NOT_ROWS.items():
        if head.startswith(magic):
            raise InputError(f"{path}: is {what}; expected saved responses as JSONL, JSON, CSV, TSV, xlsx or parquet")
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if encoding == "utf-16":
        text = head[: len(head) & ~1].decode(encoding, "ignore").lstrip().encode()
    if not text:
        raise InputError(f"{path}: is empty")
    if b"\x00" in text:
        raise InputError(f"{path}: is binary; expected saved responses as JSONL, JSON, CSV, TSV, xlsx or parquet")
    with opened() as raw:
        file = io.TextIOWrapper(raw, encoding=encoding, newline="")
        try:
            if text[:1] == b"{" and _first_line_is_an_object(text):
                yield from _line_rows(path, file)
            elif text[:1] in b"[{":
                yield from _json_rows(path, file)
            else:
                yield from _separated_rows(path, file)
        except UnicodeDecodeError as error:
            where = _not_text(opened) if encoding != "utf-16" else f"not UTF-16 text ({error.reason})"
            raise InputError(f"{path}: {where}") from None
        except (EOFError, OSError, zlib.error) as error:
            raise InputError(f"{path}: broken off or damaged ({error})") from None


def _not_text(opened: Callable[[], Any]) -> str:
    """Return where a file is not UTF-8: the line, which the decoder, fed with blocks, does not know."""
    with opened() as raw, suppress(EOFError, OSError, zlib.error):  # it may be broken off, too
        for number, line in enumerate(iter(partial(raw.readline, _LINE_CHARACTERS), b""), 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return f"line {number}: not UTF-8 text ({error.reason} at byte {error.start + 1} of the line)"
    return "not UTF-8 text"


def _first_line_is_an_object(text: bytes) -> bool:
    """Tell JSONL from one pretty-printed object: a first line that is long or closes its brace."""
    line, newline, _ = text.partition(b"\n")
    return (not newline and len(text) >= 4000) or line.rstrip().endswith(b"}")


def _lines(path: Path, file: IO[str]) -> Iterator[str]:
    for number, line in enumerate(iter(partial(file.readline, _LINE_CHARACTERS), ""), 1):
        if len(line) == _LINE_CHARACTERS:
            raise InputError(f"{path}: line {number}: longer than {_LINE_CHARACTERS >> 20} million characters")
        yield line


def _fault(error: json.JSONDecodeError, part: str) -> str:
    """Return what is wrong and where, and whether the part of the file seems to end before its JSON does."""
    # A string that breaks off is named by where it starts.
    cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    return json_text.fault(error) + (f" (the {part} seems cut off)" if cut else "")


def _line_rows(path: Path, file: IO[str]) -> Iterator[tuple[int, Row]]:
    alone: Row = {}
    for number, line in enumerate(_lines(path, file), 1):
        if not line.strip():
            continue
        if alone:
            yield 1, alone
            alone = {}
        try:
            row = json_text.loads(line, object_pairs_hook=without_losses)
        except json.JSONDecodeError as error:
            if number == 1 and error.pos > len(line.rstrip()):  # an object that goes on in the next line
                yield from _json_rows(path, file, line)
                return
            part = "line" if line.endswith("\n") else "file"
            raise InputError(f"{path}: line {number}: not JSON: {_fault(error, part)}") from None
        if number == 1 and isinstance(row, dict) and row and all(isinstance(v, dict) for v in row.values()):
            yield from rows_of(path, row)
            continue
        row = as_row(row, f"{path}: line {number}")
        known = row.keys() & {*ID_COLUMNS, *RESPONSE_COLUMNS}
        kinds = {type(value) for value in row.values()}
        if number == 1 and (kinds == {list} or (not known and (kinds <= {str, type(None)} or holds_rows(row)))):
            alone = row  # id to response, columns, or an object with rows in it, should no line follow
            continue
        yield number, row
    yield from rows_of(path, alone)


def _json_rows(path: Path, file: IO[str], begun: str = "") -> Iterator[tuple[int, Row]]:
    text = begun + file.read(_JSON_CHARACTERS)
    if len(text) >= _JSON_CHARACTERS:
        size = f"{_JSON_CHARACTERS >> 20} million characters"
        raise InputError(f"{path}: one JSON value of more than {size}; write it as JSONL, a row a line")
    try:
        value = json_text.loads(text, object_pairs_hook=without_losses)
    except json.JSONDecodeError as error:
        lines = "; in JSONL every line is an object" if error.msg == "Extra data" else ""
        raise InputError(f"{path}: not JSON: {_fault(error, 'file')}{lines}") from None
    if isinstance(value, dict):
        yield from rows_of(path, value)
        return
    if not isinstance(value, list):
        raise InputError(f"{path}: expected a JSON array or object of rows, got {type(value).__name__}")
    for number, row in enumerate(value, 1):
        yield number, as_row(row, f"{path}: row {number}")


def _separated_rows(path: Path, file: IO[str]) -> Iterator[tuple[int, Row]]:
    lines = _lines(path, file)
    blank, head = next(((n, line) for n, line in enumerate(lines) if line.strip()), (0, ""))
    other = max(",;", key=head.count)  # ; is Excel's where commas are decimal
    separator = "\t" if head.count("\t") >= max(1, head.count(other)) else other
    csv.field_size_limit(_LINE_CHARACTERS)
    # strict: else a quote that is never closed swallows the rest
    reader = csv.reader(chain([head], lines), delimiter=separator, strict=True)
    line = blank + 1
    try:
        names = [name.strip() for name in next(reader)]
        if len(names) < 2 and path.suffix.lower() in _BINARY:
            expected = "expected a table with an id and a response column"
            raise InputError(f"{path}: plain text, and no {path.suffix[1:]}; {expected}")
        names = header(path, names)
        line = blank + reader.line_num + 1  # where the next row begins
        for number, cells in enumerate(reader, 1):
            line = blank + reader.line_num + 1
            if not cells:
                continue
            if len(cells) != len(names):
                raise InputError(f"{path}: row {number}: {len(cells)} cells where the header has {len(names)}")
            yield number, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        quoted = str(error).startswith("unexpected end") or "expected after" in str(error)
        what = "a quote that is never closed, or not doubled inside a quoted cell" if quoted else error
        raise InputError(f"{path}: line {line}: {what}") from None
