"""The jail: one bubblewrap container with a Python in it that serves scripts, and its limits.

Inside there are no network, no /proc, no home, nothing of this project but mmmath_tasks/sandbox/jailed, read-only
system libraries, Python and TeX, and one small scratch folder in memory that is emptied after every script. Fonts of
the system are not visible, so that figures come out alike everywhere. Every script runs in a child of its own that
may use only so much time and memory and may not start, signal or trace processes (seccomp). A child that breaks the
process that serves it costs its own sample: the jail is built anew for the next.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from mmmath_tasks.errors import InputError

# Denied to every script. Without fork there are no daemons and no fork bombs, RLIMIT_NPROC not holding for root.
_DENIED = tuple(
    """
    fork vfork clone clone3 kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal
    pidfd_getfd ptrace process_vm_readv process_vm_writev process_madvise kcmp prlimit64 setpriority
    socket socketpair connect bind listen accept accept4 io_uring_setup io_uring_enter io_uring_register
    mount umount2 mount_setattr move_mount open_tree fsopen fsconfig fsmount fspick pivot_root chroot unshare setns
    bpf perf_event_open userfaultfd keyctl add_key request_key syslog swapon swapoff reboot kexec_load
    init_module finit_module delete_module personality setsid setpgid ioperm iopl acct quotactl
    name_to_handle_at open_by_handle_at landlock_create_ruleset seccomp
    """.split()  # noqa: SIM905 (a table reads better than 60 quoted words)
)
# What fcntl may not do: have signals sent to other processes (F_SETOWN, F_SETSIG, F_SETOWN_EX)
_FCNTL = 8, 10, 15
_IOCTL = 0x8901, 0x8902  # the same by ioctl: FIOSETOWN, SIOCSPGRP
_EXECUTE = ("execve", "execveat")
_PACKAGES = ("matplotlib", "numpy", "PIL", "pypdfium2", "pypdfium2_raw")
_READY_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Limits:
    """What one script may use.

    Attributes:
        seconds: of wall time.
        cpu_seconds: of processor time, whole seconds.
        memory: bytes of address space; Python with Matplotlib takes about 0.5 GB of it.
        file_bytes: of any one file written; the scratch folder as a whole holds twice as much.
        output: bytes of standard output that are kept.
    """

    seconds: float = 30.0
    cpu_seconds: int = 10
    memory: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    output: int = 65_536


def _executable(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise InputError(
            f"model-written code runs only in a jail, and {name} is missing: install the Debian package {package} "
            f"(apt-get install {package})"
        )
    return found


def need_tex() -> None:
    """Check that TikZ can be typeset.

    Raises:
        InputError: TeX or TikZ is missing; the message names the Debian packages.
    """
    tikz = Path("/usr/share/texlive/texmf-dist/tex/latex/pgf/frontendlayer/tikz.sty")
    if shutil.which("pdflatex") is None or not tikz.is_file():
        raise InputError(
            "TikZ figures need TeX: install the Debian packages texlive-latex-base and texlive-pictures "
            "(apt-get install texlive-latex-base texlive-pictures)"
        )


def _module_home(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise InputError(
            f"model-written code runs only in a jail, and the Python package {name} is missing: "
            'pip install "mmmath-tasks[sandbox]"'
        )
    home = Path(spec.origin).parent
    return home.parent if Path(spec.origin).stem == "__init__" else home


@cache
def _filters() -> dict[str, bytes]:
    """Return the two seccomp programs: for scripts, and for programs that scripts do not choose (TeX)."""
    _module_home("pyseccomp")
    import errno

    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise InputError(
            f"model-written code runs only in a jail, and libseccomp cannot be loaded ({error}): install the Debian "
            "package libseccomp2 (apt-get install libseccomp2)"
        ) from error
    made = {}
    for name, denied in (("script", (*_DENIED, *_EXECUTE)), ("program", _DENIED)):
        rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
        for call in denied:
            try:
                number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), call)
            except (ValueError, OSError):
                continue
            if number >= 0:
                rules.add_rule(pyseccomp.ERRNO(errno.EPERM), call)
        for number in _FCNTL:
            rules.add_rule(pyseccomp.ERRNO(errno.EPERM), "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, number))
        for number in _IOCTL:
            rules.add_rule(pyseccomp.ERRNO(errno.EPERM), "ioctl", pyseccomp.Arg(1, pyseccomp.EQ, number))
        with tempfile.TemporaryFile() as file:
            rules.export_bpf(file)
            file.seek(0)
            made[name] = file.read()
    return made


def _mounts() -> Iterator[tuple[str, str]]:
    """Yield (folder here, folder in the jail) for what is needed and can be read without harm."""
    for folder in ("/usr", "/var/lib/texmf", "/etc/texmf", "/etc/alternatives", "/etc/ld.so.cache"):
        if Path(folder).exists():
            yield folder, folder
    if not Path(sys.base_prefix).resolve().is_relative_to("/usr"):
        yield str(Path(sys.base_prefix).resolve()), "/python"
    yield str(Path(__file__).parent / "jailed"), "/code/mmmath_tasks/sandbox/jailed"
    homes = [_module_home(name) for name in _PACKAGES]
    for number, home in enumerate(dict.fromkeys(homes)):
        yield str(home), f"/site/{number}"


def command(filters: str) -> list[str]:
    """Return the command that starts the jail; `filters` is the folder with the compiled seccomp filters.

    Raises:
        InputError: bubblewrap or a Python package is missing; the message says what to install.
    """
    bwrap = _executable("bwrap", "bubblewrap")
    mounts = [*_mounts(), (filters, "/filters")]
    words = [bwrap, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
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
    words += ["--size", str(2 * Limits().file_bytes), "--tmpfs", "/tmp", "--remount-ro", "/"]  # noqa: S108
    for name, value in _environment().items():
        words += ["--setenv", name, value]
    base = Path(sys.base_prefix).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    home = str(base) if base.is_relative_to("/usr") else "/python"
    sites = [target for _, target in mounts if target.startswith("/site/")]
    words += ["--chdir", "/tmp", "--", f"{home}/bin/{version}", "-I", "-S", "-B"]  # noqa: S108
    return [*words, "/code/mmmath_tasks/sandbox/jailed/zygote.py", "/filters", *sites]


def _hidden(mounts: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what must not be seen inside: the system's fonts, and this project where a mount would show it."""
    import mmmath_tasks

    if Path("/usr/share/fonts").is_dir():
        yield "/usr/share/fonts"
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


def _popen(words: list[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env={})  # noqa: S603


class Jail:
    """A running jail; serves one script at a time. Use as a context manager, or `close` it."""

    def __init__(self) -> None:
        """Check that everything needed is there; the container starts with the first script.

        Raises:
            InputError: bubblewrap, libseccomp or a Python package is missing.
        """
        filters = _filters()
        command("")  # raises where something is missing
        self._folder = tempfile.TemporaryDirectory(prefix="mmmath-jail-", ignore_cleanup_errors=True)
        for name, program in filters.items():
            (Path(self._folder.name) / f"{name}.bpf").write_bytes(program)
        self._command = command(self._folder.name)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Return the jail."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the jail."""
        self.close()

    def close(self) -> None:
        """End the container and everything in it."""
        if self._process is not None and self._process.stdin is not None:
            # The end of its input ends it; so its processor time is counted with that of this process's children
            with suppress(OSError, subprocess.TimeoutExpired):
                self._process.stdin.close()
                self._process.wait(5)
        self._stop()
        self._folder.cleanup()

    def _stop(self) -> str:
        process, self._process = self._process, None
        if process is None:
            return ""
        process.kill()
        process.wait()
        said = process.stderr.read() if process.stderr is not None else b""
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        return said.decode("utf-8", "replace").strip()

    def _start(self) -> subprocess.Popen[bytes]:
        process = _starter(os.getpid()).submit(_popen, self._command).result()
        self._process = process
        try:
            if _read(process, 4, _READY_SECONDS) != b"\0\0\0\0":
                raise EOFError
        except (EOFError, TimeoutError) as error:
            said = self._stop()
            raise InputError(
                f"bubblewrap could not start a jail: {said[-500:] or 'no answer'}; user namespaces must be allowed "
                "(sysctl kernel.unprivileged_userns_clone=1; in a container: --security-opt seccomp=unconfined)"
            ) from error
        return process

    def run(self, kind: str, code: str, limits: Limits, pictures: bool = True) -> tuple[dict[str, Any], bytes]:
        """Run one script; return its reply and its picture (see jailed/zygote.py).

        Raises:
            InputError: no jail can be started.
        """
        with self._lock:
            process = self._process or self._start()
            assert process.stdin is not None  # noqa: S101 (for the type checker: it was opened with a pipe)
            body = json.dumps({"kind": kind, "code": code, "pictures": pictures, "limits": asdict(limits)}).encode()
            try:
                process.stdin.write(struct.pack(">I", len(body)) + body)
                process.stdin.flush()
                sizes = _read(process, 8, 3 * limits.seconds + 30)
                reply_size, png_size = struct.unpack(">II", sizes)
                reply = json.loads(_read(process, reply_size, 60))
                return reply, _read(process, png_size, 60)
            except (OSError, EOFError, ValueError, TimeoutError) as error:
                said = self._stop()
                message = f"the script broke its jail, which was closed ({said[-300:] or type(error).__name__})"
                return {"cause": "killed", "message": message, "elements": [], "stdout": ""}, b""


def _read(process: subprocess.Popen[bytes], size: int, seconds: float) -> bytes:
    """Return exactly `size` bytes of the process's output.

    Raises:
        EOFError: it ended before.
        TimeoutError: it kept silent for `seconds`.
    """
    import select

    assert process.stdout is not None  # noqa: S101 (for the type checker: it was opened with a pipe)
    fd, data = process.stdout.fileno(), bytearray()
    ready = select.poll()  # select.select refuses descriptors from 1024 on
    ready.register(fd, select.POLLIN)
    while len(data) < size:
        if not ready.poll(1000 * seconds):
            raise TimeoutError
        part = os.read(fd, size - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
