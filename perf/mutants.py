"""Changes of this project's code as mutmut makes them, and how one takes the place of loaded code; see mutation.py."""

from __future__ import annotations

import ast
import difflib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import Mutation, MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

ROOT = Path(__file__).resolve().parents[1]
SPEAKING = {"Finding", "warn", "warning", "tqdm"}
NAMED = {"strict": "guard", "encoding": "encoding"}


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
    both = isinstance(old, cst.Call) and isinstance(new, cst.Call)
    gone = [a for a in old.args if not any(a is b for b in new.args)] if both else []
    for node in (*around[-3:], *gone):
        if isinstance(node, cst.Arg) and node.keyword and node.keyword.value in NAMED:
            return NAMED[node.keyword.value]
    if gone and _called(old) == "cast" and gone[0] is old.args[0] and len(new.args) == len(old.args):
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
    visitor = _Visitor(module_of(file))
    module = wrapper.visit(visitor)
    places, within = wrapper.resolve(PositionProvider), functions(module.code)
    numbers: Counter[str] = Counter()
    for mutation, rule in zip(visitor.mutations, visitor.rules, strict=True):
        function = mutation.contained_by_top_level_function
        if not isinstance(function, cst.FunctionDef):
            continue
        qualified = within[places[function].start.line][0]
        numbers[qualified] += 1
        name = f"{module_of(file)}.{qualified}#{numbers[qualified]}"
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
        found.append(Mutant(f"{module_of(file)}#{i}", file, line, text.replace(old, new)))
    return found


def module_of(file: Path) -> str:
    """Return a module's name below the package."""
    parts = str(file.relative_to(ROOT).with_suffix("")).removeprefix("mmmath_tasks/").removesuffix("/__init__")
    return parts.replace("/", ".")


def functions(text: str) -> dict[int, tuple[str, int]]:
    """Return for each line inside a top-level function or method its qualified name and its number from the `def`."""
    return {
        line: (name, line - node.lineno)
        for name, node in _defined(text)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }


def _defined(text: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the top-level functions and methods of a module by their qualified names."""
    for node in ast.parse(text).body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{node.name}.{inner.name}" if isinstance(node, ast.ClassDef) else inner.name, inner


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
            like = eval(defaults[1][name], function.__globals__)  # noqa: S307 - the project's own code
            function.__defaults__, function.__kwdefaults__ = like.__defaults__, like.__kwdefaults__
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
    for name, node in _defined(text):
        for arg in ast.walk(node.args):
            if isinstance(arg, ast.arg):
                arg.annotation = None
        found[name] = f"lambda {ast.unparse(node.args)}: 0"
    return found
