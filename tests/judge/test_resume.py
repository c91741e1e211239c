"""kill -9 in the middle of a run of the command line: nothing answered is asked again, the result is the same."""

import json
import os
import signal
import subprocess
import sys

import pytest

from mmmath_tasks.judge.cache import Cache

COUNT = 600


@pytest.fixture
def data(tmp_path):
    """A MathVista folder as upstream's, and responses to it."""
    folder = tmp_path / "data"
    folder.mkdir()
    meta = {"category": "general-vqa", "context": "table", "grade": "college", "language": "english", "source": "ours"}
    rows = {
        str(i): {
            "pid": str(i), "question": f"Which number is {i}?", "image": "", "choices": None, "unit": None,
            "precision": None, "answer": str(i), "question_type": "free_form", "answer_type": "integer",
            "metadata": {**meta, "task": "visual question answering", "skills": [], "split": "testmini",
                         "img_height": 1, "img_width": 1},
            "query": f"Hint: an integer\nQuestion: Which number is {i}?",
        }
        for i in range(COUNT)
    }  # fmt: skip
    (folder / "testmini.json").write_text(json.dumps(rows))
    responses = tmp_path / "responses.jsonl"
    lines = [{"id": str(i), "response": f"I count. The answer is {i if i % 3 else i + 1}."} for i in range(COUNT)]
    responses.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder, responses


def command(data, server, cache, out):
    folder, responses = data
    arguments = ["judge", responses, "--benchmark", "mathvista", "--data", folder, "--base-url", server.url]
    options = ["--model", "scripted", "--cache", cache, "--out", out, "--concurrency", 32]
    return [sys.executable, "-m", "mmmath_tasks", *map(str, arguments), *map(str, options)]


def opened(gate, count):
    """Let so many requests in all through to the server."""
    part = gate.with_suffix(".part")
    part.write_text(str(count))
    part.replace(gate)


@pytest.mark.slow
def test_killed_run_resumes(data, endpoint, tmp_path):
    def samples(run):
        return tmp_path / run / "samples_responses_answer.jsonl"

    def card(run):
        return tmp_path / run / "scorecard_responses_answer.json"

    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    gate = tmp_path / "gate"
    whole, broken = endpoint("--delay", "0.02"), endpoint("--delay", "0.02", "--gate", str(gate))
    subprocess.run(command(data, whole, tmp_path / "a.sqlite", tmp_path / "a"), env=environment, check=True)

    again = command(data, broken, tmp_path / "b.sqlite", tmp_path / "b")
    for part in (0.3, 0.6):
        opened(gate, int(part * COUNT))
        run = subprocess.Popen(again, env=environment)
        broken.wait_for(int(part * COUNT), run)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert not samples("b").exists()
    opened(gate, 10 * COUNT)
    subprocess.run(again, env=environment, check=True)

    assert samples("b").read_bytes() == samples("a").read_bytes()
    assert card("b").read_bytes() == card("a").read_bytes()
    rows = [json.loads(line) for line in samples("b").read_text().splitlines()]
    assert [row["verdict"]["official"] for row in rows] == [i % 3 != 0 for i in range(COUNT)]
    # What was in flight at a kill never reached the asker; every other question was sent once.
    asked = broken.good_answers()
    assert len(asked) == COUNT
    assert sum(asked.values()) - COUNT <= 2 * 32

    before = len(broken.requests())
    subprocess.run(again, env=environment, check=True)
    assert len(broken.requests()) == before


def test_interrupt_keeps_what_was_answered(data, endpoint, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    gate = tmp_path / "gate"
    opened(gate, 64)
    server = endpoint("--gate", str(gate))
    run = subprocess.Popen(
        command(data, server, tmp_path / "c.sqlite", tmp_path / "c"),
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        # where the tests run in the background of a shell, the signal is ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    server.wait_for(64, run)
    run.send_signal(signal.SIGINT)
    opened(gate, 10 * COUNT)  # what is in flight is waited for
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 130
    assert errors.strip().splitlines()[-1] == "mmmath: interrupted"
    assert "Traceback" not in errors
    kept = Cache(tmp_path / "c.sqlite")
    assert kept._db.execute("SELECT count(*) FROM answers").fetchone()[0] >= 32
    kept.close()
