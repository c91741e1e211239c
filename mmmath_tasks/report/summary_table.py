"""Tables of scores on the page: what a section's runs are worth, the highest marked where runs compare."""

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
        mark: "★" on the highest of runs that compare, "☆" on what is not told apart from it, else "".
        opens: the fragment of the page's address that shows the responses behind it; "": there are none.
    """

    main: str | None
    note: str = ""
    order: float = math.nan
    score: bool = False
    mark: str = ""
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


def score_cell(score: Score | None, mark: str = "", remark: str = "") -> Cell:
    """Return a score with its interval, its count and a remark."""
    if score is None or math.isnan(score.value):
        return Cell(None, remark)
    value, low, high = score_text(score)
    interval = f"{low}\u00a0to\u00a0{high}" if low else ""
    note = ", ".join(filter(None, [interval, f"n={score.count:,}" if score.count else "", remark]))
    return Cell(value, note, score.value, True, mark)


def marks_of(runs: Sequence[Run], scores: Sequence[Score | None], metric: str) -> dict[int, str]:
    """Return the indices of the highest scores, marked ★, and of those that are not told apart from it, marked ☆.

    None where some of the runs do not compare, or there is only one.

    Runs of one section compare where all rest on the same number of problems of one revision of the data and all their
    answers were read, and their prompts asked, by the same. Higher is taken for better; what reads as the same number
    is as high. A score is told apart from the highest where the 95 % interval of their difference, made of the
    intervals of both as if the runs were independent (Newcombe 1998, method 10), leaves out 0; runs of the same
    problems mostly are not, and a comparison problem by problem can tell more of them apart. Where either has no
    interval nothing is known of the difference, and there is no ☆.
    """
    found = {i: one for i, one in enumerate(scores) if one is not None and not math.isnan(one.value)}
    about = {
        (one.count, str(runs[i].card.provenance.get("data_revision")), conditions(runs[i].card, metric))
        for i, one in found.items()
    }
    if len(found) < 2 or len(about) > 1:
        return {}
    highest = max(found.values(), key=lambda one: one.value)
    marks = {i: "★" for i, one in found.items() if score_text(one)[0] == score_text(highest)[0]}
    return {i: marks.get(i, "☆") for i, one in found.items() if i in marks or _may_equal(highest, one)}


def _may_equal(high: Score, low: Score) -> bool:
    """Say whether the interval of the difference of two scores holds 0; False where one has no interval (nan)."""
    return high.value - low.value <= math.hypot(high.value - high.low, low.high - low.value)


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

    They are how many problems, who read the answers where that differs, scores, counts. The highest is marked in the
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
        marks = marks_of(runs, scores, metric) if marked else {}
        by = "verified" if is_verified(metric) else "official"
        opens = [link(run, rule=by) for run in runs]
        cells = tuple(replace(score_cell(score, marks.get(i, "")), opens=opens[i]) for i, score in enumerate(scores))
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
