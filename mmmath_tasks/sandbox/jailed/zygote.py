"""The first process in the jail: keeps Matplotlib loaded and forks one limited child per script.

Started as `python -I -S zygote.py FILTERS SITE...`; speaks length-prefixed frames on its standard input and output.
FILTERS is a folder with two compiled seccomp filters, `script.bpf` and `program.bpf`; SITE... join sys.path.

A request is JSON: {"kind", "code", "pictures", "limits": {"seconds", "cpu_seconds", "memory", "file_bytes", "output"}}.
A reply is two lengths of 4 bytes, JSON {"cause", "message", "elements", "stdout", "cpu"} and a PNG (may be empty); cpu
is the processor time in seconds, of all processes here, since the reply before (the first: since the start).
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import secrets
import select
import shutil
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCRATCH = Path("/tmp")  # noqa: S108 (the jail's own tmpfs)
REPLY_LIMIT = 64 * 2**20


def read_exactly(fd: int, size: int) -> bytes:
    """Return `size` bytes; fewer only at the end of the stream."""
    parts = []
    while size and (part := os.read(fd, min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def failed(cause: str, message: str = "") -> dict[str, Any]:
    """Return the reply of a script that came to nothing."""
    return {"cause": cause, "message": message[:2000], "elements": [], "stdout": ""}


def limit(limits: dict[str, float], filter: bytes) -> None:
    """Give up, for this process and for good, what a script has no use for."""

    def both(what: int, value: float) -> None:
        resource.setrlimit(what, (int(value), int(value)))

    both(resource.RLIMIT_CORE, 0)
    both(resource.RLIMIT_AS, limits["memory"])
    both(resource.RLIMIT_FSIZE, limits["file_bytes"])
    both(resource.RLIMIT_NOFILE, 64)
    resource.setrlimit(resource.RLIMIT_CPU, (int(limits["cpu_seconds"]), int(limits["cpu_seconds"]) + 1))

    class Program(ctypes.Structure):
        _fields_ = (("size", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    # prctl(PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2, program): 8 bytes an instruction
    libc = ctypes.CDLL(None, use_errno=True)
    program = Program(len(filter) // 8, filter)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp filter refused")


class Child:
    """One forked process: its reply so far, its standard output so far, and how it ended."""

    def __init__(self, act: Callable[[int, bytes], None], limits: dict[str, float], filter: bytes) -> None:
        """Fork; the child limits itself, calls `act(fd, nonce)` and leaves."""
        self.nonce = secrets.token_bytes(16)
        reply_end, reply = os.pipe()
        output_end, output = os.pipe()
        errors_end, errors = os.pipe()
        self.limits = limits
        self.pid = os.fork()
        if self.pid == 0:
            try:
                null = os.open("/dev/null", os.O_RDONLY)
                os.dup2(null, 0)
                os.dup2(output, 1)
                os.dup2(errors, 2)
                os.dup2(reply, 63)
                os.closerange(3, 63)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
                    signal.signal(number, signal.SIG_DFL)
                limit(limits, filter)
                act(63, self.nonce)
            except BaseException as error:
                with contextlib.suppress(OSError):
                    os.write(2, repr(error).encode())
                os._exit(70)
            os._exit(0)
        os.close(reply)
        os.close(output)
        os.close(errors)
        self.ends = {reply_end: bytearray(), output_end: bytearray(), errors_end: bytearray()}
        self.reply, self.output, self.errors = self.ends.values()
        self.late = False
        self._collect()

    def _collect(self) -> None:
        end = time.monotonic() + self.limits["seconds"]
        open_ends = set(self.ends)
        while open_ends:
            left = end - time.monotonic()
            ready = select.select(list(open_ends), [], [], max(0.0, left))[0] if left > 0 else []
            if not ready:
                self.late = True
                break
            for fd in ready:
                data = os.read(fd, 1 << 16)
                if not data:
                    open_ends.discard(fd)
                room = (REPLY_LIMIT if self.ends[fd] is self.reply else int(self.limits["output"])) - len(self.ends[fd])
                self.ends[fd] += data[: max(0, room)]
        if not self.late:
            # Both pipes may be closed by a script that goes on running
            while not os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                self.late = time.monotonic() > end
                if self.late:
                    break
                time.sleep(0.001)
        os.kill(self.pid, signal.SIGKILL)
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        for fd in self.ends:
            os.close(fd)

    def stdout(self) -> str:
        """Return what the script printed, as far as the limit lets."""
        return self.output.decode("utf-8", "replace")

    def cause(self) -> str:
        """Return why the process ended without a reply."""
        if self.late or self.status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "timeout"
        if self.status == -signal.SIGXFSZ:
            return "disk"
        if self.status == 70:
            return "memory" if b"MemoryError" in self.errors else "exception"
        return "killed" if self.status < 0 else "exit"

    def answer(self) -> tuple[dict[str, Any], bytes]:
        """Return the reply that the process gave, or the cause why there is none.

        The reply must open with a number that only code of ours was told: bytes that a script writes to the pipe
        make its reply invalid and are not mistaken for ours.
        """
        data = bytes(self.reply)
        if self.late or self.status != 0 or not data:
            return {**failed(self.cause(), self.errors.decode("utf-8", "replace")[-500:]), "stdout": self.stdout()}, b""
        if data[:16] != self.nonce or len(data) < 20:
            return {**failed("forged", "the script wrote to the reply pipe"), "stdout": self.stdout()}, b""
        size = struct.unpack(">I", data[16:20])[0]
        try:
            reply = json.loads(data[20 : 20 + size])
        except ValueError:
            return {**failed("forged", "the reply is not JSON"), "stdout": self.stdout()}, b""
        return {**reply, "stdout": self.stdout()}, data[20 + size :]


def reply_to(fd: int, nonce: bytes, reply: dict[str, Any], png: bytes = b"") -> None:
    """Send a reply; called in the child."""
    body = json.dumps(reply).encode()
    write_all(fd, nonce + struct.pack(">I", len(body)) + body + png)


def tidy() -> None:
    """Leave nothing of a script to the next one.

    Raises:
        OSError: something cannot be removed; the jail must be given up then.
    """
    for entry in os.scandir(SCRATCH):
        if entry.is_dir(follow_symlinks=False):
            Path(entry.path).chmod(0o700)
            for folder, names, _ in os.walk(entry.path):
                for inner in (Path(folder) / name for name in names):
                    if not inner.is_symlink():
                        inner.chmod(0o700)
            shutil.rmtree(entry.path)
        else:
            Path(entry.path).unlink()


def figure(job: dict[str, Any], filters: Path) -> tuple[dict[str, Any], bytes]:
    """Run one request in a child (TikZ: one for TeX, one for reading the PDF)."""
    from mmmath_tasks.sandbox.jailed import script, tikz

    limits, pictures = job["limits"], job["pictures"]
    script_filter = (filters / "script.bpf").read_bytes()
    if job["kind"] == "matplotlib":
        return Child(
            lambda fd, nonce: reply_to(fd, nonce, *script.draw(job["code"], pictures)), limits, script_filter
        ).answer()
    if job["kind"] == "program":
        return Child(lambda fd, nonce: reply_to(fd, nonce, script.run(job["code"])), limits, script_filter).answer()
    import pypdfium2  # noqa: F401 (once, for all children to come)

    tikz.write(job["code"], SCRATCH)
    tex = Child(lambda fd, nonce: tikz.typeset(SCRATCH), limits, (filters / "program.bpf").read_bytes())
    if tex.late or tex.status != 0:
        cause = tex.cause()
        reply = failed("exception" if cause == "exit" else cause, tikz.complaint(SCRATCH))
        return {**reply, "stdout": tex.stdout()}, b""
    return Child(lambda fd, nonce: reply_to(fd, nonce, *tikz.read(SCRATCH, pictures)), limits, script_filter).answer()


def main(filters: str, *site: str) -> None:
    """Serve requests until standard input ends."""
    sys.path[:0] = ["/code", *site]
    from mmmath_tasks.sandbox.jailed import script

    commands, replies = os.dup(0), os.dup(1)
    os.dup2(os.open("/dev/null", os.O_RDWR), 0)
    os.dup2(2, 1)
    script.preload()
    # What is loaded stays: children need not look through it, and copy fewer pages
    gc.collect()
    gc.freeze()
    write_all(replies, struct.pack(">I", 0))
    used = 0.0
    while len(head := read_exactly(commands, 4)) == 4:
        job = json.loads(read_exactly(commands, struct.unpack(">I", head)[0]))
        os.chdir(SCRATCH)
        reply, png = figure(job, Path(filters))
        tidy()
        before, used = used, sum(os.times()[:4])
        body = json.dumps({**reply, "cpu": used - before}).encode()
        write_all(replies, struct.pack(">II", len(body), len(png)) + body + png)


if __name__ == "__main__":
    main(*sys.argv[1:])
