"""Worked geometry examples for prompts (Figure 4 of the paper: 0 to 5 shots with the CoT prompt).

The paper does not say what its shots are. These are figures of the generator under a seed of their own; a shot's images
are given as the code that draws them, since a prompt's pictures are those of its own question.
"""

from __future__ import annotations

from functools import cache

from mmmath_tasks.hub_datasets.fields import choice_lines
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import questions, sample
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import STATE_OF_TASK

SEED = 250_718_140
"""No set should be built with it."""
ORDER = ("mce_deletion", "mce_annotation", "mce_modification", "mcg", "mce_annotation")
_REASONS = {
    "mcg": "The options differ in the place of one point; in one of them it is where the image has it.",
    "mce_deletion": "Comparing the two images segment by segment shows what is missing in the second; one option draws "
    "all the others and nothing else.",
    "mce_modification": "The dashed line of the second image starts at a vertex and ends at the new point; one option "
    "has this vertex and this place.",
    "mce_annotation": "The expressions in the figure and the values that the question states give every measure; one "
    "option agrees with them.",
}


@cache
def shots(count: int, ending: str) -> str:
    """Return the text of the first `count` worked examples, up to five, each closed by a blank line.

    Args:
        count: how many.
        ending: the prompt's last lines, which every example repeats.
    """
    return "".join(_shot(i, task, ending) for i, task in enumerate(ORDER[:count]))


def _shot(index: int, task: str, ending: str) -> str:
    drawn = sample(SEED, "geometry", index)
    question = [q for q in questions(drawn, SEED) if q["task"] == task][-1]
    images = [drawn.states["original"].code]
    if task in ("mce_deletion", "mce_modification"):
        images.append(drawn.states[STATE_OF_TASK[task]].code)
    shown = "".join(f"Image {i}, as code:\n{code}" for i, code in enumerate(images, 1))
    return (
        f"{shown}Question: {question['question']}\nChoices:\n{choice_lines(question['choices'])}\n{ending}\n"
        f"{_REASONS[task]} \\boxed{{{question['answer']}}}\n\n"
    )
