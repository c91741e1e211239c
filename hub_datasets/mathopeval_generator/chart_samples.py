"""Samples on bar, line and pie charts: the four states and the multiple-choice questions.

Every question starts from four charts, edits or elements that are alike, one of which is then drawn as the true one:
nothing in the four options tells which.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from mmmath_tasks.hub_datasets.mathopeval_generator import chart_code
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import CLEAR, Chart, apart, chart, spaced
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark, Sample, State

PART = {"bar": "bar", "line": "point", "pie": "slice"}
VALUE = {"bar": "height", "line": "value", "pie": "share"}


def sample(seed: int, type: str, index: int) -> Sample:
    """Return the sample `index` of "bar", "line" or "pie"."""
    for attempt in range(100):
        try:
            return sample_of(chart(type, draws(seed, type, index, f"figure {attempt}")), seed, index)
        except ValueError:
            continue
    raise AssertionError("a hundred charts, none to ask about")


def sample_of(drawn: Chart, seed: int, index: int, vary: bool = True) -> Sample:
    """Return the sample that grows from a chart: the chart itself, or one that differs from it in two places.

    Args:
        drawn: the chart.
        seed: with the chart's type and the index it decides edits and questions.
        index: within the type.
        vary: false: the sample is on the chart itself.

    Raises:
        ValueError: the chart has too few labels, or values too close to one another, to ask about.
    """
    rng = draws(seed, drawn.type, index, "questions")
    which = partial(turn, seed, drawn.type, index)
    charts = _lookalikes(drawn, rng)
    true = which("mcg")
    if not vary:
        own = charts.index(drawn)
        charts[own], charts[true] = charts[true], charts[own]
    original = charts[true]
    kind = _kind(original)
    generation = Deck(
        "mcg",
        f"Which data lines belong to the code that draws the {kind} in the image?",
        tuple(chart_code.data_lines(c, look=False) for c in charts),
        true,
    )
    deleted, deletion, gone = _deletion(original, rng, which("deletion"))
    modified, modification, hint = _modification(original, rng, which("modification"))
    found, part = marks(original), PART[drawn.type]
    states = {
        "original": State(
            chart_code.script(original),
            f"The image shows a {kind} titled {original.title!r}{_extent(original)}. "
            "Write Python code with Matplotlib that draws this chart.",
        ),
        "deleted": State(
            chart_code.script(deleted),
            f"The first image is a {kind} drawn by the code below. In the second image {gone} been deleted. "
            "Edit the code so that it draws the second image.",
        ),
        "modified": State(
            chart_code.script(modified),
            f"The first image is a {kind} drawn by the code below. In the second image {hint}. "
            "Edit the code so that it draws the second image.",
        ),
        "annotated": State(
            chart_code.script(original, annotated=True),
            f"The image is a {kind} drawn by the code below. Edit the code so that it also writes the "
            f"{VALUE[drawn.type]} of every {part} as a number at that {part}: {listing(found)}.",
        ),
    }
    decks = (generation, deletion, modification, *_annotation(original, rng, which))
    return Sample(drawn.type, index, original.topic, original.style, "python", states, decks, found)


def _kind(chart: Chart) -> str:
    several = len(chart.series) > 1
    if chart.type == "bar":
        name = {"horizontal": "horizontal bar", "grouped": "grouped bar", "stacked": "stacked bar"}
        return f"{name.get(chart.style, 'bar')} chart"
    if chart.type == "line":
        return "line graph with several lines" if several else "line graph"
    return "ring-shaped pie chart" if chart.style == "ring" else "pie chart"


def _extent(chart: Chart) -> str:
    if chart.type == "pie":
        return f" with {len(chart.labels)} slices"
    lines = f" in {len(chart.series)} series" if len(chart.series) > 1 else ""
    return f" with {len(chart.labels)} {chart.x_name.lower()} labels{lines}"


def _clear(chart: Chart) -> float:
    """Return the difference of values that the eye sees in this chart."""
    return 3 if chart.type == "pie" else CLEAR * chart.top / (1 if len(chart.series) < 3 else 1.5)


def digits(value: float) -> tuple[int, int]:
    """Return how many characters stand before and after the point of a value."""
    whole, _, part = chart_code.shown(value).partition(".")
    return len(whole), len(part)


def _other(rng: random.Random, chart: Chart, s: int, taken: Sequence[float], like: float) -> float:
    """Draw a value within the range of series s, of as many digits as `like`, at a clear distance from those taken."""
    low, high = min(chart.series[s][1]), max(chart.series[s][1])
    decimals = digits(like)[1]
    for _ in range(2000):
        value = round(rng.uniform(low, high), decimals) if decimals else rng.randint(int(low), int(high))
        if digits(value) == digits(like) and apart([*taken, value], _clear(chart)):
            return value
    raise ValueError(f"no other value beside {list(taken)} in {chart.title!r}")


def _pairs(chart: Chart, rng: random.Random, gap: float) -> tuple[int, int, int]:
    """Return a series and two of its places whose values are `gap` apart and have as many digits."""
    found = [
        (s, i, j)
        for s, (_, values) in enumerate(chart.series)
        for i in range(len(values))
        for j in range(i + 1, len(values))
        if abs(values[i] - values[j]) >= gap and digits(values[i]) == digits(values[j])
    ]
    if not found:
        raise ValueError(f"no two values of {chart.title!r} are far enough apart")
    return rng.choice(found)


def _lookalikes(chart: Chart, rng: random.Random) -> list[Chart]:
    """Return four charts: two values swapped or not, a third value (for pies: a transfer) changed or not."""
    for _ in range(200):
        s, i, j = _pairs(chart, rng, _clear(chart))
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
        if len({len(chart_code.value_lines(c)) for c in four}) == 1 and all(_askable(c) for c in four):
            return four if rng.random() < 0.5 else [four[1], four[0], four[3], four[2]]
    raise ValueError(f"{chart.title!r} has no look-alikes that can be told apart")


def _askable(chart: Chart) -> bool:
    return all(spaced(values, _clear(chart)) for _, values in chart.series)


def _deletion(chart: Chart, rng: random.Random, true: int) -> tuple[Chart, Deck, str]:
    """Return the chart with elements gone, the question, and a hint that does not name them."""
    part = PART[chart.type]
    if len(chart.series) == 4:
        names = [name for name, _ in chart.series]
        results = [chart.without_series(name) for name in names]
        hint = "one whole series has"
    else:
        pair = len(chart.labels) >= 6 and rng.random() < 0.4
        four = sorted(rng.sample(range(len(chart.labels)), 4))
        names = [chart.labels[i] for i in four]
        sets = [(a, b) for a in names[:2] for b in names[2:]] if pair else [(name,) for name in names]
        results = [chart.without_labels(gone) for gone in sets]
        what = f"{part}s of one {chart.x_name.lower()}" if len(chart.series) > 1 else part
        if pair:
            what = f"{part}s of two {_plural(chart.x_name.lower())}" if len(chart.series) > 1 else f"{part}s"
            hint = f"the {what} have" if len(chart.series) > 1 else f"two {what} have"
        else:
            hint = f"the {what} have" if len(chart.series) > 1 else f"one {part} has"
    text = f"In the second image {hint} been deleted from the chart. Which data lines draw the second image?"
    options = tuple(chart_code.data_lines(c, look=False) for c in results)
    return results[true], Deck("mce_deletion", text, options, true), hint


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def _modification(chart: Chart, rng: random.Random, true: int) -> tuple[Chart, Deck, str]:
    """Return the chart with one value changed, the question, and a hint that does not name it."""
    for _ in range(500):
        s = rng.randrange(len(chart.series))
        name, values = chart.series[s]
        i, j = sorted(rng.sample(range(len(values)), 2))
        try:
            edits = _transfers(chart, rng, i, j) if chart.type == "pie" else _changes(chart, rng, s, i, j)
        except ValueError:
            continue
        results = [chart.with_values(s, edit) for edit in edits]
        options = tuple(chart_code.value_lines(c) for c in results)
        if len(set(map(len, options))) == 1:
            break
    else:
        raise ValueError(f"no clear change of {chart.title!r}")
    hint = {
        "bar": "the height of one bar has been changed",
        "line": "the value of one point has been changed",
        "pie": "one slice has given a part of its share to another",
    }[chart.type]
    text = f"In the second image {hint}. Which line of values draws the second image?"
    if name:
        text = text.replace("Which line of values draws", "Which values draw")
    return results[true], Deck("mce_modification", text, options, true), hint


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


def tidy(value: float) -> float:
    """Return a value to one decimal, a whole one as int."""
    value = round(value, 1)
    return int(value) if value == int(value) else value


def marks(chart: Chart) -> tuple[Mark, ...]:
    """Return what the annotated chart says, series by series."""
    return tuple(
        Mark(mark_text(chart, value), "value", f"{name}/{label}" if name else label)
        for name, values in chart.series
        for label, value in zip(chart.labels, values, strict=True)
    )


def mark_text(chart: Chart, value: float) -> str:
    """Return a value as it is annotated."""
    return f"{value:.1f}%" if chart.type == "pie" else chart_code.shown(value)


def listing(marks: Sequence[Mark]) -> str:
    """Return elements and their texts as an instruction lists them."""
    parts = [f"{mark.element.replace('/', ', ')}: {mark.text}" for mark in marks]
    return "; ".join(parts)


def _annotation(chart: Chart, rng: random.Random, which: partial[int]) -> tuple[Deck, Deck]:
    """Return the forward question (which number stands at it?) and the backward one (at what does it stand?)."""
    part = PART[chart.type]
    decks = []
    for direction in ("forward", "backward"):
        s = rng.randrange(len(chart.series))
        name, values = chart.series[s]
        four = four_places(values, _clear(chart), rng)
        of = f" in the series {name!r}" if name else ""
        if direction == "forward":
            four.sort(key=lambda i: values[i])
            asked = four[which(direction)]
            text = f"Which number should be annotated on the {part} of {chart.labels[asked]!r}{of}?"
            options = tuple(mark_text(chart, values[i]) for i in four)
        else:
            four.sort()
            asked = four[which(direction)]
            text = f"Which {part}{of} should be annotated with the number {mark_text(chart, values[asked])}?"
            options = tuple(f"The {part} of {chart.labels[i]!r}" for i in four)
        decks.append(Deck("mce_annotation", text, options, which(direction), "", direction))
    return decks[0], decks[1]


def four_places(values: Sequence[float], gap: float, rng: random.Random) -> list[int]:
    """Return four places, at random, whose values are all `gap` apart."""
    places = list(range(len(values)))
    for _ in range(2000):
        four = rng.sample(places, 4)
        if apart([values[i] for i in four], gap):
            return four
    raise ValueError(f"no four of {list(values)} lie {gap:g} apart")
