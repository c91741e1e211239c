import shutil

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.diff import Difference, diff
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, snapshot
from support import upstream_folders


def made(folder, count=6, **changes):
    source = upstream_folders.mathvision(folder / "source", count, **changes)
    build("mathvision", str(source), folder / "out", splits=["test"])
    return Folder(folder / "out")


def differences(first, second):
    return {f"{d.config}/{d.split}": d for d in diff(first, second) if d}


def test_equal_builds_have_none(tmp_path):
    assert differences(made(tmp_path / "1"), made(tmp_path / "2")) == {}


def test_rows_are_told_apart(tmp_path):
    first, second = made(tmp_path / "1", 6), made(tmp_path / "2", 7, **{"3": {"answer": "4"}, "2": {"id": "22"}})
    found = differences(first, second)["mathvision/test"]
    assert (found.added, found.removed, found.changed) == (("22", "7"), ("2",), {"3": ("answer",)})
    back = differences(second, first)["mathvision/test"]
    assert (back.added, back.removed, back.changed) == (found.removed, found.added, found.changed)


def test_one_byte_of_a_picture_is_a_change(tmp_path):
    first = made(tmp_path / "1")
    source = shutil.copytree(tmp_path / "1" / "source", tmp_path / "2" / "source")
    picture = source / "images" / "5.jpg"
    picture.write_bytes(picture.read_bytes() + b"\0")
    build("mathvision", str(source), tmp_path / "2" / "out", splits=["test"])
    found = differences(first, Folder(tmp_path / "2" / "out"))
    assert found == {"mathvision/test": Difference("mathvision", "test", changed={"5": ("decoded_image",)})}


def test_another_order_is_seen(tmp_path):
    first = made(tmp_path / "1")
    source = shutil.copytree(tmp_path / "1" / "source", tmp_path / "2" / "source")
    lines = (source / "test.jsonl").read_text().splitlines()
    (source / "test.jsonl").write_text("\n".join(reversed(lines)))
    build("mathvision", str(source), tmp_path / "2" / "out", splits=["test"])
    assert differences(first, Folder(tmp_path / "2" / "out"))["mathvision/test"].moved


def test_what_one_side_lacks_is_named(tmp_path):
    first = made(tmp_path / "1")
    source = upstream_folders.mathvision(tmp_path / "1" / "source", 2, "testmini")
    upstream_folders.mathvision(source, 6)
    build("mathvision", str(source), tmp_path / "2" / "out")
    assert differences(first, Folder(tmp_path / "2" / "out"))["mathvision/testmini"].only == "second"


def test_what_cannot_be_compared_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no parquet files"):
        list(diff(made(tmp_path / "1"), Folder(tmp_path / "empty")))
    build("mathverse", str(upstream_folders.mathverse(tmp_path / "v")), tmp_path / "verse")
    with pytest.raises(
        InputError, match=r"/out and .*/verse: builds of different benchmarks, mathvision and mathverse$"
    ):
        list(diff(Folder(tmp_path / "1" / "out"), Folder(tmp_path / "verse")))
    with pytest.raises(InputError, match="no such folder"):
        snapshot(str(tmp_path / "nowhere"))
