"""A whole CoT-E run against `transformers serve` with a tiny random model, over loopback, pictures included."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of
from support.needs import skip_without


@pytest.fixture
def served(tmp_path):
    """The address and the name of the model."""
    skip_without("hf")
    script = Path(sys.executable).with_name("transformers")
    from support import tiny_vlm

    model = tiny_vlm.build(tmp_path / "tiny")
    command = [str(script), "serve", "--host", "127.0.0.1", "--port", "0", "--device", "cpu", str(model)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    log = tmp_path / "serve.log"
    with log.open("w") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        until = time.monotonic() + 600
        while not (ready := re.search(r"Uvicorn running on (http://127\.0\.0\.1:\d+)", log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        yield f"{ready[1]}/v1", str(model), log
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of torch and transformers, while the model is built
def test_cot_e_with_a_real_server(served, endpoint, tmp_path, capsys):
    url, model, log = served
    problems, _ = problems_of("mathverse", "sample", None)
    responses = tmp_path / "responses.jsonl"
    said = [f"Step 1 reads number {i}.\nThe answer is {p.answer}." for i, p in enumerate(problems)]
    lines = [json.dumps({"id": p.id, "response": text}) for p, text in zip(problems, said, strict=True)]
    responses.write_text("\n".join(lines) + "\n")
    command = ["judge", str(responses), "--benchmark", "mathverse", "--sample", "--metric", "cot_e", "--model", model]
    command += ["--param", "max_tokens=8", "--concurrency", "4", "--cache", str(tmp_path / "cache.sqlite")]

    # The random model never writes JSON: everything ends unscored, and the run says so.
    assert main([*command, "--base-url", url]) == 1
    output = capsys.readouterr().out
    assert f"{len(problems)} judged items: 0 scored (0 by the judge), {len(problems)} unscored" in output
    assert "invalid reply: it was not one JSON object" in output

    # A scripted judge answers; half of its marks are forgotten, and the real server gets those, with pictures.
    scripted = endpoint()
    assert main([*command, "--base-url", scripted.url]) == 0
    capsys.readouterr()
    with closing(sqlite3.connect(tmp_path / "cache.sqlite")) as db:
        marks = "SELECT key FROM answers WHERE prompt LIKE 'cot_e_marks@%' ORDER BY key LIMIT ?"
        db.execute(f"DELETE FROM answers WHERE key IN ({marks})", [len(problems) - len(problems) // 2])  # noqa: S608
        db.commit()
    before = log.read_text().count("POST /v1/chat/completions")
    assert main([*command, "--base-url", url]) == 0
    output = capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "samples_responses_cot_e.jsonl").read_text().splitlines()]
    scored = [row for row in rows if "cot_e" in row["verdict"]["scores"]]
    unscored = [row for row in rows if row["verdict"]["reason"].startswith("judge_failed: invalid reply")]
    assert (len(scored), len(unscored)) == (len(problems) // 2, len(problems) - len(problems) // 2)
    assert f"{len(scored)} scored ({len(scored)} by the judge), {len(unscored)} unscored" in output
    assert log.read_text().count("POST /v1/chat/completions") - before == 2 * len(unscored)  # each with its repair
