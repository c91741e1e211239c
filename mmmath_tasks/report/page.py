"""The page: scorecards in, a folder with index.html, plots and numbers out."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

from mmmath_tasks import __version__, papers
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import open_atomic, write_atomic
from mmmath_tasks.number_text import counted
from mmmath_tasks.report.browser import BrowserData, browser_data, packed
from mmmath_tasks.report.figures import Figure, figures
from mmmath_tasks.report.leaderboard import Leaderboard, leaderboard
from mmmath_tasks.report.links import Links
from mmmath_tasks.report.names import is_verified
from mmmath_tasks.report.pictures import Saved, save_pictures
from mmmath_tasks.report.runs import Run, Section, progress, sections
from mmmath_tasks.report.summary_table import columns, metrics_of
from mmmath_tasks.report.svg import alone
from mmmath_tasks.report.themes import run_colour, style_sheet
from mmmath_tasks.score_labels import conditions, how_read
from mmmath_tasks.scoring import benchmark

_ZOOM = 2.0


@dataclass(frozen=True, slots=True)
class Written:
    """What a report consists of.

    Attributes:
        page: index.html.
        figures: how many plots.
        responses: how many responses the browser holds.
        pictures: how many pictures are shown.
        without_picture: how many problems in the browser have none.
        png: whether the plots were written as PNG too.
        elsewhere: a sentence for each run that was scored on other data than its pictures are from.
    """

    page: Path
    figures: int
    responses: int
    pictures: int
    without_picture: int
    png: bool
    elsewhere: tuple[str, ...]


def write_report(
    runs: Sequence[Run],
    out: Path,
    *,
    title: str = "",
    pictures: bool = False,
    data_dir: str | None = None,
    split: str | None = None,
    pdf: bool = False,
) -> Written:
    """Write a report of `read_runs` into a folder, made where it is missing; files of an earlier report are replaced.

    The default of `title` is the benchmarks' names. With `pictures` the problems' are copied beside the page, from
    `data_dir` (see mmmath_tasks.sources), `split` where a scorecard does not say; with `pdf` plots are written as PDF,
    too.

    Raises:
        InputError: a package of the extra `report` is missing, a file of responses is broken, or pictures are wanted
            and cannot be had.
    """
    try:
        import latex2mathml  # noqa: F401
        import markdown_it  # noqa: F401
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise InputError(f"a report needs {error.name}; pip install 'mmmath-tasks[report]'") from None
    if pdf and find_spec("svglib") is None:
        raise InputError("plots as PDF need svglib; pip install 'mmmath-tasks[report]'")
    parts = sections(runs)
    drawn = _distinct([list(figures(section)) for section in parts])
    saved = save_pictures(runs, out, data_dir, split) if pictures else Saved({})
    data = browser_data(runs, saved.paths)
    (out / "plots").mkdir(parents=True, exist_ok=True)
    png = _write_plots(out / "plots", [figure for chosen in drawn for figure in chosen], pdf)
    _write_numbers(out / "numbers.csv", runs)
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    names = dict.fromkeys(papers.title(run.card.benchmark) for run in runs)
    noted: set[str] = set()
    links = Links(runs)
    loader = FunctionLoader(_asset)
    template = Environment(autoescape=True, undefined=StrictUndefined, loader=loader).get_template("page.html.j2")
    board = leaderboard(runs)
    if board:
        _write_csv(out / "leaderboard.csv", board.numbers())
    html = template.render(
        board=_board(board, links),
        why_no_board="" if len(parts) == 1 else board.why_not(),
        title=title or f"Report: {', '.join(names)}",
        lead=_lead(runs),
        rule="verified" if all(is_verified(run.card.headline) for run in runs) else "official",
        by_rules=any(how_read(run.card) for run in runs),
        sections=[_section(section, chosen, noted, links) for section, chosen in zip(parts, drawn, strict=True)],
        plot_files=("csv", "svg", "png") if png else ("csv", "svg"),
        packed=packed(data.lists) if data.lists["benchmarks"] else "",
        blocks=[packed(block) for block in data.blocks],
        pairs=packed(data.pairs),
        unrendered=_unrendered(data),
        style=style_sheet() + "".join(map(_asset, ("page.css", "table.css", "browser.css"))),
        script=script,
        script_hash=f"sha256-{digest}",
        version=__version__,
    )
    page = out / "index.html"
    write_atomic(page, html)
    held = data.lists["benchmarks"]
    responses = sum(answer is not None for entry in held for given in entry["answers"] for answer in given)
    bare = sum(not problem["pictures"] for entry in held for problem in entry["problems"])
    shown = sum(map(len, saved.paths.values()))
    return Written(page, sum(map(len, drawn)), responses, shown, bare, png, saved.elsewhere)


def _distinct(drawn: Sequence[Sequence[Figure]]) -> list[list[Figure]]:
    """Return the figures, none of which has the name of another: runs' names may differ in a sign only."""
    seen: dict[str, int] = {}
    found: list[list[Figure]] = []
    for chosen in drawn:
        found.append([])
        for figure in chosen:
            seen[figure.name] = seen.get(figure.name, 0) + 1
            again = seen[figure.name] > 1
            found[-1].append(replace(figure, name=f"{figure.name}__{seen[figure.name]}") if again else figure)
    return found


def _asset(name: str) -> str:
    return (files("mmmath_tasks.report") / name).read_text(encoding="utf-8")


def _script() -> str:
    """Return the parts of the page's script as one: each defines, and the last begins."""
    parts = [part for part in files("mmmath_tasks.report.scripts").iterdir() if part.name.endswith(".js")]
    parts.sort(key=lambda part: (part.name == "main.js", part.name))
    body = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def _unrendered(data: BrowserData) -> str:
    if not data.raw:
        return ""
    return f"{data.raw:,} of the {data.formulas:,} formulas in the responses cannot be rendered and stand as they are."


def _lead(runs: Sequence[Run]) -> str:
    named = list(dict.fromkeys(run.name for run in runs))
    total = sum(run.card.counts.get("total", 0) - run.card.counts.get("missing", 0) for run in runs)
    shown = ", ".join(named[:6]) + (", …" if len(named) > 6 else "")
    return f"{counted(len(runs), 'run')} ({shown}), {counted(total, 'response')} in all."


def _section(section: Section, drawn: Sequence[Figure], noted: set[str], links: Links) -> dict[str, Any]:
    """Return what the template shows of a section; remarks that are `noted` stand further up."""
    runs = section.runs
    rows = [
        {
            "name": run.name,
            "kind": "",
            "colour": "" if run.colour is None else run_colour(run.colour),
            "provenance": [(key.replace("_", " "), _said(value)) for key, value in run.card.provenance.items()],
        }
        for run in runs
    ]
    metrics = metrics_of(runs)
    remarks = [remark for remark in _remarks(section) if remark not in noted]
    noted.update(remarks)
    told = benchmark(section.benchmark).metrics.EXPLAINED
    folded = [one for one in drawn if one.long]
    return {
        "name": section.name,
        "title": section.title,
        "about": _about(section),
        "columns": columns(section, links.to),
        "sets": {run.name: title for run in runs if (title := links.title(run))},
        "rows": rows,
        "notes": [*(f"{metric}: {told[metric]}." for metric in metrics if metric in told), *remarks],
        "figures": [one for one in drawn if not one.long],
        "folded": [(family, list(some)) for family, some in groupby(folded, lambda one: one.family or one.title)],
    }


def _board(board: Leaderboard, links: Links) -> dict[str, Any]:
    """Return what the template shows of a leaderboard."""
    left_out = [f"{run.name} on {papers.title(run.card.benchmark)}: {why}" for run, why in board.left_out]
    return {
        "shown": bool(board),
        "columns": board.columns(links.to),
        "rows": [
            *({"name": name, "colour": "", "kind": ""} for name in board.models),
            *({"name": name, "colour": "", "kind": "paper"} for name in board.paper_rows),
        ],
        "notes": board.remarks(),
        "left_out": left_out,
    }


def _about(section: Section) -> str:
    """Return what the runs of a section were asked, and, where they are not whole, what that means."""
    unit = papers.unit(section.benchmark)
    size = f", {section.size:,} {unit}" if section.size else ""
    said = f"Split: {section.split or 'not known'}{size}."
    if not section.partial:
        return said
    return (
        f"{said} These runs leave out some of them, so their scores compare neither with the paper's nor with those of "
        "whole runs, and with one another only where they were asked the same."
    )


def _remarks(section: Section) -> list[str]:
    """Return what must be known to read a section, each once, for whichever runs it holds."""
    found = []
    notes = dict.fromkeys(note for run in section.runs for note in run.card.notes)
    for note in notes:
        whose = [run.name for run in section.runs if note in run.card.notes]
        found.append(note if len(whose) == len(section.runs) else f"{', '.join(whose)}: {note}")
    revisions: dict[str, list[str]] = {}
    for run in section.runs:
        revisions.setdefault(_said(run.card.provenance.get("data_revision", "not known")), []).append(run.name)
    if len(revisions) > 1:
        each = "; ".join(f"{', '.join(names)}: {revision}" for revision, names in revisions.items())
        found.append(f"The runs were scored on different revisions of the data ({each}).")
    return found


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_said(inner)}" for key, inner in value.items())
    return "none" if value is None else str(value)


def _write_plots(folder: Path, plots: Iterable[Figure], pdf: bool) -> bool:
    """Write each plot as SVG, its numbers as CSV, and as PNG where resvg-py is installed; say whether it is."""
    painted = find_spec("resvg_py") is not None
    for figure in progress(list(plots), "plots", "plot"):
        drawn = alone(figure.svg, figure.title, figure.caption)
        write_atomic(folder / f"{figure.name}.svg", drawn)
        _write_csv(folder / f"{figure.name}.csv", figure.numbers)
        if painted:
            import resvg_py

            image = resvg_py.svg_to_bytes(svg_string=drawn, zoom=_ZOOM, background="#ffffff")
            write_atomic(folder / f"{figure.name}.png", bytes(image))
        if pdf:
            write_atomic(folder / f"{figure.name}.pdf", _as_pdf(drawn))
    return painted


def _as_pdf(svg: str) -> bytes:
    from reportlab.graphics.renderPDF import drawToString
    from svglib.svglib import svg2rlg

    found: bytes = drawToString(svg2rlg(io.BytesIO(svg.encode("utf-8", "replace"))))
    return found


def _write_numbers(path: Path, runs: Sequence[Run]) -> None:
    rows = [
        {
            "benchmark": run.card.benchmark,
            "split": papers.split_of(run.card),
            "partial": papers.is_partial(run.card),
            "run": run.name,
            **score.to_dict(),
            "remark": conditions(run.card, score.metric),
        }
        for run in runs
        for score in run.card.scores
    ]
    _write_csv(path, rows)


def _write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with open_atomic(path, newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
