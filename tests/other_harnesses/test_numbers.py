"""The other harnesses' own scores of published runs are those on the page of numbers."""

import json
from pathlib import Path

import published_jailed
import published_numbers
import pytest

from support.needs import needs
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


@needs("bwrap")
@pytest.mark.skipif(not published_numbers.peers_here(), reason="VLMEvalKit and lmms-eval: see .ci/harnesses")
def test_what_their_rules_evaluate_reaches_nothing_outside(tmp_path):
    place = tmp_path / "written"
    place.touch()
    tried = [f"open({str(place)!r}, 'w').write('1') + 1", "1 + 1", "3"]
    rows = [{"answer": "2", "options": [], "response": text, "extraction": text} for text in tried]
    found = published_jailed.verdicts(rows, "vlmevalkit")
    assert found == [[False, False], [True, True], [False, False]]
    assert place.read_text() == ""
