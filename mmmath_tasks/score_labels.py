"""How a score is called where it stands: beside its name, who read the answers if the authors' model did not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.metrics.readers import NOBODY, RULES, RULES_OF_CODE, UNKNOWN, counted
from mmmath_tasks.problem import Scorecard
from mmmath_tasks.scoring import benchmark, benchmarks

LABELLED = ("_audited", "_audited_here", "_labels_alone")
"""How metrics end that rest on labels of an audit, whoever read the answers (outputs/audit.py)."""

AUTHORS = "the authors' prompt"
"""What stands beside a run that names no other's, where one does."""


def how_read(card: Scorecard, metric: str = "") -> str:
    """Return what must stand beside a score.

    Args:
        card: the run.
        metric: "acc", "gain", "share_empty", ...; "": the headline.

    Returns:
        "read by rules", "788 of 1,000 read by rules", "reader not recorded" (a scorecard of before 0.2), or "" where
        nobody stood in for the authors' model, or the score is not of the headline's kind.
    """
    if not _is_about(card, metric or card.headline):
        return ""
    read_by = counted(card.provenance)
    if not read_by or UNKNOWN in read_by:
        return "reader not recorded" if official_reader(card.benchmark) else ""
    by_rules = count_by_rules(card)
    if not by_rules:
        return ""
    others = set(read_by) - {RULES, RULES_OF_CODE, NOBODY}
    return f"{by_rules:,} of {sum(read_by.values()):,} read by rules" if others else "read by rules"


def setting(card: Scorecard) -> str:
    """Return whose prompt a run was asked by, where that is not the authors': "VLMEvalKit's prompt"; "" for theirs."""
    found = card.provenance.get("setting") or ()
    return " and ".join(str(one).partition(" (")[0] for one in ([found] if isinstance(found, str) else found))


def audits_of(card: Scorecard) -> dict[str, dict[str, Any]]:
    """Return what a scorecard's provenance says of its audits: rule ("official", "verified") to account."""
    found: dict[str, Any] = card.provenance.get("audit", {})
    return {found["rule"]: found} if "rule" in found else found  # as 0.2 wrote it, of one rule


def conditions(card: Scorecard, metric: str = "") -> str:
    """Return all that must stand beside a score: `how_read`, and whose prompt was asked (`setting`).

    >>> conditions(Scorecard("mathvision", "acc", (), provenance={"setting": "VLMEvalKit's prompt (MathVision)"}))
    "VLMEvalKit's prompt"
    """
    named = metric or card.headline
    asked = setting(card) if named.startswith(("acc", "gain", "score", "s1", "s2", "s3")) else ""
    return ", ".join(filter(None, [how_read(card, metric), asked]))


def count_by_rules(card: Scorecard) -> int:
    """Return how many of the headline's answers our rules read in place of the authors' model, as far as is known."""
    found = counted(card.provenance)
    return sum(found.get(name, 0) for name in (RULES, RULES_OF_CODE))


def label(cards: Sequence[Scorecard], metric: str, name: str = "") -> str:
    """Return a metric's name, or what to call it, for a table or plot of some runs: "acc, read by rules".

    Returns:
        the name, and its `conditions` where all the cards say the same of them (else see `readers_differ`,
        `settings_differ`).
    """
    said = {conditions(card, metric) for card in cards}
    return ", ".join(filter(None, [name or metric, *said])) if len(said) == 1 else name or metric


def readers_differ(cards: Sequence[Scorecard]) -> bool:
    """Say whether the answers of some runs were read otherwise than those of others, so that each must name it."""
    return len({how_read(card) for card in cards}) > 1


def settings_differ(cards: Sequence[Scorecard]) -> bool:
    """Say whether some runs were asked by others' prompts than some others, so that each must name it."""
    return len({setting(card) for card in cards}) > 1


def read_by(card: Scorecard) -> str:
    """Return who read a run's answers: "extraction 788, rules 202, 10 needed none"; "" for nothing to say."""
    found = counted(card.provenance)
    if not found:
        return how_read(card)
    said = [f"{name} {count:,}" for name, count in found.items() if name != NOBODY]
    return ", ".join([*said, *([f"{found[NOBODY]:,} needed none"] if NOBODY in found else [])])


def official_reader(name: str) -> str:
    """Return the model that a benchmark's authors have read answers; "" for none, or an unknown benchmark."""
    return benchmark(name).metrics.OFFICIAL_READER if name in benchmarks() else ""


def _is_about(card: Scorecard, metric: str) -> bool:
    """Say whether a metric is made of the verdicts that the headline is made of."""
    kinds = ["_verified" in name for name in (metric, card.headline)]
    by_others = metric.endswith(LABELLED) or metric == vlmeval.RIGHT
    return metric.startswith(("acc", "gain")) and kinds[0] == kinds[1] and not by_others
