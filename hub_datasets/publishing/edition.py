"""What a benchmark's repo on the Hub holds beside its rows: one record a benchmark, found by name in editions/."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mmmath_tasks.hub_datasets.publishing.statistics import StatisticsTable

if TYPE_CHECKING:
    from datasets import Features

Row = Mapping[str, Any]
Splits = Mapping[str, Sequence[Row]]
"""Split to its rows without the pictures' bytes: a picture is {"bytes": None, "path", "hash", "size"} or None."""


@dataclass(frozen=True, slots=True)
class View:
    """A configuration that holds the benchmark's own rows sorted into other splits.

    Attributes:
        split: the split a row belongs to; None for none.
        row: the row as the view stores it.
        features: the columns.
        about: one sentence for the card.
    """

    split: Callable[[Row], str | None]
    row: Callable[[Row], Row]
    features: Callable[[], Features]
    about: str


@dataclass(frozen=True, slots=True)
class Extra:
    """A small configuration of facts about the benchmark, split "metadata".

    Attributes:
        rows: its rows, from the rows that were built.
        features: the columns.
        about: one sentence for the card.
    """

    rows: Callable[[Splits], Iterable[Row]]
    features: Callable[[], Features]
    about: str


@dataclass(frozen=True, slots=True)
class Edition:
    """How a benchmark is laid out and described on the Hub.

    Attributes:
        title: the benchmark's name as its authors write it.
        configs: split to the configuration that holds it, where that is not the benchmark's name.
        aliases: further names of a configuration, so that code written for upstream's repo runs on ours.
        views: configuration to View.
        extras: configuration to Extra.
        statistics: the paper's tables beside the built rows.
        optional: columns that may be null beside those of pictures ("metadata.grade" for one in a record); a null
            elsewhere is an error. None: any may.
        known: kind of anomaly to the ids known to have it (Anomalies).
        odd: looks at all rows for what one row alone does not show: (split, kind, id) each.
        odd_kinds: what those kinds mean.
        drawn_question: whether a row's question is drawn into its picture, so that it may have no text.
        languages: of the questions, ISO 639-1.
        split_notes: split to what a reader must know of it.
        tags: of the card.
        annotations, sources, task_categories, task_ids: the card's annotations_creators, source_datasets and so on, in
            the Hub's own terms.
    """

    title: str
    configs: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    extras: Mapping[str, Extra] = field(default_factory=dict)
    statistics: Callable[[Splits], Sequence[StatisticsTable]] = lambda splits: ()
    optional: frozenset[str] | None = None
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)
    odd: Callable[[Splits], Iterable[tuple[str, str, str]]] = lambda splits: ()
    odd_kinds: Mapping[str, str] = field(default_factory=dict)
    drawn_question: Callable[[Row], bool] = lambda row: False
    languages: tuple[str, ...] = ("en",)
    split_notes: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ("expert-generated",)
    sources: tuple[str, ...] = ("original",)
    task_categories: tuple[str, ...] = ("visual-question-answering", "question-answering", "multiple-choice")
    task_ids: tuple[str, ...] = ("visual-question-answering", "closed-domain-qa", "multiple-choice-qa")


def edition(name: str) -> Edition:
    """Return the benchmark's edition; a plain one where editions/ has no module of that name."""
    place = f"mmmath_tasks.hub_datasets.editions.{name}"
    if find_spec(place) is None:
        return Edition(title=name)
    found: Edition = import_module(place).EDITION
    return found
