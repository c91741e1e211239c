import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from mmmath_tasks import contract, papers
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import check as checking
from mmmath_tasks.hub_datasets.publishing import loading, manifest
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.check import check
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout
from mmmath_tasks.hub_datasets.publishing.upstream import sha256
from mmmath_tasks.hub_datasets.publishing.writer import SplitWriter
from support import sample_rows, upstream_folders

pytestmark = pytest.mark.medium

PARQUET = "data/mathvision/test-00000-of-00001.parquet"


PROBLEMS = papers.problems


@pytest.fixture(scope="module", autouse=True)
def of_any_size():
    """Let a few rows be a whole set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "problems", lambda name, split: None)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("check")
    build("mathvision", str(upstream_folders.mathvision(folder / "source", 120)), folder / "out", splits=["test"])
    return folder / "out"


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few")
    build("mathvision", str(upstream_folders.mathvision(folder / "source", 6)), folder / "out", splits=["test"])
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


def card(pattern, replacement):
    return lambda folder: edit(folder, "README.md", pattern, replacement)


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


HALF = PARQUET.replace("of-00001", "of-00002")
STRANGE = "data/mathvision/test-x.parquet"
SUBJECTS = "data/mathvision_subjects/metadata-00000-of-00001.parquet"
CONFIGS = ("default", "mathvision", "mathvision_levels", "mathvision_subjects")
BOTH = CONFIGS[:2]
LOST, FOREIGN = "is in build.json but not in the folder", "was not built: not in build.json"
MISSING = "is missing: results on model cards name its tasks"
CAST = "has other columns than dataset_info of default says; they would be cast"
UNREAD = "README.md: the configurations cannot be read: .*README.md: "
TASKS_UNREAD = "eval.yaml: cannot be read: "
NO_INFO = "README.md: configuration {} has no dataset_info: datasets 3 needs it"
INFO_UNREAD = "README.md: {}: its dataset_info cannot be read: 'features'"
OWN = f"{PARQUET}: its own description of the columns differs from dataset_info"
DAMAGED = f"{PARQUET}: not a whole parquet file: Parquet magic bytes not found.*"
HOLD = "{}/test: README.md says {} rows, the files hold {}: loading raises"
ALSO = "README.md: {}/test: its pattern also takes {}"
PROMISE = "README.md: {}/test: 1 files, their names promise more"
REPEATS = "mathvision/test: row {}: the id {} repeats"
SECOND = "mathvision/test: row 2: column 'decoded_image': "
FAULTS = {
    # what breaks the folder, and all that is found then
    "file lost": (lambda f: (f / "eval.yaml").unlink(), [f"eval.yaml: {LOST}", f"eval.yaml: {MISSING}"]),
    "file foreign": (lambda f: (f / "notes.txt").write_text("x"), [f"notes.txt: {FOREIGN}"]),
    "wrong count": (card("num_examples: 6", "num_examples: 7"), [HOLD.format("default", 7, 6)]),
    "wrong type": (card("(name: level\n +dtype: )int64", r"\1string"), [f"{PARQUET}: {CAST}", OWN]),
    "no dataset_info": (
        card("^dataset_info:.*?^configs:", "configs:"),
        ["README.md: the YAML has no dataset_info", *map(NO_INFO.format, CONFIGS), *map(INFO_UNREAD.format, CONFIGS)],
    ),
    "no licence": (
        card("^license: mit\n", ""),
        ["README.md: the YAML has no license", "README.md: license is None, expected 'mit'"],
    ),
    "other licence": (card("^license: mit", "license: gpl"), ["README.md: license is 'gpl', expected 'mit'"]),
    "broken YAML": (card("^license: mit", "license: [mit"), [f"{UNREAD}broken YAML: .*"]),
    "a date that is none": (card("^license: mit", "license: 2024-13-01"), [f"{UNREAD}broken YAML: .*month.*"]),
    "nested": (card("^license: mit", f"license: {'[' * 2000}"), [f"{UNREAD}broken YAML: brackets nested too deep"]),
    "a truth that is none": (card("^license: mit", "license: !!bool x"), [f"{UNREAD}broken YAML: .*'x'"]),
    "tasks nested": (lambda f: (f / "eval.yaml").write_text("[" * 2000), [f"{TASKS_UNREAD}brackets nested too deep"]),
    "no UTF-8": (lambda f: spoil(f, "README.md", b"\xff"), [rf"{UNREAD}not UTF-8 text at byte \d+"]),
    "tasks no UTF-8": (lambda f: spoil(f, "eval.yaml", b"\xff"), [f"{TASKS_UNREAD}.* byte 0xff in position .*"]),
    "no configurations": (
        card("^configs:.*?^(?=dataset_info:|---)", "configs: [none]\n"),
        [f"{UNREAD}`configs` should be a list of config_name and data_files, .*"],
    ),
    "own description": (
        lambda f: rewrite(f, features=pq.read_schema(f / PARQUET).with_metadata({"huggingface": "[" * 100_000})),
        [OWN, OWN],
    ),
    "no default": (card("^  default: true\n", ""), [r"README.md: one configuration must be the default, found \[\]"]),
    "two defaults": (
        card("^- config_name: mathvision_levels\n  data", "- config_name: mathvision_levels\n  default: true\n  data"),
        [r"README.md: one configuration must be the default, found \['default', 'mathvision_levels'\]"],
    ),
    "wide pattern": (
        lambda f: shutil.copy(f / PARQUET, f / STRANGE),
        [
            *(f"{STRANGE}: {FOREIGN}", *(ALSO.format(config, STRANGE) for config in BOTH)),
            *(*(HOLD.format(config, 6, 12) for config in BOTH), *(REPEATS.format(n + 6, n) for n in range(1, 7))),
        ],
    ),
    "bare pattern": (
        card(r"mathvision/test-\*", "mathvision/nothing-*"),
        ["README.md: default/test: no file matches its pattern", HOLD.format("default", 6, 0)],
    ),
    "of no configuration": (
        card(r"^- config_name: mathvision_subjects\n  data_files:.*?^(?=---)", ""),
        [f"{SUBJECTS}: belongs to no configuration of README.md"],
    ),
    "half a set": (
        lambda f: (f / PARQUET).rename(f / HALF),
        [f"{HALF}: {FOREIGN}", f"{PARQUET}: {LOST}", *(PROMISE.format(config) for config in BOTH)],
    ),
    "a name with a space": (
        card(r"mathvision_subjects(?=\n  data_files)", "a b"),
        ["README.md: a configuration may not be called 'a b'", NO_INFO.format("a b"), INFO_UNREAD.format("a b")],
    ),
    "a split with a dash": (
        card(r"(mathvision_subjects\n  data_files:\n  - split: )metadata", r"\1meta-data"),
        [
            "README.md: mathvision_subjects: a split may not be called 'meta-data'",
            f"README.md: mathvision_subjects/meta-data: its pattern also takes {SUBJECTS}",
            "mathvision_subjects/meta-data: README.md says None rows, the files hold 16: loading raises",
        ],
    ),
    "no paper": (
        card("https://arxiv.org/abs/", "arXiv "),
        ["README.md: the body has no link to the paper, from which the Hub makes its arXiv tag"],
    ),
    "unfilled": (card(r"\Z", "{{more}}"), ["README.md: {{more}} was not filled in"]),
    "task of nowhere": (
        lambda f: edit(f, "eval.yaml", "split: test", "split: train"),
        ["eval.yaml: task mathvision_test: there is no split mathvision/train"],
    ),
    "a task twice": (
        lambda f: edit(f, "eval.yaml", "mathvision_test_text_only", "mathvision_test_text"),
        ["eval.yaml: two tasks have the same id"],
    ),
    "local path": (card(r"\Z", "made in /home/me/data"), ["README.md: holds a path of this machine: /home/"]),
    "not embedded": (
        lambda f: rewrite(f, picture(bytes=None)),
        [f"{SECOND}the picture is not embedded, only its path 2.jpg"],
    ),
    "picture path": (
        lambda f: rewrite(f, picture(path="/a/b.jpg")),
        [f"{SECOND}the picture's path /a/b.jpg is more than a name"],
    ),
    "broken picture": (
        lambda f: rewrite(f, picture(bytes=b"GIF89a")),
        ["mathvision/test: row 2: the picture does not open: .*"],
    ),
    "lost row": (lambda f: rewrite(f, lambda rows: rows[:-1]), [HOLD.format(config, 6, 5) for config in BOTH]),
    "repeated id": (lambda f: rewrite(f, lambda rows: [*rows[:-1], rows[0]]), [REPEATS.format(6, 1)]),
    "damaged": (
        lambda f: (f / PARQUET).write_bytes((f / PARQUET).read_bytes()[:-9]),
        [DAMAGED, DAMAGED, f"mathvision/test: .*{DAMAGED}"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_and_nothing_else(few, tmp_path, monkeypatch, name):
    break_it, wanted = FAULTS[name]
    monkeypatch.setattr(checking, "_loads", lambda *_: [])
    folder = shutil.copytree(few, tmp_path / "copy")
    break_it(folder)
    found = list(check(sealed(folder)))
    assert {f.level for f in found} == {"error"}
    said = [f"{f.place}: {f.message}" for f in found]
    assert len(said) == len(wanted), said
    for line, pattern in zip(said, wanted, strict=True):
        assert line == pattern or re.fullmatch(pattern, line, re.DOTALL), line


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
    rewrite(copy, group=100 + more)
    found = errors(sealed(copy))
    assert any("a row group has more than 100 rows: the viewer fails on pictures" in line for line in found) == more


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
    assert ("warning", "mathopeval/mc", f"holds {len(rows)} rows, the benchmark has 10,293") in said


@pytest.mark.parametrize(("rows", "task"), [(303, "testmini_partial"), (304, "testmini"), (305, "testmini")])
def test_rows_too_few_and_too_many_are_seen(tmp_path, monkeypatch, rows, task):
    monkeypatch.setattr(papers, "problems", PROBLEMS)
    source = upstream_folders.mathvision(tmp_path / "source", rows, "testmini")
    build("mathvision", str(source), tmp_path / "out", splits=["testmini"])
    tasks = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text())["tasks"]
    assert f"mathvision_{task}" in {found["id"] for found in tasks}
    (tmp_path / "out" / "more.txt").write_text("")  # an error, or datasets would load the folder too
    said = [(f.place, f.message) for f in check(tmp_path / "out") if f.level == "warning"]
    expected = ("mathvision/testmini", f"holds {rows} rows, the benchmark has 304")
    assert said == [expected] * (rows != 304)


def test_an_empty_question_is_seen_but_for_one_that_is_drawn(tmp_path):
    upstream_folders.mathvision(tmp_path / "vision", 6, **{"2": {"question": " "}})
    verse = upstream_folders.mathverse(tmp_path / "verse") / "testmini.json"
    rows = json.loads(verse.read_text())
    verse.write_text(
        json.dumps([{**row, "question": "" if row["sample_index"] == "6" else row["question"]} for row in rows])
    )
    assert [row["sample_index"] for row in rows if not row["question"]] == ["5", "10", "15"]
    for name, split, odd in (("mathvision", "test", "2"), ("mathverse", "testmini", "6")):
        build(name, str(tmp_path / name.removeprefix("math")), tmp_path / name, splits=[split])
        (tmp_path / name / "more.txt").write_text("")
        said = [f.message for f in check(tmp_path / name) if f.level == "warning"]
        assert said == [f"no_question in rows not known for it: {odd}"]


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
        why = "; built with --pictures none: for use here, not to be published" if count == 6 else ""
        assert found[f"mathvision/test: {count} of 6 rows lack a picture{why}"] == level


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


def test_a_record_is_sorted_and_has_words_and_lines_that_people_can_read():
    record = manifest.Manifest("mathvision", "1.2", {"id": "ü/x", "commit": "c"}, {}, {}, {}, {}, tag="t")
    assert (
        record.to_bytes().decode()
        == """{
 "anomalies": {},
 "benchmark": "mathvision",
 "configs": {},
 "files": {},
 "format": 1,
 "options": {},
 "source": {
  "commit": "c",
  "id": "ü/x"
 },
 "tag": "t",
 "version": "1.2"
}
"""
    )


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


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("""echo '{"datasets": "1.3", "errors": {}}'; kill -9 $$""", {"datasets": "1.3", "errors": {}}),
        ("""echo '{"datasets": "1.3", "err'; echo First >&2; echo Killed >&2; exit 1""", "python: Killed"),
        ("kill -9 $$", "python: ended with status -9 and no report"),
        ("exit 0", "python: ended with status 0 and no report"),
    ],
)
def test_a_whole_report_counts_however_its_process_ends(whole, tmp_path, script, expected):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    if isinstance(expected, dict):
        assert loading.load(whole, {}, str(python)) == expected
    else:
        with pytest.raises(InputError, match=f"{expected}$"):
            loading.load(whole, {}, str(python))


TOLD = """#!{python} -ISs
import json, os, sys
told = {{"words": sys.argv[1:], "wanted": json.load(sys.stdin), "environment": dict(os.environ)}}
json.dump({{**told, "here": os.path.isdir(os.environ["HF_HOME"])}}, sys.stdout)
"""


@pytest.mark.parametrize("room", [-1, 0])
def test_an_interpreter_is_told_what_to_load_in_a_home_of_its_own(few, tmp_path, monkeypatch, room):
    for name in ("HF_TOKEN", "HF_HOME", "PYTHONPATH", "OTHER"):
        monkeypatch.setenv(name, "users")
    size = sum(path.stat().st_size for path in few.glob("data/*/*.parquet"))
    monkeypatch.setattr(loading, "WHOLE", size + room)
    python = tmp_path / "python"
    python.write_text(TOLD.format(python=sys.executable))
    python.chmod(0o755)
    told = loading.load(few, {"c": {"s": [PARQUET], "twice": [PARQUET, PARQUET]}}, str(python))
    splits = [["c", "s", 6], ["c", "twice", 12]]
    assert told["wanted"] == {"repo": str(few.resolve()), "splits": splits, "whole": room == 0}
    assert (told["words"], told["here"]) == ([loading.__file__], True)
    environment = told["environment"]
    assert not Path(environment.pop("HF_HOME")).exists()
    ours = {name: value for name, value in environment.items() if name.startswith(("HF_", "PYTHON", "OTHER"))}
    assert ours == {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OTHER": "users"}


def test_every_split_is_loaded_with_streaming_and_without_and_no_picture_decoded(tmp_path, monkeypatch):
    import datasets

    features = datasets.Features({"id": datasets.Value("string"), "picture": datasets.Image()})
    with SplitWriter(tmp_path / "rows" / "data", "test", features) as writer:
        for number in range(3):
            writer.add({"id": str(number), "picture": {"bytes": b"no picture", "path": None}})
    real, asked = datasets.load_dataset, []

    def load(*words, **options):
        asked.append((*words, *options.values()))
        if words[1] == "bad":
            raise TypeError("a\n  b" + "x" * 400)
        return real(*words, **options, cache_dir=str(tmp_path / "cache"))

    monkeypatch.setattr(datasets, "load_dataset", load)
    repo = str(tmp_path / "rows")
    assert loading._errors(repo, [("default", "test", 3)], whole=True) == {}
    assert asked == [(repo, "default", "test", False), (repo, "default", "test", True)]
    splits = [("default", "test", 4), ("bad", "test", 3)]
    assert loading._errors(repo, splits, whole=False) == {
        "default/test": "3 rows in place of 4 (streaming=True)",
        "bad/test": f"TypeError: a b{'x' * 297}",
    }
    assert asked[2:] == [(repo, "default", "test", True), (repo, "bad", "test", True)]
    monkeypatch.setattr(datasets.IterableDataset, "__iter__", lambda self: iter("abcd"))
    assert loading._errors(repo, splits[:1], whole=True) == {"default/test": "3 rows in place of 4 (streaming=False)"}


KILLS = """
import atexit, os, signal
__version__, disable_progress_bars = "1.2", int
atexit.register(os.kill, os.getpid(), signal.SIGKILL)
"""


def test_a_library_cannot_kill_the_asked_process_after_its_report(tmp_path):
    (tmp_path / "datasets.py").write_text(KILLS)
    words, wanted = [sys.executable, loading.__file__], json.dumps({"repo": "", "splits": [], "whole": True})
    done = subprocess.run(words, input=wanted, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"datasets": "1.2", "errors": {}})
