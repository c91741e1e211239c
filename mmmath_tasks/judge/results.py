"""What a judged run writes: samples_<name>.jsonl, scorecard_<name>.json, distribution_<name>.json."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mmmath_tasks.judge.case import Case, Judged
from mmmath_tasks.judge.error_types import Taxonomy, distribution
from mmmath_tasks.outputs.place import whole
from mmmath_tasks.problem import Scorecard


def write_samples(path: Path, cases: Sequence[Case], judged: Sequence[Judged], model: str) -> None:
    """Write a line for each verdict, as `mmmath rescore` and reports have them, with the judge's part beside it."""
    by_id = {case.problem.id: case for case in cases}
    with whole(path) as file:
        for found in judged:
            file.write(json.dumps(found.row(by_id[found.verdict.id], model), ensure_ascii=False) + "\n")


def write_card(path: Path, card: Scorecard) -> None:
    """Write a scorecard."""
    with whole(path) as file:
        file.write(card.to_json() + "\n")


def write_distribution(path: Path, judged: Sequence[Judged], taxonomy: Taxonomy) -> None:
    """Write the table of errors; nan as null."""
    rows = [{k: None if v != v else v for k, v in row.items()} for row in distribution(judged, taxonomy)]
    with whole(path) as file:
        file.write(json.dumps({"source": taxonomy.source, "rows": rows}, ensure_ascii=False, indent=2) + "\n")


def shown_distribution(judged: Sequence[Judged], taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the table of errors over all, as lines: answer, class, count of how many, percent, the paper's percent."""
    yield taxonomy.source
    for row in distribution(judged, taxonomy):
        if row.get("slice") == "":
            paper = "" if row["paper"] is None else f"  (paper {100 * row['paper']:.1f})"
            share = "     -" if row["share"] != row["share"] else f"{100 * row['share']:6.1f} %"
            yield f"{row['answer']:<6} {row['name']:<38} {row['count']:>6} of {row['of']:<6} {share}{paper}"


def noted(card: Scorecard, account: Mapping[str, Any], **provenance: Any) -> Scorecard:
    """Return a scorecard that says who judged, and that it is mixed where the judge was asked about some only."""
    notes = card.notes
    if account["only_unsure"] is not None:
        notes += (f"Mixed: the judge's verdicts only where the rules are less sure than {account['only_unsure']}.",)
    return dataclasses.replace(card, notes=notes, provenance={**card.provenance, **provenance, "judge": account})
