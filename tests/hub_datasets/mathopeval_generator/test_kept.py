"""A build that was killed goes on from its finished pictures, and nobody can tell from the result."""

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.mathopeval_generator import kept, render
from mmmath_tasks.hub_datasets.mathopeval_generator.build import build
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
from support.needs import needs
from support.upstream_folders import content

pytestmark = pytest.mark.medium

BUILD = """
import sys
from pathlib import Path
from mmmath_tasks.hub_datasets.mathopeval_generator.build import build
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
build(Path(sys.argv[1]), kept=Path(sys.argv[2]), sources=[sample(0, "pie", i) for i in range(400)], processes=2)
"""

TERMINATED = f"""
import signal
from mmmath_tasks import cli
signal.signal(signal.SIGTERM, cli._terminated)
{BUILD}"""


@contextmanager
def begun(tmp_path, code=BUILD, **options):
    """Start a build of 400 pies, and go on when three pictures are there."""
    words = [sys.executable, "-c", code, tmp_path / "out", tmp_path / "kept"]
    with subprocess.Popen(words, **options) as process:
        until = time.monotonic() + 300
        while len(times(tmp_path / "kept")) < 3 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        yield process


def times(folder):
    return {p: p.stat().st_mtime_ns for p in folder.glob("*.png")}


@needs("sandbox")
def test_a_killed_build_goes_on_and_gives_the_same_bytes(tmp_path):
    place = tmp_path / "kept"
    with begun(tmp_path, stdout=subprocess.PIPE) as process:
        process.kill()
        process.communicate(timeout=300)  # ends only when the workers, who hold the pipe too, have ended
    before = times(place)
    assert 3 <= len(before) < 1600
    chosen = [sample(0, "pie", i) for i in range(6)]
    build(tmp_path / "resumed", kept=place, sources=chosen)
    assert times(place).items() >= before.items()  # nothing is drawn twice
    build(tmp_path / "whole", kept=tmp_path / "other", sources=chosen)
    assert content(tmp_path / "resumed") == content(tmp_path / "whole")
    assert {p.name for p in times(tmp_path / "other")} <= {p.name for p in times(place)}


@needs("sandbox")
def test_an_interrupt_waits_for_no_batch_and_keeps_what_was_drawn(tmp_path):
    # where the tests run in the background of a shell, the signal is ignored, and a child inherits that
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with begun(tmp_path, stderr=subprocess.PIPE, text=True, **heard) as process:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert errors.count("Traceback") == 1  # the caller's own: neither workers nor the pool complain
    # a batch not begun is never waited for: of 1,600 pictures, most are missing
    assert 3 <= len(times(tmp_path / "kept")) < 800


@needs("sandbox")
def test_a_terminated_command_ends_its_workers(tmp_path):
    with begun(tmp_path, TERMINATED, stderr=subprocess.PIPE, text=True) as process:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=300)  # ends only when the workers have ended
    assert (process.returncode, errors) == (128 + signal.SIGTERM, "mmmath: terminated\n")
    assert 3 <= len(times(tmp_path / "kept")) < 800


@needs("sandbox")
def test_a_changed_renderer_finds_nothing_of_the_former(tmp_path, monkeypatch):
    codes = {"python": [sample(0, "pie", 0).states["original"].code]}
    before = kept.draw(codes, tmp_path / "kept")
    changed = tmp_path / "render.py"
    changed.write_text(Path(render.__file__).read_text() + "# changed\n")
    monkeypatch.setattr(render, "__file__", str(changed))
    kept._renderer.cache_clear()
    after = kept.draw(codes, tmp_path / "kept")
    kept._renderer.cache_clear()
    assert set(before.values()).isdisjoint(after.values())


@pytest.mark.parametrize(("missing", "kind"), [("matplotlib", "pie"), ("pdftoppm", "geometry")])
def test_what_is_missing_is_said_before_anything_is_drawn(tmp_path, monkeypatch, missing, kind):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    if missing == "pdftoppm":
        (tmp_path / "pdflatex").touch(0o755)
    message = "mmmath-tasks\\[sandbox\\]" if missing == "matplotlib" else "Debian: poppler-utils"
    with pytest.raises(InputError, match=f"{missing}.*{message}"):
        build(tmp_path / "out", kept=tmp_path / "kept", sources=[sample(0, kind, 0)], processes=2)
    assert not (tmp_path / "out").exists()
