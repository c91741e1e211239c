"""Questions and instructions in many wordings, from wording.yaml."""

from __future__ import annotations

import random
from functools import cache
from importlib.resources import files
from typing import Any


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


def _filled(template: str, values: dict[str, str]) -> str:
    capital = {name.capitalize(): text[:1].upper() + text[1:] for name, text in values.items()}
    return template.format_map({**values, **capital})
