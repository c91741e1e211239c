"""A whole set into a folder: samples, pictures, questions."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from multiprocessing import active_children, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from shutil import copyfile
from threading import Thread
from typing import Any

from tqdm import tqdm

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import open_atomic
from mmmath_tasks.hub_datasets.mathopeval_generator import questions, render
from mmmath_tasks.hub_datasets.mathopeval_generator.kept import draw
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import EDITION, EDITIONS, STATES, Sample

BATCH = 8
"""Samples drawn as one piece of work; of geometry, four times as many pictures to one run of LaTeX."""


def build(
    folder: Path,
    *,
    kept: Path,
    seed: int = 0,
    samples: int | None = None,
    processes: int = 1,
    sources: Sequence[Sample] | None = None,
    human_subset: bool = False,
    edition: int = EDITION,
) -> float:
    """Write samples.jsonl, multiple_choice.jsonl and pictures/ into a folder.

    Args:
        folder: created if missing.
        kept: where drawn pictures are kept (see kept.py): after an interrupted build, the next one with the same
            folder draws what is missing. It stays; the caller removes it.
        seed: of the set.
        samples: how many; None: 1,888.
        processes: how many draw side by side; the files do not depend on it.
        sources: samples made elsewhere (see sources.py), in place of drawn ones.
        human_subset: only the 400 questions of either format that the paper's human evaluation asks; excludes samples
            and sources.
        edition: of the set, one of EDITIONS; of sources, their own.

    Returns:
        the seconds that it took.

    Raises:
        InputError: fewer than one sample is wanted, there is no such edition, or a Python package, LaTeX or pdftoppm
            is missing; known before anything is drawn.
    """
    if samples is not None and samples < 1:
        raise InputError(f"a set has 1 sample or more (the paper's has 1,888), not {samples:,}")
    if human_subset and (samples is not None or sources is not None):
        raise InputError("the human subset has 20 samples of each type; leave samples and sources out")
    if edition not in EDITIONS:
        raise InputError(f"mathopeval has the editions {', '.join(map(str, EDITIONS))}, no {edition}")
    begun = time.monotonic()
    asked = questions.one_a_task if human_subset else questions.questions
    drawn_here = questions.human_subset(seed) if human_subset else questions.plan(samples)
    work: list[Any] = list(sources) if sources is not None else drawn_here
    render.need({item.language if isinstance(item, Sample) else questions.language(item[0]) for item in work})
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    batches = [work[i : i + BATCH] for i in range(0, len(work), BATCH)]
    with ExitStack() as stack:
        figures = stack.enter_context(open_atomic(folder / "samples.jsonl"))
        choices = stack.enter_context(open_atomic(folder / "multiple_choice.jsonl"))
        bar = stack.enter_context(tqdm(total=len(work), desc="mathopeval", unit=" samples", disable=None))
        for batch in stack.enter_context(closing(_drawn(partial(draw_batch, seed, kept, edition), batches, processes))):
            for drawn, files in batch:
                figures.write(_line(questions.record(drawn)))
                choices.writelines(_line(question) for question in asked(drawn, seed))
                for state, file in zip(STATES, files, strict=True):
                    copyfile(file, pictures / f"{drawn.id}-{state}.png")
            bar.update(len(batch))
    return time.monotonic() - begun


_Drawn = list[tuple[Sample, list[Path]]]


def draw_batch(seed: int, kept: Path, edition: int, batch: Sequence[Sample | tuple[str, int]]) -> _Drawn:
    """Return samples with the picture files of their four states, given them or their types and indices."""
    drawn = [item if isinstance(item, Sample) else questions.sample(seed, *item, edition) for item in batch]
    codes: dict[str, list[str]] = {}
    for d in drawn:
        codes.setdefault(d.language, []).extend(d.states[state].code for state in STATES)
    files = draw(codes, kept)
    return [(d, [files[d.states[state].code] for state in STATES]) for d in drawn]


def _drawn(
    one: Callable[[Sequence[Any]], _Drawn], batches: Sequence[Sequence[Any]], processes: int
) -> Generator[_Drawn, None, None]:
    """Yield what `one` returns of each batch, in order.

    Stopped early, it waits for no batch, pictures being kept singly.
    """
    if processes == 1:
        yield from map(one, batches)
        return
    others = set(active_children())
    with ProcessPoolExecutor(processes, initializer=_begin, initargs=(one, batches)) as pool:
        try:
            # Not pool.map, which cancels futures when it is left: the pool stumbles over those when a worker ends.
            # Numbers, and not batches: before Python 3.11.5 a pool whose workers end while much is sent never ends.
            futures = [pool.submit(_numbered, number) for number in range(len(batches))]
            yield from (future.result() for future in futures)
        except BaseException:
            for worker in set(active_children()) - others:
                worker.terminate()
            raise


_WORK: dict[str, Any] = {}  # of a worker: what it does, and the batches


def _numbered(number: int) -> _Drawn:
    drawn: _Drawn = _WORK["one"](_WORK["batches"][number])
    return drawn


def _begin(one: Callable[[Sequence[Any]], _Drawn], batches: Sequence[Sequence[Any]]) -> None:
    """Give a worker its work, and let it follow the build's process."""
    _WORK.update(one=one, batches=batches)
    _follow_parent()


def _follow_parent() -> None:
    """Let a worker end when it is told to and when the build's process ended, however; Ctrl-C is for that process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A handler of the command's that raises, inherited, would only fail the batch at hand: the worker took the next.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()

    def watch() -> None:
        wait([parent.sentinel])  # type: ignore[union-attr]
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _line(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False) + "\n"
