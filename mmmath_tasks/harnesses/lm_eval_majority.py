"""The vote over several sampled responses as a filter of lm-eval, for tasks with `repeats`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.metrics.majority import majority
from mmmath_tasks.scoring import benchmark


def vote(responses: Sequence[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return for each document the one response that stands for the largest set of equal answers; a filter_fn.

    Where no response holds an answer, the first stands: it is scored as what it is.
    """
    return [[drawn[_position(drawn, doc)]] for drawn, doc in zip(responses, docs, strict=True)]


def _position(drawn: Sequence[str], doc: Mapping[str, Any]) -> int:
    chosen = benchmark(doc["benchmark"])
    expectation = chosen.metrics.expectation
    if expectation is None:
        raise InputError(f"{chosen.name}: its answers are not compared with each other, so none has the majority")
    return majority(drawn, expectation(chosen.problem(doc))) or 0
