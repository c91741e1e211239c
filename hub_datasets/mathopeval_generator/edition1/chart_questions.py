"""What the first edition asks about charts: look-alikes, deletions, changes, and numbers at elements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from itertools import combinations

from mmmath_tasks.hub_datasets.mathopeval_generator.chart_samples import (
    PART,
    ChartRules,
    four_places,
    mark_text,
    value_deck,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart, apart, digits, spaced, tidy
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1.chart_code import data_lines, script, value_lines
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1.charts import CLEAR, chart
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words


def _told(chart: Chart) -> dict[str, str]:
    if chart.type == "pie":
        return {"description": f"{chart.title!r} with {len(chart.labels)} slices"}
    lines = f" in {len(chart.series)} series" if len(chart.series) > 1 else ""
    return {"description": f"{chart.title!r} with {len(chart.labels)} {chart.x_name.lower()} labels{lines}"}


def _clear(chart: Chart) -> float:
    """Return the difference of values that the eye sees in this chart."""
    return 3 if chart.type == "pie" else CLEAR * chart.top / (1 if len(chart.series) < 3 else 1.5)


def _other(rng: random.Random, chart: Chart, s: int, taken: Sequence[float], like: float) -> float:
    """Draw a value within the range of series s, of as many digits as `like`, at a clear distance from those taken."""
    low, high = min(chart.series[s][1]), max(chart.series[s][1])
    decimals = digits(like)[1]
    for _ in range(2000):
        value = round(rng.uniform(low, high), decimals) if decimals else rng.randint(int(low), int(high))
        if digits(value) == digits(like) and apart([*taken, value], _clear(chart)):
            return value
    raise ValueError(f"no other value beside {list(taken)} in {chart.title!r}")


def _lookalikes(chart: Chart, rng: random.Random) -> list[Chart]:
    """Return four charts: two values swapped or not, a third value (for pies: a transfer) changed or not."""
    pairs = [
        (s, i, j)
        for s, (_, values) in enumerate(chart.series)
        for i, j in combinations(range(len(values)), 2)
        if abs(values[i] - values[j]) >= _clear(chart) and digits(values[i]) == digits(values[j])
    ]
    if not pairs:
        raise ValueError(f"no two values of {chart.title!r} are far enough apart")
    for _ in range(200):
        s, i, j = rng.choice(pairs)
        values = chart.series[s][1]
        rest = [k for k in range(len(values)) if k not in (i, j)]
        if chart.type == "pie":
            k, m = rng.sample(rest, 2)
            amount = round(rng.uniform(3, 8), 1) if any(v != int(v) for v in values) else rng.randint(3, 8)
            changes = {k: round(values[k] + amount, 1), m: round(values[m] - amount, 1)}
            if changes[m] < 4:
                continue
        else:
            k = rng.choice(rest)
            try:
                changes = {k: _other(rng, chart, s, [values[k]], values[k])}
            except ValueError:
                continue
        swap = {i: values[j], j: values[i]}
        four = [chart.with_values(s, {**a, **b}) for a in ({}, swap) for b in ({}, changes)]
        askable = all(spaced(values, _clear(c)) for c in four for _, values in c.series)
        if askable and len({len(value_lines(c)) for c in four}) == 1:
            return four if rng.random() < 0.5 else [four[1], four[0], four[3], four[2]]
    raise ValueError(f"{chart.title!r} has no look-alikes that can be told apart")


def _deletions(chart: Chart, rng: random.Random) -> tuple[list[Chart], tuple[str, str]]:
    if len(chart.series) == 4:
        return [chart.without_series(name) for name, _ in chart.series], ("one whole series has been deleted", "")
    part, place, several = PART[chart.type], chart.x_name.lower(), len(chart.series) > 1
    pair = len(chart.labels) >= 6 and rng.random() < 0.4
    names = [chart.labels[i] for i in sorted(rng.sample(range(len(chart.labels)), 4))]
    sets = [(a, b) for a in names[:2] for b in names[2:]] if pair else [(name,) for name in names]
    if several:
        hint = f"the {part}s of {f'two {_plural(place)}' if pair else f'one {place}'} have"
    else:
        hint = f"two {part}s have" if pair else f"one {part} has"
    return [chart.without_labels(gone) for gone in sets], (f"{hint} been deleted", "")


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def _modifications(chart: Chart, rng: random.Random) -> list[Chart]:
    for _ in range(500):
        s = rng.randrange(len(chart.series))
        i, j = sorted(rng.sample(range(len(chart.series[s][1])), 2))
        try:
            edits = _transfers(chart, rng, i, j) if chart.type == "pie" else _changes(chart, rng, s, i, j)
        except ValueError:
            continue
        results = [chart.with_values(s, edit) for edit in edits]
        if len({len(value_lines(c)) for c in results}) == 1:
            return results
    raise ValueError(f"no clear change of {chart.title!r}")


def _changes(chart: Chart, rng: random.Random, s: int, i: int, j: int) -> list[dict[int, float]]:
    """Return four edits: place i or j gets one of two new values."""
    old = [chart.series[s][1][i], chart.series[s][1][j]]
    if digits(old[0]) != digits(old[1]):
        raise ValueError("values of different lengths")
    if not apart(old, _clear(chart)):
        raise ValueError("values too close to one another")
    first = _other(rng, chart, s, old, old[0])
    second = _other(rng, chart, s, [first, *old], old[0])
    return [{place: value} for place in (i, j) for value in sorted((first, second))]


def _transfers(chart: Chart, rng: random.Random, i: int, j: int) -> list[dict[int, float]]:
    """Return four edits: slice i or j gives one of two amounts to a third."""
    values = chart.series[0][1]
    taker = rng.choice([k for k in range(len(values)) if k not in (i, j)])
    amounts = sorted(rng.sample(range(4, 13), 2))
    if amounts[1] - amounts[0] < 3 or min(values[i], values[j]) - amounts[1] < 3:
        raise ValueError("no such transfer")
    return [
        {giver: tidy(values[giver] - amount), taker: tidy(values[taker] + amount)}
        for giver in (i, j)
        for amount in amounts
    ]


def _annotation(chart: Chart, rng: random.Random, which: partial[int], words: Words) -> list[Deck]:
    """Return the forward question (which number stands at it?) and the backward one (at what does it stand?)."""
    gap, part, true = _clear(chart), PART[chart.type], which("backward")
    forward = value_deck(chart, rng, gap, which("forward"), partial(words.ask, "value"))
    name, values = chart.series[rng.randrange(len(chart.series))]
    four = sorted(four_places(values, gap, rng))
    series = f" in the series {name!r}" if name else ""
    text = words.ask("place", part=part, series=series, number=mark_text(chart, values[four[true]]))
    options = tuple(f"The {part} of {chart.labels[i]!r}" for i in four)
    return [forward, Deck("mce_annotation", text, options, true, "", "backward")]


RULES = ChartRules(
    texts="edition 1, charts",
    draw=chart,
    lookalikes=_lookalikes,
    deletions=_deletions,
    modifications=_modifications,
    annotation=_annotation,
    fitted=lambda *charts: list(charts),
    script=script,
    options=(partial(data_lines, look=False), partial(data_lines, look=False), value_lines),
    told=_told,
    lengths=False,
)
