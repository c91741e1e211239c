"""What a judged run writes: samples_<name>.jsonl, scorecard_<name>.json, distribution_<name>.json."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mmmath_tasks.judge.case import Case, Judged
from mmmath_tasks.judge.error_types import Taxonomy, distribution
from mmmath_tasks.problem import Scorecard


def write_samples(path: Path, cases: Sequence[Case], judged: Sequence[Judged], model: str) -> None:
    """Write a line for each verdict, as `mmmath rescore` and reports have them, with the judge's part beside it."""
    by_id = {case.problem.id: case for case in cases}
    rows = (j.row(by_id[j.verdict.id], model) for j in judged)
    _write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_card(path: Path, card: Scorecard) -> None:
    """Write a scorecard."""
    _write(path, card.to_json() + "\n")


def write_distribution(path: Path, judged: Sequence[Judged], taxonomy: Taxonomy) -> None:
    """Write the table of errors; nan as null."""
    rows = [{k: None if v != v else v for k, v in row.items()} for row in distribution(judged, taxonomy)]
    _write(path, json.dumps({"source": taxonomy.source, "rows": rows}, ensure_ascii=False, indent=2) + "\n")


def shown_distribution(judged: Sequence[Judged], taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the table of errors over all, as lines: answer, class, count, percent, the paper's percent."""
    yield taxonomy.source
    for row in distribution(judged, taxonomy):
        if row.get("slice") == "":
            paper = "" if row["paper"] is None else f"  (paper {100 * row['paper']:.1f})"
            share = "     -" if row["share"] != row["share"] else f"{100 * row['share']:6.1f} %"
            yield f"{row['answer']:<6} {row['name']:<26} {row['count']:>6} {share}{paper}"


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")  # another process may write the same
    part.write_bytes(text.encode("utf-8", "replace"))  # a response may hold lone surrogates
    part.replace(path)


def noted(card: Scorecard, account: Mapping[str, Any], **provenance: Any) -> Scorecard:
    """Return a scorecard that says who judged, and that it is mixed where the judge was asked about some only."""
    notes = card.notes
    if account["only_unsure"] is not None:
        notes += (f"Mixed: the judge's verdicts only where the rules are less sure than {account['only_unsure']}.",)
    return dataclasses.replace(card, notes=notes, provenance={**card.provenance, **provenance, "judge": account})
