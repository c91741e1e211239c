"""One chat request to an OpenAI-compatible endpoint, and the reasons for which it can fail.

httpx2 and threads, not the openai package: measured at 64 requests in flight, 0.9 ms of CPU a request against 2.6 ms,
80 ms of import against 870 ms, and no retries of its own that would escape the budget.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from mmmath_tasks.errors import InputError
from mmmath_tasks.retrying import is_transient, retry_after

PARAMETERS = frozenset(
    {
        "temperature",
        "max_tokens",
        "max_completion_tokens",
        "top_p",
        "seed",
        "stop",
        "response_format",
        "reasoning_effort",
    }
)
"""The request fields that may be set besides model and messages; no other is ever sent."""

DEFAULTS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 1024}

_LARGEST = 4_000_000  # bytes of a response body; a judge's reply is a few kilobytes
_MOST_TOKENS = 10**9  # that any endpoint reads or writes at once
_KEYS = ("MMMATH_JUDGE_API_KEY", "OPENAI_API_KEY")


class CallError(Exception):
    """A request that brought no answer.

    Attributes:
        cause: what happened, one line, the key never in it.
        again: whether to try again.
        after: seconds the endpoint asked to wait, None where it did not.
        final: whether every other request must fail in the same way (a wrong key or address, no money left).
        nobody: whether nobody was there to take the request.
    """

    def __init__(
        self, cause: str, *, again: bool, after: float | None = None, final: bool = False, nobody: bool = False
    ) -> None:
        """Keep the five facts."""
        super().__init__(cause)
        self.cause, self.again, self.after, self.final, self.nobody = cause, again, after, final, nobody


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: its text ("" where the endpoint sent none), why it ended, tokens (None: not reported)."""

    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None


def request_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request fields to send: the defaults, then what is given; a value of None leaves a field out.

    Raises:
        InputError: a field is not one of PARAMETERS.
    """
    unknown = sorted(set(given) - PARAMETERS)
    if unknown:
        raise InputError(f"judge parameter {unknown[0]!r} is not one of {', '.join(sorted(PARAMETERS))}")
    fields = {**DEFAULTS, **given}
    if fields.get("max_completion_tokens") is not None:
        fields["max_tokens"] = None  # the newer name of the same limit; endpoints refuse both together
    return {name: value for name, value in fields.items() if value is not None}


class Client:
    """Sends chat requests to one model at one address; for use from several threads.

    The key comes from MMMATH_JUDGE_API_KEY, else OPENAI_API_KEY; without either no key is sent. It is in no message,
    log or repr.

    Attributes:
        model: the judge's name at the endpoint.
        parameters: the request fields sent with every request.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        timeout: float = 120.0,
        connections: int = 16,
    ) -> None:
        """Prepare; nothing is sent. The URL may have the chat endpoint's path; the timeout is for a whole request.

        Raises:
            InputError: a bad address or parameter (see `request_fields`).
        """
        self.model = model
        self.parameters = request_fields(parameters or {})
        self._url = _chat_url(base_url)
        self._timeout = timeout
        self._key = next((os.environ[name] for name in _KEYS if os.environ.get(name)), "")
        if not (self._key.isascii() and self._key.isprintable()):
            raise InputError(f"the key in {_KEYS[0]} or {_KEYS[1]} holds characters no header can")
        self._connections = connections
        self._opening = threading.Lock()
        self._http: httpx2.Client | None = None

    def _open(self) -> httpx2.Client:
        """Return the connections, made when first needed: a run from the cache needs none."""
        with self._opening:
            if self._http is None:
                headers = {"Content-Type": "application/json"}
                if self._key:
                    headers["Authorization"] = f"Bearer {self._key}"
                self._http = httpx2.Client(
                    headers=headers,
                    timeout=httpx2.Timeout(self._timeout, connect=min(self._timeout, 20.0), pool=None),
                    limits=httpx2.Limits(
                        max_connections=self._connections, max_keepalive_connections=self._connections
                    ),
                )
            return self._http

    def send(self, messages: list[dict[str, Any]], model: str = "") -> Completion:
        """Ask once; another model than the client's own where one is named.

        Raises:
            CallError: no answer came.
        """
        # Escaped, since responses may hold what UTF-8 cannot (lone surrogates).
        content = json.dumps({"model": model or self.model, "messages": messages, **self.parameters}).encode("ascii")
        deadline = time.monotonic() + self._timeout
        try:
            with self._open().stream("POST", self._url, content=content) as response:
                received = bytearray()
                for part in response.iter_bytes():
                    received += part
                    if len(received) > _LARGEST:
                        raise CallError("response too large", again=False)
                    if time.monotonic() > deadline:
                        raise CallError("timeout", again=True)
        except httpx2.TimeoutException:
            raise CallError("timeout", again=True) from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            said, nobody = self.scrub(str(error)) or type(error).__name__, isinstance(error, httpx2.ConnectError)
            raise CallError(f"connection: {said}", again=True, nobody=nobody) from None
        except RuntimeError:
            raise CallError("stopped", again=False) from None  # the client was closed under the request
        if response.status_code != 200:
            raise self._refusal(response, bytes(received))
        return self._completion(bytes(received))

    def close(self) -> None:
        """Close the connections; requests in flight fail."""
        with self._opening:
            if self._http is not None:
                self._http.close()

    def scrub(self, text: str) -> str:
        """Return text on one line, at most 300 characters, without the key."""
        if self._key:
            text = text.replace(self._key, "***")
        return " ".join(text.split())[:300]

    def hides(self, text: str) -> str:
        """Return a reply without the key, should the endpoint have put it there; too short a key is no secret."""
        return text.replace(self._key, "***") if len(self._key) >= 8 else text

    def _refusal(self, response: httpx2.Response, content: bytes) -> CallError:
        status = response.status_code
        try:
            said = json.loads(content)["error"]["message"]
        except (ValueError, TypeError, KeyError, RecursionError):
            said = content.decode("utf-8", "replace")  # cut by scrub, once the key is out of it
        # No wait brings money back: OpenAI says so with a 429 of this code, others with 402.
        broke = status == 402 or b"insufficient_quota" in content
        return CallError(
            f"http {status}: {self.scrub(str(said))}".rstrip(": "),
            again=not broke and is_transient(status),
            after=retry_after(response.headers.get("retry-after")),
            final=broke or status in (401, 404),
        )

    def _completion(self, content: bytes) -> Completion:
        try:
            data = json.loads(content, parse_int=_whole)
            choice = data["choices"][0]
            text = choice["message"].get("content") or ""
            if isinstance(text, list):
                text = "".join(part.get("text", "") for part in text)
            read, written = (_count(data.get("usage"), name) for name in ("prompt_tokens", "completion_tokens"))
            return Completion(self.hides(str(text)), str(choice.get("finish_reason") or ""), read, written)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise CallError("the endpoint's answer is not a chat completion", again=True) from None


def _whole(digits: str) -> int | float:
    """Read a whole number; one of absurd length, which Python refuses, as infinite."""
    return int(digits) if len(digits) < 1_000 else float("inf")


def _count(usage: object, name: str) -> int | None:
    """Return a number of tokens; None where it is not reported, or as nonsense, which costs no good reply."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count < _MOST_TOKENS else None


def _chat_url(base_url: str) -> httpx2.URL:
    try:
        url = httpx2.URL(base_url)
    except (httpx2.InvalidURL, TypeError):
        raise InputError("the judge's base URL is not a URL") from None
    if url.userinfo:
        raise InputError(f"put no key into the base URL; set {_KEYS[0]}")
    if url.scheme not in ("http", "https") or not url.host or (url.port is not None and not 0 < url.port < 65_536):
        raise InputError(f"the judge's base URL should look like http://localhost:8000/v1, got {base_url!r}")
    path = url.path.rstrip("/").removesuffix("/chat/completions")
    return url.copy_with(path=f"{path}/chat/completions")
