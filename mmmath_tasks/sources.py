"""Where a task's rows come from: a local folder, the Hub, or the sample that ships with the package.

A folder is either upstream's own files or what `mmmath hub build` makes (data/<config>/<split>-*.parquet); where it has
a sub-folder named for the benchmark, that one is meant, so one folder can hold all five.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.snapshot import layout, repo_at
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.retrying import is_transient
from mmmath_tasks.scoring import Benchmark, benchmarks

if TYPE_CHECKING:
    from datasets import Dataset

SAMPLE = "sample"
"""The split that every benchmark has beside upstream's: a few problems of our own, shipped with the package."""

_COMMIT = re.compile("[0-9a-f]{40}")
_NAMED_BY = "--data (mmmath), --metadata data_dir=FOLDER (lm_eval) or the variable MMMATH_DATA"


@dataclass(frozen=True, slots=True)
class Source:
    """One split of one benchmark.

    Attributes:
        rows: upstream's columns; pictures undecoded, as {"bytes", "path"}.
        where: the folder, file or Hub id, for errors.
        revision: what a result records: "<Hub id>@<commit>", or "local rows sha256:<digest>" of all columns but the
            pictures (the same for upstream's files and for a folder built from them).
        picture_files: the pictures lie in files that the rows name, not in the rows.
    """

    rows: Dataset
    where: str
    revision: str
    picture_files: bool = False

    @property
    def texts(self) -> Dataset:
        """The rows without the columns that hold pictures."""
        return self.rows.remove_columns(picture_columns(self.rows))


def find_split(
    benchmark: Benchmark,
    split: str | None,
    *,
    config: str | None = None,
    data_dir: str | None = None,
    revision: str | None = None,
) -> Source:
    """Return a split from `data_dir`, else from the folder that MMMATH_DATA names, else from the Hub.

    Args:
        benchmark: whose rows.
        split: one of upstream's splits, or `SAMPLE`; None: the benchmark's first.
        config: the Hub configuration (folder under data/); None: what the benchmark's CONFIGS have for the split.
        data_dir: a local folder.
        revision: a commit, tag or branch on the Hub; the default is the benchmark's own.

    Raises:
        InputError: the source is missing or broken; the message names the file or Hub id.
    """
    split = split or benchmark.rows.SPLITS[0]
    if split == SAMPLE:
        from mmmath_tasks.hub_datasets.samples import sample

        return _sample(sample(benchmark.name))
    config = config or benchmark.rows.CONFIGS.get(split)
    chosen = data_dir or os.environ.get("MMMATH_DATA")
    if chosen:
        folder = Path(chosen).expanduser()
        if not folder.is_dir():
            what = "is no folder" if folder.exists() else "no such folder"
            raise InputError(f"{folder}: {what}" + ("" if data_dir else " (from the variable MMMATH_DATA)"))
        with _quiet():
            return _local(benchmark, split, config, folder)
    _known(benchmark, split)
    with _quiet():
        return _hub(benchmark, split, config, revision or benchmark.rows.REVISION)


def is_named(data_dir: str | None, split: str | None) -> bool:
    """Say whether a user names the data: a folder, here or in MMMATH_DATA, or a split of what `find_split` finds."""
    return bool(data_dir or split or os.environ.get("MMMATH_DATA"))


def _known(benchmark: Benchmark, split: str) -> None:
    if split not in benchmark.rows.SPLITS:
        known = (*benchmark.rows.SPLITS, SAMPLE)
        near = did_you_mean(split, known)
        raise InputError(f"{benchmark.name} has no split {split}; it has {', '.join(known)}{near}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the bars of the libraries off a stderr that is no terminal."""
    import datasets.utils
    import huggingface_hub.utils

    both = datasets.utils, huggingface_hub.utils
    shown = [part for part in both if not sys.stderr.isatty() and not part.are_progress_bars_disabled()]
    for part in shown:
        part.disable_progress_bars()
    try:
        yield
    finally:
        for part in shown:
            part.enable_progress_bars()


def picture_columns(rows: Dataset) -> list[str]:
    """Return the names of the columns that hold pictures."""
    return [name for name, feature in rows.features.items() if _is_picture(feature)]


def _is_picture(feature: Any) -> bool:
    if isinstance(feature, list) or hasattr(feature, "feature"):
        return _is_picture(feature[0] if isinstance(feature, list) else feature.feature)
    return type(feature).__name__ == "Image" or (isinstance(feature, Mapping) and set(feature) == {"bytes", "path"})


def _local(benchmark: Benchmark, split: str, config: str | None, folder: Path) -> Source:
    from mmmath_tasks.hub_datasets.publishing import manifest

    folder = folder / benchmark.name if (folder / benchmark.name).is_dir() else folder
    if (folder / manifest.NAME).is_file() and (held := manifest.load(folder).benchmark) != benchmark.name:
        raise InputError(f"{folder}: a build of {held}, not of {benchmark.name}")
    # `config` is the name upstream's repo has; a built folder may keep the split in another configuration's folder.
    files = sorted(folder.glob(f"data/{config or '*'}/{split}-*.parquet")) or sorted(
        folder.glob(f"data/*/{split}-*.parquet")
    )
    if files:
        if len({file.parent for file in files}) > 1:
            raise InputError(f"{folder}: several configurations hold a split {split!r}; name one with metadata config=")
        return _parquet(files)
    _known(benchmark, split)
    if (folder / manifest.NAME).is_file():
        raise InputError(f"{folder}: a build of {benchmark.name} without split {split}")
    try:
        rows = list(benchmark.rows.read(folder, split))
    except InputError as error:
        raise InputError(f"{error}{_whose(benchmark, folder)}") from None
    if not rows:
        raise InputError(f"{folder}: no row of split {split!r}")
    for number, row in enumerate(rows, 1):  # before they become a table, which would bend a wrong type into shape
        try:
            benchmark.problem(row)
        except (InputError, TypeError, ValueError, LookupError, AttributeError) as error:
            whose = _whose(benchmark, folder) if number == 1 else ""
            raise InputError(f"{folder}, split {split!r}, row {number}: {error}{whose}") from error
    return replace(_recorded(_table(rows, benchmark, split, folder), str(folder), "local"), picture_files=True)


def _whose(benchmark: Benchmark, folder: Path) -> str:
    """Return, as the end of a message, which other benchmark's own files a folder holds; "" for none."""
    found = []
    for other in map(Benchmark, benchmarks()):
        for split in other.rows.SPLITS:
            with suppress(InputError, TypeError, ValueError, LookupError, AttributeError, OSError):
                found += [other.problem(row).benchmark for row in islice(other.rows.read(folder, split), 1)]
    named = [name for name in dict.fromkeys(found) if name != benchmark.name]
    return f"; the files there are those of {' or '.join(named)}" if named else ""


def _table(rows: list[dict[str, Any]], benchmark: Benchmark, split: str, folder: Path) -> Dataset:
    """Return rows as a Dataset with the columns of the Hub's copy; what those lack is kept, typed by its values."""
    import pyarrow as pa
    from datasets import Dataset, Features

    features = {name: _undecoded(feature) for name, feature in benchmark.rows.features(split).items()}
    try:
        others = [name for name in rows[0] if name not in features]
        inferred = Dataset.from_list([{name: row.get(name) for name in others} for row in rows]).features
        columns = Features({**features, **inferred})
        return Dataset.from_list([{name: row.get(name) for name in columns} for row in rows], features=columns)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{folder}: split {split!r} does not fit the columns of the Hub's copy: {error}") from None


def _undecoded(feature: Any) -> Any:
    from datasets import Image, List

    if isinstance(feature, Image):
        return Image(decode=False)
    return List(_undecoded(feature.feature)) if isinstance(feature, List) else feature


def _with_undecoded(rows: Dataset) -> Dataset:
    for name in picture_columns(rows):
        rows = rows.cast_column(name, _undecoded(rows.features[name]))
    return rows


def _sample(file: Path) -> Source:
    import pyarrow.parquet as pq
    from datasets import Dataset
    from datasets.table import InMemoryTable

    # Not Dataset.from_parquet, which wants a writable cache: the sample is to run anywhere.
    return _recorded(_with_undecoded(Dataset(InMemoryTable(pq.read_table(file)))), file.name, "sample")


def _parquet(files: list[Path]) -> Source:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from datasets import Dataset
    from datasets.exceptions import DatasetGenerationError

    where = str(files[0]) if len(files) == 1 else f"{files[0].parent} ({len(files)} files)"
    try:
        for file in files:
            pq.read_metadata(file)  # which says what is wrong without a line in the log of datasets
        rows = Dataset.from_parquet([str(file) for file in files])
    except (DatasetGenerationError, pa.ArrowException, OSError) as error:
        raise InputError(f"{where}: not readable as parquet: {error.__cause__ or error}") from None
    return _recorded(_with_undecoded(rows), where, "local")


def _recorded(rows: Dataset, where: str, kind: str) -> Source:
    digest = hashlib.sha256()
    for row in rows.remove_columns(picture_columns(rows)):
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode())
    return Source(rows, where, f"{kind} rows sha256:{digest.hexdigest()[:16]}")


def _hub(benchmark: Benchmark, split: str, config: str | None, revision: str) -> Source:
    from datasets import load_dataset

    hub_id = benchmark.rows.HUB_ID
    if not hub_id:
        raise InputError(
            f"{benchmark.name} is not on the Hub: `mmmath hub build {benchmark.name} --out FOLDER` makes it, and "
            f"{_NAMED_BY} names the folder"
        )
    lost = None
    try:
        commit, lost = _fetched(hub_id, revision, config, split)
        with _cache_only() if lost else nullcontext():
            rows = load_dataset(hub_id, config, split=split, revision=commit or revision)
    except Exception as error:  # datasets and the Hub's client raise dozens of kinds; all mean: no rows from there
        why = _brief(error) + (f"; the Hub: {_brief(lost)}" if lost else "")
        raise InputError(
            f"{hub_id} at {revision!r}, split {split!r}, cannot be had from the Hub ({why}). "
            f"A local copy is read from the folder that {_NAMED_BY} names."
        ) from error
    found = commit or _cached_commit(rows)
    if _COMMIT.fullmatch(revision) and found != revision:  # offline, datasets takes whatever commit it has
        raise InputError(f"{hub_id} at {revision}: the Hub cannot be asked, and the local cache holds {found}")
    return Source(_with_undecoded(rows), hub_id, f"{hub_id}@{found or revision}")


def _brief(error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason given'}"


@contextmanager
def _cache_only() -> Iterator[None]:
    """Have `datasets` take what it has, at once: it would ask a Hub that is not there six times, for 23 seconds."""
    import datasets.config

    before, datasets.config.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE, True
    try:
        yield
    finally:
        datasets.config.HF_HUB_OFFLINE = before


def _fetched(hub_id: str, revision: str, config: str | None, split: str) -> tuple[str | None, InputError | None]:
    """Have a split's files in the client's cache, where `datasets` finds them: it wipes out what an error came from.

    Returns:
        the commit that the revision names today; or None and why the Hub cannot be asked (a cached copy may do).

    Raises:
        InputError: the Hub refused, or what it has did not come.
    """
    try:
        held = repo_at(hub_id, revision)
    except InputError as error:
        response = getattr(error.__cause__, "response", None)
        if response is not None and not is_transient(response.status_code):
            raise
        return None, error
    found = layout(held)
    files = [name for of, splits in found.items() if config in (None, of) for name in splits.get(split, ())]
    if files:
        held.download(files)
    return held.commit, None


def _cached_commit(rows: Dataset) -> str | None:
    """Return the commit of a data set that came from the local cache, which has a folder for each."""
    folders = {Path(file["filename"]).parent.name for file in rows.cache_files}
    return next((name for name in folders if _COMMIT.fullmatch(name)), None)
