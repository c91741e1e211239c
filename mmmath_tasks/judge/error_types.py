"""What went wrong in a response, by the classes that each benchmark's authors use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationInfo, field_validator

from mmmath_tasks.judge.case import Case, Judged, by_judge, failed, names, whole_question
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Reply
from mmmath_tasks.metrics.tally import wilson
from mmmath_tasks.problem import Verdict


@dataclass(frozen=True, slots=True)
class ErrorClass:
    """A class of errors: its name, what the judge is told of it, the share the paper found (None: not printed)."""

    name: str
    meaning: str
    paper: float | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Flaws that are counted together: a name, which flaws there must be, which must not, the paper's share."""

    name: str
    there: tuple[str, ...]
    absent: tuple[str, ...]
    paper: float


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The classes of one paper.

    Attributes:
        source: where they stand, and on what the printed shares rest.
        classes: of which every response with a wrong answer gets one.
        right: of which every response with the right answer gets one; () where the paper does not class those.
        of_wrong: whether shares of `classes` are of the wrong answers alone; else they are, as those of `right` always
            are, of all responses that were classed.
        flaws: of which a response may have several; () where the paper has none.
        flawed: the classes that the shares of flaws are of.
        patterns: what else the paper counts of flaws, shares of the same.
        by_rules: whether rules tell right from wrong although `judge_answers` exists (it does something else).
        by: a breakdown of the problems (key of Problem.groups) that the paper's figure shows; "" for none.
    """

    source: str
    classes: tuple[ErrorClass, ...]
    right: tuple[ErrorClass, ...] = ()
    of_wrong: bool = False
    flaws: tuple[ErrorClass, ...] = ()
    flawed: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    by_rules: bool = False
    by: str = ""

    def of(self, answer: str) -> tuple[ErrorClass, ...]:
        """Return the classes of responses with a "right" or a "wrong" answer."""
        return self.right if answer == "right" else self.classes


class Typing(Reply):
    """An error's class, its flaws, and why in a sentence or two."""

    error_type: str
    flaws: list[str] = []  # noqa: RUF012 - pydantic copies defaults
    analysis: str = ""

    @field_validator("error_type")
    @classmethod
    def _known_type(cls, name: str, info: ValidationInfo) -> str:
        return _known(name, (info.context or {})["classes"])

    @field_validator("flaws")
    @classmethod
    def _known_flaws(cls, found: list[str], info: ValidationInfo) -> list[str]:
        return [_known(name, (info.context or {})["flaws"]) for name in found]


def _known(name: str, allowed: Sequence[str]) -> str:
    if name not in allowed:
        raise ValueError(f"should be one of {', '.join(allowed)}")
    return name


def prompt(taxonomy: Taxonomy, benchmark: str, answer: str = "wrong") -> Prompt:
    """Return the prompt that asks for one of the taxonomy's classes; our own words, the papers print no prompt.

    Of a "right" or a "wrong" answer; where both have the same classes, the prompt is the same.
    """
    classes, alike = taxonomy.classes, _named(taxonomy.classes) == _named(taxonomy.right)
    if answer == "right":
        classes = taxonomy.right
    flaws = (
        f' and "flaws" is the list of those that apply, maybe empty, of: {_listed(taxonomy.flaws)}.'
        if taxonomy.flaws
        else "."
    )
    fields = '{"analysis": "...", "error_type": "..."' + (', "flaws": [...]}' if taxonomy.flaws else "}")
    subject = "an explanation" if alike else "a wrong response"
    if answer == "right" and not alike:
        subject = "the reasoning of a response whose final answer is right"
    return Prompt(
        id=f"{benchmark}_errors" if alike or answer == "wrong" else f"{benchmark}_reasoning",
        version="1",
        system=(
            f"You classify {subject} to a visual mathematics question. You see the question, its picture if there is "
            "one, the reference answer and the response. Where several things are wrong, the first in the order of "
            f'the reasoning decides. Reply with one JSON object and nothing else: {fields}, where "analysis" says '
            f'in one or two sentences what is wrong, "error_type" is one of: {_listed(classes)}{flaws}'
        ),
        user="Question:\n{question}\n\nReference answer:\n{reference}\n\nResponse:\n{response}",
        reply=Typing,
        example={"error_type": classes[0].name, "flaws": [], "analysis": "x" * 200},
    )


def _named(classes: Sequence[ErrorClass]) -> list[tuple[str, str]]:
    return [(c.name, c.meaning) for c in classes]


def _listed(classes: Sequence[ErrorClass]) -> str:
    return "; ".join(f'"{c.name}": {c.meaning}' for c in classes)


def judge_errors(judge: Judge, cases: Sequence[Case], verdicts: Sequence[Verdict], taxonomy: Taxonomy) -> list[Judged]:
    """Class the errors of wrong responses (and of right ones where the paper does).

    The judge sees question, pictures, gold and response. What is wrong, the cases' official verdicts decide, verified
    ones where there is no official one.

    Returns:
        one Judged for each case that was classed, in order: its verdict as given, detail with error_type, flaws,
        analysis, answer ("right" or "wrong") and slices (of taxonomy.by). Unscored and empty responses are left out.
    """
    chosen = []
    for case, verdict in zip(cases, verdicts, strict=True):
        right = verdict.verified if verdict.official is None else verdict.official
        if right is not None and case.response.strip() and (taxonomy.right or not right):
            chosen.append((case, verdict, "right" if right else "wrong"))
    if not chosen:
        return []
    outcomes = ("wrong", "right") if taxonomy.right else ("wrong",)
    prompts = {outcome: prompt(taxonomy, chosen[0][0].problem.benchmark, outcome) for outcome in outcomes}
    flaws = [c.name for c in taxonomy.flaws]
    questions = [
        Question(
            prompts[outcome],
            {"question": whole_question(case), "reference": case.problem.answer or "", "response": case.response},
            case.pictures,
            {"classes": [c.name for c in taxonomy.of(outcome)], "flaws": flaws},
        )
        for case, _, outcome in chosen
    ]
    done = []
    for (case, verdict, outcome), answer in zip(chosen, judge.ask(questions, "error types"), strict=True):
        asked, reply = prompts[outcome], answer.reply
        if isinstance(reply, Typing):
            detail = {
                "answer": outcome,
                "error_type": reply.error_type,
                "flaws": reply.flaws,
                "analysis": reply.analysis,
                "slices": list(case.problem.groups.get(taxonomy.by, ())),
            }
            done.append(Judged(by_judge(verdict, judge), (answer,), detail, names([asked])))
        else:
            done.append(failed(case, [answer], [asked]))
    return done


def distribution(judged: Sequence[Judged], taxonomy: Taxonomy) -> list[dict[str, Any]]:
    """Return the table of the paper's figure.

    Returns:
        rows of `table` ("error_type" or "flaw"), `answer` ("right", "wrong" or "any"), `slice` (of the breakdown
        `taxonomy.by`; "" for all), `name`, `count`, `of` (how many responses the share is of: those of the slice that
        the paper's shares are of, see `Taxonomy`), `share` (0 to 1; nan where there are none), `low`, `high` (95 %,
        Wilson) and `paper` (the printed share, None where there is none). Unscored responses are a row of their own,
        outside the shares.
    """
    classed = [j.detail for j in judged if j.detail]
    slices = sorted({name for detail in classed for name in detail["slices"]})
    answers = ("wrong", "right") if taxonomy.right else ("wrong",)
    rows = []
    for slice_ in ("", *slices):
        here = [d for d in classed if not slice_ or slice_ in d["slices"]]
        for answer in answers:
            mine = [d["error_type"] for d in here if d["answer"] == answer]
            found, total = Counter(mine), len(mine if answer == "wrong" and taxonomy.of_wrong else here)
            rows += [
                _row("error_type", answer, slice_, c.name, found[c.name], total, c.paper) for c in taxonomy.of(answer)
            ]
        flawed = [set(d["flaws"]) for d in here if d["error_type"] in taxonomy.flawed]
        counted = [(c.name, sum(c.name in flaws for flaws in flawed), c.paper) for c in taxonomy.flaws]
        for pattern in taxonomy.patterns:
            fitting = [f for f in flawed if f >= set(pattern.there) and not f & set(pattern.absent)]
            counted.append((pattern.name, len(fitting), pattern.paper))
        rows += [_row("flaw", "any", slice_, name, count, len(flawed), paper) for name, count, paper in counted]
    return [*rows, {"table": "unscored", "name": "unscored", "count": len(judged) - len(classed)}]


def _row(
    table: str, answer: str, slice_: str, name: str, count: int, total: int, paper: float | None
) -> dict[str, Any]:
    low, high = wilson(count, total)
    return {
        "table": table,
        "answer": answer,
        "slice": slice_,
        "name": name,
        "count": count,
        "of": total,
        "share": count / total if total else math.nan,
        "low": low,
        "high": high,
        "paper": None if slice_ else paper,
    }
