"""Settings that lm-eval takes without a word although nothing reads them: refused before a model is asked anything."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.lm_eval_plugin import is_ours

_log = logging.getLogger(__name__)

METADATA = tuple(name for name, p in inspect.signature(documents).parameters.items() if p.kind is p.KEYWORD_ONLY)
"""The keys of --metadata that our tasks read."""


def check(tasks: Sequence[Any], settings: Mapping[str, Any]) -> None:
    """Refuse shots for prompts that take none, and metadata that no task reads.

    What tasks of other packages may read is only warned of, or let pass. `settings` is what lm_eval.simple_evaluate was
    given, and its `task_manager`.

    Raises:
        InputError: a setting would have no effect.
    """
    ours = [task for task in tasks if is_ours(task)]
    if ours:
        _check_shots(ours, len(ours) == len(tasks), settings.get("num_fewshot"))
    if ours and len(ours) == len(tasks):
        _check_metadata(settings)


def _check_shots(ours: Sequence[Any], alone: bool, shots: int | None) -> None:
    fixed = [str(task.config.task) for task in ours if task.config.num_fewshot == 0]
    if not shots or not fixed:
        return
    others = f" and {len(fixed) - 1} more" if len(fixed) > 1 else ""
    said = (
        f"--num_fewshot {shots}: the prompts of {fixed[0]}{others} are fixed and take no examples; "
        "tasks whose prompts have some are named for it (_2shot)"
    )
    if alone:
        raise InputError(said)
    _log.warning("%s. It counts for the other tasks only.", said)


def _check_metadata(settings: Mapping[str, Any]) -> None:
    """Refuse unknown keys; lm-eval's command line merges the model's arguments into the metadata, and they may stay."""
    from lm_eval.utils import simple_parse_args_string

    arguments = settings.get("model_args") or {}
    of_model = simple_parse_args_string(arguments) if isinstance(arguments, str) else arguments
    given = settings.get("metadata") or getattr(settings.get("task_manager"), "metadata", None) or {}
    for name in given:
        if name not in of_model and name not in METADATA:
            near = get_close_matches(name, METADATA, n=1)
            meant = f"; is {near[0]!r} meant?" if near else "."
            raise InputError(f"metadata {name!r} is unknown{meant} Known: {', '.join(METADATA)}")
