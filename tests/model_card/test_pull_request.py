"""Pull requests by the real huggingface_hub client against a double of the Hub."""

import subprocess
import sys
from functools import partial

import huggingface_hub
import pytest
import yaml
from huggingface_hub import ModelCard

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import retry
from mmmath_tasks.model_card.repo import held_on_hub, propose, retried
from support.hub_server import Fault
from support.whole_run import written

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the Hub client's own way to upload

MODEL = "someone/model"
CARD = "---\nlicense: mit\n---\n\n# Model\n\nWords.\n"
HELD = """- dataset:
    id: AI4Math/MathVista
    task_id: mathvista_testmini
  value: 12.3
"""


@pytest.fixture
def card(hub, tmp_path, monkeypatch, capsys):
    """The command for a model on the Hub: arguments in; exit status, output and errors out."""
    monkeypatch.setattr(huggingface_hub, "HfApi", partial(huggingface_hub.HfApi, endpoint=hub.url, token=hub.token))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(retry.time, "sleep", lambda seconds: None)

    def run(*arguments):
        status = main(["card", *map(str, arguments), "--model", MODEL])
        return status, *capsys.readouterr()

    return run


def repo(server, files):
    api = server.api()
    api.create_repo(MODEL)
    for path, text in files.items():
        api.upload_file(path_or_fileobj=text.encode(), path_in_repo=path, repo_id=MODEL)
    return api


def heads(server):
    found = server.store.repo("model", MODEL)
    return {name: found.refs[name] for name in found.refs if name.startswith("refs/heads/")}


def read(server, path, revision="main"):
    return server.store.read("model", MODEL, path, revision).decode()


def test_an_empty_card(card, hub, tmp_path):
    repo(hub, {})
    before = heads(hub)
    status, out, error = card(written(tmp_path), "--pr")
    assert status == 0, error
    assert f"/{MODEL}/discussions/1" in out
    assert "+++ b/.eval_results/mathvista.yaml" in out
    assert heads(hub) == before  # main is untouched
    (entry,) = yaml.safe_load(read(hub, ".eval_results/mathvista.yaml", "refs/pr/1"))
    assert entry["value"] == 67.9
    assert ModelCard(read(hub, "README.md", "refs/pr/1")).data.eval_results[0].metric_value == 67.9
    (discussion,) = (found := hub.store.repo("model", MODEL)).discussions
    made = found.resolve("refs/pr/1")
    assert discussion.title == made.title == "Add results of mathvista_testmini"
    assert made.description == f"- mathvista: {entry['notes']}"
    assert before == {"refs/heads/main": made.parent}
    assert hub.count("POST", "/commit/") == 1


@pytest.mark.slow
def test_in_a_process_of_its_own(hub, tmp_path):
    repo(hub, {})
    command = [sys.executable, "-m", "mmmath_tasks", "card", str(written(tmp_path)), "--model", MODEL, "--pr"]
    done = subprocess.run(command, env=hub.environment(tmp_path / "home"), capture_output=True, text=True, timeout=600)
    assert (done.returncode, opened(hub)) == (0, [1]), done.stderr


def test_results_that_main_has_by_now_are_not_proposed(hub):
    """Between the look at main and the proposal, somebody else merged them."""
    api = repo(hub, {"README.md": CARD, ".eval_results/a.yml": HELD, ".eval_results/b.txt": "", "c.yaml": ""})
    asked = []
    assert propose(api, MODEL, lambda held: asked.append(held) or {}, "title", "text") == ("", False)
    assert [held.files for held in asked] == [{"README.md": CARD, ".eval_results/a.yml": HELD}]
    assert opened(hub) == []


def test_a_card_with_results(card, hub, tmp_path):
    other = HELD.replace("AI4Math/MathVista", "cais/hle").replace("mathvista_testmini", "default")
    repo(hub, {"README.md": CARD, ".eval_results/hle.yaml": other})
    path = written(tmp_path)
    status, out, error = card(path, "--pr")
    assert status == 0, error
    assert "hle.yaml" not in out
    assert read(hub, ".eval_results/hle.yaml", "refs/pr/1") == other
    text = read(hub, "README.md", "refs/pr/1")
    assert text.startswith("---\nlicense: mit\n")
    assert text.endswith("\n# Model\n\nWords.\n")
    hub.api().merge_pull_request(MODEL, 1)
    status, out, _ = card(path, "--pr")
    assert (status, "has these results already" in out) == (0, True)
    assert len(hub.store.repo("model", MODEL).discussions) == 1


def test_a_conflicting_card(card, hub, tmp_path):
    repo(hub, {"README.md": CARD, ".eval_results/old.yaml": HELD})
    path = written(tmp_path)
    status, out, error = card(path, "--pr")
    assert status == 2
    assert "AI4Math/MathVista, mathvista_testmini is 12.3 there, 67.9 here" in error
    assert "-  value: 12.3" in out
    assert hub.store.repo("model", MODEL).discussions == []
    status, out, error = card(path, "--pr", "--force", "conflict")
    assert status == 0, error
    (entry,) = yaml.safe_load(read(hub, ".eval_results/old.yaml", "refs/pr/1"))
    assert entry["value"] == 67.9


def test_without_pr_the_change_is_only_shown(card, hub, tmp_path):
    repo(hub, {"README.md": CARD})
    status, out, _ = card(written(tmp_path))
    assert status == 0
    assert "+- dataset:" in out
    assert "nothing written" in out
    assert hub.store.repo("model", MODEL).discussions == []


def test_the_data_sets_own_tasks_are_looked_at(card, hub, tmp_path):
    api = repo(hub, {})
    api.create_repo("AI4Math/MathVista", repo_type="dataset")
    path = written(tmp_path)
    _, _, error = card(path)
    assert "has no eval.yaml" in error
    tasks = yaml.safe_dump({"name": "MathVista", "tasks": [{"id": "other", "config": "default", "split": "testmini"}]})
    api.upload_file(
        path_or_fileobj=tasks.encode(), path_in_repo="eval.yaml", repo_id="AI4Math/MathVista", repo_type="dataset"
    )
    _, _, error = card(path)
    assert "has no task 'mathvista_testmini'; it has other" in error


def test_what_the_hub_refuses_is_one_message(card, hub, tmp_path):
    path = written(tmp_path)
    status, _, error = card(path, "--pr")
    assert status == 2
    assert error.startswith(f"mmmath: {MODEL}: the Hub refused: no such repo")
    repo(hub, {})
    hub.faults.append(Fault("POST", "/commit/", 403, times=-1))
    status, _, error = card(path, "--pr")
    assert status == 2
    assert error.splitlines()[-1].startswith(f"mmmath: {MODEL}: ")
    assert "Traceback" not in error
    assert hub.store.repo("model", MODEL).discussions == []


def opened(server):
    return [found.num for found in server.store.repo("model", MODEL).discussions if found.status == "open"]


def test_a_second_time_finds_the_first_pull_request(card, hub, tmp_path):
    repo(hub, {"README.md": CARD})
    path = written(tmp_path)
    assert card(path, "--pr")[0] == 0
    status, out, error = card(path, "--pr")
    assert status == 0, error
    assert f"proposed already: {hub.url}/{MODEL}/discussions/1" in out
    assert opened(hub) == [1]
    # It is the same where main moved on meanwhile, and another where the result is another.
    hub.api().upload_file(path_or_fileobj=b"more", path_in_repo="more.txt", repo_id=MODEL)
    hub.api().upload_file(path_or_fileobj=f"{CARD}More.\n".encode(), path_in_repo="README.md", repo_id=MODEL)
    status, out, error = card(path, "--pr")
    assert (status, "proposed already: " in out) == (0, True), error
    other = written(tmp_path, "scorecard_other.json", value=0.7)
    status, out, error = card(other, "--pr")
    assert (status, "/discussions/2" in out) == (0, True), error
    hub.api().change_discussion_status(MODEL, 1, "closed")
    status, out, error = card(path, "--pr")
    assert (status, "/discussions/3" in out) == (0, True), error


def test_a_pull_request_of_somebody_else_is_not_ours(card, hub, tmp_path):
    repo(hub, {"README.md": CARD})
    path = written(tmp_path)
    assert card(path, "--pr")[0] == 0
    hub.store.repo("model", MODEL).discussions[0].author = "other"
    status, out, error = card(path, "--pr")
    assert (status, "/discussions/2" in out) == (0, True), error


@pytest.mark.parametrize(("method", "part"), [("POST", "/commit/"), ("GET", "/api/models/"), ("GET", "/discussions")])
def test_a_busy_hub_is_asked_again(method, part, card, hub, tmp_path):
    repo(hub, {"README.md": CARD})
    hub.faults.append(Fault(method, part, 503, times=1))
    status, out, error = card(written(tmp_path), "--pr")
    assert status == 0, error
    assert "/discussions/1" in out
    assert "try 2 of 5" in error
    assert opened(hub) == [1]


@pytest.mark.filterwarnings("ignore:Warnings while validating metadata:UserWarning")  # the client, of an empty one
def test_an_empty_readme_is_filled(card, hub, tmp_path):
    repo(hub, {"README.md": ""})
    status, _, error = card(written(tmp_path), "--pr")
    assert status == 0, error
    assert ModelCard(read(hub, "README.md", "refs/pr/1")).data.eval_results[0].metric_value == 67.9


def test_a_file_that_cannot_be_had_is_one_message(hub, tmp_path, monkeypatch):
    repo(hub, {".eval_results/old.yaml": HELD})
    monkeypatch.setattr(retry.time, "sleep", lambda seconds: None)
    hub.faults.append(Fault("HEAD", "/resolve/", 404, times=-1))
    said = []
    with pytest.raises(InputError, match="someone/model: "):
        retried(lambda: held_on_hub(hub.api(), MODEL), MODEL, retry.Retry(tries=2, wait=0.001, say=said.append))
    assert said == []


def test_a_lost_answer_opens_no_second_pull_request(card, hub, tmp_path):
    repo(hub, {"README.md": CARD})
    hub.faults.append(Fault("POST", "/commit/", 503, after=True))
    status, out, error = card(written(tmp_path), "--pr")
    assert (status, "/discussions/1" in out) == (0, True), error
    assert opened(hub) == [1]
