"""Which versions of datasets read a folder that `mmmath hub build` made: each in a virtual environment of its own.

    python perf/hub_versions.py FOLDER [VERSION ...]       default: 3.0.0, 4.0.0 and the newest

Needs a package index. Prints one line a version: whether it loads every split, with streaming and without (what
`mmmath hub check --python` asks).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import loading
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout


def main() -> None:
    folder, versions = Path(sys.argv[1]), sys.argv[2:] or ["3.0.0", "4.0.0", ""]
    found = layout(Folder(folder))
    with tempfile.TemporaryDirectory() as scratch:
        for version in versions:
            home = Path(scratch) / (version or "newest")
            venv.create(home, with_pip=True)
            python = str(home / "bin" / "python")
            wanted = f"datasets=={version}" if version else "datasets"
            done = subprocess.run([python, "-m", "pip", "install", "-q", wanted, "pillow"], check=False)  # noqa: S603
            if done.returncode:
                print(f"datasets {version or 'newest'}: cannot be installed")
                continue
            try:
                report = loading.load(folder, found, python)
            except InputError as error:
                print(f"datasets {version or 'newest'}: {error}")
                continue
            print(f"datasets {report['datasets']}: {report['errors'] or 'reads every split'}", flush=True)


if __name__ == "__main__":
    main()
