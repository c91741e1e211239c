"""The command lines of VLMEvalKit and lmms-eval, as users type them."""

import json
import os
import subprocess
import sys

from mmmath_tasks.harnesses.lmms_eval import write_tasks


def vlmeval(folder, *arguments, **variables):
    """Run the command a user types, in a folder of its own."""
    lmu = folder / "lmu"
    lmu.mkdir(exist_ok=True)
    environment = {**os.environ, "LMUData": str(lmu), **variables}
    command = [sys.executable, "-m", "mmmath_tasks", "vlmeval", "--", *arguments, "--work-dir", str(folder / "out")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def lmms_eval(folder, url, tasks_to_run, **variables):
    """Run lmms-eval's own command line; return what it printed."""
    include = write_tasks(folder / "tasks")
    model = f"model_version=scripted,base_url={url},api_key=none"
    command = [
        sys.executable,
        "-m",
        "lmms_eval",
        "--model",
        "openai",
        "--model_args",
        model,
        "--include_path",
        str(include),
    ]
    options = [
        "--tasks",
        ",".join(tasks_to_run),
        "--batch_size",
        "1",
        "--log_samples",
        "--output_path",
        str(folder / "out"),
    ]
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def logged(folder, name):
    """Return what lmms-eval logged for each document, and its table's numbers."""
    samples = next((folder / "out").rglob(f"*_samples_mmmath_{name}.jsonl"))
    numbers = json.loads(next((folder / "out").rglob("*_results.json")).read_text())["results"][f"mmmath_{name}"]
    return [json.loads(line) for line in samples.read_text().splitlines()], numbers, samples
