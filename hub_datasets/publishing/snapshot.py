"""A data set as it lies in a folder or in a repo of the Hub at one commit, read alike from both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest

Layout = Mapping[str, Mapping[str, list[str]]]
"""Configuration to split to its parquet files, in order."""

# "hf://datasets/AI4Math/MathVista@main"
_HUB = re.compile(r"hf://datasets/(?P<id>[^/@]+/[^/@]+)(?:@(?P<revision>.+))?")
_BATCH = 100


class Snapshot(Protocol):
    """Files under names with slashes."""

    @property
    def name(self) -> str:
        """The folder, or the repo with its commit."""

    def files(self) -> list[str]:
        """Return the names, sorted."""

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's path."""
        return str(self.path)

    def files(self) -> list[str]:
        """Return the names of the files, hidden folders aside."""
        found = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        return sorted(path.as_posix() for path in found if not path.parts[0].startswith("."))

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return (self.path / path).open("rb")


@dataclass(frozen=True, slots=True)
class Repo:
    """A data set repo of the Hub at one commit; files are read over the network, only the parts that are needed."""

    id: str
    commit: str

    @property
    def name(self) -> str:
        """The repo and the commit."""
        return f"hf://datasets/{self.id}@{self.commit}"

    def files(self) -> list[str]:
        """Return the names of the files."""
        from huggingface_hub import HfApi

        return sorted(HfApi().list_repo_files(self.id, revision=self.commit, repo_type="dataset"))

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        from huggingface_hub import HfFileSystem

        opened: BinaryIO = HfFileSystem().open(f"datasets/{self.id}@{self.commit}/{path}", "rb")
        return opened


def snapshot(where: str) -> Snapshot:
    """Return what a command line names: a folder, or hf://datasets/ORG/NAME@REVISION.

    Raises:
        InputError: there is no such folder, repo or revision.
    """
    named = hub_name(where)
    if named:
        return Repo(named[0], commit_of(*named))
    if not Path(where).is_dir():
        raise InputError(f"{where}: no such folder (a repo is written hf://datasets/ORG/NAME@REVISION)")
    return Folder(Path(where))


def hub_name(where: str) -> tuple[str, str] | None:
    """Return repo and revision of "hf://datasets/ORG/NAME" or "hf://datasets/ORG/NAME@REVISION"; None for a path."""
    found = _HUB.fullmatch(where)
    return (found["id"], found["revision"] or "main") if found else None


def require_repo_id(name: object, what: str) -> None:
    """Refuse what is no id of a repo on the Hub; `what` names it in the message.

    Raises:
        InputError: it is not ORG/NAME, both of letters, digits, "_", "-" and ".", the first neither "-" nor ".".
    """
    if not isinstance(name, str) or not re.fullmatch(r"\w[\w.-]*/\w[\w.-]*", name, re.ASCII):
        raise InputError(f"{what} should be ORG/NAME, is {name!r}")


def commit_of(repo: str, revision: str) -> str:
    """Return the commit that a data set repo's branch, tag or pull request names now.

    Raises:
        InputError: the repo or the revision does not exist or cannot be read.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    lost: type[Exception] = HfHubHTTPError.__bases__[0]  # httpx's or httpx2's, as the client's version has it
    try:
        return HfApi().dataset_info(repo, revision=revision).sha or ""
    except (lost, OSError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"hf://datasets/{repo}@{revision}: cannot be read: {reason}") from None


def front_matter(place: Snapshot) -> dict[str, Any]:
    """Return the YAML of README.md; {} where there is no README or no YAML in it.

    Raises:
        InputError: it is not UTF-8, or the YAML is broken.
    """
    import yaml

    from mmmath_tasks import yaml_text

    if "README.md" not in place.files():
        return {}
    with place.open("README.md") as file:
        content = file.read()
    try:
        found = re.match(r"---\r?\n(.*?)\r?\n---\r?\n", content.decode(), re.DOTALL)
        loaded = yaml_text.loads(found[1]) if found else {}
    except UnicodeDecodeError as error:
        raise InputError(f"{place.name}/README.md: not UTF-8 text at byte {error.start}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{place.name}/README.md: broken YAML: {' '.join(str(error).split())}") from None
    if not isinstance(loaded, dict):
        raise InputError(f"{place.name}/README.md: the YAML should be a mapping, got {type(loaded).__name__}")
    return loaded


def layout(place: Snapshot) -> Layout:
    """Return which parquet files make up which split, by README's `configs`, else by the names of the files.

    Raises:
        InputError: README's YAML is broken or its `configs` are none.
    """
    files = [path for path in place.files() if path.endswith(".parquet")]
    found: dict[str, dict[str, list[str]]] = {}
    try:
        for config in front_matter(place).get("configs") or []:
            splits = found.setdefault(str(config.get("config_name", "default")), {})
            for entry in config.get("data_files") or []:
                patterns = entry["path"] if isinstance(entry["path"], list) else [entry["path"]]
                taken = [path for path in files if any(fnmatch(path, pattern) for pattern in patterns)]
                splits[str(entry["split"])] = taken
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(
            f"{place.name}/README.md: `configs` should be a list of config_name and data_files, those of split and "
            f"path: {type(error).__name__}: {error}"
        ) from None
    if found:
        return found
    for path in files:
        # "data/test-00000-of-00002.parquet"
        parts = re.fullmatch(r"(?:.*/)?(?P<split>[\w.]+?)(?:-\d+-of-\d+.*)?\.parquet", path)
        if parts:
            found.setdefault("default", {}).setdefault(parts["split"], []).append(path)
    return found


def rows(place: Snapshot, files: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of parquet files, a small batch in memory; pictures are {"bytes", "path"}.

    Raises:
        InputError: a file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in files:
        try:
            with place.open(path) as opened, pq.ParquetFile(opened) as file:
                for batch in file.iter_batches(_BATCH):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise InputError(f"{place.name}/{path}: not a whole parquet file: {error}") from None


def benchmark_of(place: Snapshot) -> str | None:
    """Return the benchmark that build.json names; None where there is none."""
    if manifest.NAME not in place.files():
        return None
    with place.open(manifest.NAME) as file:
        return manifest.Manifest.from_bytes(file.read(), f"{place.name}/{manifest.NAME}").benchmark
