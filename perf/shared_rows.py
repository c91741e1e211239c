"""What the scripts share: their arguments, and the published and labelled rows, which are not part of the project."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mmmath_tasks as mm
from mmmath_tasks.metrics.answers import Expectation
from mmmath_tasks.problem import Problem

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests", "tests/metrics/answers", "tests/conformance")]

from support.published import SHARED, lines  # noqa: E402

SPLITS = {"mathvision": "test", "mathverse": "testmini_text_only"}


def arguments(about: str | None) -> argparse.ArgumentParser:
    """Return a parser with the argument that all have who need these rows: where they lie."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=SHARED)
    return parser


def problems(shared: Path, name: str) -> dict[str, Problem]:
    """Return a benchmark's problems by id."""
    known = mm.benchmark(name)
    split = SPLITS.get(name, "testmini")
    return {problem.id: problem for problem in map(known.problem, known.rows.read(shared / "data" / name, split))}


def extracted(shared: Path) -> Iterator[tuple[Problem, dict[str, Any]]]:
    """Yield MathVista's published free-text responses with GPT-4's extraction and the verdict that it earned."""
    known = problems(shared, "mathvista")
    for row in lines(shared / "oracle/mathvista_extract_bench.jsonl.gz"):
        if row["kind"] == "text":
            yield known[row["pid"]], row


def cases(shared: Path) -> Iterator[tuple[str, Problem, dict[str, Any]]]:
    """Yield the labelled cases with their problem and the file that they stand in."""
    for name in ("reports", "written", "real_runs"):
        for case in lines(shared / f"cases/{name}.jsonl"):
            yield name, mm.benchmark(case["benchmark"]).problem(case["row"]), case


def golden() -> Iterator[tuple[str, Expectation, dict[str, Any]]]:
    """Yield the tests' golden cases with what is asked in them."""
    from test_golden import CASES

    for key, case in CASES.items():
        asked = case.get("choices", ()), case.get("precision"), case.get("unit"), case.get("question", "")
        yield key, Expectation(case["kind"], *asked), case


def reported(shared: Path) -> Iterator[tuple[Expectation, dict[str, Any]]]:
    """Yield the cases of public bug reports with what is asked in them."""
    from test_answers_vectors import _expectation

    for case in lines(shared / "vectors/verdicts.jsonl"):
        if case["benchmark"] != "mathverse" or case.get("question_type") != "multi-choice":
            yield _expectation(case), case
