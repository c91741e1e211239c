import json
import re
import shutil
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from mmmath_tasks import contract
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import check as checking
from mmmath_tasks.hub_datasets.publishing import loading, manifest
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.check import check
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout
from mmmath_tasks.hub_datasets.publishing.upstream import sha256
from support import sample_rows, upstream_folders

pytestmark = pytest.mark.medium

PARQUET = "data/mathvision/test-00000-of-00001.parquet"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("check")
    build("mathvision", str(upstream_folders.mathvision(folder / "source", 120)), folder / "out", splits=["test"])
    return folder / "out"


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "copy")


def sealed(folder):
    """Let build.json agree with the files again, so that the fault itself must be found."""
    record = json.loads((folder / manifest.NAME).read_text())
    for path, facts in record["files"].items():
        if (folder / path).exists():
            facts |= {"size": (folder / path).stat().st_size, "sha256": sha256(folder / path)}
    (folder / manifest.NAME).write_text(json.dumps(record))
    return folder


def errors(folder):
    return [f"{f.place}: {f.message}" for f in check(folder) if f.level == "error"]


def edit(folder, name, pattern, replacement):
    text = (folder / name).read_text()
    changed = re.sub(pattern, replacement, text, count=1, flags=re.MULTILINE | re.DOTALL)
    assert changed != text
    (folder / name).write_text(changed)


def spoil(folder, name, end):
    (folder / name).write_bytes((folder / name).read_bytes() + end)


def rewrite(folder, change=lambda rows: rows, features=None, group=100):
    table = pq.read_table(folder / PARQUET)
    rows = change(table.to_pylist())
    pq.write_table(pa.Table.from_pylist(rows, schema=features or table.schema), folder / PARQUET, row_group_size=group)


def picture(**changes):
    def change(rows):
        rows[1]["decoded_image"] |= changes
        return rows

    return change


@pytest.mark.slow
def test_a_build_can_be_published(whole):
    assert list(check(whole)) == []


FAULTS = {
    "file lost": (lambda f: (f / "eval.yaml").unlink(), "eval.yaml: is missing"),
    "file foreign": (lambda f: (f / "notes.txt").write_text("x"), "notes.txt: was not built"),
    "wrong count": (
        lambda f: edit(f, "README.md", "num_examples: 120", "num_examples: 121"),
        "says 121 rows, .* hold 120",
    ),
    "wrong type": (lambda f: edit(f, "README.md", "(name: level\n +dtype: )int64", r"\1string"), "has other columns"),
    "no dataset_info": (
        lambda f: edit(f, "README.md", "^dataset_info:.*?^configs:", "configs:"),
        "has no dataset_info",
    ),
    "no licence": (lambda f: edit(f, "README.md", "^license: mit\n", ""), "the YAML has no license"),
    "other licence": (
        lambda f: edit(f, "README.md", "^license: mit", "license: gpl"),
        "license is 'gpl', expected 'mit'",
    ),
    "broken YAML": (lambda f: edit(f, "README.md", "^license: mit", "license: [mit"), "cannot be read: .*broken YAML"),
    "a date that is none": (
        lambda f: edit(f, "README.md", "^license: mit", "license: 2024-13-01"),
        "broken YAML: .*month",
    ),
    "nested": (
        lambda f: edit(f, "README.md", "^license: mit", f"license: {'[' * 5000}"),
        "broken YAML: brackets nested",
    ),
    "a truth that is none": (
        lambda f: edit(f, "README.md", "^license: mit", "license: !!bool x"),
        "broken YAML: .*'x'",
    ),
    "tasks nested": (lambda f: (f / "eval.yaml").write_text("[" * 5000), "eval.yaml: cannot be read: brackets nested"),
    "no UTF-8": (
        lambda f: spoil(f, "README.md", b"\xff"),
        r"README.md: the configurations .*: not UTF-8 text at byte \d+$",
    ),
    "tasks no UTF-8": (lambda f: spoil(f, "eval.yaml", b"\xff"), "eval.yaml: cannot be read: .*0xff"),
    "no configurations": (
        lambda f: edit(f, "README.md", "^configs:.*?^(?=dataset_info:|---)", "configs: [none]\n"),
        "`configs` should be a list of config_name and data_files",
    ),
    "own description": (
        lambda f: rewrite(f, features=pq.read_schema(f / PARQUET).with_metadata({"huggingface": "[" * 100_000})),
        "its own description of the columns differs",
    ),
    "no default": (lambda f: edit(f, "README.md", "^  default: true\n", ""), "must be the default"),
    "wide pattern": (lambda f: shutil.copy(f / PARQUET, f / "data/mathvision/test-x.parquet"), "pattern also takes"),
    "bare pattern": (lambda f: edit(f, "README.md", r"mathvision/test-\*", "mathvision/nothing-*"), "no file matches"),
    "no paper": (lambda f: edit(f, "README.md", "https://arxiv.org/abs/", "arXiv "), "no link to the paper"),
    "unfilled": (lambda f: edit(f, "README.md", r"\Z", "{{more}}"), "{{more}} was not filled in"),
    "task of nowhere": (lambda f: edit(f, "eval.yaml", "split: test", "split: train"), "no split mathvision/train"),
    "local path": (lambda f: edit(f, "README.md", r"\Z", "made in /home/me/data"), "holds a path of this machine"),
    "large groups": (lambda f: rewrite(f, group=120), "more than 100 rows"),
    "not embedded": (
        lambda f: rewrite(f, picture(bytes=None)),
        "row 2: column 'decoded_image': the picture is not embedded",
    ),
    "picture path": (lambda f: rewrite(f, picture(path="/a/b.jpg")), "row 2: .*is more than a name"),
    "broken picture": (lambda f: rewrite(f, picture(bytes=b"GIF89a")), "row 2: the picture does not open"),
    "lost row": (lambda f: rewrite(f, lambda rows: rows[:-1]), "says 120 rows, the files hold 119"),
    "repeated id": (lambda f: rewrite(f, lambda rows: [*rows[:-1], rows[0]]), "row 120: the id 1 repeats"),
    "damaged": (lambda f: (f / PARQUET).write_bytes((f / PARQUET).read_bytes()[:-9]), "not a whole parquet file"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(copy, name):
    break_it, message = FAULTS[name]
    break_it(copy)
    found = errors(sealed(copy))
    assert any(re.search(message, line) for line in found), found


@pytest.mark.parametrize("more", [0, 1])
def test_sizes_are_faults_beyond_their_limits(copy, monkeypatch, more):
    """The largest file and the largest row group are at the limit, or a byte beyond it."""
    with pq.ParquetFile(copy / PARQUET) as file:
        group = max(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        assert [file.metadata.row_group(i).num_rows for i in range(2)] == [100, 20]
    largest = max(path.stat().st_size for path in copy.rglob("*") if path.is_file())
    monkeypatch.setattr(checking, "FILE_LIMIT", largest - more)
    monkeypatch.setattr(checking, "GROUP_LIMIT", group - more)
    monkeypatch.setattr(checking, "_loads", lambda *_: [])
    found = errors(copy)
    assert any(f"bytes; the Hub takes {largest - 1:,} at most" in line for line in found) == bool(more)
    assert any(f"a row group has more than {group - 1:,} bytes" in line for line in found) == bool(more)
    assert bool(found) == bool(more)


def test_a_changed_file_is_found_without_looking_inside(copy):
    edit(copy, "README.md", r"\Z", "A word more.\n")
    assert errors(copy) == ["README.md: was changed after the build: other content than build.json records"]


def test_a_part_of_a_generated_set_is_told_from_the_whole(tmp_path):
    schema = contract.rows("mathopeval").features("mc").arrow_schema
    rows = [row for row in sample_rows.rows("mathopeval") if row["format"] == "multiple_choice"]
    (tmp_path / "source").mkdir()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), tmp_path / "source" / "mc.parquet")
    build("mathopeval", str(tmp_path / "source"), tmp_path / "out", splits=["mc"])
    tasks = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text())["tasks"]
    assert [task["id"] for task in tasks] == ["mathopeval_mc_partial"]
    (tmp_path / "out" / "more.txt").write_text("")  # an error, or datasets would load the folder too
    said = [(f.level, f.place, f.message) for f in check(tmp_path / "out")]
    assert ("warning", "mathopeval/mc", f"holds {len(rows)} of the benchmark's 10,293 rows") in said


@pytest.mark.parametrize(
    ("framework", "said"),
    [
        ("inspect-ai", []),
        (None, ["names no evaluation_framework, which the Hub asks for (hub build --framework NAME)"]),
        ("lm-eval", ["evaluation_framework 'lm-eval' is not on the Hub's list of them"]),
    ],
)
def test_the_framework_of_the_tasks_is_one_that_the_hub_knows(tmp_path, framework, said):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    build("mathvision", str(source), tmp_path / "out", splits=["test"], framework=framework)
    (tmp_path / "out" / "README.md").write_text("---\n---\n")  # an error, or datasets would load the folder too
    found = [(f.level, f.message) for f in check(tmp_path / "out") if f.place == "eval.yaml"]
    assert [message for level, message in found if level == "warning"] == said


@pytest.mark.slow
def test_new_oddities_are_warnings(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 6, **{"2": {"answer": "G"}})
    build("mathvision", str(source), tmp_path / "out", splits=["test"])
    found = list(check(tmp_path / "out"))
    assert [(f.level, f.message) for f in found] == [("warning", "gold_outside_choices in rows not known for it: 2")]


def test_rows_without_their_pictures_are_counted(tmp_path):
    source = upstream_folders.mathvision(tmp_path / "source", 6)
    (source / "images" / "4.jpg").unlink()
    for pictures, count in (("available", 1), ("none", 6)):
        build("mathvision", str(source), tmp_path / pictures, splits=["test"], pictures=pictures)
        (tmp_path / pictures / "eval.yaml").unlink()  # an error, or datasets would load the folder too
        found = {f"{f.place}: {f.message}": f.level for f in check(tmp_path / pictures)}
        # A set without any picture is none of these benchmarks.
        level = "error" if count == 6 else "warning"
        assert found[f"mathvision/test: {count} of 6 rows lack a picture"] == level


def test_rows_are_counted_though_an_id_repeats(copy):
    path = next((copy / "data" / "mathvision").glob("test-*.parquet"))
    table = pq.read_table(path)
    bare = [{**row, "decoded_image": None} for row in table.slice(0, 1).to_pylist()]
    pq.write_table(pa.concat_tables([pa.Table.from_pylist(bare * 2, schema=table.schema), table.slice(2)]), path)
    said = {f.message for f in check(copy) if f.level == "warning"}
    assert f"2 of {table.num_rows} rows lack a picture" in said


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (None, "expected an object, got list$"),
        ({"more": 1}, "unknown field 'more'$"),
        ({"files": []}, r"files should be Mapping.*, is \[\]$"),
        ({"version": 1}, "version should be str, is 1$"),
        ({"format": True}, "format should be int, is True$"),
        ({"benchmark": "chess"}, "the benchmark 'chess' is unknown$"),
        ({"options": {"splits": "test"}}, "the splits of options should be a list$"),
        ({"files": {"README.md": {"size": 3}}}, r"the file README\.md should have size and sha256$"),
        ("[" * 100_000, "Brackets nested too deep"),
        (f'{{"format": {"9" * 5000}}}', "A number of too many digits"),
        ("\udcff", "'utf-8' codec can't decode"),
    ],
)
def test_a_record_that_is_none_is_one_message(copy, changes, message):
    path = copy / manifest.NAME
    if not isinstance(changes, str):
        changes = json.dumps(json.loads(path.read_text()) | changes if changes else [])
    path.write_text(changes, errors="surrogateescape")
    with pytest.raises(InputError, match=rf"build\.json: not the record of a build: {message}"):
        list(check(copy))


def test_a_folder_that_was_not_built_is_no_case_for_it(tmp_path):
    with pytest.raises(InputError, match=r"no build\.json"):
        list(check(tmp_path))


@pytest.mark.slow
def test_datasets_itself_is_asked(copy):
    edit(copy, "README.md", "num_examples: 120", "num_examples: 121")
    report = loading.load(copy, layout(Folder(copy)), sys.executable)
    assert "NonMatchingSplitsSizesError" in report["errors"]["default/test"]


def test_an_interpreter_that_cannot_be_asked_is_named(whole, tmp_path):
    with pytest.raises(InputError, match="nowhere: cannot be run"):
        loading.load(whole, layout(Folder(whole)), str(tmp_path / "nowhere"))
