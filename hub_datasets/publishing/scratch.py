"""A folder that is made beside its place and takes that only when it is whole, by one process at a time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest


@contextmanager
def finished(out: Path) -> Iterator[Path]:
    """Give an empty scratch folder beside `out` that takes its place in the end, or vanishes after an error.

    The caller holds `alone`; where the last step fails, an earlier build is put back.

    Raises:
        InputError: `out` is something else than an earlier build.
    """
    if out.exists() and not (out.is_dir() and ((out / manifest.NAME).is_file() or not any(out.iterdir()))):
        raise InputError(f"{out}: there is something else; expected nothing, an empty folder or an earlier build")
    scratch, former = (out.with_name(f".{out.name}.{what}") for what in ("building", "former"))
    for left in (scratch, former):
        shutil.rmtree(left, ignore_errors=True)  # of a process that was killed
    scratch.mkdir()
    try:
        yield scratch
        if out.exists():
            out.rename(former)
        try:
            scratch.rename(out)
        except OSError:
            if former.exists():
                former.rename(out)
            raise
        shutil.rmtree(former, ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold a lock beside `out`, which the system lets go when the process ends, however.

    Raises:
        InputError: another process holds it.
    """
    import fcntl

    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f".{out.name}.lock")
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that its holder removed meanwhile is no lock: the next process makes another.
            held = os.path.samestat(os.fstat(file.fileno()), path.stat())
        except (BlockingIOError, FileNotFoundError):
            held = False
        if not held:
            raise InputError(f"{out}: another build is at work there; wait for it, or take another folder")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
