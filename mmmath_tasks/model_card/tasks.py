"""The tasks that a result may be about: their names, their splits, and how many problems a whole run of one has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from mmmath_tasks import papers
from mmmath_tasks.harnesses import task_files
from mmmath_tasks.hub_datasets.publishing import card
from mmmath_tasks.scoring import benchmark


@cache
def task_ids(name: str) -> tuple[str, ...]:
    """Return the ids that a benchmark's eval.yaml may hold: its lm-eval tasks and groups, and <name>_<split>."""
    folder = files("mmmath_tasks.yaml_tasks") / name
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".yaml")]
    found = {match[1] for text in texts if (match := re.search(r"^(?:task|group): (\w+)$", text, re.MULTILINE))}
    found = {task for task in found if not task.endswith("_describe")}  # they have no score
    return tuple(sorted(found | {f"{name}_{split}" for split in benchmark(name).rows.SPLITS}))


def split_of(name: str, task: str) -> str | None:
    """Return the split that a task of a benchmark asks, "sample" among them; None for a group of several."""
    if task in task_files.tasks():
        return str(task_files.tasks()[task]["split"])
    fitting = [split for split in (*benchmark(name).rows.SPLITS, "sample") if task.startswith(f"{name}_{split}")]
    return max(fitting, key=len, default=None)


def size(name: str, tasks: Sequence[str]) -> int | None:
    """Return how many problems a whole run of some tasks has; None where that is not known of one of them."""
    sizes = [_size(name, task) for task in tasks]
    return None if None in sizes else sum(filter(None, sizes))


def _size(name: str, task: str) -> int | None:
    split = split_of(name, task)
    if split is None:
        return None
    parts = task_files.tasks().get(task, {}).get("only", {})
    if not parts:
        return card.size(name, split)
    (column, values), *others = parts.items()
    each = papers.problems_each(name, column)
    if others or each is None:
        return None
    return each * (1 if isinstance(values, str) else len(values))
