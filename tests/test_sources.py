"""Rows come from a local folder, the Hub or the sample, in that order, and say where from."""

import json
import logging
from dataclasses import replace

import pytest

from mmmath_tasks import sources
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.manifest import Manifest
from mmmath_tasks.scoring import benchmark
from support import mathvista_folder

MATHVISTA = benchmark("mathvista")


@pytest.fixture(autouse=True)
def fresh(monkeypatch, tmp_path):
    monkeypatch.delenv("MMMATH_DATA", raising=False)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def built(folder, split="testmini", config="default", count=None):
    """Write a folder as `mmmath hub build` does: parquet, pictures inside."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = folder / "data" / config
    target.mkdir(parents=True, exist_ok=True)
    schema = MATHVISTA.rows.features(split).arrow_schema
    pq.write_table(
        pa.Table.from_pylist(mathvista_folder.rows(count), schema=schema), target / f"{split}-00000-of-00001.parquet"
    )
    return folder


def test_the_sample_needs_nothing(monkeypatch):
    monkeypatch.setattr("socket.socket.connect", None)
    found = sources.find_split(MATHVISTA, "sample")
    assert len(found.rows) >= 24
    assert found.revision.startswith("sample rows sha256:")
    assert found.rows[0]["decoded_image"]["bytes"].startswith(b"\x89PNG")


def test_upstreams_files(tmp_path):
    folder = mathvista_folder.write(tmp_path / "data", count=5)
    found = sources.find_split(MATHVISTA, "testmini", data_dir=str(folder))
    assert [row["pid"] for row in found.rows] == ["1", "2", "3", "4", "5"]
    assert found.rows[0]["decoded_image"] == {"bytes": None, "path": str(folder / "images" / "1.png")}
    assert found.where == str(folder)


def test_a_built_folder_and_upstreams_files_with_the_same_rows_have_one_revision(tmp_path):
    upstream = sources.find_split(MATHVISTA, "testmini", data_dir=str(mathvista_folder.write(tmp_path / "a", count=5)))
    parquet = sources.find_split(MATHVISTA, "testmini", data_dir=str(built(tmp_path / "b", count=5)))
    assert upstream.revision == parquet.revision
    assert upstream.revision.startswith("local rows sha256:")
    assert parquet.rows[0]["decoded_image"]["bytes"].startswith(b"\x89PNG")


def test_a_rewritten_built_folder_gives_the_new_rows(tmp_path):
    before = sources.find_split(MATHVISTA, "testmini", data_dir=str(built(tmp_path, count=5)))
    after = sources.find_split(MATHVISTA, "testmini", data_dir=str(built(tmp_path, count=6)))
    assert (len(before.rows), len(after.rows)) == (5, 6)
    assert before.revision != after.revision


def test_one_changed_word_changes_the_revision(tmp_path):
    folder = mathvista_folder.write(tmp_path, count=3)
    before = sources.find_split(MATHVISTA, "testmini", data_dir=str(folder)).revision
    mathvista_folder.change(folder, "2", answer="7")
    assert sources.find_split(MATHVISTA, "testmini", data_dir=str(folder)).revision != before


def test_the_variable_names_a_folder_of_folders(tmp_path, monkeypatch):
    mathvista_folder.write(tmp_path / "mathvista", count=2)
    monkeypatch.setenv("MMMATH_DATA", str(tmp_path))
    assert len(sources.find_split(MATHVISTA, "testmini").rows) == 2
    other = mathvista_folder.write(tmp_path / "other", count=3)
    assert len(sources.find_split(MATHVISTA, "testmini", data_dir=str(other)).rows) == 3


def test_further_columns_are_kept(tmp_path):
    folder = mathvista_folder.write(tmp_path, count=2)
    mathvista_folder.change(folder, "1", note="seen")
    assert sources.find_split(MATHVISTA, "testmini", data_dir=str(folder)).rows[0]["note"] == "seen"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "testmini.json").unlink(), r"testmini\.json: no such file"),
        (
            lambda folder: (folder / "testmini.json").write_text("[1,"),
            r"testmini\.json: not JSON: Expecting value at column 4",
        ),
        (lambda folder: (folder / "testmini.json").write_text("[]"), r"testmini\.json: expected one JSON object"),
        (lambda folder: (folder / "testmini.json").write_text("{}"), "no row of split 'testmini'"),
        (
            lambda folder: mathvista_folder.change(folder, "2", choices="A or B"),
            r"row 2: MathVista pid 2: column 'choices'",
        ),
    ],
    ids=["missing", "not JSON", "a list", "no rows", "a column of another type"],
)
def test_a_broken_folder_is_named(tmp_path, spoil, message):
    folder = mathvista_folder.write(tmp_path, count=3)
    spoil(folder)
    with pytest.raises(InputError, match=message):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(folder))


def test_a_folder_with_another_benchmarks_files_is_told(tmp_path):
    folder = str(mathvista_folder.write(tmp_path, count=3))
    with pytest.raises(InputError, match=r"test\.jsonl: no such file; the files there are those of mathvista$"):
        sources.find_split(benchmark("mathvision"), "test", data_dir=folder)
    with pytest.raises(InputError, match=r"testmini\.json.*; the files there are those of mathvista$"):
        sources.find_split(benchmark("wemath"), "testmini", data_dir=folder)
    (tmp_path / "test.jsonl").mkdir()  # what another's reader trips over
    with pytest.raises(InputError, match=r"testmini\.json.*; the files there are those of mathvista$"):
        sources.find_split(benchmark("wemath"), "testmini", data_dir=folder)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere: no such folder"):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path / "nowhere"))


def test_where_the_folder_was_named_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MMMATH_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"nowhere: no such folder \(from the variable MMMATH_DATA\)$"):
        sources.find_split(MATHVISTA, "testmini")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file: is no folder$"):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path / "file"))


@pytest.mark.parametrize("local", [True, False])
def test_the_splits_are_listed(tmp_path, local):
    folder = str(mathvista_folder.write(tmp_path, count=3)) if local else None
    with pytest.raises(InputError, match="mathvista has no split nope; it has testmini, test, sample"):
        sources.find_split(MATHVISTA, "nope", data_dir=folder)


def test_a_build_of_another_benchmark_is_told_from_this_ones(tmp_path):
    record = Manifest("wemath", "0.1.0", {}, {}, {}, {}, {})
    (built(tmp_path) / "build.json").write_bytes(record.to_bytes())
    with pytest.raises(InputError, match=f"{tmp_path}: a build of wemath, not of mathvista"):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path))
    (tmp_path / "build.json").write_bytes(replace(record, benchmark="mathvista").to_bytes())
    assert sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path)).rows
    with pytest.raises(InputError, match="a build of mathvista without split test"):
        sources.find_split(MATHVISTA, "test", data_dir=str(tmp_path))


@pytest.mark.parametrize("terminal", [True, False])
def test_bars_are_for_terminals(tmp_path, monkeypatch, capsys, terminal):
    from datasets import are_progress_bars_disabled

    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    sources.find_split(MATHVISTA, "testmini", data_dir=str(built(tmp_path, count=5)))
    assert ("Generating" in capsys.readouterr().err) is terminal
    assert not are_progress_bars_disabled()


def test_two_configurations_with_one_split_need_a_name(tmp_path):
    built(tmp_path, config="one", count=2)
    built(tmp_path, config="two", count=3)
    with pytest.raises(InputError, match="several configurations"):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path))
    assert len(sources.find_split(MATHVISTA, "testmini", config="two", data_dir=str(tmp_path)).rows) == 3


@pytest.mark.parametrize("left", [0, -200])
def test_a_broken_parquet_file_is_named_and_datasets_adds_nothing(tmp_path, monkeypatch, left):
    said = []
    log = logging.Handler()
    log.emit = said.append
    monkeypatch.setattr(logging.getLogger("datasets"), "handlers", [log])
    file = next(built(tmp_path, count=2).rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(InputError, match=r"testmini-00000-of-00001\.parquet: not readable as parquet"):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(tmp_path))
    assert said == []


def test_lists_of_pictures_are_found():
    from datasets import Features, Image, List, Value

    class Rows:
        features = Features(
            {"a": Value("string"), "b": List(Image()), "c": {"bytes": Value("binary"), "path": Value("string")}}
        )

    assert sources.picture_columns(Rows) == ["b", "c"]
    assert json.dumps(str(sources._undecoded(Rows.features["b"]))).count("decode=False") == 1


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"question": ...}, "row 2: MathVista pid 2: column 'question' is missing"),
        ({"metadata": "math"}, "column 'metadata' should be a mapping"),
        ({"answer_type": 3.5}, "column 'answer_type' should be text"),
        ({"precision": "two"}, "precision"),
    ],
)
def test_a_wrong_column_is_named(tmp_path, columns, message):
    folder = mathvista_folder.write(tmp_path, count=3)
    mathvista_folder.change(folder, "2", **columns)
    with pytest.raises(InputError, match=message):
        sources.find_split(MATHVISTA, "testmini", data_dir=str(folder))
