"""The card of a built folder: YAML that the Hub and datasets read, a body that people read, and eval.yaml."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks import contract, papers
from mmmath_tasks.contract import Rows
from mmmath_tasks.hub_datasets.publishing.anomalies import KINDS, Anomalies
from mmmath_tasks.hub_datasets.publishing.edition import Edition, Splits
from mmmath_tasks.hub_datasets.publishing.statistics import StatisticsTable

if TYPE_CHECKING:
    from datasets import Features

FRAMEWORK = "inspect-ai"
"""The evaluation_framework of eval.yaml: of those in which this package has tasks the one that the Hub's list has."""
UNLISTED = ("lm-eval", "lm_eval", "lm-evaluation-harness", "lmms-eval", "lmms_eval", "vlmevalkit")
"""Frameworks, in small letters, that are known not to be on that list."""
TAG = "{{tag}}"
"""Stands in a card for the tag under which it is published, until that is known."""

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class Built:
    """What a card is written from.

    Attributes:
        name: the benchmark.
        module: its module in mmmath_tasks.hub_datasets.
        edition: its edition.
        made: {"source": ..., "options": ...} as in the manifest.
        configs: configuration to split to {"rows", "bytes"}; the first is the default one.
        features: configuration to columns.
        rows: the benchmark's splits without the pictures' bytes.
        anomalies: what was found.
        folder: where data/ lies.
        repo: the id under which it will be published.
    """

    name: str
    module: Rows
    edition: Edition
    made: Mapping[str, Any]
    configs: Mapping[str, Mapping[str, Mapping[str, int]]]
    features: Mapping[str, Features]
    rows: Splits
    anomalies: Anomalies
    folder: Path
    repo: str

    def aliases(self) -> dict[str, str]:
        """Return the aliases whose configuration was built."""
        return {alias: config for alias, config in self.edition.aliases.items() if config in self.configs}


def readme(built: Built) -> str:
    """Return README.md: the YAML front matter and the body made from cards/<name>.md."""
    sections = {
        "configs": _configs(built),
        "load": _load(built),
        "statistics": "\n\n".join(
            _statistics(table, list(built.rows)) for table in built.edition.statistics(built.rows)
        ),
        "anomalies": _anomalies(built),
        "source": _source(built),
        "results": _results(built.name),
    }
    body = _prose(built.name)
    for name, text in sections.items():
        body = body.replace("{{" + name + "}}", text)
    body = body.replace("{{title}}", built.edition.title).replace("{{licence}}", built.module.LICENCE)
    body = body.replace("{{paper}}", built.module.PAPER).replace("{{hub_id}}", built.module.HUB_ID)
    return f"---\n{_front_matter(built)}---\n\n{body}"


def _prose(name: str) -> str:
    folder = files("mmmath_tasks.hub_datasets") / "cards"
    found = folder / f"{name}.md"
    return (found if found.is_file() else folder / "default.md").read_text(encoding="utf-8")


def _front_matter(built: Built) -> str:
    from datasets import DatasetInfo
    from datasets.info import DatasetInfosDict
    from datasets.splits import SplitDict, SplitInfo
    from datasets.utils.metadata import MetadataConfigs
    from huggingface_hub import DatasetCardData

    data = DatasetCardData(
        pretty_name=built.edition.title,
        license=built.module.LICENCE.lower(),
        language=list(built.edition.languages),
        annotations_creators=list(built.edition.annotations),
        source_datasets=list(built.edition.sources),
        task_categories=list(built.edition.task_categories),
        task_ids=list(built.edition.task_ids),
        size_categories=[_size(sum(len(rows) for rows in built.rows.values()))],
        tags=["benchmark", "mathematics", "multimodal-reasoning", *built.edition.tags],
    )
    infos, places = {}, {}
    names = {config: config for config in built.configs} | built.aliases()
    default = "default" if "default" in names else next(iter(names))  # datasets takes no other for it beside that name
    for name, config in names.items():
        splits = built.configs[config]
        folder = built.folder / "data" / config
        infos[name] = DatasetInfo(
            features=built.features[config],
            splits=SplitDict(
                {s: SplitInfo(s, num_bytes=n["bytes"], num_examples=n["rows"]) for s, n in splits.items()}
            ),
            download_size=sum(path.stat().st_size for path in folder.iterdir()),
            dataset_size=sum(n["bytes"] for n in splits.values()),
        )
        files_of = [{"split": split, "path": f"data/{config}/{split}-*"} for split in splits]
        places[name] = {"data_files": files_of, **({"default": True} if name == default else {})}
    DatasetInfosDict(infos).to_dataset_card_data(data)
    MetadataConfigs(places).to_dataset_card_data(data)
    text: str = data.to_yaml(line_break="\n")
    return text.rstrip("\n") + "\n"


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "n>1M")


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    cells = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in cells)


def _configs(built: Built) -> str:
    about = {name: view.about for name, view in built.edition.views.items()}
    about |= {name: extra.about for name, extra in built.edition.extras.items()}
    lines = [
        [
            f"`{config}`",
            f"`{split}`",
            f"{count['rows']:,}",
            about.get(config) or built.edition.split_notes.get(split, ""),
        ]
        for config, splits in built.configs.items()
        for split, count in splits.items()
    ]
    text = table(["Configuration", "Split", "Rows", ""], lines)
    if built.aliases():
        named = ", ".join(f"`{alias}` is `{config}`" for alias, config in built.aliases().items())
        text += f"\n\nUnder upstream's names: {named}."
    absent = [split for split in built.module.SPLITS if split not in built.rows]
    if absent:
        text += f"\n\nNot in this build: {', '.join(f'`{split}`' for split in absent)}."
    return text


def _load(built: Built) -> str:
    config = next(iter(built.configs))
    split = next(iter(built.configs[config]))
    others = [name for name in built.configs if name != config]
    lines = ["```python", "from datasets import load_dataset", ""]
    lines += [f'rows = load_dataset("{built.repo}", split="{split}")']
    lines += [
        f'more = load_dataset("{built.repo}", "{name}", split="{next(iter(built.configs[name]))}")'
        for name in others[:2]
    ]
    lines += ["# the same rows for ever: this build is published under this tag"]
    lines += [f'rows = load_dataset("{built.repo}", split="{split}", revision="{TAG}")']
    return "\n".join([*lines, "```"])


def _statistics(found: StatisticsTable, splits: list[str]) -> str:
    columns = [name for name in [*splits, "all"] if any(name in line.built for line in found.lines)]
    noted = any(line.note for line in found.lines)
    head = ["", "Paper", *(f"`{name}`" for name in columns), *(["Note"] if noted else [])]
    lines = [
        [line.name, line.paper, *(line.built.get(name, "") for name in columns), *([line.note] if noted else [])]
        for line in found.lines
    ]
    return f"### {found.title}\n\n{found.covers}\n\n{table(head, lines)}"


def _anomalies(built: Built) -> str:
    kinds = {**KINDS, **built.edition.odd_kinds}
    lines = []
    for split, found in built.anomalies.to_dict().items():
        for kind, names in found.items():
            shown = ", ".join(names[:40]) + (f", and {len(names) - 40:,} more" if len(names) > 40 else "")
            lines.append([f"`{split}`", kinds[kind], f"{len(names):,}", shown])
    remarks = built.module.ODD_GOLDS
    text = table(["Split", "What", "Rows", "Which"], lines) if lines else "None was found."
    if remarks:
        text += "\n\nGolds out of the ordinary:\n\n" + table(
            ["Id", "Why"], [[k, _escape(v)] for k, v in remarks.items()]
        )
    return text


def _generated(name: str, source: Mapping[str, Any]) -> str:
    flags = [
        f"--{option.replace('_', '-')}" + ("" if value is True else f" {value}")
        for option, value in source.items()
        if option not in ("kind", "seed_digest")
    ]
    if "seed_digest" in source:
        flags.append("--seed-file FILE")
    again = f"Made by this project's own code; `mmmath hub build {name} {' '.join(flags)}` makes the same again."
    if "seed_digest" not in source:
        return again
    return (
        f"{again[:-1]} for those who hold the file: the seed is secret, so no public code makes the answers. "
        f"Digest by which sets of one seed are told from those of another: `{source['seed_digest']}`."
    )


def _results(name: str) -> str:
    """Return the paper's own tables, folded up, with what must be said of whose problems they are about."""
    told = "The paper's results, as printed; none was measured on this build."
    parts = [" ".join(filter(None, [told, papers.remark(name)]))]
    for found in papers.printed(name):
        shown = table(found.head, found.rows)
        parts.append(f"<details><summary>{html.escape(found.about)}</summary>\n\n{shown}\n\n</details>")
    return "\n\n".join(parts) if len(parts) > 1 else "The paper prints no table that was read."


def _escape(text: str) -> str:
    return re.sub(r"([\\{}_*])", r"\\\1", text)


def _source(built: Built) -> str:
    source, options = built.made["source"], built.made["options"]
    if source["kind"] == "hub":
        name, commit = source["id"], source["commit"]
        origin = f"Read from [{name}](https://huggingface.co/datasets/{name}) at commit `{commit}`."
    elif source["kind"] == "generated":
        return _generated(built.name, source)
    else:
        lines = [[f"`{name}`", f"`{digest}`"] for name, digest in source["files"].items()]
        origin = "Read from upstream's files:\n\n" + table(["File", "SHA-256"], lines)
    pictures = {
        "require": "Every row has its picture, byte for byte as in the source.",
        "available": "Pictures that the source had are embedded byte for byte; the others are null.",
        "none": "Built without pictures: the picture column is null.",
    }[options["pictures"]]
    return f"{origin}\n\n{pictures} Columns and values are upstream's, wrong answers included."


def evaluation(built: Built, framework: str | None = FRAMEWORK) -> str:
    """Return eval.yaml: our task for each split that was built, as the Hub's results on model cards name it.

    A split with fewer rows than the benchmark has is one task of another name: results on it are not the benchmark's.
    """
    import yaml

    tasks = [
        {"id": task, "config": built.edition.configs.get(split, built.name), "split": split}
        for split, task in _tasks(built)
    ]
    about = f"{built.edition.title} (arXiv {built.module.PAPER}), the tasks of mmmath-tasks."
    record = {
        "name": built.edition.title,
        "description": about + (" In inspect-ai they are called mmmath/<id>." if framework == FRAMEWORK else ""),
        **({"evaluation_framework": framework} if framework else {}),
        "tasks": tasks,
    }
    text: str = yaml.safe_dump(record, sort_keys=False, allow_unicode=True)
    return text


def size(name: str, split: str) -> int | None:
    """Return how many rows a benchmark's split has; None where neither its paper nor its module says."""
    return papers.problems(name, split) or contract.rows(name).SIZES.get(split)


def _tasks(built: Built) -> Iterator[tuple[str, str]]:
    """Yield (split, task id) of the lm-eval tasks over the splits that were built."""
    folder = Path(str(files("mmmath_tasks.yaml_tasks") / built.name))
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        text = path.read_text(encoding="utf-8")
        task, split = re.search(r"^task: (\w+)$", text, re.MULTILINE), re.search(r"\bsplit: (\w+)", text)
        if task and split and split[1] in built.rows:
            found[task[1]] = split[1]
    for name, rows in built.rows.items():
        if len(rows) < (size(built.name, name) or 0):
            found = {task: split for task, split in found.items() if split != name}
            found[f"{built.name}_{name}_partial"] = name
        else:
            found.setdefault(f"{built.name}_{name}", name)
    order = list(built.rows)
    for task_id, name in sorted(found.items(), key=lambda item: (order.index(item[1]), item[0])):
        yield name, task_id
