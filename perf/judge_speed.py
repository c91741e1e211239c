"""Speed of the judge: 5,000 verdicts at 200 ms a reply and 64 in flight, against the ideal; then from the cache.

    python perf/judge_speed.py [--count 5000] [--delay 0.2] [--concurrency 64]

The server is the tests' own, in a process of its own on this machine, and its CPU time is part of what is measured.
Targets: at most 1.2 times the ideal, and at least 3,000 verdicts a second from the cache.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.case import Case
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.mathvista import judge_answers
from mmmath_tasks.problem import Problem

SERVER = Path(__file__).parents[1] / "tests" / "support" / "chat_server.py"


def cases(count: int) -> list[Case]:
    words = "so that the height of the bar follows from the scale on the left, and then " * 20
    return [
        Case(
            Problem("mathvista", str(i), f"How tall is bar {i}?", answer=str(i), answer_type="integer"),
            f"{words} number {i}. The answer is {i}.",
        )
        for i in range(count)
    ]


def timed(url: str, cache: Path, todo: list[Case], concurrency: int) -> tuple[float, float, list[str]]:
    judge = Judge(Client(url, "scripted", connections=concurrency), Cache(cache), concurrency=concurrency)
    start, cpu = time.perf_counter(), time.process_time()
    judged = judge_answers(judge, todo)
    rows = [json.dumps(j.row(case, "scripted")) for j, case in zip(judged, todo, strict=True)]
    taken = time.perf_counter() - start, time.process_time() - cpu
    judge.close()
    if not all(json.loads(row)["verdict"]["official"] for row in rows):
        raise SystemExit("a verdict is wrong: the figures mean nothing")
    return *taken, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=64)
    args = parser.parse_args()
    command = [sys.executable, str(SERVER), "--delay", str(args.delay)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        url = f"http://127.0.0.1:{int(next(iter(server.stdout or ())))}/v1"
        todo = cases(args.count)
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache.sqlite"
            wall, cpu, first = timed(url, cache, todo, args.concurrency)
            again, again_cpu, second = timed(url, cache, todo, args.concurrency)
    finally:
        server.kill()
        server.wait()
    ideal = args.count * args.delay / args.concurrency
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{args.count} verdicts asked   {wall:7.2f} s, ideal {ideal:.2f} s, ratio {wall / ideal:.3f}, CPU {cpu:.1f} s"
    )
    print(f"{args.count} verdicts cached  {again:7.2f} s, {args.count / again:.0f} a second, CPU {again_cpu:.1f} s")
    print(f"identical rows: {first == second}")


if __name__ == "__main__":
    main()
