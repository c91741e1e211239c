"""What a script may ask of the kernel: a list of system calls, compiled for seccomp. Everything else is ENOSYS.

Arguments are compared on the bits that the kernel reads (its `int` parameters are the lower 32 of a register), so that
nothing passes by setting the others.
"""

from __future__ import annotations

import errno
import tempfile
from functools import cache
from typing import Any

from mmmath_tasks.errors import InputError

# Files, memory, time, threads' locks, waiting, and what a process may know or change about itself
_ALLOWED = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat creat close close_range lseek
    stat fstat lstat newfstatat fstatat64 statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
    getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir rename renameat renameat2 link linkat symlink symlinkat
    unlink unlinkat chmod fchmod fchmodat fchmodat2 truncate ftruncate fallocate fsync fdatasync fadvise64
    utime utimes utimensat futimesat umask dup dup2 dup3 pipe pipe2 sendfile copy_file_range flock
    brk mmap munmap mprotect mremap madvise mincore msync membarrier
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid
    uname sysinfo getrusage times getcpu getrlimit setrlimit getpriority capget
    sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time alarm setitimer getitimer
    timerfd_create timerfd_settime timerfd_gettime
    futex set_robust_list get_robust_list rseq set_tid_address restart_syscall
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait sigaltstack pause
    shutdown sendto recvfrom getsockname getpeername getsockopt
    wait4 waitid exit exit_group getrandom arch_prctl
""".split()  # noqa: SIM905 (a table reads better than 170 quoted words)

# Of these only some values of one argument: call -> (which argument, values)
_VALUES = {
    # F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_DUPFD_CLOEXEC F_GETPIPE_SZ; no locks (each costs the kernel memory
    # that nothing counts), no signals to others
    "fcntl": (1, (0, 1, 2, 3, 4, 1030, 1032)),
    # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # PR_GET_DUMPABLE PR_SET_NAME PR_GET_NAME PR_CAPBSET_READ PR_SET_VMA
    "prctl": (0, (3, 15, 16, 23, 0x53564D41)),
    "prlimit64": (0, (0,)),  # itself
    "socketpair": (0, (1,)),  # AF_UNIX: what asyncio wakes itself with
    # Itself: a script is process 1 of its namespace
    "kill": (0, (1,)),
    "tkill": (0, (1,)),
    "tgkill": (0, (1,)),
}

# What a file system without extended attributes says; shutil.copy2 passes over nothing else
_UNSUPPORTED = """
    setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    removexattr lremovexattr fremovexattr
""".split()  # noqa: SIM905

_LOW = 0xFFFFFFFF
_THREAD = 0x00010F00  # CLONE_VM CLONE_FS CLONE_FILES CLONE_SIGHAND CLONE_THREAD
_NEITHER = 0x7E020000 | 0x80  # new namespaces, CLONE_NEWTIME
THREADS, NO_THREADS, PROGRAM = "threads", "script", "program"


@cache
def filters() -> dict[str, bytes]:
    """Return the compiled filters by name.

    Returns:
        THREADS: for scripts, where a supervisor counts threads: a `clone` that makes one is put before it.
        NO_THREADS: for scripts, where none can.
        PROGRAM: for TeX, which is put in place by `execve` and makes neither threads nor processes.

    Raises:
        InputError: libseccomp cannot be loaded; the message says what to install.
    """
    try:
        import pyseccomp
    except ModuleNotFoundError:
        raise InputError(
            "model-written code runs only in a jail, and the Python package pyseccomp is missing: "
            'pip install "mmmath-tasks[sandbox]"'
        ) from None
    except (ImportError, RuntimeError, OSError) as error:
        raise InputError(
            f"model-written code runs only in a jail, and libseccomp cannot be loaded ({error}): install the Debian "
            "package libseccomp2 (apt-get install libseccomp2)"
        ) from error
    return {name: _compiled(pyseccomp, name) for name in (THREADS, NO_THREADS, PROGRAM)}


def _compiled(seccomp: Any, name: str) -> bytes:
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))

    def add(action: Any, call: str, *arguments: Any) -> None:
        if _exists(seccomp, call):
            rules.add_rule(action, call, *arguments)

    for call in _ALLOWED:
        add(seccomp.ALLOW, call)
    for call, (which, values) in _VALUES.items():
        for value in values:
            add(seccomp.ALLOW, call, seccomp.Arg(which, seccomp.MASKED_EQ, _LOW, value))
    for call in _UNSUPPORTED:
        add(seccomp.ERRNO(errno.EOPNOTSUPP), call)
    if name == THREADS:
        add(seccomp.NOTIFY, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _THREAD | _NEITHER, _THREAD))
    if name == PROGRAM:
        add(seccomp.ALLOW, "execve")
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _exists(seccomp: Any, call: str) -> bool:
    """Tell whether this kind of processor has the call."""
    try:
        return bool(seccomp.resolve_syscall(seccomp.system_arch(), call) >= 0)
    except (ValueError, OSError):
        return False
