"""Publishing with the real client to the double of the Hub, with everything going wrong that can."""

import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from email.utils import formatdate
from time import time

import pytest
from huggingface_hub import CommitOperationAdd, HfApi

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest, retry
from mmmath_tasks.hub_datasets.publishing import publish as publishing
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.publish import Changes, Published, publish
from support import upstream_folders
from support.hub_server import Fault
from support.upstream_folders import content

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's own way to upload
REPO = "org/mathvision"
MINE = b"---\nlicense: mit\n---\nMine.\n"


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    from huggingface_hub.utils import _http

    monkeypatch.setattr(_http.time, "sleep", lambda seconds: None)


def made(folder, count=6, **options):
    source = upstream_folders.mathvision(folder / "source", count)
    build("mathvision", str(source), folder / "out", splits=["test"], **options)
    return folder / "out"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return made(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return made(tmp_path_factory.mktemp("large"), 400, shard_bytes=20_000)


def push(hub, folder, **options):
    return publish(folder, REPO, api=hub.api(), wait=0.001, **options)


def held(hub, repo=REPO, revision="main"):
    """Return every file of the repo but the one that the Hub itself puts there."""
    paths = hub.store.repo("dataset", repo).files(revision) - {".gitattributes"}
    return {path: hub.store.read("dataset", repo, path, revision) for path in paths}


def commits(hub):
    return len(hub.store.repo("dataset", REPO).commits) - 1  # but the first, which the Hub makes


def test_one_commit_holds_exactly_the_build_and_the_tag_names_it(hub, large):
    done = push(hub, large)
    assert held(hub) == content(large)
    assert commits(hub) == 1
    assert hub.store.repo("dataset", REPO).refs[f"refs/tags/{done.tag}"] == done.commit
    assert set(done.changes.add) == set(content(large))


def test_a_second_run_does_nothing(hub, small):
    first = push(hub, small)
    before = len(hub.requests)
    second = push(hub, small)
    assert second == Published(first.commit, Changes(), first.tag)
    written = {(m, p) for m, p in hub.requests[before:] if m != "GET" and m != "HEAD" and "/repos/create" not in p}
    assert written == set()


def test_a_dry_run_tells_and_writes_nothing(hub, small):
    done = push(hub, small, dry_run=True)
    assert set(done.changes.add) == set(content(small))
    assert hub.store.repos == {}
    assert hub.count("POST", "") == 0


def test_a_newer_build_replaces_what_is_ours_and_leaves_the_rest(hub, small, large):
    push(hub, large)
    hub.api().create_commit(REPO, [CommitOperationAdd("notes.md", b"mine")], commit_message="x", repo_type="dataset")
    done = push(hub, small)
    assert held(hub) == content(small) | {"notes.md": b"mine"}
    assert len(done.changes.remove) == len(list((large / "data" / "mathvision").iterdir()))


@pytest.mark.parametrize("path", ["README.md", "data/mathvision/test-00000-of-00001.parquet"])
def test_a_file_of_somebody_else_is_not_overwritten_unless_told(hub, small, path):
    api = hub.api()
    api.create_repo(REPO, repo_type="dataset")
    api.create_commit(REPO, [CommitOperationAdd(path, MINE)], commit_message="x", repo_type="dataset")
    with pytest.raises(InputError, match=f"{path}: written or edited by somebody else"):
        push(hub, small)
    assert held(hub) == {path: MINE}
    push(hub, small, overwrite=True)
    assert held(hub) == content(small)


def test_an_edit_made_on_the_hub_is_not_overwritten_or_removed(hub, small, large):
    push(hub, large)
    shard = "data/mathvision/test-00001-of-"
    path = next(p for p in content(large) if p.startswith(shard))
    edits = [CommitOperationAdd("eval.yaml", b"better"), CommitOperationAdd(path, b"edited")]
    hub.api().create_commit(REPO, edits, commit_message="x", repo_type="dataset")
    with pytest.raises(InputError, match=r"eval\.yaml: written or edited by somebody else"):
        push(hub, small)
    push(hub, small, overwrite=True)
    assert held(hub) == content(small) | {path: b"edited"}


def test_a_repo_that_holds_another_benchmark_is_left_alone_unless_told(hub, small, tmp_path):
    build("mathverse", str(upstream_folders.mathverse(tmp_path / "source")), tmp_path / "verse")
    push(hub, tmp_path / "verse")
    with pytest.raises(InputError, match="holds a build of mathverse, this is one of mathvision; --overwrite"):
        push(hub, small)
    assert held(hub) == content(tmp_path / "verse")
    push(hub, small, overwrite=True)
    assert held(hub) == content(small)


ANSWERS = [408, 409, 412, 429, 500, 502, 503, 504]
STEPS = ["/repos/create", "/validate-yaml", "/preupload/", "/objects/batch", "/lfs/upload/", "/lfs/verify", "/commit/"]


@pytest.mark.parametrize("status", [*ANSWERS, None])
@pytest.mark.parametrize("after", [False, True])
def test_a_commit_that_fails_is_tried_again(hub, small, status, after):
    hub.faults.append(Fault("POST", "/commit/", status, times=2, after=after))
    done = push(hub, small)
    assert held(hub) == content(small)
    assert commits(hub) == 1
    assert done.tries in (1, 2)


@pytest.mark.parametrize("step", [*STEPS, "/tag/"])
@pytest.mark.parametrize("status", [429, 500, 503, None])
def test_any_step_that_fails_once_is_tried_again(hub, small, step, status):
    hub.faults.append(Fault("", step, status))
    done = push(hub, small)
    assert held(hub) == content(small)
    assert (commits(hub), bool(done.tag)) == (1, True)
    assert hub.faults[0].times == 0


@pytest.mark.parametrize("path", ["/api/datasets/org/mathvision", "/tree/", "/refs"])
def test_reading_is_tried_again(hub, small, path):
    push(hub, small)
    hub.faults.append(Fault("GET", path, 503, times=3))
    assert push(hub, small).changes == Changes()


def test_a_connection_that_drops_in_the_middle_of_an_upload(hub, large):
    hub.faults.append(Fault("PUT", "/lfs/", None, keep=500, times=3))
    push(hub, large)
    assert held(hub) == content(large)


@pytest.mark.parametrize("kind", ["seconds", "date"])
def test_the_time_to_wait_that_the_hub_names_is_kept(hub, small, monkeypatch, kind):
    waits = []
    asked = "70" if kind == "seconds" else formatdate(time() + 70, usegmt=True)
    monkeypatch.setattr(retry.time, "sleep", waits.append)
    hub.faults.append(Fault("POST", "/commit/", 429, headers={"Retry-After": asked}))
    push(hub, small)
    assert 40 < max(waits) <= 77


def test_a_fault_without_end_is_one_message_and_the_next_run_finishes(hub, large):
    hub.faults.append(Fault("POST", "/commit/", 503, times=-1))
    with pytest.raises(InputError, match=r"commit to org/mathvision: given up after 3 tries: .*503"):
        push(hub, large, tries=3)
    assert held(hub) == {}
    hub.faults.clear()
    before = hub.count("PUT", "/lfs/")
    push(hub, large)
    assert held(hub) == content(large)
    assert hub.count("PUT", "/lfs/") == before  # what had been uploaded is not uploaded again


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_is_not_tried_again(hub, small, status):
    hub.faults.append(Fault("POST", "/commit/", status, times=-1))
    with pytest.raises(InputError, match="commit to org/mathvision: the Hub refused"):
        push(hub, small)
    assert hub.count("POST", "/commit/") == 1


def test_a_repo_that_somebody_else_creates_at_this_moment_has_no_main_yet(hub, small):
    unborn = {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "Invalid rev id: main"}
    hub.faults.append(Fault("GET", "/revision/main", 404, headers=unborn, times=2))
    hub.api().create_repo(REPO, repo_type="dataset")
    push(hub, small)
    assert held(hub) == content(small)


def test_offline_is_said_at_once(hub, small, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr(retry.time, "sleep", lambda seconds: pytest.fail("waits for a network that is switched off"))
    with pytest.raises(InputError, match="offline mode is enabled"):
        push(hub, small)


def test_a_name_that_does_not_resolve_is_asked_for_twice(hub, small, monkeypatch):
    def unknown(*args, **kwargs):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    said = []
    with pytest.raises(InputError, match=r"given up after 2 tries: the Hub's name does not resolve: .*not known"):
        publish(small, REPO, api=HfApi("http://hub.invalid"), wait=0.001, say=said.append)
    assert len(said) == 1
    assert re.search(r"does not resolve: .*; try 2 of 2 in 0 s$", said[0])


def test_a_stranger_is_refused(hub, small):
    with pytest.raises(InputError, match="the Hub refused"):
        publish(small, REPO, api=hub.api(token=False), wait=0.001)
    assert hub.store.repos == {}


def together(hub, folders, **options):
    results = {}

    def run(place, folder):
        try:
            results[place] = push(hub, folder, **options)
        except InputError as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(folders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    return results


def test_publishers_of_one_build_all_end_well(hub, small):
    results = together(hub, [small] * 4)
    assert [type(result) for result in results.values()] == [Published] * 4
    assert held(hub) == content(small)
    assert commits(hub) == 1


def test_publishers_of_two_builds_leave_one_of_them_whole(hub, small, large):
    results = together(hub, [small, large])
    assert [type(result) for result in results.values()] == [Published] * 2
    assert held(hub) in (content(small), content(large))
    assert len({result.tag for result in results.values()}) == 2


def test_one_tag_of_two_builds_goes_to_one_of_them(hub, small, large):
    results = together(hub, [small, large], tag="v1")
    (refused,) = (result for result in results.values() if isinstance(result, InputError))
    (done,) = (result for result in results.values() if isinstance(result, Published))
    assert "the tag v1 exists and points at another build" in str(refused)
    assert hub.store.repo("dataset", REPO).refs["refs/tags/v1"] == done.commit


SCRIPT = """
import sys
from mmmath_tasks.cli import main
sys.exit(main(["hub", "publish", sys.argv[1], "--repo", sys.argv[2]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("effect", [True, False])
@pytest.mark.parametrize("step", ["/repos/create", "/objects/batch", "/lfs/upload/", "/commit/", "/tag/"])
def test_killed_at_any_step_the_next_run_finishes(hub, large, tmp_path, step, effect):
    reached, killed, answer = threading.Event(), threading.Event(), hub.server.answer

    def hold(request):
        if step not in request.path:
            return answer(request)
        found = answer(request) if effect else None
        reached.set()
        killed.wait(600)
        if found is None:
            raise ConnectionError("nobody is there any more")
        return found

    hub.server.answer = hold
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(large), REPO], env=hub.environment(tmp_path / "home"), stderr=subprocess.PIPE
    )
    try:
        assert reached.wait(300)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        killed.set()
        hub.server.answer = answer
    assert process.returncode == -signal.SIGKILL
    assert ("dataset", REPO) not in hub.store.repos or held(hub) in ({}, content(large))
    done = push(hub, large)
    assert held(hub) == content(large)
    assert hub.store.repo("dataset", REPO).refs[f"refs/tags/{done.tag}"] == done.commit
    assert commits(hub) == 1


def test_a_pull_request_proposes_the_build_once(hub, small):
    hub.faults.append(Fault("POST", "/commit/", None, after=True))
    first, second = push(hub, small, pr=True), push(hub, small, pr=True)
    assert first.pull_request == second.pull_request != ""
    assert held(hub) == {}
    assert held(hub, revision="refs/pr/1") == content(small)
    assert [d.status for d in hub.store.repo("dataset", REPO).discussions] == ["open"]
    hub.api().merge_pull_request(REPO, 1, repo_type="dataset")
    assert push(hub, small, pr=True).changes == Changes()


def test_the_pull_request_of_somebody_else_is_not_taken_for_ours(hub, small):
    title = push(hub, small, dry_run=True) and f"Publish mathvision {manifest.load(small).tag}"
    hub.api().create_repo(REPO, repo_type="dataset")
    theirs = hub.api(token="hf_test_other")  # noqa: S106
    theirs.create_commit(
        REPO, [CommitOperationAdd("evil.md", b"x")], commit_message=title, repo_type="dataset", create_pr=True
    )
    push(hub, small, pr=True)
    assert held(hub, revision="refs/pr/2") == content(small)
    assert held(hub, revision="refs/pr/1") == {"evil.md": b"x"}
    assert push(hub, small, pr=True, tag="v9").pull_request.endswith("/3")  # of ours, but of another name


@pytest.mark.parametrize("fault", [None, 3, 7])
def test_too_many_files_for_a_commit_arrive_at_once_all_the_same(hub, large, monkeypatch, fault):
    monkeypatch.setattr(publishing, "COMMIT_FILES", 3)
    seen = []
    answer = hub.server.answer

    def watch(request):
        found = answer(request)
        if "/commit/" in request.path:
            seen.append(len(held(hub)))
        return found

    hub.server.answer = watch
    if fault:
        hub.faults.append(Fault("POST", "/commit/|/merge", None, skip=fault - 3, after=True))
    done = push(hub, large)
    assert held(hub) == content(large)
    assert set(seen) == {0}  # main never held a part of it
    assert hub.store.repo("dataset", REPO).resolve("main").sha == done.commit
    assert push(hub, large).changes == Changes()


def test_a_tag_of_ones_own_stays_where_it_is(hub, small, large):
    push(hub, small, tag="v1")
    push(hub, small, tag="v1")
    with pytest.raises(InputError, match="the tag v1 exists and points at another build"):
        push(hub, large, tag="v1")


@pytest.mark.parametrize("harm", ["changed", "lost", "added"])
def test_a_folder_that_is_not_as_it_was_built_is_not_published(hub, tmp_path, harm):
    folder = made(tmp_path)
    if harm == "changed":
        (folder / "README.md").write_text("hello")
    elif harm == "lost":
        (folder / "eval.yaml").unlink()
    else:
        (folder / "secret.txt").write_text("token")
    with pytest.raises(InputError, match=r"changed since it was built|not as it was built"):
        push(hub, folder)
    assert hub.requests == []


def test_private_is_for_new_repos(hub, small):
    push(hub, small, private=True)
    assert hub.store.repo("dataset", REPO).private


@pytest.mark.parametrize("path", ["README.md", "eval.yaml", "data/mathvision/test-00000-of-00001.parquet"])
def test_an_edit_of_the_same_size_is_seen_on_either_side(hub, small, tmp_path, path):
    push(hub, small)
    edited = content(small)[path].swapcase()
    assert edited != content(small)[path]
    folder = shutil.copytree(small, tmp_path / "copy")
    (folder / path).write_bytes(edited)
    with pytest.raises(InputError, match=r"changed since it was built"):
        push(hub, folder)
    hub.api().create_commit(REPO, [CommitOperationAdd(path, edited)], commit_message="x", repo_type="dataset")
    with pytest.raises(InputError, match=f"{path}: written or edited by somebody else"):
        push(hub, small)
    assert push(hub, small, overwrite=True).changes == Changes(replace=(path,))
    assert held(hub) == content(small)


def test_changes_are_split_at_so_many_files_and_none_is_lost(monkeypatch):
    monkeypatch.setattr(publishing, "COMMIT_FILES", 3)
    for added, replaced, removed in itertools.product(range(5), range(3), range(3)):
        kinds = (("a", added), ("r", replaced), ("d", removed))
        whole = Changes(*(tuple(f"{kind}{i}" for i in range(count)) for kind, count in kinds))
        batches = publishing._batches(whole)
        total = added + replaced + removed
        assert len(batches) == (total + 2) // 3
        assert all(len(b.add) + len(b.replace) + len(b.remove) == 3 for b in batches[:-1])
        for kind in ("add", "replace", "remove"):
            assert tuple(p for b in batches for p in getattr(b, kind)) == getattr(whole, kind)
