"""Every two runs of a set of problems against each other, as `mmmath rescore --compare --all` has two files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mmmath_tasks.number_text import p_value, signed
from mmmath_tasks.outputs.paired_difference import CORRECTED, Difference, compare
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.score_labels import how_read, label, read_by, readers_differ


def pairs_data(
    cards: Sequence[Scorecard], problems: Sequence[Problem], verdicts: Sequence[Sequence[Verdict | None]]
) -> dict[str, Any]:
    """Return the paired differences of every two runs.

    Args:
        cards: of the runs.
        problems: of the set.
        verdicts: a list a run, as long as `problems`; None where the run has no response.

    Returns:
        "slices": [group, slice] of the whole set first; "corrected": what must stand where p of slices is shown; and by
        "official" and "verified" a list of the pairs (0, 1), (0, 2), ..., (1, 2), ... of {"label", "note", "rows"}:
        the metric, what must be said of how answers were read, and a row for each of `slices`, None where no problem of
        it was scored in both: [second less first in points, the ends of its 95 % interval, p, right only in the first,
        only in the second, n], numbers that are read as text, as the terminal shows them.
    """
    # a page joins problems by all that they are, `compare` by ids: their number is one that fits both
    asked = [replace(problem, id=str(i)) for i, problem in enumerate(problems)]
    numbered = [[replace(v, id=str(i)) for i, v in enumerate(column) if v is not None] for column in verdicts]
    slices: dict[tuple[str, str], None] = {("", ""): None}
    found: dict[str, list[tuple[str, str, dict[tuple[str, str], Difference]]]] = {}
    for rule, metric in (("official", "acc"), ("verified", "acc_verified")):
        found[rule] = []
        for i in range(len(cards)):
            for j in range(i + 1, len(cards)):
                both = [cards[i], cards[j]]
                differences = {(d.group, d.slice): d for d in compare(asked, numbered[i], numbered[j], rule)}
                slices.update(dict.fromkeys(differences))
                apart = readers_differ(both) and any(how_read(card, metric) for card in both)
                note = f"Their answers were not read alike ({read_by(both[0])}; {read_by(both[1])})." if apart else ""
                found[rule].append((label(both, metric), note, differences))
    return {
        "slices": [list(key) for key in slices],
        "corrected": CORRECTED,
        **{
            rule: [
                {"label": name, "note": note, "rows": [_row(differences.get(key)) for key in slices]}
                for name, note, differences in pairs
            ]
            for rule, pairs in found.items()
        },
    }


def _row(d: Difference | None) -> list[Any] | None:
    if d is None:
        return None
    points = [signed(100 * x) for x in (d.second - d.first, d.low, d.high)]
    return [*points, p_value(d.p), d.only_first, d.only_second, d.count]
