"""README.md names what a user would otherwise have to find out."""

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from mmmath_tasks.cli import parser
from mmmath_tasks.outputs.submission import layouts
from mmmath_tasks.papers import title

ROOT = Path(__file__).parents[1]
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
COMMANDS = next(a.choices for a in parser()._actions if isinstance(a, argparse._SubParsersAction))


@pytest.mark.parametrize("extra", [name for name in EXTRAS if name not in ("dev", "docs")])
def test_every_extra(extra):
    assert f"mmmath-tasks[{extra}]" in README


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(command):
    assert f"mmmath {command}" in README


def test_the_benchmarks_whose_authors_take_files_of_responses():
    named = re.search(r"`mmmath submission [^(]*\((.*?)\)", README)[1].split(", ")
    assert sorted(named) == sorted(title(name) for name in layouts())


@pytest.mark.parametrize(
    "words", ["HF_ENDPOINT", "`--out DIR` writes into a folder and works offline", "six to seven minutes"]
)
def test_what_depends_on_where_it_runs(words):
    assert words in README
