"""Throughput and memory of `mmmath hub build` on many pictures, against a plain copy of the same files in the same run.

    python perf/hub_build.py [ROWS [KILOBYTES]]        default: 50000 rows of 130 KB, 6.5 GB; needs three times that

Prints seconds, MB/s, the ratio to the copy (wanted: at least 0.5) and the peak memory (wanted: under 1 GB).
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPLIT = "test"


def make(folder: Path, rows: int, size: int) -> None:
    """Write MATH-Vision's files with real JPEG pictures, each padded with noise to its size by a comment segment."""
    from PIL import Image

    (folder / "images").mkdir(parents=True)
    buffer = io.BytesIO()
    Image.effect_noise((160, 120), 60).save(buffer, "JPEG", quality=90)
    start, rest = buffer.getvalue()[:2], buffer.getvalue()[2:]
    with (folder / f"{SPLIT}.jsonl").open("w") as file:
        for number in range(1, rows + 1):
            row = {
                "id": str(number),
                "question": f"What is number {number}? <image1>",
                "options": [],
                "answer": str(number),
                "solution": None,
                "level": number % 5 + 1,
                "subject": "arithmetic",
                "image": f"images/{number}.jpg",
            }
            file.write(json.dumps(row) + "\n")
            left, comments = size - len(start) - len(rest), b""
            while left > 4:
                length = min(left, 65_000)
                comments += b"\xff\xfe" + (length - 2).to_bytes(2, "big") + os.urandom(length - 4)
                left -= length
            (folder / "images" / f"{number}.jpg").write_bytes(start + comments + rest)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    size = int(float(sys.argv[2]) * 1000) if len(sys.argv) > 2 else 130_000
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as scratch:
        source, out = Path(scratch) / "source", Path(scratch) / "out"
        make(source, rows, size)
        os.sync()
        total = sum(path.stat().st_size for path in (source / "images").iterdir()) / 1e6
        print(f"{rows:,} rows, {total:,.0f} MB of pictures")
        seconds = {}
        for name in ("copy", "build", "copy again"):
            start = time.perf_counter()
            if name == "build":
                command = [sys.executable, "-m", "mmmath_tasks", "hub", "build", "mathvision"]
                command += ["--source", str(source), "--out", str(out), "--splits", SPLIT]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            else:
                shutil.copytree(source, Path(scratch) / name)
            os.sync()
            seconds[name] = time.perf_counter() - start
            shutil.rmtree(Path(scratch) / name, ignore_errors=True)
            print(f"{name:10} {seconds[name]:8.1f} s {total / seconds[name]:8.0f} MB/s", flush=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        copy = (seconds["copy"] + seconds["copy again"]) / 2
        print(f"ratio of throughputs, build to copy: {copy / seconds['build']:.2f}")
        print(f"peak memory of the build: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
