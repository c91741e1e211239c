"""Which test executes which line of the code that is changed, and what it costs; see mutation.py."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage
from mutants import ROOT, functions

OPTIONS = ("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
NOTHING: dict[str, Any] = {"lines": {}, "seconds": {}, "uses": {}, "fixtures": {}}


class Mapper:
    """A plugin of pytest that measures the lines of the mutated files that each test executes, and its CPU seconds."""

    def __init__(self, files: Iterable[Path]) -> None:
        """Begin with nothing measured."""
        self.now = ""
        self.coverage = Coverage(data_file=None, config_file=False, include=[str(f) for f in files])
        self.seconds: dict[str, float] = {}
        self.fixtures: dict[str, float] = {}
        self.used: dict[str, list[str]] = {}

    def pytest_collection_finish(self) -> None:
        """Measure from here on: what runs while modules are imported is no test's."""
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        """Measure what tests share for itself: each that uses it executes its lines."""
        if fixturedef.scope == "function":
            return (yield)
        name = f"{fixturedef.baseid}@{fixturedef.argname}"
        self.coverage.switch_context(name)
        before = _cpu()
        try:
            return (yield)
        finally:
            self.fixtures[name] = _cpu() - before
            self.coverage.switch_context(self.now)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        """Measure one test."""
        self.now = item.nodeid
        self.coverage.switch_context(self.now)
        before, fixed = _cpu(), sum(self.fixtures.values())
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = _cpu() - before - (sum(self.fixtures.values()) - fixed)
            info = getattr(item, "_fixtureinfo", None)
            defs = [d for group in info.name2fixturedefs.values() for d in group] if info else []
            self.used[item.nodeid] = [f"{d.baseid}@{d.argname}" for d in defs if d.scope != "function"]
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Name a test that fails as it is: what it would kill says nothing."""
        if report.failed:
            print(f"fails without any mutant: {report.nodeid}", file=sys.stderr)

    def results(self) -> dict[str, dict[str, Any]]:
        """Return for each file of tests its tests by file, function and line from the `def`, and their CPU seconds."""
        self.coverage.stop()
        data = self.coverage.get_data()
        users: dict[str, list[str]] = defaultdict(list)
        for test, names in self.used.items():
            for name in names:
                users[name].append(test)
        found: dict[str, dict[str, Any]] = {}
        for test, own in self.seconds.items():
            one = found.setdefault(test.partition("::")[0], {name: {} for name in NOTHING})
            one["seconds"][test] = round(own, 4)
            one["uses"][test] = [name for name in self.used[test] if self.fixtures.get(name, 0) > 0.01]
            one["fixtures"] |= {name: round(self.fixtures[name], 4) for name in one["uses"][test]}
        for file in data.measured_files():
            at = functions(Path(file).read_text())
            for number, contexts in data.contexts_by_lineno(file).items():
                if number in at:
                    name, offset = at[number]
                    for test in {t for c in contexts for t in users.get(c, [c])} & set(self.used):
                        lines = found[test.partition("::")[0]]["lines"].setdefault(file, {}).setdefault(name, {})
                        lines.setdefault(str(offset), []).append(test)
        return found


def _cpu() -> float:
    return sum(os.times()[:4])


def map_tests(work: Path, files: Sequence[Path], tests: Sequence[Path]) -> None:
    """Measure the files of tests that are new or changed, each into work/map/, and forget those that are gone."""
    folder = work / "map"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {_mapped(test): test for test in tests}
    for name in wanted:
        for path in folder.glob(f"{name.rpartition('-')[0]}-*"):
            if path.name != name:
                path.unlink()
    new = [str(test.relative_to(ROOT)) for name, test in wanted.items() if not (folder / name).exists()]
    if new:
        argument = json.dumps([str(folder), [str(f) for f in files], new])
        subprocess.run([sys.executable, __file__, argument], cwd=ROOT, check=True)  # noqa: S603


def map_some(folder: str, files: Sequence[str], tests: Sequence[str]) -> None:
    """Measure files of tests in this process; see map_tests."""
    mapper = Mapper(map(Path, files))
    pytest.main([*OPTIONS, *tests], plugins=[mapper])
    found = mapper.results()
    for test in tests:
        (Path(folder) / _mapped(ROOT / test)).write_text(json.dumps(found.get(test, NOTHING)))


def _mapped(test: Path) -> str:
    name = str(test.relative_to(ROOT)).replace("/", "-")
    return f"{name}-{hashlib.sha256(test.read_bytes()).hexdigest()[:16]}.json"


if __name__ == "__main__":  # a process of its own: coverage of what others have imported is none
    map_some(*json.loads(sys.argv[1]))
