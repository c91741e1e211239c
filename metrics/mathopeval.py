r"""MathOPEval: multiple choice right or wrong with macro means; free-form code by execution and by a judge.

Paper: arXiv 2507.18140, sections 3 and 4, Tables 4 to 7, appendix "prompts". No code of the authors is public, so the
official rule is RECONSTRUCTED from the paper's words: an option is read and compared; what cannot be read is wrong (the
rows of Gemma3 below chance in Tables 5 and 7 show it). What the prompts ask for is read: the letter in the last
\boxed{}, without one a letter that begins the response. Every AVG of the paper is the unweighted mean of its
categories: here acc_macro is the mean over the cells task x type, and each breakdown has a mean of its own.

Free-form responses have no right or wrong: official is None. They carry "execution" (0 to 1,
mmmath_tasks.metrics.mathopeval_execution) where their code was run, and "rating" (1 to 10, the paper's scale) where a
judge has read it; verified is whether the executed figure matches the reference in full.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from mmmath_tasks.metrics.answers import Expectation, read
from mmmath_tasks.metrics.code_blocks import code
from mmmath_tasks.metrics.mathopeval_execution import ExecutionScore
from mmmath_tasks.metrics.tally import counts, mean, proportions
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict

RULE_VERSION = "4"

TASKS = ("mcg", "mce_deletion", "mce_modification", "mce_annotation")
TYPES = ("geometry", "function", "bar", "line", "pie")
ELEMENTS = ("angle", "line", "x", "y", "extreme")
DIRECTIONS = ("forward", "backward")
GROUPS = {
    "task": TASKS,
    "type": TYPES,
    "task x type": tuple(f"{task} x {kind}" for task in TASKS for kind in TYPES),
    "element": ELEMENTS,
    "geometry direction": DIRECTIONS,
}
"""The breakdowns and their slices in the paper's order: Tables 2 and 3, 4, 6 and 7 (element), 5 (direction)."""

MEANS = {
    "task": TASKS,
    "type": TYPES,
    "task x type": GROUPS["task x type"],
    "angle, line": ("angle", "line"),
    "x, y, extreme": ("x", "y", "extreme"),
    "geometry direction": DIRECTIONS,
}
"""The unweighted means: of which slices each is taken."""

TABLE_SUMMARIES = ("acc_macro", "acc_verified_macro", "parse_failure")
"""What a table of results shows of a whole run of multiple choice."""

TABLE_HEADLINES = ("acc_macro", "acc_verified_macro")
"""What a table of many benchmarks shows."""

CODE_SUMMARIES = ("execution_macro", "execution", "code_failure")
"""What it shows of a run of free-form generation."""

_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
# "(B) 12 cm"
_LETTER = re.compile(r"[\s*`(\[{]*(?:\\text\s*\{\s*)?\(?([A-Z])(?![A-Za-z])")


def official_letter(response: str, options: int) -> str | None:
    r"""Return the letter in the last \boxed{}, else the letter that begins the response; None: cannot be read.

    "B", "(B)", "B. 42", "**B**" and "\boxed{\text{B}}" give B; "The answer is B" gives nothing. A letter beyond the
    options gives nothing.
    """
    boxed = _BOXED.findall(response)
    found = _LETTER.match(boxed[-1] if boxed else response)
    return found[1] if found and ord(found[1]) - ord("A") < options else None


def score(
    problem: Problem,
    response: str | None,
    *,
    extraction: str | None = None,
    execution: ExecutionScore | None = None,
    rating: float | None = None,
) -> Verdict:
    """Score one response.

    Args:
        problem: a MathOPEval row.
        response: the model's text; None counts as "".
        extraction: an answer read elsewhere, in place of the response: a letter, or for free-form problems the code.
        execution: of a free-form problem: what its code came to (mmmath_tasks.sandbox.execution); failed_score(...)
            for a response without code, which scores 0.
        rating: of a free-form problem: a judge's score, 1 to 10.

    Returns:
        the verdict. Multiple choice: `prediction` is the letter of the official rule, None for a parse failure;
        official and verified are None without a gold.
        Free-form: `extracted` is the code; `scores` holds "execution" with its parts, and "rating"; the reason is
        "empty" or "unextracted" where there is no code, the sandbox's cause where it failed, "execution_needed" where
        neither score is there.
    """
    text = (response or "") if extraction is None else extraction
    if problem.question_type == "free_form":
        return _free_form(problem, text if extraction is not None else code(text), text, execution, rating)
    reading = read(text, Expectation("choice", problem.choices, question=problem.question))
    letter = official_letter(text, len(problem.choices))
    known = problem.answer is not None
    return Verdict(
        id=problem.id,
        official=letter == problem.answer if known else None,
        verified=reading.choice is not None and chr(ord("A") + reading.choice) == problem.answer if known else None,
        extracted=reading.text,
        prediction=letter,
        rule="extraction" if extraction is not None and reading.text is not None else reading.rule,
        confidence=reading.confidence,
        span=reading.span if extraction is None else None,
        features=reading.features,
        reason=reading.reason if known else "no_gold",
    )


def _free_form(
    problem: Problem, found: str | None, response: str, execution: ExecutionScore | None, rating: float | None
) -> Verdict:
    scores: dict[str, float] = {}
    reason, verified = "execution_needed" if rating is None else "", None
    if found is None:
        reason, verified = "unextracted" if response.strip() else "empty", False
        scores = {"execution": 0.0} if execution is not None else {}
    elif execution is not None:
        reason = execution.cause
        if not math.isnan(execution.score):
            verified = execution.score > 1 - 1e-9
            scores = {"execution": execution.score, **{f"execution_{k}": v for k, v in execution.parts.items()}}
    if rating is not None:
        scores["rating"] = rating
    return Verdict(
        id=problem.id,
        official=None,
        verified=verified,
        extracted=found,
        prediction=None,
        rule="code" if found is not None else "",
        confidence=1.0 if found is not None else 0.0,
        reason=reason,
        scores=scores,
    )


def table_scores(problem: Problem, verdict: Verdict) -> dict[str, float]:
    """Return what a harness's table shows of this response: its task's and its type's columns.

    Returns:
        {"acc_mcg": 1.0, "acc_bar": 1.0} for multiple choice, {"execution_mcg": ..., "execution_bar": ...} for code that
        was run, and the columns of all other tasks and types nan; {} where there is no such score.
    """
    if problem.question_type == "free_form":
        name, value = "execution", verdict.scores.get("execution")
    else:
        name, value = "acc", None if verdict.official is None else float(verdict.official)
    if value is None:
        return {}
    return {
        f"{name}_{part}": value if part in problem.groups[group] else math.nan
        for group, parts in (("task", TASKS), ("type", TYPES))
        for part in parts
    }


def chance(problem: Problem) -> float:
    """Return the score of a random answer: one in the number of options; 0 for code."""
    return 1 / len(problem.choices) if problem.choices else 0.0


def summarise(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
    """Sum verdicts up.

    Returns:
        for multiple choice, acc and acc_verified with every breakdown of `GROUPS`, their macro means (acc_macro,
        the headline: over task x type; and by each of `MEANS`), and parse_failure, the share of responses in which the
        official rule finds no option, with the same breakdowns. For free-form, execution (0 to 1), rating (1 to 10),
        code_failure (the share whose code is missing, fails, hangs or draws nothing) likewise, and
        execution_rating_correlation (Spearman's) where both scores are there; the headline is then execution_macro, or
        rating_macro, the paper's own, where no code was run and ratings are all there is.
        Where both kinds are given, the headline is that of multiple choice. Counts name every cause of failure.
    """
    by_id = {verdict.id: verdict for verdict in verdicts}
    pairs = [(_regrouped(p), by_id[p.id]) for p in problems if p.id in by_id]
    chosen = [(p, v) for p, v in pairs if p.question_type == "multi_choice"]
    written = [(p, v) for p, v in pairs if p.question_type == "free_form"]
    has_choice = any(p.question_type == "multi_choice" for p in problems)
    scores: list[Score] = []
    if has_choice:
        scores += _shares("acc", [(p, v.official) for p, v in chosen])
        scores += _shares("acc_verified", [(p, v.verified) for p, v in chosen])
        scores += _shares("parse_failure", [(p, v.prediction is None) for p, v in chosen])
    if len(written) or not has_choice:
        for metric in ("execution", "rating"):
            scores += _averages(metric, written)
        ran = [(p, v) for p, v in written if "execution" in v.scores]
        scores += _shares("code_failure", [(p, bool(v.reason)) for p, v in ran])
        scores.append(_correlation(written))
    rated_only = any("rating" in v.scores for _, v in written) and not any("execution" in v.scores for _, v in written)
    headline = "acc_macro" if has_choice else "rating_macro" if rated_only else "execution_macro"
    scores.sort(key=lambda s: (s.group != "", (s.metric, s.group) != (headline, "")))
    return Scorecard(
        benchmark="mathopeval",
        headline=headline,
        scores=tuple(scores),
        counts=counts(problems, [v for _, v in pairs]),
        provenance={"rule_version": RULE_VERSION},
        notes=(
            "The data set is a reconstruction from the paper's description; scores do not compare with the paper's "
            "tables digit by digit.",
            "The official reading of an option is reconstructed: the authors' code is not public.",
            "Macro means are unweighted means of the slices that occur.",
        ),
    )


def _regrouped(problem: Problem) -> Problem:
    """Return the problem with Table 5's breakdown: the direction of geometry's questions alone."""
    if "geometry" not in problem.groups["type"] or "direction" not in problem.groups:
        return problem
    return replace(problem, groups={**problem.groups, "geometry direction": problem.groups["direction"]})


def _shares(metric: str, pairs: Sequence[tuple[Problem, bool | None]]) -> list[Score]:
    found = proportions(metric, pairs, tuple(GROUPS), GROUPS)
    return [*found, *_macro(metric, found)]


def _averages(metric: str, pairs: Sequence[tuple[Problem, Verdict]]) -> list[Score]:
    """Return the mean of a number of the verdicts, overall and by slice, with 95 % intervals.

    Ratings have no slices by element: a response to an annotation task carries all its kinds and has one rating, so
    that every element of a type would show the same (Tables 4 and 6 rate each by itself).
    """
    known = [(p, v.scores[metric]) for p, v in pairs if metric in v.scores]
    found = [mean(metric, [value for _, value in known], scale=_scale(metric))]
    for group, order in GROUPS.items():
        if metric == "rating" and group == "element":
            continue
        slices: dict[str, list[float]] = defaultdict(list)
        for problem, value in known:
            for name in problem.groups.get(group, ()):
                slices[name].append(value)
        found += [mean(metric, slices[name], group, name, _scale(metric)) for name in order]
    return [*found, *_macro(metric, found)]


def _scale(metric: str) -> tuple[float, float]:
    return (1.0, 10.0) if metric.startswith("rating") else (0.0, 1.0)


def _within(metric: str, low: float, high: float) -> tuple[float, float]:
    """Return an interval cut to the metric's scale: 1 to 10 for ratings, else 0 to 1; nan stays."""
    least, most = _scale(metric)
    return low if math.isnan(low) else max(least, low), high if math.isnan(high) else min(most, high)


def _macro(metric: str, found: Sequence[Score]) -> list[Score]:
    """Return the unweighted means over slices, the first over task x type; the paper's AVG."""
    by_slice = {(s.group, s.slice): s for s in found}
    places = {"angle, line": "element", "x, y, extreme": "element"}
    scores = []
    groups = {s.group for s in found}
    for name, slices in (("", MEANS["task x type"]), *MEANS.items()):
        group = places.get(name, name or "task x type")
        if group not in groups:
            continue
        parts = [s for part in slices if (s := by_slice.get((group, part))) and s.count]
        value = math.fsum(s.value for s in parts) / len(parts) if parts else math.nan
        half = _half_width(parts)
        group_of_mean, slice_of_mean = ("mean over", name) if name else ("", "")
        scores.append(
            Score(
                f"{metric}_macro",
                group_of_mean,
                slice_of_mean,
                value,
                sum(s.count for s in parts),
                *_within(metric, value - half, value + half),
            )
        )
    return scores


def _half_width(parts: Sequence[Score]) -> float:
    """Return half the 95 % interval of an unweighted mean, from those of its parts."""
    if not parts:
        return math.nan
    return math.sqrt(math.fsum(((s.high - s.low) / 2) ** 2 for s in parts)) / len(parts)


def _correlation(pairs: Sequence[tuple[Problem, Verdict]]) -> Score:
    """Return Spearman's rank correlation of execution score and rating, nan over fewer than three, or all alike."""
    both = [(v.scores["execution"], v.scores["rating"]) for _, v in pairs if {"execution", "rating"} <= v.scores.keys()]
    value = math.nan
    if len(both) > 2 and all(len(set(values)) > 1 for values in zip(*both, strict=True)):
        from scipy.stats import spearmanr

        value = float(spearmanr(both).statistic)
    return Score("execution_rating_correlation", "", "", value, len(both))
