"""Questions and instructions in many wordings, from wording.yaml."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.sample import TASKS, Deck


@cache
def texts() -> dict[str, Any]:
    """Return wording.yaml: "questions" by name, each a list of templates; "instructions" by state, a list of lists."""
    import yaml

    text = files("mmmath_tasks.hub_datasets.mathopeval_generator.edition2").joinpath("wording.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def question(rng: random.Random, name: str, **values: str) -> str:
    """Return a question of that name in one of its wordings."""
    return _filled(rng.choice(texts()["questions"][name]), values)


def instruction(rng: random.Random, state: str, **values: str) -> str:
    """Return the instruction that leads to a state, in one of its wordings."""
    return _filled(" ".join(rng.choice(part) for part in texts()["instructions"][state]), values)


def code_decks(
    ask: Callable[..., str], options: Sequence[Sequence[str]], truths: Sequence[int], gone: str, changed: str
) -> tuple[Deck, ...]:
    """Return the questions which script draws a figure, which one without an element, and which one with a change.

    Args:
        ask: from a task, and "edit" where there is one, to the question.
        options: of each question, four scripts.
        truths: which of them is right.
        gone: what has been deleted, as a clause.
        changed: what has been changed, as a clause.
    """
    edits: tuple[dict[str, str], ...] = ({}, {"edit": gone}, {"edit": changed})
    asked = zip(TASKS[:3], edits, options, truths, strict=True)
    return tuple(Deck(task, ask(task, **edit), tuple(scripts), true) for task, edit, scripts, true in asked)


def _filled(template: str, values: dict[str, str]) -> str:
    capital = {name.capitalize(): text[:1].upper() + text[1:] for name, text in values.items()}
    return template.format_map({**values, **capital})
