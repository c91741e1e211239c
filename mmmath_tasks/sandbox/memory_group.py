"""A control group around a jail, where this process may make one: a bound on all its memory and its processes.

Without one the bound is the sum of the limits: one script at a time, its address space (RLIMIT_AS), two scratch
folders of 64 MiB, and the kernel's own memory for at most 256 descriptors and `Limits.threads` threads.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

_ROOT = Path("/sys/fs/cgroup")
_PROCESSES = 1_000
_TRIAL = 2**30  # bytes
_PREFIX, _OLD = "mmmath-jail-", 3_600  # seconds, much more than between making a group and joining it
_MEMORY = ("memory.max", "memory.limit_in_bytes")
# Every process that a shell starts is in the shell's groups from the first
_JOIN = 'for group in $0; do echo $$ > "$group/cgroup.procs"; done 2>/dev/null; exec "$@"'


class MemoryGroup:
    """Control groups (version 2: one; version 1: one a controller) for one jail; `close` removes them."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Take over the folders of the groups."""
        self.folders = tuple(folders)

    @classmethod
    def make(cls, memory: int, root: Path = _ROOT) -> Self:
        """Make a group whose processes together may use so many bytes; `root` is where control groups are mounted.

        Returns:
            the group; without folders, and so without effect, where none can be made here.
        """
        bounds = {"memory.max": memory, "pids.max": _PROCESSES}
        if (root / "cgroup.controllers").is_file():
            made = (_made(parent, bounds) for parent in _parents(root))
            return cls([folder for folder in made if folder is not None][:1])
        old = {"memory": {"memory.limit_in_bytes": memory}, "pids": {"pids.max": _PROCESSES}}
        return cls([folder for name, own in old.items() if (folder := _made(root / name, own)) is not None])

    def around(self, words: Sequence[str]) -> list[str]:
        """Return the command that runs a command inside the group."""
        return ["/bin/sh", "-c", _JOIN, " ".join(map(str, self.folders)), *words] if self.folders else list(words)

    def limit(self, memory: int) -> None:
        """Set the bound on memory anew, in bytes."""
        for file in (folder / name for folder in self.folders for name in _MEMORY):
            with suppress(OSError):
                if file.is_file():
                    file.write_text(str(memory))

    def close(self, seconds: float = 2.0) -> None:
        """Remove the groups once their processes, which have been killed, are gone."""
        until = time.monotonic() + seconds
        left = list(self.folders)
        while left:
            for folder in left:
                with suppress(OSError):
                    folder.rmdir()
            left = [folder for folder in left if folder.exists()]
            if time.monotonic() > until:
                return
            if left:
                time.sleep(0.01)


def bound() -> str:
    """Say what bounds a jail's memory here: a control group, of which version, or the sum of the limits."""
    group = MemoryGroup.make(_TRIAL)
    group.close()
    if not group.folders:
        return "bounded by the sum of the limits: no control group can be made here"
    if (_ROOT / "cgroup.controllers").is_file():
        return "bounded by a control group (version 2)"
    held = sorted(folder.parent.name for folder in group.folders)
    by = "a control group" if "memory" in held else "the sum of the limits"
    return f"bounded by {by} (version 1: {', '.join(held)})"


def _parents(root: Path) -> list[Path]:
    """Return where a group of version 2 might be made: beside this process's own, else at the top."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/") and line != "0::/":
                return [(root / line[4:]).parent, root]
    return [root]


def _made(parent: Path, bounds: dict[str, int]) -> Path | None:
    """Make one group with these bounds; None where that is refused. Old ones of processes that were killed go."""
    for old in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # one that is in use cannot be removed
            if time.time() - old.stat().st_mtime > _OLD:
                old.rmdir()
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    except OSError:
        return None
    try:
        for name, value in bounds.items():
            if not (folder / name).is_file():
                raise FileNotFoundError(name)
            (folder / name).write_text(str(value))
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        return None
    return folder
