"""Where results go: tried before long work, and named when the system refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

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
