"""One item from outside the jail: the request handed in, the output read, the time kept, the reply taken."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

REPLY_LIMIT = 48 * 2**20
_PATIENCE = 60  # seconds in which a killed item must be gone


class Ended(NamedTuple):
    """How an item's process ended: why it failed ("": it says itself), what it printed, the reply it left, unread."""

    cause: str
    message: str
    stdout: str
    left: bytes


def run(
    control: socket.socket, request: Mapping[str, Any], limits: Mapping[str, float], patience: float = _PATIENCE
) -> tuple[Ended, float]:
    """Have the jail at the other end of `control` run an item (see jailed/zygote.py).

    Returns:
        how it ended, and the processor seconds that the jail has taken since its start.

    Raises:
        OSError, EOFError, ValueError: the jail is broken.
        TimeoutError: it does not answer.
    """
    job = os.memfd_create("request")
    outputs, ends = zip(os.pipe(), os.pipe(), strict=True)
    try:
        with os.fdopen(job, "wb", closefd=False) as file:
            file.write(json.dumps(request).encode())
        os.lseek(job, 0, os.SEEK_SET)
        socket.send_fds(control, [json.dumps(limits).encode()], [job, *ends])
    finally:
        for fd in (job, *ends):
            os.close(fd)
    try:
        said, reply, late = _wait(control, outputs, limits, patience)
    finally:
        for fd in outputs:
            os.close(fd)
    answer, left = reply
    printed, complaint = (bytes(text).decode("utf-8", "replace") for text in said)
    cause = _cause(answer["status"], late, complaint)
    if not cause and left is None:
        cause = "exit"
    return Ended(cause, complaint[-500:] if cause else "", printed, left or b""), float(answer["seconds"])


def _wait(
    control: socket.socket, outputs: tuple[int, int], limits: Mapping[str, float], patience: float
) -> tuple[list[bytearray], tuple[dict[str, Any], bytes | None], bool]:
    """Return what was printed, the jail's answer with the reply, and whether the time was up."""
    end = time.monotonic() + limits["seconds"]
    said = {fd: bytearray() for fd in outputs}
    room = int(limits["output"])
    answer: tuple[dict[str, Any], bytes | None] | None = None
    late = False
    poll = select.poll()
    for fd in (control.fileno(), *outputs):
        poll.register(fd, select.POLLIN)
    still = set(outputs)
    while still or answer is None:
        ready = poll.poll(max(0.0, 1000 * (end - time.monotonic())))
        if not ready and time.monotonic() >= end:
            if late or answer is not None:
                raise TimeoutError("the jail does not answer")
            late, end = True, time.monotonic() + patience
            control.send(b"kill")
        for fd, _ in ready:
            if fd == control.fileno():
                answer = _answer(control)
                poll.unregister(fd)
                end = time.monotonic() + patience
                continue
            data = os.read(fd, 1 << 16)
            if not data:
                still.discard(fd)
                poll.unregister(fd)
            said[fd] += data[: max(0, room - len(said[fd]))]
    return list(said.values()), answer, late


def _answer(control: socket.socket) -> tuple[dict[str, Any], bytes | None]:
    data, files, _, _ = socket.recv_fds(control, 65_536, 1)
    if not data:
        raise EOFError
    left = None
    for fd in files:
        with suppress(OSError), os.fdopen(fd, "rb") as file:
            left = b"not a file"
            if stat.S_ISREG(os.fstat(fd).st_mode):
                left = file.read(REPLY_LIMIT)
    return json.loads(data), left


def _cause(status: int, late: bool, complaint: str) -> str:
    """Return why a process failed, "" where it ended with status 0."""
    if late or status in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout"
    if status == 70:
        return "memory" if "MemoryError" in complaint else "exception"
    if status == 71:
        return "forged"
    return "killed" if status < 0 else "exit" if status else ""
