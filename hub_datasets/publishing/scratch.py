"""A folder that is made beside its place and takes that only when it is whole, by one process at a time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest


@contextmanager
def finished(out: Path) -> Iterator[Path]:
    """Give an empty scratch folder beside `out` that takes its place in the end, or vanishes after an error.

    The caller holds `alone`. Where the last step fails, an earlier build is put back, by the next one where the process
    was killed there.

    Raises:
        InputError: `out` is something else than an earlier build.
        OSError: of the system, no space left, say; it names `out` where the system names no file.
    """
    scratch, former = (out.with_name(f".{out.name}.{what}") for what in ("building", "former"))
    if former.exists() and not out.exists():
        former.rename(out)
    if out.exists() and not (out.is_dir() and ((out / manifest.NAME).is_file() or not any(out.iterdir()))):
        raise InputError(f"{out}: there is something else; expected nothing, an empty folder or an earlier build")
    for left in (scratch, former):
        shutil.rmtree(left, ignore_errors=True)  # of a process that was killed
    try:
        scratch.mkdir()
        yield scratch
        if out.exists():
            out.rename(former)
        scratch.rename(out)
    except OSError as error:
        error.filename = error.filename or str(out)
        raise
    finally:
        if former.exists() and not out.exists():
            former.rename(out)
        for left in (scratch, former):
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold a lock beside `out`, which the system lets go when the process ends, however.

    The folders above `out` are made, and go again where nothing came to stand in them.

    Raises:
        InputError: another process holds it.
    """
    path = out.with_name(f".{out.name}.lock")
    with ExitStack() as held:
        for folder in reversed(out.parents):
            if not folder.exists():
                folder.mkdir(exist_ok=True)
                held.callback(_remove_if_empty, folder)
        try:
            held.enter_context(FileLock(path, timeout=0))
        except Timeout:
            raise InputError(f"{out}: another build is at work there; wait for it, or take another folder") from None
        held.callback(path.unlink, missing_ok=True)
        yield


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
