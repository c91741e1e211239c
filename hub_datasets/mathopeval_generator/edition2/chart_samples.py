"""Samples on bar, line and pie charts of the second edition: the four states and the multiple-choice questions.

The options of a code question are whole scripts that differ in one element: four values of one bar, say, of which any
could be the true one. What is drawn then follows from which one is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from mmmath_tasks.hub_datasets.mathopeval_generator.chart_code import shown
from mmmath_tasks.hub_datasets.mathopeval_generator.chart_samples import (
    PART,
    VALUE,
    digits,
    four_places,
    listing,
    mark_text,
    marks,
    tidy,
)
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart, apart
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.chart_code import brief, script
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.charts import GAPS, SLICE, chart
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.plot_area import fitted
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.wording import code_decks, instruction, question
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Sample, State

_KINDS = {
    "horizontal": "a horizontal bar chart",
    "grouped": "a grouped bar chart",
    "stacked": "a stacked bar chart",
    "several": "a line graph with several lines",
    "ring": "a ring-shaped pie chart",
}
_PLAIN = {"bar": "a bar chart", "line": "a line graph", "pie": "a pie chart"}
_CHANGES = {
    "bar": ("the height of one bar has been changed", "a change in the height of one bar"),
    "line": ("the value of one point has been changed", "a change in the value of one point"),
    "pie": ("one slice has given a part of its share to another", "a shift of share from one slice to another"),
}
_LANGUAGES = {
    "pyplot": "Python code with Matplotlib",
    "axes": "a Python script with Matplotlib",
    "pandas": "a Python script (Matplotlib, with or without pandas)",
    "seaborn": "a Python script (Matplotlib, with or without seaborn)",
}


def sample(seed: int, type: str, index: int) -> Sample:
    """Return the sample `index` of "bar", "line" or "pie"."""
    for attempt in range(300):
        try:
            return sample_of(chart(type, draws(seed, type, index, f"figure {attempt}")), seed, index)
        except ValueError:
            continue
    raise AssertionError("three hundred charts, none to ask about")


def sample_of(first: Chart, seed: int, index: int) -> Sample:
    """Return the sample that grows from a first chart, of which one value is drawn anew.

    Raises:
        ValueError: the chart has too few labels, or values too close to one another, to ask about.
    """
    rng, words = draws(seed, first.type, index, "questions"), draws(seed, first.type, index, "wording")
    which = partial(turn, seed, first.type, index)
    charts = _lookalikes(first, rng)
    true, cut, changed = which("mcg"), which("deletion"), which("modification")
    original = charts[true]
    figure = _KINDS.get(original.style, _PLAIN[original.type])
    deleted, gone, gone_noun = _deletions(original, rng)
    modified = _modifications(original, rng)
    drawn, *edited = fitted(original, deleted[cut], modified[changed])
    size = "length" if original.style == "horizontal" else VALUE[first.type]
    change, change_noun = (text.replace("height", size) for text in _CHANGES[first.type])
    edits = {"deleted": (gone, gone_noun), "modified": (change, change_noun)}
    found, part = marks(original), PART[first.type]
    tell = partial(instruction, words, figure=figure)
    codes = {
        "original": script(drawn),
        "deleted": script(edited[0]),
        "modified": script(edited[1]),
        "annotated": script(drawn, annotated=True),
    }
    told = {
        "original": tell("original", description=_description(original), language=_LANGUAGES[original.look["idiom"]]),
        **{state: tell(state, edit=edit, edit_noun=noun) for state, (edit, noun) in edits.items()},
        "annotated": tell(
            "annotated",
            writes=f"writes the {size} of every {part} as a number at that {part}",
            listing=listing(found),
        ),
    }
    ask = partial(question, words, figure=figure)
    decks = (
        *code_decks(
            ask, [list(map(brief, c)) for c in (charts, deleted, modified)], (true, cut, changed), gone, change
        ),
        *(_annotation(original, rng, which(name), partial(ask, name), name == "call") for name in ("value", "call")),
    )
    states = {state: State(codes[state], told[state]) for state in codes}
    return Sample(first.type, index, original.topic, original.style, "python", states, decks, found)


def _description(chart: Chart) -> str:
    """Return what the chart is about, without its values."""
    several = f" for each of {', '.join(name for name, _ in chart.series)}" if len(chart.series) > 1 else ""
    part = f"{len(chart.labels)} {PART[chart.type]}s"
    if chart.type == "pie":
        return f"Its title is {chart.title!r}, and it has {part}, from {chart.labels[0]!r} to {chart.labels[-1]!r}."
    return (
        f"Its title is {chart.title!r}; it has {part}{several}, by {chart.x_name.lower()} from {chart.labels[0]!r} to "
        f"{chart.labels[-1]!r}, and the axis of values is called {chart.y_name!r}."
    )


def _gap(chart: Chart) -> float:
    """Return the difference of values that the eye sees in this chart."""
    if chart.type == "pie":
        return GAPS["pie"]
    several = len(chart.series) if chart.style == "stacked" else 1.5 if len(chart.series) > 2 else 1
    return GAPS[chart.type] * chart.top / several


def _four_values(
    rng: random.Random, low: float, high: float, like: float, gap: float, old: Sequence[float]
) -> list[float]:
    """Draw four values in a range, of as many digits as `like`, a gap from one another and from `old`; in order."""
    decimals, found = digits(like)[1], list(old)
    for _ in range(400):
        value = round(rng.uniform(low, high), decimals) if decimals else rng.randint(round(low), round(high))
        if digits(value) == digits(like) and apart([*found, value], gap):
            found.append(value)
            if len(found) == len(old) + 4:
                return sorted(found[len(old) :])
    raise ValueError("no four values apart")


def _splits(chart: Chart, rng: random.Random, giver: int, taker: int, changed: bool) -> list[Chart]:
    """Return four pies in which two slices share what they have otherwise; `changed`: otherwise than in this one."""
    values = chart.series[0][1]
    both, own = values[giver] + values[taker], [values[giver]] if changed else []
    found = _four_values(rng, SLICE, both - SLICE, values[giver], GAPS["pie"], own)
    return [chart.with_values(0, {giver: tidy(v), taker: tidy(both - v)}) for v in found]


def _lookalikes(chart: Chart, rng: random.Random) -> list[Chart]:
    """Return four charts that differ in the value of one place (of a pie, in where two slices meet)."""
    s = rng.randrange(len(chart.series))
    values = chart.series[s][1]
    if chart.type == "pie":
        k = rng.randrange(len(values))
        return _splits(chart, rng, k, (k + 1) % len(values), False)
    k = rng.randrange(len(values))
    found = _four_values(rng, min(values), max(values), values[k], _gap(chart), [])
    return [chart.with_values(s, {k: value}) for value in found]


def _deletions(chart: Chart, rng: random.Random) -> tuple[list[Chart], str, str]:
    """Return the chart without one of four elements, and what has been done, as a clause and as a noun."""
    part = PART[chart.type]
    if len(chart.series) == 4:
        results = [chart.without_series(name) for name, _ in chart.series]
        return results, "one whole series has been deleted", "the deletion of a whole series"
    four = sorted(rng.sample(range(len(chart.labels)), 4))
    results = [chart.without_labels([chart.labels[i]]) for i in four]
    if len(chart.series) > 1:
        what = f"the {part}s of one {chart.x_name.lower()}"
        return results, f"{what} have been deleted", f"the deletion of {what}"
    return results, f"one {part} has been deleted", f"the deletion of one {part}"


def _modifications(chart: Chart, rng: random.Random) -> list[Chart]:
    """Return the chart with one place changed to four values, or with one of four places changed to one value."""
    for _ in range(60):
        s = rng.randrange(len(chart.series))
        values, gap = chart.series[s][1], _gap(chart)
        try:
            if chart.type == "pie":
                giver, taker = rng.sample(range(len(values)), 2)
                return _splits(chart, rng, giver, taker, True)
            if rng.random() < 0.5:
                k = rng.randrange(len(values))
                found = _four_values(rng, min(values), max(values), values[k], gap, [values[k]])
                return [chart.with_values(s, {k: value}) for value in found]
        except ValueError:
            continue
        new = rng.choice(_four_values(rng, min(values), max(values), rng.choice(values), 0, []))
        far = [k for k, value in enumerate(values) if abs(value - new) >= gap and digits(value) == digits(new)]
        if len(far) >= 4:
            return [chart.with_values(s, {k: new}) for k in sorted(rng.sample(far, 4))]
    raise ValueError("no clear change")


def _annotation(chart: Chart, rng: random.Random, true: int, ask: partial[str], call: bool) -> Deck:
    """Return the question which number, or which line of code, belongs to an element."""
    s = rng.randrange(len(chart.series))
    name, values = chart.series[s]
    four = sorted(four_places(values, _gap(chart), rng), key=lambda i: values[i])
    place = four[true]
    where = f"{chart.labels[place]!r}" + (f" in the series {name!r}" if name else "")
    write = partial(_call, chart, s, place) if call else partial(mark_text, chart)
    options = tuple(write(values[i]) for i in four)
    return Deck("mce_annotation", ask(part=PART[chart.type], where=where), options, true, "", "forward")


def _call(chart: Chart, s: int, place: int, value: float) -> str:
    """Return the line that writes a value at an element."""
    text = mark_text(chart, value)
    if chart.type == "pie":
        return f"labels[{place}] = {f'{chart.labels[place]}: {text}'!r}"
    x: float = int(chart.labels[place]) if chart.type == "line" and chart.x_name == "Year" else place
    y = value
    if chart.style == "grouped":
        x = round(place + (s - (len(chart.series) - 1) / 2) * 0.8 / len(chart.series), 2)
    if chart.style == "stacked":
        y = round(sum(values[place] for _, values in chart.series[:s]) + value / 2, 2)
    where = f"{shown(y)}, {shown(x)}" if chart.style == "horizontal" else f"{shown(x)}, {shown(y)}"
    return f"ax.text({where}, {text!r}, ha='center')"
