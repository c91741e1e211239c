"""MathVerse by a judge: the answer is read from the end of the response, then compared with the gold.

Upstream: github.com/ZrrSkywalker/MathVerse at commit 937b090, evaluation/extract_answer_s1.py (the last 30 words) and
score_answer_s2.py (1 or 0). The two steps are the authors'. The paper prints no prompt, and their file of them is not
ours to ship: where the user has it (`with_prompts`), both steps are asked in its words, one message each as upstream
sends it. Without it both prompts are our own and forgive more (a missing unit, other notation), and the result is
called `acc_judged`.

Deviations from upstream: it asks for ever until it reads a 0 or 1, here twice, then the item ends unscored; an empty
response is wrong without asking; for Vision Only, whose `question` is empty, its second step shows no question, here
`question_for_eval`; a reasoning judge's <think> block is no part of its reply.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import field_validator

from mmmath_tasks.errors import InputError
from mmmath_tasks.judge import cot_e
from mmmath_tasks.judge.authors_prompts import filled, load
from mmmath_tasks.judge.case import Case, Judged, Metric, Sure, by_judge, failed, is_sure, names, whole_question
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Extraction, Mark, Reply
from mmmath_tasks.metrics.mathverse import OWN_JUDGE, score
from mmmath_tasks.problem import Problem

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


class TheirExtraction(Extraction):
    """The answer as the authors' prompt has it: the whole reply, which may repeat the prompt's last words."""

    whole: ClassVar[str] = "extracted_answer"

    def text(self) -> str:
        """Return the answer."""
        return super().text().replace("Extracted Answer: ", "").strip()


class TheirMatch(Match):
    """1 or 0 as the authors' prompt has it: the whole reply, which may repeat the prompt's last word."""

    number: ClassVar[str] = ""
    whole: ClassVar[str] = "agrees"

    @field_validator("agrees", mode="before")
    @classmethod
    def _number(cls, said: Any) -> Any:
        plain = said.replace("Judgement:", "").strip() if isinstance(said, str) else said
        return {"0": 0, "1": 1}.get(plain, plain) if isinstance(plain, str) else plain


@dataclass(frozen=True, slots=True)
class TheirPrompts:
    """The authors' two prompts: `demo_prompt_extract` and `demo_prompt_score` of their evaluation/prompts.py."""

    extract: str
    score: str

    def extraction(self, response: str) -> Question:
        """Return the first step's question, laid out as upstream does: the examples, then the response."""
        text = f"{self.extract.strip()}\n\nModel response: '{response}'\nExtracted Answer: "
        return Question(self._prompt("extraction", self.extract, TheirExtraction, "12"), {"message": text})

    def match(self, problem: Problem, answer: str) -> Question:
        """Return the second step's question: the template with question, gold and answer filled in."""
        question = problem.question or str(problem.extra.get("question_for_eval") or "")
        values = {"question": question, "gt": problem.answer or "", "extraction": answer}
        text = filled(self.score.strip(), values)
        return Question(self._prompt("match", self.score, TheirMatch, 1), {"message": text})

    def _prompt(self, step: str, text: str, reply: type[Reply], example: str | int) -> Prompt:
        version = hashlib.sha256(text.encode()).hexdigest()[:12]
        return Prompt(f"mathverse_authors_{step}", version, None, "{message}", reply, {reply.whole: example})


class OurPrompts:
    """The two prompts of this module."""

    def extraction(self, response: str) -> Question:
        """Return the first step's question."""
        return Question(EXTRACTION, {"response": response})

    def match(self, problem: Problem, answer: str) -> Question:
        """Return the second step's question."""
        return match_question(whole_question(Case(problem, "")), problem.answer or "", answer)


def with_prompts(path: Path) -> Metric:
    """Return `judge_answers` by the prompts in the authors' evaluation/prompts.py; nothing in it runs.

    Raises:
        InputError: the file is not theirs: a text is missing, or the second has no place for what it compares.
    """
    names = ("demo_prompt_extract", "demo_prompt_score")
    theirs = TheirPrompts(*(load(path, names)[name] for name in names))
    probe = Problem("mathverse", "", "\0question", answer="\0gold")
    try:
        sent = theirs.match(probe, "\0answer").material["message"]
    except InputError as error:
        raise InputError(f"{path}: {names[1]}: {error}") from None
    if not all(mark in sent for mark in ("\0question", "\0gold", "\0answer")):
        raise InputError(f"{path}: {names[1]} should have places for {{question}}, {{gt}} and {{extraction}}")
    return functools.partial(judge_answers, prompts=theirs)


def match_question(question: str, reference: str, answer: str) -> Question:
    """Return the question whether an answer agrees with a reference."""
    return Question(MATCH, {"question": question, "reference": reference, "answer": answer})


def judge_answers(
    judge: Judge,
    cases: Sequence[Case],
    *,
    sure: Sure = None,
    prompts: TheirPrompts | OurPrompts = OurPrompts(),  # noqa: B008 - it has no state
) -> list[Judged]:
    """Score responses in the authors' two steps by the authors' prompts or ours; the judge sees no picture.

    Args:
        judge: whom to ask.
        cases: what to score.
        sure: ask only where the rules read nothing or are less confident than this, or about other ids than these;
            elsewhere the rules' verdict stands for the judge's, official too. None asks about every response that is
            not empty.
        prompts: the authors' (see `with_prompts`) or ours.

    Returns:
        verdicts as of metrics.mathverse.score, with rule "judge:<model>" where the judge read the answer. Unless the
        authors' prompts were asked about every response, `official` is repeated in the scores under `OWN_JUDGE`, which
        is what it is then called.
    """
    own = isinstance(prompts, OurPrompts) or sure is not None
    return [_named(judged) if own else judged for judged in _judge_answers(judge, cases, sure, prompts)]


def _named(judged: Judged) -> Judged:
    official = judged.verdict.official
    if official is None:
        return judged
    verdict = dataclasses.replace(judged.verdict, scores={**judged.verdict.scores, OWN_JUDGE: float(official)})
    return dataclasses.replace(judged, verdict=verdict)


def _judge_answers(judge: Judge, cases: Sequence[Case], sure: Sure, prompts: TheirPrompts | OurPrompts) -> list[Judged]:
    done: dict[int, Judged] = {}
    first: dict[int, Question] = {}
    for i, case in enumerate(cases):
        if not case.response.strip():
            done[i] = Judged(score(case.problem, case.response, extraction="", judged=False))
        elif sure is not None and is_sure(ruled := score(case.problem, case.response), sure):
            done[i] = Judged(dataclasses.replace(ruled, official=ruled.verified, reason=""))
        else:
            first[i] = prompts.extraction(end(case.response))
    asked = list(first)
    second: dict[int, Question] = {}

    def then(place: int, answer: Answer) -> Question | None:
        problem = cases[asked[place]].problem
        text = answer.reply.text().strip() if isinstance(answer.reply, Extraction) else ""
        if not text or problem.answer is None:
            return None
        second[asked[place]] = prompts.match(problem, text)
        return second[asked[place]]

    for place, answers in judge.chains(list(first.values()), then, "mathverse"):
        i = asked[place]
        used = [question.prompt for question in (first[i], second.get(i)) if question]
        done[i] = _scored(judge, cases[i], used, *answers)
    return [done[i] for i in range(len(cases))]


def end(response: str) -> str:
    """Return the last 30 words, split at single spaces as upstream does."""
    return " ".join(response.split(" ")[-LAST_WORDS:])


def _scored(
    judge: Judge, case: Case, prompts: Sequence[Prompt], extracted: Answer, matched: Answer | None = None
) -> Judged:
    if not isinstance(extracted.reply, Extraction):
        return failed(case, [extracted], prompts)
    text = extracted.reply.text().strip()
    if matched is None:
        verdict = score(case.problem, case.response, extraction=text, judged=False)
        verdict = by_judge(verdict, judge, reason="no_gold" if case.problem.answer is None else "unextracted")
        return Judged(verdict, (extracted,), {"extraction": text}, names(prompts))
    if not isinstance(matched.reply, Match):
        return failed(case, [extracted, matched], prompts)
    verdict = score(case.problem, case.response, extraction=text, judged=bool(matched.reply.agrees))
    detail = {"extraction": text, "agrees": matched.reply.agrees}
    return Judged(by_judge(verdict, judge), (extracted, matched), detail, names(prompts))
