"""What the second edition asks about charts.

The options of a code question are whole scripts that differ in one element: four values of one bar, say, of which any
could be the true one. What is drawn then follows from which one is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from mmmath_tasks.hub_datasets.mathopeval_generator.chart_samples import PART, ChartRules, mark_text, value_deck
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart, apart, digits, tidy
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.chart_code import brief, script
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.charts import GAPS, SLICE, chart
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.plot_area import fitted
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import shown
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words

_LANGUAGES = {
    "pyplot": "Python code with Matplotlib",
    "axes": "a Python script with Matplotlib",
    "pandas": "a Python script (Matplotlib, with or without pandas)",
    "seaborn": "a Python script (Matplotlib, with or without seaborn)",
}


def _told(chart: Chart) -> dict[str, str]:
    """Return what the chart is about, without its values, and the language of its script."""
    language = _LANGUAGES[chart.look["idiom"]]
    several = f" for each of {', '.join(name for name, _ in chart.series)}" if len(chart.series) > 1 else ""
    part, ends = f"{len(chart.labels)} {PART[chart.type]}s", f"from {chart.labels[0]!r} to {chart.labels[-1]!r}"
    said = f"Its title is {chart.title!r}, and it has {part}, {ends}."
    if chart.type != "pie":
        said = (
            f"Its title is {chart.title!r}; it has {part}{several}, by {chart.x_name.lower()} {ends}, and the axis of "
            f"values is called {chart.y_name!r}."
        )
    return {"description": said, "language": language}


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


def _deletions(chart: Chart, rng: random.Random) -> tuple[list[Chart], tuple[str, str]]:
    if len(chart.series) == 4:
        gone = "one whole series has been deleted", "the deletion of a whole series"
        return [chart.without_series(name) for name, _ in chart.series], gone
    part, four = PART[chart.type], sorted(rng.sample(range(len(chart.labels)), 4))
    gone = f"one {part} has been deleted", f"the deletion of one {part}"
    if len(chart.series) > 1:
        what = f"the {part}s of one {chart.x_name.lower()}"
        gone = f"{what} have been deleted", f"the deletion of {what}"
    return [chart.without_labels([chart.labels[i]]) for i in four], gone


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


def _annotation(chart: Chart, rng: random.Random, which: partial[int], words: Words) -> list[Deck]:
    """Return the questions which number, and which line of code, belongs to an element."""
    return [
        value_deck(chart, rng, _gap(chart), which(name), partial(words.ask, name), write)
        for name, write in (("value", None), ("call", partial(_call, chart)))
    ]


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


RULES = ChartRules(
    texts="edition 2",
    draw=chart,
    lookalikes=_lookalikes,
    deletions=_deletions,
    modifications=_modifications,
    annotation=_annotation,
    fitted=fitted,
    script=script,
    options=(brief, brief, brief),
    told=_told,
    lengths=True,
)
