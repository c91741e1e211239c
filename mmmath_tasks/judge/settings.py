"""How a judge is to be asked: what the command line and a task's metadata say, in one record."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import user_cache
from mmmath_tasks.judge.budget import Budget, Prices
from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.case import Judged
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.engine import Judge

_RANGES = {
    "concurrency": (1, math.inf),
    "timeout": (0.001, 86_400.0),
    "attempts": (1, math.inf),
    "max_calls": (0, math.inf),
    "max_tokens": (0, math.inf),
    "max_cost": (0.0, math.inf),
    "price_in": (0.0, math.inf),
    "price_out": (0.0, math.inf),
    "only_unsure": (0.0, 1.0),
    "unsure": (0.0, 1.0),
}
"""The least and the most of every number; whole where the least is."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be said of a judge; the key comes from the environment and is no part of it.

    Attributes:
        base_url: the endpoint, such as http://localhost:8000/v1.
        model: its name there.
        parameters: request fields (see client.PARAMETERS).
        concurrency: requests in flight.
        timeout: seconds for a request.
        attempts: how often a failing request is sent.
        max_calls, max_tokens, max_cost: ceilings (requests, tokens in and out, US dollars); None is none.
        price_in, price_out: US dollars for a million tokens.
        cache: the file of answers; None: judge.sqlite in XDG_CACHE_HOME/mmmath, else ~/.cache/mmmath.
        only_unsure: ask only where the rules are less sure than this, 0 to 1; None: ask about all.
        unsure: ask about the least sure responses only, this share of all, 0 to 1; None: about all.
        steps_model: who lists the steps of CoT-E, where it is not `model`; "": the same.
        prompts: the authors' file of prompts (MathVerse: evaluation/prompts.py); None: ours.
    """

    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 16
    timeout: float = 120.0
    attempts: int = 6
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    cache: str | None = None
    only_unsure: float | None = None
    unsure: float | None = None
    steps_model: str = ""
    prompts: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work.

        Raises:
            InputError: no endpoint or model, a number out of range, or two that exclude each other.
        """
        if not (self.base_url and self.model):
            raise InputError("a judge needs a base URL and a model")
        if not isinstance(self.prompts, str | None):
            raise InputError(f"judge: prompts should be the name of a file, is {self.prompts!r}")
        if self.unsure is not None and self.only_unsure is not None:
            raise InputError("judge: unsure is a share and only_unsure a confidence; name one of them")
        optional = {f.name for f in dataclasses.fields(self) if f.default is None}
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is None and name in optional:
                continue
            if isinstance(value, bool) or not isinstance(value, int | type(low)) or not low <= value <= high:
                kind = "a whole number" if isinstance(low, int) else "a number"
                limits = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
                raise InputError(f"judge: {name} should be {kind} {limits}, is {value!r}")

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Settings:
        """Read the settings of a task's metadata.

        Raises:
            InputError: a name is unknown, base_url or model is missing.
        """
        names = [f.name for f in dataclasses.fields(cls)]
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise InputError(f"judge: unknown setting {unknown[0]!r}; known: {', '.join(names)}")
        return cls(**{"base_url": "", "model": "", **given})

    def open(self, *, dry: bool = False, forget: bool = False) -> Judge:
        """Return a judge ready to be asked; with `dry` one that only counts, with `forget` one without stored answers.

        Raises:
            InputError: a bad address, parameter, ceiling or cache file.
        """
        budget = Budget(self.max_calls, self.max_tokens, self.max_cost, Prices(self.price_in, self.price_out))
        parameters = dict(self.parameters)
        client = Client(self.base_url, self.model, parameters, timeout=self.timeout, connections=self.concurrency)
        stored = Path(self.cache).expanduser() if self.cache else default_cache()
        cache = Cache(None if forget else stored)
        return Judge(client, cache, budget, concurrency=self.concurrency, attempts=self.attempts, dry=dry)

    def account(self, judge: Judge, judged: Sequence[Judged]) -> dict[str, Any]:
        """Return what a result must say of its judge: model, prompts, parameters, tokens, US dollars.

        Tokens and cost are those of the answers, whether they came now or from the cache, so that a run that was
        interrupted and resumed says the same as one that was not.
        """
        answers = [answer for j in judged for answer in j.answers]
        return {
            "model": self.model,
            **({"steps_model": self.steps_model} if self.steps_model else {}),
            "prompts": sorted({prompt for j in judged for prompt in j.prompts}),
            "parameters": judge.client.parameters,
            "only_unsure": self.only_unsure,
            **({} if self.unsure is None else {"unsure": self.unsure}),
            "tokens_in": sum(a.tokens_in for a in answers),
            "tokens_out": sum(a.tokens_out for a in answers),
            "cost": round(sum(a.cost for a in answers), 6),
        }


def default_cache() -> Path:
    """Return where answers are kept unless a file is named."""
    return user_cache() / "judge.sqlite"
