"""Which patterns and lexicon entries of the reader change no verdict when they are switched off, one after the other.

Every labelled row, and a sample of the sweep, is read once while it is noted which patterns find something in it; then
each pattern (and each entry of the lexicon) is switched off on the rows where it finds something, until one verdict
changes. What is printed changes none, or finds nothing at all.

Run: python perf/answers_ablation.py [--shared ../shared] [--every 60] [--most 400]
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

import mmmath_tasks as mm
import mmmath_tasks.metrics.answers as package
from mmmath_tasks.metrics.answers import Expectation, lexicon

sys.path.insert(0, str(Path(__file__).parent))
import answers_gates
import answers_sweep

NEVER = re.compile(r"(?!)")
Row = Callable[[], object]


class Noted:
    """A compiled pattern that notes on which row it finds something, and can be switched off."""

    def __init__(self, found: re.Pattern[str], name: str, state: State) -> None:
        """Take the place of a pattern that goes by a name."""
        self.found, self.name, self.state = found, name, state

    def __getattr__(self, verb: str) -> Any:
        """Return the pattern's method, which notes the row, or finds nothing where it is switched off."""
        if self.state.off == self.name and verb in {"sub", "subn"}:
            return lambda _, text, *rest, **more: text if verb == "sub" else (text, 0)
        method = getattr(NEVER if self.state.off == self.name else self.found, verb)
        if verb not in {"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}:
            return method
        if self.state.row is None:
            return method

        def noting(*args: Any, **kwargs: Any) -> Any:
            text = args[1] if verb in {"sub", "subn"} else args[0]
            if self.found.search(text):
                self.state.rows[self.name].add(self.state.row)
            return method(*args, **kwargs)

        return noting


class State:
    """Which row is read, which pattern is switched off, and on which rows each pattern finds something."""

    def __init__(self) -> None:
        """Begin with no row, nothing switched off."""
        self.row: int | None = None
        self.off = ""
        self.rows: dict[str, set[int]] = defaultdict(set)


def modules() -> list[Any]:
    return [
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    ]


def replaced(known: list[Any], state: State) -> dict[str, Noted]:
    """Put a `Noted` in the place of every pattern of the modules; the same pattern under two names is one."""
    made: dict[int, Noted] = {}
    for module in known:
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                short = f"{module.__name__.rpartition('.')[2]}.{name}"
                noted = made.setdefault(id(value), Noted(value, short, state))
                setattr(module, name, noted)
    return {n.name: n for n in made.values()}


def forget(known: list[Any], keep: tuple[str, ...] = ()) -> None:
    for module in known:
        for name, value in vars(module).items():
            if hasattr(value, "cache_clear") and name not in keep and module is not lexicon:
                value.cache_clear()


def rows(shared: Path, every: int) -> list[tuple[str, Row]]:
    """Return every labelled row and a sample of the sweep: its text, and the call that gives its verdict."""
    found: list[tuple[str, Row]] = []

    def add(name: str, problem: Any, response: str) -> None:
        score = mm.benchmark(name).score
        found.append((response, lambda: (lambda v: (v.verified, v.official))(score(problem, response))))

    for case in (
        c for n in ("reports", "written", "real_runs") for c in answers_gates._lines(shared / f"cases/{n}.jsonl")
    ):
        add(case["benchmark"], mm.benchmark(case["benchmark"]).problem(case["row"]), case.get("response") or "")
    from answers_labels import labelled

    for row in labelled(shared):
        add(row.problem.benchmark, row.problem, row.response)
    from test_golden import CASES

    from support.readings import verdict

    for case in CASES.values():
        wanted = Expectation(
            case["kind"], case.get("choices", ()), case.get("precision"), case.get("unit"), case.get("question", "")
        )
        found.append((case["response"], partial(verdict, case["response"], case["gold"], wanted)))
    vista = mm.benchmark("mathvista")
    known = {p.id: p for p in map(vista.problem, vista.rows.read(shared / "data/mathvista", "testmini"))}
    for row in answers_gates._lines(shared / "oracle/mathvista_extract_bench.jsonl.gz"):
        if row["kind"] == "text":
            add("mathvista", known[row["pid"]], row["response"] or "")
    forms = answers_sweep.forms()
    for problem in answers_sweep.problems(shared)[::every]:
        for trial in answers_sweep.trials(problem, forms):
            add(problem.benchmark, problem, trial.response)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--every", type=int, default=100, help="rows of the sweep: every so manieth")
    parser.add_argument("--most", type=int, default=300, help="rows tried for each pattern at most")
    args = parser.parse_args()
    lexicon.entries()
    known, state = modules(), State()
    todo = rows(args.shared, args.every)
    patterns = replaced(known, state)
    normal = []
    for i, (_, verdict) in enumerate(tqdm(todo, disable=None)):
        state.row = i
        forget(known)
        normal.append(verdict())
    state.row = None
    rng = random.Random(0)
    for name in sorted(patterns):
        where = list(state.rows[name])
        rng.shuffle(where)
        state.off = name
        changes = False
        for i in where[: args.most]:
            forget(known)
            if todo[i][1]() != normal[i]:
                changes = True
                break
        state.off = ""
        if not changes:
            print(f"{name:40} finds something in {len(where):6} rows and changes none", flush=True)
    forget(known)
    table = lexicon.entries()
    whole = lexicon.entries
    for entry in table:
        if entry.value is not None:
            continue
        own = re.compile(entry.pattern, re.I)
        where = [i for i, (text, _) in enumerate(todo) if own.search(text)]
        rng.shuffle(where)
        lexicon.entries = lambda entry=entry: tuple(e for e in table if e is not entry)  # type: ignore[assignment]
        changes = False
        lexicon.either.cache_clear()
        lexicon.pattern.cache_clear()
        forget(known)
        for i in where[: args.most]:
            forget(known, keep=("_cue", "_conclusion"))
            if todo[i][1]() != normal[i]:
                changes = True
                break
        if not changes:
            print(f"lexicon {entry.role} {entry.pattern!r:40.60} in {len(where):6} rows and changes none", flush=True)
    lexicon.entries = whole  # type: ignore[assignment]


if __name__ == "__main__":
    main()
