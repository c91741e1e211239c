"""One item, in a process of its own: it reads its request, gives up all rights, runs the script, and leaves a reply.

A request is JSON {"kind", "code", "pictures"}; the reply, the file /reply/reply, is one line of JSON {"cause",
"message", "elements"} and a PNG (may be empty). The exit status is 0 with a reply, 70 where our own code raised, and
71 where there was a reply already.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mmmath_tasks.sandbox.jailed import script, shown, tikz

SCRATCH, REPLY = Path("/tmp"), Path("/reply/reply")  # noqa: S108 (the item's own tmpfs)
# prctl: PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP; seccomp(2): SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER
_NO_NEW_PRIVS, _SET_SECCOMP, _MODE_FILTER, _SET_FILTER, _NEW_LISTENER = 38, 22, 2, 1, 8
_CALLS = {"x86_64": (317, 126), "aarch64": (277, 91)}  # seccomp, capset
_RAISED, _FORGED = 70, 71
_exit, _closerange = os._exit, os.closerange
_LIBC = ctypes.CDLL(None, use_errno=True)


def run(
    ends: tuple[int, ...],
    limits: Mapping[str, float],
    filters: Mapping[str, bytes],
    mount: Callable[[str], None] | None,
) -> None:
    """Be the item's process; does not return.

    Args:
        ends: descriptors: the request, standard output and error, and those that jailed/zygote.py's Watch knows.
        limits: see jail.Limits.
        filters: compiled seccomp filters by name.
        mount: makes a folder empty; None where this process has no namespaces of its own.
    """
    status = _RAISED
    try:
        if mount is not None:
            mount(str(SCRATCH))
        os.chdir(SCRATCH)
        with os.fdopen(ends[0], "rb") as file:
            job = json.load(file)
        os.dup2(ends[1], 1)
        os.dup2(ends[2], 2)
        told, go = os.dup2(ends[3], 60), os.dup2(ends[4], 61)
        os.closerange(3, 60)
        os.closerange(62, 4096)
        _limit(limits)
        if job["kind"] == "tikz":
            reply = _typeset(job["code"], filters)
            if reply is None:
                import pypdfium2  # noqa: F401

                _filter(filters["script"])
                leave(*tikz.read(SCRATCH, job["pictures"]))
            else:
                leave(reply)
        else:
            _filter_counted(filters, told, go)
            if job["kind"] == "matplotlib":
                leave(*shown.draw(job["code"], job["pictures"]))
            else:
                leave(script.run(job["code"]))
        status = 0
    except FileExistsError:
        status = _FORGED
    except BaseException as error:
        with suppress(OSError):
            os.write(2, repr(error).encode("utf-8", "replace"))
    finally:
        _exit(status)


def leave(reply: dict[str, Any], png: bytes = b"") -> None:
    """Leave the reply, at the end, whatever the script has done to its descriptors.

    Raises:
        FileExistsError: the script has left one.
    """
    _closerange(3, 1024)  # a script may have used them up
    with REPLY.open("xb") as file:
        # Not escaped, so that half characters, which JSON's readers refuse, become question marks
        file.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n" + png)


def _typeset(code: str, filters: Mapping[str, bytes]) -> dict[str, Any] | None:
    """Run TeX in a child; return the reply where it fails."""
    tikz.write(code, SCRATCH)
    child = os.fork()
    if child == 0:
        try:
            _filter(filters["program"])
            tikz.typeset(SCRATCH)
        finally:
            _exit(_RAISED)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return None
    signals = {-signal.SIGXCPU: "timeout", -signal.SIGKILL: "timeout", -signal.SIGXFSZ: "disk"}
    cause = signals.get(status, "killed" if status < 0 else "exception")
    return {"cause": cause, "message": tikz.complaint(SCRATCH), "elements": []}


def _limit(limits: Mapping[str, float]) -> None:
    """Give up, for this process and for good, what a script has no use for."""

    def both(what: int, value: float) -> None:
        resource.setrlimit(what, (int(value), int(value)))

    both(resource.RLIMIT_CORE, 0)
    both(resource.RLIMIT_AS, limits["memory"])
    both(resource.RLIMIT_FSIZE, limits["file_bytes"])
    both(resource.RLIMIT_NOFILE, 256)
    both(resource.RLIMIT_MEMLOCK, 0)
    both(resource.RLIMIT_CPU, limits["cpu_seconds"])
    # _LINUX_CAPABILITY_VERSION_3, this process; no capability effective, permitted or inheritable
    header, none = struct.pack("Ii", 0x20080522, 0), bytes(24)
    if _LIBC.syscall(_CALLS[os.uname().machine][1], header, none) or _LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "capabilities")


class _Program(ctypes.Structure):
    _fields_ = (("size", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _filter(program: bytes) -> None:
    """Put a seccomp filter in place."""
    # 8 bytes an instruction
    if _LIBC.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.byref(_Program(len(program) // 8, program))):
        raise OSError(ctypes.get_errno(), "seccomp filter refused")


def _filter_counted(filters: Mapping[str, bytes], told: int, go: int) -> None:
    """Put the filter for scripts in place and hand its listener over; where there can be none, threads are refused."""
    program = _Program(len(filters["threads"]) // 8, filters["threads"])
    call = _CALLS[os.uname().machine][0]
    listener = _LIBC.syscall(call, _SET_FILTER, _NEW_LISTENER, ctypes.byref(program))
    if listener < 0:
        _filter(filters["script"])
    else:
        os.write(told, struct.pack("i", listener))
        os.read(go, 1)  # by now the watch has its own; where it has none, asking for a thread is ENOSYS
        os.close(listener)
    os.close(told)
    os.close(go)
