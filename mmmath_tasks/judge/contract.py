"""What a benchmark's judge brings: the members of judge/<name>.py, which may be left out, as the whole module may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

from mmmath_tasks.contract import checked
from mmmath_tasks.judge.case import Judged, Metric
from mmmath_tasks.judge.error_types import Taxonomy
from mmmath_tasks.problem import Problem, Scorecard


class JudgedMetrics(Protocol):
    """The judged metrics of a benchmark; None: it has none of the kind."""

    judge_answers: Metric | None = None
    """The answers, as the authors have them judged: (judge, cases, *, sure); None: they score by rules alone."""
    with_prompts: Callable[[Path], Metric] | None = None
    """The same by the authors' own prompts, from their file; None: there is none to be had."""
    judge_steps: Metric | None = None
    """The steps on the way to an answer: (judge, cases, *, alpha, steps_model, annotations), see judge/cot_e.py."""
    summarise_steps: Callable[[Sequence[Problem], Sequence[Judged], float], Scorecard] | None = None
    """Sum judged steps up; comes with `judge_steps`."""
    ERRORS: Taxonomy | None = None
    """The classes of errors of the benchmark's paper."""


@cache
def judged_metrics(benchmark: str) -> JudgedMetrics:
    """Return a benchmark's judged metrics, checked, with defaults; raises InputError where a member is wrong."""
    name = f"{__package__}.{benchmark}"
    return cast(JudgedMetrics, checked(import_module(name) if find_spec(name) else ModuleType(name), JudgedMetrics))
