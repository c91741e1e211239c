"""From a benchmark's rows to the documents of an lm-eval task.

A document holds upstream's own columns (without its pictures' bytes), and beside them `id`, `prompt`, `benchmark`,
`provenance` and `pictures`; that is what --log_samples writes. A task's YAML says in `metadata` which benchmark, split
and prompt style it is; a user's --metadata adds to it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_results import prompt_hash
from mmmath_tasks.hub_datasets.fields import load_texts
from mmmath_tasks.pictures import Picture
from mmmath_tasks.scoring import Benchmark
from mmmath_tasks.scoring import benchmark as named
from mmmath_tasks.sources import Source, find_split, picture_columns

if TYPE_CHECKING:
    from datasets import Dataset

_log = logging.getLogger(__name__)


def documents(
    *,
    benchmark: str,
    split: str,
    prompt_style: str = "default",
    text_only: bool = False,
    augmented: bool = False,
    only: Mapping[str, str | Sequence[str]] | None = None,
    config: str | None = None,
    data_dir: str | None = None,
    data_revision: str | None = None,
    captions: str | None = None,
    ocr: str | None = None,
    judge: Mapping[str, Any] | None = None,
    refuse_without_pictures: bool = True,
    **others: Any,
) -> Dataset:
    """Return the documents of one task.

    Args:
        benchmark: its name.
        split: one of upstream's splits, or "sample".
        prompt_style: one of the benchmark's PROMPT_STYLES.
        text_only: documents carry no pictures; its YAML then names no doc_to_image.
        augmented: captions or OCR texts must be given.
        only: columns and the value (or one of the values) a row must have in them to be asked (MathVerse: versions).
        config: the Hub configuration, where there are several.
        data_dir: a local folder in place of the Hub (see mmmath_tasks.sources).
        data_revision: a commit, tag or branch of the Hub's copy.
        captions: a JSON file, problem id to a description of the picture (or the same under "texts", as MathVista's
            authors have it); a problem that it does not name has none, which is counted and said.
        ocr: likewise, the text found in the picture.
        judge: settings of a judge (judge.settings.Settings), kept in the provenance.
        refuse_without_pictures: whether a folder with none of the pictures is refused here, or only said to have none.
        **others: lm-eval merges the model's arguments and the rest of the metadata in.

    Raises:
        InputError: a setting, row, picture file or text cannot be used; raised before a model is asked anything.
    """
    _check_settings(
        {"data_dir": data_dir, "data_revision": data_revision, "config": config, "captions": captions, "ocr": ocr},
        only,
        others,
    )
    chosen = named(benchmark)
    files = {name: file for name, file in (("caption", captions), ("ocr", ocr)) if file}
    texts = {name: load_texts(Path(file)) for name, file in files.items()}
    if augmented and not texts:
        raise InputError("this task needs --metadata captions=FILE and/or ocr=FILE: JSON, problem id to text")
    if prompt_style not in ("default", *chosen.rows.PROMPT_STYLES):
        styles = ", ".join(chosen.rows.PROMPT_STYLES)
        raise InputError(f"unknown prompt style {prompt_style!r} for {benchmark}; known: {styles}")
    source = _selected(
        chosen, find_split(chosen, split, config=config, data_dir=data_dir, revision=data_revision), only or {}
    )
    prompts = _prompts(chosen, source, prompt_style, texts)
    if not text_only:
        _check_pictures(chosen, source, refuse_without_pictures)
    provenance: dict[str, Any] = {
        "data_revision": source.revision,
        "prompt_style": prompt_style,
        "prompt_hash": prompt_hash(prompts),
        **({"setting": chosen.rows.SETTINGS[prompt_style]} if prompt_style in chosen.rows.SETTINGS else {}),
        **({"texts": {n: f"{Path(f).name}: {_known(texts[n], prompts)}" for n, f in files.items()}} if files else {}),
        **({"judge": judge} if judge is not None else {}),
    }
    return source.rows.with_transform(
        partial(_batch, chosen, source.where, prompts, provenance, picture_columns(source.rows), text_only)
    )


def _check_settings(texts: Mapping[str, Any], only: Any, others: Iterable[str]) -> None:
    """Refuse settings of a wrong type, and names that are nearly ours; others may be the model's."""
    for name, value in texts.items():
        if value is not None and not isinstance(value, str | os.PathLike):
            raise InputError(f"metadata {name!r}: expected text, got {value!r}")
    if only is not None and not isinstance(only, Mapping):
        raise InputError(f"metadata 'only': expected column to value, got {only!r}")
    ours = (*texts, "only", "prompt_style", "split", "judge")
    for name in others:
        near = get_close_matches(name, ours, n=1, cutoff=0.8)
        if near:
            raise InputError(f"metadata {name!r} is unknown; is {near[0]!r} meant? Known: {', '.join(ours)}")


def _selected(benchmark: Benchmark, source: Source, only: Mapping[str, str | Sequence[str]]) -> Source:
    """Return the rows that have the values of `only`, in the order of the benchmark's `arrange`, if it has one."""
    arrange = benchmark.rows.arrange
    if not only and not arrange:
        return source
    unknown = set(only) - set(source.rows.column_names)
    if unknown:
        columns = ", ".join(source.rows.column_names)
        raise InputError(f"{source.where}: no column {', '.join(sorted(unknown))}; columns: {columns}")
    plain = source.texts
    wanted = {name: {value} if isinstance(value, str) else set(value) for name, value in only.items()}
    kept = [(i, row) for i, row in enumerate(plain) if all(row[name] in values for name, values in wanted.items())]
    if not kept:
        raise InputError(f"{source.where}: no row where {' and '.join(f'{n} is {v!r}' for n, v in only.items())}")
    positions = [kept[i][0] for i in arrange([row for _, row in kept])] if arrange else [i for i, _ in kept]
    return replace(source, rows=source.rows.select(positions, keep_in_memory=True))


def _prompts(
    benchmark: Benchmark, source: Source, style: str, texts: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return the prompt of every row by problem id; on the way every row is read once, so that none fails later."""
    prompts: dict[str, str] = {}
    texts_used = not texts
    rows = source.texts
    for number, row in enumerate(rows, 1):
        try:
            problem = benchmark.problem(row)
            # What a file of texts has nothing on is without one, as upstream has it; the input is on all the same.
            added = {name: by_id.get(problem.id, "") for name, by_id in texts.items()}
            prompt = benchmark.prompt(replace(problem, extra={**problem.extra, **added}), style)
            if not texts_used:
                others = {name: f"{text} and more" for name, text in added.items()}
                texts_used = prompt != benchmark.prompt(replace(problem, extra={**problem.extra, **others}), style)
        except (InputError, TypeError, ValueError, LookupError, AttributeError) as error:
            raise InputError(f"{source.where}: row {number}: {error}") from error
        if problem.id in prompts:
            raise InputError(f"{source.where}: row {number}: a second problem with id {problem.id!r}")
        prompts[problem.id] = prompt
    for name, by_id in texts.items():
        if not prompts.keys() & by_id.keys():
            raise InputError(f"the file of {name} texts names none of the {len(prompts):,} problems of {source.where}")
        if prompts.keys() - by_id.keys():
            _log.warning("%s texts are there for %s problems; the rest go without", name, _known(by_id, prompts))
    if not texts_used:
        _log.warning("prompt style %r of %s has no place for %s texts", style, benchmark.name, " and ".join(texts))
    return prompts


def _known(texts: Mapping[str, str], prompts: Mapping[str, str]) -> str:
    """Return how many of the problems have a text: "930 of 1,000"."""
    return f"{len(texts.keys() & prompts.keys()):,} of {len(prompts):,}"


def _check_pictures(benchmark: Benchmark, source: Source, refuse: bool) -> None:
    """Look for every picture file: say which are missing; where all are, refuse if asked to.

    Which problems are asked is not known here; a picture that is asked for and missing stops a run when it is opened.
    """
    missing: list[str] = []
    for row in source.rows if source.picture_files else ():
        paths = [cell["path"] for cell in benchmark.rows.pictures(row)] or [None]
        lost = [path or "no picture" for path in paths if not path or not Path(path).is_file()]
        if lost:
            missing.append(f"{benchmark.problem(row).id} ({lost[0]})")
    if missing:
        found = (
            f"{source.where}: {len(missing)} of {len(source.rows)} problems lack their picture; "
            f"first: problem {missing[0]}"
        )
        if refuse and len(missing) == len(source.rows):
            raise InputError(found)
        _log.warning("%s. A run that asks a model one of them (see --limit) stops before it asks anything.", found)


def _batch(
    benchmark: Benchmark,
    where: str,
    prompts: Mapping[str, str],
    provenance: Mapping[str, Any],
    picture_names: Iterable[str],
    text_only: bool,
    batch: Mapping[str, Sequence[Any]],
) -> dict[str, list[Any]]:
    """Turn a batch of rows (column to values) into a batch of documents."""
    dropped = set(picture_names)
    docs: list[dict[str, Any]] = []
    for values in zip(*batch.values(), strict=True):
        row = dict(zip(batch, values, strict=True))
        problem_id = benchmark.problem(row).id
        # A row without its picture gets one that cannot be opened: a run ends there, not in a model that expects one.
        cells = [] if text_only else benchmark.rows.pictures(row) or [{"bytes": None, "path": None}]
        docs.append(
            {
                "id": problem_id,
                **{name: value for name, value in row.items() if name not in dropped},
                "prompt": prompts[problem_id],
                "benchmark": benchmark.name,
                "provenance": provenance,
                "pictures": [Picture(cell["bytes"], cell["path"], f"{where}: problem {problem_id}") for cell in cells],
            }
        )
    return {name: [doc[name] for doc in docs] for name in docs[0]}
