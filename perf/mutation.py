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
import ast
import difflib
import gc
import hashlib
import importlib
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import libcst as cst
import pytest
from coverage import Coverage
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import Mutation, MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode
from tqdm import tqdm

from mmmath_tasks.metrics.tally import wilson

ROOT = Path(__file__).resolve().parents[1]
MUTATED = ("metrics/*", "outputs/*", "judge/*", "model_card/*", "report/*", "hub_datasets/publishing/*", "scoring")
LEFT_OUT = ("metrics/answers/*", "metrics/figures/*")
FOLDERS = ("metrics", "outputs", "judge", "model_card", "report", "hub_datasets", "papers", "commands", "models")
TESTS = ("tests/test_contract.py", "tests/test_records.py", *(f"tests/{name}/**/*.py" for name in FOLDERS))
LEFT_OUT_TESTS = ("tests/metrics/answers/*", "tests/hub_datasets/mathopeval_generator/*", "*browser*", "*access*")
OPTIONS = ("-qqq", "--tb=no", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
SPEAKING = {"Finding", "warn", "warning", "tqdm"}
KILLED, SURVIVED, UNREACHED, BROKEN = "killed", "survived", "unreached", "untried"


@dataclass(frozen=True)
class Mutant:
    """One change of a file: its name, the file, the line that changes, the text after, the rule that sets it apart."""

    name: str
    file: Path
    line: int
    source: str
    rule: str = ""

    def change(self) -> str:
        """Return the lines that differ, before and after."""
        lines = difflib.unified_diff(self.file.read_text().splitlines(), self.source.splitlines(), n=0, lineterm="")
        return "\n".join(line[0] + line[1:].strip() for line in list(lines)[3:])


class _Visitor(MutationVisitor):
    """mutmut's, that also notes the nodes around each mutation."""

    def __init__(self, module: str) -> None:
        self.module = module
        super().__init__(mutation_operators, IgnoredCode(set(), set(), set()))
        self._around: list[cst.CSTNode] = []
        self.rules: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        goes_on = super().on_visit(node)
        self._around.append(node)
        self.rules += [_rule(m, self._around, self.module) for m in self.mutations[len(self.rules) :]]
        return goes_on

    def on_leave(self, original_node: cst.CSTNode) -> None:
        super().on_leave(original_node)
        self._around.pop()


def _rule(mutation: Mutation, around: Sequence[cst.CSTNode], module: str) -> str:
    """Return the rule of the module's docstring that sets a mutation apart, "" for none."""
    old, new = mutation.original_node, mutation.mutated_node
    if isinstance(old, cst.SimpleString) and isinstance(new, cst.SimpleString) and " " in old.value:
        called = {_called(node) for node in around if isinstance(node, cst.Call)}
        if called & SPEAKING or any(isinstance(node, cst.Raise) for node in around) or _is_prose(old.value, module):
            return "wording"
    for node in around[-3:]:
        if isinstance(node, cst.Arg) and node.keyword and node.keyword.value == "strict":
            return "guard"
        if isinstance(node, cst.Arg) and node.keyword and node.keyword.value == "encoding":
            return "encoding"
    if isinstance(old, cst.Call) and isinstance(new, cst.Call):
        gone = [a for a in old.args if not any(a is b for b in new.args)]
        for arg in gone:
            if arg.keyword and arg.keyword.value in ("strict", "encoding"):
                return {"strict": "guard"}.get(arg.keyword.value, "encoding")
        if _called(old) == "cast" and gone[:1] == [old.args[0]] and len(new.args) == len(old.args):
            return "types"
    return "types" if any(isinstance(n, cst.Call) and _called(n) == "cast" for n in around[-3:-1]) else ""


def _is_prose(text: str, module: str) -> bool:
    """Say whether a text is a sentence, or a good part of one, for people; what a judge is told is none of those."""
    return text.count(" ") > 3 and not module.startswith("judge.")


def _called(node: cst.Call) -> str:
    """Return the last part of the name that is called."""
    found = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    return found.value if isinstance(found, cst.Name) else ""


def mutants_of(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name of each of mutmut's mutants of a file and what makes it."""
    wrapper = MetadataWrapper(cst.parse_module(file.read_text()))
    visitor = _Visitor(_module(file))
    module = wrapper.visit(visitor)
    places, within = wrapper.resolve(PositionProvider), functions(module.code)
    numbers: Counter[str] = Counter()
    for mutation, rule in zip(visitor.mutations, visitor.rules, strict=True):
        function = mutation.contained_by_top_level_function
        if not isinstance(function, cst.FunctionDef):
            continue
        qualified = within[places[function].start.line][0]
        numbers[qualified] += 1
        name = f"{_module(file)}.{qualified}#{numbers[qualified]}"
        yield name, (file, module, mutation, places, rule)


def built(name: str, parts: Any) -> Mutant:
    """Return a mutant with the file's text after its change."""
    file, module, mutation, places, rule = parts
    place = places.get(mutation.original_node) or places[mutation.contained_by_top_level_function]
    changed = deep_replace(module, mutation.original_node, mutation.mutated_node)
    return Mutant(name, file, place.start.line, changed.code, rule)  # type: ignore[union-attr]


def given(path: Path) -> list[Mutant]:
    """Return mutants written by hand: a JSON list of (file, a text that stands in it once, what takes its place)."""
    found = []
    for i, (name, old, new) in enumerate(json.loads(path.read_text()), start=1):
        file = (ROOT / name).resolve()
        text = file.read_text()
        if text.count(old) != 1:
            sys.exit(f"{path}, {i}: {old!r} stands {text.count(old)} times in {name}")
        line = text[: text.index(old)].count("\n") + 1 + (len(old) - len(old.lstrip("\n")))
        found.append(Mutant(f"{_module(file)}#{i}", file, line, text.replace(old, new)))
    return found


def _module(file: Path) -> str:
    """Return a module's name below the package."""
    parts = str(file.relative_to(ROOT).with_suffix("")).removeprefix("mmmath_tasks/").removesuffix("/__init__")
    return parts.replace("/", ".")


# -- which test executes which line --


def functions(text: str) -> dict[int, tuple[str, int]]:
    """Return for each line inside a top-level function or method its qualified name and its number from the `def`."""
    found: dict[int, tuple[str, int]] = {}
    tree = ast.parse(text)
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{node.name}.{inner.name}" if inner is not node else inner.name  # type: ignore[attr-defined]
                found |= {n: (name, n - inner.lineno) for n in range(inner.lineno, (inner.end_lineno or 0) + 1)}
    return found


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
            one = found.setdefault(test.partition("::")[0], {"lines": {}, "seconds": {}, "uses": {}, "fixtures": {}})
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
        subprocess.run([sys.executable, __file__, "--work", work, "--map", argument], cwd=ROOT, check=True)  # noqa: S603


def map_some(folder: str, files: Sequence[str], tests: Sequence[str]) -> None:
    mapper = Mapper(map(Path, files))
    pytest.main([*OPTIONS, *tests], plugins=[mapper])
    found = mapper.results()
    for test in tests:
        (Path(folder) / _mapped(ROOT / test)).write_text(
            json.dumps(found.get(test, {"lines": {}, "seconds": {}, "uses": {}, "fixtures": {}}))
        )


def _mapped(test: Path) -> str:
    name = str(test.relative_to(ROOT)).replace("/", "-")
    return f"{name}-{hashlib.sha256(test.read_bytes()).hexdigest()[:16]}.json"


# -- running a mutant --


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
            self.uses |= one.get("uses", {})
            self.fixtures |= one.get("fixtures", {})
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
            importlib.import_module(f"mmmath_tasks.{_module(file)}")
        loaded: dict[str, list[FunctionType]] = defaultdict(list)
        for found in gc.get_objects():
            if isinstance(found, FunctionType) and (found.__module__ or "").startswith("mmmath_tasks."):
                loaded[found.__module__].append(found)
        gc.collect()
        gc.freeze()
        for mutant in tqdm(self.mutants, "Mutants", disable=None):
            tests = [items[name] for name in self.chosen(mutant, items)]
            if tests:
                self.states[mutant.name] = self.run(mutant, tests, loaded[f"mmmath_tasks.{_module(mutant.file)}"])
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


def swap(mutant: Mutant, loaded: Sequence[FunctionType]) -> bool:
    """Give the loaded functions of a module their code after the change; return whether any differed."""
    before: dict[str, CodeType] = {}
    after: dict[str, CodeType] = {}
    for text, codes in ((mutant.file.read_text(), before), (mutant.source, after)):
        for code in _codes(compile(text, str(mutant.file), "exec", dont_inherit=True)):
            codes.setdefault(code.co_qualname, code)
    defaults = _defaults(mutant.file.read_text()), _defaults(mutant.source)
    changed = False
    for function in loaded:
        name = function.__code__.co_qualname
        old, new = before.get(name), after.get(name)
        if old is None or new is None or function.__code__.co_firstlineno != old.co_firstlineno:
            continue
        if new != old:
            function.__code__ = new
            changed = True
        if defaults[0].get(name) != defaults[1].get(name):
            arguments = ast.parse(defaults[1][name]).body[0].value.args  # type: ignore[attr-defined]
            values = [None if d is None else _value(d, function) for d in (*arguments.defaults, *arguments.kw_defaults)]
            positional = len(arguments.defaults)
            function.__defaults__ = tuple(values[:positional]) or None
            names = (a.arg for a in arguments.kwonlyargs)
            named = zip(names, arguments.kw_defaults, values[positional:], strict=True)
            function.__kwdefaults__ = {name: value for name, node, value in named if node is not None} or None
            changed = True
    return changed


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _defaults(text: str) -> dict[str, str]:
    """Return the arguments of each function by its qualified name, as a lambda's text without annotations."""
    found = {}
    tree = ast.parse(text)
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                for arg in ast.walk(inner.args):
                    if isinstance(arg, ast.arg):
                        arg.annotation = None
                name = f"{node.name}.{inner.name}" if inner is not node else inner.name  # type: ignore[attr-defined]
                found[name] = f"lambda {ast.unparse(inner.args)}: 0"
    return found


def _value(node: ast.expr, function: FunctionType) -> object:
    return eval(compile(ast.Expression(node), "", "eval"), function.__globals__)  # noqa: S307 - the project's own code


# -- drawing and telling --


def draw(pool: dict[str, list[str]], count: int, seed: int, each: int = 3) -> list[str]:
    """Return names in no order: `each` of those of every module, the others drawn from all; all for count 0."""
    everything = sorted(name for names in pool.values() for name in names)
    chance = random.Random(seed)
    drawn = (
        {name for names in pool.values() for name in chance.sample(names, min(each, len(names)))} if count else set()
    )
    chance.shuffle(everything)
    drawn |= set(everything[: max(0, count - len(drawn))] if count else everything)
    return chance.sample(sorted(drawn), len(drawn))  # so that a run that is stopped has tried a random part


def tell(mutants: Sequence[Mutant], runner: Runner, sizes: dict[str, int]) -> None:
    """Print the table by module and the shares."""
    by_module: dict[str, Counter[str]] = defaultdict(Counter)
    rules: Counter[str] = Counter()
    for mutant in mutants:
        state = "by rule" if mutant.rule else runner.states[mutant.name][0]
        by_module[_module(mutant.file)][state] += 1
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="mutants that are drawn; 0: all (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=MUTATED, help="modules to change (default: %(default)s)")
    parser.add_argument("--match", default="*", help="only mutants whose name matches, as *tally.wilson#*")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="the tests that may notice (default: %(default)s)")
    parser.add_argument("--given", type=Path, help="mutants written by hand, in place of mutmut's")
    parser.add_argument("--seconds", type=float, default=15, help="CPU seconds of tests a mutant (default: 15)")
    parser.add_argument(
        "--control", action="store_true", help="change nothing: a test that fails all the same is named"
    )
    parser.add_argument("--work", type=Path, required=True, help="a folder for the map of tests by line")
    parser.add_argument("--out", type=Path, help="a text file for the survivors, each with its change and its reason")
    parser.add_argument(
        "--killers",
        type=Path,
        help="a text file that gets each state and the test that killed, as they come",
    )
    parser.add_argument("--map", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "perf")))
    if args.map:
        map_some(*json.loads(args.map))
        return
    every = sorted(p.resolve() for d in ("metrics", "hub_datasets", "mmmath_tasks") for p in (ROOT / d).rglob("*.py"))
    files = [
        file
        for file in dict.fromkeys(every)
        for name in [_module(file).replace(".", "/")]
        if any(fnmatch(name, p) for p in MUTATED) and not any(fnmatch(name, p) for p in LEFT_OUT)
    ]
    tests = sorted(p for q in args.tests for p in ROOT.glob(q) if p.match("test_*.py"))
    tests = [p for p in tests if not any(fnmatch(str(p.relative_to(ROOT)), q) for q in LEFT_OUT_TESTS)]
    map_tests(args.work, files, tests)
    sizes: dict[str, int] = {}
    if args.given:
        mutants = given(args.given)
    else:
        made = {
            name: parts
            for file in tqdm(files, "Mutants by file", disable=None)
            if any(fnmatch(_module(file).replace(".", "/"), p) for p in args.only)
            for name, parts in mutants_of(file)
        }
        pool: dict[str, list[str]] = defaultdict(list)
        for name in made:
            if fnmatch(name, args.match):
                pool[_module(made[name][0])].append(name)
        sizes = {module: len(names) for module, names in pool.items()}
        drawn = draw(pool, args.count, args.seed)
        mutants = [built(name, made[name]) for name in drawn]
        print(f"{sum(sizes.values()):,} mutants of {len(sizes)} modules, {len(mutants):,} drawn with seed {args.seed}")
    runner = Runner([m for m in mutants if not m.rule], args.work, args.seconds, args.control, args.killers)
    pytest.main([*OPTIONS, f"--basetemp={args.work / f'tmp{os.getpid()}'}", *map(str, tests)], plugins=[runner])
    tell(mutants, runner, sizes)
    if args.out:
        write_survivors(args.out, mutants, runner)


if __name__ == "__main__":
    main()
