"""The sentences that models are asked with, against the papers' text."""

import re

import pytest

from mmmath_tasks.hub_datasets import mathopeval, mathvision, mathvista, wemath

SENTENCES = {
    "mathvista": [*mathvista._HINTS.values(), mathvista._DESCRIBE],
    "mathvision": [*mathvision._INSTRUCTIONS.values(), mathvision._DESCRIBE],
    "wemath": [wemath._TASK, wemath._CARDS, wemath._THOUGHT, wemath._FORMAT.partition("\n")[0]],
    "mathopeval": [*mathopeval._CHOICE_ENDINGS.values(), *mathopeval._CODE_ENDINGS.values()],
}


def plain(text):
    r"""Blanks as one; the \boxed{} that a text shows as a square or not at all as []."""
    return " ".join(re.sub(r'"(\\boxed\{\}|\$?\\square\$?| ?[□\\]\w* ?|)"', '"[]"', text).split())


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_is_printed(shared, name):
    paper = plain((shared / "papers" / f"{name}.txt").read_text(encoding="utf-8"))
    assert [sentence for sentence in SENTENCES[name] if plain(sentence) not in paper] == []
