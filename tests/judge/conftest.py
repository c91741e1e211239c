"""A judge to test against: the independent server of support/chat_server.py in a process of its own."""

import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.engine import Judge

SERVER = Path(__file__).parents[1] / "support/chat_server.py"


@dataclass
class Endpoint:
    url: str
    log: Path

    def requests(self):
        whole, _, _ = self.log.read_text().rpartition("\n")  # the line that is being written may be seen in part
        return [json.loads(line) for line in whole.splitlines()]

    def wait_for(self, count, while_runs=None):
        """Wait until so many requests have come, of a process that must not end before if one is given."""
        until = time.monotonic() + 300
        while len(self.requests()) < count:
            assert while_runs is None or while_runs.poll() is None
            assert time.monotonic() < until, f"only {len(self.requests())} requests came"
            time.sleep(0.1)

    def good_answers(self):
        """How often each question was answered without a fault."""
        return Counter(r["key"] for r in self.requests() if not r["fault"] and not r["repair"])


@pytest.fixture
def endpoint(tmp_path):
    started = []

    def start(*options):
        log = tmp_path / f"server{len(started)}.jsonl"
        command = [
            sys.executable,
            str(Path(__file__).parents[1] / "support/chat_server.py"),
            "--log",
            str(log),
            *options,
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return Endpoint(f"http://127.0.0.1:{int(process.stdout.readline())}/v1", log)

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def judge_for(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("MMMATH_JUDGE_API_KEY", raising=False)
    made = []

    def make(endpoint, cache=None, *, timeout=120, concurrency=16, parameters=None, **options):
        client = Client(endpoint.url, "scripted", parameters, timeout=timeout, connections=concurrency)
        made.append(Judge(client, Cache(cache), concurrency=concurrency, **options))
        return made[-1]

    yield make
    for judge in made:
        judge.close()
