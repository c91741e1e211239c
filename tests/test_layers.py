"""Imports go one way."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import mmmath_tasks

ROOT = Path(mmmath_tasks.__file__).parent.parent
LAYERS = [
    {"contract", "errors", "files", "json_text", "name_text", "number_text", "problem", "retrying", "yaml_text"},
    {"metrics"},
    {"hub_datasets", "papers", "score_labels", "scoring", "truncation"},
    {"judge", "sandbox", "outputs", "models", "pictures", "sources"},
    {"harnesses", "report", "model_card"},
    {"commands", "cli", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def modules():
    """Yield every module of the package with the name of its first part."""
    for top, folder in (
        ("", ROOT / "mmmath_tasks"),
        ("metrics", ROOT / "metrics"),
        ("hub_datasets", ROOT / "hub_datasets"),
    ):
        for path in sorted(folder.rglob("*.py")):
            part = top or path.relative_to(folder).with_suffix("").parts[0]
            if path != ROOT / "mmmath_tasks" / "__init__.py":
                yield pytest.param(part, path, id=str(path.relative_to(ROOT)))


@cache
def nodes(path):
    """Return all nodes of a file's syntax tree, its root first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path):
    """Yield the first part of every module of ours that a file imports, wherever in the file."""
    for node in nodes(path):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "mmmath_tasks" else [f"mmmath_tasks.{a.name}" for a in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("mmmath_tasks."))


def edges(path, known):
    """Yield the modules of ours that a file imports, wherever in it, but for types."""
    rest = [nodes(path)[0]]
    while rest:
        node = rest.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            rest += node.orelse
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from {name if name in known else node.module} & known
        else:
            rest += ast.iter_child_nodes(node)


def test_no_module_imports_itself_by_way_of_others():
    package = ROOT / "mmmath_tasks"
    files = {}
    for folder in (package, ROOT / "metrics", ROOT / "hub_datasets"):
        for path in folder.rglob("*.py"):
            inside = path.relative_to(folder).with_suffix("").parts
            top = ("mmmath_tasks",) if folder == package else ("mmmath_tasks", folder.name)
            files[".".join((*top, *inside)).removesuffix(".__init__")] = path
    graph = {name: set(edges(path, files.keys())) - {name} for name, path in files.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(files)  # a circle raises CycleError and is named


@pytest.mark.parametrize(("part", "path"), list(modules()))
def test_imports_go_one_way(part, path):
    assert part in RANK, f"{path.name}: give mmmath_tasks.{part} a place in LAYERS"
    public = {
        "benchmark",
        "benchmarks",
        "Benchmark",
        "Problem",
        "Verdict",
        "Score",
        "Scorecard",
        "InputError",
        "__version__",
    }
    upward = {name for name in set(imported(path)) - public if RANK.get(name, 0) > RANK[part]}
    assert not upward


@pytest.mark.parametrize(("harness", "owner"), [("lm_eval", "lm_eval"), ("vlmeval", "vlmeval"), ("lmms_eval", "lmms")])
def test_each_harness_has_one_importer(harness, owner):
    for parameter in modules():
        _, path = parameter.values
        for node in nodes(path):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] == harness for name in names):
                assert path.stem.startswith(owner) or path.parent.name == "models", path
