"""The other harnesses' own scores of published runs are those on the page of numbers."""

import json
from pathlib import Path

import published_numbers
import pytest

from support.published import SHARED

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(not published_numbers.peers_here(), reason="VLMEvalKit and lmms-eval: see .ci/harnesses")
@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no published responses at {SHARED}; set MMMATH_SHARED")
def test_the_page_holds_what_their_functions_give(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")  # lmms-eval makes a client when it is imported; nothing is asked
    kept = json.loads((DOCS / "numbers.json").read_text(encoding="utf-8"))
    assert published_numbers.peers(SHARED) == kept["peers"]
