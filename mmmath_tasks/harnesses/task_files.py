"""The tasks that yaml_tasks/ describes, read without lm-eval, so that other harnesses can offer the same ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder
from mmmath_tasks.name_text import did_you_mean


@cache
def _contents() -> Mapping[str, Mapping[str, Any]]:
    found = [_content(path) for path in sorted(tasks_folder().rglob("*.yaml"))]
    return {c["task"]: c for c in found if isinstance(c.get("task"), str) and "benchmark" in c.get("metadata", {})}


@cache
def tasks() -> Mapping[str, Mapping[str, Any]]:
    """Return the metadata of every task that asks a model questions, by the task's name; groups are left out.

    Beside the metadata: "unsafe_code" (it runs what a model writes), "filtered" (lm-eval does something with the
    responses before they are scored, or in place of it: a judge, a majority vote, a file of descriptions).
    """
    return {
        name: {
            **content["metadata"],
            "unsafe_code": bool(content.get("unsafe_code")),
            "filtered": bool(content.get("filter_list")) or content["metadata"].get("prompt_style") == "describe",
        }
        for name, content in _contents().items()
    }


def content_of(name: str) -> Mapping[str, Any]:
    """Return a task's whole file with what it includes, functions as their dotted names."""
    return _contents()[name]


def task(name: str) -> Mapping[str, Any]:
    """Return one task's metadata.

    Raises:
        InputError: there is no such task; the message names the tasks of the same benchmark.
    """
    if name not in tasks():
        near = [known for known in tasks() if known.split("_")[0] == name.split("_")[0]]
        raise InputError(f"no task {name!r}; there are {', '.join(near or tasks())}{did_you_mean(name, tasks())}")
    return tasks()[name]


def _content(path: Path) -> dict[str, Any]:
    """Return a task file with what it includes, its own keys winning; functions are left unresolved."""
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Reads `!function name` as the name."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    own = yaml.load(path.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader with one more tag
    if not isinstance(own, dict):
        return {}
    included = own.pop("include", [])
    merged: dict[str, Any] = {}
    for name in included if isinstance(included, list) else [included]:
        merged |= _content(path.parent / name)
    return merged | own
