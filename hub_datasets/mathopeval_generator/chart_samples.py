"""Samples on bar, line and pie charts: the four states and the multiple-choice questions.

Every question starts from four charts, edits or elements that are alike, one of which is then drawn as the true one:
nothing in the four options tells which.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart, apart
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, first_possible, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Deck, Mark, Sample
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import shown
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import Words, code_decks, states

PART = {"bar": "bar", "line": "point", "pie": "slice"}
_VALUE = {"bar": "height", "line": "value", "pie": "share"}
_PLAIN = {"bar": "a bar chart", "line": "a line graph", "pie": "a pie chart"}
_KINDS = {
    "horizontal": "a horizontal bar chart",
    "grouped": "a grouped bar chart",
    "stacked": "a stacked bar chart",
    "several": "a line graph with several lines",
    "ring": "a ring-shaped pie chart",
}
_CHANGES = {
    "bar": ("the {} of one bar has been changed", "a change in the {} of one bar"),
    "line": ("the {} of one point has been changed", "a change in the {} of one point"),
    "pie": ("one slice has given a part of its {} to another", "a shift of {} from one slice to another"),
}


@dataclass(frozen=True, slots=True)
class ChartRules:
    """How an edition draws charts and asks about them; each raises ValueError where a chart does not allow for it.

    Attributes:
        texts: a key of wording.yaml.
        draw: from a type and a generator to a chart at random.
        lookalikes: to four charts that are alike, the first chart or ones that differ from it in few places.
        deletions: to four charts without some element, and what has been deleted: a clause and a noun.
        modifications: to four charts with some change.
        annotation: to the questions on what is written at an element.
        fitted: from the charts that are drawn to the same in a look that leaves all texts readable.
        script: to the whole script, annotated or not.
        options: to what an option shows of a chart: in the questions on the original, a deletion, a modification.
        told: to what the instruction to draw the chart says of it, for its templates.
        lengths: whether horizontal bars have lengths, not heights.
    """

    texts: str
    draw: Callable[[str, random.Random], Chart]
    lookalikes: Callable[[Chart, random.Random], list[Chart]]
    deletions: Callable[[Chart, random.Random], tuple[list[Chart], tuple[str, str]]]
    modifications: Callable[[Chart, random.Random], list[Chart]]
    annotation: Callable[[Chart, random.Random, partial[int], Words], list[Deck]]
    fitted: Callable[..., list[Chart]]
    script: Callable[[Chart, bool], str]
    options: tuple[Callable[[Chart], str], Callable[[Chart], str], Callable[[Chart], str]]
    told: Callable[[Chart], dict[str, str]]
    lengths: bool


def sample(rules: ChartRules, seed: int, type: str, index: int) -> Sample:
    """Return the sample `index` of "bar", "line" or "pie"."""
    return first_possible(
        lambda attempt: sample_of(rules, rules.draw(type, draws(seed, type, index, f"figure {attempt}")), seed, index)
    )


def sample_of(rules: ChartRules, first: Chart, seed: int, index: int, vary: bool = True) -> Sample:
    """Return the sample that grows from a first chart.

    Args:
        rules: of the edition.
        first: the chart.
        seed: with the chart's type and the index it decides edits and questions.
        index: within the type.
        vary: false: the sample is on the chart itself, not on one that looks like it.

    Raises:
        ValueError: the chart has too few labels, or values too close to one another, to ask about.
    """
    kind = first.type
    rng, which = draws(seed, kind, index, "questions"), partial(turn, seed, kind, index)
    true, cut, changed = truths = tuple(map(which, ("mcg", "deletion", "modification")))
    charts = rules.lookalikes(first, rng)
    if not vary:
        own = charts.index(first)
        charts[own], charts[true] = charts[true], charts[own]
    original = charts[true]
    deleted, gone = rules.deletions(original, rng)
    modified = rules.modifications(original, rng)
    drawn, without, other = rules.fitted(original, deleted[cut], modified[changed])
    found, part = marks(original), PART[kind]
    size = "length" if rules.lengths and original.style == "horizontal" else _VALUE[kind]
    change = _CHANGES[kind][0].format(size), _CHANGES[kind][1].format(size)
    words = Words(rules.texts, draws(seed, kind, index, "wording"), _KINDS.get(original.style, _PLAIN[kind]))
    codes = {
        "original": rules.script(drawn, False),
        "deleted": rules.script(without, False),
        "modified": rules.script(other, False),
        "annotated": rules.script(drawn, True),
    }
    made = states(
        words,
        codes,
        {"deleted": gone, "modified": change},
        writes=f"writes the {size} of every {part} as a number at that {part}",
        listing="; ".join(f"{mark.element.replace('/', ', ')}: {mark.text}" for mark in found),
        **rules.told(original),
    )
    fours = zip(rules.options, (charts, deleted, modified), strict=True)
    decks = code_decks(
        words,
        [list(map(option, four)) for option, four in fours],
        truths,
        {"deleted": gone[0], "modified": change[0]},
        kind=words.figure.removeprefix("a "),
        lines="values draw" if original.series[0][0] else "line of values draws",
    )
    asked = (*decks, *rules.annotation(original, rng, which, words))
    return Sample(kind, index, original.topic, original.style, "python", made, asked, found)


def marks(chart: Chart) -> tuple[Mark, ...]:
    """Return what the annotated chart says, series by series."""
    return tuple(
        Mark(mark_text(chart, value), "value", f"{name}/{label}" if name else label)
        for name, values in chart.series
        for label, value in zip(chart.labels, values, strict=True)
    )


def mark_text(chart: Chart, value: float) -> str:
    """Return a value as it is annotated."""
    return f"{value:.1f}%" if chart.type == "pie" else shown(value)


def value_deck(
    chart: Chart,
    rng: random.Random,
    gap: float,
    true: int,
    ask: Callable[..., str],
    write: Callable[[int, int, float], str] | None = None,
) -> Deck:
    """Return the question which value belongs to an element.

    Args:
        chart: the original.
        rng: picks the element.
        gap: how far apart the values of the options are at least.
        true: the rank of the right one.
        ask: from "part" and "where" to the question.
        write: from series, place and value to an option; default: the value as it is annotated.
    """
    s = rng.randrange(len(chart.series))
    name, values = chart.series[s]
    four = sorted(four_places(values, gap, rng), key=lambda i: values[i])
    place = four[true]
    where = f"{chart.labels[place]!r}" + (f" in the series {name!r}" if name else "")
    options = tuple(write(s, place, values[i]) if write else mark_text(chart, values[i]) for i in four)
    return Deck("mce_annotation", ask(part=PART[chart.type], where=where), options, true, "", "forward")


def four_places(values: Sequence[float], gap: float, rng: random.Random) -> list[int]:
    """Return four places, at random, whose values are all `gap` apart.

    Raises:
        ValueError: there are none.
    """
    for _ in range(2000):
        four = rng.sample(range(len(values)), 4)
        if apart([values[i] for i in four], gap):
            return four
    raise ValueError(f"no four of {list(values)} lie {gap:g} apart")
