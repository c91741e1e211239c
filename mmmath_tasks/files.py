"""Files that come whole or not at all, and the folder they go into, tried before long work."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import uuid4

from mmmath_tasks.errors import InputError


def make_writable_folder(path: Path) -> None:
    """Make a folder, with those above it, and see that a file can be made there, so that no work is done in vain.

    Raises:
        InputError: it cannot be made or written, or is a file.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except FileExistsError:
        raise InputError(f"{path}: is no folder") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


@contextmanager
def open_atomic(path: Path, newline: str = "\n") -> Iterator[IO[str]]:
    """Open a text file that comes whole or not at all, whoever else writes the same.

    Args:
        path: the file; a link or a device is written as it is.
        newline: as `open` takes it; "" for the writers of the csv module.

    Yields:
        a file under a name of its own beside `path`, moved there at the end; what UTF-8 cannot hold (lone surrogates in
        a response or a file's name) becomes "?".

    Raises:
        OSError: with the name of `path`.
    """
    with _beside(path) as part, part.open("w", encoding="utf-8", errors="replace", newline=newline) as file:
        yield file


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file as `open_atomic` does, text as UTF-8."""
    with _beside(path) as part:
        part.write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)


def write_if_changed(path: Path, text: str) -> None:
    """Write a text file as `open_atomic` does, unless it stands there already: two runs may start at once."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_atomic(path, text)


def user_cache() -> Path:
    """Return our folder in the user's cache, there or not yet: XDG_CACHE_HOME/mmmath, else ~/.cache/mmmath."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mmmath"


def write_json(path: Path, content: Any) -> None:
    """Write a JSON value (RFC 8259: ValueError for NaN) in lines that people can read, as `open_atomic` does."""
    write_atomic(path, json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def write_json_lines(path: Path, rows: Iterable[Any]) -> None:
    """Write JSON values, one a line, as `open_atomic` does."""
    with open_atomic(path) as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    as_it_is = path.is_symlink() or (path.exists() and not path.is_file())  # such as /dev/stdout
    part = path if as_it_is else path.with_name(f"{path.name}.{uuid4().hex[:8]}")
    try:
        yield part
        if part != path:
            part.replace(path)
    except OSError as error:
        if error.filename is None or str(error.filename) == str(part):
            error.filename = str(path)
        raise
    finally:
        if part != path:
            with suppress(OSError):
                part.unlink()
