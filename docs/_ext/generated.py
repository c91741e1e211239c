"""Directives whose contents come from the code, so that no page can say what is no longer so.

Each writes Markdown that MyST parses in place: tables of tasks, the commands' help, prompts as sent for a problem of
the embedded sample, the fields of records, the papers' tables.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from babel import Locale  # Sphinx brings it
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import mmmath_tasks as mm
from mmmath_tasks import cli, papers
from mmmath_tasks.harnesses.task_files import content_of, groups, tasks
from mmmath_tasks.hub_datasets.publishing.anomalies import KINDS
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.sources import find_split

DOCS = Path(__file__).parents[1]


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def fenced(text: str, language: str = "text") -> str:
    """Return a block of text as it stands, whatever backticks it holds."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}{language}\n{text}\n{fence}"


def task_table(benchmark: str) -> str:
    """Return the tasks of a benchmark and its groups: version, split, problems, prompt, what is measured and needed."""
    rows = []
    for name, about in sorted(tasks().items()):
        if about["benchmark"] == benchmark:
            metrics = [f"`{m['metric']}`" for m in content_of(name).get("metric_list", ())]
            needs = [said for said, so in _needs(name, about) if so]
            style = about.get("prompt_style", "default")
            size = f"{count:,}" if (count := _problems(about)) else ""
            rows.append(
                [f"`{name}`", about["version"], about["split"], size, style, ", ".join(metrics), ", ".join(needs)]
            )
    text = table(["task", "version", "split", "problems", "prompt style", "in lm-eval's table", "needs"], rows)
    for name, parts in groups().items():
        if {tasks()[part]["benchmark"] for part in parts} == {benchmark}:
            count = sum(_problems(tasks()[part]) for part in parts)
            text += f"\n\nGroup `{name}`, {count:,} problems: " + ", ".join(f"`{part}`" for part in parts) + "."
    return text


def _problems(about: Any) -> int:
    """Return how many problems a task asks; 0 where the paper does not say."""
    only = about.get("only")
    if not only:
        return papers.problems(about["benchmark"], about["split"]) or 0
    return next(filter(None, (papers.problems_each(about["benchmark"], column) for column in only)), 0)


def _needs(name: str, about: Any) -> Iterator[tuple[str, bool]]:
    yield "the sandbox", about["unsafe_code"]
    yield "a judge", name.endswith("_judge")
    yield "20 samples a problem", name.endswith("_maj")


def command_help(name: str) -> str:
    """Return the help of a sub-command, with those below it."""
    return "\n\n".join(f"### {title}\n\n{fenced(text)}" for title, text in _helps(f"mmmath {name}", _parser(name)))


def _parser(name: str) -> argparse.ArgumentParser:
    return _below(cli.parser())[name]


def _below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    actions = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {name: child for action in actions for name, child in action.choices.items()}


def _helps(title: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    yield title, parser.format_help().rstrip()
    for name, child in _below(parser).items():
        yield from _helps(f"{title} {name}", child)


def all_commands(_: str) -> str:
    """Return the help of every command."""
    return "\n\n".join(f"## {name}\n\n{command_help(name)}" for name in _below(cli.parser()))


def prompts(benchmark: str) -> str:
    """Return what a model is asked about a problem of the sample, in every style that asks otherwise."""
    found = mm.benchmark(benchmark)
    problems = [found.problem(row) for row in find_split(found, "sample").texts]
    parts: dict[str, str] = {}
    for style in ("default", *found.rows.PROMPT_STYLES):
        for problem in problems:
            try:
                asked = found.prompt(problem, style)
            except ValueError:  # the style is for other problems
                continue
            parts.setdefault(asked, f"`{style}`:\n\n{fenced(asked)}")
            break
    return "\n\n".join(parts.values())


def about(benchmark: str) -> str:
    """Return what a data set's card says first: what it measures, whose it is."""
    text, paper = _of_card(benchmark, r"\A# [^\n]*\n(.*?)(?=\n## )"), mm.benchmark(benchmark).rows.PAPER
    return text if f"abs/{paper}" in text else f"{text}\n\nPaper: [arXiv {paper}](https://arxiv.org/abs/{paper})."


def faults(benchmark: str) -> str:
    """Return what is known to be odd in the data: a card's words, and the ids that a build expects of each kind."""
    data = edition(benchmark)
    named = {**KINDS, **data.odd_kinds}
    kinds = {named[kind]: sorted(ids - {"*"}, key=_numbered) for kind, ids in data.known.items()}
    rows = [[kind, len(ids), ", ".join(ids[:12]) + " …" * (len(ids) > 12)] for kind, ids in kinds.items() if ids]
    said = _of_card(benchmark, r"\n## Known errors\n(.*?)(?=\n## |\Z)") or ("" if rows else "None is known.")
    return said + "\n\n" + (table(["what", "rows", "ids"], rows) if rows else "")


def _numbered(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (10**9, name)


def _of_card(benchmark: str, part: str) -> str:
    rows = mm.benchmark(benchmark).rows
    card = (files("mmmath_tasks.hub_datasets") / "cards" / f"{benchmark}.md").read_text(encoding="utf-8")
    found = re.search(part, card, re.S)
    known = {"paper": rows.PAPER, "hub_id": rows.HUB_ID, "licence": rows.LICENCE}
    text = re.sub(r"(?m)^This repo (.+\n?)+", "", found[1]) if found else ""  # says what is true on the Hub only
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: known.get(mark[1], ""), text).strip()


def rule(benchmark: str) -> str:
    """Return how answers are scored: the module's own account, with each deviation from the authors' code."""
    return (import_module(f"mmmath_tasks.metrics.{benchmark}").__doc__ or "").partition("\n")[2].strip()


def paper_tables(benchmark: str) -> str:
    """Return which tables of the paper stand beside runs, with the number of rows."""
    rows = [[t.table, t.place, t.split, t.about, len(t.rows)] for t in papers.tables(benchmark)]
    return table(["table", "place", "split", "about", "rows"], rows)


def record(name: str) -> str:
    """Return the fields of a public record with their types."""
    kind = getattr(mm, name)
    told = dict(re.findall(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", kind.__doc__ or "", re.M))
    rows = [[f"`{f.name}`", f"`{f.type}`", re.sub(r"\s+", " ", told.get(f.name, ""))] for f in dataclasses.fields(kind)]
    return table(["field", "type", "meaning"], rows)


def options(_: str) -> str:
    """Return what `--metadata` may hold, from the docstring of the function that takes it."""
    from mmmath_tasks.harnesses.lm_eval_documents import documents

    told = re.findall(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", documents.__doc__ or "", re.M)
    return table(["option", "meaning"], [[f"`{name}`", re.sub(r"\s+", " ", text)] for name, text in told])


def judge_settings(_: str) -> str:
    """Return what a judge's settings may hold, from the docstring of their record."""
    from mmmath_tasks.judge.settings import Settings

    told = re.findall(r"^ {8}(\w[\w, ]*): (.+(?:\n {12}.+)*)", Settings.__doc__ or "", re.M)
    rows = [[", ".join(f"`{n}`" for n in names.split(", ")), re.sub(r"\s+", " ", text)] for names, text in told]
    return table(["setting", "meaning"], rows)


def metric_names(benchmark: str) -> str:
    """Return which metrics a scorecard of responses has, and by what each is split."""
    found = mm.benchmark(benchmark)
    problems = [found.problem(row) for row in find_split(found, "sample").texts]
    groups: dict[str, list[str]] = {}
    for score in found.summarise(problems, [found.score(problem, "A") for problem in problems]).scores:
        known = groups.setdefault(score.metric, [])
        known += [score.group] if score.group and score.group not in known else []
    rows = [
        [f"`{metric}`", ", ".join(names).replace("_", " "), found.metrics.EXPLAINED.get(metric, "")]
        for metric, names in groups.items()
    ]
    return table(["metric", "also by", ""], rows)


def numbers(benchmark: str) -> str:
    """Return the published runs of a benchmark scored again, from numbers.json (perf/published_numbers.py)."""
    found = json.loads((DOCS / "numbers.json").read_text(encoding="utf-8"))
    peers = found["peers"]["runs"]
    rows = []
    for line in found[benchmark]["runs"]:
        mine = {k: v for k, v in line.items() if k not in ("run", "rows")} | peers.get(line["run"], {})
        rows.append([line["run"], *(_share(mine.get(key), line["rows"]) for key in COLUMNS[benchmark])])
    return table(["run", *COLUMNS[benchmark].values()], rows)


def _share(figure: float | None, rows: int) -> str:
    """A count as percent of the rows; what is no count is a score already; None is a dash."""
    if figure is None:
        return "—"
    return f"{figure:.2f}" if isinstance(figure, float) else f"{100 * figure / rows:.2f}"


COLUMNS = {
    "mathvista": {
        "published": "published",
        "official": "`acc`, GPT-4's extraction",
        "by_rules": "`acc`, read by rules",
        "verified": "`acc_verified`",
        "vlmevalkit": "VLMEvalKit, GPT-4's extraction",
        "vlmevalkit_alone": "VLMEvalKit alone",
        "lmms_eval": "lmms-eval, GPT-4's extraction",
        "lmms_eval_alone": "lmms-eval alone",
    },
    "mathvision": {
        "published": "published",
        "official": "`acc`",
        "verified": "`acc_verified`",
        "vlmevalkit": "VLMEvalKit, upstream's reading",
        "vlmevalkit_alone": "VLMEvalKit alone",
        "lmms_eval": "lmms-eval",
    },
    "wemath": {"published": "upstream's code", "official": "`score_strict`", "verified": "`score_strict_verified`"},
}


def languages(_: str) -> str:
    """Return in how many expressions of which language the answer reader knows its way (math: signs of no language)."""
    lines = (files("mmmath_tasks.metrics") / "answers" / "lexicon.jsonl").read_text(encoding="utf-8").splitlines()
    known = Counter(json.loads(line)["language"] for line in lines)
    named = [[Locale(code).get_language_name("en"), count] for code, count in known.most_common() if code != "math"]
    return table(["language", "patterns"], named)


def requirements(extra: str) -> str:
    """Return what pyproject.toml asks for: of the package itself, or of an extra."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = [[f"Python {project['requires-python']}"]] if not extra else []
    wanted = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return table(["needs"], [*python, *([f"`{name}`"] for name in wanted)])


def ci_script(name: str) -> str:
    """Return the lines with which CI makes an environment: a script's, from `python3 -m venv` to the first of ours."""
    lines = (DOCS.parent / ".ci" / name).read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("python3 -m venv"))
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("pip install") and " -e " in line)
    return fenced("\n".join(lines[start : end + 1]))


WRITERS: dict[str, Callable[[str], str]] = {
    "mmmath-tasks": task_table,
    "mmmath-help": command_help,
    "mmmath-commands": all_commands,
    "mmmath-prompts": prompts,
    "mmmath-about": about,
    "mmmath-faults": faults,
    "mmmath-rule": rule,
    "mmmath-paper": paper_tables,
    "mmmath-record": record,
    "mmmath-options": options,
    "mmmath-judge-settings": judge_settings,
    "mmmath-metrics": metric_names,
    "mmmath-numbers": numbers,
    "mmmath-languages": languages,
    "mmmath-requirements": requirements,
    "mmmath-ci": ci_script,
}


class Generated(SphinxDirective):
    """Parses what the writer of its name returns."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed Markdown."""
        self.env.note_reread()  # what it says may change without its page
        text = WRITERS[self.name](self.arguments[0] if self.arguments else "")
        if not text.strip():
            raise self.error(f"nothing to say: {self.name} {self.arguments}")
        holder = nodes.section()
        holder.document = self.state.document
        self.state.nested_parse(
            StringList(text.splitlines(), self.name), self.content_offset, holder, match_titles=True
        )
        return holder.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    os.environ["COLUMNS"] = "100"  # of the commands' help
    for name in WRITERS:
        app.add_directive(name, Generated)
    return {"parallel_read_safe": True}
