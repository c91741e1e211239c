"""A whole set into a folder: samples, pictures, questions, and the report on their validity."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from mmmath_tasks.hub_datasets.mathopeval_generator import render
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import plan, questions, record, sample
from mmmath_tasks.hub_datasets.mathopeval_generator.report import report
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import STATES, Sample

BATCH = 24
"""Samples drawn as one piece of work; of geometry, four times as many pictures to one run of LaTeX."""


def build(
    folder: Path,
    *,
    seed: int = 0,
    samples: int | None = None,
    processes: int = 1,
    sources: Sequence[Sample] | None = None,
) -> str:
    """Write samples.jsonl, multiple_choice.jsonl and pictures/ into a folder.

    Args:
        folder: created if missing.
        seed: of the set.
        samples: how many; None: 1,888.
        processes: how many draw side by side; the files do not depend on it.
        sources: samples made elsewhere (see sources.py), in place of drawn ones.

    Returns:
        the report.

    Raises:
        InputError: LaTeX or pdftoppm is missing.
    """
    begun = time.monotonic()
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    work: list[Any] = list(sources) if sources is not None else plan(samples)
    batches = [work[i : i + BATCH] for i in range(0, len(work), BATCH)]
    with ExitStack() as stack:
        results: Iterable[list[tuple[Sample, list[bytes]]]]
        if processes > 1:
            results = stack.enter_context(ProcessPoolExecutor(processes)).map(partial(draw_batch, seed), batches)
        else:
            results = map(partial(draw_batch, seed), batches)
        figures = stack.enter_context((folder / "samples.jsonl").open("w", encoding="utf-8"))
        choices = stack.enter_context((folder / "multiple_choice.jsonl").open("w", encoding="utf-8"))
        bar = stack.enter_context(tqdm(total=len(work), desc="mathopeval", unit=" samples", disable=None))
        for batch in results:
            for drawn, pngs in batch:
                figures.write(_line(record(drawn)))
                choices.writelines(_line(question) for question in questions(drawn, seed))
                for state, png in zip(STATES, pngs, strict=True):
                    (pictures / f"{drawn.id}-{state}.png").write_bytes(png)
            bar.update(len(batch))
    return report(folder, seconds=time.monotonic() - begun)


def draw_batch(seed: int, batch: Sequence[Sample | tuple[str, int]]) -> list[tuple[Sample, list[bytes]]]:
    """Return samples with the pictures of their four states, given them or their types and indices."""
    drawn = [item if isinstance(item, Sample) else sample(seed, *item) for item in batch]
    pngs: dict[str, list[bytes]] = {}
    for language, draw in (("python", render.matplotlib_pictures), ("latex", render.tikz_pictures)):
        some = [d for d in drawn if d.language == language]
        if some:
            found = iter(draw([d.states[state].code for d in some for state in STATES]))
            pngs.update({d.id: [next(found) for _ in STATES] for d in some})
    return [(d, pngs[d.id]) for d in drawn]


def _line(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False) + "\n"
