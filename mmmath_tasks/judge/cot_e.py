"""MathVerse's CoT evaluation: key steps of a response, each marked right or wrong, and the answer; UNOFFICIAL prompts.

Paper: arXiv 2403.14624, section 2.3, equation 7. The authors never released their prompts or code; these are our own,
so scores compare with Table 3 as with a reference range, not as with a leaderboard. As in the paper, the first judge
sees the response alone (no question, picture or gold) and the second sees question, picture and gold; they may be two
models, as the paper's GPT-4 and GPT-4V.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationInfo, field_validator

from mmmath_tasks.judge.case import Case, Judged, by_judge, failed, names, whole_question
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Mark, Reply
from mmmath_tasks.metrics.mathverse import TEXT_ONLY, VERSIONS
from mmmath_tasks.metrics.tally import counts, mean
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict

ALPHA = 0.7
"""The weight of the steps in equation 7, the paper's default."""

PARTS = ("cot_e", "cot_e_steps", "cot_e_answer")
"""The score and the two parts of equation 7, which add up to it by alpha."""

_FEW_WORDS = 15


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
    steps_model: str = "",
    annotations: Mapping[str, str] | None = None,
) -> list[Judged]:
    """Score the reasoning of responses by equation 7.

    Args:
        judge: whom to ask: a model that sees pictures.
        cases: what to score, pictures with them.
        alpha: the weight of the steps, 0 to 1.
        steps_model: who lists the steps, which needs no eye for pictures; "": the judge itself.
        annotations: by problem id, what else is known of a picture: the paper describes the diagrams of function
            problems so, since judges misread them; those descriptions were not released.

    Returns:
        verdicts with scores cot_e, cot_e_steps and cot_e_answer (0 to 1; the first is the others' sum by alpha),
        verified = the mark of the answer, official None. A response without steps is worth its answer's mark, the
        answer being its only step; one with neither, or empty, is worth 0. detail keeps steps, marks and analyses.
    """
    done = {i: _nothing(case, "empty", (), ()) for i, case in enumerate(cases) if not case.response.strip()}
    asked = [i for i in range(len(cases)) if i not in done]

    def then(place: int, answer: Answer) -> Question | None:
        case, steps = cases[asked[place]], answer.reply
        if not isinstance(steps, Steps) or (not steps.steps and steps.final_answer is None):
            return None
        return _question(case, steps, (annotations or {}).get(case.problem.id, ""))

    first = [Question(STEPS, {"response": cases[i].response}, model=steps_model) for i in asked]
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
    scores = dict.fromkeys(PARTS, 0.0)
    return Judged(Verdict(case.problem.id, None, False, reason=reason, scores=scores), answers, {"steps": []}, prompts)


def _scored(judge: Judge, case: Case, steps: Steps, marks: Marks, alpha: float, answers: tuple[Answer, ...]) -> Judged:
    right = float(marks.answer.correct)
    marked = [mark.correct for mark in marks.verdicts]
    reached = sum(marked) / len(marked) if marked else right
    scores = dict(zip(PARTS, (alpha * reached + (1 - alpha) * right, reached, right), strict=True))
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


def summarise(problems: Sequence[Problem], judged: Sequence[Judged], alpha: float = ALPHA) -> Scorecard:
    """Sum up what `judge_steps` found, by the same alpha, as Table 3 does.

    Returns:
        a scorecard of `cot_e` (headline), `cot_e_steps` and `cot_e_answer`, of which the first is the others' sum by
        alpha: each the unweighted mean of the versions that were answered, Text Only apart, as in the table's "All".
        `cot_e` by version, subject and subfield too, Text Only left out of the last two. 0 to 1; unscored responses are
        in `counts` only.
    """
    by_id = {problem.id: problem for problem in problems}
    scored = [(by_id[j.verdict.id], j.verdict.scores) for j in judged if "cot_e" in j.verdict.scores]

    def slices(metric: str, group: str, leave_out: str = "") -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for problem, scores in scored:
            if leave_out not in problem.groups.get("version", ()):
                for name in problem.groups.get(group, ()):
                    found.setdefault(name, []).append(scores[metric])
        return found

    def whole(metric: str) -> Score:
        versions = slices(metric, "version", TEXT_ONLY)
        pooled = mean(metric, [value for values in versions.values() for value in values])
        means = [math.fsum(values) / len(values) for values in versions.values()]
        return dataclasses.replace(pooled, value=math.fsum(means) / len(means) if means else math.nan)

    versions = slices("cot_e", "version")
    table = [mean("cot_e", versions[name], "version", name) for name in VERSIONS if name in versions]
    for group in ("subject", "subfield"):
        parts = slices("cot_e", group, TEXT_ONLY)
        table += [mean("cot_e", values, group, name) for name, values in sorted(parts.items())]
    return Scorecard(
        benchmark="mathverse",
        headline="cot_e",
        scores=(*map(whole, PARTS), *table),
        counts=counts(problems, [j.verdict for j in judged]),
        provenance={"alpha": alpha},
        notes=(
            "cot_e: prompts of our own, since the authors released none; Table 3 is a reference range, not a "
            "leaderboard.",
            f"cot_e = {alpha:g} cot_e_steps + {1 - alpha:g} cot_e_answer, each a mean over versions with a picture.",
        ),
    )


def doubts(cases: Sequence[Case], prompt_styles: Mapping[str, int]) -> list[str]:
    """Return what speaks against judging the reasoning of some responses: they were not asked to show any.

    `prompt_styles` has the styles that they record, to the number of responses; empty where they record none.
    """
    short = sum(len(case.response.split()) < _FEW_WORDS for case in cases)
    terse = {style: prompt_styles[style] for style in ("wo", "default") if style in prompt_styles}
    if terse:
        why = f"{sum(terse.values()):,} responses come from the short-answer prompt ({', '.join(terse)})"
    elif not prompt_styles and 2 * short > len(cases):
        why = f"{short} of {len(cases)} responses have fewer than {_FEW_WORDS} words"
    else:
        return []
    return [f"{why}: CoT-E judges reasoning, as the prompt cot (tasks named _cot) asks for."]
