"""What servers say of token limits: which one they refuse, and which responses met it.

The limits of a run are kept here because a server may be the one to set them; lm_eval_limits puts these functions in
their places.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.truncation import CutResponse

LIMIT = 16_384
"""The `max_gen_toks` of every task file: what the models of today, which think first, fit into."""

FLAG = "--gen_kwargs max_gen_toks="
"""How a user names a limit."""

_REFUSED = (400, 422)
_LEAST = 256

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Limits:
    """What is found out about limits in one run.

    Attributes:
        used: task name to the limit in force.
        full: the tasks whose limit is all that the context leaves.
        wider: what helps where that is too little.
        taken: the largest limit that the server takes; None where it refused none.
    """

    used: dict[str, int] = field(default_factory=dict)
    full: set[str] = field(default_factory=set)
    wider: str = ""
    taken: int | None = None

    def remedy(self) -> str:
        """Return what to do about cut responses."""
        if not self.used:
            return "ask the model again with a larger token limit"
        if self.taken is not None:
            return f"the server takes no {FLAG.split()[1]}{2 * self.taken}: give it a longer context"
        if self.full:
            return f"the model's context leaves no more: {self.wider}"
        return f"{FLAG}{2 * max(self.used.values())} gives them more room"


def finishing(parse: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Return a server's `parse_generations` so that it marks what the server says it cut.

    A server that keeps thoughts apart sends null as the text of a response that ended in one; it becomes "".
    """

    @wraps(parse)
    def parse_and_mark(*args: Any, outputs: Any, **kwargs: Any) -> list[Any]:
        texts = parse(*args, outputs=outputs, **kwargs)
        reasons: list[Any] = []
        for out in outputs if isinstance(outputs, list) else [outputs]:
            choices = sorted((out or {}).get("choices") or [], key=lambda choice: choice.get("index", 0))
            reasons += [choice.get("finish_reason") for choice in choices] or [(out or {}).get("stop_reason")]
        if len(reasons) != len(texts):
            return texts
        return [
            CutResponse(text or "") if reason in ("length", "max_tokens") else text
            for text, reason in zip(texts, reasons, strict=True)
        ]

    return parse_and_mark


def accepting(call: Callable[..., Any], limits: Limits) -> Callable[..., Any]:
    """Return a server's `model_call` so that a limit it refuses is lowered."""

    @wraps(call)
    def call_within_limit(*args: Any, gen_kwargs: Any = None, **kwargs: Any) -> Any:
        tries = _Tries(gen_kwargs, limits)
        while True:
            with tries:
                return call(*args, gen_kwargs=tries.arguments, **kwargs)

    return call_within_limit


def accepting_async(call: Callable[..., Any], limits: Limits) -> Callable[..., Any]:
    """Return a server's `amodel_call` as `accepting` does its `model_call`."""

    @wraps(call)
    async def call_within_limit(*args: Any, gen_kwargs: Any = None, **kwargs: Any) -> Any:
        tries = _Tries(gen_kwargs, limits)
        while True:
            with tries:
                return await call(*args, gen_kwargs=tries.arguments, **kwargs)

    return call_within_limit


class _Tries:
    """The limits that one request is sent with, one after the other: a context that swallows what asks for the next."""

    def __init__(self, arguments: Mapping[str, Any] | None, limits: Limits) -> None:
        self._limits = limits
        self._first = self._limit = (arguments or {}).get("max_gen_toks")
        self._given = arguments
        self._said = ""
        if self._limit and limits.taken:
            self._limit = min(self._limit, limits.taken)

    @property
    def arguments(self) -> dict[str, Any] | None:
        """What to generate with in the next try."""
        return None if self._given is None else {**self._given, "max_gen_toks": self._limit}

    def __enter__(self) -> None:
        """Try."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep a limit that was taken; lower one that was refused. Other errors than about a request's content pass."""
        if error is None:
            self._taken()
            return False
        response = getattr(error, "response", None)
        status = getattr(error, "status", getattr(response, "status_code", None))
        if status not in _REFUSED or not self._limit:
            return False
        self._said = self._said or f"status {status}: {getattr(response, 'text', error)}"[:300]
        if self._first != LIMIT or self._limit // 2 < _LEAST:
            least = "" if self._limit == self._first else f" and every smaller one down to {self._limit}"
            raise InputError(
                f"the server refuses a request with max_gen_toks {self._first}{least} ({self._said}); if the limit is "
                f"what it refuses, {FLAG}N names a smaller one"
            ) from error
        self._limit //= 2
        return True

    def _taken(self) -> None:
        """Keep the limit for the rest of the run, and say so, if it is lower than any before."""
        if self._said and self._limit and self._limit < (self._limits.taken or LIMIT):
            self._limits.taken = self._limit
            _log.warning(
                "the server refuses max_gen_toks %s (%s); %s, which it takes, is used from here on; %sN names another",
                f"{self._first:,}",
                self._said,
                f"{self._limit:,}",
                FLAG,
            )
