"""Runs in several processes, through a server, and through the command lines."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from mmmath_tasks.harnesses.lm_eval_results import scorecards
from support import mathvista_folder
from support.answered import replay
from support.chat_model_server import serve
from support.json_server import chat_completion, serving
from support.needs import needs
from support.picture_files import encode
from support.sample_rows import rows


def go(*command, **environment):
    """Run a command to its end; return status, what it printed, and what it printed to stderr."""
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    kept = {name: value for name, value in os.environ.items() if name != "MMMATH_DATA"}
    done = subprocess.run(
        [str(part) for part in command],
        env={**kept, **quiet, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def written(folder, start):
    return [json.loads(path.read_text()) for path in sorted(folder.rglob(f"{start}*.json"))]


def tool(name):
    return Path(sys.executable).with_name(name)


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one_and_one_scorecard(tmp_path, tiny_model):
    script = Path(__file__).parents[1] / "support/two_processes.py"
    for count in (1, 2):
        command = (sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={count}")
        # not by the machine's name, which need not be known to itself
        near = {"ACCELERATE_USE_CPU": "true", "GLOO_SOCKET_IFNAME": "lo"}
        status, _, err = go(*command, "--local-addr=127.0.0.1", script, tiny_model, tmp_path / str(count), **near)
        assert status == 0, err
        shares = sorted(path.name for path in (tmp_path / str(count)).glob("share-*"))
        assert shares == [f"share-{rank}-of-{count}" for rank in range(count)]
        assert len(written(tmp_path / str(count), "results_")) == 1
    one, two = (written(tmp_path / str(count), "scorecard_") for count in (1, 2))
    assert len(one) == len(two) == 1
    assert one[0] == two[0]
    assert one[0]["provenance"]["samples"]["effective"] == 7
    tables = [written(tmp_path / str(count), "results_")[0]["results"] for count in (1, 2)]
    assert tables[0] == tables[1]
    answers = [(tmp_path / str(count) / "answers.json").read_text() for count in (1, 2)]
    assert answers[0] == answers[1]
    assert len(set(map(str, json.loads(answers[0]).values()))) > 3


@pytest.mark.slow
def test_accelerate_launch(tmp_path, tiny_model):
    arguments = ["--tasks", "mathvista_sample", "--model", "hf-multimodal", "--model_args", f"pretrained={tiny_model}"]
    arguments += ["--apply_chat_template", "--limit", "3", "--device", "cpu", "--gen_kwargs", "max_gen_toks=2"]
    launch = (tool("accelerate"), "launch", "--cpu", "--num_processes", "2", "-m", "lm_eval")
    for name, start in (("one", (tool("lm_eval"),)), ("two", launch)):
        status, out, err = go(*start, *arguments, "--output_path", tmp_path / name)
        assert status == 0, err
        assert out.count("|mathvista_sample (acc, read by rules)|") == 1
    one, two = (written(tmp_path / name, "scorecard_") for name in ("one", "two"))
    assert len(one) == len(two) == 1
    assert one[0]["scores"] == two[0]["scores"]
    assert one[0]["provenance"] == two[0]["provenance"]


def test_a_chat_server_gets_the_pictures(run, tmp_path, tiny_model):
    folder = mathvista_folder.write(tmp_path / "data", count=3)
    with serve(tiny_model) as (url, requests):
        results = run(
            "local-chat-completions",
            "mathvista_testmini",
            model_args=f"base_url={url},model=tiny",
            apply_chat_template=True,
            metadata={"data_dir": str(folder)},
        )
    assert results["n-samples"]["mathvista_testmini"]["effective"] == 3
    assert scorecards(results)["mathvista_testmini"].provenance["model"] == "tiny"
    assert len(requests) == 3
    rows = {row["query"]: row for row in mathvista_folder.rows(3)}
    for request in requests:
        (message,) = request["messages"]
        kinds = [part["type"] for part in message["content"]]
        assert kinds == ["image_url", "text"]
        text = message["content"][1]["text"]
        row = rows[text.removeprefix("<image>")]
        assert [p.size for p in request["pictures"]] == [(row["metadata"]["img_width"], row["metadata"]["img_height"])]
        assert request["max_tokens"] == 16_384


def test_a_chat_server_gets_no_pictures_from_a_text_task(run, tmp_path, tiny_model):
    folder = mathvista_folder.write(tmp_path / "data", count=2)
    with serve(tiny_model) as (url, requests):
        run(
            "local-chat-completions",
            "mathvista_testmini_text",
            model_args=f"base_url={url},model=tiny",
            apply_chat_template=True,
            metadata={"data_dir": str(folder)},
        )
    assert len(requests) == 2
    assert all(not request["pictures"] and "<image>" not in json.dumps(request["messages"]) for request in requests)


@pytest.mark.slow
def test_use_cache_saves_what_a_broken_run_with_pictures_answered(tmp_path):
    pictures = {f"{n}.png": encode(Image.new("RGB", (8, 8), (n, 0, 0))) for n in range(150)}
    folder = mathvista_folder.write(tmp_path / "data", pictures=pictures)  # of which many have one prompt
    answered = []
    broken = True

    def answer(body):
        if broken and len(answered) == 140:
            return 500, {"message": "out of memory"}
        answered.append(body)
        return 200, chat_completion(f"The answer is {len(answered)}.")

    with serving(answer) as url:
        command = [tool("lm_eval"), "run", "--model", "local-chat-completions", "--apply_chat_template", "--model_args"]
        command += [f"base_url={url}/chat/completions,model=x,max_retries=1", "--tasks", "mathvista_testmini"]
        command += ["--metadata", f"data_dir={folder}", "--use_cache", tmp_path / "cache", "--log_samples"]
        command += ["--output_path", tmp_path / "out"]
        assert go(*command)[0] != 0
        broken = False
        status, _, err = go(*command)
    assert status == 0, err
    assert len(answered) == 140 + 150 - 128
    (samples,) = (tmp_path / "out").rglob("samples_*.jsonl")
    said = {int(row["doc"]["id"]): row["resps"][0][0] for row in map(json.loads, samples.read_text().splitlines())}
    assert len(set(said.values())) == 150
    assert {said[n] for n in range(1, 129)} == {f"The answer is {n}." for n in range(1, 129)}


HOSTILE = "import ctypes\nopen('/reply/reply', 'w').write('{}')\nctypes.CDLL(None)._exit(0)\n"


@pytest.mark.slow
@needs("sandbox", "bwrap", "tex")
def test_a_hostile_response_costs_its_own_score_of_forty(tmp_path):
    found = [row for row in rows("mathopeval") if row["format"] == "free_form"]
    hostile = next(row["id"] for row in found if row["language"] == "python")
    tables, scores = [], []
    for name, changed in (("without", {}), ("with", {hostile: f"```python\n{HOSTILE}```\n"})):
        responses = {row["id"]: f"```\n{row['answer']}```\n" for row in found} | changed
        status, _, err = go(
            tool("lm_eval"),
            *["--model", "mmmath-replay", "--tasks", "mathopeval_sample_gen", "--limit", "40", "--log_samples"],
            *["--model_args", replay(tmp_path, responses), "--confirm_run_unsafe_code"],
            *["--output_path", tmp_path / name],
        )
        assert status == 0, err
        tables.append(written(tmp_path / name, "scorecard_")[0])
        lines = next((tmp_path / name).rglob("samples_*.jsonl")).read_text().splitlines()
        scores.append({row["doc"]["id"]: row["execution"]["scores"]["execution"] for row in map(json.loads, lines)})
    assert len(scores[0]) == 40
    assert {name: score for name, score in scores[1].items() if score != scores[0][name]} == {hostile: 0}
    causes = {name: count - tables[0]["counts"].get(name, 0) for name, count in tables[1]["counts"].items()}
    assert {name: more for name, more in causes.items() if more} == {"forged": 1}


@pytest.mark.slow
@pytest.mark.parametrize("start", [("lm_eval",), ("mmmath", "lm-eval")], ids=" ".join)
def test_bad_input_is_one_message(tmp_path, start):
    folder = mathvista_folder.write(tmp_path / "data", count=3)
    (folder / "images" / "2.png").write_bytes(b"not a picture")
    status, _, err = go(
        tool(start[0]),
        *start[1:],
        *["--model", "mmmath-random-chance", "--tasks", "mathvista_testmini", "--metadata"],
        f"data_dir={folder}",
    )
    assert status == 2
    assert (
        err.rstrip().splitlines()[-1].endswith("problem 2: picture 2.png: not a picture in a format that Pillow reads")
    )
    assert "Traceback" not in err
