"""MathVerse by a judge: the answer is read from the end of the response, then compared with the gold.

Upstream: github.com/ZrrSkywalker/MathVerse at commit 937b090, evaluation/extract_answer_s1.py (the last 30 words) and
score_answer_s2.py (1 or 0). The two steps are the authors', the wording of both prompts is ours. Deviations: upstream
asks for ever until it reads a 0 or 1, here the item ends unscored; an empty response is wrong without asking.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

from mmmath_tasks.judge import cot_e
from mmmath_tasks.judge.case import Case, Judged, by_judge, failed, is_sure, names, whole_question
from mmmath_tasks.judge.engine import Answer, Judge
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Extraction, Mark, Reply
from mmmath_tasks.metrics.mathverse import score

LAST_WORDS = 30
"""How much of the end of a response the first step sees (upstream's --trunk_response)."""


class Match(Reply):
    """Whether an answer agrees with the reference: 1 or 0."""

    number: ClassVar[str] = "agrees"
    agrees: Mark


judge_steps, summarise_steps = cot_e.judge_steps, cot_e.summarise

EXTRACTION = Prompt(
    id="mathverse_extraction",
    version="1",
    system=(
        "You are shown the end of a response to a mathematics question and extract the final answer that it gives: an "
        "option's letter, or its text where no letter is given, a number, an expression, or words. You neither solve "
        'the question nor mend the answer. Reply with one JSON object and nothing else: {"extracted_answer": ...}, '
        "the answer as a string without further words, or null where none is given. For example, "
        '"... thus x = 12 cm. The answer is C" gives {"extracted_answer": "C"}, "... so the sides are 3 and 4, and the '
        'area is 6 square metres." gives {"extracted_answer": "6 square metres"}, and "I would need to see the '
        'figure." gives {"extracted_answer": null}.'
    ),
    user="End of the response:\n{response}",
    reply=Extraction,
    example={"extracted_answer": "12 cm"},
)

MATCH = Prompt(
    id="mathverse_match",
    version="1",
    system=(
        "You say whether an answer to a mathematics question agrees with the reference answer. They agree where they "
        "mean the same: other notation, an equal value in another unit (0.5 m and 50 cm), a missing unit that the "
        "question implies, or, for a question with options, the text or value of the option that the reference names. "
        "They do not agree where the value differs, or where the answer leaves open what is meant. You do not solve "
        'the question: the reference counts as right. Reply with one JSON object and nothing else: {"agrees": 1} or '
        '{"agrees": 0}.'
    ),
    user="Question:\n{question}\n\nReference answer:\n{reference}\n\nAnswer:\n{answer}",
    reply=Match,
    example={"agrees": 1},
)


def match_question(question: str, reference: str, answer: str) -> Question:
    """Return the question whether an answer agrees with a reference."""
    return Question(MATCH, {"question": question, "reference": reference, "answer": answer})


def judge_answers(judge: Judge, cases: Sequence[Case], *, sure: float | None = None) -> list[Judged]:
    """Score responses in the authors' two steps, a judge in both.

    Args:
        judge: whom to ask; it sees no picture.
        cases: what to score.
        sure: ask only where the rules read nothing or are less confident than this; elsewhere the rules' verdict
            stands for the judge's, official too. None asks about every response that is not empty.

    Returns:
        verdicts as of metrics.mathverse.score, with rule "judge:<model>" where the judge read the answer.
    """
    done: dict[int, Judged] = {}
    first: dict[int, Question] = {}
    for i, case in enumerate(cases):
        if not case.response.strip():
            done[i] = Judged(score(case.problem, case.response, extraction="", judged=False))
        elif sure is not None and is_sure(ruled := score(case.problem, case.response), sure):
            done[i] = Judged(dataclasses.replace(ruled, official=ruled.verified, reason=""))
        else:
            first[i] = Question(EXTRACTION, {"response": end(case.response)})
    asked = list(first)

    def then(place: int, answer: Answer) -> Question | None:
        case = cases[asked[place]]
        text = answer.reply.text().strip() if isinstance(answer.reply, Extraction) else ""
        gold = case.problem.answer
        return match_question(whole_question(case), gold, text) if text and gold is not None else None

    for place, answers in judge.chains(list(first.values()), then, "mathverse"):
        done[asked[place]] = _scored(judge, cases[asked[place]], *answers)
    return [done[i] for i in range(len(cases))]


def end(response: str) -> str:
    """Return the last 30 words, split at single spaces as upstream does."""
    return " ".join(response.split(" ")[-LAST_WORDS:])


def _scored(judge: Judge, case: Case, extracted: Answer, matched: Answer | None = None) -> Judged:
    if not isinstance(extracted.reply, Extraction):
        return failed(case, [extracted], [EXTRACTION])
    text, prompts = extracted.reply.text().strip(), [EXTRACTION, MATCH]
    if matched is None:
        verdict = score(case.problem, case.response, extraction=text, judged=False)
        verdict = by_judge(verdict, judge, reason="no_gold" if case.problem.answer is None else "unextracted")
        return Judged(verdict, (extracted,), {"extraction": text}, names([EXTRACTION]))
    if not isinstance(matched.reply, Match):
        return failed(case, [extracted, matched], prompts)
    verdict = score(case.problem, case.response, extraction=text, judged=bool(matched.reply.agrees))
    detail = {"extraction": text, "agrees": matched.reply.agrees}
    return Judged(by_judge(verdict, judge), (extracted, matched), detail, names(prompts))
