"""One question and its reply: the requests that it takes, each within the budget, with retries and one repair."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.judge.budget import Budget, BudgetError, Promise
from mmmath_tasks.judge.client import CallError, Client, Completion
from mmmath_tasks.judge.plan import estimate, largest
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.judge.reply import Reply, ReplyError, parse
from mmmath_tasks.retrying import backoff


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question.

    Attributes:
        reply: the judge's reply; None: unscored.
        cause: why there is none; "" where there is one.
        tokens_in, tokens_out: what the reply cost; estimates where the endpoint does not report them.
        cost: the same in US dollars at the budget's prices.
    """

    reply: Reply | None
    cause: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class Exchange:
    """What all questions to one endpoint share.

    Attributes:
        client: where they go.
        budget: what may be spent.
        attempts: how often one request is sent before its item is given up as unscored.
        patience: the longest wait in seconds that a Retry-After may ask for; beyond it the item is unscored.
        bearable: how many items in a row may be given up before the endpoint is.
        stop: set once nothing more is to be sent.
        halted: the cause that makes all further requests pointless; "" while there is none.
    """

    client: Client
    budget: Budget
    attempts: int
    patience: float
    bearable: int
    stop: threading.Event = field(default_factory=threading.Event)
    halted: str = ""
    _lost: int = 0  # items given up in a row, without an answer between them
    _met: bool = False  # somebody has taken a request
    _open: set[object] = field(default_factory=set)  # the requests that are under way

    def answer(self, question: Question, **budget: Promise) -> Answer:
        """Ask a question; never raises for what the endpoint does. `budget`: see Budget.reserve."""
        messages = question.messages()
        size = estimate(question)
        tokens_in = tokens_out = 0
        cause = ""
        for _ in range(2):  # the question and one repair
            try:
                completion = self._send(messages, size, question.model, **budget)
            except CallError as failure:
                cause = failure.cause
                break
            tokens_in += size if completion.tokens_in is None else completion.tokens_in
            tokens_out += _written(completion)
            cut = completion.finish == "length"
            try:
                reply = parse(completion.text, question.prompt.reply, question.context, cut=cut)
            except ReplyError as error:
                odd = "" if completion.finish in ("", "stop") else f" (finish_reason {completion.finish})"
                cause = f"invalid reply: {error}{odd}"
                if question.prompt.system is not None:  # others' prompts are asked again as they are
                    messages = _repair(question.messages(), completion.text, str(error))
                continue
            return self._made(reply, "", tokens_in, tokens_out)
        return self._made(None, cause, tokens_in, tokens_out)

    def _made(self, reply: Reply | None, cause: str, tokens_in: int, tokens_out: int) -> Answer:
        return Answer(reply, cause, tokens_in, tokens_out, self.budget.prices.cost(tokens_in, tokens_out))

    def _send(self, messages: list[dict[str, Any]], size: int, model: str, **budget: Promise) -> Completion:
        """Send with retries; every request is charged to the budget.

        Raises:
            CallError: given up.
        """
        reserved = (size, largest(self.client.parameters))
        for attempt in range(self.attempts):
            if self.halted or self.stop.is_set():
                raise CallError(self.halted or "interrupted", again=False)
            try:
                self.budget.reserve(reserved[0], reserved[1], **budget)
            except BudgetError as spent:
                raise CallError(f"budget spent: {spent}", again=False) from None
            used = (0, 0)
            request, others = object(), frozenset(self._open)
            self._open.add(request)
            try:
                completion = self.client.send(messages, model)
                used = (size if completion.tokens_in is None else completion.tokens_in, _written(completion))
                self._lost, self._met = 0, True
                return completion
            except CallError as failure:
                last = failure
            finally:
                self._open.discard(request)
                self.budget.settle(reserved, used)
            self._met = self._met or not last.nobody
            if last.final:
                self.halted = last.cause
            # A wrong address, or a server that is not up: no item finds another. What was sent before and is still
            # under way may have found one that is slow; requests that nobody takes end as fast as this one.
            if attempt and not self._met and not others & self._open:
                self.halted = f"nobody answers there ({last.cause})"
                raise CallError(self.halted, again=False)
            if not last.again:
                raise last
            pause = backoff(attempt, last.after)
            if pause > self.patience:
                # Without the seconds, which differ from reply to reply: one cause, not as many as there are items
                raise CallError(f"{last.cause} (asked to wait over {self.patience:g} s)", again=False)
            if attempt + 1 < self.attempts:
                self.stop.wait(pause)
        self._lost += 1
        if self._lost >= self.bearable:
            self.halted = f"the endpoint no longer answers ({last.cause})"
        raise CallError(f"{last.cause} ({self.attempts} attempts)", again=False)


def _written(completion: Completion) -> int:
    return len(completion.text) // 4 if completion.tokens_out is None else completion.tokens_out


def _repair(messages: list[dict[str, Any]], text: str, error: str) -> list[dict[str, Any]]:
    """Return the messages that ask for the reply once more."""
    again = f"That reply could not be used: {error}. Reply again with the JSON object alone, as described."
    return [
        *messages,
        {"role": "assistant", "content": text[:4000] or "(nothing)"},
        {"role": "user", "content": again},
    ]
