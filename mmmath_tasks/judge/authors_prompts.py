"""A file of prompts that a benchmark's authors published, read as data: no line of it runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter

from mmmath_tasks.errors import InputError


def load(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Return texts that a Python file assigns to names at its top level.

    Args:
        path: the file, such as MathVerse's evaluation/prompts.py.
        names: of the variables wanted. Where one is absent, the only other variable stands for it whose name has its
            last word ("extract" of demo_prompt_extract), in capitals or not.

    Returns:
        the names as wanted to the text, as Python would hold it; the last assignment counts.

    Raises:
        InputError: the file cannot be read or is no Python, a name and what may stand for it are absent or several, or
            it is assigned no plain string.
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path}: not a Python file that can be read: {error}") from None
    assigned: dict[str, ast.expr | None] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            assigned |= {target.id: statement.value for target in targets if isinstance(target, ast.Name)}
    others = [name for name in assigned if name not in names]
    roles = {name: name.rpartition("_")[2].lower() for name in names}
    alike = {
        name: [name] if name in assigned else [other for other in others if role in other.lower()]
        for name, role in roles.items()
    }
    if unsure := [name for name in names if len(alike[name]) != 1]:
        wanted = " or ".join(unsure)
        raise InputError(
            f"{path}: no text named {wanted}, nor one other whose name says {' or '.join(roles[n] for n in unsure)}; "
            f"names in the file: {', '.join(assigned) or 'none'}"
        )
    return {name: _text(path, found, assigned[found]) for name, (found,) in alike.items()}


def filled(template: str, values: Mapping[str, str]) -> str:
    """Fill a template as str.format would, with plain {names} only: no attribute, index or other field is looked up.

    Raises:
        InputError: a single brace, or a field that is none of the values.
    """
    try:
        fields = list(Formatter().parse(template))
    except ValueError as error:
        raise InputError(f"prompts: {str(error).lower()}") from None
    for _, name, layout, conversion in fields:
        if name is not None and (name not in values or layout or conversion):
            raise InputError(f"prompts: unknown field {'{' + name[:40] + '}'!r}; known: {', '.join(values)}")
    return "".join(text + (values[name] if name is not None else "") for text, name, *_ in fields)


def _text(path: Path, name: str, value: ast.expr | None) -> str:
    """Return a string literal, or several with + between them."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _text(path, name, value.left) + _text(path, name, value.right)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    raise InputError(f"{path}: {name} should be a plain string, nothing computed")
