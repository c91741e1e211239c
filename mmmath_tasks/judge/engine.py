"""Asking a judge many questions: concurrently, each once, within a budget, every answer kept as it arrives."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, TypeVar

from mmmath_tasks.judge.budget import Budget, BudgetError, Promise
from mmmath_tasks.judge.cache import Cache, Entry
from mmmath_tasks.judge.client import CallError, Client, Completion
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.judge.reply import Reply, ReplyError, parse
from mmmath_tasks.retrying import backoff

_POLL = 0.05  # seconds between looks at a question that another process has claimed
_PART = 256  # questions whose keys are looked up together
_PICTURE_TOKENS = 800  # for estimates only: what a medium picture costs with common endpoints


_T = TypeVar("_T")


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
class Plan:
    """What a dry run counted: questions to ask, those answered already, estimated and largest tokens."""

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    largest_out: int = 0


class Judge:
    """Asks one model; the same question is never asked twice once it was answered, not even by two threads at once.

    Attributes:
        client: where questions go.
        budget: what may be spent.
        plan: what a dry run has counted so far; None for a real run.
        calls: requests sent, counting retries and repairs (`budget.calls`).
        outcomes: cause to how many questions ended so; "" counts those with a reply, a stored one too.
    """

    def __init__(
        self,
        client: Client,
        cache: Cache | None = None,
        budget: Budget | None = None,
        *,
        concurrency: int = 16,
        attempts: int = 6,
        patience: float = 300.0,
        dry: bool = False,
    ) -> None:
        """Put the parts together.

        Args:
            client: where questions go.
            cache: answers so far; None keeps them in memory.
            budget: ceilings; None sets none.
            concurrency: questions in flight.
            attempts: how often one request is sent before its item is given up as unscored.
            patience: the longest wait in seconds that a Retry-After may ask for; beyond it the item is unscored.
            dry: send nothing; count, and answer each question with its prompt's example.
        """
        self.client = client
        self.budget = budget or Budget()
        self.plan = Plan() if dry else None
        self.outcomes: Counter[str] = Counter()
        self._cache = cache or Cache(None)
        self._concurrency, self._attempts, self._patience = concurrency, attempts, patience
        self._flying: dict[str, Future[Answer]] = {}
        self._planned: set[str] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._halted = ""  # the cause that makes all further requests pointless
        self._lost = 0  # items given up in a row, without an answer between them

    def ask(self, questions: Sequence[Question], label: str = "judge") -> list[Answer]:
        """Return one answer a question, in their order; see `arrivals`."""
        found = dict(self.arrivals(questions, label))
        return [found[place] for place in range(len(questions))]

    def arrivals(self, questions: Sequence[Question], label: str = "judge") -> Iterator[tuple[int, Answer]]:
        """Yield the place of each question with its answer, as answers arrive; identical questions are asked once.

        Never raises for what the endpoint does; an interrupt (Ctrl-C) stops the run and loses no answer.
        """
        places: dict[str, list[int]] = {}
        answers: dict[str, Answer] = {}
        waiting: dict[Future[Answer], str] = {}
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="judge")
        try:
            # In parts, so that the first requests are on their way while the keys of the last are computed.
            for start in range(0, len(questions), _PART):
                new: dict[str, Question] = {}
                for place, question in enumerate(questions[start : start + _PART], start):
                    key = question.key(self.client.model, self.client.parameters)
                    if key not in places:
                        new[key] = question
                    places.setdefault(key, []).append(place)
                stored = self._cache.get(new)
                known = {key: a for key, entry in stored.items() if (a := self._recall(entry, new[key]))}
                answers |= known
                todo = {key: question for key, question in new.items() if key not in known}
                if self.plan is None:
                    waiting |= self._start(pool, todo)
                else:
                    self.plan.cached += len(known)
                    answers |= {key: self._pretend(question) for key, question in todo.items()}
            for key, answer in answers.items():
                yield from self._counted(places[key], answer)
            for future in _bar(waiting, label):
                yield from self._counted(places[waiting[future]], future.result())
            pool.shutdown()
        except BaseException:
            # What is in flight is paid for: it is waited for and kept. (Closing a socket would not wake its reader.)
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise

    def chains(
        self, first: Sequence[Question], then: Callable[[int, Answer], Question | None], label: str = "judge"
    ) -> Iterator[tuple[int, tuple[Answer, ...]]]:
        """Yield the place of each item with its answers, for items of two questions, the second made from the first.

        An item is asked to its end before the budget is spent on the next: its first question goes out only where the
        second will fit as well.

        Args:
            first: the first question of each item.
            then: place and first answer -> the second question, None where there is to be none; called from threads.
            label: of the progress bar.
        """
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="judge")
        try:
            waiting = {pool.submit(self._chain, place, question, then): place for place, question in enumerate(first)}
            for future in _bar(waiting, label):
                answers = future.result()
                with self._lock:
                    self.outcomes.update(answer.cause for answer in answers)
                yield waiting[future], answers
            pool.shutdown()
        except BaseException:
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise

    def _chain(
        self, place: int, question: Question, then: Callable[[int, Answer], Question | None]
    ) -> tuple[Answer, ...]:
        promise = Promise()
        try:
            answer = self._one(question, promise=promise)
            following = then(place, answer)
            return (answer,) if following is None else (answer, self._one(following, keeps=promise))
        finally:
            self.budget.keep(promise)

    def _one(self, question: Question, **budget: Promise) -> Answer:
        key = question.key(self.client.model, self.client.parameters)
        if self.plan is None:
            return self._land(key, question, **budget)
        entry = self._cache.get([key]).get(key)
        known = entry and self._recall(entry, question)
        with self._lock:
            new = key not in self._planned
            self._planned.add(key)
            if known:
                self.plan.cached += new
            return known or self._pretend(question, counted=new)

    def _counted(self, places: Sequence[int], answer: Answer) -> Iterator[tuple[int, Answer]]:
        with self._lock:
            self.outcomes[answer.cause] += len(places)
        yield from ((place, answer) for place in places)

    def close(self) -> None:
        """Close the connections and the cache."""
        self.client.close()
        self._cache.close()

    def _start(self, pool: ThreadPoolExecutor, todo: Mapping[str, Question]) -> dict[Future[Answer], str]:
        """Send questions on their way."""
        return {pool.submit(self._land, key, question): key for key, question in todo.items()}

    def _land(self, key: str, question: Question, **budget: Promise) -> Answer:
        """Answer one question, unless another thread or process is just asking it: then wait for its answer."""
        with self._lock:
            other = self._flying.get(key)
            if other is None:
                mine = self._flying[key] = Future()
        if other is not None:
            return other.result()
        try:
            mine.set_result(self._claimed(key, question, **budget))
        except BaseException as error:
            mine.set_exception(error)
        finally:
            with self._lock:
                self._flying.pop(key, None)
        return mine.result()

    def _claimed(self, key: str, question: Question, **budget: Promise) -> Answer:
        while True:
            # Another thread or process may have stored the answer since `ask` looked.
            entry = self._cache.get([key]).get(key)
            known = entry and self._recall(entry, question)
            if known:
                return known
            # An answer that its class no longer accepts is asked for again
            if entry or self._cache.claim(key) or self._halted or self._stop.wait(_POLL):
                break
        try:
            return self._answer(key, question, **budget)
        finally:
            self._cache.release(key)

    def _answer(self, key: str, question: Question, **budget: Promise) -> Answer:
        messages = question.messages()
        size = estimate(question)
        tokens_in = tokens_out = 0
        cause = ""
        for _ in range(2):  # the question and one repair
            try:
                completion = self._send(messages, size, question.model, **budget)
            except CallError as failure:
                return Answer(None, failure.cause, tokens_in, tokens_out, self._cost(tokens_in, tokens_out))
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
            name = f"{question.prompt.id}@{question.prompt.version}"
            asked = question.model or self.client.model
            self._cache.put(Entry(key, asked, name, reply.model_dump_json(), tokens_in, tokens_out))
            return Answer(reply, "", tokens_in, tokens_out, self._cost(tokens_in, tokens_out))
        return Answer(None, cause, tokens_in, tokens_out, self._cost(tokens_in, tokens_out))

    def _send(self, messages: list[dict[str, Any]], size: int, model: str, **budget: Promise) -> Completion:
        """Send with retries; every request is charged to the budget.

        Raises:
            CallError: given up.
        """
        reserved = (size, _largest(self.client.parameters))
        for attempt in range(self._attempts):
            if self._halted or self._stop.is_set():
                raise CallError(self._halted or "interrupted", again=False)
            try:
                self.budget.reserve(reserved[0], reserved[1], **budget)
            except BudgetError as spent:
                raise CallError(f"budget spent: {spent}", again=False) from None
            used = (0, 0)
            try:
                completion = self.client.send(messages, model)
                used = (size if completion.tokens_in is None else completion.tokens_in, _written(completion))
                self._lost = 0
                return completion
            except CallError as failure:
                last = failure
            finally:
                self.budget.settle(reserved, used)
            if last.final:
                self._halted = last.cause
            if not last.again:
                raise last
            pause = backoff(attempt, last.after)
            if pause > self._patience:
                # Without the seconds, which differ from reply to reply: one cause, not as many as there are items
                raise CallError(f"{last.cause} (asked to wait over {self._patience:g} s)", again=False)
            if attempt + 1 < self._attempts:
                self._stop.wait(pause)
        self._lost += 1
        if self._lost >= 2 * self._concurrency:
            self._halted = f"the endpoint no longer answers ({last.cause})"
        raise CallError(f"{last.cause} ({self._attempts} attempts)", again=False)

    def _recall(self, entry: Entry, question: Question) -> Answer | None:
        """Return a cached answer; None where the reply's class no longer accepts it."""
        try:
            reply = question.prompt.reply.model_validate_json(entry.reply, context=dict(question.context))
        except ValueError:
            return None
        cost = self._cost(entry.tokens_in, entry.tokens_out)
        return Answer(reply, "", entry.tokens_in, entry.tokens_out, cost)

    def _pretend(self, question: Question, counted: bool = True) -> Answer:
        """Count one question of a dry run (if it is new) and return its prompt's example as the reply."""
        assert self.plan is not None  # noqa: S101
        reply = question.prompt.reply.model_validate(question.prompt.example, context=dict(question.context))
        written = len(reply.model_dump_json()) // 4
        if counted:
            self.plan.calls += 1
            self.plan.tokens_in += estimate(question)
            self.plan.tokens_out += written
            self.plan.largest_out += _largest(self.client.parameters)
        return Answer(reply, "", estimate(question), written)

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return self.budget.prices.cost(tokens_in, tokens_out)


def _bar(futures: Collection[Future[_T]], label: str) -> Iterable[Future[_T]]:
    """Return the futures as they are done, behind a progress bar that is quiet without a terminal."""
    from tqdm import tqdm

    done: Iterable[Future[_T]] = as_completed(futures)
    return tqdm(done, total=len(futures), desc=label, unit="item", disable=None) if futures else done


def estimate(question: Question) -> int:
    """Return about how many tokens a question has: four bytes of UTF-8 a token, 800 tokens a picture."""
    size = sum(len(message["content"].encode("utf-8", "replace")) for message in question.messages(pictures=False))
    return size // 4 + _PICTURE_TOKENS * len(question.pictures)


def _largest(parameters: Mapping[str, Any]) -> int:
    return int(parameters.get("max_completion_tokens") or parameters.get("max_tokens") or 0)


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
