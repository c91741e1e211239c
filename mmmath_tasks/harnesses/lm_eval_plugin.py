"""Makes lm-eval know our tasks and models in this process; the start-up hook and `mmmath lm-eval` call `register`.

The seams: TaskManager.__init__ takes include_path and include_defaults; later paths overwrite earlier ones, so ours
goes before the user's and after lm-eval's own. Models go into the registry as "module:Class", loaded when asked for.
Older than 0.4.12, lm-eval has both but cannot read the dotted `!function` names of our YAML files. A third seam is
ConfigurableTask.download, which warns of every task that loads its own data; ours are spared.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

MODELS = {
    "mmmath-random-chance": "RandomChance",
    "mmmath-frequent-guess": "FrequentGuess",
    "mmmath-replay": "Replay",
}
"""Names of our models in lm-eval, and their classes in mmmath_tasks.harnesses.lm_eval_models."""

_log = logging.getLogger(__name__)
_CLASSES = "mmmath_tasks.harnesses.lm_eval_models"


def tasks_folder() -> Path:
    """Return the folder that holds our task YAML files."""
    return Path(next(iter(import_module("mmmath_tasks.yaml_tasks").__path__)))


def register() -> None:
    """Register tasks and models; quick, repeatable, never raises (it runs inside `import lm_eval.tasks`)."""
    for step in (_register_tasks, _register_models, _leave_out_hint):
        try:
            step()
        except Exception:
            _log.warning("%s failed; lm-eval does not know the tasks of mmmath-tasks", step.__name__, exc_info=True)


def is_ours(task: Any) -> bool:
    """Say whether an lm-eval task reads its documents by this package, a user's YAML that includes ours too."""
    source = getattr(getattr(task, "config", None), "custom_dataset", None)
    return str(getattr(source, "__module__", "")).startswith("mmmath_tasks.")


def _register_tasks() -> None:
    tasks = import_module("lm_eval.tasks")
    home = import_module(tasks.TaskManager.__module__)
    if hasattr(home, "discover_plugin_task_paths"):
        return  # this lm-eval reads the entry points that our distribution declares
    start: Callable[..., None] = tasks.TaskManager.__init__
    if hasattr(start, "adds_mmmath"):
        return
    signature = inspect.signature(start)

    @wraps(start)
    def start_with_ours(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        if bound.arguments.get("include_defaults", True):
            bound.arguments["include_path"] = _before(bound.arguments.get("include_path"))
        start(*bound.args, **bound.kwargs)

    start_with_ours.adds_mmmath = True  # type: ignore[attr-defined]
    tasks.TaskManager.__init__ = start_with_ours


def _before(include_path: Any) -> list[str]:
    """Return the user's include paths after ours; ours once only, or every task would be reported as overridden."""
    given = list(include_path) if isinstance(include_path, list | tuple) else [include_path] if include_path else []
    ours = tasks_folder()
    return [str(ours), *(str(path) for path in given if Path(path).resolve() != ours.resolve())]


def _register_models() -> None:
    import_module("lm_eval.models")  # lm-eval loads its own names only while the registry is empty
    registry = import_module("lm_eval.api.registry").model_registry
    for name, class_name in MODELS.items():
        if name not in registry:
            registry.register(name, target=f"{_CLASSES}:{class_name}")


def _leave_out_hint() -> None:
    """Have lm-eval not say, two lines for each of our tasks, that --metadata takes what RULER takes."""
    owner = import_module("lm_eval.api.task").ConfigurableTask
    download: Callable[..., None] = owner.download
    if hasattr(download, "leaves_out_hint"):
        return
    log = logging.getLogger(download.__module__)

    @wraps(download)
    def download_without_hint(task: Any, *args: Any, **kwargs: Any) -> None:
        if not is_ours(task):
            download(task, *args, **kwargs)
            return
        log.addFilter(_is_no_hint)
        try:
            download(task, *args, **kwargs)
        finally:
            log.removeFilter(_is_no_hint)

    download_without_hint.leaves_out_hint = True  # type: ignore[attr-defined]
    owner.download = download_without_hint


def _is_no_hint(record: logging.LogRecord) -> bool:
    return "Custom kwargs can be passed" not in record.getMessage()
