"""A double of the Hugging Face Hub for tests: real huggingface_hub and datasets clients talk to it by HF_ENDPOINT.

Models, data sets and spaces; commits, pull requests, tags; regular and LFS files; downloads with redirects to a second
host and ranges; faults on demand. What nothing here asks for, it does not have. Nothing leaves 127.0.0.1.

    with HubServer(folder) as hub:
        api = HfApi(endpoint=hub.url, token=hub.token)   # in this process
        subprocess.run(..., env=hub.environment(home))   # in another one: HF_ENDPOINT, fresh HF_HOME, no Xet
        hub.faults.append(Fault("POST", "/commit/", 503))
        hub.store.read("dataset", "org/name", "README.md")
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from support.hub_server.routes import Routes
from support.hub_server.store import HubError, Store
from support.hub_server.transport import Fault, Server

__all__ = ["Fault", "HubError", "HubServer", "hub"]


class HubServer:
    """One Hub on a free port of 127.0.0.1; the user `someone` may write everywhere with `token`."""

    token = "hf_test_someone"  # noqa: S105

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.routes = Routes(self.store, {self.token: "someone", "hf_test_other": "other"})
        self.server = Server(self.routes)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        # Like the real Hub, large files are served by another host, to which the token must not go.
        self.routes.url, self.routes.cdn = self.url, f"http://localhost:{self.server.server_port}"
        self.faults = self.server.faults

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def requests(self) -> list[tuple[str, str]]:
        """Every request so far: method and path with query."""
        return self.server.requests

    def count(self, method: str, part: str) -> int:
        """Return how many requests of that method had `part` in their path."""
        return sum(m == method and part in path for m, path in self.requests)

    def environment(self, home: Path, **more: str) -> dict[str, str]:
        """Return the environment of a client process: this Hub, its token and a cache of its own in `home`."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING"))}
        return kept | {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_TOKEN": self.token,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            **more,
        }

    def api(self, **options: Any) -> Any:
        """Return a real HfApi that talks to this Hub."""
        from huggingface_hub import HfApi

        return HfApi(endpoint=self.url, **{"token": self.token, **options})


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A Hub with nothing in it; clients of this process are online, upload without Xet and show no bars."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_PROGRESS_BARS", True)
    with HubServer(tmp_path / "hub") as server:
        yield server
