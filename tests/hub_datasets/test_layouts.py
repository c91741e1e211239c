"""Sources as they lie in clones of the authors' repositories, on GitHub and on the Hub."""

import json
import shutil
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout
from mmmath_tasks.hub_datasets.publishing.upstream import FolderSource, sha256
from mmmath_tasks.scoring import benchmark
from support import mathvista_folder, upstream_folders


def mathvision(root):
    """mathllm/MATH-V: images/ beside data/."""
    made = upstream_folders.mathvision(root, 4)
    (root / "data").mkdir()
    (made / "test.jsonl").rename(root / "data" / "test.jsonl")
    return "test", "data"


def wemath(root):
    """We-Math/We-Math: 2steps/ and 3steps/ in data/, no images/."""
    folder = root / "data" / "2steps" / "image"
    folder.mkdir(parents=True)
    rows = []
    for number, key in enumerate(("2steps_1", "2steps_2", "2steps_multi")):
        name = f"1-{key.split('_')[1]}.png"
        (folder / name).write_bytes(upstream_folders.picture(number))
        rows.append(
            {
                "ID": "2steps_1",
                "split": "testmini",
                "knowledge concept": "Angles and Length" if number == 2 else "Translation",
                "question": "How long?",
                "option": "A. 1 m; B. 2 m",
                "answer": "A",
                "image_path": f"2steps/image/{name}",
                "key": key,
                "question number": 1,
                "knowledge concept description": "Translation:\n1. It moves.",
            }
        )
    (root / "data" / "testmini.json").write_text(json.dumps(rows))
    return "testmini", "data"


def mathvista(root):
    """lupantech/MathVista: all in data/, the pictures packed as they are downloaded."""
    mathvista_folder.write(root / "data", "testmini", 3)
    pack(root / "data" / "images", root / "data" / "images.zip")
    (root / "results").mkdir()
    (root / "results" / "output.json").write_text("{}")
    return "testmini", "data"


def mathverse(root):
    """AI4Math/MathVerse: the JSON files beside images.zip."""
    made = upstream_folders.mathverse(root, 2)
    pack(made / "images_version_1-4", root / "images.zip", "images/images_version_1-4")
    return "testmini", "."


def pack(folder, archive, below="images"):
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            packed.write(path, f"{below}/{path.name}")
    shutil.rmtree(folder)


LAYOUTS = (mathvision, wemath, mathvista, mathverse)


@pytest.mark.parametrize(
    ("layout", "source"),
    [*((layout, source) for layout in LAYOUTS for source in ("root", "data")), (mathvision, "zip"), (wemath, "zip")],
)
def test_a_clone_builds_as_it_lies(tmp_path, layout, source):
    root = tmp_path / "clone"
    split, data = layout(root)
    where = root if source == "root" else root / data
    if source == "zip":
        where = tmp_path / "clone.zip"
        with zipfile.ZipFile(where, "w") as packed:
            for path in sorted(root.rglob("*")):
                packed.write(path, f"clone-main/{path.relative_to(root).as_posix()}")
    record = build(layout.__name__, str(where), tmp_path / "out", splits=[split])
    assert record.anomalies.get(split, {}).get("missing_picture") is None
    name = next(iter(record.configs))
    (file,) = (tmp_path / "out" / "data" / name).glob(f"{split}-*")
    column = {"mathverse": "image", "wemath": "image_path"}.get(layout.__name__, "decoded_image")
    rows = pq.read_table(file).to_pylist()
    assert rows
    assert all(row[column]["bytes"] for row in rows)
    assert not any("results" in path for path in record.source["files"])


@pytest.mark.parametrize("layout", [mathvision, wemath])
def test_a_task_reads_a_clone_too(tmp_path, layout):
    split, _ = layout(tmp_path / "clone")
    module = benchmark(layout.__name__).rows
    rows = list(module.read(tmp_path / "clone", split))
    assert rows
    assert all(Path(module.pictures(row)[0]["path"]).is_file() for row in rows)


def test_parquet_of_a_clone_is_read_beside_a_zip_file_and_the_zip_file_is_not_unpacked(tmp_path):
    upstream_folders.mathvision(tmp_path / "source", 4)
    build("mathvision", str(tmp_path / "source"), tmp_path / "built", splits=["test"])
    clone = tmp_path / "clone"
    (clone / "data").mkdir(parents=True)
    (file,) = (tmp_path / "built" / "data" / "mathvision").iterdir()
    shutil.copy(file, clone / "data" / "test-00000-of-00001-3532b8d3f1b4047a.parquet")
    (clone / "images.zip").write_bytes(b"not looked at")
    record = build("mathvision", str(clone), tmp_path / "out", splits=["test"])
    assert record.configs["mathvision"]["test"]["rows"] == 4


def test_a_clone_without_git_lfs_says_what_is_missing(tmp_path):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    (tmp_path / "clone" / "data").mkdir(parents=True)
    (tmp_path / "clone" / "data" / "test-00000-of-00001.parquet").write_bytes(pointer)
    with pytest.raises(InputError, match=r"a pointer of Git LFS in its place: `git lfs pull`$"):
        build("mathvision", str(tmp_path / "clone"), tmp_path / "out", splits=["test"])
    source = upstream_folders.mathvision(tmp_path / "source", 2)
    (source / "images" / "2.jpg").write_bytes(pointer)
    with pytest.raises(InputError, match=r"row 2, id 2: picture .* does not open: a pointer of Git LFS"):
        build("mathvision", str(source), tmp_path / "out", splits=["test"])


def test_available_pictures_of_which_none_is_there_are_refused(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 3)
    shutil.rmtree(source / "images")
    with pytest.raises(InputError, match=r"none of the pictures that its 3 rows name is there"):
        build("mathvision", str(source), tmp_path / "out", splits=["test"], pictures="available")
    assert not (tmp_path / "out").exists()


def test_a_picture_outside_of_the_clone_is_refused(tmp_path):
    root = tmp_path / "clone"
    mathvision(root)
    (tmp_path / "secret.jpg").write_bytes(upstream_folders.picture(1))
    (root / "images" / "3.jpg").unlink()
    (root / "images" / "3.jpg").symlink_to(tmp_path / "secret.jpg")
    with pytest.raises(InputError, match=r"row 3: the picture .* lies outside of the source folder"):
        build("mathvision", str(root / "data"), tmp_path / "out", splits=["test"])


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (["test.json"], "/test.json"),
        (["test.jsonl", "data/test.json"], "/test.jsonl"),
        (["data/test.json", "data/test.jsonl"], "/data/test.json"),
        (["data/test.jsonl", "testmini.json"], "/data/test.jsonl"),
        (["deep/er/test.parquet", "test.json"], "/deep/er/test.parquet"),
        (["test-00000-of-00001-3532b8d3f1b4047a.parquet"], "/test-00000-of-00001-3532b8d3f1b4047a.parquet"),
        (["test-0-of-2.parquet", "data/test-1-of-2.parquet"], ": split test"),
        (["other/test.json", "testmini.json", "mytest.jsonl", "test.txt", "test-x-of-2.parquet"], None),
    ],
)
def test_a_splits_files_are_found_and_named(tmp_path, names, place):
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    with FolderSource(benchmark("mathvision").rows, tmp_path) as source:
        assert source.has("test") is (place is not None)
        assert source.place("test") == f"{tmp_path}{place or ': split test'}"


def test_of_a_folder_the_files_of_rows_are_recorded(tmp_path):
    kept = ["a.json", "b.jsonl", "c.zip", "data/d.json", "data/e.zip", "deep/er/f.parquet"]
    for name in [*kept, "g.txt", "other/h.json", "data/i/j.jsonl", "other/k.zip"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    with FolderSource(benchmark("mathvision").rows, tmp_path) as source:
        assert source.record() == {"kind": "folder", "files": {name: sha256(tmp_path / name) for name in kept}}
    with zipfile.ZipFile(tmp_path / "c.zip", "w"):
        pass
    with FolderSource(benchmark("mathvision").rows, tmp_path / "c.zip") as source:
        assert source.record() == {"kind": "folder", "files": {"c.zip": sha256(tmp_path / "c.zip")}}


def test_without_a_readme_the_files_names_tell_the_splits(tmp_path):
    first = ["data/test-00000-of-00002.parquet", "data/test-00001-of-00002.parquet"]
    for name in [*first, "mini.parquet", "a/b/dev.v2-0-of-1-3532b8d3.parquet", "data/test-x.parquet", "c.json"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    wanted = {"test": first, "mini": ["mini.parquet"], "dev.v2": ["a/b/dev.v2-0-of-1-3532b8d3.parquet"]}
    assert layout(Folder(tmp_path)) == {"default": wanted}
