"""Tables of scores on the page: what a section's runs are worth, the best marked where runs compare."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mmmath_tasks import papers
from mmmath_tasks.number_text import score_text
from mmmath_tasks.problem import Score
from mmmath_tasks.report.names import head, is_verified, official_of
from mmmath_tasks.report.runs import Run, Section
from mmmath_tasks.score_labels import (
    AUTHORS,
    LABELLED,
    conditions,
    label,
    read_by,
    readers_differ,
    setting,
    settings_differ,
)

_COUNTS = ("empty", "extraction_empty", "refusal", "truncated", "unextracted", "unmatched", "unscored", "missing")


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table's cell says.

    Attributes:
        main: a score or a count; None: there is none.
        note: what stands below it, smaller.
        order: what the column is sorted by; nan behind all others.
        score: whether it is a score, which stands out from counts.
        best: whether it is the best of runs that compare.
        opens: the fragment of the page's address that shows the responses behind it; "": there are none.
    """

    main: str | None
    note: str = ""
    order: float = math.nan
    score: bool = False
    best: bool = False
    opens: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: its head.
        cells: one a run.
        note: what stands below the head, smaller.
        rule: by whose verdicts it is, "official" or "verified"; None: shown by whichever.
    """

    title: str
    cells: tuple[Cell, ...]
    note: str = ""
    rule: str | None = None


def score_cell(score: Score | None, best: bool = False, remark: str = "") -> Cell:
    """Return a score with its interval, its count and a remark."""
    if score is None or math.isnan(score.value):
        return Cell(None, remark)
    value, low, high = score_text(score)
    interval = f"{low}\u00a0to\u00a0{high}" if low else ""
    note = ", ".join(filter(None, [interval, f"n={score.count:,}" if score.count else "", remark]))
    return Cell(value, note, score.value, True, best)


def best_of(runs: Sequence[Run], scores: Sequence[Score | None], metric: str) -> set[int]:
    """Return the indices of the best of runs that compare; none where some of them do not, or there is only one.

    Runs of one section compare where all rest on the same number of problems of one revision of the data and all their
    answers were read, and their prompts asked, by the same. Higher is taken for better; what reads as the same number
    is as good.
    """
    found = {i: one for i, one in enumerate(scores) if one is not None and not math.isnan(one.value)}
    about = {
        (one.count, str(runs[i].card.provenance.get("data_revision")), conditions(runs[i].card, metric))
        for i, one in found.items()
    }
    if len(found) < 2 or len(about) > 1:
        return set()
    most = max((one.value, score_text(one)[0]) for one in found.values())[1]
    return {i for i, one in found.items() if score_text(one)[0] == most}


def metrics_of(runs: Sequence[Run]) -> list[str]:
    """Return the metrics of whole runs that some run has, shares of failures aside, which the counts tell."""
    found: dict[str, None] = {}
    for run in runs:
        for score in run.card.scores:
            if not score.group and not score.metric.startswith("share_") and not math.isnan(score.value):
                found[score.metric] = None
    return list(found)


def no_link(run: Run, **filters: str) -> str:
    """Return the fragment of a page that has no responses: none."""
    return ""


def columns(section: Section, link: Callable[..., str] = no_link) -> list[Column]:
    """Return the columns of a section's table; `link`: see `links.Links.to`.

    They are how many problems, who read the answers where that differs, scores, counts. The best is marked in the
    headline, by either rule, and in whole runs only.
    """
    runs, cards = section.runs, [run.card for run in section.runs]
    of = f"of {section.size:,}" if section.partial and section.size else ""
    asked = [papers.scored(card) for card in cards]
    found = [Column(papers.unit(section.benchmark), tuple(Cell(f"{n:,}", of, n) for n in asked))]
    if readers_differ(cards):
        found.append(Column("answers read by", tuple(Cell(read_by(card) or None) for card in cards)))
    if settings_differ(cards):
        found.append(Column("asked by", tuple(Cell(setting(card) or AUTHORS) for card in cards)))
    headlines = {official_of(card.headline) for card in cards}
    for metric in metrics_of(runs):
        is_headline = official_of(metric) in headlines
        marked = is_headline and not section.partial
        scores = [card.get(metric) for card in cards]
        best = best_of(runs, scores, metric) if marked else ()
        by = "verified" if is_verified(metric) else "official"
        opens = [link(run, rule=by) for run in runs]
        cells = tuple(replace(score_cell(score, i in best), opens=opens[i]) for i, score in enumerate(scores))
        # The headline by either rule is always seen, and so is what an audit makes of it.
        rule = None if official_of(metric).removesuffix(LABELLED[0]) in headlines else by
        found.append(Column(label(cards, metric, head(metric)), cells, rule=rule))
    for reason in _COUNTS:
        if any(card.counts.get(reason) for card in cards):
            counts = [card.counts.get(reason, 0) for card in cards]
            chosen = {"verdict": "none"} if reason == "missing" else {"reason": reason}
            known = reason != "extraction_empty"  # what the file had, which no verdict says
            opens = [link(run, **chosen) if n and known else "" for run, n in zip(runs, counts, strict=True)]
            cells = tuple(Cell(f"{n:,}", order=n, opens=to) for n, to in zip(counts, opens, strict=True))
            found.append(Column(reason.replace("_", " "), cells))
    return found
