"""The jail: one bubblewrap container with a Python in it that serves scripts, and its limits.

Inside there are no network, no /proc, no home, nothing of this project but mmmath_tasks/sandbox/jailed, read-only
system libraries, TeX, Python and the packages of environment.PYTHON. Fonts of the system are not visible, so that
figures come out alike everywhere. Every script runs in a child of its own, with a scratch folder in memory, a process
and an IPC namespace of its own, that may use only so much time and memory and only the system calls that
system_calls.py lists. Where the kernel refuses such namespaces inside a container, the container itself is built anew
for every script, at some fifteen times the cost. A child that breaks the process that serves it costs its own sample.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Self

from mmmath_tasks.errors import InputError, check_all
from mmmath_tasks.sandbox import environment, running, system_calls
from mmmath_tasks.sandbox.memory_group import MemoryGroup
from mmmath_tasks.sandbox.running import Ended

_READY_SECONDS = 120
_BESIDE = 2**30  # bytes for what is in a jail beside a script: Python with Matplotlib, the scratch folders
_SCRATCH_BYTES = 64 * 2**20  # jailed/zygote.py mounts two folders of this size


@dataclass(frozen=True, slots=True)
class Limits:
    """What one script may use.

    Attributes:
        seconds: of wall time.
        cpu_seconds: of processor time, whole seconds.
        memory: bytes of address space; Python with Matplotlib takes about 0.5 GB of it.
        file_bytes: of any one file written; the scratch folder as a whole holds 64 MiB.
        output: bytes of standard output that are kept.
        threads: how many may be started, from first to last.
    """

    seconds: float = 30.0
    cpu_seconds: int = 10
    memory: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    output: int = 65_536
    threads: int = 500


def _executable(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise InputError(
            f"model-written code runs only in a jail, and {name} is missing: install the Debian package {package} "
            f"(apt-get install {package})"
        )
    return found


def _mounts() -> Iterator[tuple[str, str]]:
    """Yield (file or folder here, place in the jail) for what is needed and can be read without harm."""
    for folder in ("/usr", "/var/lib/texmf", "/etc/texmf", "/etc/alternatives", "/etc/ld.so.cache"):
        if Path(folder).exists():
            yield folder, folder
    if not Path(sys.base_prefix).resolve().is_relative_to("/usr"):
        yield str(Path(sys.base_prefix).resolve()), "/python"
    yield str(Path(__file__).parent / "jailed"), "/code/mmmath_tasks/sandbox/jailed"
    for name, path in environment.python_files().items():
        yield str(path), f"/site/{name}"


def command(filters: str) -> list[str]:
    """Return the command that starts the jail; `filters` is the folder with the compiled seccomp filters.

    Raises:
        InputError: bubblewrap or a Python package is missing; the message says what to install.
    """
    bwrap = _executable("bwrap", "bubblewrap")
    mounts = [*_mounts(), (filters, "/filters")]
    words = [bwrap, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
    # For the namespaces of each script; no script's process has it
    words += ["--cap-add", "CAP_SYS_ADMIN"]
    words += ["--die-with-parent", "--new-session", "--hostname", "jail", "--clearenv"]
    for source, target in mounts:
        words += ["--ro-bind", source, target]
    for name in ("bin", "sbin", "lib", "lib64", "lib32"):
        link = Path("/") / name
        if link.is_symlink():
            words += ["--symlink", str(link.readlink()), str(link)]
        elif link.is_dir():
            words += ["--ro-bind", str(link), str(link)]
    for name in ("null", "zero", "urandom", "random"):
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for hidden in _hidden(mounts):
        words += ["--tmpfs", hidden, "--remount-ro", hidden]
    for folder in ("/tmp", "/reply"):  # noqa: S108
        words += ["--size", str(_SCRATCH_BYTES), "--tmpfs", folder]
    words += ["--remount-ro", "/"]
    for name, value in _environment().items():
        words += ["--setenv", name, value]
    base = Path(sys.base_prefix).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    home = str(base) if base.is_relative_to("/usr") else "/python"
    words += ["--chdir", "/tmp", "--", f"{home}/bin/{version}", "-I", "-S", "-B"]  # noqa: S108
    return [*words, "/code/mmmath_tasks/sandbox/jailed/zygote.py", "/filters", "/site"]


def _hidden(mounts: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what must not be seen inside: system fonts, other LaTeX packages, this project where a mount shows it."""
    import mmmath_tasks

    if Path("/usr/share/fonts").is_dir():
        yield "/usr/share/fonts"
    yield from map(str, environment.hidden_tex())
    package = Path(mmmath_tasks.__file__).parent
    for folder in {package.resolve(), (package / "metrics").resolve().parent}:  # in a checkout the second is its root
        for source, target in mounts:
            if target != "/code/mmmath_tasks/sandbox/jailed" and folder.is_relative_to(Path(source).resolve()):
                yield str(Path(target) / folder.relative_to(Path(source).resolve()))


def _environment() -> dict[str, str]:
    """Return the jail's whole environment: alike everywhere, one thread, TeX that reads and writes only here."""
    return {
        "PATH": "/usr/bin:/bin",
        "LD_LIBRARY_PATH": "/python/lib",
        "HOME": "/tmp",  # noqa: S108
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": "/tmp/matplotlib",  # noqa: S108
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "SOURCE_DATE_EPOCH": "0",
        "FORCE_SOURCE_DATE": "1",
        "TEXINPUTS": ".:/code/mmmath_tasks/sandbox/jailed/texmf:",
        "TEXMFVAR": "/tmp/texmf",  # noqa: S108
        "MKTEXPK": "0",
        "MKTEXTFM": "0",
        "openin_any": "p",
        "openout_any": "p",
    }


@cache
def _starter(pid: int) -> ThreadPoolExecutor:
    """Return the one thread of this process that starts jails.

    --die-with-parent ends a jail with the thread that started it, which must therefore last as long as the process.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="jails")


def _popen(words: list[str], control: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(words, stdin=control, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={})  # noqa: S603


class Jail:
    """A running jail; serves one script at a time. Use as a context manager, or `close` it.

    Attributes:
        seconds: processor time that its processes have taken so far.
    """

    def __init__(self, modules: Sequence[str] = ()) -> None:
        """Check that everything needed is there; the container starts with the first script.

        `modules` are those that every script finds imported; any other it imports for itself.

        Raises:
            InputError: bubblewrap, libseccomp or a Python package is missing.
        """
        _, filters, _ = check_all(environment.need_python, system_calls.filters, lambda: command(""))
        self._folder = tempfile.TemporaryDirectory(prefix="mmmath-jail-", ignore_cleanup_errors=True)
        for name, program in filters.items():
            (Path(self._folder.name) / f"{name}.bpf").write_bytes(program)
        self._command = [*command(self._folder.name), *modules]
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._group = MemoryGroup(())
        self._bound = 0
        self._serves_again = True
        self._lock = threading.Lock()
        self.seconds = 0.0

    def __enter__(self) -> Self:
        """Return the jail."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the jail."""
        self.close()

    def close(self) -> None:
        """End the container and everything in it."""
        self._stop()
        self._folder.cleanup()

    def _stop(self) -> str:
        """End the container; return what it had to say."""
        process, self._process = self._process, None
        if process is None:
            return ""
        if self._control is not None:
            # The end of its input ends it; so its processor time is counted with that of this process's children
            self._control.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
        process.kill()
        process.wait()
        said = b""
        if process.stderr is not None:
            said = process.stderr.read()
            process.stderr.close()
        self._group.close()
        return said.decode("utf-8", "replace").strip()

    def _start(self, limits: Limits) -> socket.socket:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._bound = limits.memory
        self._group = MemoryGroup.make(limits.memory + _BESIDE)
        words = self._group.around(self._command)
        with theirs:
            process = _starter(os.getpid()).submit(_popen, words, theirs.fileno()).result()
        self._process, self._control = process, control
        control.settimeout(_READY_SECONDS)
        try:
            said = control.recv(16)
        except OSError:
            said = b""
        control.settimeout(None)
        if said not in (b"own", b"none"):
            complaint = self._stop()
            raise InputError(
                f"bubblewrap could not start a jail: {complaint[-500:] or 'no answer'}; user namespaces must be "
                "allowed (sysctl kernel.unprivileged_userns_clone=1; in a container: --security-opt "
                "seccomp=unconfined)"
            )
        self._serves_again = said == b"own"
        self._before = 0.0
        return control

    def run(self, kind: str, code: str, limits: Limits, pictures: bool = True) -> Ended:
        """Run one script; return how it ended, with the reply that its process left (for records.parse).

        Raises:
            InputError: no jail can be started.
        """
        with self._lock:
            control = self._control if self._process is not None else None
            control = control or self._start(limits)
            if limits.memory != self._bound:
                self._bound = limits.memory
                self._group.limit(limits.memory + _BESIDE)
            try:
                ended, seconds = running.run(
                    control, {"kind": kind, "code": code, "pictures": pictures}, asdict(limits)
                )
            except (OSError, EOFError, ValueError) as error:
                said = self._stop()
                message = f"the script broke its jail, which was closed ({said[-300:] or type(error).__name__})"
                return Ended("killed", message, "", b"")
            self.seconds, self._before = self.seconds + seconds - self._before, seconds
            if not self._serves_again:
                self._stop()
            return ended
