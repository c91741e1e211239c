"""The folder that the conformance tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.published import SHARED


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published material; tests that ask for it are skipped where it is absent."""
    if not (SHARED / "oracle").is_dir():
        pytest.skip(f"no published responses at {SHARED}; set MMMATH_SHARED to the folder that has them")
    return SHARED
