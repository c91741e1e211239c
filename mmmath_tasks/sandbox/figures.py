"""Codes in, what they drew or printed out: the sandbox's public face."""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

from mmmath_tasks.sandbox.environment import need_tex
from mmmath_tasks.sandbox.jail import Jail, Limits
from mmmath_tasks.sandbox.records import Reply, parse

Kind = Literal["matplotlib", "tikz"]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What one script came to.

    Attributes:
        ok: it ran to its end and drew something (a program: it ran to its end).
        cause: "" where ok; else "syntax", "exception", "exit" (left with a status of its own), "timeout", "memory",
            "disk" (wrote too large a file), "blank" (drew nothing), "killed" (died of a signal, or broke its jail),
            "forged" (wrote to the pipe on which elements are reported, or had records of no known shape reported).
        message: the last lines of the complaint, at most 2,000 characters; "" where ok.
        elements: records of what is in the figure, JSON values only: jailed/artists.py and jailed/tikz.py document
            them; () where not ok.
        png: the picture, at the figure's own resolution (TikZ: 150 dots an inch, cropped); None where not ok or not
            wanted.
        stdout: what it printed, at most Limits.output bytes.
    """

    ok: bool
    cause: str
    message: str
    elements: tuple[Mapping[str, Any], ...]
    png: bytes | None
    stdout: str


# What takes a second to import, and makes every fork dearer for scripts without it
# "import seaborn as sns"
_HEAVY = re.compile(r"\b(?:pandas|scipy|seaborn)\b")
_jails: dict[tuple[int, int, bool], Jail] = {}
_lock = Lock()


def _jail(number: int, heavy: bool = False) -> Jail:
    """Return this process's jail of that number, started at first use and kept until the process ends.

    There are two of each: with Matplotlib, and with seaborn, pandas and SciPy beside it.
    """
    with _lock:
        if not _jails:
            atexit.register(close_jails)
        key = os.getpid(), number, heavy
        if key not in _jails:
            _jails[key] = Jail(("seaborn", "scipy.stats", "pandas") if heavy else ())
        return _jails[key]


def close_jails() -> None:
    """End the jails that this process keeps; they start again when needed."""
    with _lock:
        for key in [key for key in _jails if key[0] == os.getpid()]:
            _jails.pop(key).close()


def run_figures(
    codes: Sequence[str],
    kind: Kind = "matplotlib",
    *,
    pictures: bool = True,
    limits: Limits | None = None,
    workers: int = 1,
) -> list[Drawing]:
    """Run figure scripts in the jail, each on its own, and read what they drew.

    The elements are read by code of ours inside the script's own process, so a hostile script can misreport its own
    figure, never another's, and never reaches the process that calls this.

    Args:
        codes: Python scripts that use Matplotlib, or LaTeX documents (or bare tikzpictures) with TikZ.
        kind: which of the two.
        pictures: whether PNGs are wanted; without them a script takes a third less time.
        limits: of each script; the defaults of Limits where None.
        workers: how many jails run side by side.

    Returns:
        one record per code, in order; a bar is shown on a terminal.

    Raises:
        InputError: bubblewrap, libseccomp, a Python package or (for TikZ) TeX is missing, or no jail can be started.
            Nothing is ever run outside a jail.
    """
    if kind == "tikz":
        need_tex()
    return _run_all(codes, kind, pictures, limits or Limits(), workers)


def run_programs(codes: Sequence[str], *, limits: Limits | None = None, workers: int = 1) -> list[Drawing]:
    """Run Python programs in the jail for what they print (`stdout`); no figure is read.

    Raises:
        InputError: as for `run_figures`.
    """
    return _run_all(codes, "program", False, limits or Limits(), workers)


def _run_all(codes: Sequence[str], kind: str, pictures: bool, limits: Limits, workers: int) -> list[Drawing]:
    from concurrent.futures import ThreadPoolExecutor

    from tqdm import tqdm

    workers = max(1, min(workers, len(codes)))
    free = list(range(workers))

    def one(code: str) -> Drawing:
        number = free.pop()
        try:
            ended = _jail(number, bool(_HEAVY.search(code))).run(kind, code, limits, pictures)
        finally:
            free.append(number)
        reply = Reply(ended.cause, ended.message, (), b"") if ended.cause else parse(ended.left)
        return Drawing(not reply.cause, reply.cause, reply.message, reply.elements, reply.png or None, ended.stdout)

    with ThreadPoolExecutor(workers) as pool:
        done = tqdm(pool.map(one, codes), total=len(codes), desc="figures", disable=None if len(codes) > 1 else True)
        return list(done)
