"""What scripts may import and which LaTeX packages they find is a named set, and what differs from it is said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mmmath_tasks.commands import doctor
from mmmath_tasks.sandbox import environment, run_programs
from mmmath_tasks.sandbox.memory_group import MemoryGroup, _made
from support.needs import needs

pytestmark = needs("sandbox")

MODULES = {"pillow": "PIL"}


@pytest.mark.medium
@needs("bwrap")
def test_a_script_imports_the_named_set_and_nothing_else():
    named = [MODULES.get(name, name) for name in environment.PYTHON]
    others = ("lm_eval", "datasets", "torch", "pydantic", "pyarrow", "pytest", "tqdm", "yaml")
    tries = "".join(
        f"try:\n    import {m}\n    print('{m}')\nexcept ImportError:\n    pass\n" for m in (*named, *others)
    )
    (done,) = run_programs([tries])
    assert done.stdout.split() == named


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(environment, "PYTHON", (*environment.PYTHON, "a-package-that-is-not-there"))
    assert "the Python package a-package-that-is-not-there is missing" in environment.differences()
    assert environment.versions()["a-package-that-is-not-there"] == ""
    assert any("a-package-that-is-not-there is missing" in line for line in doctor.sandbox())


def test_missing_tex_is_named(monkeypatch):
    monkeypatch.setattr(environment, "_tex_version", lambda: "")
    assert environment.differences() == ["TeX is missing"]
    monkeypatch.setattr(environment, "_tex_version", lambda: "pdfTeX 3")
    monkeypatch.setattr(environment, "_LISTS", Path("/nowhere"))
    assert environment.differences() == ["TeX is not Debian's: which LaTeX packages there are is not known"]
    assert list(environment.hidden_tex()) in ([], [Path("/usr/local/share/texmf")])


def test_other_latex_packages_are_hidden(monkeypatch, tmp_path):
    for name in ("tikz", "extra"):
        (tmp_path / "tex/latex" / name).mkdir(parents=True)
    (tmp_path / "texlive-pictures.list").write_text(f"{tmp_path}/tex/latex/tikz\n")
    monkeypatch.setattr(environment, "_LISTS", tmp_path)
    monkeypatch.setattr(environment, "_TREES", (str(tmp_path / "tex"),))
    monkeypatch.setattr(environment, "_LOCAL", str(tmp_path / "none"))
    assert list(environment.hidden_tex()) == [tmp_path / "tex/latex/extra"]


def test_a_group_of_version_2_bounds_memory_and_processes(tmp_path, monkeypatch):
    """On a tree of plain files: which files are written, and that what cannot be had is done without."""
    (tmp_path / "cgroup.controllers").write_text("memory pids")
    monkeypatch.setattr("mmmath_tasks.sandbox.memory_group._parents", lambda root: [root])
    assert MemoryGroup.make(2**30, tmp_path).folders == ()  # no such files: the controllers are not switched on
    assert MemoryGroup.make(2**30, tmp_path / "none").around(["true"]) == ["true"]


ON_VERSION_2 = """
import subprocess, sys
from pathlib import Path
from mmmath_tasks.sandbox import memory_group
root = Path(sys.argv[1])
group = memory_group.MemoryGroup.make(2**30, root)
whole = bool(group.folders)
if not whole:  # this kernel's memory controller is elsewhere: the same with a bound that every group has
    group = memory_group.MemoryGroup([memory_group._made(root, {"cgroup.max.descendants": 7})])
(folder,) = group.folders
held = subprocess.Popen(group.around(["cat"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
held.stdin.write(b"x")
held.stdin.flush()
held.stdout.read(1)
print((folder / "cgroup.procs").read_text().split() == [str(held.pid)])
print((folder / ("memory.max" if whole else "cgroup.max.descendants")).read_text().strip())
held.communicate()
group.close()
print(folder.exists())
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount control groups")
def test_a_group_of_version_2_on_the_real_thing(tmp_path):
    """In a mount namespace of its own, where version 2 is mounted beside whatever this machine uses."""
    mounted = 'mount -t cgroup2 none "$1" || exit 77; exec "$0" -c "$2" "$1"'
    words = ["unshare", "--mount", "sh", "-c", mounted, sys.executable, str(tmp_path), ON_VERSION_2]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("version 2 cannot be mounted here")
    assert done.stderr == ""
    joined, bound, left = done.stdout.split()
    assert (joined, left) == ("True", "False")
    assert bound in ("7", str(2**30))


def test_groups_that_a_killed_process_left_go(tmp_path):
    """Removing a group that is in use fails, as removing a folder that is not empty does."""
    used, left, new = (tmp_path / f"mmmath-jail-{name}" for name in ("used", "left", "new"))
    for folder in (used, left, new):
        folder.mkdir()
    (used / "process").touch()
    for folder in (used, left):
        os.utime(folder, (0, 0))
    assert _made(tmp_path, {}) is not None
    assert (used.exists(), left.exists(), new.exists()) == (True, False, True)


@pytest.mark.medium
@needs("bwrap")
def test_all_that_is_in_a_jail_is_in_its_group():
    from mmmath_tasks.sandbox.jail import Jail, Limits

    with Jail() as jail:
        jail.run("program", "pass", Limits())
        folders = jail._group.folders
        if not folders:
            pytest.skip("no control group can be made here")
        inside = [(folder / "cgroup.procs").read_text().split() for folder in folders]
        assert all(len(processes) >= 2 for processes in inside)  # bubblewrap, and the Python in it
        bound = [
            (f / n).read_text() for f in folders for n in ("memory.max", "memory.limit_in_bytes") if (f / n).exists()
        ]
        assert [int(text) for text in bound] == [3 * 2**30]
        jail.run("program", "pass", Limits(memory=3 * 2**30))
        bound = [
            (f / n).read_text() for f in folders for n in ("memory.max", "memory.limit_in_bytes") if (f / n).exists()
        ]
        assert [int(text) for text in bound] == [4 * 2**30]
    assert not any(folder.exists() for folder in folders)
