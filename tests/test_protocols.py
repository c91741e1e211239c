"""The list of protocol items names tasks, styles and options that exist, and each paper's model where it says so."""

import re
from pathlib import Path

import pytest

from mmmath_tasks.commands._parser import Parser
from mmmath_tasks.commands.hub import arguments as hub_arguments
from mmmath_tasks.commands.judge import arguments as judge_arguments
from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder
from mmmath_tasks.scoring import benchmark, benchmarks

TEXT = (Path(__file__).parents[1] / "docs/protocols.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([\w-]+) \(arXiv ([\d.]+)\)$", TEXT, re.MULTILINE))
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if line.startswith("| ")]


def test_every_row_has_a_place_and_a_status():
    items = [row for row in ROWS if row[0] not in ("item", "---")]
    assert len(items) >= 55
    assert all(len(row) == 4 and row[0] and row[3] for row in items)


def test_every_paper_says_which_tests_hold_it():
    parts = TEXT.split("\n## ")[1:]
    assert len(parts) == 5
    for part in parts:
        named = re.findall(r"`(tests/[\w/]+\.py)`", part.partition("\nHeld by ")[2])
        assert named, part[:20]
        assert all((Path(__file__).parents[1] / name).is_file() for name in named)


def test_every_benchmark_has_its_paper():
    names = {name.replace("-", "").lower(): paper for name, paper in SECTIONS.items()}
    assert names == {name: benchmark(name).rows.PAPER for name in benchmarks()}


def test_tasks_that_are_named_exist():
    known = {path.stem for path in tasks_folder().rglob("*.yaml")}
    named = set(re.findall(rf"`((?:{'|'.join(benchmarks())})_\w+)`", TEXT))
    assert len(named) > 25
    assert named <= known


def test_styles_that_are_named_exist():
    known = {style for name in benchmarks() for style in benchmark(name).rows.PROMPT_STYLES}
    named = {
        name
        for said in re.findall(r"styles? ((?:`\w+`(?:, | and | or )?)+)", TEXT)
        for name in re.findall(r"\w+", said)
    }
    assert {"word", "gemini", "code", "wo"} <= named
    assert named - {"and", "or"} <= known


@pytest.mark.parametrize(("command", "declare"), [("judge", judge_arguments), ("hub", hub_arguments)])
def test_options_that_are_named_exist(command, declare):
    import argparse

    parser = Parser()
    declare(parser)
    verbs = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    parsers = [parser, *(p for verb in verbs for p in verb.choices.values())]
    known = {option for one in parsers for action in one._actions for option in action.option_strings}
    rows = [line for line in TEXT.splitlines() if f"`mmmath {command} " in line]
    assert rows
    assert {option for row in rows for option in re.findall(r"--[\w-]+", row)} <= known
