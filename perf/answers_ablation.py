"""Which patterns, lexicon entries, features and decisions of the reader change no verdict when they are switched off.

All rows together: the labelled, published and hand-written ones, the cases, the golden cases, the synthetic ones and a
sample of the sweep. Every row is read once while it is noted what acts in it: which patterns and lexicon entries find
something, and which tests in the code ("if", "and", "or", comprehensions) come out other than they would if they were
not there. Each is then switched off on the rows in which it acts until one verdict changes. What is printed changes
none on any row, or acts in none. A test without which a reading does not end changes it.

Run: python perf/answers_ablation.py [--shared ../shared] [--every 60] [--only patterns] [--hand] [--files picks,claims]
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import re
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from tqdm import tqdm

PACKAGE = "mmmath_tasks.metrics.answers"
FOLDER = Path(__file__).parents[1] / "metrics/answers"
CUES: list[Any] = []  # the lexicon's own function, whose cache is emptied
SECONDS = 300  # for the rows on which one thing acts
NEVER = re.compile(r"(?!)")
KEPT = {"_cue", "_conclusion", "_named", "_direction", "_signs", "table", "entries", "either", "values"}
"""Caches that hold no text."""


class State:
    """Which row is read, what is switched off, and in which rows each thing acts."""

    def __init__(self) -> None:
        """Begin with no row, nothing switched off."""
        self.row: int | None = None
        self.off = ""
        self.rows: dict[str, set[int]] = defaultdict(set)
        self.lines: dict[str, str] = {}

    def test(self, name: str, value: Any, without: Any) -> Any:
        """Return what a test says, or what would be said without it."""
        if self.off == name:
            return without
        if self.row is not None and bool(value) != bool(without):
            self.rows[name].add(self.row)
        return value


STATE = State()


class _Tests(ast.NodeTransformer):
    """Put every test of a module through `State.test`."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source, self.count = module, source, 0

    def wrapped(self, node: ast.expr, without: bool | None) -> ast.expr:
        self.count += 1
        name = f"{self.module}.py:{node.lineno} {self.count}"
        STATE.lines[name] = " ".join((ast.get_source_segment(self.source, node) or "").split())
        inner = self.visit(node)
        arguments = [ast.Constant(name), inner, ast.Constant(without)]
        return ast.copy_location(ast.Call(ast.Name("_ABLATED", ast.Load()), arguments, []), node)

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.wrapped(node.test, False)
        node.body = [self.visit(s) for s in node.body]
        node.orelse = [self.visit(s) for s in node.orelse]
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.body = [self.visit(s) for s in node.body]  # without its test a loop would not end
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.wrapped(node.test, False)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        node.values = [self.wrapped(v, True if isinstance(node.op, ast.And) else None) for v in node.values]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.ifs = [self.wrapped(v, True) for v in node.ifs]
        node.iter, node.target = self.visit(node.iter), self.visit(node.target)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.value = self.visit(node.value) if node.value else None
        return node


class _Loader(importlib.abc.SourceLoader):
    """Load a module of the reader with its tests instrumented."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path

    def get_filename(self, fullname: str) -> str:
        return str(self.path)

    def get_data(self, path: Any) -> bytes:
        return Path(path).read_bytes()

    def path_stats(self, path: Any) -> Any:
        raise OSError  # no byte code is kept

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:
        source = bytes(data).decode()
        tree = ast.fix_missing_locations(_Tests(self.path.stem, source).visit(ast.parse(source)))
        return compile(tree, str(path), "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["_ABLATED"] = STATE.test
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if not fullname.startswith(PACKAGE + "."):
            return None
        file = FOLDER / f"{fullname.rpartition('.')[2]}.py"
        return importlib.util.spec_from_file_location(fullname, file, loader=_Loader(fullname, file))


class Noted:
    """A compiled pattern that notes in which row it finds something, and can be switched off."""

    def __init__(self, found: re.Pattern[str], name: str) -> None:
        """Take the place of a pattern that goes by a name."""
        self.found, self.name = found, name
        self.pattern, self.flags, self.groups = found.pattern, found.flags, found.groups

    def __getattr__(self, verb: str) -> Any:
        """Return the pattern's method, which notes the row, or finds nothing where it is switched off."""
        off = STATE.off == self.name
        if off and verb in {"sub", "subn"}:
            return lambda _, text, *rest, **more: text if verb == "sub" else (text, 0)
        method = getattr(NEVER if off else self.found, verb)
        if STATE.row is None:
            return method

        def noting(*args: Any, **kwargs: Any) -> Any:
            text = args[1] if verb in {"sub", "subn"} else args[0]
            if self.found.search(text):
                STATE.rows[self.name].add(STATE.row or 0)
            return method(*args, **kwargs)

        return noting


def modules() -> list[Any]:
    names = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    return [importlib.import_module(f"{PACKAGE}.{name}") for name in names]


def noted(known: list[Any]) -> list[str]:
    """Put a `Noted` in the place of every pattern of the modules and their tables; one under two names is one."""
    made: dict[int, Noted] = {}

    def inside(value: Any, name: str) -> Any:
        if isinstance(value, re.Pattern):
            return made.setdefault(id(value), Noted(value, name))
        if type(value) in (tuple, list):
            return type(value)(inside(part, f"{name} {i}") for i, part in enumerate(value))
        return value

    for module in known:
        for name, value in list(vars(module).items()):
            if name != "__path__" and isinstance(value, re.Pattern | tuple | list):
                setattr(module, name, inside(value, f"{module.__name__.rpartition('.')[2]}.{name}"))
    return [n.name for n in made.values()]


def noted_lexicon(known: list[Any]) -> None:
    """Note in which rows a role of the lexicon finds something, and a feature speaks for or against a reading."""
    lexicon, reading = (importlib.import_module(f"{PACKAGE}.{name}") for name in ("lexicon", "reading"))
    cue, features = lexicon.cue, reading.features
    CUES.append(cue)

    def noted_cue(role: str, lowered: bool = False) -> Any:
        return Noted(cue(role, lowered), f"role {role}")

    def noted_features(*args: Any) -> tuple[str, ...]:
        found: tuple[str, ...] = features(*args)
        for name in found if STATE.row is not None else ():
            STATE.rows[f"feature {name}"].add(STATE.row or 0)
        return found

    for module in known:
        if getattr(module, "cue", None) is cue:
            module.cue = noted_cue
    reading.features = noted_features


def idle_features() -> Iterator[str]:
    """Yield the features that change the confidence of no reading by a thousandth."""
    table = importlib.import_module(f"{PACKAGE}.reading").table()
    yield from (
        name for name, weight in table.items() if name and (abs(weight) < 0.01 or not STATE.rows[f"feature {name}"])
    )


def rows(shared: Path, every: int, hand: bool) -> list[tuple[str, Callable[[], object]]]:
    """Return every labelled row and a sample of the sweep: its text, and the call that gives its verdict.

    With `hand` those written by hand or labelled by readers and the sweep, without the published and synthetic ones.
    """
    import answers_sweep as sweep
    import shared_rows
    from answers_labels import labelled

    import mmmath_tasks as mm
    from mmmath_tasks.metrics.answers import equal, read
    from support.readings import verdict

    found: list[tuple[str, Callable[[], object]]] = []

    def add(problem: Any, response: str | None) -> None:
        score = mm.benchmark(problem.benchmark).score
        told = attrgetter("verified", "official", "extracted", "reason")
        found.append((response or "", lambda: told(score(problem, response or ""))))

    def said(response: str, gold: str, wanted: Any) -> bool:
        reading = read(response, wanted)
        return reading.text is not None and equal(reading.text, gold, wanted)

    for _, wanted, case in shared_rows.golden():
        found.append((case["response"], partial(verdict, case["response"], case["gold"], wanted)))
    for _, problem, case in shared_rows.cases(shared):
        add(problem, case.get("response"))
    for wanted, case in shared_rows.reported(shared):
        found.append((case["response"], partial(said, case["response"], case["answer"], wanted)))
    for row in labelled(shared):
        add(row.problem, row.response)
    if not hand:
        for problem, published in shared_rows.extracted(shared):
            add(problem, published["response"])
        vision = shared_rows.problems(shared, "mathvision")
        for synthetic in shared_rows.lines(shared / "oracle/mathv_identity.jsonl.gz"):
            add(vision[synthetic["id"]], synthetic["response"])
    forms = sweep.forms()
    for problem in sweep.problems(shared)[::every]:
        for trial in sweep.trials(problem, forms):
            add(problem, trial.response)
    return found


class Corpus:
    """The rows, and their verdicts with everything switched on."""

    def __init__(self, todo: list[tuple[str, Callable[[], object]]], known: list[Any]) -> None:
        """Read every row once, with notes."""
        self.todo = todo
        self.caches = list(
            {
                id(v): v for m in known for n, v in vars(m).items() if hasattr(v, "cache_clear") and n not in KEPT
            }.values()
        )
        self.normal = []
        for i, (_, verdict) in enumerate(tqdm(todo, disable=None)):
            STATE.row = i
            self.forget()
            self.normal.append(verdict())
        STATE.row = None

    def forget(self) -> None:
        """Empty the caches, in which what was switched off may still be at work."""
        for cache in self.caches:
            cache.cache_clear()

    def changes(self, where: set[int]) -> bool:
        """Tell whether the verdict on any of some rows is another now, or one does not end."""
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)  # which ends the process: without a test a loop may not
            os._exit(self._changes(where))
        return os.waitpid(child, 0)[1] != 0

    def _changes(self, where: set[int]) -> bool:
        order = sorted(where)  # the hand-written ones first
        if len(order) > 400:
            order = order[:200] + random.Random(0).sample(order[200:], len(order) - 200)
        self.forget()
        for i in order:
            try:
                if self.todo[i][1]() != self.normal[i]:
                    return True
            except Exception:
                return True
        return False


def ineffective(corpus: Corpus, names: list[str]) -> Iterator[tuple[str, int]]:
    """Yield what changes no verdict, and the number of rows in which it acts."""
    for name in tqdm(names, disable=None):
        STATE.off = name
        where = STATE.rows[name]
        if not where or not corpus.changes(where):
            yield name, len(where)
    STATE.off = ""


def unused_entries(corpus: Corpus, known: list[Any]) -> Iterator[tuple[str, int]]:
    """Yield the entries of the lexicon that change no verdict."""
    lexicon = importlib.import_module(f"{PACKAGE}.lexicon")
    table, whole = lexicon.entries(), lexicon.entries
    compiled = [v for m in known for n, v in vars(m).items() if hasattr(v, "cache_clear") and n in KEPT]
    compiled.append(CUES[0])
    alone = Counter(entry.role for entry in table)
    for entry in tqdm(table, disable=None):
        if entry.value is not None or entry.size is not None:
            continue  # number words and units are the comparison's
        own = re.compile(entry.pattern, re.I)
        where = STATE.rows.get(f"role {entry.role}")
        if where is None:  # part of a larger pattern
            where = set(range(len(corpus.todo)))
        if alone[entry.role] > 1 or len(where) == len(corpus.todo):
            where = {i for i in where if own.search(corpus.todo[i][0])}
        lexicon.entries = lambda entry=entry: tuple(  # type: ignore[assignment]
            e._replace(pattern="(?!)") if e is entry else e for e in table
        )
        for cache in compiled:
            if cache is not whole:
                cache.cache_clear()
        if not where or not corpus.changes(where):
            yield f"lexicon {entry.role} {entry.pattern!r:.60}", len(where)
    lexicon.entries = whole
    for cache in compiled:
        cache.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--every", type=int, default=60, help="rows of the sweep: every so manieth")
    parser.add_argument("--only", choices=("patterns", "tests", "lexicon", "features"), help="only one kind of thing")
    parser.add_argument("--hand", action="store_true", help="only rows written or labelled by hand, and the sweep's")
    parser.add_argument("--files", default="", help="of tests only those in these modules, joined by commas")
    args = parser.parse_args()
    if args.only in (None, "tests"):
        sys.meta_path.insert(0, _Finder())
    known = modules()
    patterns = noted(known)
    noted_lexicon(known)
    corpus = Corpus(rows(args.shared, args.every, args.hand), known)
    print(f"{len(corpus.todo)} rows, {len(patterns)} patterns, {len(STATE.lines)} tests", flush=True)
    if args.only in (None, "patterns"):
        for name, count in ineffective(corpus, patterns):
            print(f"pattern {name:40} acts in {count:6} rows", flush=True)
    if args.only in (None, "features"):
        print("features that change nothing:", ", ".join(idle_features()) or "none", flush=True)
    if args.only in (None, "lexicon"):
        for name, count in unused_entries(corpus, known):
            print(f"{name:70} in {count:6} rows", flush=True)
    if args.only in (None, "tests"):
        files = args.files.split(",") if args.files else []
        tests = [name for name in STATE.lines if not files or name.partition(".py:")[0] in files]
        for name, count in ineffective(corpus, tests):
            print(f"test {name:30} acts in {count:6} rows: {STATE.lines[name]:.110}", flush=True)


if __name__ == "__main__":
    main()
