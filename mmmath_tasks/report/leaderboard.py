"""Many runs at a glance: models by benchmark, whole runs only, beside the papers' rows that were asked alike."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mmmath_tasks import papers
from mmmath_tasks.name_text import shortened
from mmmath_tasks.outputs.table_text import HEAD, Line, shown, side_by_side, wrapped
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.names import head
from mmmath_tasks.report.runs import Run
from mmmath_tasks.report.summary_table import Cell, Column, marks_of, no_link, score_cell
from mmmath_tasks.score_labels import conditions, label, setting

_MODELS = 5


@dataclass(frozen=True, slots=True)
class Setting:
    """What a column of a leaderboard is about: scores in it compare.

    Attributes:
        benchmark: its name.
        split: the split that was asked.
        asked: how: "task mathvision_test, prompt cot", "prompt not recorded".
        metric: the headline.
        runs: by row.
        papers: the papers' rows by name, each with its citation.
    """

    benchmark: str
    split: str
    asked: str
    metric: str
    runs: Mapping[str, Run]
    papers: Mapping[str, tuple[papers.Row, papers.Table]]

    @property
    def title(self) -> str:
        """Benchmark and split in words."""
        return f"{papers.title(self.benchmark)} {self.split}"

    @property
    def cards(self) -> list[Scorecard]:
        """The scorecards of its runs."""
        return [run.card for run in self.runs.values()]

    @property
    def note(self) -> str:
        """The metric and how it was asked for."""
        return f"{label(self.cards, self.metric, head(self.metric))}; {self.asked}"

    def best_papers(self) -> list[str]:
        """Return the papers' rows that a page has room for: all humans and baselines, and the five best models."""
        models = sorted(self._models(), key=lambda name: -self.papers[name][0].values[self.metric, "", ""])
        return [name for name in self.papers if name not in models[_MODELS:]]

    def cited(self) -> str:
        """Return which of the papers' rows a page has, and from where; "" where there are none."""
        if not self.papers:
            return ""
        models, whence = (
            len(self._models()),
            "; ".join(dict.fromkeys(table.citation for _, table in self.papers.values())),
        )
        if not models:
            return f"humans and baselines, its models were not asked so or it is not known, {whence}"
        few = f"rows, of its {models} models the {_MODELS} best (all are in the CSV)" if models > _MODELS else "rows"
        return f"{few}, {whence}"

    def _models(self) -> list[str]:
        return [name for name, (row, _) in self.papers.items() if row.kind == "model"]

    def score(self, row: str) -> Score | None:
        """Return the score in a row; None where there is none."""
        run = self.runs.get(row)
        return run.card.get(self.metric) if run else None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Models by benchmark.

    Attributes:
        models: rows, those first that are best in the first column.
        settings: columns.
        left_out: the runs that no column holds, each with why.
    """

    models: tuple[str, ...]
    settings: tuple[Setting, ...]
    left_out: tuple[tuple[Run, str], ...] = field(default=())

    def __bool__(self) -> bool:
        """Say whether it shows more than a table of one benchmark: several models, some of them in several columns."""
        return len(self.models) > 1 and any(sum(name in one.runs for one in self.settings) > 1 for name in self.models)

    def why_not(self) -> str:
        """Return why it shows no more than a table of one benchmark, in a sentence; "" where it does."""
        if self:
            return ""
        if not self.models:
            return "No leaderboard: it has whole runs only, and none is whole."
        if len(self.models) == 1:
            return f"No leaderboard: it compares several models, and all whole runs are of one, {self.models[0]}."
        return "No leaderboard: no model has whole runs of two benchmarks, splits or prompts, by which models compare."

    @property
    def paper_rows(self) -> list[str]:
        """The names of the papers' rows: humans, then chance and guessing, then the best models of each column."""
        rank = {"human": 0, "baseline": 1, "model": 2}
        found = {name: one.papers[name][0].kind for one in self.settings for name in one.best_papers()}
        return sorted(found, key=lambda name: rank[found[name]])

    def columns(self, link: Callable[..., str] = no_link) -> list[Column]:
        """Return the columns of a table: a cell a model, then one a row of the papers; `link` as in `columns`."""
        return [
            Column(one.title, (*self._of_runs(one, link), *(_printed(one, name) for name in self.paper_rows)), one.note)
            for one in self.settings
        ]

    def _of_runs(self, one: Setting, link: Callable[..., str]) -> list[Cell]:
        held, scores = list(one.runs.values()), [one.score(name) for name in one.runs]
        marks = marks_of(held, scores, one.metric)
        marked = {name: marks.get(i, "") for i, name in enumerate(one.runs)}
        apart = len(set(map(conditions, one.cards))) > 1
        found = []
        for name in self.models:
            run = one.runs.get(name)
            if run is None:
                found.append(Cell(None))
                continue
            cell = score_cell(one.score(name), marked[name], conditions(run.card) if apart else "")
            found.append(replace(cell, opens=link(run)))
        return found

    def numbers(self) -> list[dict[str, Any]]:
        """Return every number as a row of a table."""
        found = []
        for one in self.settings:
            about = {"benchmark": one.benchmark, "split": one.split, "asked": one.asked}
            for name, run in one.runs.items():
                score = run.card.get(one.metric)
                said = score.to_dict() if score else {"metric": one.metric}
                found.append({"row": name, **about, **said, "remark": conditions(run.card)})
            for name, (row, table) in one.papers.items():
                value = row.values[one.metric, "", ""]
                found.append({"row": name, **about, "metric": one.metric, "value": value, "remark": table.citation})
        return found

    def lines(self, width: int) -> Iterator[str]:
        """Yield its runs as lines of a terminal of a certain width, and what is left out."""
        yield Line("Whole runs by benchmark, percent [95 % interval]", HEAD)
        names = ["", *shortened(self.models, max(16, width // 3))]
        columns = []
        for one in self.settings:
            head_lines = [one.title, *textwrap.wrap(one.note, 20)]
            cells = [shown(one.score(name)) for name in self.models]
            columns.append(["\n".join(head_lines), *cells])
        yield from side_by_side(names, columns, width)
        for run, why in self.left_out:
            yield from wrapped(f"left out: {run.name} on {papers.title(run.card.benchmark)}: {why}", width)

    def remarks(self) -> list[str]:
        """Return what must be known to read it, each sentence once."""
        found = []
        for one in self.settings:
            if len({str(card.provenance.get("data_revision")) for card in one.cards}) > 1:
                found.append(f"{one.title}: the runs were scored on different revisions of the data.")
            if cited := one.cited():
                found.append(f"{one.title}: the paper's {cited}.")
        return found


def leaderboard(runs: Sequence[Run]) -> Leaderboard:
    """Return the whole runs by model and setting, and those that are left out with why."""
    left_out, whole = [], []
    for run in runs:
        if why := _not_whole(run.card):
            left_out.append((run, why))
        else:
            whole.append(run)
    held: dict[tuple[str, str, str, str], list[Run]] = {}
    for run in whole:
        key = (run.card.benchmark, papers.split_of(run.card) or "", _asked(run.card), run.card.headline)
        held.setdefault(key, []).append(run)
    settings = []
    for (name, split, asked, metric), own in held.items():
        models = [run.model for run in own]
        rows = {run.model if models.count(run.model) == 1 else run.name: run for run in own}
        alike = [pair for pair in papers.asked_alike(own[0].card) if (metric, "", "") in pair[0].values]
        printed = {f"{row.name} (paper)": (row, table) for row, table in alike}
        settings.append(Setting(name, split, asked, metric, rows, printed))
    models = list(dict.fromkeys(row for one in settings for row in one.runs))
    models.sort(key=lambda row: [_worst_first(one.score(row)) for one in settings], reverse=True)
    return Leaderboard(tuple(models), tuple(settings), tuple(left_out))


def _worst_first(score: Score | None) -> float:
    return -math.inf if score is None or math.isnan(score.value) else score.value


def _asked(card: Scorecard) -> str:
    """Return how a run was asked, as far as it records that; a judge that reads the answers is no part of it."""
    task, style = str(card.provenance.get("task") or "").removesuffix("_judge"), card.provenance.get("prompt_style")
    styles = " and ".join(sorted(map(str, style))) if isinstance(style, list) else style  # of rows asked otherwise
    said = [f"task {task}" if task else "", f"prompt {styles}" if style else "", setting(card)]
    return ", ".join(filter(None, said)) or "prompt not recorded"


def _not_whole(card: Scorecard) -> str:
    """Return why a run does not compare with whole ones; "" where it does."""
    size, rests_on = papers.size_of(card), papers.scored(card)
    if papers.split_of(card) is None:
        return "its split is not known"
    if not papers.is_partial(card):
        return ""
    if limit := card.provenance.get("limit"):
        return f"limited to {limit}"
    counts = [f"{card.counts[name]:,} {name}" for name in ("missing", "unscored") if card.counts.get(name)]
    if incomplete := card.counts.get("problems_incomplete"):
        counts.append(f"{incomplete:,} problems lack a row")
    said = f"{rests_on:,} of {max(size or 0, card.counts.get('total', 0)):,} {papers.unit(card.benchmark)} scored"
    return f"{said} ({', '.join(counts)})" if counts else said


def _printed(one: Setting, name: str) -> Cell:
    """Return what a paper prints of a metric in a row."""
    if name not in one.papers:
        return Cell(None)
    value = one.papers[name][0].values[one.metric, "", ""]
    return score_cell(Score(one.metric, "", "", value, 0))
