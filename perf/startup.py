"""What the package costs at start: python perf/startup.py [pairs]. Medians of alternating runs, one row a measurement.

`lm_eval ls tasks` reads thousands of YAML files and takes most of a minute a run; with and without the start-up hook
in turn, so that a busy machine slows both alike.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path


def seconds(command: list[str], **environment: str) -> float:
    """Return the processor time, user and system, of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=True)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def alternate(pairs: int, first: tuple[list[str], dict[str, str]], second: tuple[list[str], dict[str, str]]) -> None:
    """Print both medians, their difference and their ratio."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(pairs):
        for spent, (command, environment) in zip(taken, (first, second), strict=True):
            spent.append(seconds(command, **environment))
    without, with_us = map(statistics.median, taken)
    row = f"{without:9.3f} s {with_us:9.3f} s {1000 * (with_us - without):+9.1f} ms {with_us / without - 1:+8.1%}"
    print(row, flush=True)


if __name__ == "__main__":
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    python = [sys.executable, "-c"]
    off = {"MMMATH_NO_PLUGIN": "1"}
    tasks = [str(Path(sys.executable).with_name("lm_eval")), "ls", "tasks"]
    print(f"{'processor time of':<34}{'without':>11}{'with':>12}{'difference':>13}{'ratio':>9}")
    for name, count, first, second in (
        ("import mmmath_tasks", 10 * pairs, ([*python, ""], off), ([*python, "import mmmath_tasks"], off)),
        ("any interpreter, with the hook", 10 * pairs, ([*python, ""], off), ([*python, ""], {})),
        ("lm_eval ls tasks, with the hook", pairs, (tasks, off), (tasks, {})),
    ):
        print(f"{name:<34}", end="", flush=True)
        alternate(count, first, second)
