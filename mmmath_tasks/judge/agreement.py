"""How far two judges, or a judge and human labels, agree: share, Cohen's kappa, quadratic-weighted kappa."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.metrics.tally import wilson
from mmmath_tasks.outputs.tables import rows
from mmmath_tasks.problem import Score

LABELS = ("label", "human", "verdict.official", "verdict.verified", "official", "verified", "correct", "true_false")
"""Columns that may hold a label, the surest first; a dot looks inside, as in the samples that `mmmath judge` writes."""

IDS = ("problem.id", "id", "pid", "question_id", "sample_index")

Label = str | float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over the items that both labelled.

    Attributes:
        count: how many those are.
        only_first, only_second: items that only one labelled (unscored ones are not labels).
        scores: agreement (0 to 1), kappa and kappa_quadratic (-1 to 1), each with a 95 % interval over items: Wilson's,
            for the kappas the bootstrap's, none where all its draws are alike (two items, or no disagreement). They are
            nan where there is nothing to compare, for a kappa also where both always give the same label, and for
            kappa_quadratic where the labels are no numbers.
        table: how often each pair of labels occurred.
    """

    count: int
    only_first: int
    only_second: int
    scores: tuple[Score, ...]
    table: Mapping[tuple[Label, Label], int]


def read_labels(path: Path, column: str | None = None) -> dict[str, Label]:
    """Return the labels of a table or samples by id; rows without a label (unscored) are left out.

    The column is such as "verdict.scores.cot_e"; None: the first of LABELS that has a value anywhere.

    Raises:
        InputError: no id or label column, or an id twice.
    """
    found = list(rows(path))
    chosen = column or next((name for name in LABELS if any(_inside(row, name) is not None for _, row in found)), None)
    key = next((name for name in IDS if any(_inside(row, name) is not None for _, row in found)), None)
    if not found:
        raise InputError(f"{path}: holds no rows")
    if chosen is None or key is None:
        wanted = f"an id ({', '.join(IDS)}) and a label ({', '.join(LABELS)}; or name it with --column)"
        raise InputError(f"{path}: expected {wanted}; got {', '.join(sorted({n for _, row in found for n in row}))}")
    labels: dict[str, Label] = {}
    for number, row in found:
        item = _inside(row, key)
        if item is None:
            raise InputError(f"{path}: row {number}: no {key}")
        label = _label(_inside(row, chosen))
        if str(item) in labels:
            raise InputError(f"{path}: row {number}: id {str(item)!r} stands there twice")
        if label is not None:
            labels[str(item)] = label
    if not labels:
        raise InputError(f"{path}: column {chosen!r} holds no label")
    return labels


def _inside(row: Mapping[str, Any], path: str) -> Any:
    value: Any = row.get(path)
    if value is None and "." in path:
        value = row
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _label(value: Any) -> Label | None:
    """Return a cell as a label: truth values and numerals are numbers, so that "1", 1 and true agree."""
    if value is None or value == "":
        return None
    text = str(value).strip()
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else None


def agreement(
    first: Mapping[str, Label], second: Mapping[str, Label], *, draws: int = 1000, seed: int = 0
) -> Agreement:
    """Compare two labellings, labels by id, with bootstrap intervals of so many draws of the items."""
    both = [item for item in first if item in second]
    table = Counter((first[item], second[item]) for item in both)
    pairs = sorted(table, key=str)
    names = ("agreement", "kappa", "kappa_quadratic")
    scores = bootstrapped([table[pair] for pair in pairs], partial(_statistics, pairs), names, draws, seed)
    if both:
        share = scores[0].value
        low, high = wilson(share * len(both), len(both))
        scores = (replace(scores[0], low=low, high=high), *scores[1:])
    return Agreement(len(both), len(first) - len(both), len(second) - len(both), scores, dict(table))


def bootstrapped(
    counts: Sequence[int], statistics: Callable[[Any], Mapping[str, Any]], names: Sequence[str], draws: int, seed: int
) -> tuple[Score, ...]:
    """Return named statistics of items with 95 % bootstrap intervals over them, none where all draws are alike.

    Args:
        counts: how many items are of each pattern of labels; () for none.
        statistics: rows of shares of the patterns to each statistic's values, one a row.
        names: of the statistics.
        draws: resamples.
        seed: of the resampling.
    """
    import numpy as np

    whole = sum(counts)
    values: Mapping[str, Any] = {name: np.full(1 + draws, math.nan) for name in names}
    if whole:
        shares = np.array(counts) / whole
        # Resampling items is drawing the counts of their patterns; the first row is the sample itself.
        resampled = np.random.default_rng(seed).multinomial(whole, shares, size=draws) / whole
        values = statistics(np.vstack([shares, resampled]))
    scores = []
    for name, found in values.items():
        drawn = found[1:][~np.isnan(found[1:])]  # a resample may hold one label only, whose kappa is undefined
        ends = (math.nan, math.nan)
        if len(drawn) and np.ptp(drawn) > 1e-12:
            ends = np.percentile(drawn, [2.5, 97.5])
        scores.append(Score(name, "", "", float(found[0]), whole, float(ends[0]), float(ends[1])))
    return tuple(scores)


def _statistics(pairs: Sequence[tuple[Label, Label]], shares: Any) -> dict[str, Any]:
    """Return agreement and both kappas for each row of `shares`, the shares of the pairs.

    Kappa is 1 - (1 - observed) / (1 - expected) agreement. With squared differences for weights, expected
    disagreement is var a + var b + (mean a - mean b)^2, and no grid of labels is needed.
    """
    import numpy as np

    names = list(dict.fromkeys(label for pair in pairs for label in pair))
    hits = np.array([a == b for a, b in pairs], dtype=float)
    ours, theirs = (np.array([[pair[side] == n for n in names] for pair in pairs], dtype=float) for side in (0, 1))
    observed = shares @ hits
    expected = ((shares @ ours) * (shares @ theirs)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(1 - expected > 1e-12, (observed - expected) / (1 - expected), math.nan)
        quadratic = np.full(len(shares), math.nan)
        if all(isinstance(name, float) for name in names):
            a, b = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
            spread = shares @ a**2 - (shares @ a) ** 2 + shares @ b**2 - (shares @ b) ** 2
            spread = spread + (shares @ a - shares @ b) ** 2
            quadratic = np.where(spread > 1e-12, 1 - (shares @ (a - b) ** 2) / spread, math.nan)
    return {"agreement": observed, "kappa": kappa, "kappa_quadratic": quadratic}
