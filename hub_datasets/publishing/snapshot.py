"""A data set as it lies in a folder or in a repo of the Hub at one commit, read alike from both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest
from mmmath_tasks.hub_datasets.publishing.anomalies import LFS_POINTER
from mmmath_tasks.hub_datasets.publishing.retry import Retry

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
    """A data set repo of the Hub at one commit; its files are downloaded into the client's cache, each once.

    Attributes:
        id: "ORG/NAME".
        commit: its SHA.
        names: of its files, sorted.
    """

    id: str
    commit: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The repo and the commit."""
        return f"hf://datasets/{self.id}@{self.commit}"

    def files(self) -> list[str]:
        """Return the names of the files."""
        return list(self.names)

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading.

        Raises:
            InputError: the Hub refused, or could not be reached.
        """
        return (self.download([path]) / path).open("rb")

    def download(self, names: Sequence[str]) -> Path:
        """Return the cache's folder of the commit, in which the files of these names are now.

        Raises:
            InputError: the Hub refused, or could not be reached; what had come by then stays in the cache.
        """
        from huggingface_hub import HfApi

        def fetch() -> str:
            # A name is a pattern that means itself.
            patterns = [re.sub(r"([*?[])", r"[\1]", name) for name in names]
            return HfApi().snapshot_download(
                self.id, repo_type="dataset", revision=self.commit, allow_patterns=patterns
            )

        return Path(Retry()(fetch, f"read {self.name}"))


def repo_at(repo: str, revision: str) -> Repo:
    """Return a data set repo of the Hub at the commit that a branch, tag or pull request names now.

    Raises:
        InputError: the repo or the revision does not exist, the Hub refused, or could not be reached.
    """
    from huggingface_hub import HfApi

    api, retry, what = HfApi(), Retry(), f"read hf://datasets/{repo}@{revision}"
    commit = retry(lambda: api.dataset_info(repo, revision=revision).sha or "", what)
    names = retry(lambda: api.list_repo_files(repo, revision=commit, repo_type="dataset"), what)
    return Repo(repo, commit, tuple(sorted(names)))


def snapshot(where: str) -> Snapshot:
    """Return what a command line names: a folder, or hf://datasets/ORG/NAME@REVISION.

    Raises:
        InputError: there is no such folder, repo or revision, or the Hub cannot be read.
    """
    named = hub_name(where)
    if named:
        return repo_at(*named)
    if not Path(where).is_dir():
        raise InputError(f"{where}: no such folder (a repo is written hf://datasets/ORG/NAME@REVISION)")
    return Folder(Path(where))


def local_copy(where: str) -> Path:
    """Return the folder that a command line names, or the cache's copy of all that a repo holds.

    Raises:
        InputError: as `snapshot`.
    """
    place = snapshot(where)
    return place.download(place.names) if isinstance(place, Repo) else Path(where)


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
            with place.open(path) as opened:
                pointer = opened.read(len(LFS_POINTER)) == LFS_POINTER
            why = "a pointer of Git LFS in its place: `git lfs pull`" if pointer else error
            raise InputError(f"{place.name}/{path}: not a whole parquet file: {why}") from None


def benchmark_of(place: Snapshot) -> str | None:
    """Return the benchmark that build.json names; None where there is none."""
    if manifest.NAME not in place.files():
        return None
    with place.open(manifest.NAME) as file:
        return manifest.Manifest.from_bytes(file.read(), f"{place.name}/{manifest.NAME}").benchmark
