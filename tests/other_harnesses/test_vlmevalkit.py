"""Our tasks in the real VLMEvalKit, which needs an environment of its own (.ci/harnesses makes it)."""

import base64
import json
import os
import subprocess
import sys

import pytest
from answered import responses, verdicts
from scripted_server import serving

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.task_files import task, tasks
from mmmath_tasks.outputs.run import score_file

pytest.importorskip("vlmeval", reason="VLMEvalKit is not installed here; .ci/harnesses tests it")
pytestmark = pytest.mark.filterwarnings("default")  # what VLMEvalKit's own imports warn of is not ours to mend

SAMPLES = [
    name
    for name, metadata in tasks().items()
    if metadata["split"] == "sample" and not metadata["filtered"] and not metadata["unsafe_code"]
]


def docs(name):
    return list(documents(**task(name)))


def problems(name):
    return [mm.benchmark(task(name)["benchmark"]).problem(doc) for doc in docs(name)]


def vlmeval(folder, *arguments, **variables):
    """Run the command a user types, in a folder of its own."""
    lmu = folder / "lmu"
    lmu.mkdir(exist_ok=True)
    environment = {**os.environ, "LMUData": str(lmu), **variables}
    command = [sys.executable, "-m", "mmmath_tasks", "vlmeval", "--", *arguments, "--work-dir", str(folder / "out")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def test_names():
    from mmmath_tasks.harnesses.vlmevalkit import names

    known = names()
    wanted = {
        "mmmath_mathvista_testmini",
        "mmmath_mathvision_testmini",
        "mmmath_wemath_testmini",
        "mmmath_wemath_testmini_kca",
    }
    assert wanted | {f"mmmath_{name}" for name in SAMPLES} <= set(known)
    assert not [n for n in known if any(word in n for word in ("MathVista", "MathVision", "MathVerse", "WeMath"))]
    assert not [n for n in known if "_gen_" in n or "_maj" in n or "_judge" in n]


def test_registering_twice_changes_nothing():
    from mmmath_tasks.harnesses.vlmevalkit import register

    first = register()
    import vlmeval.dataset

    before = len(vlmeval.dataset.DATASET_CLASSES), len(vlmeval.dataset.SUPPORTED_DATASETS)
    assert register() is first
    assert (len(vlmeval.dataset.DATASET_CLASSES), len(vlmeval.dataset.SUPPORTED_DATASETS)) == before
    assert vlmeval.dataset.DATASET_TYPE("mmmath_mathvista_sample") == "mmmath"
    assert vlmeval.dataset.DATASET_MODALITY("mmmath_mathvista_sample") == "IMAGE"


@pytest.mark.parametrize("form", ["tsv", "xlsx"])
@pytest.mark.parametrize("name", SAMPLES)
def test_prompts_pictures_and_verdicts_are_those_of_the_python_face(tmp_path, name, form):
    asked_for = problems(name)
    answered = responses(asked_for)
    if form == "xlsx":  # its cells hold no more
        answered = {key: text[:32_000] for key, text in answered.items()}
    prompts = {doc["prompt"]: answered[doc["id"]] for doc in docs(name)}
    answered = {doc["id"]: prompts[doc["prompt"]] for doc in docs(name)}  # two rows may share a prompt
    data = ["--data", f"mmmath_{name}", "--model", "scripted"]
    with serving(prompts) as (url, asked):
        said = vlmeval(tmp_path, *data, "--base-url", url, PRED_FORMAT=form)
    assert '"overall"' in said
    sent = {"".join(p["text"] for p in parts if p["type"] == "text") for parts in asked}
    assert sent == set(prompts)
    pictures = {
        base64.b64decode(p["image_url"]["url"].partition(",")[2])
        for parts in asked
        for p in parts
        if p["type"] == "image_url"
    }
    assert len(pictures) == len({picture.encoded() for doc in docs(name) for picture in doc["pictures"]})

    known = mm.benchmark(task(name)["benchmark"])
    wanted = verdicts(known.name, asked_for, answered)
    samples = next((tmp_path / "out").rglob("*_samples.jsonl"))
    found = [json.loads(line)["verdict"] for line in samples.read_text().splitlines()]
    assert found == [v.to_dict() for v in wanted]
    card = mm.Scorecard.from_json(next((tmp_path / "out").rglob("*_scorecard.json")).read_text())
    assert [s.to_dict() for s in card.scores] == [s.to_dict() for s in known.summarise(asked_for, wanted).scores]
    assert card.provenance["task"] == name

    # the saved table alone: VLMEvalKit's own evaluation, and rescore
    table = next(p for p in (tmp_path / "out").rglob(f"*_mmmath_{name}.{form}"))
    samples.unlink()
    vlmeval(tmp_path, *data, "--mode", "eval", PRED_FORMAT=form)
    assert [json.loads(line)["verdict"] for line in samples.read_text().splitlines()] == found
    assert [v.to_dict() for v in score_file(table, name=known.name, problems=asked_for).verdicts] == found


def test_the_same_through_a_clone_s_run_py(tmp_path):
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "run.py").write_text("from vlmeval.run import main\n\nif __name__ == '__main__':\n    main()\n")
    name = "mathvista_sample"
    prompts = {doc["prompt"]: "The answer is A." for doc in docs(name)}
    lmu = tmp_path / "lmu"
    lmu.mkdir()
    with serving(prompts) as (url, asked):
        command = [sys.executable, "-m", "mmmath_tasks", "vlmeval", "--run-py", str(clone / "run.py"), "--"]
        options = ["--data", f"mmmath_{name}", "--model", "scripted", "--base-url", url, "--limit", "3"]
        environment = {**os.environ, "LMUData": str(lmu)}
        done = subprocess.run(
            [*command, *options], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(asked) == 3
    card = mm.Scorecard.from_json(next(tmp_path.rglob("*_scorecard.json")).read_text())
    assert card.get("acc").count == 3


def test_a_missing_run_py_is_one_message(tmp_path):
    command = [
        sys.executable,
        "-m",
        "mmmath_tasks",
        "vlmeval",
        "--run-py",
        str(tmp_path / "run.py"),
        "--",
        "--data",
        "x",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such file; expected run.py of a clone of VLMEvalKit" in done.stderr


def test_tls_verification_is_on_after_our_import(tmp_path):
    import ssl
    import threading
    import urllib.error
    import urllib.request
    from http.server import HTTPServer, SimpleHTTPRequestHandler

    from mmmath_tasks.harnesses.vlmevalkit import register

    register()
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    pem = tmp_path / "self.pem"
    subprocess.run([*make, "-keyout", str(pem), "-out", str(tmp_path / "cert.pem")], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", pem)
    server = HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"https://127.0.0.1:{server.server_port}/", timeout=10)
    finally:
        server.shutdown()
        server.server_close()


def test_an_exported_table_in_a_stock_vlmevalkit_and_back(tmp_path):
    name = "mathvista_sample"
    lmu = tmp_path / "lmu"
    export = [sys.executable, "-m", "mmmath_tasks", "vlmeval", "export", name, "--out", str(lmu)]
    subprocess.run(export, check=True, capture_output=True)
    asked_for = problems(name)
    answered = responses(asked_for)
    prompts = {doc["prompt"]: answered[doc["id"]] for doc in docs(name)}
    with serving(prompts) as (url, asked):
        stock = [sys.executable, "-m", "vlmeval.run", "--data", f"mmmath_{name}_export", "--model", "scripted"]
        command = [*stock, "--base-url", url, "--mode", "infer", "--work-dir", str(tmp_path / "out")]
        environment = {**os.environ, "LMUData": str(lmu), "PRED_FORMAT": "tsv"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert {p["text"] for parts in asked for p in parts if p["type"] == "text"} == set(prompts)
    table = next((tmp_path / "out").rglob(f"*_mmmath_{name}_export.tsv"))
    found = score_file(table, name="mathvista", problems=asked_for)
    assert list(found.verdicts) == verdicts("mathvista", asked_for, answered)
