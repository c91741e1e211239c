"""Throughput and memory of `mmmath hub publish` to the tests' double of the Hub, and of the no-op run after it.

    python perf/hub_publish.py [ROWS [KILOBYTES]]          default: 5000 rows of 130 KB

Prints seconds, MB/s and the peak memory of the publishing process. The double hashes what it gets, on the same cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import hub_build

from mmmath_tasks.hub_datasets.publishing.build import build
from support.hub_server import HubServer

_SCRIPT = """
import resource, sys
from mmmath_tasks.cli import main
status = main(["hub", "publish", sys.argv[1], "--repo", "org/name"])
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
sys.exit(status)
"""


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    size = int(float(sys.argv[2]) * 1000) if len(sys.argv) > 2 else 130_000
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as scratch:
        place = Path(scratch)
        hub_build.make(place / "source", rows, size)
        build("mathvision", str(place / "source"), place / "out", splits=[hub_build.SPLIT])
        total = sum(path.stat().st_size for path in (place / "out").rglob("*") if path.is_file()) / 1e6
        print(f"{rows:,} rows, {total:,.0f} MB")
        with HubServer(place / "hub") as hub:
            for name in ("publish", "publish again"):
                start = time.perf_counter()
                done = subprocess.run(  # noqa: S603
                    [sys.executable, "-c", _SCRIPT, str(place / "out")],
                    env=hub.environment(place / "home"),
                    capture_output=True,
                    text=True,
                    check=True,
                )
                seconds = time.perf_counter() - start
                peak = float(done.stdout.split()[-1])
                print(f"{name:14} {seconds:7.1f} s {total / seconds:6.0f} MB/s, peak memory {peak:,.0f} MB", flush=True)


if __name__ == "__main__":
    main()
