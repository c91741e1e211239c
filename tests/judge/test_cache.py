"""The cache of answers, opened by several processes at once."""

import subprocess
import sys
import time
from contextlib import ExitStack

from mmmath_tasks.judge.cache import Cache

OPEN = """
import sys, time
from pathlib import Path
from mmmath_tasks.judge.cache import Cache, Entry
print("ready", flush=True)
for line in sys.stdin:
    path, when = line.rsplit(maxsplit=1)
    while time.monotonic() < float(when):
        pass
    try:
        cache = Cache(Path(path))
        cache.put(Entry(sys.argv[1], "m", "p@1", "{}", 1, 1))
        cache.close()
        print("kept", flush=True)
    except Exception as error:
        print(error, flush=True)
"""


def test_processes_that_open_a_new_cache_together_all_keep_their_answers(tmp_path):
    pipe, names = subprocess.PIPE, ["a", "b", "c", "d"]
    words = [sys.executable, "-c", OPEN]
    with ExitStack() as stack:  # which closes their input, at which they end, and waits
        opened = [
            stack.enter_context(subprocess.Popen([*words, name], stdin=pipe, stdout=pipe, text=True)) for name in names
        ]
        assert [process.stdout.readline() for process in opened] == ["ready\n"] * 4
        for number in range(20):
            file, when = tmp_path / f"{number}.sqlite", time.monotonic() + 0.01
            for process in opened:
                process.stdin.write(f"{file} {when}\n")
                process.stdin.flush()
            assert [process.stdout.readline() for process in opened] == ["kept\n"] * 4
            cache = Cache(file)
            assert sorted(cache.get(names)) == names
            cache.close()
