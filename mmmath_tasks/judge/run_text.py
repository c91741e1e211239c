"""What is said of a judged run, as lines for a terminal: plan, scores, failures, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mmmath_tasks.judge.case import Judged
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.error_types import distribution
from mmmath_tasks.judge.judging import Judging
from mmmath_tasks.judge.mixing import Mixing
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.table_text import shown
from mmmath_tasks.score_labels import label


def plan_line(judge: Judge) -> str:
    """Return what a dry run has counted."""
    plan = judge.plan
    assert plan is not None  # noqa: S101
    cost = judge.budget.prices.cost(plan.tokens_in, plan.tokens_out)
    return (
        f"{plan.calls} calls ({plan.cached} answers are cached already), about {plan.tokens_in:,} tokens in and "
        f"{plan.tokens_out:,} out (at most {plan.largest_out:,})"
        + (f", about {cost:.2f} US dollars" if cost else "")
        + "; retries and repairs come on top"
    )


def result_lines(found: Judging) -> Iterator[str]:
    """Yield the scores of the whole and of MathVerse's versions, with the notes; or the table of errors."""
    if (card := found.card) is not None:
        for score in card.scores:
            if not score.group or score.group == "version":
                named = " ".join(filter(None, (label([card], score.metric), score.slice)))
                yield f"  {named:<28} {shown(score)}"
        yield from (f"  note: {note}" for note in card.notes)
    yield from saved_lines(found.mixing)
    if (mixed := found.mixing) is not None:
        for said, ids in (("to right", mixed.raised), ("to wrong", mixed.lowered)):
            yield f"  moved by the judge {said}: {len(ids)}{': ' if ids else ''}{some(ids)}"
    if found.taxonomy is not None:
        yield f"  {found.taxonomy.source}"
        for row in distribution(found.judged, found.taxonomy):
            if row.get("slice") == "":
                paper = "" if row["paper"] is None else f"  (paper {100 * row['paper']:.1f})"
                share = "     -" if row["share"] != row["share"] else f"{100 * row['share']:6.1f} %"
                yield f"  {row['answer']:<6} {row['name']:<38} {row['count']:>6} of {row['of']:<6} {share}{paper}"


def saved_lines(mixed: Mixing | None) -> Iterator[str]:
    """Yield what the judge was spared; nothing where it was asked about all."""
    if mixed is not None:
        cost = f", {mixed.cost:.2f} US dollars" if mixed.cost else ""
        yield (
            f"  {mixed.by_rules} of {mixed.by_rules + mixed.by_judge} responses read by rules: about "
            f"{mixed.calls:,} calls, {mixed.tokens:,} tokens{cost} saved"
        )


def nothing_judged(judge: Judge, judged: Sequence[Judged]) -> bool:
    """Say whether questions were asked and none was answered, or no item got all the answers it needs."""
    asked = [j for j in judged if j.answers]
    return (bool(judge.outcomes) and not judge.outcomes[""]) or (bool(asked) and all(j.failure for j in asked))


def failure_line(judge: Judge, settings: Settings, nothing: bool) -> str:
    """Return how many questions failed, and why, or that it was all (see `nothing_judged`); "" where none did."""
    failures = Counter({cause: count for cause, count in judge.outcomes.items() if cause})
    if not failures:
        return ""
    causes = "; ".join(f"{times} x {cause}" for cause, times in failures.most_common(3))
    causes += "; ..." if len(failures) > 3 else ""
    count = f"{failures.total()} of {judge.outcomes.total()} questions"
    if nothing:
        who = f"{settings.model} at {settings.base_url}"
        return f"nothing was judged, nothing written: {count} to {who} failed: {causes}"
    return f"{count} failed; the same command asks them again: {causes}"


def account_lines(judge: Judge, judged: Sequence[Judged]) -> Iterator[str]:
    """Yield how many were scored, why the others were not, and what this run cost."""
    causes = Counter(j.failure for j in judged if j.failure)
    asked = sum(bool(j.answers) and not j.failure for j in judged)
    yield (
        f"{len(judged)} judged items: {len(judged) - causes.total()} scored ({asked} by the judge), "
        f"{causes.total()} unscored"
    )
    for cause, count in causes.most_common(10):
        yield f"  {count} x {cause}"
    budget = judge.budget
    yield (
        f"this run: {budget.calls} requests, {budget.tokens_in:,} tokens in, {budget.tokens_out:,} out, "
        f"{budget.cost:.4f} US dollars"
    )
