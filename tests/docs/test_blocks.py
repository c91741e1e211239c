"""Every block of shell and Python in the documentation runs, in the order of its page, in one folder a page."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.needs import needs

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "_ext" not in path.parts)
BLOCK = re.compile(r"^(?:% (?P<unrun>not run: [^\n]+)\n)?```(?P<language>sh|python)\n(?P<code>.*?)^```$", re.M | re.S)


def blocks(page):
    return list(BLOCK.finditer(page.read_text()))


def run(code, language, folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MMMATH_", "HF_"))}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "HOME": str(folder),
        "COLUMNS": "100",
    }
    command = ["bash", "-euo", "pipefail", "-c", code] if language == "sh" else [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
@needs("report", "judge", "sandbox")
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT / "docs")))
def test_blocks_run(page, tmp_path):
    for block in blocks(page):
        if not block["unrun"]:
            done = run(block["code"], block["language"], tmp_path)
            assert done.returncode == 0, f"{block['code']}\n{done.stdout}\n{done.stderr}"


def test_what_is_not_run_says_why():
    reasons = {b["unrun"].removeprefix("not run: ") for page in PAGES for b in blocks(page) if b["unrun"]}
    assert reasons <= {"needs a GPU", "needs a key", "needs the network", "needs other data", "needs another program"}
    assert sum(not b["unrun"] for page in PAGES for b in blocks(page)) >= 3
