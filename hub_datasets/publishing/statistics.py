"""Counting what a data set holds, for tables that stand beside the paper's own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Statistic:
    """One line of a statistics table.

    Attributes:
        name: what is counted.
        paper: the paper's figure as it prints it; "" where it has none.
        built: column (a split, or "all") to the built set's figure; a column that is absent could not be computed.
        note: why they differ, or how it is counted; "".
    """

    name: str
    paper: str
    built: Mapping[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """A table of the paper with the built set beside it.

    Attributes:
        title: what the table is, and which one of the paper it follows.
        covers: a sentence that says what the paper's figures were counted over, so that a reader knows which column to
            compare.
        lines: its lines.
    """

    title: str
    covers: str
    lines: tuple[Statistic, ...]


Count = Callable[[Sequence[Row]], str]


def table(
    title: str,
    covers: str,
    splits: Mapping[str, Sequence[Row]],
    lines: Iterable[tuple[str, str, Count] | tuple[str, str, Count, str] | Statistic],
) -> StatisticsTable:
    """Return a table whose lines (name, the paper's figure, how it is counted, note) are counted over every split.

    A line that was counted over others is a Statistic and stays as it is.
    """
    return StatisticsTable(
        title, covers, tuple(one if isinstance(one, Statistic) else line(splits, *one) for one in lines)
    )


def line(splits: Mapping[str, Sequence[Row]], name: str, paper: str, count: Count, note: str = "") -> Statistic:
    """Return one line, counted over every split."""
    return Statistic(name, paper, {split: count(rows) for split, rows in splits.items()}, note)


def size(rows: Sequence[Row]) -> str:
    """Return how many rows there are."""
    return number(len(rows))


def times(accept: Callable[[Row], object]) -> Count:
    """Return what says of how many rows `accept` is true."""
    return lambda rows: number(counted(rows, accept))


def portion(accept: Callable[[Row], object]) -> Count:
    """Return what says of how many rows `accept` is true, with their share of all."""
    return lambda rows: share(counted(rows, accept), len(rows))


def distinct(key: Callable[[Row], Hashable]) -> Count:
    """Return what says how many distinct values `key` gives."""
    return lambda rows: number(unique(rows, key))


def over(reduce: Callable[[list[float]], float], values: Callable[[Row], Iterable[float]]) -> Count:
    """Return what reduces all values of all rows to one figure, by max, min or mean; max and min of none are 0."""

    def count(rows: Sequence[Row]) -> str:
        found = [value for row in rows for value in values(row)]
        return number(reduce(found) if found or reduce is mean else 0)

    return count


def number(value: float) -> str:
    """Return "1,234" for a whole number, "12.34" for another, "-" for nan."""
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if math.isnan(value) else f"{value:,.2f}"


def share(part: int, whole: int) -> str:
    """Return "540 (54.0%)"; "0" of nothing."""
    return f"{part:,} ({part / whole:.1%})" if whole else f"{part:,}"


def mean(values: Iterable[float]) -> float:
    """Return the mean; nan of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else math.nan


def words(text: str) -> int:
    """Return the number of words: runs without white space, which reproduces the papers' figures."""
    return len(text.split())


def unique(rows: Sequence[Row], key: Callable[[Row], Hashable]) -> int:
    """Return how many distinct values `key` gives."""
    return len({key(row) for row in rows})


def counted(rows: Iterable[Row], accept: Callable[[Row], object]) -> int:
    """Return how many rows `accept` is true of."""
    return sum(bool(accept(row)) for row in rows)


def kl_divergence(part: Mapping[Hashable, int], whole: Mapping[Hashable, int]) -> float:
    """Return the Kullback-Leibler divergence of two distributions in nats, KL(part || whole).

    Args:
        part: counts by class, of testmini, say.
        whole: counts by class of the set it was drawn from.

    Returns:
        0 for equal distributions; infinity where `part` has a class that `whole` lacks; nan where one is empty.
    """
    total_part, total_whole = sum(part.values()), sum(whole.values())
    if not total_part or not total_whole:
        return math.nan
    result = 0.0
    for name, count in part.items():
        if count:
            if not whole.get(name):
                return math.inf
            p, q = count / total_part, whole[name] / total_whole
            result += p * math.log(p / q)
    return result


def total_variation(part: Mapping[Hashable, int], whole: Mapping[Hashable, int]) -> float:
    """Return the total variation distance of two distributions, 0 to 1; nan where one is empty."""
    total_part, total_whole = sum(part.values()), sum(whole.values())
    if not total_part or not total_whole:
        return math.nan
    names = {*part, *whole}
    return sum(abs(part.get(n, 0) / total_part - whole.get(n, 0) / total_whole) for n in names) / 2


def histogram(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> Counter[Hashable]:
    """Return how often each value of `key` occurs."""
    return Counter(key(row) for row in rows)
