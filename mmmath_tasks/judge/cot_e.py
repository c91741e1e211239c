"""MathVerse's CoT evaluation: key steps of a response, each marked right or wrong, and the answer; UNOFFICIAL prompts.

Paper: arXiv 2403.14624, section 2.3, equation 7. The authors never released their prompts or code; these are our own,
so scores compare with Table 3 as with a reference range, not as with a leaderboard. As in the paper, the first judge
sees the response alone (no question, picture or gold) and the second sees question, picture and gold.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationInfo, field_validator

from mmmath_tasks.judge.case import Case, Judged, by_judge, failed, names, whole_question
from mmmath_tasks.judge.engine import Answer, Judge
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Mark, Reply
from mmmath_tasks.metrics.mathverse import TEXT_ONLY, VERSIONS
from mmmath_tasks.metrics.tally import counts, mean
from mmmath_tasks.problem import Problem, Scorecard, Verdict

ALPHA = 0.7
"""The weight of the steps in equation 7, the paper's default."""


class Steps(Reply):
    """The key steps of a response and its final answer, None where it gives none."""

    steps: list[str] = Field(max_length=60)
    final_answer: str | int | float | None


class Marked(Reply):
    """A mark and the reason for it."""

    correct: Mark
    analysis: str = ""


class Marks(Reply):
    """One mark a step, in order, and one for the final answer."""

    verdicts: list[Marked]
    answer: Marked

    @field_validator("verdicts")
    @classmethod
    def _one_a_step(cls, marks: list[Marked], info: ValidationInfo) -> list[Marked]:
        count = (info.context or {})["steps"]
        if len(marks) != count:
            raise ValueError(f"should hold {count} verdicts, one a step")
        return marks


STEPS = Prompt(
    id="cot_e_steps",
    version="1",
    system=(
        "You list the key steps of a response to a mathematics question that you are not shown: results of "
        "calculations, elements read off a picture, inferences that the rest relies on. Take them from the response "
        "alone, in its order, each in one short sentence with its numbers; neither mend, add nor judge any. The final "
        'answer is not a step. Reply with one JSON object and nothing else: {"steps": ["..."], "final_answer": "..."}; '
        '"steps" is [] where there are none, "final_answer" is null where none is given.'
    ),
    user="{response}\n\nList its steps.",
    reply=Steps,
    example={"steps": ["x" * 80] * 5, "final_answer": "x"},
)

MARKS = Prompt(
    id="cot_e_marks",
    version="1",
    system=(
        "You examine the solution of a visual mathematics problem step by step. You see the problem, its picture if "
        "there is one, the reference answer, the solution's numbered steps and its final answer. Mark each step 1 if "
        "it is right (calculation, deduction and reading of the picture) or 0 if it is not, and the final answer 1 if "
        "it means the same as the reference or 0 if it does not; a missing answer is 0. Where a mark is 0 say what the "
        'error is. Reply with one JSON object and nothing else: {"verdicts": [{"correct": 1, "analysis": "..."}], '
        '"answer": {"correct": 0, "analysis": "..."}}, with one verdict a step, in order.'
    ),
    user=(
        "Problem:\n{question}\n\n{annotation}\n\nReference answer:\n{reference}\n\n"
        "Steps of the solution:\n{steps}\n\nFinal answer of the solution:\n{final_answer}"
    ),
    reply=Marks,
    example={
        "verdicts": [{"correct": 1, "analysis": "x" * 80}] * 5,
        "answer": {"correct": 1, "analysis": "x" * 80},
    },
)


def judge_steps(
    judge: Judge,
    cases: Sequence[Case],
    *,
    alpha: float = ALPHA,
    annotations: Mapping[str, str] | None = None,
) -> list[Judged]:
    """Score the reasoning of responses by equation 7.

    Args:
        judge: whom to ask: a model that sees pictures.
        cases: what to score, pictures with them.
        alpha: the weight of the steps, 0 to 1.
        annotations: by problem id, what else is known of a picture: the paper describes the diagrams of function
            problems so, since judges misread them; those descriptions were not released.

    Returns:
        verdicts with scores cot_e, cot_e_answer and cot_e_steps (0 to 1; the last absent where the response has no
        step), verified = the mark of the answer, official None. A response without steps is worth its answer's mark,
        the answer being its only step; one with neither, or empty, is worth 0. detail keeps steps, marks and analyses.
    """
    done = {i: _nothing(case, "empty", (), ()) for i, case in enumerate(cases) if not case.response.strip()}
    asked = [i for i in range(len(cases)) if i not in done]

    def then(place: int, answer: Answer) -> Question | None:
        case, steps = cases[asked[place]], answer.reply
        if not isinstance(steps, Steps) or (not steps.steps and steps.final_answer is None):
            return None
        return _question(case, steps, (annotations or {}).get(case.problem.id, ""))

    first = [Question(STEPS, {"response": cases[i].response}) for i in asked]
    for place, answers in judge.chains(first, then, "cot_e"):
        case, steps, marks = cases[asked[place]], answers[0].reply, answers[-1].reply
        if isinstance(steps, Steps) and isinstance(marks, Marks):
            judged = _scored(judge, case, steps, marks, alpha, answers)
        elif isinstance(steps, Steps) and len(answers) == 1:
            judged = _nothing(case, "unextracted", answers, names([STEPS]))
        else:
            judged = failed(case, answers, [STEPS, MARKS][: len(answers)])
        done[asked[place]] = judged
    return [done[i] for i in range(len(cases))]


def _question(case: Case, steps: Steps, annotation: str) -> Question:
    numbered = [f"{number}. {' '.join(step.split())}" for number, step in enumerate(steps.steps, 1)]
    material = {
        "question": whole_question(case),
        "annotation": annotation or "(no further description of the picture)",
        "reference": case.problem.answer or "",
        "steps": "\n".join(numbered) or "(none)",
        "final_answer": "(none)" if steps.final_answer is None else str(steps.final_answer),
    }
    return Question(MARKS, material, case.pictures, {"steps": len(steps.steps)})


def _nothing(case: Case, reason: str, answers: tuple[Answer, ...], prompts: tuple[str, ...]) -> Judged:
    scores = {"cot_e": 0.0, "cot_e_answer": 0.0}
    return Judged(Verdict(case.problem.id, None, False, reason=reason, scores=scores), answers, {"steps": []}, prompts)


def _scored(judge: Judge, case: Case, steps: Steps, marks: Marks, alpha: float, answers: tuple[Answer, ...]) -> Judged:
    right = float(marks.answer.correct)
    scores = {"cot_e": right, "cot_e_answer": right}
    if marks.verdicts:
        mean = math.fsum(mark.correct for mark in marks.verdicts) / len(marks.verdicts)
        scores |= {"cot_e": alpha * mean + (1 - alpha) * right, "cot_e_steps": mean}
    pairs = zip(steps.steps, marks.verdicts, strict=True)
    detail: dict[str, Any] = {
        "steps": [{"step": s, "correct": mark.correct, "analysis": mark.analysis} for s, mark in pairs],
        "answer": {"text": steps.final_answer, "correct": marks.answer.correct, "analysis": marks.answer.analysis},
        "alpha": alpha,
        "unofficial": True,
    }
    text = None if steps.final_answer is None else str(steps.final_answer)
    verdict = Verdict(case.problem.id, None, bool(right), extracted=text, confidence=1.0, scores=scores)
    return Judged(by_judge(verdict, judge), answers, detail, names([STEPS, MARKS]))


def summarise(problems: Sequence[Problem], judged: Sequence[Judged]) -> Scorecard:
    """Sum CoT-E up as Table 3 does.

    Returns:
        a scorecard of `cot_e` (headline: the unweighted mean of the versions that were answered, Text Only apart, as
        in the table's "All"; by version, subject and subfield too, Text Only left out of the last two), and
        `cot_e_steps` and `cot_e_answer`, the two parts of equation 7, over all responses. 0 to 1; unscored responses
        are in `counts` only.
    """
    by_id = {problem.id: problem for problem in problems}
    scored = [(by_id[j.verdict.id], j.verdict.scores) for j in judged if "cot_e" in j.verdict.scores]

    def slices(group: str, leave_out: str = "") -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for problem, scores in scored:
            if leave_out not in problem.groups.get("version", ()):
                for name in problem.groups.get(group, ()):
                    found.setdefault(name, []).append(scores["cot_e"])
        return found

    versions = slices("version")
    table = [mean("cot_e", versions[name], "version", name) for name in VERSIONS if name in versions]
    seen = [score for score in table if score.slice != TEXT_ONLY]
    pooled = mean("cot_e", [value for s in seen for value in versions[s.slice]])
    middle = math.fsum(s.value for s in seen) / len(seen) if seen else math.nan
    parts = [
        mean(name, [scores[name] for _, scores in scored if name in scores]) for name in ("cot_e_steps", "cot_e_answer")
    ]
    for group in ("subject", "subfield"):
        table += [mean("cot_e", values, group, name) for name, values in sorted(slices(group, TEXT_ONLY).items())]
    return Scorecard(
        benchmark="mathverse",
        headline="cot_e",
        scores=(dataclasses.replace(pooled, value=middle), *parts, *table),
        counts=counts(problems, [j.verdict for j in judged]),
        notes=(
            "cot_e: prompts of our own, since the authors released none; Table 3 is a reference range, not a "
            "leaderboard.",
        ),
    )
