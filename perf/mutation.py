"""Mutants of the code that turns verdicts into numbers, and how many of them the tests notice.

A copy of the tracked files is laid out without links, changed in small ways by mutmut (a `+` for a `-`, a constant, a
condition, a text), and the tests that reach each change are run. Reading of answers is measured by perf/answers_*.

    pip install mutmut==3.8.1
    python perf/mutation.py --work /tmp/mutants --count 800 --out survivors.json
    python perf/mutation.py --work /tmp/few --only metrics/tally --tests tests/metrics --count 0

mutmut rather than cosmic-ray: it forks a process that has imported all already, where cosmic-ray starts one a mutant,
and it runs only the tests that reach the changed function.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAPPED = ("metrics", "hub_datasets", "yaml_tasks")
MUTATED = ("metrics/*", "outputs/*", "judge/*", "model_card/*", "report/*", "hub_datasets/publishing/*")
LEFT_OUT = ("metrics/answers/*", "metrics/figures/*")
TESTS = tuple(
    f"tests/{name}" for name in ("metrics", "outputs", "judge", "model_card", "report", "hub_datasets", "papers")
)
PLUGIN = '''\
"""For the tests of mutants: a deeper stack, since mutmut puts a call around each function, and tests by name."""
import sys

sys.setrecursionlimit(6000)
_wanted = set()


def pytest_configure(config):
    """Take names of tests for what they are: pytest cannot find those that hold "::" or brackets by themselves."""
    _wanted.clear()
    _wanted.update(name for name in config.args if "::" in name)
    config.args[:] = dict.fromkeys(name.partition("::")[0] for name in config.args)


def pytest_collection_modifyitems(items):
    if _wanted:
        items[:] = [item for item in items if item.nodeid in _wanted]
'''
KILLED, SURVIVED, UNTESTED = "killed", "survived", "no test reaches it"
STATES = {0: SURVIVED, 5: UNTESTED, 33: UNTESTED}


def lay_out(work: Path, only: Sequence[str], tests: Sequence[str]) -> None:
    """Copy the tracked files, the mapped folders as real ones inside the package, and add mutmut's settings.

    Args:
        work: where to.
        only: modules to change, as patterns of paths below the package without their ending.
        tests: files or folders of tests.
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S607
    for name in filter(None, listed.stdout.split("\0")):
        source = ROOT / name
        if source.is_file() and not source.is_symlink():
            target = work / ("mmmath_tasks" if name.split("/")[0] in MAPPED else "") / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    (work / "mutation_plugin.py").write_text(PLUGIN)
    settings = {
        "source_paths": ["mmmath_tasks"],
        "only_mutate": [f"mmmath_tasks/{name}.py" for name in only],
        "do_not_mutate": [f"mmmath_tasks/{name}" for name in LEFT_OUT],
        "also_copy": sorted(p.name for p in work.iterdir() if p.name not in ("mmmath_tasks", "tests")),
        "pytest_add_cli_args": ["-p", "mutation_plugin", "-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": list(tests),
    }
    with (work / "pyproject.toml").open("a") as file:
        file.write("\n[tool.mutmut]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))


def states(work: Path) -> dict[str, int | None]:
    """Return each mutant's exit code of its tests; None where they have not run."""
    found: dict[str, int | None] = {}
    for file in sorted((work / "mutants").rglob("*.meta")):
        found |= json.loads(file.read_text())["exit_code_by_key"]
    return found


def mutmut(work: Path, *arguments: str) -> str:
    """Run mutmut there and return what it prints; its progress goes to a file."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(command, cwd=work, check=False, capture_output=True, text=True)  # noqa: S603
    (work / "mutmut.log").write_text(done.stdout + done.stderr)
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400, help="mutants that are drawn; 0: all (default: 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", default="*", help="only mutants whose dotted name matches, as *metrics.tally*")
    parser.add_argument("--only", nargs="+", default=MUTATED, help="modules to change (default: %(default)s)")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="the tests that may notice (default: %(default)s)")
    parser.add_argument(
        "--work", type=Path, required=True, help="a folder for the copy; one that exists is gone on with"
    )
    parser.add_argument("--out", type=Path, help="a JSON file for the survivors, each with its change")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    if not (args.work / "pyproject.toml").exists():
        lay_out(args.work, args.only, args.tests)
    if not states(args.work):
        mutmut(args.work, "run", "nothing")  # a name that no mutant has: it writes all mutants and times all tests
    names = [name for name in sorted(states(args.work)) if fnmatch(name, args.match)]
    drawn = random.Random(args.seed).sample(names, min(args.count or len(names), len(names)))
    todo = [name for name in drawn if states(args.work)[name] is None]
    if todo:
        mutmut(args.work, "run", *todo, "--max-children", str(args.processes))
    after = {name: code for name, code in states(args.work).items() if name in set(drawn) and code is not None}
    if not after:
        log = args.work / "mutmut.log"
        sys.exit(f"mutmut tried none; the end of {log}:\n{log.read_text()[-2000:]}")
    by_module: dict[str, Counter[str]] = {}
    for name, code in after.items():
        module = name.rpartition(".")[0].removeprefix("mmmath_tasks.")
        by_module.setdefault(module, Counter())[STATES.get(code, KILLED)] += 1
    print(f"{'module':44}{'tried':>10}{'killed':>10}{'survived':>10}{'unreached':>10}")
    for module, found in sorted(by_module.items()):
        print(f"{module:44}{found.total():10}{found[KILLED]:10}{found[SURVIVED]:10}{found[UNTESTED]:10}")
    total = sum(by_module.values(), Counter())
    share = total[KILLED] / max(total.total(), 1)
    print(f"{len(names):,} mutants, {len(drawn):,} drawn, {total.total():,} tried: {total[KILLED]:,} killed")
    print(f"({share:.1%}), {total[SURVIVED]:,} survived, {total[UNTESTED]:,} reached by no test")
    if args.out:
        alive = [name for name, code in after.items() if code in STATES]
        args.out.write_text(json.dumps({name: mutmut(args.work, "show", name) for name in alive}, indent=1) + "\n")


if __name__ == "__main__":
    main()
