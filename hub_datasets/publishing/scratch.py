"""A folder that is made beside its place and takes that only when it is whole, by one process at a time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

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
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f".{out.name}.lock")
    with ExitStack() as held:
        try:
            held.enter_context(FileLock(path, timeout=0))
        except Timeout:
            raise InputError(f"{out}: another build is at work there; wait for it, or take another folder") from None
        held.callback(path.unlink, missing_ok=True)
        yield
