"""Upstream's files to a folder that can be pushed as it is: parquet, card, eval.yaml, and build.json as the last."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tqdm import tqdm

from mmmath_tasks import __version__
from mmmath_tasks.contract import Rows
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import card, manifest
from mmmath_tasks.hub_datasets.publishing.anomalies import Anomalies, check_picture, of_row
from mmmath_tasks.hub_datasets.publishing.edition import Edition, Row, edition
from mmmath_tasks.hub_datasets.publishing.manifest import Manifest
from mmmath_tasks.hub_datasets.publishing.scratch import alone, finished
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id
from mmmath_tasks.hub_datasets.publishing.upstream import HubSource, Source, open_source, sha256
from mmmath_tasks.hub_datasets.publishing.writer import SHARD_BYTES, SplitWriter, picture_columns
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from datasets import Features

Pictures = Literal["require", "available", "none"]


def build(
    name: str,
    source: str | None,
    out: Path,
    *,
    splits: Sequence[str] = (),
    pictures: Pictures = "require",
    made: Mapping[str, Any] | None = None,
    repo: str = "ORG/NAME",
    shard_bytes: int = SHARD_BYTES,
    framework: str | None = card.FRAMEWORK,
) -> Manifest:
    """Build a benchmark's folder; it appears under its name only when it is whole.

    Args:
        name: the benchmark.
        source: where upstream's files are (`open_source`); None: upstream's repo on the Hub, or for a benchmark that is
            made and not read (its module has `generate`), that.
        out: the folder; an earlier build there is replaced, anything else is left alone.
        splits: which of the benchmark's; all where none is named.
        pictures: "require": a missing one is an error; "available": it is null and listed as an anomaly; "none": all
            are null.
        made: options of `generate`, {"seed": 3}, say.
        repo: the id "ORG/NAME" under which it will be published, for the card.
        shard_bytes: the size from which a parquet file is followed by a next one.
        framework: what eval.yaml names as evaluation_framework; None: nothing.

    Returns:
        the record of the build, as in its build.json.

    Raises:
        InputError: there is no such benchmark, `repo` is not of that form, another build is at work on `out`, or the
            source is missing, broken, unsafe, or has rows that do not fit; nothing is left behind then, but of a
            benchmark that is made the finished pictures, in a hidden folder beside `out`: the next build with this
            `out` goes on from there and gives the same bytes.
    """
    require_repo_id(repo, "the repo")
    module = benchmark(name).rows
    chosen = tuple(splits) or module.SPLITS
    if unknown := [split for split in chosen if split not in module.SPLITS]:
        near = did_you_mean(unknown[0], module.SPLITS)
        raise InputError(f"{name} has no split {', '.join(unknown)}; it has {', '.join(module.SPLITS)}{near}")
    out = out.resolve()  # "." has no name that another could have beside it
    kept = out.with_name(f".{out.name}.drawn")
    with alone(out):
        with finished(out) as folder, open_source(module, source, made, kept=kept) as opened:
            lacking = [split for split in chosen if not opened.has(split)]
            if lacking and (there := [split for split in module.SPLITS if opened.has(split)]):
                # What the next try would stumble over is said with it; of a repo all files would have to be fetched.
                local = pictures != "none" and not isinstance(opened, HubSource)
                also, option = _absent_pictures(module, opened, there) if local else ("", "")
                raise InputError(
                    f"{source or module.HUB_ID}: no file of split {', '.join(lacking)}{also}; "
                    f"--splits {','.join(there)}{option} builds what is there"
                )
            maker = _Maker(name, module, edition(name), opened, pictures, folder, shard_bytes, repo, framework)
            for split in chosen:
                maker.rows(split)
            maker.extras()
            record = maker.finish({"splits": list(chosen), "pictures": pictures})
        shutil.rmtree(kept, ignore_errors=True)
    return record


@dataclass
class _Maker:
    """One build under way; `light` keeps the rows' texts for statistics, never the pictures' bytes."""

    name: str
    module: Rows
    edition: Edition
    source: Source
    pictures: Pictures
    folder: Path
    shard_bytes: int
    repo: str
    framework: str | None
    light: dict[str, list[Row]] = field(default_factory=dict)
    features: dict[str, Features] = field(default_factory=dict)
    counts: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    written: dict[str, dict[str, Any]] = field(default_factory=dict)
    pictured: bool | None = None
    """Whether a picture that a row of this split names was there; None while none is named."""

    def __post_init__(self) -> None:
        self.anomalies = Anomalies(self.edition.known)

    def rows(self, split: str) -> None:
        """Write a split, and each view's share of it."""
        features = self.module.features(split)
        config = self.edition.configs.get(split, self.name)
        self.light[split] = []
        with ExitStack() as stack:
            main = stack.enter_context(self._writer(config, split, features, self.source.place(split)))
            views: dict[tuple[str, str], SplitWriter] = {}
            for row in tqdm(self._checked(split, features), f"{self.name} {split}", unit=" rows", disable=None):
                main.add(row)
                for view_name, view in self.edition.views.items():
                    part = view.split(row)
                    if part is None:
                        continue
                    if (view_name, part) not in views:
                        opened = self._writer(view_name, part, view.features())
                        views[view_name, part] = stack.enter_context(opened)
                    views[view_name, part].add(view.row(row))
        if not main.rows:
            raise InputError(f"{self.name}: split {split} has no rows in the source")
        if self.pictures == "available" and self.pictured is False:
            raise InputError(
                f"{self.source.place(split)}: none of the pictures that its {main.rows:,} rows name is there "
                "(--pictures none builds without)"
            )
        self.pictured = None
        self._count(config, split, main)
        for (view_name, part), writer in views.items():
            self._count(view_name, part, writer)

    def extras(self) -> None:
        """Write the small configurations of facts."""
        for config, extra in self.edition.extras.items():
            with self._writer(config, "metadata", extra.features()) as writer:
                for row in extra.rows(self.light):
                    writer.add(row)
            self._count(config, "metadata", writer)
        for split, kind, name in self.edition.odd(self.light):
            self.anomalies.add(split, kind, name)

    def finish(self, options: Mapping[str, Any]) -> Manifest:
        """Write the card and the record."""
        made = card.Built(
            self.name,
            self.module,
            self.edition,
            {"source": self.source.record(), "options": options},
            self.counts,
            self.features,
            self.light,
            self.anomalies,
            self.folder,
            self.repo,
        )
        readme = card.readme(made)
        for name, text in (("README.md", readme), ("eval.yaml", card.evaluation(made, self.framework))):
            self._write(name, text)
        record = Manifest(
            benchmark=self.name,
            version=__version__,
            source=self.source.record(),
            options=options,
            configs=self.counts,
            anomalies=self.anomalies.to_dict(),
            files=self.written,
        )
        tag = f"build-{hashlib.sha256(record.to_bytes()).hexdigest()[:12]}"
        self._write("README.md", readme.replace(card.TAG, tag))
        record = replace(record, tag=tag)
        (self.folder / manifest.NAME).write_bytes(record.to_bytes())
        return record

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        self.written[name] = {"size": path.stat().st_size, "sha256": sha256(path)}

    def _writer(self, config: str, split: str, features: Features, place: str = "") -> SplitWriter:
        known = self.features.setdefault(config, features)
        if known != features:
            raise InputError(f"{self.name}: the splits of configuration {config} have different columns")
        folder = self.folder / "data" / config
        return SplitWriter(folder, split, features, shard_bytes=self.shard_bytes, place=place)

    def _count(self, config: str, split: str, writer: SplitWriter) -> None:
        self.counts.setdefault(config, {})[split] = {"rows": writer.rows, "bytes": writer.bytes}
        for file in writer.files:
            name = file.path.relative_to(self.folder).as_posix()
            self.written[name] = {"size": file.size, "sha256": file.sha256}

    def _checked(self, split: str, features: Features) -> Iterator[Row]:
        seen: dict[str, int] = {}
        columns = picture_columns(features)
        for number, row in enumerate(self.source.rows(split), 1):
            try:
                problem = self.module.problem(row)
            except InputError as error:
                raise InputError(f"{self.source.place(split)}: row {number}: {error}") from None
            where = f"{self.name} {split}: row {number}, id {problem.id}"
            if problem.id in seen:
                raise InputError(f"{where}: the id repeats that of row {seen[problem.id]}; expected unique ids")
            seen[problem.id] = number
            row = self._fitted(split, row, features, where)
            loaded = {column: self._picture(split, row.get(column), where, problem.id, column) for column in columns}
            full = {**row, **loaded}
            for kind in of_row(row, problem, drawn=self.edition.drawn_question(row)):
                self.anomalies.add(split, kind, problem.id)
            self.light[split].append({**row, **{column: _light(value) for column, value in loaded.items()}})
            yield full

    def _fitted(
        self, split: str, row: Row, features: Mapping[str, Any], where: str, prefix: str = ""
    ) -> dict[str, Any]:
        """Return the row with the columns of the features, in their order."""
        for column in sorted(row.keys() - features.keys()):
            self.anomalies.add(split, "dropped_column", prefix + column)
        fitted = {}
        for column, feature in features.items():
            value, name = row.get(column), prefix + column
            if column not in row:
                self.anomalies.add(split, "missing_column", name)
            if isinstance(feature, dict) and isinstance(value, Mapping):
                value = self._fitted(split, value, feature, where, f"{name}.")
            optional = self.edition.optional
            if value is None and optional is not None and name not in optional and not _is_picture(feature):
                raise InputError(f"{where}: column {name!r} is {'null' if column in row else 'missing'}")
            fitted[column] = value
        return fitted

    def _picture(self, split: str, value: Any, where: str, name: str, column: str) -> dict[str, Any] | None:
        if self.pictures == "none" or not value or not any(value.get(part) for part in ("bytes", "path")):
            if self.pictures != "none" and column not in self.module.OPTIONAL_PICTURES:
                self._missing(split, where, name, "the row names no picture")
            return None
        self.pictured = self.pictured or False
        data, path = value.get("bytes"), value.get("path")
        if data is None:
            try:
                data = _read(path)
            except OSError as error:
                self._missing(split, where, name, f"picture {path}: {error.strerror or error}")
                return None
        check_picture(data, where, f"picture {path}" if path else "the picture")
        self.pictured = True
        return {"bytes": data, "path": Path(path).name if path else None}

    def _missing(self, split: str, where: str, name: str, why: str) -> None:
        if self.pictures == "require":
            raise InputError(f"{where}: {why} (--pictures available builds with the pictures there are, none without)")
        self.anomalies.add(split, "missing_picture", name)


def _absent_pictures(module: Rows, source: Source, splits: Sequence[str]) -> tuple[str, str]:
    """Return what to say of pictures that are not there, and the option that builds without; "" where all are."""
    there: set[bool] = set()
    with suppress(InputError):  # rows that cannot be read: the next try says which
        for split in splits:
            columns = set(picture_columns(module.features(split))) - set(module.OPTIONAL_PICTURES)
            for row in source.rows(split):
                found = [row.get(column) or {} for column in columns]
                there.update(bool(p.get("bytes") or (p.get("path") and Path(p["path"]).is_file())) for p in found)
    if False not in there:
        return "", ""
    if True in there:
        return ", nor all pictures", " --pictures available"
    return ", nor any picture", " --pictures none"


def _read(path: str) -> bytes:
    with Path(path).open("rb", buffering=0) as file:
        return file.read()


def _is_picture(feature: Any) -> bool:
    from datasets import Image

    return isinstance(feature, Image)


def _light(picture: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a picture without its bytes, but with their hash, to count and compare."""
    if picture is None:
        return None
    import xxhash

    data = picture["bytes"]
    return {"bytes": None, "path": picture["path"], "hash": xxhash.xxh3_128_hexdigest(data), "size": len(data)}
