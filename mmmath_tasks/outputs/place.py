"""Where results go: tried before long work, and named when the system refuses it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from uuid import uuid4

from mmmath_tasks.errors import InputError


def make_folder(path: Path) -> None:
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
def named(path: Path) -> Iterator[None]:
    """Give an OSError that names no file, as of a full disk, this path."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def whole(path: Path) -> Iterator[IO[str]]:
    """Open a text file that comes whole or not at all, whoever else writes the same.

    Yields:
        a file under a name of its own beside `path`, moved there at the end; what UTF-8 cannot hold (lone surrogates in
        a response or a file's name) becomes "?".
    """
    with _beside(path) as part, part.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        yield file


def whole_bytes(path: Path, data: bytes) -> None:
    """Write a file that comes whole or not at all, whoever else writes the same."""
    with _beside(path) as part:
        part.write_bytes(data)


def whole_if_new(path: Path, text: str) -> None:
    """Write a text file as `whole` does, unless it stands there already: two runs may start at once."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        with whole(path) as file:
            file.write(text)


def user_cache() -> Path:
    """Return our folder in the user's cache, there or not yet: XDG_CACHE_HOME/mmmath, else ~/.cache/mmmath."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mmmath"


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    part = path.with_name(f"{path.name}.{uuid4().hex[:8]}")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if error.filename is None or str(error.filename) == str(part):
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            part.unlink()
