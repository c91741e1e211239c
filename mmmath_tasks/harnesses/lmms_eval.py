"""lmms-eval: the same tasks under `mmmath_` names, in a folder that is written when it is asked for.

lmms-eval reads data sets by `load_dataset` only, so every task names a file of one row, which `process_docs` replaces
by the task's documents. YAML can name a function but give it no argument, therefore each task's name is one here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks import __version__
from mmmath_tasks.files import user_cache, write_if_changed
from mmmath_tasks.harnesses import lm_eval
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.task_files import content_of, prefixed, task, tasks
from mmmath_tasks.score_labels import official_reader

if TYPE_CHECKING:
    from datasets import Dataset
    from PIL import Image

_HERE = "mmmath_tasks.harnesses.lmms_eval"
_LIMIT = {"max_gen_toks": "max_new_tokens"}  # lm-eval's name, lmms-eval's


def __getattr__(name: str) -> Callable[[Dataset], Dataset]:
    """Return the `process_docs` of the task of that name."""
    if name not in tasks():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return lambda _: documents(**task(name))


def doc_to_text(doc: Mapping[str, Any], _: Mapping[str, Any] | None = None) -> str:
    """Return the prompt; lmms-eval puts the pictures before it."""
    return str(doc["prompt"])


def doc_to_visual(doc: Mapping[str, Any], _: Mapping[str, Any] | None = None) -> list[Image.Image]:
    """Return the pictures, checked and opened; [] for a text-only task."""
    return [picture.open() for picture in doc["pictures"]]


def write_tasks(folder: Path | None = None) -> Path:
    """Write the task files and return their folder; without one, it is one for this version in the user's cache.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder = folder or user_cache() / f"lmms_tasks-{__version__}"
    folder.mkdir(parents=True, exist_ok=True)
    write_if_changed(folder / "anchor.json", '{"row": 0}\n')
    for name, ours in prefixed().items():
        write_if_changed(folder / f"{name}.yaml", _yaml(name, ours))
    return folder


def _yaml(name: str, ours: str) -> str:
    """Return one task file: what lm-eval's says, in lmms-eval's words."""
    content = content_of(ours)
    reader = official_reader(str(task(ours)["benchmark"]))
    lines = [
        f"task: {name}",
        # no judge reads answers here, and metrics cannot be named anew
        *([f'task_alias: "{name} (answers read by rules)"'] if reader else []),
        "dataset_path: json",
        "dataset_kwargs: {data_files: {test: anchor.json}}",
        "test_split: test",
        "output_type: generate_until",
        f"process_docs: !function {_HERE}.{ours}",
        *(f"{name}: !function {_HERE}.{name}" for name in ("doc_to_visual", "doc_to_text")),
        *(f"{name}: !function {lm_eval.__name__}.{name}" for name in ("doc_to_target", "process_results")),
        "generation_kwargs:",
        *(f"  {_LIMIT.get(key, key)}: {json.dumps(value)}" for key, value in content["generation_kwargs"].items()),
        "metric_list:",
        *(f"  - {_metric(metric)}" for metric in content.get("metric_list", [])),
        f"metadata: {{version: {task(ours)['version']}}}",
    ]
    return "\n".join(lines) + "\n"


def _metric(metric: Mapping[str, Any]) -> str:
    aggregation = str(metric["aggregation"])
    function = f"!function {aggregation}" if "." in aggregation else aggregation
    return f"{{metric: {metric['metric']}, aggregation: {function}, higher_is_better: true}}"
