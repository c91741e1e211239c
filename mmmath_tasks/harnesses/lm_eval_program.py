"""Program-of-thought inside lm-eval: every response is a Python program, and what it prints is the answer.

A task's YAML names `load`, `process_results` and, as the function of a `custom` filter before take_first, `output`; it
says `unsafe_code: true`, so that lm-eval asks for --confirm_run_unsafe_code. The output is scored like any response;
the program stands in the log beside it (`resps` and `filtered_resps`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmmath_tasks.harnesses import lm_eval, lm_eval_execution
from mmmath_tasks.truncation import kept

if TYPE_CHECKING:
    from datasets import Dataset


def load(**metadata: Any) -> dict[str, Dataset]:
    """Return the documents as `lm_eval_execution.load_after` does, after `check`."""
    return lm_eval_execution.load_after(check, metadata)


def check() -> None:
    """Try the sandbox before a model is asked anything, and say in what it differs.

    Raises:
        InputError: it cannot be used here.
    """
    from mmmath_tasks.sandbox import run_programs

    run_programs(["print()"])
    lm_eval_execution.tell_differences()


def output(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Run the first response to each document in the sandbox; a filter_fn.

    A response with fenced code is its last block, any other is code as a whole.

    Returns:
        for each document what the program printed, up to where it failed if it did, without outer space; a program
        that prints nothing answers "".
    """
    from mmmath_tasks.metrics.code_blocks import code
    from mmmath_tasks.sandbox import run_programs

    texts = [drawn[0] or "" for drawn in responses]
    runs = run_programs([code(text) or text for text in texts])
    return [[kept(text, run.stdout.strip())] for text, run in zip(texts, runs, strict=True)]


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of what one program printed, the sandbox's versions among what is known of the run."""
    return lm_eval.process_results(lm_eval_execution.with_account(doc), results)
