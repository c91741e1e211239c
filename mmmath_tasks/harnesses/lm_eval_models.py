"""The baselines of mmmath_tasks.models as lm-eval models: they answer from a request's document, not from its text."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, NoReturn

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval_run
from mmmath_tasks.models import guesses, replay
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import benchmark

_log = logging.getLogger(__name__)


class _Baseline(LM):  # type: ignore[misc]
    """What the baselines share: they take tasks with and without pictures, with and without a chat template."""

    MULTIMODAL = True
    generates = False
    """Whether a token limit means anything."""

    def __init__(
        self,
        model: str | None = None,
        batch_size: int | str = 1,
        max_batch_size: int | None = None,
        device: str | None = None,
        trust_remote_code: bool = False,
        **others: Any,
    ) -> None:
        """Accept what lm-eval hands every model, and `model`, under which it files the results (default: our name).

        Raises:
            InputError: there are other arguments.
        """
        super().__init__()
        lm_eval_run.speak_plainly()  # lm-eval makes the model before it loads a task
        if others:
            known = {*signature(type(self)).parameters, *signature(_Baseline).parameters} - {"harness", "others"}
            near = "".join(did_you_mean(other, known) for other in others)
            raise InputError(f"{type(self).__name__} takes no argument {', '.join(others)} in --model_args{near}")

    def respond(self, problem: Problem) -> str:
        """Return the response to one problem."""
        raise NotImplementedError

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """Answer requests of our own tasks.

        Raises:
            InputError: a request is of another task.
        """
        return [self.respond(problem) for problem in map(_problem, requests)]

    def loglikelihood(self, requests: list[Instance]) -> NoReturn:
        """Refuse: there are no probabilities."""
        raise InputError(f"{type(self).__name__} only generates text")

    loglikelihood_rolling = loglikelihood

    @property
    def tokenizer_name(self) -> str:
        """Name the (absent) chat template in lm-eval's cache keys."""
        return "none"

    def apply_chat_template(self, chat_history: Sequence[Mapping[str, str]], add_generation_prompt: bool = True) -> str:
        """Join the turns; nothing reads them."""
        return "\n".join(turn["content"] for turn in chat_history)


class RandomChance(_Baseline):
    """A random option, nothing for free-form questions. Arguments: seed (default 0), upstream (default False)."""

    def __init__(self, seed: int = 0, upstream: bool = False, **harness: Any) -> None:
        """Take the seed, and whether to guess as MATH-Vision's authors do; see mmmath_tasks.models.guesses."""
        super().__init__(**harness)
        self._seed, self._upstream = int(seed), bool(upstream)

    def respond(self, problem: Problem) -> str:
        """Return a random option's letter, or what upstream's baseline would.

        Raises:
            InputError: upstream's is asked for and the benchmark is not MATH-Vision.
        """
        if not self._upstream:
            return guesses.random_chance(problem, self._seed)
        if problem.benchmark != "mathvision":
            raise InputError(
                f"mmmath-random-chance: upstream=True is MATH-Vision's baseline, not {problem.benchmark}'s"
            )
        return guesses.mathvision_chance(problem, self._seed)


class FrequentGuess(_Baseline):
    """MathVista's most frequent answer for each kind of question."""

    def respond(self, problem: Problem) -> str:
        """Return the most frequent answer."""
        return guesses.frequent_guess(problem)


class Replay(_Baseline):
    """Saved responses. Arguments: responses=FILE (see mmmath_tasks.models.replay)."""

    replayed: Mapping[str, Any] | None = None
    """The file, its digest and whose responses they are."""

    def __init__(self, responses: str | None = None, **harness: Any) -> None:
        """Read the file.

        Raises:
            InputError: no file is given, or it cannot be used.
        """
        super().__init__(**harness)
        if not responses:
            raise InputError("mmmath-replay needs --model_args responses=FILE")
        self._saved = replay.read_responses(Path(responses))
        self.replayed = self._saved.origin()

    def get_model_info(self) -> dict[str, Any]:
        """Return what lm-eval puts into the `config` of its results: the file, its digest, whose responses they are."""
        return {"replayed": self.replayed} if self.replayed else {}

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """Answer from the file; say how many of its rows nobody asks for.

        Raises:
            InputError: the file lacks a response that is asked for, for nothing is guessed in its place, or it answers
                other problems.
        """
        for line in self._saved.check([_problem(request) for request in requests]):
            _log.warning("%s", line)
        return super().generate_until(requests)

    def respond(self, problem: Problem) -> str:
        """Return the saved response."""
        return self._saved.responses[problem.id]


def _problem(request: Instance) -> Problem:
    doc = request.doc
    if not isinstance(doc, Mapping) or "benchmark" not in doc:
        raise InputError(f"task {request.task_name}: the mmmath baselines answer tasks of mmmath-tasks only")
    return benchmark(doc["benchmark"]).problem(doc)
