"""Questions and instructions in one wording or in many, from wording.yaml."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator.sample import STATE_OF_TASK, STATES, TASKS, Deck, State


@dataclass(frozen=True, slots=True)
class Words:
    """What words the texts of one sample.

    Attributes:
        texts: a key of wording.yaml.
        rng: picks among its wordings.
        figure: what the sample's figure is ("a grouped bar chart").
    """

    texts: str
    rng: random.Random
    figure: str

    def ask(self, name: str, **values: str) -> str:
        """Return the question of that name."""
        return self._filled(self.rng.choice(texts()[self.texts]["questions"][name]), values)

    def tell(self, state: str, **values: str) -> str:
        """Return the instruction that leads to a state."""
        parts = texts()[self.texts]["instructions"][state]
        return self._filled(" ".join(self.rng.choice(part) for part in parts), values)

    def _filled(self, template: str, values: dict[str, str]) -> str:
        known = {"figure": self.figure, **values}
        return template.format_map({**known, **{n.capitalize(): t[:1].upper() + t[1:] for n, t in known.items()}})


@cache
def texts() -> dict[str, Any]:
    """Return wording.yaml: "questions" by name, each a list of templates; "instructions" by state, a list of lists."""
    import yaml

    text = files("mmmath_tasks.hub_datasets.mathopeval_generator").joinpath("wording.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def states(
    words: Words, codes: Mapping[str, str], edits: Mapping[str, tuple[str, str]], **values: str
) -> dict[str, State]:
    """Return the four states.

    Args:
        words: of the sample.
        codes: by state.
        edits: what has been done on the way to "deleted" and "modified", as a clause and as a noun.
        values: what the instructions say besides.
    """
    told = {state: dict(zip(("edit", "edit_noun"), edits.get(state, ()), strict=False)) for state in STATES}
    return {state: State(codes[state], words.tell(state, **told[state], **values)) for state in STATES}


def code_decks(
    words: Words, options: Sequence[Sequence[str]], truths: Sequence[int], edits: Mapping[str, str], **values: str
) -> tuple[Deck, ...]:
    """Return the questions which code draws a figure, which one without an element, and which one with a change.

    Args:
        words: of the sample.
        options: of each question, four pieces of code.
        truths: which of them is right.
        edits: what has been done on the way to "deleted" and "modified", as a clause.
        values: what the questions say besides.
    """
    decks = []
    for task, codes, true in zip(TASKS, options, truths, strict=False):
        edit = edits.get(STATE_OF_TASK[task], "")
        decks.append(Deck(task, words.ask(task, edit=edit, **values), tuple(codes), true))
    return tuple(decks)
