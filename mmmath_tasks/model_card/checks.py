"""What is wrong with a file of results, beyond what huggingface_hub looks at."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from mmmath_tasks import yaml_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id
from mmmath_tasks.model_card.spliced_yaml import BLOCK
from mmmath_tasks.model_card.tasks import task_ids
from mmmath_tasks.report.names import is_difference
from mmmath_tasks.scoring import benchmark, benchmarks

_ENTRY = {"dataset", "value", "date", "source", "notes", "verifyToken"}
_DATASET = {"id", "task_id", "revision"}
_SOURCE = {"url", "name", "user", "org"}


def findings(text: str, *, card: bool = False) -> list[str]:
    """Return what is wrong with .eval_results/*.yaml or a model card's model-index, a sentence each; [] for nothing.

    `card`: it is known to be a card; one without metadata that opens with plain words cannot be told from results.
    """
    try:
        front = BLOCK.match(text)
        words = text.lstrip("\ufeff \r\n")
        if front or words.startswith("#") or (card and not words.startswith("---")):
            return list(_card(yaml_text.loads(front[1]) if front else None))
        if card:
            return ["opens its metadata with --- and closes them with no second line ---"]
        return list(_entries(yaml_text.loads(text)))
    except yaml.YAMLError as error:
        return [f"is not YAML: {' '.join(str(error).split())}"]


def _entries(loaded: Any) -> Iterator[str]:
    if not isinstance(loaded, list) or not loaded:
        yield f"should be a list of results, is {_kind(loaded)}"
        return
    seen: dict[tuple[Any, Any], int] = {}
    for number, entry in enumerate(loaded, 1):
        if not isinstance(entry, Mapping):
            yield f"result {number}: should be a mapping, is {_kind(entry)}"
            continue
        yield from (f"result {number}: {found}" for found in _entry(entry))
        dataset = entry.get("dataset")
        if isinstance(dataset, Mapping):
            key = (str(dataset.get("id")), str(dataset.get("task_id")))
            if key in seen:
                yield f"result {number}: {key[0]}, {key[1]} stands in result {seen[key]} already"
            seen.setdefault(key, number)


def _entry(entry: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown("", entry, _ENTRY)
    dataset = entry.get("dataset")
    if not isinstance(dataset, Mapping):
        yield f"dataset should be a mapping with id and task_id, is {_kind(dataset)}"
        dataset = {}
    else:
        yield from _unknown("dataset.", dataset, _DATASET)
        yield from _dataset(dataset)
    yield from (f"value {found}" for found in _value(entry.get("value"), _ours(dataset)))
    yield from _date(entry.get("date"))
    source = entry.get("source")
    if source is not None and not isinstance(source, Mapping):
        yield f"source should be a mapping, is {_kind(source)}"
    elif source is not None:
        yield from _unknown("source.", source, _SOURCE)
        if not str(source.get("url", "")).startswith(("https://", "http://")):
            yield f"source.url should be a web address, is {source.get('url')!r}"
    if not isinstance(entry.get("notes", ""), str):
        yield f"notes should be text, is {_kind(entry['notes'])}"
    if "verifyToken" in entry:
        yield "verifyToken is given by the Hub's own jobs only; leave it out"


def _unknown(where: str, found: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    for name in found:
        if name not in known:
            yield f"{where}{name} is no key of a result; known: {', '.join(sorted(known))}"


def _dataset(dataset: Mapping[str, Any]) -> Iterator[str]:
    name, task, revision = dataset.get("id"), dataset.get("task_id"), dataset.get("revision")
    try:
        require_repo_id(name, "dataset.id")
    except InputError as error:
        yield str(error)
    if not isinstance(task, str) or not task:
        yield f"dataset.task_id should be text, is {task!r}"
    elif (own := _ours(dataset)) and task not in task_ids(own):
        yield f"dataset.task_id {task!r} is not in eval.yaml of {own}: {', '.join(task_ids(own))}"
    if revision is not None and not isinstance(revision, str):
        yield f"dataset.revision should be text (quote it), is {_kind(revision)}"


def _ours(dataset: Mapping[str, Any]) -> str | None:
    """Return our benchmark that a data set's id or task belongs to; None for others."""
    for name in benchmarks():
        hub_id = benchmark(name).rows.HUB_ID
        if dataset.get("id") == hub_id or dataset.get("task_id") in task_ids(name):
            return name
    return None


def _value(value: Any, own: str | None, metric: str = "") -> Iterator[str]:
    low = -100 if is_difference(metric) else 0
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"should be a number, is {value!r}"
    elif not abs(value) <= sys.float_info.max:
        yield "should be finite"
    elif own and not low <= value <= 100:
        yield f"should be between {low} and 100 (percent), is {value}"


def _date(value: Any) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, datetime.date):
        yield f"date should be text: quote it ('{value.isoformat()}')"
        return
    try:
        datetime.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        yield f"date should be an ISO 8601 date or time, is {value!r}"


def _kind(value: Any) -> str:
    return "empty" if value in (None, []) else type(value).__name__


def _card(loaded: Any) -> Iterator[str]:
    if not isinstance(loaded, Mapping):
        yield "has no YAML block of metadata"
        return
    index = loaded.get("model-index")
    if index is None:
        return
    if index == []:
        yield "model-index is an empty list"
        return
    if not isinstance(index, list):
        yield f"model-index should be a list, is {_kind(index)}"
        return
    if len(index) > 1:
        yield f"model-index names {len(index)} models; huggingface_hub keeps the last name for all their results"
    for model in index:
        if not isinstance(model, Mapping) or not isinstance(model.get("results"), list):
            yield "model-index: each model should be a mapping with name and results"
            continue
        if not model.get("name"):
            yield "model-index: the model has no name"
        for number, result in enumerate(model["results"], 1):
            yield from (f"model-index, result {number}: {found}" for found in _index_result(result))


def _index_result(result: Any) -> Iterator[str]:
    if not isinstance(result, Mapping):
        yield f"should be a mapping, is {_kind(result)}"
        return
    for name, keys in (("task", ("type",)), ("dataset", ("type", "name"))):
        part = result.get(name)
        for key in keys:
            if not isinstance(part, Mapping) or not part.get(key):
                yield f"{name}.{key} is missing"
    metrics = result.get("metrics")
    if not isinstance(metrics, list) or not metrics:
        yield "metrics should be a list"
        return
    dataset = result.get("dataset")
    args = dataset.get("args") if isinstance(dataset, Mapping) else None
    task = args.get("task") if isinstance(args, Mapping) else None
    own = _ours({"id": dataset.get("type"), "task_id": task}) if isinstance(dataset, Mapping) else None
    seen = set()
    for metric in metrics:
        if not isinstance(metric, Mapping) or not metric.get("type"):
            yield "a metric has no type"
            continue
        yield from (
            f"metric {metric['type']}: value {found}" for found in _value(metric.get("value"), own, str(metric["type"]))
        )
        which = (metric["type"], str(metric.get("config")), str(metric.get("args")))
        if which in seen:
            yield f"metric {metric['type']} stands there twice"
        seen.add(which)
