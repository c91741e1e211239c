"""Which plots a benchmark's scorecards make."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from mmmath_tasks import papers
from mmmath_tasks.contract import Shares
from mmmath_tasks.number_text import is_rating
from mmmath_tasks.problem import Score
from mmmath_tasks.report.names import (
    POINTS,
    group_words,
    is_difference,
    is_own_judge,
    is_verified,
    official_of,
    verified_of,
    words,
)
from mmmath_tasks.report.plots.bars import bars
from mmmath_tasks.report.plots.forest import forest
from mmmath_tasks.report.plots.heat_map import heat_map
from mmmath_tasks.report.plots.multiples import multiples
from mmmath_tasks.report.plots.point import Point, Series
from mmmath_tasks.report.plots.profile import profile
from mmmath_tasks.report.plots.radar import radar
from mmmath_tasks.report.plots.shares import shares
from mmmath_tasks.report.runs import Run, Section
from mmmath_tasks.report.svg import size
from mmmath_tasks.report.themes import RUNS
from mmmath_tasks.score_labels import conditions, official_reader, setting
from mmmath_tasks.scoring import benchmark

Rule = Literal["official", "verified", "both"]

_ASIDE = ("parse_failure", "code_failure")
_NOT_A_BREAKDOWN = {"mean over"}
_NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")
_SCHOOLS = ("elementary school", "high school", "college", "not applicable")
_GRID = (
    "Percent, with n where a cell has fewer than ten problems. The shade means the same on every map. A dash: no "
    "problems."
)
_KINDS = {"human": "humans", "baseline": "baselines"}
_LONG = 24
_PANELS = 9
_POLYGONS = 4
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
        family: the title of what it and the figures beside it show, each of one run; "" where it stands for all runs.
        group: the breakdown whose parts its shapes are about (see plots.point.behind); "" for whole runs.
    """

    name: str
    title: str
    caption: str
    svg: str
    numbers: tuple[Mapping[str, Any], ...] = field(repr=False)
    rule: Rule = "both"
    long: bool = False
    group: str = ""
    family: str = ""

    @property
    def ratio(self) -> str:
        """Width by height of the drawing, so that a page keeps its place before it is in sight."""
        return "/".join(map(str, size(self.svg)))


def figures(section: Section) -> Iterator[Figure]:
    """Yield a section's plots in the order of the page, the headline first.

    The paper's rows stand beside runs of the same whole split only, and of no other's prompt than its authors'.
    """
    runs, split = section.runs, section.split
    whole = split is not None and papers.problems(section.benchmark, split) is not None and not section.partial
    whole = whole and not any(setting(run.card) for run in runs)
    tables = papers.tables(section.benchmark, split) if whole else ()
    for i, metric in enumerate(dict.fromkeys(official_of(run.card.headline) for run in runs)):
        name = _file_name(f"{section.name}_headline" + (f"_{metric}" if i else ""))
        yield from _headline(name, section, metric, tables)
    rules: tuple[tuple[str, Rule], ...] = (("", "official"), ("_verified", "verified"))
    judged = bool(_breakdowns(runs, "official"))
    for suffix, rule in rules:
        shown: Rule = rule if judged else "both"  # without a judge's verdicts the verified numbers are all there is
        yield from _shares(section, suffix, shown, tables)
        for metric, group in _breakdowns(runs, rule):
            yield from _breakdown(section, metric, group, shown, tables)


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
                found.append({"run": run.name, **score.to_dict(), "remark": conditions(run.card, score.metric)})
    return tuple(found)


def _paper_rows(tables: Sequence[papers.Table], key: papers.Key) -> list[tuple[papers.Row, papers.Table]]:
    """Return the rows that have this number, each name and input once: the first table that has it counts."""
    found: dict[tuple[str, str | None], tuple[papers.Row, papers.Table]] = {}
    for table in tables:
        for row in table.rows:
            if key in row.values:
                found.setdefault((row.name, row.input), (row, table))
    return list(found.values())


def _headline(name: str, section: Section, metric: str, tables: Sequence[papers.Table]) -> Iterator[Figure]:
    key = (metric, "", "")
    shown, keys = [], [key]
    for run in section.runs:
        other = verified_of(run.card, metric)
        official, verified = point(run.card.get(metric)), point(run.card.get(other)) if other else None
        if not math.isnan(official.value) or (verified and not math.isnan(verified.value)):
            shown.append((run.name, run.colour, official, verified))
            keys += [(other, "", "")] if other and (other, "", "") not in keys else []
    if not shown:
        return
    known = _paper_rows(tables, key)
    models = sorted((pair for pair in known if pair[0].kind == "model"), key=lambda pair: -pair[0].values[key])
    chosen = [pair for pair in known if pair[0].kind != "model"] + models[:_MODELS]
    reading = _reading(section.runs, section.runs[0].card.headline)
    title = f"{section.title}: {words(metric)} in percent{reading}"
    dot = "a judge, not by the authors' prompts" if is_own_judge(metric) else "the authors' rule"
    caption = ""
    if chosen:
        cited = "; ".join(dict.fromkeys(table.citation for _, table in chosen))
        kinds = [words for kind, words in _KINDS.items() if any(row.kind == kind for row, _ in chosen)]
        best = [f"{min(_MODELS, len(models))} best models"] if models else []
        caption += f"Grey: the paper's {', '.join([*kinds, *best])} ({cited})."
        if any(row.kind == "baseline" for row, _ in chosen) and (chance := papers.on_chance(section.benchmark)):
            caption += f" {chance}"
        if remark := papers.remark(section.benchmark):
            caption += f" {remark}"
        if models and reading:
            caption += f" The models' answers were read by {official_reader(section.benchmark)} there."
    elif section.partial and section.size:
        caption += f"Runs of less than all {section.size:,} {papers.unit(section.benchmark)}: no row of the paper here."
    else:
        caption += "The paper's figures are for other problems, so none stands here."
    numbers = (
        *_rows(section.runs, keys),
        *(
            {"run": f"{row.name} ({table.citation})", "metric": metric, "value": row.values[key]}
            for row, table in chosen
        ),
    )
    rows = [(row.name, row.values[key]) for row, _ in chosen]
    svg = forest(title, shown, rows, f"{words(metric)}, percent", dot)
    yield Figure(name, title, caption, svg, numbers)


def _breakdown(
    section: Section, metric: str, group: str, rule: Rule, tables: Sequence[papers.Table]
) -> Iterator[Figure]:
    suited, runs = benchmark(section.benchmark).metrics, section.runs
    parts = _parts(runs, metric, group)
    keys = [(metric, group, part) for part in parts]
    plain = [(official_of(metric), group, part) for part in parts]
    series = [
        Series(run.name, {part: point(run.card.get(*key)) for part, key in zip(parts, keys, strict=True)}, run.colour)
        for run in runs
    ]
    paper = _paper_series(tables, plain)
    name = _file_name(f"{section.name}_{metric}_by_{group}")
    measure = f"{words(metric)}, percent{' of ten points' if is_rating(metric) else ''}"
    rated = ", percent of ten points" if is_rating(metric) else ""
    title = f"{words(metric).capitalize()} by {group_words(group)}{rated}{_whose(rule)}{_reading(runs, metric)}"
    figure = partial(Figure, name, title, numbers=_rows(runs, keys), rule=rule, group=group)
    said = f"From the paper: {'; '.join(dict.fromkeys(table.citation for _, table in paper))}." if paper else ""
    if " x " in group:
        pairs = [_pair(part) for part in parts]
        ends = [_parts(runs, metric, end) for end in group.split(" x ", 1)]
        rows, columns = (_axis([pair[i] for pair in pairs], known) for i, known in enumerate(ends))
        ends_named = [group_words(end) for end in group.split(" x ", 1)]
        for run in runs:
            cells = {_pair(key[2]): point(run.card.get(*key)) for key in keys}
            own_name, own_title = f"{name}_{_file_name(run.name)}", f"{title}: {run.name}"
            drawn = heat_map(own_title, rows, columns, cells, (ends_named[0], ends_named[1]), run.name)
            long = metric in _ASIDE or len(runs) > len(RUNS)
            yield Figure(own_name, own_title, _GRID, drawn, _rows([run], keys), rule, long, group, title)
        return
    marks = [one for one, _ in paper]
    if any(run.colour is None for run in runs):
        best = [one for _, one in sorted(zip(runs, series, strict=True), key=lambda pair: -_headline_of(pair[0]))]
        svg = multiples(title, parts, best, marks, (measure, group_words(group)))
        yield figure(said, svg, long=len(parts) > _PANELS or metric in _ASIDE)
        return
    if group in suited.PROFILES:
        yield figure(said, profile(title, parts, [*series, *marks], measure, group_words(group)))
        return
    if group in suited.RADARS and len(parts) > 2 and len(runs) <= _POLYGONS:
        glance = figure("", radar(title, parts, series, measure))
        yield replace(glance, name=f"{name}_radar", title=f"{title}, at a glance")
    svg = bars(title, parts, series, marks, (measure, group_words(group)))
    yield figure(said, svg, long=len(parts) > _LONG or metric in _ASIDE)


def _headline_of(run: Run) -> float:
    """Return a run's headline for sorting, what has none behind the others."""
    value = run.card.value(run.card.headline)
    return -1.0 if math.isnan(value) else value


def _parts(runs: Sequence[Run], metric: str, group: str) -> list[str]:
    """Return the parts of a breakdown that any run has, in one order for all runs."""
    return ordered([[s.slice for s in run.card.scores if (s.metric, s.group) == (metric, group)] for run in runs])


def _axis(ends: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the ends of pairs, each once, in the order of the breakdown that has them alone, where there is one."""
    found = ordered([ends])
    return [part for part in known if part in found] if set(found) <= set(known) else found


def ordered(lists: Sequence[Sequence[str]]) -> list[str]:
    """Return what the lists hold, each once: by the number where all differ in one number only ("level 1" to "5").

    Else by rank where all are school levels, else as in the longest list, what that lacks behind what it follows.
    """
    found: list[str] = []
    for one in sorted(lists, key=lambda one: -len(set(one))):
        at = 0
        for part in one:
            if part not in found:
                found.insert(at, part)
            at = found.index(part) + 1
    numbered = [_NUMBERED.fullmatch(part) for part in found]
    if all(numbered) and len({(m[1], m[3]) for m in numbered if m}) == 1:
        return sorted(found, key=lambda part: int(_NUMBERED.fullmatch(part)[2]))  # type: ignore[index]
    return sorted(found, key=_SCHOOLS.index) if set(found) <= set(_SCHOOLS) else found


def _whose(rule: Rule) -> str:
    """Return what tells a plot of verified verdicts from that of official ones where it is cut out of the page."""
    return ", verified" if rule == "verified" else ""


def _reading(runs: Sequence[Run], metric: str) -> str:
    """Return what a title adds where rules stood in for the authors' model: in all runs, or in which."""
    said = {run.name: conditions(run.card, metric) for run in runs}
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


def _pair(part: str) -> tuple[str, str]:
    """Return the two ends of "algebra, level 1" and of "mcg x bar"."""
    first, _, second = part.rpartition(" x " if " x " in part else ", ")
    return (first, second) if first else (part, "")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def _shares(section: Section, suffix: str, rule: Rule, tables: Sequence[papers.Table]) -> Iterator[Figure]:
    """Yield the benchmark's classes of problems, with one model and chance of the paper beside the runs.

    The model is the same in all drawings: the best by the first one's score.
    """
    drawings = benchmark(section.benchmark).metrics.SHARES
    for known in drawings:
        names = (*known.classes.values(), known.score)
        keys = [(f"{name}{suffix}", "", "") for name in names]
        if all(math.isnan(run.card.value(*key)) for run in section.runs for key in keys[:1]):
            continue
        rows = []
        for run in section.runs:
            values = {name: run.card.value(*key) for name, key in zip(names, keys, strict=True)}
            score = point(run.card.get(f"{known.score}{suffix}"))
            rows.append((run.name, _filled(known, values), score))
        printed = _paper_rows(tables, (names[0], "", ""))
        models = [row for row, _ in printed if row.kind == "model"]
        best = sorted(models, key=lambda row: -row.values[drawings[0].score, "", ""])[:1]
        for row in [*best, *(row for row, _ in printed if row.kind == "baseline")]:
            values = {name: row.values.get((name, "", ""), math.nan) for name in names}
            rows.append((f"{row.name} (paper)", _filled(known, values), Point(values[known.score])))
        cited = "; ".join(dict.fromkeys(table.citation for _, table in printed))
        caption = f"{', '.join(known.classes)}: {known.meaning}" + (f" Paper: {cited}." if cited else "")
        name = _file_name(f"{section.name}_{known.name}{suffix}")
        title = f"{known.title}{_whose(rule)}"
        yield Figure(name, title, caption, shares(title, rows, "score"), _rows(section.runs, keys), rule)


def _filled(known: Shares, values: Mapping[str, float]) -> dict[str, float]:
    """Return the classes as shares of all problems: one of them is what the others leave."""
    found = {name: values[metric] for name, metric in known.classes.items() if name != known.rest}
    return {name: found.get(name, max(0.0, 1 - sum(found.values()))) for name in known.classes}
