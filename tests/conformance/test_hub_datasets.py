"""The authors' own rows, built, checked, published, loaded back, evaluated: everything as a user does it."""

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.check import check
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.hub_datasets.publishing.publish import Changes, publish
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, rows
from support import loaded_rows
from support.upstream_folders import content

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's own way to upload

# What of each set lies there: the pictures of MATH-V's testmini and of some We-Math problems, none of MathVista.
SETS = {
    "mathvista": ("none", ["testmini"]),
    "mathvision": ("available", ["test", "testmini"]),
    "mathverse": ("require", ["testmini_text_only"]),
    "wemath": ("available", ["testmini"]),
}


@pytest.fixture(scope="module")
def built(shared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    for name, (pictures, splits) in SETS.items():
        build(name, str(shared / "data" / name), folder / name, pictures=pictures, splits=splits)
    return folder


# Where the authors' repositories have what lies there, and the one command that builds it.
CLONES = {
    "mathvista": ({"data": "."}, ("--pictures", "none", "--splits", "testmini")),
    "mathvision": (
        {"data/test.jsonl": "test.jsonl", "data/testmini.jsonl": "testmini.jsonl", "images": "images"},
        ("--splits", "testmini"),
    ),
    "mathverse": ({".": "."}, ("--splits", "testmini_text_only")),
    "wemath": (
        {
            "data/testmini.json": "testmini.json",
            "data/knowledge_structure_nodes.json": "knowledge_structure_nodes.json",
            "data/2steps": "images/2steps",
            "data/3steps": "images/3steps",
        },
        ("--pictures", "available"),
    ),
}


@pytest.mark.parametrize("name", CLONES)
def test_a_clone_of_the_authors_repository_builds_with_one_command(shared, tmp_path, built, name):
    places, words = CLONES[name]
    for place, there in places.items():
        target = tmp_path / "clone" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        found = shared / "data" / name / there
        (shutil.copytree if found.is_dir() else shutil.copy)(found, target)
    assert (
        main(["hub", "build", name, "--source", str(tmp_path / "clone"), "--out", str(tmp_path / "out"), *words]) == 0
    )
    files = list((tmp_path / "out" / "data" / edition(name).configs.get(words[-1], name)).glob("*.parquet"))
    assert len(files) == 1
    for file in files:
        assert file.read_bytes() == (built / name / file.relative_to(tmp_path / "out")).read_bytes()


def table(text, title):
    """Return the lines of a statistics table of a card: name to cells."""
    part = text.split(f"### {title}", 1)[1].split("\n#", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][2:]
    return {
        cells[0].strip(): [c.strip() for c in cells[1:]] for cells in (line.strip("|").split(" | ") for line in lines)
    }


@pytest.mark.parametrize("name", SETS)
def test_every_row_and_picture_is_upstreams(built, shared, name):
    module, config = import_module(f"mmmath_tasks.hub_datasets.{name}"), edition(name).configs
    for split in SETS[name][1]:
        files = sorted((built / name / "data" / config.get(split, name)).glob(f"{split}-*"))
        found = rows(Folder(built / name), [str(f.relative_to(built / name)) for f in files])
        for row, wanted in zip(found, module.read(shared / "data" / name, split), strict=True):
            for column, value in row.items():
                want = wanted.get(column)
                if isinstance(want, dict) and "bytes" in want:
                    path = Path(want["path"])
                    there = path.exists() and SETS[name][0] != "none"
                    want = {"bytes": path.read_bytes(), "path": path.name} if there else None
                if isinstance(want, dict) and isinstance(value, dict) and "bytes" not in want:
                    value = {key: item for key, item in value.items() if key in want or item is not None}
                assert value == want, (split, column)


def test_what_lies_there_is_what_was_built(built):
    counts = {name: json.loads((built / name / "build.json").read_text())["configs"] for name in SETS}
    splits = {
        (name, split): counts[name][edition(name).configs.get(split, name)][split]["rows"]
        for name, (_, built_splits) in SETS.items()
        for split in built_splits
    }
    assert splits == {
        ("mathvista", "testmini"): 1000,
        ("mathvision", "test"): 3040,
        ("mathvision", "testmini"): 304,
        ("mathverse", "testmini_text_only"): 788,
        ("wemath", "testmini"): 1740,
    }
    extras = {c: s["metadata"]["rows"] for found in counts.values() for c, s in found.items() if "metadata" in s}
    assert extras == {
        "mathvista_sources": 31,
        "mathvision_subjects": 16,
        "mathvision_levels": 5,
        "mathverse_versions": 6,
        "wemath_knowledge_cards": 67,
    }


def test_only_known_oddities_are_found(built):
    for name in SETS:
        assert [f for f in check_rows(built / name) if f] == []


def check_rows(folder):
    from mmmath_tasks.hub_datasets.publishing.anomalies import Anomalies

    record = json.loads((folder / "build.json").read_text())
    return Anomalies.of(record["anomalies"], edition(record["benchmark"]).known).new()


def test_the_cards_hold_the_papers_figures_and_where_ours_differ(built):
    vision = table((built / "mathvision" / "README.md").read_text(), "Key statistics (Appendix B)")
    same = {name for name, (paper, test, *_) in vision.items() if paper == test}
    assert {
        "Questions",
        "- multiple-choice",
        "- free-form",
        "Images",
        "Unique answers",
        "Longest question (words)",
    } <= same
    assert vision["- multiple-choice, answer C"][:2] == ["320 (20.9%)", "318 (20.8%)"]
    vista = table((built / "mathvista" / "README.md").read_text(), "Key statistics (Table 1)")
    assert (vista["Longest answer (words)"][:2], vista["Source data sets"][:2]) == (["27", "27"], ["31", "31"])
    assert vista["- newly annotated"][:2] == ["736 (12.0%)", "118 (11.8%)"]
    verse = table((built / "mathverse" / "README.md").read_text(), "Key statistics (Table 1)")
    assert verse["Longest question (characters)"][:2] == ["1,311", "1,311"]
    we = table((built / "wemath" / "README.md").read_text(), "Key statistics (Table 5)")
    assert [we[name][1] for name in ("- one-step problems", "- two-step problems", "- three-step problems")] == [
        "1,215",
        "360",
        "165",
    ]


def test_the_knowledge_cards_follow_from_the_data_without_loss(built, shared):
    files = ["data/wemath_knowledge_cards/metadata-00000-of-00001.parquet"]
    cards = {card["concept"]: card for card in rows(Folder(built / "wemath"), files)}
    steps = [r for r in json.loads((shared / "data/wemath/testmini.json").read_text()) if "multi" not in r["key"]]
    for row in steps:
        assert cards[row["knowledge concept"]]["description"] == row["knowledge concept description"]
    assert sum(card["questions"] for card in cards.values()) == len(steps) == 1215
    nodes = json.loads((shared / "data/wemath/knowledge_structure_nodes.json").read_text())
    paths = {tuple(node[f"root{n}"] for n in range(1, 5) if node.get(f"root{n}")) for node in nodes}
    assert {tuple(card["path"]) for card in cards.values()} == paths


def test_two_builds_are_byte_identical(built, shared, tmp_path):
    for name, (pictures, splits) in SETS.items():
        build(name, str(shared / "data" / name), tmp_path / name, pictures=pictures, splits=splits)
        assert content(tmp_path / name) == content(built / name)


def test_the_subjects_levels_and_sources_are_those_of_the_rows(built):
    for name, config in (("mathvision", "subjects"), ("mathvision", "levels"), ("mathvista", "sources")):
        files = [f"data/{name}_{config}/metadata-00000-of-00001.parquet"]
        counts = [row["testmini"] for row in rows(Folder(built / name), files)]
        assert sum(counts) == {"mathvision": 304, "mathvista": 1000}[name]
        assert all(counts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lacking"),
    [
        (
            "mathvista",
            [
                "mathvista/testmini: 1,000 of 1,000 rows lack a picture; built with --pictures none: for use here, not "
                "to be published"
            ],
        ),
        ("mathvision", ["mathvision/test: 2,736 of 3,040 rows lack a picture"]),
        ("mathverse", []),
        ("wemath", ["wemath/testmini: 1,540 of 1,740 rows lack a picture"]),
    ],
)
def test_a_check_finds_nothing_but_the_pictures_that_lack(built, name, lacking):
    assert [f"{finding.place}: {finding.message}" for finding in check(built / name)] == lacking


@pytest.mark.slow
def test_from_upstreams_files_to_the_hub_and_back(built, hub, tmp_path):
    wanted = {}
    for name in SETS:
        repo = f"org/{name}"
        publish(built / name, repo, api=hub.api())
        assert publish(built / name, repo, api=hub.api()).changes == Changes()
        for (config, split), found in loaded_rows.from_folder(built / name).items():
            wanted |= {(repo, config, split, streaming): found for streaming in (False, True)}
    asked = sorted({key[:3] for key in wanted})
    assert loaded_rows.from_hub(hub.environment(tmp_path / "home"), asked) == wanted


@pytest.mark.slow
def test_lm_eval_runs_its_tasks_from_the_hub(built, shared, hub, tmp_path):
    """Published under upstream's ids, the sets are what our tasks load: nothing but HF_ENDPOINT says where from."""
    tasks = {
        "mathvista_testmini_text": built / "mathvista",
        "mathvision_testmini": built / "mathvision",
        "mathverse_testmini_text_only": built / "mathverse",
        "wemath_testmini": tmp_path / "wemath",
    }
    # We-Math's task wants a picture for every row: the 60 problems whose pictures lie there.
    source, images = tmp_path / "source", shared / "data" / "wemath" / "images"
    shutil.copytree(images, source / "images")
    steps = json.loads((shared / "data" / "wemath" / "testmini.json").read_text())
    pictured = [row for row in steps if (images / row["image_path"]).exists()]
    (source / "testmini.json").write_text(json.dumps(pictured))
    build("wemath", str(source), tasks["wemath_testmini"])
    commits = {}
    for task, folder in tasks.items():
        repo = import_module(f"mmmath_tasks.hub_datasets.{folder.name}").HUB_ID
        commits[task] = f"{repo}@{publish(folder, repo, api=hub.api()).commit}"
    script = """
import json, sys
import lm_eval
from lm_eval.tasks import TaskManager
from mmmath_tasks.harnesses.lm_eval_plugin import register, tasks_folder
from mmmath_tasks.harnesses.lm_eval_results import scorecards
register()
manager = TaskManager(include_defaults=False, include_path=str(tasks_folder()))
found = {}
for task in sys.argv[1:]:
    results = lm_eval.simple_evaluate("mmmath-random-chance", "", [task], task_manager=manager, log_samples=False)
    card = scorecards(results)[task]
    found[task] = [results["n-samples"][task]["effective"], card.provenance["data_revision"]]
print(json.dumps(found))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, *tasks],
        env=hub.environment(tmp_path / "home"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {
        task: [count, commits[task]] for task, count in zip(tasks, (1000, 304, 788, 200), strict=True)
    }
