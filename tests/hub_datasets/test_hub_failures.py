"""What the Hub can do to whoever reads it: each failure at each step, in each command, by the real clients."""

import json
import re
import shutil
from functools import partial

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.hub_datasets.publishing import retry
from mmmath_tasks.hub_datasets.publishing.build import build
from support import upstream_folders
from support.hub_server import Fault
from support.upstream_folders import content
from support.whole_run import written

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's own way to upload
DATA, MODEL = "MathLLMs/MathVision", "org/model"

# Where it strikes: the look at the branch, a file's address, the other host that stores large files.
STEPS = {"commit": r"/api/(models|datasets)/[^/]+/[^/]+/revision/", "resolve": "/resolve/", "storage": "/cdn/|/lfs/"}
DOWN = ("build", "diff", "check", "load")
NEVER = r"the Hub refused: "
GIVEN_UP = r"given up after \d tries: "


def strike(step, status, code=None, said=None, **headers):
    named = {"X-Error-Code": code, "X-Error-Message": said, **headers}
    sent = {name.replace("_", "-"): value for name, value in named.items() if value}
    return lambda hub, monkeypatch: hub.faults.append(Fault("", STEPS[step], status, times=-1, headers=sent))


def reset(step, **how):
    return lambda hub, monkeypatch: hub.faults.append(Fault("", STEPS[step], None, times=-1, **how))


def whose(hub, monkeypatch, *, token, **state):
    monkeypatch.setenv("HF_TOKEN", token)
    for repo in hub.store.repos.values():
        for name, value in state.items():
            setattr(repo, name, value)


# Failure to what brings it about, and what every command that meets it says.
FAILURES = {
    "private, another's token": (
        partial(whose, token="hf_test_other", private=True),  # noqa: S106
        NEVER + "no such repo, or a private one .*HF_TOKEN",
    ),
    "gated, not admitted": (
        partial(whose, token="hf_test_other", gated=True),  # noqa: S106
        NEVER + "a gated repo: ask for access .*/resolve/.*: 403",
    ),
    "a token that is none": (partial(whose, token="hf_wrong"), NEVER + r"the token is not valid .*: 401"),  # noqa: S106
    "no repo (401)": (strike("commit", 401, "RepoNotFound"), NEVER + "no such repo"),
    "no revision": (strike("commit", 404, "RevisionNotFound"), "no such branch, tag or commit"),
    "no file": (strike("resolve", 404, "EntryNotFound"), NEVER + "no such file"),
    "forbidden at commit": (strike("commit", 403, said="blocked"), NEVER + "not allowed, blocked: .*: 403"),
    "forbidden at resolve": (strike("resolve", 403), NEVER + "not allowed: .*: 403"),
    "an address that expired": (strike("storage", 403), NEVER + "not allowed: .* or the address has expired"),
    "too many requests at commit": (strike("commit", 429, Retry_After="60"), GIVEN_UP + "too many requests"),
    "too many requests at resolve": (strike("resolve", 429, Retry_After="60"), GIVEN_UP + "too many requests"),
    "server error at commit": (strike("commit", 503), GIVEN_UP + "the server fails .*: 503"),
    "server error at resolve": (strike("resolve", 500), GIVEN_UP + "the server fails .*: 500"),
    "server error at storage": (strike("storage", 502), GIVEN_UP + "the server fails .*: 502"),
    "reset at commit": (reset("commit"), GIVEN_UP + ".*reset by peer"),
    "reset at resolve": (reset("resolve"), GIVEN_UP + ".*reset by peer"),
    "reset at storage": (reset("storage"), GIVEN_UP + ".*(reset by peer|disconnected)"),
    "cut in the middle": (reset("storage", cut=20), GIVEN_UP + ".*(reset by peer|peer closed)"),
}
UNMET = {
    # A model card is no large file.
    ("card", "an address that expired"),
    ("card", "server error at storage"),
    ("card", "reset at storage"),
    ("card", "cut in the middle"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    source = upstream_folders.mathvision(folder / "source", 6)
    build("mathvision", str(source), folder / "first", splits=["test"])
    upstream_folders.mathvision(source, 7)
    build("mathvision", str(source), folder / "second", splits=["test"])
    return folder


@pytest.fixture
def waits(hub, made, tmp_path, monkeypatch):
    """A data set and a model on the Hub, the clients of this process turned to it, and the waits that nobody waits."""
    import datasets.config
    import huggingface_hub.constants

    hub.store.put("dataset", DATA, content(made / "first"))
    hub.store.put("model", MODEL, {"README.md": b"---\nlicense: mit\n---\nMine.\n"})
    found = []
    monkeypatch.setattr(retry.time, "sleep", found.append)  # the module's: also the clients'
    monkeypatch.setenv("HF_TOKEN", hub.token)
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", hub.url)
    template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets.config, "HF_ENDPOINT", hub.url)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    return found


@pytest.fixture
def work(made, tmp_path):
    """What was computed before: an earlier build, responses, a scorecard."""
    folder = tmp_path / "work"
    shutil.copytree(made / "second", folder / "out")
    lines = [json.dumps({"id": str(n), "response": "5"}) for n in range(1, 7)]
    (folder / "responses.jsonl").write_text("\n".join(lines))
    written(folder)
    return folder


def words(command, work, made):
    return {
        "build": ("hub", "build", "mathvision", "--splits", "test", "--out", work / "out"),
        "diff": ("hub", "diff", made / "second", f"hf://datasets/{DATA}"),
        "check": ("hub", "check", f"hf://datasets/{DATA}"),
        "publish": ("hub", "publish", made / "second", "--repo", DATA),
        "load": ("rescore", work / "responses.jsonl", "--benchmark", "mathvision", "--split", "test"),
        "card": ("card", *work.glob("scorecard_*"), "--model", MODEL, "--pr"),
    }[command]


def heads(hub):
    return {name: repo.refs["refs/heads/main"] for name, repo in hub.store.repos.items()}


@pytest.mark.parametrize("command", [*DOWN, "publish", "card"])
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_one_message_and_nothing_is_lost(capfd, hub, waits, work, made, monkeypatch, command, name):
    happen, expected = FAILURES[name]
    before = content(work), heads(hub), content(made)
    happen(hub, monkeypatch)
    status = main([*map(str, words(command, work, made))])
    said = capfd.readouterr().err
    assert "Traceback" not in said
    if (command, name) in UNMET:
        assert status == 0
        return
    assert status == 2
    messages = [line for line in said.splitlines() if line.startswith("mmmath: ")]
    assert len(messages) == 1
    assert said.endswith(messages[0] + "\n")
    assert re.search(expected, messages[0])
    assert (content(work), heads(hub), content(made)) == before


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("status", [429, 503, None])
@pytest.mark.parametrize("command", ["build", "diff", "load", "publish", "card"])
def test_what_passes_is_waited_for(capfd, hub, waits, work, made, command, status, step):
    hub.faults.append(Fault("", STEPS[step], status, times=2, headers={"Retry-After": "7"} if status == 429 else {}))
    assert main([*map(str, words(command, work, made))]) == (1 if command == "diff" else 0)
    met = hub.faults[0].times == 0
    assert met == ((command, step) != ("card", "storage"))
    assert bool(waits) == met
    if met and status == 429:
        assert max(waits) >= 7
