"""A step on the Hub, up or down, repeated while another try can succeed, and one sentence for what it failed of.

The client repeats most requests itself, six times in 23 seconds (not the look at a repo or at a file, nor a download
that the server breaks off): a failure that comes this far has outlasted that.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from tqdm import tqdm

from mmmath_tasks.errors import InputError
from mmmath_tasks.retrying import backoff, is_transient, retry_after

UNRESOLVED_TRIES = 2
"""Tries where the Hub's name does not resolve, which is no passing fault of the Hub."""

_T = TypeVar("_T")


def _say(line: str) -> None:
    tqdm.write(line, file=sys.stderr)


@dataclass
class Retry:
    """Repeats a step on transient answers and lost connections, with growing random waits, and says so.

    Attributes:
        tries: how often each step is tried.
        wait: the most seconds before the second try, doubled for each further one (see retrying.backoff).
        patience: seconds after which a failure is the last: the client waits, too, and as long as the Hub asks it to.
        say: is called with a line before each wait.
        crowded: others may write there at the same time: a repo without main, and a main that moved (412), pass.
        used: how many times a step had to be repeated so far.
    """

    tries: int = 5
    wait: float = 1.0
    patience: float = 300.0
    say: Callable[[str], object] = _say
    crowded: bool = False
    used: int = 0

    def __call__(self, step: Callable[[], _T], what: str) -> _T:
        """Return what the step returns; what is no failure of the Hub is raised as it is.

        Raises:
            InputError: the Hub refused, is switched off, or could not be reached; the message begins with `what`, and
                the cause is the client's error.
        """
        start = time.monotonic()
        for number in range(1, self.tries + 1):
            try:
                return step()
            except InputError:
                raise
            except Exception as error:
                found = failure(error)
                if found is None:
                    raise
                if (final := self._final(found)) is not None:
                    raise InputError(f"{what}: {final}{reason(found)}") from found
                most = min(self.tries, UNRESOLVED_TRIES) if unresolved(found) else self.tries
                if number >= most or time.monotonic() - start > self.patience:
                    tries = "1 try" if number == 1 else f"{number} tries"
                    raise InputError(f"{what}: given up after {tries}: {reason(found)}") from found
                self.used += 1
                pause = backoff(number - 1, retry_after(_header(found, "Retry-After")), first=self.wait)
                self.say(f"{what}: {reason(found)}; try {number + 1} of {most} in {pause:.0f} s")
                time.sleep(pause)
        raise AssertionError

    def _final(self, found: Exception) -> str | None:
        """Return how to begin where another try is of no use, else None."""
        from huggingface_hub.errors import FileMetadataError, OfflineModeIsEnabled, RevisionNotFoundError

        if isinstance(found, OfflineModeIsEnabled):
            return ""
        if isinstance(found, FileMetadataError):
            return "no answer of a Hub: "
        status = _status(found)
        passing = self.crowded and (status == 412 or isinstance(found, RevisionNotFoundError))
        return None if status is None or is_transient(status) or passing else "the Hub refused: "


def failure(error: BaseException | None) -> Exception | None:
    """Return the answer, lost connection or refusal of the client that stands behind an error; None for another fault.

    The client and datasets raise errors of their own "from" it.
    """
    from huggingface_hub.errors import FileMetadataError, HfHubHTTPError, LocalEntryNotFoundError

    # The base that a failed request and a lost connection share (httpx or httpx2, as the client's version has it).
    kinds: tuple[type[Exception], ...] = (HfHubHTTPError.__bases__[0], FileMetadataError, ConnectionError, TimeoutError)
    found: Exception | None = None
    while error is not None and (found is None or _status(found) is None):
        if isinstance(error, kinds) and not isinstance(error, LocalEntryNotFoundError):
            found = error
        error = error.__cause__
    return found


def unresolved(error: BaseException | None) -> bool:
    """Say whether a request failed because the Hub's name does not resolve."""
    seen: list[BaseException] = []
    while error is not None and not isinstance(error, socket.gaierror):
        seen.append(error)
        behind = error.__cause__ or error.__context__
        error = None if any(behind is known for known in seen) else behind
    return error is not None


def reason(error: Exception) -> str:
    """Return in one line what a failure of `failure` means, and which request met it.

    The address comes without its query, which may be a signature that opens the file to whoever reads it.
    """
    status, said = _status(error), " ".join(str(error).split())
    if unresolved(error):
        said = f"the Hub's name does not resolve: {said}"
    try:
        holder: Any = getattr(error, "response", None) or error
        where = f"{holder.request.method} {holder.request.url.copy_with(query=None, fragment=None)}"
    except (AttributeError, RuntimeError):  # none, or not told to the error
        where = ""
    if status is None:
        return f"{said[:300] or type(error).__name__}{f' ({where})' if where else ''}"
    meaning = _meaning(error, status) or (_header(error, "X-Error-Message") or said)[:300]
    return f"{meaning} ({where and f'{where}: '}{status})"


def _meaning(error: Exception, status: int) -> str:
    from huggingface_hub.errors import (
        EntryNotFoundError,
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    token = "`hf auth login`, or the variable HF_TOKEN"  # noqa: S105 - says where one is kept
    meanings = {
        GatedRepoError: f"a gated repo: ask for access on its page, then give your token ({token})",
        RepositoryNotFoundError: f"no such repo, or a private one that needs another token ({token})",
        RevisionNotFoundError: "no such branch, tag or commit",
        EntryNotFoundError: "no such file",
    }
    for kind, meaning in meanings.items():
        if isinstance(error, kind):
            return meaning
    if status == 401:
        return f"the token is not valid ({token})"
    if status == 403:
        said = _header(error, "X-Error-Message")
        return f"not allowed{f', {said}' if said else ''}: the token lacks the right, or the address has expired"
    if status == 429:
        return "too many requests"
    return "the server fails" if status >= 500 else ""


def _status(error: Exception) -> int | None:
    return getattr(getattr(error, "response", None), "status_code", None)


def _header(error: Exception, name: str) -> str | None:
    return (getattr(getattr(error, "response", None), "headers", None) or {}).get(name)
