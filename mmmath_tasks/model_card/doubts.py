"""Why a scorecard should not stand on a model card: each reason has a name, by which a user may overrule it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mmmath_tasks.harnesses import task_files
from mmmath_tasks.metrics.readers import counted, mostly_code
from mmmath_tasks.model_card.tasks import size, split_of
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.columns import ASKED
from mmmath_tasks.problem import Scorecard

MOST_UNSCORED = 0.01
"""The share of responses without a verdict above which a score says little of the model."""

MOST_UNREAD = 0.05
"""The share of responses without a readable answer above which a score may say more of the run than of the model."""

_UNREAD = ("empty", "refusal", "truncated", "unextracted")
_MIXED = re.compile(r"(\d+) of (\d+) from the file")

NAMES = ("limited", "partial", "unscored", "unread", "mixed", "sample", "programs")
"""The doubts there are."""

CONFLICT = "conflict"
"""The word by which a user has replaced what stands on the card with another value."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason.

    Attributes:
        name: one of `NAMES`.
        why: a sentence with the figures.
    """

    name: str
    why: str


def doubts(card: Scorecard, task: str) -> Iterator[Doubt]:
    """Yield what speaks against publishing a scorecard as the result of a task."""
    origin, counts = card.provenance, card.counts
    sizes = origin.get("samples")
    sizes = sizes if isinstance(sizes, dict) else {}
    original, effective = sizes.get("original"), sizes.get("effective")
    total, missing = counts.get("total", 0), counts.get("missing", 0)
    sample = split_of(card.benchmark, task) == "sample"
    whole = None if sample else size(card.benchmark, origin.get("tasks") or [task])
    limited = origin.get("limit") is not None or original != effective
    if origin.get("limit") is not None:
        yield Doubt("limited", f"the run was limited (limit = {origin['limit']})")
    elif limited:
        yield Doubt("limited", f"{effective} of the task's {original} problems were asked")
    if missing:
        yield Doubt("partial", f"{missing} of {total} problems have no response")
    elif counts.get("problems_incomplete"):
        yield Doubt("partial", f"{counts['problems_incomplete']} of {counts.get('problems')} problems lack a row")
    elif whole and total < whole and not limited:
        yield Doubt("partial", f"{total} problems, where a whole run of {task} has {whole}")
    elif whole and total > whole and task in task_files.tasks():  # groups may be of several splits
        yield Doubt("mixed", f"{total} problems, more than the {whole} of {task}")
    unscored = counts.get("unscored", 0)
    if unscored > MOST_UNSCORED * max(1, total):
        yield Doubt("unscored", f"{unscored} of {total} responses have no verdict (more than {MOST_UNSCORED:.0%})")
    unread = {name: counts[name] for name in _UNREAD if counts.get(name)}
    if sum(unread.values()) > MOST_UNREAD * max(1, total - missing):
        which = ", ".join(f"{count} {name}" for name, count in unread.items())
        yield Doubt("unread", f"{which} of {total - missing} responses (more than {MOST_UNREAD:.0%} together)")
    yield from _mixtures(card)
    if mostly_code(counted(origin)):
        yield Doubt("programs", "most responses are programs, or wrapped in code, and were read as they stand, not run")
    if sample:
        yield Doubt("sample", "the problems are the package's own sample, not the benchmark's")


def _mixtures(card: Scorecard) -> Iterator[Doubt]:
    origin = card.provenance
    judge = origin.get("judge")
    if isinstance(judge, dict) and judge.get("only_unsure") is not None:
        yield Doubt("mixed", f"a judge decided only where rules are less sure than {judge['only_unsure']}")
    if isinstance(judge, dict) and judge.get("unsure") is not None:
        yield Doubt("mixed", f"a judge read only the share {judge['unsure']} of which rules are least sure")
    found = _MIXED.fullmatch(str(origin.get("extractions", "")))
    if found and 0 < int(found[1]) < int(found[2]):
        yield Doubt("mixed", f"{found[1]} of {found[2]} answers were read by somebody else, the others by our rules")
    if origin.get("extraction_origin") == ASKED:
        yield Doubt("mixed", f"answers were taken from column {origin.get('extraction_column')!r} as the user asked")
    for name in ("data_revision", "models", "prompt_hash", "rule_version"):
        value = origin.get(name)
        if isinstance(value, list) and len(value) > 1 and "tasks" not in origin:
            yield Doubt("mixed", f"{name} differs within the run: {some([*map(str, value)])}")
