"""MathVista: the authors' three-stage rule beside a careful reader's verdict, and every breakdown of their score files.

Paper: arXiv 2310.02255, section 3.1 and E.2. Upstream: github.com/lupantech/MathVista, evaluation/extract_answer.py and
evaluation/calculate_score.py at commit 53d5258.

Deviations of `official` from upstream, all of them:
- Stage 1. Upstream asks a language model what the final answer of a response is, unless the response is empty, equals
  a choice or is a bare number. Here our reader stands in for the model (mathvista_extraction.py) unless an extraction
  is handed in (`extraction=`).
- An extraction of None (a call that failed) is not scored; upstream stops with a KeyError.

The nearest-choice quirk is kept: under `official` an empty extraction still earns the choice nearest to "", which is
the shortest; 1,000 empty responses score 168. `verified` gives nothing for them.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

from rapidfuzz.distance import Levenshtein

from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.metrics.answers import Expectation, Reading, equal, read
from mmmath_tasks.metrics.answers.records import Kind
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction, stand_in
from mmmath_tasks.metrics.readers import GIVEN, KEY, NOBODY, RULES, RULES_OF_CODE, mostly_code, readers, rules_for
from mmmath_tasks.metrics.tally import counts, joined, proportions, shares
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict

RULE_VERSION = "4"

RADARS = ("skill",)

OFFICIAL_READER = "GPT-4"
"""Whom the authors have read the answer out of a response (section E.2)."""

GROUPS = ("question_type", "answer_type", "language", "source", "category", "task", "context", "grade", "skill")
"""The nine breakdowns of upstream's score files, in their order."""

TASKS = {
    "figure question answering": "FQA",
    "geometry problem solving": "GPS",
    "math word problem": "MWP",
    "textbook question answering": "TQA",
    "visual question answering": "VQA",
}
"""Names of the tasks and their short forms in Table 2."""

EXPLAINED = {
    "gain": "acc beyond guessing: (acc - chance) / (100 - chance), chance being that of a random option, 0 where there "
    "are none (Figure 1); below 0 is worse than guessing",
    **vlmeval.EXPLAINED,
}
"""What metrics mean that their names do not tell."""

_LETTER = re.compile(r"\(([a-zA-Z])\)")


def expectation(problem: Problem) -> Expectation:
    """Return what kind of answer the reader should look for."""
    kind: Kind = "choice" if problem.question_type == "multi_choice" else problem.answer_type
    return Expectation(kind, problem.choices, problem.precision, problem.unit, problem.question)


def normalise(extraction: str, problem: Problem, integer_rule: Literal["int_float", "int"] = "int_float") -> str | None:
    """Return what upstream's second stage makes of an extracted answer.

    Args:
        extraction: the short answer; "" is allowed.
        problem: its choices, answer type and precision decide.
        integer_rule: "int_float" reads "14.0" as 14 (upstream today); "int" does not (all published runs but two).

    Returns:
        a choice's text, or the number or list as text; None where it does not parse.
    """
    if problem.question_type == "multi_choice":
        short = extraction.strip()
        marked = _LETTER.search(short)
        if marked:
            short = marked.group(1).upper()
        if len(short) == 1 and 0 <= ord(short) - ord("A") < len(problem.choices):
            return problem.choices[ord(short) - ord("A")]
        return min(problem.choices, key=lambda choice: Levenshtein.distance(short, choice), default=None)
    try:
        if problem.answer_type == "integer":
            return str(int(extraction) if integer_rule == "int" else int(float(extraction)))
        if problem.answer_type == "float":
            return str(round(float(extraction), problem.precision or 0))
    except (ValueError, OverflowError):
        return None
    return extraction


def score(
    problem: Problem,
    response: str | None,
    *,
    extraction: str | None = None,
    integer_rule: Literal["int_float", "int"] = "int_float",
) -> Verdict:
    """Score one response.

    Args:
        problem: a MathVista problem.
        response: the model's text; None counts as "".
        extraction: a short answer read elsewhere (GPT-4 in the published files, a judge); replaces our reading.
        integer_rule: see `normalise`.

    Returns:
        the verdict; official and verified are None where the gold was not released (split test).
    """
    response = response or ""
    wanted = expectation(problem)
    if extraction is None:
        reading = read(response, wanted)
        quick = quick_extraction(response, problem)
        short = stand_in(response, reading, wanted) if quick is None else quick
        reader = rules_for(response) if quick is None else NOBODY
    else:
        reading = _given(extraction, wanted)
        short = extraction
        reader = GIVEN
    prediction = normalise(short, problem, integer_rule)
    known = problem.answer is not None
    return Verdict(
        id=problem.id,
        official=prediction == problem.answer if known else None,
        verified=_agrees(reading, problem, wanted) if known else None,
        extracted=reading.text,
        prediction=prediction,
        rule=reading.rule,
        confidence=reading.confidence,
        span=reading.span,
        features=reading.features,
        reason=reading.reason if known else "no_gold",
        reader=reader,
    )


def _given(extraction: str, wanted: Expectation) -> Reading:
    """Return a handed-in extraction as a reading; a choice is still read for its letter."""
    found = read(extraction, wanted)
    if wanted.kind == "choice" or found.text is None:
        return Reading(found.text, found.choice, "extraction", found.confidence, found.reason)
    return Reading(extraction, None, "extraction", 1.0, "")


def _agrees(reading: Reading, problem: Problem, wanted: Expectation) -> bool:
    """Say whether a careful reader would call the reading right.

    Choices are compared by text, not by letter: those of pids 587, 740 and 781 repeat.
    """
    if reading.text is None or problem.answer is None:
        return False
    if wanted.kind == "choice":
        return reading.choice is not None and problem.choices[reading.choice] == problem.answer
    return equal(reading.text, problem.answer, wanted)


def vlmeval_rule(problem: Problem, text: str, judged: bool = False) -> bool | None:
    """Say what VLMEvalKit's rules make of a text: its option's letter, or the whole text as the number, is the gold's.

    Args:
        problem: a MathVista problem with a gold.
        text: a response; or, `judged`, what VLMEvalKit's judge read in one (its column `res`).
        judged: whether it is the latter.

    Returns:
        None: the response goes to the judge. That is also so of a number other than the gold, and of 0, whatever the
        gold; a judged list is always wrong.
    """
    gold = problem.answer or ""
    if problem.question_type == "multi_choice":
        options = vlmeval.options_of(problem)
        letter = vlmeval.inferred(text, options)
        right = chr(ord("A") + problem.choices.index(gold)) if gold in problem.choices else None
        return letter == right if letter or judged else None
    number = {"integer": int, "float": float}.get(problem.answer_type)
    try:
        if number is not None and (found := number(text)) == number(gold) and (found or judged):
            return True
    except ValueError:
        pass
    return False if judged else None


def table_scores(problem: Problem, verdict: Verdict) -> dict[str, float]:
    """Return what a harness's table shows of this response beside the overall scores: its task's column of Table 2.

    Returns:
        {"acc_GPS": 1.0}, the other four nan; {} where there is no official score.
    """
    if verdict.official is None:
        return {}
    tasks = problem.groups.get("task", ())
    return {f"acc_{name}": float(verdict.official) if task in tasks else math.nan for task, name in TASKS.items()}


def chance(problem: Problem) -> float:
    """Return the chance of a random option; 0 for free-form questions, which the baseline leaves empty (Table 2)."""
    if problem.question_type != "multi_choice" or not problem.choices:
        return 0.0
    return sum(choice == problem.answer for choice in problem.choices) / len(problem.choices)


def summarise(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
    """Sum verdicts up as upstream's score file does.

    Returns:
        a scorecard with `acc` (headline) and `acc_verified`, overall and by the nine groups; `gain`, overall and by
        the same groups: acc less random chance, over what chance leaves (Figure 1's scale, as a fraction; negative
        below chance); `share_empty` and `share_unextracted`: of the responses, those without any text and those from
        which nothing could be read.
    """
    pairs = joined(problems, verdicts)
    official = proportions("acc", [(p, v.official) for p, v in pairs], GROUPS)
    verified = proportions("acc_verified", [(p, v.verified) for p, v in pairs], GROUPS)
    read_by = readers(v for _, v in pairs)
    return Scorecard(
        benchmark="mathvista",
        headline="acc",
        scores=(
            official[0],
            verified[0],
            *shares(v for _, v in pairs),
            *official[1:],
            *verified[1:],
            *_gains(official, pairs),
        ),
        counts=counts(problems, [v for _, v in pairs]),
        provenance={"rule_version": RULE_VERSION, KEY: read_by},
        notes=(
            "acc keeps the authors' nearest-choice rule: an empty or refusing response still earns the choice nearest "
            "to it. acc_verified does not.",
            *_reading_notes(read_by),
        ),
    )


def _reading_notes(read_by: dict[str, int]) -> Iterator[str]:
    """Yield what a reader of the numbers must know of how the answers were read."""
    if read_by.get(RULES) or read_by.get(RULES_OF_CODE):
        yield (
            f"Read by rules: the authors have {OFFICIAL_READER} read the answer out of a response. Where neither a "
            "judge nor the file did, our rules read it, and acc can differ from published figures."
        )
    if mostly_code(read_by):
        yield (
            "Warning: most responses are programs, or wrapped in code, and were read as they stand. The authors run "
            "programs and read what these print, as the task mathvista_testmini_pot_2shot does: acc is not theirs "
            "here, and may be far too low."
        )


def _gains(official: Sequence[Score], pairs: Sequence[tuple[Problem, Verdict]]) -> list[Score]:
    """Return Figure 1's adjusted accuracy for every slice of `official`."""
    chances: dict[tuple[str, str], list[float]] = defaultdict(list)
    for problem, verdict in pairs:
        if verdict.official is not None:
            for group, slices in {"": ("",), **problem.groups}.items():
                for name in slices:
                    chances[group, name].append(chance(problem))
    gains = []
    for s in official:
        found = chances[s.group, s.slice]
        floor = math.fsum(found) / len(found) if found else math.nan
        adjusted = [(x - floor) / (1 - floor) if floor < 1 else math.nan for x in (s.value, s.low, s.high)]
        gains.append(Score("gain", s.group, s.slice, adjusted[0], s.count, adjusted[1], adjusted[2]))
    return gains
