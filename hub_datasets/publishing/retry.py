"""A step on the Hub, repeated while another try can succeed."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mmmath_tasks.errors import InputError
from mmmath_tasks.retrying import backoff, is_transient, retry_after

UNRESOLVED_TRIES = 2
"""Tries where the Hub's name does not resolve, which is no passing fault of the Hub."""

_T = TypeVar("_T")


@dataclass
class Retry:
    """Repeats a step on transient answers and lost connections, with growing random waits, and says so.

    Attributes:
        tries: how often each step is tried.
        wait: the most seconds before the second try, doubled for each further one (see retrying.backoff).
        say: is called with a line before each wait.
        used: how many times a step had to be repeated so far.
    """

    tries: int
    wait: float
    say: Callable[[str], object]
    used: int = 0

    def __call__(self, step: Callable[[], _T], what: str) -> _T:
        """Return what the step returns.

        Raises:
            InputError: the Hub refused, is switched off, or could not be reached; the message begins with `what`.
        """
        from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled, RevisionNotFoundError

        # The base that a failed request and a lost connection share (httpx or httpx2, as the client's version has it).
        lost: type[Exception] = HfHubHTTPError.__bases__[0]
        for number in range(1, self.tries + 1):
            try:
                return step()
            except OfflineModeIsEnabled as error:
                raise InputError(f"{what}: {_reason(error)}") from error
            except (lost, ConnectionError, TimeoutError) as error:
                status = getattr(getattr(error, "response", None), "status_code", None)
                # Somebody else committed meanwhile (412), or creates the repo at this moment: it has no main yet.
                meanwhile = status == 412 or isinstance(error, RevisionNotFoundError)
                if status is not None and not is_transient(status) and not meanwhile:
                    raise InputError(f"{what}: the Hub refused: {_reason(error)}") from error
                most = min(self.tries, UNRESOLVED_TRIES) if unresolved(error) else self.tries
                if number >= most:
                    raise InputError(f"{what}: given up after {number} tries: {_reason(error)}") from error
                self.used += 1
                headers = getattr(getattr(error, "response", None), "headers", None) or {}
                pause = backoff(number - 1, retry_after(headers.get("Retry-After")), first=self.wait)
                self.say(f"{what}: {_reason(error)}; try {number + 1} of {most} in {pause:.0f} s")
                time.sleep(pause)
        raise AssertionError


def unresolved(error: BaseException | None) -> bool:
    """Say whether a request failed because the Hub's name does not resolve."""
    seen: list[BaseException] = []
    while error is not None and not isinstance(error, socket.gaierror):
        seen.append(error)
        behind = error.__cause__ or error.__context__
        error = None if any(behind is known for known in seen) else behind
    return error is not None


def _reason(error: BaseException) -> str:
    name = "the Hub's name does not resolve: " if unresolved(error) else ""
    return name + (" ".join(str(error).split())[:300] or type(error).__name__)
