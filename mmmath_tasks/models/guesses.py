"""The two heuristics of MathVista's Table 2: a random option, and the most frequent answer."""

from __future__ import annotations

import random

from mmmath_tasks.problem import Problem

_LETTERS = {2: "B", 3: "B", 4: "C", 5: "B", 6: "D", 7: "G", 8: "E"}
_ANSWERS = {
    ("integer", None): "2",
    ("float", 1): "1.2",
    ("float", 2): "0.21",
    ("list", None): "[0, 2, 0, 2, 1, 7, 1, 2, 0, 3, 0, 6]",
}


def random_chance(problem: Problem, seed: int = 0) -> str:
    """Return the letter of a random option, "" for a free-form question (section 3.1).

    The bare letter, which every benchmark's official rule reads (We-Math's does not read "(B)").

    The draw depends on the seed, the benchmark and the problem's id only, so neither order, nor limit, nor the number
    of processes changes it.
    """
    if not problem.choices:
        return ""
    draw = random.Random(f"{seed}/{problem.benchmark}/{problem.id}")
    return chr(ord("A") + draw.randrange(len(problem.choices)))


def mathvision_chance(problem: Problem, seed: int = 0) -> str:
    """Return a guess of the kind that MATH-Vision's authors publish as their random chance (7.17 %).

    In their published run each multiple-choice response is the text of one of the options, and each free-form one a
    whole number from 0 to 2047. The kind of draw is theirs, the draws are ours: their generator is not named.
    """
    draw = random.Random(f"{seed}/{problem.benchmark}/{problem.id}/upstream")
    return draw.choice(problem.choices) if problem.choices else str(draw.randrange(2048))


def frequent_guess(problem: Problem) -> str:
    """Return the answer most frequent in MathVista's testmini for such a question (appendix E.1).

    The paper prints option B for two options and the four free-form answers; the letters for other numbers of options
    are counted in testmini, the first of equals. "" for a kind of answer that testmini has not.
    """
    if problem.choices:
        return _LETTERS.get(len(problem.choices), "A")
    return _ANSWERS.get((problem.answer_type, problem.precision), "")
