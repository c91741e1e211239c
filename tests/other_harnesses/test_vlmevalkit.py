"""Our tasks in the real VLMEvalKit, which needs an environment of its own (.ci/harnesses makes it)."""

import json
import os
import ssl
import subprocess
import sys
import threading
from collections import Counter
from http.server import HTTPServer, SimpleHTTPRequestHandler
from types import SimpleNamespace

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.task_files import prefixed, task, tasks
from mmmath_tasks.outputs.run import score_file
from support.answered import responses, verdicts
from support.other_harnesses_run import vlmeval
from support.scripted_server import serving

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


def test_names():
    known = prefixed()
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


@pytest.fixture(scope="module", params=["tsv", "xlsx"])
def ran(request, tmp_path_factory):
    """Sample tasks asked and scored by one command, and all that came of it; xlsx, the lesser format, for one task."""
    form, names = request.param, SAMPLES if request.param == "tsv" else ["mathvista_sample"]
    prompts = {}
    for name in names:
        given = responses(problems(name))
        # a workbook's cells hold no more
        prompts |= {doc["prompt"]: given[doc["id"]][: 32_000 if form == "xlsx" else None] for doc in docs(name)}
    # rows may share a prompt, which then has one answer
    answered = {name: {doc["id"]: prompts[doc["prompt"]] for doc in docs(name)} for name in names}
    folder = tmp_path_factory.mktemp(form)
    arguments = ["--data", *(f"mmmath_{name}" for name in names), "--model", "scripted"]
    with serving(prompts) as (url, asked):
        said = vlmeval(folder, *arguments, "--base-url", url, PRED_FORMAT=form)
    return SimpleNamespace(**locals())


def verdicts_of(path):
    return [json.loads(line)["verdict"] for line in path.read_text().splitlines()]


def test_a_model_is_asked_just_what_lm_eval_asks(ran):
    assert {prompt_of(parts) for parts in ran.asked} == set(ran.prompts)
    # VLMEvalKit encodes pictures anew and pads narrow ones: what can be compared is how many go with which prompt
    sent = Counter((prompt_of(parts), sum(p["type"] == "image_url" for p in parts)) for parts in ran.asked)
    assert sent == Counter((doc["prompt"], len(doc["pictures"])) for name in ran.names for doc in docs(name))


def prompt_of(parts):
    return "".join(part["text"] for part in parts if part["type"] == "text")


def test_verdicts_and_scorecard_are_those_of_the_python_face(ran):
    assert ran.said.count('"overall"') == len(ran.names)
    for name in ran.names:
        known = mm.benchmark(task(name)["benchmark"])
        wanted = verdicts(known.name, problems(name), ran.answered[name])
        samples = next((ran.folder / "out").rglob(f"*_mmmath_{name}_samples.jsonl"))
        assert verdicts_of(samples) == [v.to_dict() for v in wanted]
        card = mm.Scorecard.from_json(
            samples.with_name(samples.name.replace("_samples.jsonl", "_scorecard.json")).read_text()
        )
        assert [s.to_dict() for s in card.scores] == [
            s.to_dict() for s in known.summarise(problems(name), wanted).scores
        ]
        assert card.provenance["task"] == name


def test_a_saved_table_alone_is_scored_alike(ran):
    samples = list((ran.folder / "out").rglob("*_samples.jsonl"))
    before = {path: verdicts_of(path) for path in samples}
    for path in samples:
        path.unlink()
    vlmeval(ran.folder, *ran.arguments, "--mode", "eval", PRED_FORMAT=ran.form)
    assert {path: verdicts_of(path) for path in samples} == before
    for name in ran.names:
        table = next((ran.folder / "out").rglob(f"*_mmmath_{name}.{ran.form}"))
        found = score_file(table, name=task(name)["benchmark"], problems=problems(name)).verdicts
        assert [v.to_dict() for v in found] == before[table.with_name(f"{table.stem}_samples.jsonl")]


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


GET = """
import ssl, urllib.request, sys
from mmmath_tasks.harnesses.vlmevalkit import register
register()
assert "vlmeval" in sys.modules
try:
    urllib.request.urlopen(sys.argv[1], timeout=300)
except urllib.error.URLError as error:
    print(error)
"""


def test_tls_verification_is_on_after_our_import(tmp_path):
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
        url = f"https://127.0.0.1:{server.server_port}/"
        done = subprocess.run([sys.executable, "-c", GET, url], capture_output=True, text=True, check=True)
    finally:
        server.shutdown()
        server.server_close()
    assert "CERTIFICATE_VERIFY_FAILED" in done.stdout


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
