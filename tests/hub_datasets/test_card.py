"""Cards: what the Hub and datasets read in them, what people read, the tasks that results name."""

import json
import re
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from mmmath_tasks import hub_datasets, papers
from mmmath_tasks.hub_datasets.publishing.anomalies import KINDS
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.card import _anomalies, _results, _size, _source, table
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, front_matter
from support import upstream_folders

PUBLISHED = ("mathvista", "mathvision", "mathverse", "wemath")
CARDS = Path(hub_datasets.__path__[0]) / "cards"


@pytest.fixture(scope="module")
def verse(tmp_path_factory):
    folder = tmp_path_factory.mktemp("card")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "problems", lambda name, split: None)  # four problems are a whole set
        build("mathverse", str(upstream_folders.mathverse(folder / "source", 4)), folder / "out", repo="org/verse")
    return folder / "out"


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_prose_explains_every_column_and_has_every_part(name):
    module = import_module(f"mmmath_tasks.hub_datasets.{name}")
    prose = (CARDS / f"{name}.md").read_text()
    explained = set(re.findall(r"^\| `([^`]+)` \|", prose, re.MULTILINE))
    assert explained == {column for split in module.SPLITS for column in module.features(split)}
    marks = {"title", "paper", "configs", "load", "hub_id", "statistics", "anomalies", "results", "source"}
    assert set(re.findall(r"\{\{(\w+)\}\}", prose)) == marks
    assert {"Loading", "Columns", "Statistics", "Known errors", "Origin", "Citation"} <= set(
        re.findall(r"^## (.+)$", prose, re.M)
    )
    assert "## Licence, and whose the pictures are" in prose


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_split_is_told_apart(name):
    module, known = import_module(f"mmmath_tasks.hub_datasets.{name}"), edition(name)
    assert set(known.split_notes) == set(module.SPLITS)
    assert set(known.configs) <= set(module.SPLITS)


def test_a_benchmark_without_an_edition_has_a_card_all_the_same(tmp_path, monkeypatch):
    from mmmath_tasks.hub_datasets.publishing import card
    from mmmath_tasks.hub_datasets.publishing import edition as editions

    monkeypatch.setattr(editions, "find_spec", lambda place: None)
    monkeypatch.setattr(card, "_prose", lambda name: (CARDS / "default.md").read_text())
    build("mathvision", str(upstream_folders.mathvision(tmp_path / "source", 3)), tmp_path / "out", splits=["test"])
    text = (tmp_path / "out" / "README.md").read_text()
    assert "{{" not in text
    assert "https://arxiv.org/abs/2402.14804" in text
    assert "| `mathvision` | `test` | 3 |  |\n\nNot in this build: `testmini`.\n" in text


@pytest.mark.parametrize("name", [*PUBLISHED, "mathopeval"])
def test_what_the_hub_sorts_data_sets_by_is_said(name):
    about = edition(name)
    assert set(about.annotations) <= {"crowdsourced", "expert-generated", "found", "machine-generated"}
    assert set(about.sources) <= {"original", "extended"}
    assert "visual-question-answering" in about.task_categories
    assert {"visual-question-answering", "multiple-choice-qa"} <= set(about.task_ids)
    assert "```bibtex" in (CARDS / f"{name}.md").read_text()


def test_datasets_reads_the_same_configurations_columns_and_counts(verse, tmp_path):
    from datasets import get_dataset_config_names, load_dataset_builder

    names = get_dataset_config_names(str(verse), cache_dir=str(tmp_path))
    assert set(names) == {
        "mathverse",
        "mathverse_text_only",
        "mathverse_by_version",
        "mathverse_versions",
        "testmini",
        "testmini_text_only",
    }
    info = load_dataset_builder(str(verse), "mathverse", cache_dir=str(tmp_path)).info
    assert info.features == import_module("mmmath_tasks.hub_datasets.mathverse").features("testmini")
    assert info.splits["testmini"].num_examples == 20
    assert load_dataset_builder(str(verse), cache_dir=str(tmp_path)).config.name == "mathverse"


def test_the_front_matter_is_complete(verse):
    from datasets import Features

    matter, record = front_matter(Folder(verse)), json.loads((verse / "build.json").read_text())
    assert {key: found for key, found in matter.items() if key not in ("dataset_info", "configs")} == {
        "pretty_name": "MathVerse",
        "license": "mit",
        "language": ["en"],
        "annotations_creators": ["expert-generated"],
        "source_datasets": ["original", "extended"],
        "task_categories": ["visual-question-answering", "question-answering", "multiple-choice"],
        "task_ids": ["visual-question-answering", "closed-domain-qa", "multiple-choice-qa"],
        "size_categories": ["n<1K"],
        "tags": [
            *("benchmark", "mathematics", "multimodal-reasoning"),
            *("visual-question-answering", "geometry", "functions"),
        ],
    }
    names = {name: name for name in record["configs"]}
    names |= {"testmini": "mathverse", "testmini_text_only": "mathverse_text_only"}
    infos = {info.pop("config_name"): info for info in matter["dataset_info"]}
    assert infos.keys() == names.keys() == {places["config_name"] for places in matter["configs"]}
    module = import_module("mmmath_tasks.hub_datasets.mathverse")
    for places in matter["configs"]:
        name = names[places["config_name"]]
        splits, info = record["configs"][name], infos[places["config_name"]]
        files = {entry["split"]: entry["path"] for entry in places["data_files"]}
        assert files == {split: f"data/{name}/{split}-*" for split in splits}
        assert places.get("default", False) is (places["config_name"] == "mathverse")
        described = Features._from_yaml_list(info.pop("features"))
        if name in ("mathverse", "mathverse_text_only"):
            assert described == module.features("testmini" if name == "mathverse" else "testmini_text_only")
        counts = {one["name"]: {"bytes": one["num_bytes"], "rows": one["num_examples"]} for one in info.pop("splits")}
        assert counts == splits
        assert info == {
            "download_size": sum(path.stat().st_size for path in (verse / "data" / name).iterdir()),
            "dataset_size": sum(n["bytes"] for n in splits.values()),
        }


def test_the_body_says_how_to_load_and_shows_the_papers_figures_beside_ours(verse):
    text = (verse / "README.md").read_text()
    record = json.loads((verse / "build.json").read_text())
    assert (
        f"""## Loading

```python
from datasets import load_dataset

rows = load_dataset("org/verse", split="testmini")
more = load_dataset("org/verse", "mathverse_by_version", split="text_dominant")
more = load_dataset("org/verse", "mathverse_text_only", split="testmini_text_only")
# the same rows for ever: this build is published under this tag
rows = load_dataset("org/verse", split="testmini", revision="{record["tag"]}")
```
"""
        in text
    )
    assert "### Key statistics (Table 1)\n\nThe paper counts 2,612 problems, of which the authors released" in text
    assert "|  | Paper | `testmini` | `testmini_text_only` | Note |\n" in text
    assert "| Problems | 2,612 | 4 | 4 |  |\n" in text
    assert "| Plane Geometry | 1,746 (66.8%) | 4 (100.0%) | 4 (100.0%) | §2.1 |\n" in text
    described = text.split("## Configurations\n\n")[1].split("\n\n## ")[0]
    lines = [line.split(" | ") for line in described.split("\n\n")[0].splitlines()]
    assert lines[:2] == [["| Configuration", "Split", "Rows", " |"], ["| ---", "---", "---", "--- |"]]
    counts = [(name, split, n["rows"]) for name, splits in record["configs"].items() for split, n in splits.items()]
    assert sorted(line[:3] for line in lines[2:]) == sorted(
        [f"| `{name}`", f"`{split}`", f"{rows}"] for name, split, rows in counts
    )
    notes = {line[0].strip("| `"): line[3] for line in lines[2:]}
    assert notes["mathverse"] == "788 problems in five versions, 3,940 rows in upstream's order |"
    assert notes["mathverse_by_version"] == "The same rows with one split for each version, to load a single one. |"
    assert notes["mathverse_versions"].startswith("The six versions of a problem: what its text keeps")
    assert described.endswith(
        "\n\nUnder upstream's names: `testmini` is `mathverse`, `testmini_text_only` is `mathverse_text_only`."
    )
    assert "{{" not in text
    source, described = verse.parent / "source", text.split("## Origin\n\n")[1]
    files = [(name, sha256((source / name).read_bytes()).hexdigest()) for name in FILES]
    origin = "".join(f"| `{name}` | `{digest}` |\n" for name, digest in files)
    assert f"Read from upstream's files:\n\n| File | SHA-256 |\n| --- | --- |\n{origin}" in described
    assert "byte for byte as in the source. Columns and values are upstream's" in described
    errors = text.split("## Known errors\n\n")[1].split("\n## ")[0]
    assert (
        "\n\nNone was found.\n\nGolds out of the ordinary:\n\n| Id | Why |\n| --- | --- |\n| 339 | the option's"
        in errors
    )


def test_known_errors_are_counted_and_the_first_forty_named():
    found = {"test": {"missing_picture": [str(n) for n in range(1041)]}, "x": {"odd": [str(n) for n in range(40)]}}
    built = SimpleNamespace(
        anomalies=SimpleNamespace(to_dict=lambda: found),
        edition=SimpleNamespace(odd_kinds={"odd": "strange | rows"}),
        module=SimpleNamespace(ODD_GOLDS={"7": "a_{1} \\pi*"}),
    )
    first = ", ".join(map(str, range(40)))
    assert _anomalies(built) == (
        "| Split | What | Rows | Which |\n| --- | --- | --- | --- |\n"
        f"| `test` | {KINDS['missing_picture']} | 1,041 | {first}, and 1,001 more |\n"
        f"| `x` | strange \\| rows | 40 | {first} |\n\n"
        "Golds out of the ordinary:\n\n| Id | Why |\n| --- | --- |\n| 7 | a\\_\\{1\\} \\\\pi\\* |"
    )


FILES = ("testmini.json", "testmini_text_only.json")
HUB = {"kind": "hub", "id": "org/them", "commit": "abc"}
MADE = {"kind": "generated", "count": 7, "no_code": True}
SOURCES = [
    (
        HUB,
        "require",
        "Read from [org/them](https://huggingface.co/datasets/org/them) at commit `abc`.\n\nEvery row has",
    ),
    (HUB, "available", "`abc`.\n\nPictures that the source had are embedded byte for byte; the others are null. Col"),
    (
        HUB,
        "none",
        "`abc`.\n\nBuilt without pictures: the picture column is null. Columns and values are upstream's, wr",
    ),
    (MADE, "", "Made by this project's own code; `mmmath hub build x --count 7 --no-code` makes the same again."),
    (
        {**MADE, "seed_digest": "d1"},
        "",
        "`mmmath hub build x --count 7 --no-code --seed-file FILE` makes the same again for those who hold the file: "
        "the seed is secret, so no public code makes the answers. Digest by which sets of one seed are told from those "
        "of another: `d1`.",
    ),
]


@pytest.mark.parametrize(("source", "pictures", "said"), SOURCES)
def test_the_origin_is_told(source, pictures, said):
    built = SimpleNamespace(name="x", made={"source": source, "options": {"pictures": pictures}})
    assert said in _source(built)
    assert ("seed" in _source(built)) == ("seed_digest" in source)


def test_sizes_are_those_of_the_hub():
    counts = [999, 1_000, 9_999, 10_000, 99_999, 100_000, 999_999, 1_000_000]
    assert [_size(count) for count in counts] == [
        "n<1K",
        *["1K<n<10K"] * 2,
        *["10K<n<100K"] * 2,
        *["100K<n<1M"] * 2,
        "n>1M",
    ]


def test_mathopeval_shows_the_papers_tables_as_its_authors_own():
    text = _results("mathopeval")
    assert text.startswith(
        "The paper's results, as printed; none was measured on this build. The paper's problems are its authors' own, "
        "which are not public; ours are a reconstruction.\n\n<details><summary>Table "
    )
    assert text.endswith(" |\n\n</details>")
    assert text.count("<details>") == 6
    assert "Table 4, section 4.3, split gen, points of 10: free-form annotation of geometry" in text
    assert "|  | Angle | Line | AVG |\n| --- | --- | --- | --- |\n| GPT-4o | 5.41 | 3.28 | 4.35 |" in text
    assert "|  | Input | AVG | Modification | Function | Line |" in text
    assert "| Mean of the models | DCoT | 37.59 |  |  |  |" in text


def test_eval_yaml_names_our_tasks_and_where_they_are(verse):
    from mmmath_tasks import yaml_tasks

    found = yaml.safe_load((verse / "eval.yaml").read_text())
    tasks = found.pop("tasks")
    assert found == {
        "name": "MathVerse",
        "description": "MathVerse (arXiv 2403.14624), the tasks of mmmath-tasks. In inspect-ai they are called "
        "mmmath/<id>.",
        "evaluation_framework": "inspect-ai",
    }
    named = {path.stem for path in (Path(yaml_tasks.__path__[0]) / "mathverse").glob("mathverse_testmini*.yaml")}
    named -= {"mathverse_testmini_cot", "mathverse_testmini_vlmeval"}  # means of tasks
    blind = {"config": "mathverse_text_only", "split": "testmini_text_only"}
    seen = {"config": "mathverse", "split": "testmini"}
    assert tasks == [
        {"id": name, **place}
        for place, is_blind in ((seen, False), (blind, True))
        for name in sorted(named)
        if ("text_only" in name) is is_blind
    ]


def test_a_bar_in_a_cell_does_not_end_it():
    assert table(["a"], [["x|y"]]) == "| a |\n| --- |\n| x\\|y |"
