"""Responses to the problems of a task: those that every harness is given, their verdicts, a model that gives them."""

import json
import random

import mmmath_tasks as mm

AWKWARD = ["None", "=5", "NaN", ".", "two\nlines\twith a tab", "N/A", "x" * 40_000, '"quoted, with commas"', "-", "1e5"]


def responses(problems):
    """Return a response for each problem by its id: right, wrong, and such as files and tables trip over."""
    found = {}
    for i, problem in enumerate(problems):
        dice = random.Random(problem.id)
        letters = "ABCDE"[: max(2, len(problem.choices))]
        found[problem.id] = dice.choice(
            [
                f"Step by step.\nThe answer is {problem.answer}.",
                f"\\boxed{{{problem.answer}}}",
                f"Answer: {dice.choice(letters)}",
                f"I think ({dice.choice(letters)}) is right, so the answer is {dice.choice(letters)}.",
                AWKWARD[i % len(AWKWARD)],
            ]
        )
    return found


def verdicts(name, problems, answered):
    """Return what the Python face says of them."""
    return [mm.benchmark(name).score(p, answered[p.id]) for p in problems]


def replay(folder, answered):
    """Save responses by their problems' ids; return the model argument with which mmmath-replay gives them."""
    file = folder / "responses.json"
    file.write_text(json.dumps(answered))
    return f"responses={file}"
