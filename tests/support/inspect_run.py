"""inspect_ai's command line, as users type it, asking a model on loopback; in a process of its own, for it leaks."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

from support import json_server

USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


@contextmanager
def saying(*texts, reason="stop"):
    """Serve a model that gives the texts in turn, again and again."""
    said = []

    def answer(_):
        said.append(texts[len(said) % len(texts)])
        return 200, json_server.chat_completion(said[-1], reason, created=0, model="scripted", usage=USAGE)

    with json_server.serving(answer) as url:
        yield url


def inspect(folder, url, *arguments):
    """Run `inspect` and return what it printed, in one line."""
    variables = {**os.environ, "STUB_BASE_URL": url, "STUB_API_KEY": "none", "NO_COLOR": "1", "HOME": str(folder)}
    command = [sys.executable, "-m", "inspect_ai", *arguments]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return " ".join(done.stdout.split())


def evaluated(folder, url, *names, options=()):
    """Run `inspect eval` on tasks of ours; return a JSON log for each, by name, and what was printed."""
    asked = [f"mmmath/{name}" for name in names]
    settings = ["--model", "openai-api/stub/scripted", "--display", "plain", "--max-connections", "4"]
    printed = inspect(folder, url, "eval", *asked, *settings, "--log-format", "json", "--log-dir", "logs", *options)
    logs = [json.loads(path.read_text(encoding="utf-8")) for path in (folder / "logs").glob("*.json")]
    return {log["eval"]["task"].removeprefix("mmmath/"): log for log in logs}, printed


def numbers(log, score):
    """Return the metrics that a log has of a score."""
    (found,) = [one for one in log["results"]["scores"] if one["name"] == score]
    return {name: metric["value"] for name, metric in found["metrics"].items()}
