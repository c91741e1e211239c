import shutil

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.diff import Difference, _compare, _digest, _digests, diff
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
    second = Folder(tmp_path / "2" / "out")
    for sides, lacking in (((first, second), "second"), ((second, first), "first")):
        found = {name: d.only for name, d in differences(*sides).items() if d.only}
        assert found == {"mathvision/testmini": lacking}


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


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ("abc", "abc", False),
        ("abc", "xabyc", False),
        ("abcd", "ad", False),
        ("abc", "bac", True),
        ("abcd", "dxa", True),
    ],
)
def test_moved_is_what_stands_in_another_order_and_not_what_came_or_went(before, after, moved):
    sides = [{key: {"n": key.encode()} for key in keys} for keys in (before, after)]
    found = _compare("c", "s", *sides)
    assert found.moved is moved
    assert (found.added, found.removed) == (
        tuple(sorted(set(after) - set(before), key=after.index)),
        tuple(sorted(set(before) - set(after))),
    )
    assert bool(found) is (before != after)


def test_columns_are_told_from_values_and_ids_that_repeat_from_one_another():
    rows = [{"id": "1", "a": 1, "b": 2.5}, {"id": "1", "a": 3, "b": 2.5}]
    others = [{"id": "1", "a": 1, "c": 0}, {"id": "1", "a": 4, "c": 0}]
    before, after = (_digests(iter(side), lambda row, number: row["id"]) for side in (rows, others))
    found = _compare("c", "s", before, after)
    assert (found.changed, found.columns_added, found.columns_removed) == ({"1 (again)": ("a",)}, ("c",), ("b",))
    assert _digest(1) != _digest(1.0) != _digest("1")
    assert _digest({"bytes": b"x", "path": "a.png"}) == _digest({"bytes": b"x", "path": None}) != _digest(b"y")


def test_at_most_so_many_ids_are_named_of_each_kind():
    found = Difference("c", "s", added=("1", "2", "3"), removed=("4", "5"), changed={"6": ("a", "b")}, moved=True)
    assert list(found.lines(2)) == [
        "c/s: 3 added, 2 removed, 1 changed, another order",
        "  + 1",
        "  + 2",
        "  + ... and 1 more",
        "  - 4",
        "  - 5",
        "  ~ 6: a, b",
    ]
    assert len(list(found.lines(-1))) == 7
    assert "  - ... and 2 more" in list(found.lines(0))
    assert list(Difference("c", "s", only="first").lines(5)) == ["c/s: only in the first"]
