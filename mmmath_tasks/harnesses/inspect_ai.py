"""inspect_ai: every task of lm-eval's as one of `inspect eval mmmath/NAME`; with inspect_ai_scores the only importer.

inspect_ai loads this module by its entry point. Documents, prompts and pictures are those of the lm-eval task of the
same name; what is done with a response and which numbers stand in the table, its YAML file says there as here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, SupportsIndex

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError  # what `inspect` prints without a traceback
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText, GenerateConfig
from rich.markup import escape

from mmmath_tasks import __version__
from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval, task_files
from mmmath_tasks.harnesses.inspect_ai_scores import CONFIRM, NAMESPACE, SCORERS, scored_by, scorer_of
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.score_labels import official_reader

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = ["SCORERS", "TASKS", "names"]

_log = logging.getLogger(__name__)


def names() -> dict[str, tuple[str, ...]]:
    """Return the tasks that inspect_ai gets, each with the lm-eval tasks that it is made of.

    Those are one, but for a group whose number is a mean over tasks of equal size (MathVerse's versions). Left out:
    tasks with a judge, with a vote (`--epochs` asks several times, `mmmath rescore LOG` votes) or without a score.
    """
    known = task_files.tasks()
    single = {n: (n,) for n, metadata in known.items() if metadata["unsafe_code"] or not metadata["filtered"]}
    return single | {n: parts for n, parts in task_files.means().items() if set(parts) <= single.keys()}


def _factory(name: str, parts: Sequence[str]) -> Callable[..., Task]:
    def make(
        data_dir: str | None = None,
        data_revision: str | None = None,
        config: str | None = None,
        prompt_style: str | None = None,
        captions: str | None = None,
        ocr: str | None = None,
        confirm_run_unsafe_code: bool = False,
        **others: Any,
    ) -> Task:
        given = {
            "data_dir": data_dir,
            "data_revision": data_revision,
            "config": config,
            "prompt_style": prompt_style,
            "captions": captions,
            "ocr": ocr,
        }
        try:
            if others:
                raise InputError(f"-T {', '.join(others)}: unknown. Known: {', '.join(given)}, confirm_run_unsafe_code")
            return _task(name, parts, {n: v for n, v in given.items() if v is not None}, confirm_run_unsafe_code)
        except InputError as error:
            raise PrerequisiteError(escape(f"{name}: {error}")) from error

    # inspect_ai puts the name of the package that a function's module is in before its own: "mmmath_tasks/NAME"
    make.__name__, make.__module__ = name, NAMESPACE
    make.__doc__ = f"See {', '.join(parts)} in mmmath_tasks.yaml_tasks."
    return make


def _task(name: str, parts: Sequence[str], given: Mapping[str, Any], confirmed: bool) -> Task:
    """Make a task.

    Raises:
        InputError: the data cannot be had, or it would run a model's code and nobody confirmed that, or cannot.
    """
    first = task_files.task(parts[0])
    content = task_files.content_of(parts[0])
    if first["unsafe_code"]:
        if not confirmed:
            raise InputError(CONFIRM)
        import_module(content["custom_dataset"].rpartition(".")[0]).check()
    docs = [documents(**{**task_files.task(part), **given}) for part in parts]
    metrics = scored_by(parts[0], docs[0][0])
    permit = {"confirm_run_unsafe_code": True} if first["unsafe_code"] else {}
    samples = _Samples(
        cache(partial(_sample, {"task": part, "beside": metrics}, each, position))
        for part, each in zip(parts, docs, strict=True)
        for position in range(len(each))
    )
    averaged = set(scored_by(parts[0])) - set(metrics)
    headline = next(m["metric"] for m in content["metric_list"] if m["metric"] not in averaged)
    of_run = "" if headline in metrics else headline
    reader = official_reader(str(first["benchmark"])) if "acc" in metrics else ""
    if reader:
        _log.warning("%s: acc is read by rules; the authors have %s read the answers", name, reader)
    limits = dict(content["generation_kwargs"])
    return Task(
        dataset=MemoryDataset(samples, name=name),
        scorer=[scorer_of(metric, of_run if metric == metrics[0] else "")(**permit) for metric in metrics],
        headline_metric=HeadlineMetric(scorer=metrics[0] if of_run else headline, metric=of_run or None),
        config=GenerateConfig(
            max_tokens=limits["max_gen_toks"], temperature=limits["temperature"], stop_seqs=limits["until"] or None
        ),
        version=str(first["version"]),
        metadata={
            **{name: first[name] for name in ("benchmark", "split")},
            **docs[0][0]["provenance"],
            "mmmath_tasks": __version__,
        },
    )


class _Samples(list[Callable[[], Sample]]):
    """Samples that are made when they are asked for, so that `--limit` opens no picture but those that it needs."""

    def __getitem__(self, which: SupportsIndex | slice) -> Any:
        found = super().__getitem__(which)
        return _Samples(found) if isinstance(found, list) else found()

    def __iter__(self) -> Iterator[Any]:
        return (made() for made in super().__iter__())


def _sample(about: Mapping[str, Any], docs: Dataset, position: int) -> Sample:
    """Return a document as a sample: pictures before the prompt, upstream's columns (and `about`) as metadata."""
    doc = docs[position]
    pictures: list[Content] = [ContentImage(image=picture.data_url()) for picture in doc["pictures"]]
    prompt = str(doc["prompt"])
    return Sample(
        input=[ChatMessageUser(content=[*pictures, ContentText(text=prompt)])] if pictures else prompt,
        target=lm_eval.doc_to_target(doc),
        id=doc["id"],
        metadata={**{n: v for n, v in doc.items() if n not in ("pictures", "prompt")}, NAMESPACE: about},
    )


TASKS: Mapping[str, Callable[..., Task]] = {
    name: task(name=f"{NAMESPACE}/{name}")(_factory(name, parts)) for name, parts in names().items()
}
"""Registered in inspect_ai as "mmmath/NAME"."""
