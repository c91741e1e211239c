"""The first process in the jail: keeps Matplotlib loaded and forks for every item. It never sees what an item holds.

Started as `python -I -S zygote.py FILTERS SITE [MODULE...]`; FILTERS is a folder with the compiled seccomp filters,
SITE joins sys.path, the modules are imported beside Matplotlib. Standard input is a socket of packets. A request is
the limits as JSON with three descriptors: the request for the script's process (see jailed/item.py), its standard
output and its standard error, none of which is read here. The answer is JSON {"status", "threads", "seconds"}, with
the file that the process left as its reply, unread, if there is one. So whatever a script finds in its own memory was
there before the first item: nothing of a reference, of another script, or of what either drew. "kill" ends the item
that runs.

The first answer, unasked, is "own" where every item gets namespaces of its own, "none" where the kernel refuses them
(the jail must then be built anew for every item).
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import gc
import json
import os
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

# CLONE_NEWNS CLONE_NEWIPC CLONE_NEWPID; MS_NOSUID MS_NODEV; MNT_DETACH
_NAMESPACES, _MOUNT_FLAGS, _DETACH = 0x00020000 | 0x08000000 | 0x20000000, 2 | 4, 2
_CLONE = {"x86_64": 56, "aarch64": 220}
_PIDFD_GETFD = 438  # alike everywhere
# ioctl: SECCOMP_IOCTL_NOTIF_RECV and _SEND, their structures of 80 and 24 bytes, SECCOMP_USER_NOTIF_FLAG_CONTINUE
_RECEIVE, _SEND, _NOTICE, _CONTINUE = 0xC0502100, 0xC0182101, 80, 1
_LIBC = ctypes.PyDLL(None, use_errno=True)


def mount_scratch(place: str) -> None:
    """Mount an empty folder in memory; empty files cost the kernel memory as well, hence a bound on their number.

    Raises:
        OSError: the kernel refuses.
    """
    options = f"size={64 * 2**20},nr_inodes=4096,mode=0700".encode()
    if _LIBC.mount(b"tmpfs", place.encode(), b"tmpfs", _MOUNT_FLAGS, options):
        raise OSError(ctypes.get_errno(), "mount")


def forked(act: Callable[[], None], namespaces: bool) -> int:
    """Call `act` in a child, as process 1 of its own namespaces where wanted; return the child's number.

    Raises:
        OSError: the kernel refuses.
    """
    if not namespaces:
        child = os.fork()
    else:
        ctypes.pythonapi.PyOS_BeforeFork()
        child = _LIBC.syscall(_CLONE[os.uname().machine], _NAMESPACES | signal.SIGCHLD, 0, 0, 0, 0)
        (ctypes.pythonapi.PyOS_AfterFork_Parent if child else ctypes.pythonapi.PyOS_AfterFork_Child)()
    if child < 0:
        raise OSError(ctypes.get_errno(), "clone")
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        finally:
            _exit(status)
    return int(child)


_exit = os._exit


class Watch:
    """An item's process: how it ends, and how many threads it makes."""

    def __init__(self, process: int, told: int, go: int, limits: dict[str, float]) -> None:
        """Watch over a process that tells the number of its seccomp listener on `told` and waits for a byte of `go`."""
        self.process, self.told, self.go, self.limits = process, told, go, limits
        self.handle = os.pidfd_open(process)
        self.listener = -1
        self.threads = 0

    def wait(self, control: socket.socket) -> int:
        """Return the exit status (negative: of a signal); "kill" from outside, or its end, ends the process."""
        poll = select.poll()
        for fd in (control.fileno(), self.handle, self.told):
            poll.register(fd, select.POLLIN)
        ended = False
        while not ended:
            for fd, _ in poll.poll():
                if fd == self.handle:
                    ended = True
                elif fd == self.told:
                    poll.unregister(self.told)
                    if self._listen():
                        poll.register(self.listener, select.POLLIN)
                elif fd == self.listener:
                    if not self._admit():
                        poll.unregister(self.listener)
                else:
                    control.recv(16)
                    poll.unregister(control.fileno())
                    os.kill(self.process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        for fd in (self.handle, self.told, self.go, self.listener):
            if fd >= 0:
                os.close(fd)
        return status

    def _listen(self) -> bool:
        """Take over the process's seccomp listener, if it has one, and let it go on."""
        said = os.read(self.told, 4)
        if len(said) == 4:
            self.listener = _LIBC.syscall(_PIDFD_GETFD, self.handle, struct.unpack("i", said)[0], 0)
            with suppress(BrokenPipeError):
                os.write(self.go, b"+")
        return self.listener >= 0

    def _admit(self) -> bool:
        """Let one more thread be made, or not; return False once nobody is left to ask."""
        notice = bytearray(_NOTICE)
        try:
            fcntl.ioctl(self.listener, _RECEIVE, notice)
        except OSError as error:
            return error.errno == errno.EINTR
        self.threads += 1
        refused = self.threads > self.limits["threads"]
        answer = notice[:8] + struct.pack("qiI", 0, -errno.EAGAIN if refused else 0, 0 if refused else _CONTINUE)
        with suppress(OSError):
            fcntl.ioctl(self.listener, _SEND, bytearray(answer))
        return True


def serve(control: socket.socket, filters: dict[str, bytes], namespaces: bool) -> bool:
    """Serve one request; return False at the end of them."""
    from mmmath_tasks.sandbox.jailed import item

    said, given, _, _ = socket.recv_fds(control, 65_536, 3)
    if not said:
        return False
    if said == b"kill":  # an item that has ended
        return True
    limits = json.loads(said)
    listening, told = os.pipe()
    go, going = os.pipe()
    ends = *given, told, go
    if namespaces:
        mount_scratch("/reply")
    child = forked(lambda: item.run(ends, limits, filters, mount_scratch if namespaces else None), namespaces)
    for fd in ends:
        os.close(fd)
    watch = Watch(child, listening, going, limits)
    answer: dict[str, Any] = {"status": watch.wait(control), "threads": watch.threads}
    left = []
    with suppress(OSError):
        left.append(os.open("/reply/reply", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK))
    if namespaces and _LIBC.umount2(b"/reply", _DETACH):
        raise OSError(ctypes.get_errno(), "umount")
    answer["seconds"] = sum(os.times()[:4])
    socket.send_fds(control, [json.dumps(answer).encode()], left)
    for fd in left:
        os.close(fd)
    return True


def main(filters: str, site: str, *modules: str) -> None:
    """Serve until the other side closes."""
    sys.path[:0] = ["/code", site]
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open("/dev/null", os.O_RDWR), 0)
    os.dup2(2, 1)
    from mmmath_tasks.sandbox.jailed import warm

    programs = {file.stem: file.read_bytes() for file in Path(filters).glob("*.bpf")}
    warm.preload(modules)
    try:
        trial = forked(lambda: mount_scratch("/tmp"), True)  # noqa: S108
        namespaces = os.waitpid(trial, 0)[1] == 0
    except OSError:
        namespaces = False
    # What is loaded stays: children need not look through it, and copy fewer pages
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)  # a figure is some thousand objects, and all of them are needed
    control.send(b"own" if namespaces else b"none")
    while serve(control, programs, namespaces):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
