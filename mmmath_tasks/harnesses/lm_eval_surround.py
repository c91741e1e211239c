"""What stands in place of lm-eval's `simple_evaluate` and `evaluate`: it hands runs with a task of ours to lm_eval_run.

The start-up hook calls `surround` within `import lm_eval.evaluator`, so nothing here imports more than it must.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from importlib import import_module
from typing import Any

from mmmath_tasks.harnesses import lm_eval_seams
from mmmath_tasks.harnesses.lm_eval_plugin import is_ours

_SETTINGS: ContextVar[Mapping[str, Any] | None] = ContextVar("what simple_evaluate was given", default=None)


def settings() -> Mapping[str, Any] | None:
    """Return what the running simple_evaluate was given; None where none runs."""
    return _SETTINGS.get()


def surround() -> None:
    """Put ours around runs; repeatable, never raises (it runs at the end of `import lm_eval.evaluator`).

    The functions must be exchanged before anyone takes them from their module.
    """
    lm_eval_seams.attach("settings", "run")


def keep_settings() -> None:
    """Keep what simple_evaluate is given for as long as it runs."""
    lm_eval_seams.wrap(import_module("lm_eval.evaluator"), "simple_evaluate", _keeping)


def _keeping(simple_evaluate: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(simple_evaluate)

    def evaluate_with_settings(*args: Any, **kwargs: Any) -> Any:
        before = _SETTINGS.set(signature.bind(*args, **kwargs).arguments)
        try:
            return simple_evaluate(*args, **kwargs)
        finally:
            _SETTINGS.reset(before)

    return evaluate_with_settings


def surround_runs() -> None:
    """Put lm_eval_run.surrounded around the runs with a task of ours; others stay as they are."""
    lm_eval_seams.wrap(import_module("lm_eval.evaluator"), "evaluate", _surrounding)


def _surrounding(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate_surrounded(lm: Any, task_dict: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        tasks = list(_tasks(task_dict.get("tasks", task_dict)))
        if not any(map(is_ours, tasks)):
            return evaluate(lm, task_dict, *args, **kwargs)
        from mmmath_tasks.harnesses.lm_eval_run import surrounded

        return surrounded(evaluate, settings(), tasks, lm, task_dict, *args, **kwargs)

    return evaluate_surrounded


def _tasks(tasks: Mapping[Any, Any]) -> Iterator[Any]:
    """Yield the tasks of lm-eval's dict; what lm_eval.tasks.get_task_dict returns is nested by groups."""
    for value in tasks.values():
        if isinstance(value, Mapping):
            yield from _tasks(value)
        elif hasattr(value, "OUTPUT_TYPE"):
            yield value
