"""From upstream's files to a repo and back by the real load_dataset."""

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mmmath_tasks import contract
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.publish import publish
from support import loaded_rows, sample_rows, upstream_folders

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),  # the client's own way to upload
]


def test_rows_come_back_from_the_hub_as_they_were_built(hub, tmp_path):
    verse, vision = tmp_path / "verse", tmp_path / "vision"
    build("mathverse", str(upstream_folders.mathverse(tmp_path / "a", 30)), verse)
    build(
        "mathvision", str(upstream_folders.mathvision(tmp_path / "b", 130)), vision, splits=["test"], shard_bytes=20_000
    )
    wanted = {}
    for repo, folder in (("org/mathverse", verse), ("org/mathvision", vision)):
        publish(folder, repo, api=hub.api())
        for (config, split), rows in loaded_rows.from_folder(folder).items():
            wanted |= {(repo, config, split, streaming): rows for streaming in (False, True)}
    # code written for upstream's repos: no configuration, and MathVerse's own names
    for config, split in ((None, "testmini"), ("testmini", "testmini"), ("testmini_text_only", "testmini_text_only")):
        same = "mathverse" if split == "testmini" else "mathverse_text_only"
        wanted |= {("org/mathverse", config, split, s): wanted["org/mathverse", same, split, s] for s in (False, True)}
    asked = sorted({key[:3] for key in wanted}, key=str)
    assert loaded_rows.from_hub(hub.environment(tmp_path / "home"), asked) == wanted


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("mathvista", {"default": "mathvista"}),
        ("mathvision", {"default": "mathvision"}),
        ("wemath", {"default": "wemath", "knowledge": "wemath_knowledge_cards"}),
    ],
)
def test_code_written_for_upstreams_repo_runs_on_ours(hub, tmp_path, name, aliases):
    """Every configuration and alias, with streaming and without; an alias costs no file."""
    out = tmp_path / "out"
    rows, split = sample_rows.rows(name), contract.rows(name).SPLITS[-1 if name == "mathvision" else 0]
    source = tmp_path / "source"
    source.mkdir()
    schema = contract.rows(name).features(split).arrow_schema
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), source / f"{split}.parquet")
    build(name, str(source), out, splits=[split])
    publish(out, "org/set", api=hub.api())
    held = loaded_rows.from_folder(out)
    asked = [*((config, of) for config, of in held), (None, split)]
    found = loaded_rows.from_hub(hub.environment(tmp_path / "home"), [("org/set", *pair) for pair in asked])
    wanted = {**held, (None, split): held[name, split]}
    for alias, config in aliases.items():
        of = split if config == name else "metadata"
        assert held[alias, of] == held[config, of]
    assert found == {("org/set", *pair, s): wanted[pair] for pair in asked for s in (False, True)}
    assert {path.name for path in (out / "data").iterdir()}.isdisjoint(aliases)


def test_a_published_repo_can_be_built_from_and_compared_with(hub, tmp_path):
    build("mathvision", str(upstream_folders.mathvision(tmp_path / "a", 30)), tmp_path / "first", splits=["test"])
    commit = publish(tmp_path / "first", "org/mathvision", api=hub.api(), tag="v1").commit
    command = [sys.executable, "-m", "mmmath_tasks", "hub"]
    environment = hub.environment(tmp_path / "home")

    def run(*words):
        return subprocess.run([*command, *words], env=environment, capture_output=True, text=True, check=False)

    done = run(
        "build",
        "mathvision",
        "--source",
        "hf://datasets/org/mathvision@v1",
        "--splits",
        "test",
        "--out",
        str(tmp_path / "second"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads((tmp_path / "second" / "build.json").read_text())
    assert record["source"] == {"kind": "hub", "id": "org/mathvision", "revision": "v1", "commit": commit}
    assert f"at commit `{commit}`" in (tmp_path / "second" / "README.md").read_text()
    same = run("diff", str(tmp_path / "second"), "hf://datasets/org/mathvision")
    assert (same.returncode, same.stdout.splitlines()[0]) == (0, "mathvision/test: 0 added, 0 removed, 0 changed")
    build("mathvision", str(upstream_folders.mathvision(tmp_path / "a", 31)), tmp_path / "third", splits=["test"])
    other = run("diff", "hf://datasets/org/mathvision@v1", str(tmp_path / "third"))
    assert (other.returncode, other.stdout.splitlines()[:2]) == (
        1,
        ["mathvision/test: 1 added, 0 removed, 0 changed", "  + 31"],
    )
    gone = run("diff", "hf://datasets/org/mathvision@v9", str(tmp_path / "third"))
    assert gone.returncode == 2
    assert gone.stderr.startswith("mmmath: read hf://datasets/org/mathvision@v9: the Hub refused: no such branch")
