import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from mmmath_tasks import contract
from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.mathvision import read
from mmmath_tasks.hub_datasets.publishing import manifest, writer
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.scratch import alone, finished
from mmmath_tasks.hub_datasets.publishing.upstream import open_source
from support import upstream_folders
from support.upstream_folders import content


def made(tmp_path, source, name="mathvision", **options):
    options = {"splits": ["test"] if name == "mathvision" else [], **options}
    return build(name, str(source), tmp_path / "out", **options)


def rows(out, config, split):
    files = sorted((out / "data" / config).glob(f"{split}-*-of-*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def test_rows_and_picture_bytes_are_those_of_the_source(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 250)
    record = made(tmp_path, source)
    found = rows(tmp_path / "out", "mathvision", "test")
    for row, wanted in zip(found, read(source, "test"), strict=True):
        path = Path(wanted["decoded_image"]["path"])
        wanted["decoded_image"] = {"bytes": path.read_bytes(), "path": path.name}
        assert row == wanted
    assert record.configs["mathvision"]["test"]["rows"] == 250
    assert record == manifest.load(tmp_path / "out")


def test_two_builds_are_identical_wherever_they_lie(tmp_path):
    first, second = tmp_path / "here", tmp_path / "there" / "deeper"
    for place in (first, second):
        made(place, upstream_folders.mathvision(place / "source", 120), shard_bytes=30_000)
    assert content(first / "out") == content(second / "out")
    assert str(tmp_path).encode() not in b"".join(content(first / "out").values())


def test_an_earlier_build_is_replaced_and_anything_else_is_left(tmp_path):
    made(tmp_path, upstream_folders.mathvision(tmp_path / "source", 250), shard_bytes=20_000)
    made(tmp_path, upstream_folders.mathvision(tmp_path / "other", 3))
    assert len(rows(tmp_path / "out", "mathvision", "test")) == 3
    assert len(list((tmp_path / "out" / "data" / "mathvision").iterdir())) == 1
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("dear")
    with pytest.raises(InputError, match="thesis: there is something else"):
        build("mathvision", str(tmp_path / "source"), tmp_path / "thesis", splits=["test"])
    assert content(tmp_path / "thesis") == {"chapter.tex": b"dear"}


KILLED = """
import os, signal, sys
from pathlib import Path
from types import SimpleNamespace
from mmmath_tasks.hub_datasets.publishing.scratch import alone, finished
from mmmath_tasks.hub_datasets.publishing.upstream import open_source
out = Path(sys.argv[1])
with alone(out), finished(out) as scratch:
    (scratch / "half").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_build_left_is_removed(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "out"], check=False)
    assert sorted(p.name for p in tmp_path.rglob("*")) == [".out.building", ".out.lock", "half"]
    made(tmp_path, upstream_folders.mathvision(tmp_path / "source", 3))
    assert not (tmp_path / "out" / "half").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "source"]


def test_an_earlier_build_is_put_back_when_the_next_cannot_take_its_place(tmp_path):
    made(tmp_path, upstream_folders.mathvision(tmp_path / "source", 3))
    before, out = content(tmp_path / "out"), tmp_path / "out"
    with pytest.raises(FileNotFoundError), finished(out) as scratch:
        scratch.rmdir()
    assert content(out) == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "source"]


def test_drawn_pictures_are_kept_until_the_folder_has_its_place(tmp_path):
    made(tmp_path, upstream_folders.mathvision(tmp_path / "source", 3))
    before = content(tmp_path / "out")
    (tmp_path / ".out.drawn").mkdir()
    (tmp_path / ".out.former").touch()  # a file, onto which no folder can be renamed
    with pytest.raises(NotADirectoryError):
        made(tmp_path, tmp_path / "source")
    assert content(tmp_path / "out") == before
    (tmp_path / ".out.former").unlink()
    assert (tmp_path / ".out.drawn").is_dir()
    made(tmp_path, tmp_path / "source")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "source"]


def test_a_lock_that_somebody_removed_is_no_error_of_its_own(tmp_path):
    with alone(tmp_path / "out"):
        (tmp_path / ".out.lock").unlink()
    assert list(tmp_path.iterdir()) == []


def test_pictures_may_be_absent_only_when_told(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    (source / "images" / "4.jpg").unlink()
    with pytest.raises(InputError, match=r"row 4, id 4: picture .*4\.jpg: No such file.*--pictures available"):
        made(tmp_path, source)
    assert not (tmp_path / "out").exists()
    record = made(tmp_path, source, pictures="available")
    assert record.anomalies["test"]["missing_picture"] == ["4"]
    assert [row["decoded_image"] is None for row in rows(tmp_path / "out", "mathvision", "test")].count(True) == 1
    made(tmp_path, source, pictures="none")
    assert all(row["decoded_image"] is None for row in rows(tmp_path / "out", "mathvision", "test"))


def test_a_picture_without_bytes_and_path_is_none(monkeypatch, tmp_path):
    read = contract.rows("mathvision").read

    def nameless(folder, split):
        for row in read(folder, split):
            yield row | {"decoded_image": {"bytes": None, "path": None}}

    monkeypatch.setattr(contract.rows("mathvision"), "read", nameless)
    source = upstream_folders.mathvision(tmp_path / "source", 3)
    with pytest.raises(InputError, match=r"id 1: the row names no picture \(--pictures available"):
        made(tmp_path, source)


def spoil(source, what):
    lines = (source / "test.jsonl").read_text().splitlines()
    if what == "truncated":
        (source / "test.jsonl").write_text("\n".join(lines)[:-40])
    elif what == "duplicate":
        (source / "test.jsonl").write_text("\n".join([*lines, lines[1]]))
    elif what == "type":
        (source / "test.jsonl").write_text("\n".join([*lines[:-1], lines[-1].replace('"level": 2', '"level": "two"')]))
    elif what == "options":
        (source / "test.jsonl").write_text(lines[0].replace('"options": []', '"options": "ABC"'))
    elif what == "picture name":
        (source / "test.jsonl").write_text("\n".join([lines[0], lines[1].replace('"images/2.jpg"', '["a"]')]))
    elif what == "no file":
        (source / "test.jsonl").unlink()
    elif what == "no rows":
        (source / "test.jsonl").write_text("")
    elif what == "not a picture":
        (source / "images" / "3.jpg").write_bytes(b"<html>404</html>")
    elif what == "cut picture":
        whole = (source / "images" / "3.jpg").read_bytes()
        (source / "images" / "3.jpg").write_bytes(whole[: len(whole) // 2])
    elif what == "link out":
        (source / "images" / "3.jpg").unlink()
        (source / "images" / "3.jpg").symlink_to("/etc/hostname")
    elif what == "folder out":
        shutil.move(source / "images", source.parent / "elsewhere")
        (source / "images").symlink_to(source.parent / "elsewhere")
    elif what == "path out":
        (source / "test.jsonl").write_text(lines[0].replace("images/1.jpg", "../../../etc/hostname"))
    elif what == "zip slip":
        shutil.rmtree(source / "images")
        with zipfile.ZipFile(source / "images.zip", "w") as file:
            file.writestr("images/1.jpg", b"1")
            file.writestr("../1.jpg", b"1")
    elif what == "zip link":
        shutil.rmtree(source / "images")
        with zipfile.ZipFile(source / "images.zip", "w") as file:
            info = zipfile.ZipInfo("images/1.jpg")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            file.writestr(info, "/etc/passwd")


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("truncated", r"test\.jsonl: line 6 is not JSON"),
        ("duplicate", r"row 7, id 2: the id repeats that of row 2"),
        ("type", r"/source/test\.jsonl: row 6: column 'level' holds 'two'"),
        ("options", r"/source/test\.jsonl: row 1: MATH-Vision id 1: column 'options'"),
        ("picture name", r"/source: id 2 names the picture \['a'\], which is no file's name"),
        ("no file", r"test\.jsonl: no such file"),
        ("no rows", r"split test has no rows"),
        ("not a picture", r"row 3, id 3: picture /.*/3\.jpg does not open: it is of no format that Pillow knows$"),
        ("cut picture", r"row 3, id 3: picture /.*/3\.jpg (is cut short|does not open)"),
        ("link out", r"row 3.*lies outside of the source folder"),
        ("folder out", r"images: links out of the source folder"),
        ("path out", r"row 1.*lies outside of the source folder"),
        ("zip slip", r"images\.zip: member '\.\./1\.jpg' leads out"),
        ("zip link", r"images\.zip: member 'images/1\.jpg' is a link"),
    ],
)
def test_a_bad_source_is_one_clear_error_and_leaves_nothing(tmp_path, what, message):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    spoil(source, what)
    before = {p for p in tmp_path.rglob("*") if p != tmp_path / "out"}
    with pytest.raises(InputError, match=message) as raised:
        made(tmp_path, source)
    assert "\n" not in str(raised.value)
    assert {p for p in tmp_path.rglob("*") if p != tmp_path / "out"} == before
    assert not (tmp_path / "out").exists()


def test_a_bad_source_leaves_the_earlier_build(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    made(tmp_path, source)
    before = content(tmp_path / "out")
    spoil(source, "truncated")
    with pytest.raises(InputError):
        made(tmp_path, source)
    assert content(tmp_path / "out") == before


def test_odd_rows_are_listed(tmp_path):
    source = upstream_folders.mathvision(
        tmp_path / "source",
        6,
        **{"2": {"answer": "G"}, "4": {"options": ["a", "a", "b", "c", "d"]}, "5": {"answer": "5 "}},
    )
    record = made(tmp_path, source)
    assert record.anomalies["test"] == {"gold_outside_choices": ["2"], "repeated_choice": ["4"], "outer_blanks": ["5"]}
    card = (tmp_path / "out" / "README.md").read_text()
    assert "| `test` | the stored answer is neither the letter nor the text of a choice | 1 | 2 |" in card


STRANGE = [
    None,
    5,
    -1.5,
    True,
    "",
    "x",
    "../x",
    [],
    ["a"],
    [1],
    {},
    {"a": 1},
    "\0",
    float("nan"),
    10**30,
    [["a"]],
    "\ud800",
]


@pytest.mark.parametrize("column", [*upstream_folders.mathvision_row(1), "absent"])
def test_any_value_in_any_column_is_built_or_is_one_clear_error(tmp_path, column):
    for number, value in enumerate(STRANGE):
        source = upstream_folders.mathvision(tmp_path / f"source{number}", 3, **{"2": {column: value}})
        out, message = tmp_path / f"out{number}", ""
        try:
            build("mathvision", str(source), out, splits=["test"])
        except InputError as error:
            message = str(error)
        assert out.exists() == (not message)
        assert "\n" not in message
        assert message or len(rows(out, "mathvision", "test")) == 3


def test_columns_that_differ_from_the_card_are_listed(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 3, **{"1": {"caption": "an apple"}})
    lines = [json.loads(line) for line in (source / "test.jsonl").read_text().splitlines()]
    for line in lines:
        del line["solution"]
    (source / "test.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert made(tmp_path, source).anomalies["test"] == {"dropped_column": ["caption"], "missing_column": ["solution"]}


@pytest.mark.parametrize("inside", ["", "MATH-V/"])
def test_zip_files_are_read_like_folders(tmp_path, inside):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    made(tmp_path / "plain", source)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as file:
        for path, data in content(source).items():
            file.writestr(inside + path, data)
    build("mathvision", str(tmp_path / "all.zip"), tmp_path / "whole" / "out", splits=["test"])
    with zipfile.ZipFile(source / "images.zip", "w") as file:
        for path, data in content(source / "images").items():
            file.writestr(f"images/{path}", data)
    shutil.rmtree(source / "images")
    build("mathvision", str(source), tmp_path / "part" / "out", splits=["test"])
    data = {path: content(tmp_path / path / "out" / "data") for path in ("plain", "whole", "part")}
    assert data["plain"] == data["whole"] == data["part"]


def test_a_build_can_be_built_from(tmp_path):
    made(tmp_path / "first", upstream_folders.mathvision(tmp_path / "source", 120), shard_bytes=20_000)
    made(tmp_path / "second", tmp_path / "first" / "out", shard_bytes=20_000)
    assert content(tmp_path / "first" / "out" / "data") == content(tmp_path / "second" / "out" / "data")


def test_mathverse_keeps_upstreams_order_and_has_each_version_alone(tmp_path):
    record = made(tmp_path, upstream_folders.mathverse(tmp_path / "source", 4), "mathverse")
    out = tmp_path / "out"
    five = rows(out, "mathverse", "testmini")
    assert [row["sample_index"] for row in five] == [str(n) for n in range(1, 21)]
    counts = {split: count["rows"] for split, count in record.configs["mathverse_by_version"].items()}
    assert counts == dict.fromkeys(
        ("text_dominant", "text_lite", "vision_intensive", "vision_dominant", "vision_only", "text_only"), 4
    )
    for version in ("vision_only", "text_lite"):
        alone = rows(out, "mathverse_by_version", version)
        assert alone == [row for row in five if row["problem_version"].lower().replace(" ", "_") == version]
    text = rows(out, "mathverse_by_version", "text_only")
    assert [(row["image"], row["question_for_eval"]) for row in text] == [(None, row["question"]) for row in text]
    assert [row["questions"] for row in rows(out, "mathverse_versions", "metadata")] == [4] * 6


def test_a_benchmark_that_is_made_is_built_from_a_seed(tmp_path, monkeypatch):

    def generate(folder, *, kept, seed):
        upstream_folders.mathvision(folder, seed)

    monkeypatch.setattr(contract.rows("mathvision"), "generate", generate)
    record = build("mathvision", None, tmp_path / "out", splits=["test"], made={"seed": 5})
    assert record.configs["mathvision"]["test"]["rows"] == 5
    assert record.source == {"kind": "generated", "seed": 5}


def test_the_folder_of_the_moment_can_be_built_into(tmp_path, monkeypatch):
    source = upstream_folders.mathvision(tmp_path / "source", 3)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    build("mathvision", str(source), Path(), splits=["test"])
    assert len(rows(tmp_path / "out", "mathvision", "test")) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "source"]


def test_what_was_made_stays_until_the_folder_is_whole(tmp_path, monkeypatch):

    def generate(folder, *, kept, seed):
        if not (kept / "half").exists():
            (kept / "half").touch()
            raise KeyboardInterrupt
        upstream_folders.mathvision(folder, 4)

    monkeypatch.setattr(contract.rows("mathvision"), "generate", generate)
    with pytest.raises(KeyboardInterrupt):
        build("mathvision", None, tmp_path / "out", splits=["test"])
    assert [p.name for p in tmp_path.rglob("*")] == [".out.drawn", "half"]
    build("mathvision", None, tmp_path / "out", splits=["test"])
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_build_that_was_killed_between_the_last_renames_is_put_back_by_the_next(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 3)
    build("mathvision", str(source), tmp_path / "out", splits=["test"])
    (tmp_path / "out").rename(tmp_path / ".out.former")  # as far as that one came
    (source / "images" / "2.jpg").unlink()
    with pytest.raises(InputError, match="id 2: picture"):
        build("mathvision", str(source), tmp_path / "out", splits=["test"])
    assert len(rows(tmp_path / "out", "mathvision", "test")) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "source"]


def test_a_full_disk_names_the_folder_and_leaves_nothing(tmp_path, monkeypatch, capsys):
    source = upstream_folders.mathvision(tmp_path / "source", 150)

    class Full(writer._Sink):
        def write(self, data):
            if self.tell():
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    monkeypatch.setattr(writer, "_Sink", Full)
    asked = ["hub", "build", "mathvision", "--source", str(source), "--splits", "test", "--out", str(tmp_path / "out")]
    assert main(asked) == 2
    assert capsys.readouterr().err == f"mmmath: {tmp_path / 'out'}: No space left on device\n"
    assert [p.name for p in tmp_path.iterdir()] == ["source"]


STOPPED = """
import os, signal, sys
from mmmath_tasks.cli import main
from mmmath_tasks.hub_datasets.publishing import card
card.readme = lambda built: os.kill(os.getpid(), signal.SIGTERM)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.medium
def test_nothing_is_left_after_sigterm(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 3)
    pictures = source / "images"
    with zipfile.ZipFile(source / "images.zip", "w") as packed:
        for path in pictures.iterdir():
            packed.write(path, path.name)
    shutil.rmtree(pictures)
    (tmp_path / "scratch").mkdir()
    asked = ["hub", "build", "mathvision", "--source", str(source), "--splits", "test", "--out", str(tmp_path / "out")]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "scratch")}
    done = subprocess.run([sys.executable, "-c", STOPPED, *asked], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (143, "mmmath: terminated\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["scratch", "source"]
    assert list((tmp_path / "scratch").iterdir()) == []


def test_of_two_builds_into_one_folder_the_second_is_refused_at_once(tmp_path, monkeypatch):

    def generate(folder, *, kept, seed):
        upstream_folders.mathvision(folder, 4)
        with pytest.raises(InputError, match=r"/out: another build is at work there"):
            build("mathvision", None, tmp_path / "out", splits=["test"])
        build("mathvision", str(folder), tmp_path / "other", splits=["test"])

    monkeypatch.setattr(contract.rows("mathvision"), "generate", generate)
    build("mathvision", None, tmp_path / "out", splits=["test"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other", "out"]


def test_a_split_that_the_source_lacks_is_said_with_those_it_has(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 3, "testmini")
    with pytest.raises(InputError, match=r"/source: no file of split test; --splits testmini builds what is there$"):
        build("mathvision", str(source), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert build("mathvision", str(source), tmp_path / "out", splits=["testmini"]).configs


@pytest.mark.parametrize(("left", "said"), [(3, ""), (1, ", nor all pictures"), (0, ", nor any picture")])
def test_all_that_a_source_lacks_is_one_message_and_its_advice_builds(tmp_path, left, said):
    source = upstream_folders.mathvision(tmp_path / "source", 3, "testmini")
    for picture in sorted((source / "images").iterdir())[left:]:
        picture.unlink()
    option = {3: "require", 1: "available", 0: "none"}[left]
    advice = "--splits testmini" + f" --pictures {option}" * (left < 3)
    with pytest.raises(InputError, match=f"/source: no file of split test{said}; {advice} builds what is there$"):
        build("mathvision", str(source), tmp_path / "new" / "er" / "out")
    assert not (tmp_path / "new").exists()
    out = tmp_path / "new" / "er" / "out"
    assert build("mathvision", str(source), out, splits=["testmini"], pictures=option).configs


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mathvisionary", {}, "unknown benchmark 'mathvisionary'; known: mathopeval, mathverse, mathvis"),
        ("statistics", {}, "unknown benchmark"),
        ("mathvision", {"splits": ["train"]}, "mathvision has no split train; it has test, testmini"),
        ("mathvision", {"made": {"seed": 1}}, "seed: only for a benchmark that is generated"),
    ],
)
def test_wrong_words_are_named(tmp_path, name, options, message):
    with pytest.raises(InputError, match=message):
        build(name, str(tmp_path), tmp_path / "out", **options)


def test_a_source_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere: no such folder or zip file"):
        build("mathvision", str(tmp_path / "nowhere"), tmp_path / "out")


@pytest.mark.parametrize("column", ["id", "question", "options", "answer", "level", "subject", "solution"])
@pytest.mark.parametrize("lacking", [False, True])
def test_nothing_in_a_column_that_must_hold_something_is_refused(tmp_path, column, lacking):
    source = upstream_folders.mathvision(tmp_path / "source", 3, **{"2": {column: None}})
    if lacking:
        lines = [json.loads(line) for line in (source / "test.jsonl").read_text().splitlines()]
        del lines[1][column]
        (source / "test.jsonl").write_text("\n".join(map(json.dumps, lines)))
    options = {"splits": ["test"], "pictures": "none"}
    if column == "solution":
        record = build("mathvision", str(source), tmp_path / "out", **options)
        assert record.configs["mathvision"]["test"]["rows"] == 3
        return
    said = rf"row 2\b.*: column '{column}' (should be|is {'missing' if lacking else 'null'})"
    with pytest.raises(InputError, match=said):
        build("mathvision", str(source), tmp_path / "out", **options)


def test_data_that_are_nowhere_are_asked_for(tmp_path):
    nowhere = SimpleNamespace(HUB_ID="", REVISION="1", generate=None)
    with pytest.raises(InputError, match="are not on the Hub; name their folder or zip file with --source"):
        open_source(nowhere, None, kept=tmp_path)
