"""`mmmath hub` as a user types it."""

import re
import socket
import sys

import pytest

from mmmath_tasks.cli import main
from support import upstream_folders


@pytest.fixture
def source(tmp_path):
    return upstream_folders.mathvision(tmp_path / "source", 6, **{"2": {"answer": "G"}})


def run(capsys, *words):
    status = main(["hub", *map(str, words)])
    done = capsys.readouterr()
    return status, done.out, done.err


def build(capsys, source, out, *words):
    return run(capsys, "build", "mathvision", "--source", source, "--splits", "test", "--out", out, *words)


def test_build_counts_rows_and_shouts_what_is_new(capsys, source, tmp_path):
    status, out, err = build(capsys, source, tmp_path / "out", "--repo", "me/mine")
    assert status == 0
    assert out.splitlines()[0] == "mathvision/test: 6 rows"
    assert f"{tmp_path / 'out'}: built" in out
    assert err == "NEW ANOMALY in test: gold_outside_choices, not known of 1 row: 2\n"
    assert 'load_dataset("me/mine"' in (tmp_path / "out" / "README.md").read_text()


def test_a_mistake_is_one_line_and_status_2(capsys, source, tmp_path):
    (source / "images" / "5.jpg").unlink()
    status, out, err = build(capsys, source, tmp_path / "out")
    assert (status, out) == (2, "")
    assert err.startswith("mmmath: mathvision test: row 5, id 5: picture ")
    assert err.count("\n") == 1


def test_check_lists_errors_and_says_so_by_its_status(capsys, source, tmp_path):
    build(capsys, source, tmp_path / "out")
    (tmp_path / "out" / "eval.yaml").unlink()
    status, out, _ = run(capsys, "check", tmp_path / "out")
    assert status == 1
    assert "error: eval.yaml: is in build.json but not in the folder" in out
    assert out.splitlines()[-1] == f"{tmp_path / 'out'}: 2 errors, 2 warnings"


def test_diff_names_rows_as_many_as_asked(capsys, source, tmp_path):
    build(capsys, source, tmp_path / "first")
    upstream_folders.mathvision(source, 9)
    build(capsys, source, tmp_path / "second")
    status, out, _ = run(capsys, "diff", tmp_path / "first", tmp_path / "second", "--rows", "1")
    lines = out.splitlines()
    assert status == 1
    assert lines[:4] == [
        "mathvision/test: 3 added, 0 removed, 1 changed",
        "  + 7",
        "  + ... and 2 more",
        "  ~ 2: answer",
    ]
    assert run(capsys, "diff", tmp_path / "first", tmp_path / "first")[0] == 0


@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's own way to upload
def test_publish_and_publish_again(capsys, source, tmp_path, hub, monkeypatch):
    import huggingface_hub

    api = hub.api()
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: api)
    build(capsys, source, tmp_path / "out")
    where = ("publish", tmp_path / "out", "--repo", "me/mine")
    assert "add README.md" in run(capsys, *where, "--dry-run")[1]
    assert hub.store.repos == {}
    status, out, _ = run(capsys, *where)
    assert (status, "tag build-" in out) == (0, True)
    assert run(capsys, *where)[1].startswith("me/mine: holds this build already\n")
    (tmp_path / "out" / "README.md").write_text("other")
    assert run(capsys, *where)[0] == 2


def test_publishing_without_a_hub_says_what_it_waits_for(capsys, source, tmp_path, monkeypatch):
    import huggingface_hub

    from mmmath_tasks.hub_datasets.publishing import retry

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # not listening: connections are refused
        api = huggingface_hub.HfApi(f"http://127.0.0.1:{nobody.getsockname()[1]}")
        monkeypatch.setattr(huggingface_hub, "HfApi", lambda: api)
        waits = []
        monkeypatch.setattr(retry.time, "sleep", waits.append)
        build(capsys, source, tmp_path / "out")
        status, out, err = run(capsys, "publish", tmp_path / "out", "--repo", "me/mine")
    assert (status, out) == (2, "")
    *said, last = err.splitlines()
    assert len(said) == len(waits) == 7
    assert re.fullmatch(r"read me/mine: .*refused .*; try 2 of 8 in [012] s", said[0])
    assert re.match(r"mmmath: read me/mine: given up after 8 tries: ", last)


@pytest.mark.parametrize("name", ["bad", "a/b/c", "me/", "hf://datasets/me/mine", "me/mi ne", ".me/mine", "me/mïne"])
def test_a_repo_that_is_none_is_refused_at_once(capsys, source, tmp_path, name):
    build(capsys, source, tmp_path / "out")
    expected = f"mmmath: the repo should be ORG/NAME, is {name!r}\n"
    assert run(capsys, "publish", tmp_path / "out", "--repo", name) == (2, "", expected)
    assert build(capsys, source, tmp_path / "second", "--repo", name) == (2, "", expected)
    assert not (tmp_path / "second").exists()


def test_a_build_that_cannot_draw_says_so_at_once(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run(capsys, "build", "mathopeval", "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert err == "mmmath: drawing MathOPEval's figures needs matplotlib: pip install 'mmmath-tasks[sandbox]'\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wanted", ["0", "-5"])
def test_a_set_of_no_samples_is_refused_before_anything_is_drawn(capsys, tmp_path, wanted):
    status, out, err = run(capsys, "build", "mathopeval", "--samples", wanted, "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert err == f"mmmath: a set has 1 sample or more (the paper's has 1,888), not {wanted}\n"
    assert list(tmp_path.iterdir()) == []
