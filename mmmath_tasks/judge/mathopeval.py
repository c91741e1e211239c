"""MathOPEval by a judge: generated code against reference code, 1 to 10; and the four classes of errors.

Paper: arXiv 2507.18140, section 3 (two steps: the key elements, then the score, in five bands over four aspects),
section 6.3 (errors). The authors' rubrics are figures whose text is not public, so the rubrics below are
RECONSTRUCTED from section 3: scores are not comparable to the paper's tables beyond their scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from pydantic import Field

from mmmath_tasks.judge.case import Case, Judged, Sure, failed, names
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.error_types import ErrorClass, Taxonomy
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Reply
from mmmath_tasks.metrics.code_blocks import code
from mmmath_tasks.metrics.mathopeval import score
from mmmath_tasks.problem import Problem

Task = Literal["mcg", "mce_deletion", "mce_modification", "mce_annotation"]
Figure = Literal["geometry", "function", "bar", "line", "pie"]

_ELEMENTS = {
    "geometry": "points, segments, circles and other shapes, with their coordinates or lengths and their labels",
    "function": "the function's expression, its domain, and any marked points",
    "bar": "the bars with height and category, their number and order, and the grouping into series",
    "line": "the points of each series with x and y, how they are joined, and how dense they are",
    "pie": "the slices with label and share, and their order",
}
"""Key elements by figure (section 3, code generation)."""

_TASKS = {
    "mcg": "The code should draw the reference figure from scratch. Key elements are {elements}.",
    "mce_deletion": (
        "The code should remove from the original what the reference removes, and nothing else. Key elements are those "
        "that each code removes from the original ({elements})."
    ),
    "mce_modification": (
        "The code should change in the original what the reference changes, and nothing else. Key elements are those "
        "that each code adds to or changes in the original ({elements})."
    ),
    "mce_annotation": (
        "The code should add to the original the labels that the reference adds. Key elements are the texts and "
        "numbers that each code adds, with the element they belong to and where they stand ({elements})."
    ),
}

_RUBRIC = (
    "9-10: all key elements are right in content and position, the code runs, nothing is missing or added. "
    "7-8: nearly all are right; small errors in a value, a place or a style. "
    "5-6: the main elements are there, but several are wrong, misplaced or missing. "
    "3-4: few are right, or the task was understood in part only. "
    "1-2: hardly anything is right, the code cannot run, or the task was not done (the original left as it is)."
)


class Rating(Reply):
    """The two steps: elements of both codes, then the four aspects and the score."""

    reference_elements: list[str] = Field(max_length=200)
    generated_elements: list[str] = Field(max_length=200)
    content: str
    position: str
    code: str
    completeness: str
    score: int = Field(ge=1, le=10)


def rating_prompt(task: Task, figure: Figure) -> Prompt:
    """Return the rubric for a task on a kind of figure; reconstructed, see the module's docstring."""
    goal = _TASKS[task].format(elements=_ELEMENTS[figure])
    return Prompt(
        id=f"mathopeval_{task}_{figure}",
        version="1",
        system=(
            "You compare the code that a model wrote to draw a mathematical figure with a reference code, by reading. "
            f"{goal} Work in two steps. First list the key elements of the reference code and those of the generated "
            "code. Then compare them, a sentence each, in content accuracy, position consistency, code correctness "
            f"and completeness, and give a whole score from 1 to 10. {_RUBRIC} Different code that draws the same is "
            'as good. Reply with one JSON object and nothing else: {"reference_elements": ["..."], '
            '"generated_elements": ["..."], "content": "...", "position": "...", "code": "...", "completeness": '
            '"...", "score": 1}'
        ),
        user=(
            "Task given to the model:\n{instruction}\n\n"
            + ("" if task == "mcg" else "Original code:\n{original}\n\n")
            + "Reference code:\n{reference}\n\nGenerated code:\n{generated}"
        ),
        reply=Rating,
        example={
            "reference_elements": ["x" * 40] * 5,
            "generated_elements": ["x" * 40] * 5,
            "content": "x" * 80,
            "position": "x" * 80,
            "code": "x" * 80,
            "completeness": "x" * 80,
            "score": 5,
        },
    )


def judge_answers(judge: Judge, cases: Sequence[Case], *, sure: Sure = None) -> list[Judged]:
    """Rate the code of free-form responses; multiple choice is scored by rules, as the authors do.

    The judge sees no picture. `sure` has no meaning here, since no rule rates code.

    Returns:
        verdicts as of metrics.mathopeval.score, with "rating" (1 to 10) among the scores, 1 without asking where there
        is no code; detail keeps the rating's band (1 to 5, for 1-2, 3-4, 5-6, 7-8, 9-10), elements and aspects.
    """
    done: dict[int, Judged] = {}
    questions: dict[int, Question] = {}
    for i, case in enumerate(cases):
        if case.problem.question_type != "free_form":
            done[i] = Judged(score(case.problem, case.response))
        elif (generated := code(case.response) or "").strip():
            questions[i] = _question(case.problem, generated)
        else:
            nothing = {"band": 1, "reference_elements": [], "generated_elements": []}
            done[i] = Judged(score(case.problem, case.response, rating=1.0), detail=nothing)
    for (i, question), answer in zip(
        questions.items(), judge.ask(list(questions.values()), "mathopeval code"), strict=True
    ):
        case, reply = cases[i], answer.reply
        if isinstance(reply, Rating):
            verdict = score(case.problem, case.response, rating=float(reply.score))
            detail = {"band": (reply.score + 1) // 2, **reply.model_dump(exclude={"score"})}
            done[i] = Judged(verdict, (answer,), detail, names([question.prompt]))
        else:
            done[i] = failed(case, [answer], [question.prompt])
    return [done[i] for i in range(len(cases))]


def _question(problem: Problem, generated: str) -> Question:
    task, figure = cast(Task, problem.groups["task"][0]), cast(Figure, problem.groups["type"][0])
    instruction = problem.question.split("\nOriginal code:\n")[0]  # the code has a place of its own
    material = {"instruction": instruction, "reference": problem.answer or "", "generated": generated}
    if task != "mcg":
        material["original"] = problem.extra.get("original_code") or ""
    return Question(rating_prompt(task, figure), material)


ERRORS = Taxonomy(
    source=(
        "MathOPEval, sections 4.4 and 6.3: 50 wrong outputs, whose errors are shares of the wrong ones, and 50 right "
        "ones, whose reasoning is given in shares of all 100 (a run is compared where half of its outputs are right)"
    ),
    by_rules=True,
    of_wrong=True,
    right=(
        ErrorClass("sound_reasoning", "the reasoning is valid and leads to the answer", 0.33),
        ErrorClass("wrong_reasoning", "the answer is right, but the reasoning to it is wrong", 0.17),
        ErrorClass("no_reasoning", "the answer is given without any reasoning"),
    ),
    classes=(
        ErrorClass("visual_perception", "visual information is misread or misunderstood", 0.86),
        ErrorClass("instruction_understanding", "the instruction is misunderstood", 0.06),
        ErrorClass("output_format", "the output is not in the form that was asked for", 0.06),
        ErrorClass(
            "reasoning_process", "the reasoning goes wrong although picture and instruction are understood", 0.02
        ),
    ),
)
