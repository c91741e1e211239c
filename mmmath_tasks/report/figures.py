"""Which plots a benchmark's scorecards make."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mmmath_tasks import papers
from mmmath_tasks.problem import Score
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.classes import classes
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.runs import Run
from mmmath_tasks.report.svg import GREY, run_colour

Rule = Literal["official", "verified", "both"]

RADARS = {("mathvista", "skill"), ("mathvision", "subject"), ("wemath", "topic")}
"""Breakdowns that are few, of one rank and told by one number each: a radar shows their shape."""

PROFILES = {("mathverse", "version")}
"""Breakdowns whose parts have an order: a line over them."""

_NOT_PLOTTED = {"gain"}
_LONG = 24
_MODELS = 5

_WORDS = {
    "acc": "accuracy",
    "s1": "accuracy on one-step problems",
    "cot_e": "CoT-E score",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot and its numbers.

    Attributes:
        name: a file name without its ending.
        title: what is shown.
        caption: how to read it, and whose numbers stand in it.
        svg: the drawing.
        numbers: its numbers as rows of a table.
        rule: by which rule the responses were scored.
        long: so long that a page should show it on demand.
    """

    name: str
    title: str
    caption: str
    svg: str
    numbers: tuple[Mapping[str, Any], ...] = field(repr=False)
    rule: Rule = "both"
    long: bool = False


def figures(benchmark: str, runs: Sequence[Run]) -> Iterator[Figure]:
    """Yield a benchmark's plots in the order of the page, the headline first.

    Args:
        benchmark: its name.
        runs: of that benchmark only.
    """
    splits = {papers.split_of(run.card) for run in runs}
    split = splits.pop() if len(splits) == 1 else None
    tables = papers.tables(benchmark, split) if split else ()
    size = papers.problems(benchmark, split) if split else None
    whole = size is not None and all(run.card.counts.get("total", 0) >= size for run in runs)
    yield _headline(benchmark, runs, tables if whole else (), size)
    for suffix, rule in (("", "official"), ("_verified", "verified")):
        yield from _classes(runs, suffix, rule, tables)  # type: ignore[arg-type]
        for metric, group in _breakdowns(runs, suffix):
            yield from _breakdown(benchmark, runs, metric, group, rule, tables)  # type: ignore[arg-type]


def point(score: Score | None) -> Point:
    """Return a score as a point; nan where the card has none."""
    return Point(math.nan) if score is None else Point(score.value, score.low, score.high, score.count)


def _breakdowns(runs: Sequence[Run], suffix: str) -> list[tuple[str, str]]:
    """Return the metrics and breakdowns in which some run has a number, by one of the rules."""
    found: dict[tuple[str, str], None] = {}
    for run in runs:
        for score in run.card.scores:
            verified = score.metric.endswith("_verified")
            wanted = score.group and verified == bool(suffix) and score.metric not in _NOT_PLOTTED
            if wanted and not math.isnan(score.value):
                found[score.metric, score.group] = None
    return list(found)


def _rows(runs: Sequence[Run], keys: Sequence[papers.Key]) -> tuple[Mapping[str, Any], ...]:
    """Return the numbers of a figure, run by run."""
    found = []
    for run in runs:
        for key in keys:
            score = run.card.get(*key)
            if score is not None:
                found.append({"run": run.name, **score.to_dict()})
    return tuple(found)


def _paper_rows(tables: Sequence[papers.Table], key: papers.Key) -> list[tuple[papers.Row, papers.Table]]:
    """Return the rows that have this number, each name and input once: the first table that has it counts."""
    found: dict[tuple[str, str | None], tuple[papers.Row, papers.Table]] = {}
    for table in tables:
        for row in table.rows:
            if key in row.values:
                found.setdefault((row.name, row.input), (row, table))
    return list(found.values())


def _headline(benchmark: str, runs: Sequence[Run], tables: Sequence[papers.Table], size: int | None) -> Figure:
    metric = runs[0].card.headline.removesuffix("_verified")
    key, verified = (metric, "", ""), (f"{metric}_verified", "", "")
    shown = [
        (
            run.name,
            run.colour,
            point(run.card.get(*key)),
            point(run.card.get(*verified)) if run.card.get(*verified) else None,
        )
        for run in runs
    ]
    known = _paper_rows(tables, key)
    models = sorted((pair for pair in known if pair[0].kind == "model"), key=lambda pair: -pair[0].values[key])
    chosen = [pair for pair in known if pair[0].kind != "model"] + models[:_MODELS]
    title = f"{papers.title(benchmark)}: {_words(metric)} in percent"
    caption = "Dot: the authors' rule. Ring: the verified rule."
    if chosen:
        cited = "; ".join(dict.fromkeys(table.citation for _, table in chosen))
        best = f", the {min(_MODELS, len(models))} best models" if models else ""
        caption += f" Grey: the paper's humans and baselines{best} ({cited})."
    else:
        caption += f" The paper's figures are for {f'all {size:,}' if size else 'other'} problems, so none stands here."
    numbers = (
        *_rows(runs, [key, verified]),
        *(
            {"run": f"{row.name} ({table.citation})", "metric": metric, "value": row.values[key]}
            for row, table in chosen
        ),
    )
    rows = [(row.name, row.values[key]) for row, _ in chosen]
    return Figure(f"{benchmark}_headline", title, caption, forest(title, shown, rows), numbers)


def _words(metric: str) -> str:
    base = metric.removesuffix("_verified")
    return _WORDS.get(base, base.replace("_", " "))


def _plain(group: str) -> str:
    return group.replace("_", " ").replace(" x ", " \u00d7 ")


def _breakdown(
    benchmark: str, runs: Sequence[Run], metric: str, group: str, rule: Rule, tables: Sequence[papers.Table]
) -> Iterator[Figure]:
    parts: dict[str, None] = {}
    for run in runs:
        parts |= {s.slice: None for s in run.card.scores if (s.metric, s.group) == (metric, group)}
    keys = [(metric, group, part) for part in parts]
    plain = [(metric.removesuffix("_verified"), group, part) for part in parts]
    series = [
        Series(run.name, {part: point(run.card.get(*key)) for part, key in zip(parts, keys, strict=True)}, run.colour)
        for run in runs
    ]
    paper = _paper_series(tables, plain)
    name = f"{benchmark}_{metric}_by_{group.replace(' ', '_')}"
    title = f"{_words(metric).capitalize()} by {_plain(group)}"
    numbers = _rows(runs, keys)
    said = _caption(paper)
    if " x " in group:
        for run in runs:
            drawn, own = _grid(title, run, keys)
            yield Figure(f"{name}_{_file_name(run.name)}", f"{title}: {run.name}", own, drawn, _rows([run], keys), rule)
        return
    if (benchmark, group) in PROFILES:
        svg = profile(title, list(parts), [*series, *(one for one, _ in paper)])
        yield Figure(name, title, said, svg, numbers, rule)
        return
    if (benchmark, group) in RADARS and len(parts) > 2:
        svg = radar(title, list(parts), series)
        yield Figure(f"{name}_radar", title, "From 0 % in the middle.", svg, numbers, rule)
    svg = bars(title, list(parts), series, [one for one, _ in paper])
    yield Figure(name, title, said, svg, numbers, rule, long=len(parts) > _LONG)


def _paper_series(tables: Sequence[papers.Table], keys: Sequence[papers.Key]) -> list[tuple[Series, papers.Table]]:
    """Return the paper's humans and its first baseline over the parts of a breakdown."""
    found: dict[str, tuple[Series, papers.Table]] = {}
    for table in tables:
        for row in table.rows:
            points = {key[2]: Point(row.values[key]) for key in keys if key in row.values}
            if points and row.kind != "model":
                found.setdefault(row.kind, (Series(row.name, points), table))
    return list(found.values())


def _caption(paper: Sequence[tuple[Series, papers.Table]]) -> str:
    if not paper:
        return ""
    how = {True: "whole", False: "broken"}
    marks = ", ".join(f"{one.name} ({how[one.name.startswith('Human')]})" for one, _ in paper)
    return f"From the paper: {marks}; {'; '.join(dict.fromkeys(table.citation for _, table in paper))}."


def _grid(title: str, run: Run, keys: Sequence[papers.Key]) -> tuple[str, str]:
    """Return a heat map of parts such as "algebra, level 1"."""
    cells = {tuple(key[2].rsplit(", ", 1)): point(run.card.get(*key)) for key in keys if ", " in key[2]}
    rows, columns = (sorted({pair[i] for pair in cells}, key=_natural(cells, i)) for i in (0, 1))
    svg = heat_map(f"{title}: {run.name}", rows, columns, cells)  # type: ignore[arg-type]
    return svg, "Percent. A dash: no problems."


def _natural(cells: Mapping[tuple[str, ...], Point], which: int) -> Any:
    order = {pair[which]: i for i, pair in reversed(list(enumerate(cells)))}
    return order.__getitem__


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def _classes(runs: Sequence[Run], suffix: str, rule: Rule, tables: Sequence[papers.Table]) -> Iterator[Figure]:
    """Yield We-Math's four dimensions, strict and loose, with a strong model and chance of the paper beside them."""
    if all(math.isnan(run.card.value(f"ik{suffix}")) for run in runs):
        return
    for reading in ("strict", "loose"):
        names = ("ik", "ig", f"cm_{reading}", f"rm_{reading}", f"score_{reading}")
        rows = []
        for run in runs:
            values = {name: run.card.value(f"{name}{suffix}") for name in names}
            rows.append((run.name, run_colour(run.colour), _shares(values, reading), values[f"score_{reading}"]))
        known = [row for row, _ in _paper_rows(tables, ("ik", "", ""))]
        best = sorted((r for r in known if r.kind == "model"), key=lambda r: -r.values["score_strict", "", ""])[:1]
        for row in [*best, *(r for r in known if r.kind == "baseline")]:
            values = {name: row.values.get((name, "", ""), math.nan) for name in names}
            rows.append((row.name, GREY, _shares(values, reading), values[f"score_{reading}"]))
        title = f"Four dimensions, {reading}"
        cited = "; ".join(dict.fromkeys(table.citation for _, table in _paper_rows(tables, ("ik", "", ""))))
        caption = (
            "Percent of problems: insufficient knowledge, inadequate generalisation, rote memorisation, complete "
            "mastery. Score: IG / 2 + CM." + (f" Grey: {cited}." if cited else "")
        )
        keys = [(f"{name}{suffix}", "", "") for name in names]
        yield Figure(
            f"wemath_dimensions_{reading}{suffix}", title, caption, classes(title, rows), _rows(runs, keys), rule
        )


def _shares(values: Mapping[str, float], reading: str) -> dict[str, float]:
    """Return the four classes as shares of all problems; Table 3's RM is of RM and CM, so it follows from the rest."""
    ik, ig, cm = values["ik"], values["ig"], values[f"cm_{reading}"]
    return {"IK": ik, "IG": ig, "RM": max(0.0, 1 - ik - ig - cm), "CM": cm}
