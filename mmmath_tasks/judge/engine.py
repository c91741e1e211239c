"""Asking a judge many questions: concurrently, each once, within a budget, every answer kept as it arrives."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

from mmmath_tasks.judge.budget import Budget, Promise
from mmmath_tasks.judge.cache import Cache, Entry
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.exchange import Answer, Exchange
from mmmath_tasks.judge.plan import Plan, estimate, example
from mmmath_tasks.judge.prompt import Question

_POLL = 0.05  # seconds between looks at a question that another process has claimed

_T = TypeVar("_T")


class Judge:
    """Asks one model; the same question is never asked twice once it was answered, not even by two threads at once.

    Attributes:
        client: where questions go.
        budget: what may be spent.
        plan: what a dry run has counted so far; None for a real run.
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
        """Put the parts together; without a cache answers stay in memory, without a budget there is no ceiling.

        `concurrency` questions are in flight; `attempts` and `patience` are those of Exchange. A `dry` judge sends
        nothing: it counts, and answers each question with its prompt's example.
        """
        self.client = client
        self.budget = budget or Budget()
        self.plan = Plan() if dry else None
        self.outcomes: Counter[str] = Counter()
        self._cache = cache or Cache(None)
        self._concurrency = concurrency
        self._exchange = Exchange(client, self.budget, attempts, patience, bearable=2 * concurrency)
        self._flying: dict[str, Future[Answer]] = {}
        self._planned: set[str] = set()
        self._lock = threading.Lock()

    def ask(self, questions: Sequence[Question], label: str = "judge") -> list[Answer]:
        """Return one answer a question, in their order; see `arrivals`."""
        found = dict(self.arrivals(questions, label))
        return [found[place] for place in range(len(questions))]

    def arrivals(self, questions: Sequence[Question], label: str = "judge") -> Iterator[tuple[int, Answer]]:
        """Yield the place of each question with its answer, as answers arrive; identical questions are asked once.

        Never raises for what the endpoint does; an interrupt (Ctrl-C) stops the run and loses no answer.
        """
        places: dict[str, list[int]] = {}
        waiting: dict[Future[Answer], str] = {}
        with self._pool() as pool:
            for place, question in enumerate(questions):
                key = self._key(question)
                if key not in places:
                    waiting[pool.submit(self._one, key, question)] = key
                places.setdefault(key, []).append(place)
            for future in _bar(waiting, label):
                answer, here = future.result(), places[waiting[future]]
                self.outcomes[answer.cause] += len(here)
                yield from ((place, answer) for place in here)

    def chains(
        self, first: Sequence[Question], then: Callable[[int, Answer], Question | None], label: str = "judge"
    ) -> Iterator[tuple[int, tuple[Answer, ...]]]:
        """Yield the place of each item with its answers, for items of two questions, the second made from the first.

        An item is asked to its end before the budget is spent on the next: its first question goes out only where the
        second will fit as well. `then` makes the second from the place and the first answer, None where there is to be
        none; it is called from threads.
        """
        with self._pool() as pool:
            waiting = {pool.submit(self._chain, place, question, then): place for place, question in enumerate(first)}
            for future in _bar(waiting, label):
                answers = future.result()
                self.outcomes.update(answer.cause for answer in answers)
                yield waiting[future], answers

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor]:
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="judge")
        try:
            yield pool
            pool.shutdown()
        except BaseException:
            # What is in flight is paid for: it is waited for and kept. (Closing a socket would not wake its reader.)
            self._exchange.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise

    def _chain(
        self, place: int, question: Question, then: Callable[[int, Answer], Question | None]
    ) -> tuple[Answer, ...]:
        promise = Promise()
        try:
            answer = self._one(self._key(question), question, promise=promise)
            following = then(place, answer)
            return (
                (answer,) if following is None else (answer, self._one(self._key(following), following, keeps=promise))
            )
        finally:
            self.budget.keep(promise)

    def _key(self, question: Question) -> str:
        return question.key(self.client.model, self.client.parameters)

    def _one(self, key: str, question: Question, **budget: Promise) -> Answer:
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

    def close(self) -> None:
        """Close the connections and the cache."""
        self.client.close()
        self._cache.close()

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
            if entry or self._cache.claim(key) or self._exchange.halted or self._exchange.stop.wait(_POLL):
                break
        try:
            answer = self._exchange.answer(question, **budget)
            if answer.reply is not None:
                name = f"{question.prompt.id}@{question.prompt.version}"
                asked, text = question.model or self.client.model, answer.reply.model_dump_json()
                self._cache.put(Entry(key, asked, name, text, answer.tokens_in, answer.tokens_out))
            return answer
        finally:
            self._cache.release(key)

    def _recall(self, entry: Entry, question: Question) -> Answer | None:
        """Return a cached answer; None where the reply's class no longer accepts it."""
        try:
            reply = question.prompt.reply.model_validate_json(entry.reply, context=dict(question.context))
        except ValueError:
            return None
        cost = self.budget.prices.cost(entry.tokens_in, entry.tokens_out)
        return Answer(reply, "", entry.tokens_in, entry.tokens_out, cost)

    def _pretend(self, question: Question, counted: bool = True) -> Answer:
        """Count one question of a dry run (if it is new) and return its prompt's example as the reply."""
        assert self.plan is not None  # noqa: S101
        if counted:
            self.plan.count(question, self.client.parameters)
        return Answer(example(question), "", estimate(question))


def _bar(futures: Collection[Future[_T]], label: str) -> Iterable[Future[_T]]:
    """Return the futures as they are done, behind a progress bar that is quiet without a terminal."""
    from tqdm import tqdm

    done: Iterable[Future[_T]] = as_completed(futures)
    return tqdm(done, total=len(futures), desc=label, unit="item", disable=None) if futures else done
