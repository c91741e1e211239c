"""No script learns the reference, and none leaves anything to those after it: as root and as an ordinary user."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from mmmath_tasks.sandbox import Attempt, execution_scores, figures, run_figures
from support.needs import needs
from support.poisons import LEAVES, REFERENCE, STEALS

pytestmark = [
    pytest.mark.medium,
    needs("sandbox", "bwrap"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls are named by their numbers on x86_64"),
]

# What takes from a script itself what its figure needs
SELF_INFLICTED = ("modules changed", "reply folder without rights", "pipes")


def items(poisons, following):
    """Interleave poisons with items that are right; every one has a reference of its own."""
    number = 0
    for poison in poisons:
        number += 1
        yield False, Attempt("bar", "mcg", REFERENCE.format(7.25 + number), poison)
        for _ in range(following):
            number += 1
            code = REFERENCE.format(7.25 + number)
            yield True, Attempt("bar", "mcg", code, f"# generated\n{code}")


@pytest.mark.parametrize("following", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_the_score_of_all_others_is_as_without(following):
    poisons = STEALS | LEAVES
    right, attempts = zip(*items(poisons.values(), following), strict=True)
    before = figures._jail(0)._process
    scores = execution_scores(attempts)
    assert before is None or figures._jail(0)._process is before, "the jail had to be built anew"
    assert {s.score for s, good in zip(scores, right, strict=True) if good} == {1}
    bad = {name: s for name, s in zip(poisons, scores[:: following + 1], strict=True) if s.score}
    assert bad == {}


@pytest.mark.parametrize("name", LEAVES)
def test_what_is_refused_is_refused(name):
    (drawing,) = run_figures([LEAVES[name]], pictures=False)
    assert drawing.ok or name in SELF_INFLICTED, (drawing.cause, drawing.message)


LOOK = """
import os, resource, sys
print(os.sched_getscheduler(0), len(os.sched_getaffinity(0)), os.getpriority(os.PRIO_PROCESS, 0), os.listdir("."),
      os.listdir("/tmp"), os.stat(".").st_mode, os.listdir("/reply"), resource.getrlimit(resource.RLIMIT_CPU))
"""


def test_every_script_finds_the_same_world():
    from mmmath_tasks.sandbox import run_programs

    (first,) = run_programs([LOOK])
    for poison in LEAVES.values():
        run_figures([poison], pictures=False)
        assert run_programs([LOOK])[0].stdout == first.stdout


def memory():
    found = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    return sum(int(found[name].split()[0]) for name in ("Shmem", "Slab"))


def test_memory_that_only_the_kernel_counts_comes_back():
    hungry = [LEAVES[name] for name in ("a full scratch folder", "many empty files", "SysV shared memory", "pipes")]
    run_figures(hungry)
    before = memory()
    run_figures(hungry * 3)
    assert memory() - before < 100 * 1024  # KiB; what they took once is 70 MiB each


def test_where_no_namespaces_can_be_made_the_jail_is_built_anew_for_every_item(monkeypatch):
    """What a kernel that refuses them leads to: here the jail is not given the right to make any."""
    from mmmath_tasks.sandbox import jail

    whole = jail.command

    def without_rights(filters):
        words = whole(filters)
        at = words.index("--cap-add")
        return words[:at] + words[at + 2 :]

    monkeypatch.setattr(jail, "command", without_rights)
    with jail.Jail() as built:
        first = built.run("program", LOOK, jail.Limits())
        assert first.stdout
        for name in ("folder without rights", "files"):
            assert built._process is None
            assert built.run("matplotlib", LEAVES[name], jail.Limits(), False).cause == ""
            assert built.run("program", LOOK, jail.Limits()).stdout == first.stdout


@pytest.mark.parametrize("following", [1, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_as_an_ordinary_user(tmp_path, following):
    """The same in a process of user 65534, with Python and packages that this user may read."""
    if not os.access(sys.prefix, os.R_OK) or not _readable(sys.prefix):
        pytest.skip("an ordinary user cannot read this Python environment")
    code = (
        "import json, sys\nfrom sandbox.test_poisons import items\nfrom support.poisons import LEAVES, STEALS\n"
        "from mmmath_tasks.sandbox import execution_scores\n"
        "right, attempts = zip(*items((STEALS | LEAVES).values(), int(sys.argv[1])))\n"
        "scores = execution_scores(attempts)\n"
        "kinds = [sorted({s.score for s, g in zip(scores, right) if g is kind}) for kind in (True, False)]\n"
        "print(json.dumps(kinds))"
    )
    here = Path(__file__).parents[1]
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", code, str(following)],
        capture_output=True,
        text=True,
        cwd=here,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [[1], [0]]


def _readable(folder):
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in [Path(folder), *Path(folder).parents])
