"""The language-model judge: any OpenAI-compatible endpoint, asked concurrently, every answer cached as it arrives.

`engine.Judge` asks questions that `prompt` builds; one module a judged metric turns the answers into verdicts. A judge
that fails leaves an item unscored with its cause, never wrong. Needs the extra `judge` (httpx2, pydantic).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError

if TYPE_CHECKING:
    from mmmath_tasks.judge.case import Metric
    from mmmath_tasks.judge.error_types import Taxonomy


def need_extra() -> None:
    """Refuse where the extra is not installed.

    Raises:
        InputError: with the command that installs it.
    """
    for name in ("httpx2", "pydantic"):
        if find_spec(name) is None:
            raise InputError(f"the judge needs {name}: pip install 'mmmath-tasks[judge]'")


def metric(benchmark: str, prompts: str | None = None) -> Metric | None:
    """Return how a benchmark's answers are judged; None where its authors score by rules alone.

    `prompts` is the authors' file of prompts, to judge by those; None: by ours.

    Raises:
        InputError: the file cannot be used, or the authors of this benchmark have none that we could use.
    """
    from mmmath_tasks.judge.contract import judged_metrics

    found = judged_metrics(benchmark)
    if prompts is None:
        return found.judge_answers
    if found.with_prompts is None:
        raise InputError(f"{benchmark}: no file of prompts is heeded here; only MathVerse's authors have one to give")
    return found.with_prompts(Path(prompts))


def taxonomy_of(benchmark: str) -> Taxonomy | None:
    """Return the classes of errors of a benchmark's paper; None where it has none."""
    from mmmath_tasks.judge.contract import judged_metrics

    return judged_metrics(benchmark).ERRORS
