"""Without the jail nothing runs, and the message says what to install."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.sandbox import environment, jail, run_figures, run_programs
from mmmath_tasks.sandbox.jail import Jail
from mmmath_tasks.sandbox.records import parse
from support.needs import needs


def test_all_that_is_missing_is_named_at_once(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(environment, "NEEDED", ("a_package_that_is_not_there",))
    with pytest.raises(InputError) as refused:
        Jail()
    said = str(refused.value).splitlines()
    assert "a_package_that_is_not_there" in said[0]
    assert "pip install" in said[0]
    assert "mmmath-tasks[sandbox]" in said[0]
    assert "Debian package bubblewrap" in said[-1]


def test_missing_tex_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="texlive-latex-base and texlive-pictures"):
        run_figures([r"\draw (0,0) -- (1,1);"], "tikz")


@needs("sandbox")
def test_jail_that_cannot_start_says_why(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(InputError, match="No permissions to create new namespace"), Jail() as broken:
        broken.run("program", "print(1)", jail.Limits())


@pytest.mark.medium
@needs("sandbox", "bwrap")
def test_figures_repeat_byte_for_byte_in_another_jail():
    code = (
        "import matplotlib.pyplot as plt, numpy as np\nplt.plot(np.random.rand(9))\nplt.title('Zufall ü')\nplt.show()"
    )
    (first,) = run_figures([code])
    with Jail() as other:
        ended = other.run("matplotlib", code, jail.Limits())
    assert ended.cause == ""
    assert parse(ended.left)[2:] == (first.elements, first.png)


@needs("sandbox", "bwrap")
def test_programs_print():
    done = run_programs(["print(6 * 7)", "import sys\nprint('no', file=sys.stderr)", "1 / 0", "print(input())"])
    assert [(d.ok, d.stdout) for d in done] == [(True, "42\n"), (True, ""), (False, ""), (False, "")]
    assert "ZeroDivisionError" in done[2].message


@needs("sandbox", "bwrap")
def test_jails_side_by_side_keep_the_order():
    codes = [f"print({n})" for n in range(12)]
    assert [d.stdout for d in run_programs(codes, workers=2)] == [f"{n}\n" for n in range(12)]


def lives(process):
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.medium
@needs("sandbox", "bwrap")
def test_jail_ends_with_its_process():
    code = (
        "import os, signal\nfrom mmmath_tasks.sandbox import figures, run_programs\nrun_programs(['print(1)'])\n"
        "print(figures._jail(0)._process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    until = time.monotonic() + 120
    while lives(int(done.stdout)):
        assert time.monotonic() < until, "the jail outlived its process"
        time.sleep(0.02)
