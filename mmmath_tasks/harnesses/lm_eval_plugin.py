"""Makes lm-eval know our tasks and models in this process; the start-up hook and `mmmath lm-eval` call `register`.

TaskManager.__init__ takes include_path and include_defaults; later paths overwrite earlier ones, so ours goes before
the user's and after lm-eval's own. Models go into the registry as "module:Class", loaded when asked for. Older than
0.4.12, lm-eval has both but cannot read the dotted `!function` names of our YAML files. All runs within imports of
lm-eval, so nothing here imports more than it must.
"""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from mmmath_tasks.harnesses import lm_eval_seams

MODELS = {
    "mmmath-random-chance": "RandomChance",
    "mmmath-frequent-guess": "FrequentGuess",
    "mmmath-replay": "Replay",
}
"""Names of our models in lm-eval, and their classes in mmmath_tasks.harnesses.lm_eval_models."""

_CLASSES = "mmmath_tasks.harnesses.lm_eval_models"


def tasks_folder() -> Path:
    """Return the folder that holds our task YAML files."""
    return Path(next(iter(import_module("mmmath_tasks.yaml_tasks").__path__)))


def register() -> None:
    """Register tasks and models; quick, repeatable, never raises (it runs inside `import lm_eval.tasks`)."""
    lm_eval_seams.attach("tasks", "models", "hint")


def is_ours(task: Any) -> bool:
    """Say whether an lm-eval task reads its documents by this package, a user's YAML that includes ours too."""
    source = getattr(getattr(task, "config", None), "custom_dataset", None)
    return str(getattr(source, "__module__", "")).startswith("mmmath_tasks.")


def register_tasks() -> None:
    """Have every TaskManager with lm-eval's own tasks index ours too."""
    tasks = import_module("lm_eval.tasks")
    if not hasattr(import_module(tasks.TaskManager.__module__), "discover_plugin_task_paths"):
        lm_eval_seams.wrap(tasks.TaskManager, "__init__", _with_ours)
    # else lm-eval reads the entry points that our distribution declares


def _with_ours(start: Callable[..., None]) -> Callable[..., None]:
    signature = inspect.signature(start)

    def start_with_ours(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        if bound.arguments.get("include_defaults", True):
            bound.arguments["include_path"] = _before(bound.arguments.get("include_path"))
        start(*bound.args, **bound.kwargs)

    return start_with_ours


def _before(include_path: Any) -> list[str]:
    """Return the user's include paths after ours; ours once only, or every task would be reported as overridden."""
    given = list(include_path) if isinstance(include_path, list | tuple) else [include_path] if include_path else []
    ours = tasks_folder()
    return [str(ours), *(str(path) for path in given if Path(path).resolve() != ours.resolve())]


def register_models() -> None:
    """Name our models in lm-eval's registry."""
    import_module("lm_eval.models")  # lm-eval loads its own names only while the registry is empty
    registry = import_module("lm_eval.api.registry").model_registry
    for name, class_name in MODELS.items():
        if name not in registry:
            registry.register(name, target=f"{_CLASSES}:{class_name}")


def leave_out_hint() -> None:
    """Have lm-eval not say, two lines for each of our tasks, that --metadata takes what RULER takes."""
    import_module("lm_eval.api.task").eval_logger.addFilter(_is_no_hint)


def _is_no_hint(record: logging.LogRecord) -> bool:
    found = re.match(r"(\w+): Custom kwargs can be passed", record.getMessage())
    return found is None or found[1] not in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset(path.stem for path in tasks_folder().rglob("*.yaml"))
