"""Peak memory of `mmmath rescore` on large files, good and bad; the files are made in a temporary folder.

python perf/rescore_memory.py [--shared ../shared] [--gigabytes 2]
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shared_rows import arguments

TEXT = "Because the angle is a right one, we get five squares. " * 160


def responses(length: int) -> Iterator[str]:
    for i in itertools.count():
        yield json.dumps({"id": str(i % 3040 + 1), "response": TEXT[:length] + "Answer: A"}) + "\n"


def strangers() -> Iterator[str]:
    for i in itertools.count(1):
        yield json.dumps({"id": str(i), "response": "Answer: A"}) + "\n"


def with_questions() -> Iterator[str]:
    """Yield rows from which the problem is rebuilt, all different."""
    row = {"question": TEXT[:200], "options": [], "answer": "5", "level": 1, "subject": "algebra", "response": "5"}
    for i in itertools.count(1):
        yield json.dumps({"id": str(i), **row}) + "\n"


FILES = {
    "long responses": lambda: responses(8000),
    "short responses again and again": lambda: responses(100),
    "ids most of which match nothing": strangers,
    "rows with their problems": with_questions,
    "first line broken": lambda: itertools.chain(['{"id": "1", "response": }\n'], responses(800)),
    "one endless line": lambda: itertools.chain(['{"id": "1", "response": "'], itertools.repeat(TEXT)),
    "one JSON array": lambda: itertools.chain(["[\n"], (line[:-1] + ",\n" for line in responses(800))),
}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--gigabytes", type=float, default=2)
    args = parser.parse_args()
    data = str(args.shared / "data" / "mathvision")
    for name, made in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            path, size = Path(folder) / "run.jsonl", 0
            with path.open("w", encoding="utf-8") as file:
                for line in made():
                    size += file.write(line)
                    if size > args.gigabytes * 2**30:
                        break
            command = [sys.executable, "-m", "mmmath_tasks", "rescore", str(path), "--benchmark", "mathvision"]
            command += [] if made is with_questions else ["--data", data]
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # noqa: S603
            said = child.stderr.read().strip() if child.stderr else ""
            _, status, used = os.wait4(child.pid, 0)
        said = said.replace(f"{path}: ", "")
        code = os.waitstatus_to_exitcode(status)
        print(f"{name:<32} status {code}, {used.ru_maxrss / 1024:6.0f} MB, {used.ru_utime:5.1f} s  {said[:110]}")


if __name__ == "__main__":
    main()
