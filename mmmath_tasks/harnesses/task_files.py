"""The tasks that yaml_tasks/ describes, read without lm-eval, so that other harnesses can offer the same ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder
from mmmath_tasks.name_text import did_you_mean

PREFIX = "mmmath_"


@cache
def _files() -> tuple[Mapping[str, Any], ...]:
    return tuple(_content(path) for path in sorted(tasks_folder().rglob("*.yaml")))


@cache
def _contents() -> Mapping[str, Mapping[str, Any]]:
    return {c["task"]: c for c in _files() if isinstance(c.get("task"), str) and "benchmark" in c.get("metadata", {})}


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


def prefixed() -> dict[str, str]:
    """Return the names that tasks have in VLMEvalKit and lmms-eval, with ours.

    Left out are tasks that run a model's code (nobody is asked before), that need files of the user's, and those with a
    judge or a vote: there are no filters, and `--judge` of VLMEvalKit makes a judged variant of any task.
    """
    marks = ("unsafe_code", "augmented", "filtered")
    return {PREFIX + name: name for name, metadata in tasks().items() if not any(metadata.get(mark) for mark in marks)}


def content_of(name: str) -> Mapping[str, Any]:
    """Return a task's whole file with what it includes, functions as their dotted names."""
    return _contents()[name]


def groups() -> Mapping[str, tuple[str, ...]]:
    """Return the groups of tasks by name; those of tags are left out."""
    listed = {content["group"]: tuple(content.get("task", ())) for content in _files() if "group" in content}
    return {name: parts for name, parts in listed.items() if _contents().keys() >= set(parts)}


def means() -> Mapping[str, tuple[str, ...]]:
    """Return the groups that average a metric over tasks, each with those of its tasks that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for content in _files():
        averaged = {listed["metric"] for listed in content.get("aggregate_metric_list", ())}
        parts = [name for name in content.get("task", ()) if averaged and name in _contents()]
        has = {name: {listed["metric"] for listed in _contents()[name].get("metric_list", ())} for name in parts}
        if parts:
            found[content["group"]] = tuple(name for name in parts if averaged <= has[name])
    return found


def function(name: str) -> Callable[..., Any]:
    """Return the function that a task file names by its dotted name."""
    module, _, attribute = name.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found


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
    own = dict(_own(path))
    included = own.pop("include", [])
    merged: dict[str, Any] = {}
    for name in included if isinstance(included, list) else [included]:
        merged |= _content(path.parent / name)
    return merged | own


@cache
def _own(path: Path) -> Mapping[str, Any]:
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Reads `!function name` as the name."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    own = yaml.load(path.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader with one more tag
    return own if isinstance(own, dict) else {}
