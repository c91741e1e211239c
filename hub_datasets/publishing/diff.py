"""What changed between two builds, or between a build and a revision on the Hub: rows added, removed, changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from mmmath_tasks import contract
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.hub_datasets.publishing.snapshot import Layout, Snapshot, benchmark_of, layout, rows

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One split, compared.

    Attributes:
        config: the configuration; "a / b" where the two sides name it differently.
        split: the split.
        added: ids that only the second side has.
        removed: ids that only the first side has.
        changed: id to the columns whose values differ.
        columns_added: columns that only the second side has.
        columns_removed: columns that only the first side has.
        moved: whether the ids that both have stand in another order.
        only: "first" or "second" where the other side lacks the split; "" where both have it.
    """

    config: str
    split: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    moved: bool = False
    only: str = ""

    def __bool__(self) -> bool:
        """Tell whether there is a difference."""
        columns = self.columns_added or self.columns_removed
        return bool(self.added or self.removed or self.changed or columns or self.moved or self.only)

    def lines(self, most: int) -> Iterator[str]:
        """Yield how many rows differ, then the ids, at most so many of each kind (-1: all), and the columns."""
        where = f"{self.config}/{self.split}"
        if self.only:
            yield f"{where}: only in the {self.only}"
            return
        rows = {"added": self.added, "removed": self.removed, "changed": self.changed}
        counts = ", ".join(f"{len(names):,} {kind}" for kind, names in rows.items())
        yield f"{where}: {counts}{', another order' if self.moved else ''}"
        yield from _named("+", self.added, most)
        yield from _named("-", self.removed, most)
        yield from _named("~", [f"{name}: {', '.join(columns)}" for name, columns in self.changed.items()], most)
        yield from _named("+ column", self.columns_added, -1)
        yield from _named("- column", self.columns_removed, -1)


def _named(sign: str, names: Sequence[str], most: int) -> Iterator[str]:
    shown = names if most < 0 else names[:most]
    yield from (f"  {sign} {name}" for name in shown)
    if len(shown) < len(names):
        yield f"  {sign} ... and {len(names) - len(shown):,} more"


def diff(first: Snapshot, second: Snapshot) -> Iterator[Difference]:
    """Yield the comparison of every split that either side has, equal ones included.

    Rows are matched by the benchmark's id, those of configurations of facts by their first column; pictures are
    compared byte for byte.

    Raises:
        InputError: a side has no parquet files, or a damaged one, or they are builds of different benchmarks.
    """
    ours, theirs = layout(first), layout(second)
    for place, found in ((first, ours), (second, theirs)):
        if not any(files for splits in found.values() for files in splits.values()):
            raise InputError(f"{place.name}: no parquet files to compare")
    names = [name for name in (benchmark_of(first), benchmark_of(second)) if name]
    if len(set(names)) > 1:
        raise InputError(f"{first.name} and {second.name}: builds of different benchmarks, {' and '.join(names)}")
    name = names[0] if names else None
    # Of the names of one configuration, one is compared: one that both sides have, the own one before an alias.
    aliases = edition(name).aliases if name else {}
    ours, theirs = (
        {config: found[config] for config in sorted(found, key=lambda c: (c not in other, c in aliases))}
        for found, other in ((ours, theirs), (theirs, ours))
    )
    seen: set[tuple[str, ...]] = set()
    for (config, split), (other, _) in _pairs(ours, theirs):
        files = {
            (side, *found[of][split])
            for side, found, of in (("first", ours, config), ("second", theirs, other))
            if of is not None
        }
        if files <= seen:
            continue
        seen |= files
        if config is None or other is None:
            yield Difference(str(config or other), split, only="second" if config is None else "first")
            continue
        before = _digests(rows(first, ours[config][split]), _key(name))
        after = _digests(rows(second, theirs[other][split]), _key(name))
        yield _compare(config if config == other else f"{config} / {other}", split, before, after)


_Side = tuple[str | None, str]


def _pairs(ours: Layout, theirs: Layout) -> Iterator[tuple[_Side, _Side]]:
    """Yield which split is compared with which: of the same configuration, else of one that only the other side has."""
    alike = ours.keys() & theirs.keys()
    seen: set[tuple[str, str]] = set()
    for config, splits in ours.items():
        for split in splits:
            if config in alike and split in theirs[config]:
                other = config
            else:
                others = [c for c, found in theirs.items() if c not in alike and split in found]
                other = others[0] if others and split != "metadata" else None  # type: ignore[assignment]
            if other is not None:
                seen.add((other, split))
            yield (config, split), (other, split)
    for config, splits in theirs.items():
        for split in splits:
            if (config, split) not in seen:
                yield (None, split), (config, split)


def _key(name: str | None) -> Callable[[Row, int], str]:
    module = contract.rows(name) if name else None

    def key(row: Row, number: int) -> str:
        if module:
            try:
                return str(module.problem(row).id)
            except InputError:
                return str(next(iter(row.values())))
        return str(number)

    return key


def _digests(found: Iterator[Row], key: Callable[[Row, int], str]) -> dict[str, dict[str, bytes]]:
    """Return id to column to a hash of the value, which is all that a comparison keeps in memory."""
    result: dict[str, dict[str, bytes]] = {}
    for number, row in enumerate(found, 1):
        name = key(row, number)
        while name in result:
            name += " (again)"
        result[name] = {column: _digest(value) for column, value in row.items()}
    return result


def _digest(value: Any) -> bytes:
    if isinstance(value, dict) and set(value) == {"bytes", "path"}:
        # The name a picture once had is no part of it.
        value = value["bytes"]
    content = value if isinstance(value, bytes) else repr(value).encode()
    return blake2b(content, digest_size=16, person=type(value).__name__.encode()[:16]).digest()


def _compare(
    config: str, split: str, before: dict[str, dict[str, bytes]], after: dict[str, dict[str, bytes]]
) -> Difference:
    columns = [next(iter(side.values()), {}).keys() for side in (before, after)]
    shared = columns[0] & columns[1]
    both = [name for name in before if name in after]
    changed = {
        name: tuple(sorted(c for c in shared if before[name].get(c) != after[name].get(c)))
        for name in both
        if any(before[name].get(c) != after[name].get(c) for c in shared)
    }
    return Difference(
        config,
        split,
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=changed,
        columns_added=tuple(sorted(columns[1] - columns[0])),
        columns_removed=tuple(sorted(columns[0] - columns[1])),
        moved=both != [name for name in after if name in before],
    )
