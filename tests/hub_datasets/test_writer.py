import hashlib
import json
from functools import cache

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.writer import SplitWriter


@cache
def features():
    from datasets import Features, Image, List, Value

    return Features({"id": Value("string"), "n": Value("int64"), "tags": List(Value("string")), "picture": Image()})


def row(number, size=10):
    picture = {"bytes": bytes([number % 256]) * size, "path": f"{number}.png"} if number % 3 else None
    return {"id": str(number), "n": number, "tags": ["a"] * (number % 4), "picture": picture}


def write(folder, rows, **options):
    with SplitWriter(folder, "test", features(), **options) as writer:
        for one in rows:
            writer.add(one)
    return writer


def read(writer):
    return [one for file in writer.files for one in pq.read_table(file.path).to_pylist()]


@given(st.lists(st.integers(0, 10**6), max_size=250), st.sampled_from([1, 2_000, 10**9]))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_come_back_whatever_the_shards(tmp_path_factory, numbers, shard_bytes):
    writer = write(tmp_path_factory.mktemp("w"), map(row, numbers), shard_bytes=shard_bytes)
    assert read(writer) == [row(n) for n in numbers]
    assert writer.rows == len(numbers)
    count = len(writer.files)
    assert [f.path.name for f in writer.files] == [f"test-{i:05d}-of-{count:05d}.parquet" for i in range(count)]


def test_the_same_rows_give_the_same_bytes_and_the_hash_is_the_files(tmp_path):
    first = write(tmp_path / "1", map(row, range(150)))
    second = write(tmp_path / "2", map(row, range(150)))
    assert first.files[0].path.read_bytes() == second.files[0].path.read_bytes()
    for file in first.files:
        content = file.path.read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())


def test_pages_have_an_index_and_end_where_their_content_says_so(tmp_path):
    from datasets import Dataset
    from datasets.config import DEFAULT_CDC_OPTIONS

    writer = write(tmp_path, (row(n) for n in range(250)))
    Dataset.from_list([{"id": "1"}]).to_parquet(tmp_path / "theirs.parquet")
    ours, theirs = (pq.read_metadata(path) for path in (writer.files[0].path, tmp_path / "theirs.parquet"))
    for metadata in (ours, theirs):
        chunked = json.loads(metadata.metadata[b"content_defined_chunking"])
        assert chunked == DEFAULT_CDC_OPTIONS
        columns = [metadata.row_group(g).column(c) for g in range(metadata.num_row_groups) for c in range(1)]
        assert all(column.has_offset_index and column.has_column_index for column in columns)
    parts = [ours.row_group(g).column(c) for g in range(ours.num_row_groups) for c in range(ours.num_columns)]
    assert all(part.has_offset_index for part in parts)


def test_datasets_finds_its_own_description(tmp_path):
    writer = write(tmp_path, [row(1)])
    stored = json.loads(pq.read_schema(writer.files[0].path).metadata[b"huggingface"])
    assert stored["info"]["features"] == features().to_dict()


def test_no_rows_are_a_file_with_columns(tmp_path):
    writer = write(tmp_path, [])
    assert pq.read_table(writer.files[0].path).column_names == list(features())


@pytest.mark.parametrize(("column", "value"), [("n", "three"), ("id", 7), ("tags", "a"), ("picture", "a.png")])
@pytest.mark.parametrize("place", [1, 150])
def test_a_wrong_type_names_row_and_column(tmp_path, column, value, place):
    rows = [row(n) for n in range(200)]
    rows[place - 1] = rows[place - 1] | {column: value}
    with pytest.raises(InputError, match=f"test: row {place}: column '{column}' holds"):
        write(tmp_path, rows)
    assert not list(tmp_path.glob("*.parquet"))


def groups_of(writer):
    metadata = [pq.read_metadata(file.path) for file in writer.files]
    return [[one.row_group(i).num_rows for i in range(one.num_row_groups)] for one in metadata]


@pytest.mark.parametrize(
    ("rows", "groups"), [(1, [1]), (99, [99]), (100, [100]), (101, [100, 1]), (200, [100, 100]), (250, [100, 100, 50])]
)
def test_a_group_has_a_hundred_rows_and_no_more(tmp_path, rows, groups):
    assert groups_of(write(tmp_path, map(row, range(rows)))) == [groups]


@pytest.mark.parametrize(("size", "groups"), [(9_000, [5, 1]), (8_999, [6])])
def test_a_group_ends_with_the_row_that_reaches_its_bytes(tmp_path, monkeypatch, size, groups):
    monkeypatch.setattr("mmmath_tasks.hub_datasets.publishing.writer.GROUP_BYTES", 50_000)  # a row is 1,000 beside it
    assert groups_of(write(tmp_path, (row(3 * n + 1, size) for n in range(6)))) == [groups]


@pytest.mark.parametrize(("more", "files"), [(0, [[100], [100]]), (1, [[100, 100]])])
def test_a_file_ends_with_the_group_that_reaches_its_bytes(tmp_path, more, files):
    one = write(tmp_path / "one", map(row, range(100)))
    both = write(tmp_path / "both", map(row, range(200)), shard_bytes=one.bytes + more)
    assert (groups_of(both), both.rows) == (files, 200)
    assert both.bytes == sum(write(tmp_path / str(i), map(row, range(i, i + 100))).bytes for i in (0, 100))
