"""Everything that can go wrong with a built folder on the Hub, looked for before a push."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tqdm import tqdm

from mmmath_tasks import contract, json_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import loading, manifest
from mmmath_tasks.hub_datasets.publishing.anomalies import Anomalies, check_picture, of_row
from mmmath_tasks.hub_datasets.publishing.card import UNLISTED, size
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, Layout, front_matter, layout, rows
from mmmath_tasks.hub_datasets.publishing.upstream import sha256
from mmmath_tasks.hub_datasets.publishing.writer import GROUP_ROWS, picture_columns

GROUP_LIMIT = 300 * 1024**2
"""Bytes of a row group beyond which the Hub's viewer shows nothing."""
FILE_LIMIT = 50 * 1024**3
"""Bytes of one file that the Hub takes at most."""

# "file:///data/1.png"
_LOCAL = re.compile(r"(?:^|[\s\"'(])(?:file://|/(?:home|root|tmp|var|mnt|Users|private)/|[A-Z]:\\)")


Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        level: "error": it must not be pushed so; "warning": a person should look.
        place: the file, or the configuration and split.
        message: what is wrong, and what was expected.
    """

    level: Level
    place: str
    message: str


def check(folder: Path, *, pythons: Iterable[str] = ()) -> Iterator[Finding]:
    """Yield what is wrong with a built folder; nothing means that it can be pushed.

    Args:
        folder: from `build`.
        pythons: further interpreters whose version of datasets must read the folder too.

    Raises:
        InputError: it is no built folder at all.
    """
    record = manifest.load(folder)
    place = Folder(folder)
    problems = list(_files(folder, record))
    try:
        matter, found = front_matter(place), layout(place)
    except InputError as error:
        yield from [*problems, Finding("error", "README.md", f"the configurations cannot be read: {error}")]
        return
    problems += [*_card(place, matter, found, record), *_tasks(folder, found)]
    for config, splits in found.items():
        for split, names in splits.items():
            problems += _split(place, f"{config}/{split}", names, matter, config, split)
    problems += _rows(place, found, record)
    yield from problems
    if not any(finding.level == "error" for finding in problems):
        yield from _loads(folder, found, pythons)


def _files(folder: Path, record: manifest.Manifest) -> Iterator[Finding]:
    here = set(Folder(folder).files()) - {manifest.NAME}
    for path in sorted(here - set(record.files)):
        yield Finding("error", path, "was not built: not in build.json")
    for path, facts in record.files.items():
        file = folder / path
        if path not in here:
            yield Finding("error", path, "is in build.json but not in the folder")
        elif file.stat().st_size != facts["size"] or sha256(file) != facts["sha256"]:
            yield Finding("error", path, "was changed after the build: other content than build.json records")
        elif facts["size"] > FILE_LIMIT:
            yield Finding("error", path, f"has {facts['size']:,} bytes; the Hub takes {FILE_LIMIT:,} at most")
        elif file.is_symlink() and file.resolve().parent.name != "blobs":  # as the Hub client's cache has them
            yield Finding("error", path, "is a link; expected a file")
    for path in ("README.md", "eval.yaml", manifest.NAME):
        if path in here | {manifest.NAME} and (match := _LOCAL.search((folder / path).read_text("utf-8", "replace"))):
            yield Finding("error", path, f"holds a path of this machine: {match[0].strip()}")


def _card(place: Folder, matter: Mapping[str, Any], found: Layout, record: manifest.Manifest) -> Iterator[Finding]:
    module = contract.rows(record.benchmark)
    for key in ("license", "language", "task_categories", "size_categories", "pretty_name", "configs", "dataset_info"):
        if not matter.get(key):
            yield Finding("error", "README.md", f"the YAML has no {key}")
    if matter.get("license") != module.LICENCE.lower():
        yield Finding(
            "error", "README.md", f"license is {matter.get('license')!r}, expected {module.LICENCE.lower()!r}"
        )
    body = place.path.joinpath("README.md").read_text("utf-8")
    if f"https://arxiv.org/abs/{module.PAPER}" not in body:
        yield Finding("error", "README.md", "the body has no link to the paper, from which the Hub makes its arXiv tag")
    if left := re.search(r"\{\{\w*\}\}", body):
        yield Finding("error", "README.md", f"{left[0]} was not filled in")
    defaults = [c["config_name"] for c in matter.get("configs") or [] if c.get("default")]
    if len(defaults) != 1:
        yield Finding("error", "README.md", f"one configuration must be the default, found {defaults}")
    infos = _infos(matter)
    for config, splits in found.items():
        if config == "data" or not re.fullmatch(r"[\w.-]+", config):
            yield Finding("error", "README.md", f"a configuration may not be called {config!r}")
        if config not in infos:
            yield Finding("error", "README.md", f"configuration {config} has no dataset_info: datasets 3 needs it")
        for split, files in splits.items():
            if not re.fullmatch(r"\w+(\.\w+)*", split):
                yield Finding("error", "README.md", f"{config}: a split may not be called {split!r}")
            if not files:
                yield Finding("error", "README.md", f"{config}/{split}: no file matches its pattern")
            # "test-00000-of-00002.parquet"
            if strange := [
                f for f in files if not re.fullmatch(rf"{re.escape(split)}-\d+-of-\d+\.parquet", Path(f).name)
            ]:
                yield Finding("error", "README.md", f"{config}/{split}: its pattern also takes {', '.join(strange)}")
            elif files and len(files) != int(files[0][-13:-8]):
                yield Finding("error", "README.md", f"{config}/{split}: {len(files)} files, their names promise more")
    used = {path for splits in found.values() for files in splits.values() for path in files}
    for path in sorted(set(place.files()) - used):
        if path.endswith(".parquet"):
            yield Finding("error", path, "belongs to no configuration of README.md")


def _infos(matter: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    infos = matter.get("dataset_info")
    return {
        str(info.get("config_name", "default")): info
        for info in (infos if isinstance(infos, list) else [infos])
        if isinstance(info, dict)
    }


def _tasks(folder: Path, found: Layout) -> Iterator[Finding]:
    import yaml

    from mmmath_tasks import yaml_text

    if not (folder / "eval.yaml").is_file():
        yield Finding("error", "eval.yaml", "is missing: results on model cards name its tasks")
        return
    try:
        loaded = yaml_text.loads((folder / "eval.yaml").read_text("utf-8"))
        tasks = [(str(task["id"]), str(task["config"]), str(task["split"])) for task in loaded["tasks"]]
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        yield Finding("error", "eval.yaml", f"cannot be read: {error}")
        return
    framework = loaded.get("evaluation_framework")
    if not framework:
        yield Finding(
            "warning", "eval.yaml", "names no evaluation_framework, which the Hub asks for (hub build --framework NAME)"
        )
    elif not isinstance(framework, str) or framework.lower() in UNLISTED:
        yield Finding("warning", "eval.yaml", f"evaluation_framework {framework!r} is not on the Hub's list of them")
    if len({task[0] for task in tasks}) < len(tasks):
        yield Finding("error", "eval.yaml", "two tasks have the same id")
    for name, config, split in tasks:
        if split not in found.get(config, {}):
            yield Finding("error", "eval.yaml", f"task {name}: there is no split {config}/{split}")


def _split(
    place: Folder, name: str, files: list[str], matter: Mapping[str, Any], config: str, split: str
) -> Iterator[Finding]:
    """Hold one split's files to the card: columns, counts, row groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from datasets import Features

    info = _infos(matter).get(config) or {}
    try:
        wanted = Features._from_yaml_list(info["features"])
        counts = {entry["name"]: entry["num_examples"] for entry in info["splits"]}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        yield Finding("error", "README.md", f"{config}: its dataset_info cannot be read: {error}")
        return
    total = 0
    for path in files:
        try:
            with pq.ParquetFile(place.path / path) as file:
                metadata, schema = file.metadata, file.schema_arrow
        except (OSError, pa.ArrowException) as error:
            yield Finding("error", path, f"not a whole parquet file: {error}")
            return
        total += metadata.num_rows
        if not schema.remove_metadata().equals(wanted.arrow_schema.remove_metadata()):
            yield Finding("error", path, f"has other columns than dataset_info of {config} says; they would be cast")
        if _described(schema) != wanted.to_dict():
            yield Finding("error", path, "its own description of the columns differs from dataset_info")
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        if picture_columns(wanted) and any(group.num_rows > GROUP_ROWS for group in groups):
            yield Finding("error", path, f"a row group has more than {GROUP_ROWS} rows: the viewer fails on pictures")
        if any(group.total_byte_size > GROUP_LIMIT for group in groups):
            yield Finding("error", path, f"a row group has more than {GROUP_LIMIT:,} bytes: the viewer fails")
    if total != counts.get(split):
        yield Finding("error", name, f"README.md says {counts.get(split)} rows, the files hold {total}: loading raises")


def _described(schema: Any) -> Any:
    """Return the features that datasets once wrote into a parquet file's schema; None where there are none."""
    try:
        return json_text.loads((schema.metadata or {})[b"huggingface"].decode())["info"]["features"]
    except (KeyError, TypeError, ValueError):
        return None


def _rows(place: Folder, found: Layout, record: manifest.Manifest) -> Iterator[Finding]:
    """Read every row once: pictures embedded and whole, ids unique, nothing odd that build.json does not list."""
    module = contract.rows(record.benchmark)
    known = edition(record.benchmark)
    done: set[str] = set()
    for config, splits in found.items():
        if config in known.aliases and known.aliases[config] in found:
            continue
        for split, files in splits.items():
            mine = split in module.SPLITS and config == known.configs.get(split, record.benchmark)
            anomalies, ids, number, bare = Anomalies(known.known), set[str](), 0, 0
            optional = module.OPTIONAL_PICTURES
            needed = [name for name in picture_columns(module.features(split)) if name not in optional] if mine else []
            where = f"{config}/{split}"
            try:
                for number, row in enumerate(tqdm(rows(place, files), where, unit=" rows", disable=None), 1):
                    yield from _pictures(row, f"{where}: row {number}")
                    if not mine:
                        continue
                    problem = module.problem(row)
                    if problem.id in ids:
                        yield Finding("error", f"{where}: row {number}", f"the id {problem.id} repeats")
                    ids.add(problem.id)
                    bare += any(row.get(name) is None for name in needed)
                    for kind in of_row(row, problem, drawn=known.drawn_question(row)):
                        anomalies.add(split, kind, problem.id)
            except InputError as error:
                yield Finding("error", where, str(error))
            if mine:
                done.add(split)
                if bare:
                    level: Level = "error" if bare == number else "warning"
                    asked = bare == number and record.options.get("pictures") == "none"
                    why = "; built with --pictures none: for use here, not to be published" if asked else ""
                    yield Finding(level, where, f"{bare:,} of {number:,} rows lack a picture{why}")
                if number != (whole := size(record.benchmark, split) or number):
                    yield Finding("warning", where, f"holds {number:,} rows, the benchmark has {whole:,}")
                yield from _odd(where, anomalies)
    for split in map(str, record.options.get("splits", [])):
        if split not in done:
            yield Finding("error", "README.md", f"split {split} was built but no configuration holds it")


def _odd(where: str, anomalies: Anomalies) -> Iterator[Finding]:
    for _, kind, names in anomalies.new():
        shown = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
        yield Finding("warning", where, f"{kind} in rows not known for it: {shown}")


@cache
def _own_folders() -> tuple[str, ...]:
    """Return how paths of this machine begin; a user without a home, or with / as such, adds nothing."""
    folders = [Path(tempfile.gettempdir())]
    with suppress(RuntimeError):
        folders.append(Path.home())
    return tuple(f"{folder}/" for folder in folders if len(folder.parts) > 1)


def _pictures(row: Mapping[str, Any], where: str) -> Iterator[Finding]:
    for column, value in row.items():
        if not (isinstance(value, dict) and set(value) == {"bytes", "path"}):
            if isinstance(value, str) and value.startswith(("file://", *_own_folders())):
                yield Finding("error", where, f"column {column!r} holds a path of this machine: {value[:80]}")
            continue
        if value["bytes"] is None:
            yield Finding(
                "error", where, f"column {column!r}: the picture is not embedded, only its path {value['path']}"
            )
            continue
        if value["path"] and re.search(r"[/\\]", value["path"]):
            yield Finding("error", where, f"column {column!r}: the picture's path {value['path']} is more than a name")
        try:
            check_picture(value["bytes"], where, whole=True)
        except InputError as error:
            yield Finding("error", where, str(error).removeprefix(f"{where}: "))


def _loads(folder: Path, found: Layout, pythons: Iterable[str]) -> Iterator[Finding]:
    """Load every split the way a user would, by this and by other versions of datasets."""
    import sys

    for python in (sys.executable, *pythons):
        try:
            report = loading.load(folder, found, python)
        except InputError as error:
            yield Finding("error", python, str(error))
            continue
        for name, message in report["errors"].items():
            yield Finding("error", name, f"datasets {report['datasets']} does not load it: {message}")
