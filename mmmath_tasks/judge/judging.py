"""From cases to verdicts: answers for the harnesses, and what `mmmath judge --metric` names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.judge import cot_e, metric, taxonomy_of
from mmmath_tasks.judge.case import Case, Judged, Metric, with_cuts
from mmmath_tasks.judge.contract import judged_metrics
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.error_types import Taxonomy, judge_errors
from mmmath_tasks.judge.mixing import Mixing, mixing, surest
from mmmath_tasks.judge.saved_cases import SavedCases
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.problem import Scorecard
from mmmath_tasks.scoring import Benchmark

_CALLS = 3  # the most questions of one response: two on its answer, one on its error


@dataclass(frozen=True, slots=True)
class Judging:
    """What a metric makes of saved responses.

    Attributes:
        judged: in the order of the cases; of errors, only what was classed.
        card: the scorecard; None for errors.
        taxonomy: the classes of errors; None for the other metrics.
        mixing: what the rules did in the judge's place; None where it was asked about all.
    """

    judged: Sequence[Judged]
    card: Scorecard | None = None
    taxonomy: Taxonomy | None = None
    mixing: Mixing | None = None


def judge_with(settings: Settings, benchmark: str, cases: Sequence[Case]) -> tuple[list[Judged], Mapping[str, Any]]:
    """Judge answers as the benchmark's authors do, with a judge of its own, and return them with its account.

    Raises:
        InputError: the authors judge no answers, or the judge cannot be set up.
    """
    answers, known = answers_of(benchmark, settings.prompts), Benchmark(benchmark)
    judge = settings.open()
    try:
        judged = answers(judge, cases, sure=surest(known, cases, settings))
        mixed = mixing(known, cases, judged, settings, answers)
        account = settings.account(judge, judged)
        return with_cuts(cases, judged), account | ({"mixed": mixed.account()} if mixed else {})
    finally:
        judge.close()


def judged_answers(judge: Judge, loaded: SavedCases, settings: Settings) -> Judging:
    """Judge the answers; see `judge_with`. The settings say which the judge reads, and by whose prompts.

    Raises:
        InputError: the authors judge no answers, or the file of prompts cannot be used.
    """
    known, cases = loaded.benchmark, loaded.cases
    answers = answers_of(known.name, settings.prompts)
    judged = with_cuts(cases, answers(judge, cases, sure=surest(known, cases, settings)))
    card = known.summarise(loaded.problems, [j.verdict for j in judged])
    return Judging(judged, card, mixing=mixing(known, cases, judged, settings, answers))


def judged_steps(
    judge: Judge,
    loaded: SavedCases,
    alpha: float | None = None,
    annotations: Mapping[str, str] | None = None,
    steps_model: str = "",
) -> Judging:
    """Judge the steps on the way to the answers; see `cot_e.judge_steps`.

    Raises:
        InputError: the benchmark's authors judge no steps, or alpha is not from 0 to 1.
    """
    name = loaded.benchmark.name
    steps = judged_metrics(name)
    if steps.judge_steps is None or steps.summarise_steps is None:
        raise InputError(f"{name} has no cot_e: its authors judge no steps")
    alpha = cot_e.ALPHA if alpha is None else alpha
    if not 0 <= alpha <= 1:
        raise InputError(f"--alpha should be between 0 and 1, got {alpha}")
    cases = loaded.cases
    given = {"alpha": alpha, "annotations": annotations or {}, "steps_model": steps_model}
    judged = with_cuts(cases, steps.judge_steps(judge, cases, **given))
    card = steps.summarise_steps(loaded.problems, judged, alpha)
    return Judging(judged, replace(card, notes=(*card.notes, *cot_e.doubts(cases, loaded.how.values("prompt_style")))))


def judged_errors(judge: Judge, loaded: SavedCases, settings: Settings) -> Judging:
    """Class the errors of wrong responses; see `judge_errors` and, for `settings`, `judged_answers`.

    Raises:
        InputError: the benchmark's paper has no classes of errors.
    """
    known, cases = loaded.benchmark, loaded.cases
    taxonomy = taxonomy_of(known.name)
    if taxonomy is None:
        raise InputError(f"{known.name}: its paper has no classes of errors")
    answers = None if taxonomy.by_rules else metric(known.name)
    if answers is None:
        ruled = [known.score(case.problem, case.response) for case in cases]
        return Judging(judge_errors(judge, cases, ruled, taxonomy), taxonomy=taxonomy)
    sure = surest(known, cases, settings)
    judged: list[Judged] = []
    rest = list(cases)
    while rest:
        # Under a ceiling of calls as many at a time as it has room for to their end
        room = judge.budget.calls_left
        size = len(rest) if room is None else room // _CALLS or len(rest)
        part, rest = rest[:size], rest[size:]
        verdicts = [j.verdict for j in answers(judge, part, sure=sure)]
        judged += judge_errors(judge, part, verdicts, taxonomy)
    return Judging(judged, taxonomy=taxonomy)


def answers_of(benchmark: str, prompts: str | None = None) -> Metric:
    """Return how answers are judged; raises InputError where they are not, or the file of prompts cannot be used."""
    found = metric(benchmark, prompts)
    if found is None:
        remedy = "`mmmath rescore`; with VLMEvalKit leave --judge out"
        raise InputError(f"{benchmark} has no judged answer: its authors score by rules ({remedy})")
    return found
