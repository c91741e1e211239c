"""A path that cannot be read or written is one line that names it, told before the work where that is long."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Score, Scorecard

pytestmark = pytest.mark.medium

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")


@pytest.fixture
def responses(tmp_path):
    problems, _ = problems_of("mathvista", "sample", None)
    path = tmp_path / "mathvista.json"
    path.write_text(json.dumps({p.id: {"response": p.answer} for p in problems}))
    return path


@pytest.fixture
def commands(tmp_path, responses):
    """Each command that writes into a folder, but for the folder."""
    card = tmp_path / "scorecard_x.json"
    scores = (Score("acc", "", "", 0.5, 1000),)
    origin = {"task": "mathvista_testmini", "prompt_style": "default", "rule_version": "1"}
    card.write_text(Scorecard("mathvista", "acc", scores, {"total": 1000, "scored": 1000}, origin).to_json())
    nobody = ["--base-url", "http://127.0.0.1:9/v1", "--model", "none", "--cache", str(tmp_path / "cache")]
    return {
        "rescore": ["rescore", str(responses), "--split", "sample"],
        "report": ["report", str(card)],
        "card": ["card", str(card), "--model", "me/mine"],
        "judge": ["judge", str(responses), "--sample", *nobody],
        "vlmeval": ["vlmeval", "export", "mathvista_testmini_sample"],
    }


@pytest.mark.parametrize("place", ["file", "below a file"])
@pytest.mark.parametrize("name", ["rescore", "report", "card", "judge", "vlmeval"])
def test_a_folder_that_cannot_be_written_is_told_first(tmp_path, commands, capsys, name, place):
    (tmp_path / "taken").write_text("mine")
    out = tmp_path / "taken" if place == "file" else tmp_path / "taken" / "out"
    assert main([*commands[name], "--out", str(out)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"mmmath: {out}: ")
    assert (said.out if name != "judge" else "", said.err.count("\n")) == ("", 1)
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize("words", [["rescore"], ["judge", "--dry-run"], ["submission", "--out", "x.json"]])
def test_a_file_that_cannot_be_read_is_named(tmp_path, capsys, words):
    path = tmp_path / ("x" * 300)  # longer than names may be, a refusal that root gets too
    assert main([words[0], str(path), *words[1:], "--benchmark", "mathvista"]) == 2
    assert capsys.readouterr().err == f"mmmath: {path}: File name too long\n"


@needs_full
def test_a_full_disk_is_named(responses, capsys):
    given = ["submission", str(responses), "--benchmark", "mathvista", "--split", "sample"]
    assert main([*given, "--out", str(FULL)]) == 2
    assert capsys.readouterr() == ("", f"mmmath: {FULL}: No space left on device\n")


@needs_full
@pytest.mark.parametrize("also", [[], ["missing.json"]])
def test_output_that_cannot_be_written_is_named(responses, also):
    command = [sys.executable, "-m", "mmmath_tasks", "rescore", str(responses), *also, "--split", "sample"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with FULL.open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=buffered, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "mmmath: standard output: No space left on device\n")
