"""What a judged run writes: samples_<name>.jsonl, scorecard_<name>.json, distribution_<name>.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mmmath_tasks.files import write_atomic, write_json, write_json_lines
from mmmath_tasks.judge.error_types import distribution
from mmmath_tasks.judge.judging import Judging
from mmmath_tasks.judge.saved_cases import SavedCases


def write(folder: Path, name: str, loaded: SavedCases, found: Judging, account: Mapping[str, Any]) -> Path:
    """Write what was judged.

    A line of the samples is a verdict, as `mmmath rescore` and reports have them, with the judge's part beside it; in
    the table of errors nan is null.

    Returns:
        the file of samples.
    """
    by_id = {case.problem.id: case for case in loaded.cases}
    samples = folder / f"samples_{name}.jsonl"
    write_json_lines(samples, (j.row(by_id[j.verdict.id], account["model"]) for j in found.judged))
    if found.card is not None:
        write_atomic(folder / f"scorecard_{name}.json", found.card.to_json() + "\n")
    if found.taxonomy is not None:
        table = distribution(found.judged, found.taxonomy)
        rows = [{k: None if v != v else v for k, v in row.items()} for row in table]
        write_json(folder / f"distribution_{name}.json", {"source": found.taxonomy.source, "rows": rows})
    return samples


def noted(found: Judging, account: Mapping[str, Any], **provenance: Any) -> Judging:
    """Return a scorecard that says who judged, and that it is mixed where the judge was asked about some only."""
    if found.card is None:
        return found
    notes = found.card.notes
    if (mixed := found.mixing) is not None:
        account = {**account, "mixed": mixed.account()}
        notes += (
            f"Mixed: {mixed.by_judge} of {len(found.judged)} answers read by a judge, {mixed.asked}; "
            f"{mixed.by_rules} by rules.",
        )
    origin = {**found.card.provenance, **provenance, "judge": account}
    return replace(found, card=replace(found.card, notes=notes, provenance=origin))
