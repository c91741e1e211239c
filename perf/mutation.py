"""Mutants of the code that turns verdicts into numbers, and how many of them the tests notice.

mutmut makes the mutants (a `+` for a `-`, a constant, a condition, a text, an argument less); this file runs them. All
tests are collected once in one process; for each mutant that process is forked, the changed function takes the place of
the loaded one in the child, and the tests that execute the changed line run there, the quickest first, until one fails.
Which test executes which line is measured once (coverage.py) and again only for files of tests that have changed.

    pip install mutmut==3.8.1 coverage
    python perf/mutation.py --work /tmp/mutants --count 300 --seed 1 --out perf/mutation_survivors.txt
    python perf/mutation.py --work /tmp/mutants --only metrics/tally --count 0
    python perf/mutation.py --work /tmp/mutants --given mine.json   # [["metrics/tally.py", "old", "new"], ...]

The sample is stratified: three of each module, the others drawn from all. The share that is printed counts each mutant
once; the weighted one counts each module by the number of its mutants.

Left out of the share and counted apart, by rule and without being run ("by rule" in the table):
    wording: letters (XX around it, all large, all small) of a text that holds a space, inside a `raise`, a finding of
        `hub check`, a warning, a progress bar's name; and of any of five words and more but those that a judge is told.
        (A text that is lost as a whole, None in its place, is no wording: it is run.)
    guard: `strict=` of a zip whose iterables are made equally long just before.
    encoding: None or "UTF-8" for an encoding; the tests run where UTF-8 is the default.
    types: the first argument of `cast`, which does nothing.
What is known to change nothing, or nothing that anyone sees, has its reason beside it in the table of survivors, and
counts as survived all the same.

A lower bound: tests that start another process, the slow lane and tests beyond `--seconds` for one mutant cannot kill
here. Reading of answers has its own measurements (perf/answers_*).
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from fnmatch import fnmatch
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from mutant_tests import OPTIONS, map_tests
from mutants import ROOT, Mutant, built, functions, given, module_of, mutants_of, swap
from tqdm import tqdm

from mmmath_tasks.metrics.tally import wilson

MUTATED = ("metrics/*", "outputs/*", "judge/*", "model_card/*", "report/*", "hub_datasets/publishing/*", "scoring")
LEFT_OUT = ("metrics/answers/*", "metrics/figures/*")
FOLDERS = ("metrics", "outputs", "judge", "model_card", "report", "hub_datasets", "papers", "commands", "models")
TESTS = (
    "tests/test_contract.py",
    "tests/test_records.py",
    "tests/test_public_face.py",
    *(f"tests/{name}/**/*.py" for name in FOLDERS),
)
LEFT_OUT_TESTS = ("tests/metrics/answers/*", "tests/hub_datasets/mathopeval_generator/*", "*browser*", "*access*")
KILLED, SURVIVED, UNREACHED, BROKEN = "killed", "survived", "unreached", "untried"


class Runner:
    """A plugin of pytest that, in place of running all tests, runs for each mutant those that execute its line."""

    def __init__(self, mutants: Sequence[Mutant], work: Path, seconds: float, control: bool, log: Path | None) -> None:
        """Read the map of tests by line."""
        self.mutants, self.limit, self.control, self.log = mutants, seconds, control, log
        self.lines: dict[str, dict[str, dict[int, set[str]]]] = {}
        self.seconds: dict[str, float] = {}
        self.uses: dict[str, list[str]] = {}
        self.fixtures: dict[str, float] = {}
        for path in (work / "map").iterdir():
            one = json.loads(path.read_text())
            self.seconds |= one["seconds"]
            self.uses |= one["uses"]
            self.fixtures |= one["fixtures"]
            for file, names in one["lines"].items():
                for name, offsets in names.items():
                    kept = self.lines.setdefault(file, {}).setdefault(name, defaultdict(set))
                    for offset, tests in offsets.items():
                        kept[int(offset)].update(tests)
        self.states: dict[str, tuple[str, str]] = {}
        self.cpu = 0.0
        self.failed = ""

    def chosen(self, mutant: Mutant, collected: Collection[str]) -> list[str]:
        """Return the tests that execute a mutant's line, the likeliest first, within the limit of CPU seconds."""
        name, offset = functions(mutant.file.read_text()).get(mutant.line, ("", 0))
        by_line = self.lines.get(str(mutant.file), {}).get(name, {})
        line = max((n for n in by_line if n <= offset and by_line[n]), default=None)
        # an argument's default stands where no test passes by: any that calls the function may notice
        tests = by_line[line] if line is not None else set[str]().union(*by_line.values())
        kept: list[str] = []
        made, left = set[str](), self.limit
        stem, folder = mutant.file.stem, mutant.file.parent.name

        def order(test: str) -> tuple[int, float]:
            """Tests that are called like the module come first, then those of its folder, then the quick ones."""
            where = test.partition("::")[0]
            return (0 if stem in Path(where).stem else 1 if f"/{folder}/" in where else 2, self._cost(test))

        for test in sorted(tests & set(collected), key=order):
            left -= self._cost(test, made) + 0.003
            if left < 0 and kept:
                break
            kept.append(test)
            made.update(self.uses.get(test, ()))
        return kept

    def _cost(self, test: str, made: Collection[str] = ()) -> float:
        """Return CPU seconds of a test with the fixtures that it shares, but for those that are there already."""
        return self.seconds[test] + sum(self.fixtures[name] for name in self.uses.get(test, ()) if name not in made)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run every mutant."""
        items = {item.nodeid: item for item in session.items}
        for file in {m.file for m in self.mutants}:
            importlib.import_module(f"mmmath_tasks.{module_of(file)}")
        loaded: dict[str, list[FunctionType]] = defaultdict(list)
        for found in gc.get_objects():
            if isinstance(found, FunctionType) and (found.__module__ or "").startswith("mmmath_tasks."):
                loaded[found.__module__].append(found)
        gc.collect()
        gc.freeze()
        for mutant in tqdm(self.mutants, "Mutants", disable=None):
            tests = [items[name] for name in self.chosen(mutant, items)]
            if tests:
                self.states[mutant.name] = self.run(mutant, tests, loaded[f"mmmath_tasks.{module_of(mutant.file)}"])
            else:
                self.states[mutant.name] = UNREACHED, ""
            if self.log:
                with self.log.open("a") as log:
                    print(mutant.name, *self.states[mutant.name], sep="\t", file=log)
        return True

    def run(self, mutant: Mutant, items: Sequence[Any], loaded: Sequence[FunctionType]) -> tuple[str, str]:
        """Return the state of a mutant and the test that killed it, having run its tests in a forked process."""
        reading, writing = os.pipe()
        expected = sum(self._cost(item.nodeid) for item in items)
        child = os.fork()
        if child == 0:
            code = 3
            try:
                null = os.open(os.devnull, os.O_RDWR)
                for number in (0, 1, 2):
                    os.dup2(null, number)
                resource.setrlimit(resource.RLIMIT_CPU, (int(10 + 4 * expected),) * 2)
                code = self._run_items(items) if self.control or swap(mutant, loaded) else 4
                os.write(writing, self.failed.encode())
            finally:
                os._exit(code)
        os.close(writing)
        end = time.monotonic() + 20 + 10 * expected
        while True:
            pid, status, usage = os.wait4(child, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                os.kill(child, 9)
            time.sleep(0.02)
        self.cpu += usage.ru_utime + usage.ru_stime
        with os.fdopen(reading) as pipe:
            failed = pipe.read()
        code = os.waitstatus_to_exitcode(status)
        return ({0: SURVIVED, 4: BROKEN}.get(code, KILLED), failed or {0: "", 4: ""}.get(code, f"exit {code}"))

    def _run_items(self, items: Sequence[Any]) -> int:
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return 1
        return 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure; called in the child."""
        if report.failed:
            self.failed = report.nodeid


def draw(pool: dict[str, list[str]], count: int, seed: int, each: int = 3) -> list[str]:
    """Return names in no order: `each` of those of every module, the others drawn from all; all for count 0."""
    chance = random.Random(seed)
    everything = sorted(name for names in pool.values() for name in names)
    everything = chance.sample(everything, len(everything))  # so that a run that is stopped has tried a random part
    if not count:
        return everything
    first = [name for names in pool.values() for name in chance.sample(names, min(each, len(names)))]
    others = [name for name in everything if name not in set(first)]
    drawn = [*first, *others[: max(0, count - len(first))]]
    return chance.sample(drawn, len(drawn))


def tell(mutants: Sequence[Mutant], runner: Runner, sizes: dict[str, int]) -> None:
    """Print the table by module and the shares."""
    by_module: dict[str, Counter[str]] = defaultdict(Counter)
    rules: Counter[str] = Counter()
    for mutant in mutants:
        state = "by rule" if mutant.rule else runner.states[mutant.name][0]
        by_module[module_of(mutant.file)][state] += 1
        rules[mutant.rule] += 1
    heads = ("by rule", KILLED, SURVIVED, UNREACHED, BROKEN)
    print(f"{'module':40}{'drawn':>10}" + "".join(f"{h:>11}" for h in heads))
    for module, found in sorted(by_module.items()):
        print(f"{module:40}{found.total():10}" + "".join(f"{found[h]:11}" for h in heads))
    total = sum(by_module.values(), Counter[str]())
    print(f"{'all':40}{total.total():10}" + "".join(f"{total[h]:11}" for h in heads))
    tried = total[KILLED] + total[SURVIVED] + total[UNREACHED]
    low, high = wilson(total[KILLED], tried)
    print(f"\n{total[KILLED]} of {tried} killed: {total[KILLED] / max(1, tried):.1%} (95 %: {low:.1%} to {high:.1%})")
    shares = {
        m: (f[KILLED] / t, sizes.get(m, 0)) for m, f in by_module.items() if (t := f.total() - f["by rule"] - f[BROKEN])
    }
    weight = sum(size for _, size in shares.values())
    if weight:
        print(f"weighted by module: {sum(share * size for share, size in shares.values()) / weight:.1%}")
    print(f"by rule: {', '.join(f'{rule} {n}' for rule, n in sorted(rules.items()) if rule) or 'none'}")
    print(f"{runner.cpu / max(1, len(runner.states)):.2f} CPU seconds a mutant, {runner.cpu:.0f} in all")


def write_survivors(path: Path, mutants: Sequence[Mutant], runner: Runner) -> None:
    """Write those that no test noticed: name, change, and the reason that stood there before for the same change."""
    known = {}
    for block in path.read_text().split("\n\n") if path.exists() else ():
        lines = block.strip().split("\n")
        if lines[-1].startswith("= "):
            known["\n".join(line for line in lines[1:] if line[:1] in "+-")] = lines[-1]
    blocks = []
    for mutant in mutants:
        state = runner.states.get(mutant.name, ("", ""))[0]
        if state in (SURVIVED, UNREACHED):
            change = mutant.change()
            blocks.append(f"{mutant.name} line {mutant.line} {state}\n{change}\n{known.get(change, '= ')}\n")
    path.write_text("\n".join(sorted(blocks)))


def fits(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def path_of(file: Path) -> str:
    return module_of(file).replace(".", "/")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="mutants that are drawn; 0: all (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=MUTATED, help="modules to change (default: %(default)s)")
    parser.add_argument("--match", default="*", help="only mutants whose name matches, as *tally.wilson#*")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="the tests that may notice (default: %(default)s)")
    parser.add_argument("--given", type=Path, help="mutants written by hand, in place of mutmut's")
    parser.add_argument("--seconds", type=float, default=15, help="CPU seconds of tests a mutant (default: 15)")
    parser.add_argument("--control", action="store_true", help="change nothing; tests that fail all the same are named")
    parser.add_argument("--work", type=Path, required=True, help="a folder for the map of tests by line")
    parser.add_argument("--out", type=Path, help="a text file for the survivors, each with its change and its reason")
    parser.add_argument("--killers", type=Path, help="a text file for states and the tests that killed, as they come")
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "perf")))
    every = {p.resolve() for d in ("metrics", "hub_datasets", "mmmath_tasks") for p in (ROOT / d).rglob("*.py")}
    files = [file for file in sorted(every) if fits(path_of(file), MUTATED) and not fits(path_of(file), LEFT_OUT)]
    tests = sorted(p for q in args.tests for p in ROOT.glob(q) if p.match("test_*.py"))
    tests = [p for p in tests if not fits(str(p.relative_to(ROOT)), LEFT_OUT_TESTS)]
    map_tests(args.work, files, tests)
    sizes: dict[str, int] = {}
    if args.given:
        mutants = given(args.given)
    else:
        made = {
            name: parts
            for file in tqdm(files, "Mutants by file", disable=None)
            if fits(path_of(file), args.only)
            for name, parts in mutants_of(file)
        }
        pool: dict[str, list[str]] = defaultdict(list)
        for name in made:
            if fnmatch(name, args.match):
                pool[module_of(made[name][0])].append(name)
        sizes = {module: len(names) for module, names in pool.items()}
        drawn = draw(pool, args.count, args.seed)
        mutants = [built(name, made[name]) for name in drawn]
        print(f"{sum(sizes.values()):,} mutants of {len(sizes)} modules, {len(mutants):,} drawn with seed {args.seed}")
    runner = Runner([m for m in mutants if not m.rule], args.work, args.seconds, args.control, args.killers)
    if pytest.main([*OPTIONS, f"--basetemp={args.work / f'tmp{os.getpid()}'}", *map(str, tests)], plugins=[runner]):
        sys.exit("the tests cannot be collected: see pytest --collect-only")
    tell(mutants, runner, sizes)
    if args.out:
        write_survivors(args.out, mutants, runner)


if __name__ == "__main__":
    main()
