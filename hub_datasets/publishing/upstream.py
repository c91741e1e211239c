"""Where a build's rows come from: a folder or zip file of upstream's files, parquet, or a repo of the Hub."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, Protocol, Self

from mmmath_tasks.contract import Rows
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import DATA
from mmmath_tasks.hub_datasets.publishing import archive
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, hub_name, repo_at
from mmmath_tasks.hub_datasets.publishing.snapshot import rows as parquet_rows

Row = Mapping[str, Any]


class Source(Protocol):
    """Rows of a benchmark, and the means to name exactly where they were read."""

    def rows(self, split: str) -> Iterator[Row]:
        """Yield a split's rows in upstream's columns; pictures are {"bytes", "path"}."""

    def has(self, split: str) -> bool:
        """Tell whether a split's file is there, as far as that can be told without reading."""

    def place(self, split: str) -> str:
        """Return what an error calls the place where a split's rows stand: a file, or a repo and its split."""

    def record(self) -> dict[str, Any]:
        """Return what was read: {"kind": "folder", "files"}, or "hub" with id and commit, or "generated" with seed."""

    def __enter__(self) -> Self:
        """Make the rows readable."""

    def __exit__(self, *_: object) -> None:
        """Remove what was unpacked."""


def open_source(module: Rows, where: str | None, made: Mapping[str, Any] | None = None, *, kept: Path) -> Source:
    """Return the source that a command line's `--source` names.

    Args:
        module: the benchmark's module in mmmath_tasks.hub_datasets.
        where: a folder, a zip file, "hf://datasets/ORG/NAME" or "hf://datasets/ORG/NAME@REVISION"; None: what the
            module's `generate(folder, kept=kept, **made)` writes, where it has that function, else its HUB_ID at its
            REVISION.
        made: options of `generate`; `seed` is 0 where it is not among them.
        kept: a folder for what `generate` has finished, for the next try should this one be stopped. It stays; whoever
            has used the rows removes it.

    Raises:
        InputError: there is no such folder or file, none is named and the data are not on the Hub, or nothing is made
            to which the options could apply.
    """
    if where is None and module.generate:
        seeded = {} if made and "seed_file" in made else {"seed": 0}
        return GeneratedSource(module, module.generate, {**seeded, **(made or {})}, kept)
    if made:
        raise InputError(f"{', '.join(made)}: only for a benchmark that is generated; this one is read from its files")
    if where is None and not module.HUB_ID:
        raise InputError("its authors' data are not on the Hub; name their folder or zip file with --source")
    if where is None:
        return HubSource(module, module.HUB_ID, module.REVISION)
    if named := hub_name(where):
        return HubSource(module, *named)
    path = Path(where)
    if not path.exists():
        raise InputError(f"{where}: no such folder or zip file (a Hub repo is written hf://datasets/ORG/NAME@REVISION)")
    return FolderSource(module, path)


class FolderSource:
    """Upstream's own files in a folder or in one zip file, as a clone of their repository has them."""

    def __init__(self, module: Rows, path: Path) -> None:
        """Remember the place; nothing is read before `with`."""
        self._module, self._path = module, path
        self._folder = path
        self._names: list[str] = []
        self._zips: list[Path] = []
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        """Look at what is there; unpack a zip file that is the source.

        Raises:
            InputError: the zip file is unsafe or damaged, or an entry of the folder links out of it.
        """
        if self._path.is_dir():
            root = self._path.resolve()
            for entry in sorted(self._path.iterdir()):
                if not entry.resolve().is_relative_to(root):
                    raise InputError(f"{entry}: links out of the source folder, to {entry.resolve()}")
            packed = sorted([*self._path.glob("*.zip"), *self._path.glob("data/*.zip")])
            self._zips = [path for path in packed if not path.with_suffix("").exists()]
        else:
            self._folder = self._unpacked([self._path])
            inside = list(self._folder.iterdir())
            if len(inside) == 1 and inside[0].is_dir():
                self._folder = inside[0]
        self._names = Folder(self._folder).files()
        return self

    def _unpacked(self, zips: list[Path]) -> Path:
        """Return a scratch folder with the content of zip files, beside links to the source's own entries."""
        self._scratch = tempfile.TemporaryDirectory(prefix="mmmath-")
        folder = Path(self._scratch.name).resolve()
        try:
            for entry in self._path.iterdir() if self._path.is_dir() else ():
                (folder / entry.name).symlink_to(entry.resolve())
            for packed in zips:
                archive.unpack(packed, folder / packed.stem if self._path.is_dir() else folder)
        except BaseException:
            self._scratch.cleanup()
            raise
        return folder

    def __exit__(self, *_: object) -> None:
        """Remove what was unpacked."""
        if self._scratch:
            self._scratch.cleanup()

    def rows(self, split: str) -> Iterator[Row]:
        """Yield a split's rows, from parquet where there is some for this split, else by the module's `read`.

        Zip files of the folder and of its `data` are unpacked for `read` for the time of the build.

        Raises:
            InputError: a file is missing or broken, or a picture lies outside of the source.
        """
        names, place = self._parquet(split), self.place(split)
        if not names and self._zips:
            self._folder, self._zips = self._unpacked(self._zips), []
        found = parquet_rows(Folder(self._folder), names) if names else self._module.read(self._folder, split)
        roots = self._roots()
        for number, row in enumerate(found, 1):
            for picture in self._module.pictures(row):
                _inside(picture, roots, f"{place}: row {number}")
            yield row

    def _roots(self) -> tuple[Path, ...]:
        """Return the folders in which pictures may lie: of a clone's `data`, the clone."""
        real = self._path.resolve()
        return (real.parent if real.name == DATA else real, self._folder.resolve())

    def has(self, split: str) -> bool:
        """Tell whether the folder has parquet, JSON or JSONL of that name."""
        return bool(self._parquet(split) or self._json(split))

    def place(self, split: str) -> str:
        """Return the split's file where it has just one, else the source."""
        names = self._parquet(split) or self._json(split)
        return str(self._path / names[0]) if len(names) == 1 else f"{self._path}: split {split}"

    def _parquet(self, split: str) -> list[str]:
        patterns = (f"{split}-[0-9]*-of-[0-9]*.parquet", f"{split}.parquet")
        return [name for name in self._names if any(fnmatch(PurePath(name).name, pattern) for pattern in patterns)]

    def _json(self, split: str) -> list[str]:
        names = (f"{folder}{split}{kind}" for folder in ("", f"{DATA}/") for kind in (".json", ".jsonl"))
        return [name for name in names if name in self._names][:1]

    def record(self) -> dict[str, Any]:
        """Return the names, relative to the source, and SHA-256 of its files of rows and of its zip files."""
        if self._path.is_file():
            return {"kind": "folder", "files": {self._path.name: sha256(self._path)}}
        beside = [name for name in self._names if PurePath(name).parent.as_posix() in (".", DATA)]
        names = [name for name in beside if name.endswith((".json", ".jsonl", ".zip"))]
        names += [name for name in self._names if name.endswith(".parquet")]
        return {"kind": "folder", "files": {name: sha256(self._path / name) for name in sorted(names)}}


def _inside(picture: Row, roots: tuple[Path, ...], where: str) -> None:
    path = picture.get("path")
    if picture.get("bytes") is not None or not path:
        return
    # The folder is looked up once for all its pictures: resolving 50,000 paths takes as long as reading them.
    file = Path(path)
    real = file.resolve() if file.is_symlink() else _folder(file.parent)
    if not any(real.is_relative_to(root) for root in roots):
        raise InputError(f"{where}: the picture {path} lies outside of the source folder")


@lru_cache(maxsize=256)
def _folder(path: Path) -> Path:
    return path.resolve()


class GeneratedSource(FolderSource):
    """A benchmark that its module makes: `generate(folder, kept=..., **options)` writes files for its `read`.

    What it returns, if anything, is what the build records of the options: all that makes the same again, no secret.
    """

    def __init__(
        self, module: Rows, generate: Callable[..., Mapping[str, Any] | None], options: Mapping[str, Any], kept: Path
    ) -> None:
        """Remember the options; nothing is made before `with`."""
        self._generate, self._options, self._kept = generate, dict(options), kept
        super().__init__(module, kept)

    def __enter__(self) -> Self:
        """Make the files, in a scratch folder inside `kept`: of a process that was killed, it goes with that."""
        self._kept.mkdir(parents=True, exist_ok=True)
        self._made = tempfile.TemporaryDirectory(prefix="set-", dir=self._kept)
        self._path = self._folder = Path(self._made.name)
        try:
            self._options = dict(self._generate(self._path, kept=self._kept, **self._options) or self._options)
            return super().__enter__()
        except BaseException:
            self._made.cleanup()
            with suppress(OSError):
                self._kept.rmdir()  # where nothing was finished
            raise

    def __exit__(self, *_: object) -> None:
        """Remove the files."""
        super().__exit__()
        self._made.cleanup()

    def record(self) -> dict[str, Any]:
        """Return the options, as `generate` tells them."""
        return {"kind": "generated", **self._options}


class HubSource(FolderSource):
    """A repo of the Hub at one commit; of its files those that are needed come into the client's cache."""

    def __init__(self, module: Rows, repo: str, revision: str) -> None:
        """Remember the repo; nothing is asked before `with`."""
        self._repo, self._revision = repo, revision
        super().__init__(module, Path())

    def __enter__(self) -> Self:
        """Resolve the revision to a commit.

        Raises:
            InputError: the repo or the revision does not exist, the Hub refused, or could not be reached.
        """
        self._held = repo_at(self._repo, self._revision)
        self._names = self._held.files()
        return self

    def rows(self, split: str) -> Iterator[Row]:
        """Yield a split's rows, from parquet where the repo has some for this split, else from all its files.

        Raises:
            InputError: the repo has no such split, or its files cannot be had or read.
        """
        if not self._parquet(split) and any(name.endswith(".parquet") for name in self._names):
            raise InputError(f"{self.place(split)}: the repo has parquet files, but none of this split")
        self._folder = self._path = self._held.download(self._parquet(split) or self._names)
        zips = [self._path / name for name in self._names if name.endswith(".zip")]
        self._zips = [] if self._parquet(split) else zips
        yield from super().rows(split)

    def _roots(self) -> tuple[Path, ...]:
        """Return the repo's folder in the cache, where its files are links, and where zip files are unpacked."""
        return (self._path.resolve().parent.parent, self._folder.resolve())

    def place(self, split: str) -> str:
        """Return the repo, its commit and the split."""
        return f"{self._held.name}: split {split}"

    def record(self) -> dict[str, Any]:
        """Return the repo and the commit that was read."""
        return {"kind": "hub", "id": self._repo, "revision": self._revision, "commit": self._held.commit}


def sha256(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
