"""CPU seconds that `mmmath rescore` takes for the published MATH-Vision responses, official and verified.

    python perf/rescore_speed.py [--shared ../shared]

The runs are written in the authors' format and handed to the command as a user would, all in one call, with the data
set beside them. The figure is of the whole process, start included, on one core; best of `--rounds`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_rows import arguments

import mmmath_tasks as mm
from support.published import by_run
from support.saved_formats import as_authors


def cpu_seconds() -> float:
    """Return the CPU time of the processes that have ended under this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    rows = {row["id"]: row for row in mm.benchmark("mathvision").rows.read(args.shared / "data/mathvision", "test")}
    runs = by_run(args.shared / "oracle/mathv_rows.jsonl.gz")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"run{i}.jsonl" for i in range(len(runs))]
        for file, run in zip(files, runs.values(), strict=True):
            as_authors(file, "mathvision", [rows[r["id"]] for r in run], [r["response"] for r in run])
        core = min(os.sched_getaffinity(0))
        command = [sys.executable, "-m", "mmmath_tasks", "rescore", *map(str, files)]
        command += ["--data", str(args.shared / "data/mathvision")]
        best = float("inf")
        for _ in range(args.rounds):
            before = cpu_seconds()
            subprocess.run(  # noqa: S603
                command, check=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {core})
            )
            best = min(best, cpu_seconds() - before)
    print(f"{sum(map(len, runs.values())):,} responses of {len(runs)} runs: {best:.1f} s CPU on one core")


if __name__ == "__main__":
    main()
