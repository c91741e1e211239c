"""The HTTP side: one request in, one answer out, and the faults that a test asks for in between."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from support.hub_server.store import HubError


@dataclass
class Fault:
    """What goes wrong with the next `times` requests that match.

    Attributes:
        method: "POST", ..., or "" for any.
        pattern: searched in the path.
        status: the answer; None cuts the connection.
        times: how often; -1 for ever.
        after: let the request take effect first (the answer is what gets lost).
        keep: bytes of the body that are still read before the connection is cut.
        headers: sent with the status.
        skip: matching requests that pass before it begins.
        cut: bytes of the answer that still arrive before the connection is cut.
    """

    method: str
    pattern: str
    status: int | None = None
    times: int = 1
    after: bool = False
    keep: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    skip: int = 0
    cut: int | None = None


@dataclass
class Request:
    method: str
    path: str
    raw_path: str
    query: dict[str, str]
    headers: Any
    handler: Handler

    @property
    def length(self) -> int:
        return int(self.headers.get("Content-Length") or 0)

    @cached_property
    def body(self) -> bytes:
        return self.handler.rfile.read(self.length)

    def json(self) -> Any:
        return json.loads(self.body or b"{}")

    def save(self, path: Path) -> None:
        """Write the body to a file without holding it in memory."""
        left = self.length
        with path.open("wb") as file:
            while left:
                chunk = self.handler.rfile.read(min(left, 1 << 20))
                if not chunk:
                    raise ConnectionError("the client went away")
                file.write(chunk)
                left -= len(chunk)


@dataclass
class Answer:
    """A JSON value, bytes, or a (part of a) file."""

    value: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    file: Path | None = None
    start: int = 0
    size: int = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: Any) -> None:
        pass

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        request = Request(self.command, parts.path, self.path, dict(parse_qsl(parts.query)), self.headers, self)
        fault = self.server.note(request)
        if fault and not fault.after and fault.cut is None:
            self._fail(fault, request)
            return
        try:
            answer = self.server.answer(request)
        except HubError as error:
            headers = {"X-Error-Message": error.message}
            if error.code:
                headers["X-Error-Code"] = error.code
            answer = Answer({"error": error.message, **error.body}, error.status, headers)
            self.close_connection = True
        if fault and fault.cut is None:
            self._fail(fault, request)
            return
        self._send(answer, fault.cut if fault else None)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

    def _fail(self, fault: Fault, request: Request) -> None:
        self.close_connection = True
        if fault.status is None:
            self.rfile.read(min(fault.keep, request.length))
            self._reset()
            return
        if not fault.after:
            self.rfile.read(request.length)
        self._send(Answer({"error": f"fault {fault.status}"}, fault.status, dict(fault.headers)))

    def _reset(self) -> None:
        # linger 0: the client sees a reset, not an orderly end
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _send(self, answer: Answer, cut: int | None = None) -> None:
        if answer.file is not None:
            length, body = answer.size, b""
        else:
            body = answer.value if isinstance(answer.value, bytes) else json.dumps(answer.value).encode()
            length = len(body)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if "Content-Type" not in answer.headers:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body[:cut])
        if answer.file is not None:
            with answer.file.open("rb") as file:
                file.seek(answer.start)
                left = length if cut is None else min(length, cut)
                while left:
                    chunk = file.read(min(left, 1 << 20))
                    self.wfile.write(chunk)
                    left -= len(chunk)
        if cut is not None:
            self.close_connection = True
            self._reset()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        import sys

        if not isinstance(sys.exception(), ConnectionError | ValueError | OSError):
            super().handle_error(request, client_address)

    def note(self, request: Request) -> Fault | None:
        """Record the request and return the fault that hits it."""
        with self._lock:
            self.requests.append((request.method, request.raw_path))
            for fault in self.faults:
                if fault.times == 0 or fault.method not in ("", request.method):
                    continue
                if not re.search(fault.pattern, request.raw_path):
                    continue
                if fault.skip:
                    fault.skip -= 1
                    continue
                fault.times -= 1
                return fault
        return None
