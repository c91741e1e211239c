"""Which plots a benchmark's scorecards make."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mmmath_tasks import papers
from mmmath_tasks.problem import Score
from mmmath_tasks.report.names import (
    POINTS,
    group_words,
    is_difference,
    is_rating,
    is_verified,
    official_of,
    verified_of,
    words,
)
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.classes import classes
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.runs import Run
from mmmath_tasks.report.svg import GREY, run_colour
from mmmath_tasks.score_labels import how_read, official_reader

Rule = Literal["official", "verified", "both"]

RADARS = {("mathvista", "skill"), ("mathvision", "subject"), ("wemath", "topic")}
"""Breakdowns that are few, of one rank and told by one number each: a radar shows their shape."""

PROFILES = {("mathverse", "version")}
"""Breakdowns whose parts have an order: a line over them."""

_ASIDE = ("parse_failure", "code_failure")
_NOT_A_BREAKDOWN = {"mean over"}
_LONG = 24
_MODELS = 5


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
    for i, metric in enumerate(dict.fromkeys(official_of(run.card.headline) for run in runs)):
        name = _file_name(f"{benchmark}_headline" + (f"_{metric}" if i else ""))
        yield _headline(name, benchmark, runs, metric, tables if whole else (), size)
    rules: tuple[tuple[str, Rule], ...] = (("", "official"), ("_verified", "verified"))
    judged = bool(_breakdowns(runs, "official"))
    for suffix, rule in rules:
        shown: Rule = rule if judged else "both"  # without a judge's verdicts the verified numbers are all there is
        yield from _classes(runs, suffix, shown, tables)
        for metric, group in _breakdowns(runs, rule):
            yield from _breakdown(benchmark, runs, metric, group, shown, tables)


def point(score: Score | None) -> Point:
    """Return a score as a point; nan where the card has none. Points of ten become fractions."""
    if score is None:
        return Point(math.nan)
    whole = POINTS if is_rating(score.metric) else 1
    return Point(score.value / whole, score.low / whole, score.high / whole, score.count)


def _breakdowns(runs: Sequence[Run], rule: Rule) -> list[tuple[str, str]]:
    """Return the metrics and breakdowns in which some run has a number, by one of the rules."""
    found: dict[tuple[str, str], None] = {}
    for run in runs:
        for score in run.card.scores:
            verified = is_verified(score.metric)
            named = score.group not in ("", *_NOT_A_BREAKDOWN) and not is_difference(score.metric)
            if named and verified == (rule == "verified") and not math.isnan(score.value):
                found[score.metric, score.group] = None
    return list(found)


def _rows(runs: Sequence[Run], keys: Sequence[papers.Key]) -> tuple[Mapping[str, Any], ...]:
    """Return the numbers of a figure, run by run."""
    found = []
    for run in runs:
        for key in keys:
            score = run.card.get(*key)
            if score is not None:
                found.append({"run": run.name, **score.to_dict(), "remark": how_read(run.card, score.metric)})
    return tuple(found)


def _paper_rows(tables: Sequence[papers.Table], key: papers.Key) -> list[tuple[papers.Row, papers.Table]]:
    """Return the rows that have this number, each name and input once: the first table that has it counts."""
    found: dict[tuple[str, str | None], tuple[papers.Row, papers.Table]] = {}
    for table in tables:
        for row in table.rows:
            if key in row.values:
                found.setdefault((row.name, row.input), (row, table))
    return list(found.values())


def _headline(
    name: str,
    benchmark: str,
    runs: Sequence[Run],
    metric: str,
    tables: Sequence[papers.Table],
    size: int | None,
) -> Figure:
    key = (metric, "", "")
    shown, keys = [], [key]
    for run in runs:
        other = verified_of(run.card, metric)
        official, verified = point(run.card.get(metric)), point(run.card.get(other)) if other else None
        if not math.isnan(official.value) or (verified and not math.isnan(verified.value)):
            shown.append((run.name, run.colour, official, verified))
            keys += [(other, "", "")] if other and (other, "", "") not in keys else []
    known = _paper_rows(tables, key)
    models = sorted((pair for pair in known if pair[0].kind == "model"), key=lambda pair: -pair[0].values[key])
    chosen = [pair for pair in known if pair[0].kind != "model"] + models[:_MODELS]
    title = f"{papers.title(benchmark)}: {words(metric)} in percent{_reading(runs, runs[0].card.headline)}"
    caption = "Dot: the authors' rule. Ring: the verified rule."
    if chosen:
        cited = "; ".join(dict.fromkeys(table.citation for _, table in chosen))
        best = f", the {min(_MODELS, len(models))} best models" if models else ""
        caption += f" Grey: the paper's humans and baselines{best} ({cited})."
        if models and _reading(runs, runs[0].card.headline):
            caption += f" The models' answers were read by {official_reader(benchmark)} there."
    else:
        caption += f" The paper's figures are for {f'all {size:,}' if size else 'other'} problems, so none stands here."
    numbers = (
        *_rows(runs, keys),
        *(
            {"run": f"{row.name} ({table.citation})", "metric": metric, "value": row.values[key]}
            for row, table in chosen
        ),
    )
    rows = [(row.name, row.values[key]) for row, _ in chosen]
    return Figure(name, title, caption, forest(title, shown, rows), numbers)


def _breakdown(
    benchmark: str, runs: Sequence[Run], metric: str, group: str, rule: Rule, tables: Sequence[papers.Table]
) -> Iterator[Figure]:
    parts: dict[str, None] = {}
    for run in runs:
        parts |= {s.slice: None for s in run.card.scores if (s.metric, s.group) == (metric, group)}
    keys = [(metric, group, part) for part in parts]
    plain = [(official_of(metric), group, part) for part in parts]
    series = [
        Series(run.name, {part: point(run.card.get(*key)) for part, key in zip(parts, keys, strict=True)}, run.colour)
        for run in runs
    ]
    paper = _paper_series(tables, plain)
    name = _file_name(f"{benchmark}_{metric}_by_{group}")
    scale = ", percent of ten points" if is_rating(metric) else ""
    title = f"{words(metric).capitalize()} by {group_words(group)}{scale}{_reading(runs, metric)}"
    numbers = _rows(runs, keys)
    said = _caption(paper, ticks=(benchmark, group) not in PROFILES)
    if " x " in group:
        for run in runs:
            drawn, own = _grid(title, run, keys)
            own_name, own_title = f"{name}_{_file_name(run.name)}", f"{title}: {run.name}"
            yield Figure(own_name, own_title, own, drawn, _rows([run], keys), rule, long=metric in _ASIDE)
        return
    if (benchmark, group) in PROFILES:
        svg = profile(title, list(parts), [*series, *(one for one, _ in paper)])
        yield Figure(name, title, said, svg, numbers, rule)
        return
    if (benchmark, group) in RADARS and len(parts) > 2:
        svg = radar(title, list(parts), series)
        yield Figure(f"{name}_radar", f"{title}, at a glance", "From 0 % in the middle.", svg, numbers, rule)
    svg = bars(title, list(parts), series, [one for one, _ in paper])
    yield Figure(name, title, said, svg, numbers, rule, long=len(parts) > _LONG or metric in _ASIDE)


def _reading(runs: Sequence[Run], metric: str) -> str:
    """Return what a title adds where rules stood in for the authors' model: in all runs, or in which."""
    said = {run.name: how_read(run.card, metric) for run in runs}
    named = dict.fromkeys(filter(None, said.values()))
    if not named:
        return ""
    if len(set(said.values())) == 1:
        return f", {', '.join(named)}"
    parts = [f"{how}: {', '.join(name for name, own in said.items() if own == how)}" for how in named]
    return f" ({'; '.join(parts)})"


def _paper_series(tables: Sequence[papers.Table], keys: Sequence[papers.Key]) -> list[tuple[Series, papers.Table]]:
    """Return the paper's humans and its first baseline over the parts of a breakdown."""
    found: dict[str, tuple[Series, papers.Table]] = {}
    for table in tables:
        for row in table.rows:
            points = {key[2]: Point(row.values[key]) for key in keys if key in row.values}
            if points and row.kind != "model":
                found.setdefault(row.kind, (Series(row.name, points), table))
    return list(found.values())


def _caption(paper: Sequence[tuple[Series, papers.Table]], ticks: bool) -> str:
    if not paper:
        return ""
    how = {True: " (whole)", False: " (broken)"} if ticks else {True: "", False: ""}
    marks = ", ".join(f"{one.name}{how[one.name.startswith('Human')]}" for one, _ in paper)
    return f"From the paper: {marks}; {'; '.join(dict.fromkeys(table.citation for _, table in paper))}."


def _grid(title: str, run: Run, keys: Sequence[papers.Key]) -> tuple[str, str]:
    """Return a heat map of parts such as "algebra, level 1"."""
    cells = {_pair(key[2]): point(run.card.get(*key)) for key in keys}
    rows, columns = (sorted({pair[i] for pair in cells}, key=_natural(cells, i)) for i in (0, 1))
    svg = heat_map(f"{title}: {run.name}", rows, columns, cells)  # type: ignore[arg-type]
    return svg, "Percent. A dash: no problems."


def _pair(part: str) -> tuple[str, ...]:
    """Return the two ends of "algebra, level 1" and of "mcg x bar"."""
    return tuple(part.rsplit(" x " if " x " in part else ", ", 1)) if " x " in part or ", " in part else (part, "")


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
