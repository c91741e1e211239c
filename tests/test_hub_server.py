"""The double of the Hub behaves as the real clients expect of the Hub."""

from urllib.request import Request, urlopen

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfFileSystem
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

from support.hub_server import Fault

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's own way to upload


def status(raised):
    return raised.value.response.status_code


@pytest.mark.parametrize("kind", ["model", "dataset", "space"])
def test_files_come_back_from_every_kind_of_repo(hub, tmp_path, kind):
    api = hub.api()
    api.create_repo("org/name", repo_type=kind, space_sdk="static" if kind == "space" else None)
    files = {"README.md": b"---\nlicense: mit\n---\n", "a/b/large.bin": bytes(range(250)), "empty.txt": b""}
    added = [CommitOperationAdd(path, content) for path, content in files.items()]
    made = api.create_commit("org/name", added, commit_message="first", repo_type=kind)
    folder = api.snapshot_download("org/name", repo_type=kind, cache_dir=tmp_path / "cache")
    for path, content in files.items():
        assert (tmp_path / folder / path).read_bytes() == content
    infos = {entry.path: entry for entry in api.list_repo_tree("org/name", recursive=True, repo_type=kind)}
    assert infos["a/b/large.bin"].lfs.size == 250
    assert infos["README.md"].lfs is None
    assert api.repo_info("org/name", repo_type=kind).sha == made.oid


def test_a_stale_parent_is_412_and_changes_nothing(hub):
    api = hub.api()
    api.create_repo("org/name")
    first = api.create_commit("org/name", [CommitOperationAdd("a", b"1")], commit_message="1")
    api.create_commit("org/name", [CommitOperationAdd("a", b"2")], commit_message="2", parent_commit=first.oid)
    with pytest.raises(HfHubHTTPError) as raised:
        api.create_commit("org/name", [CommitOperationAdd("a", b"3")], commit_message="3", parent_commit=first.oid)
    assert status(raised) == 412
    assert hub.store.read("model", "org/name", "a") == b"2"


def test_pull_requests_open_grow_and_merge(hub):
    api = hub.api()
    api.create_repo("org/name")
    api.create_commit("org/name", [CommitOperationAdd("card.md", b"old\n")], commit_message="base")
    opened = api.create_commit(
        "org/name", [CommitOperationAdd("card.md", b"new\n")], commit_message="Title", create_pr=True
    )
    assert (opened.pr_num, opened.pr_revision) == (1, "refs/pr/1")
    api.create_commit("org/name", [CommitOperationAdd("more", b"1")], commit_message="more", revision="refs/pr/1")
    details = api.get_discussion_details("org/name", 1)
    assert (details.title, details.status, details.target_branch) == ("Title", "open", "refs/heads/main")
    assert hub.store.read("model", "org/name", "card.md") == b"old\n"
    assert [found.num for found in api.get_repo_discussions("org/name")] == [1]
    api.merge_pull_request("org/name", 1)
    assert hub.store.read("model", "org/name", "card.md") == b"new\n"
    assert api.get_discussion_details("org/name", 1).status == "merged"
    assert api.list_repo_refs("org/name", include_pull_requests=True).pull_requests[0].ref == "refs/pr/1"


def test_what_is_not_there_is_named_as_the_hub_names_it(hub):
    api = hub.api()
    with pytest.raises(RepositoryNotFoundError):
        api.model_info("org/name")
    api.create_repo("org/name", private=True)
    with pytest.raises(RevisionNotFoundError):
        api.model_info("org/name", revision="v9")
    with pytest.raises(EntryNotFoundError):
        api.hf_hub_download("org/name", "nothing", cache_dir=hub.store.folder / "cache")
    with pytest.raises(EntryNotFoundError):
        api.create_commit("org/name", [CommitOperationDelete("nothing")], commit_message="x")
    with pytest.raises(RepositoryNotFoundError):
        hub.api(token=False).model_info("org/name")
    with pytest.raises(HfHubHTTPError) as raised:
        hub.api(token=False).create_repo("org/other")
    assert status(raised) == 401
    with pytest.raises(HfHubHTTPError) as raised:
        api.create_repo("org/name")
    assert status(raised) == 409


def test_ranges_tags_and_the_second_host(hub):
    api = hub.api()
    api.create_repo("org/name")
    added = [CommitOperationAdd(f"{name}.bin", name.encode() * 100) for name in "abcde"]
    made = api.create_commit("org/name", added, commit_message="x")
    api.create_tag("org/name", tag="v1")
    assert len(list(api.list_repo_tree("org/name"))) == 6
    assert api.list_repo_refs("org/name").tags[0].target_commit == made.oid
    files = HfFileSystem(endpoint=hub.url, token=hub.token, skip_instance_cache=True)
    assert files.cat_file("org/name@v1/b.bin", start=5, end=9) == b"bbbb"
    with urlopen(Request(f"{hub.url}/org/name/resolve/v1/c.bin", headers={"Range": "bytes=98-"})) as answer:  # noqa: S310
        assert (answer.status, answer.read()) == (206, b"cc")
        assert answer.url.startswith(hub.routes.cdn)


def test_faults_strike_as_often_as_asked_before_or_after_the_effect(hub):
    api = hub.api()
    api.create_repo("org/name")
    hub.faults.append(Fault("POST", "/commit/", 503))
    with pytest.raises(HfHubHTTPError) as raised:
        api.create_commit("org/name", [CommitOperationAdd("a", b"1")], commit_message="lost")
    assert status(raised) == 503
    assert "a" not in hub.store.repo("model", "org/name").files()
    hub.faults.append(Fault("POST", "/commit/", None, after=True))
    with pytest.raises(HfHubHTTPError.__bases__[0]):
        api.create_commit("org/name", [CommitOperationAdd("a", b"1")], commit_message="done, but nobody hears")
    assert hub.store.read("model", "org/name", "a") == b"1"
