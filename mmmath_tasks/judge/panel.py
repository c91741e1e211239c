"""Several judges of the same responses: how far they agree together, and the verdict of their majority."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import write_atomic, write_json_lines
from mmmath_tasks.judge.agreement import Label, bootstrapped
from mmmath_tasks.outputs.tables import rows
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict
from mmmath_tasks.scoring import benchmark

TIED = "panel_tied"
"""The reason of a verdict on which the judges are of no majority."""


def fleiss(labellings: Sequence[Mapping[str, Label]], *, draws: int = 1000, seed: int = 0) -> tuple[Score, ...]:
    """Return how far judges (two and more, labels by id) agree on the items that all of them labelled.

    Returns:
        `agreement`, the share of pairs of judges that agree on an item (0 to 1), and `kappa_fleiss` (Fleiss 1971; -1 to
        1), with 95 % bootstrap intervals over items; nan as of `agreement.agreement`.
    """
    import numpy as np

    items = [key for key in labellings[0] if all(key in other for other in labellings[1:])]
    judges = len(labellings)
    table = Counter(tuple(labels[key] for labels in labellings) for key in items)
    names = sorted({label for pattern in table for label in pattern}, key=str)
    counts = np.array([[pattern.count(name) for name in names] for pattern in table], dtype=float)

    def statistics(shares: Any) -> dict[str, Any]:
        agreeing = (counts * (counts - 1)).sum(axis=1) / (judges * (judges - 1))
        observed, expected = shares @ agreeing, ((shares @ counts / judges) ** 2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            kappa = np.where(1 - expected > 1e-12, (observed - expected) / (1 - expected), math.nan)
        return {"agreement": observed, "kappa_fleiss": kappa}

    return bootstrapped([*table.values()], statistics, ("agreement", "kappa_fleiss"), draws, seed)


@dataclass(frozen=True, slots=True)
class Panel:
    """The verdicts of a majority of judges.

    Attributes:
        card: the scorecard.
        rows: samples, as `mmmath judge` writes them, with the judges' votes.
        tied: ids without a majority, by the official or the verified verdict.
        judges: their names.
    """

    card: Scorecard
    rows: Sequence[Mapping[str, Any]]
    tied: Sequence[str]
    judges: Sequence[str]


def panel(paths: Sequence[Path], scores: Sequence[Score] = ()) -> Panel:
    """Return the majority of what several judges said.

    Official and verified verdicts are voted on each for itself; a judge that failed has no vote, and where no verdict
    has more votes than the other the response stays unscored. The paths are samples that `mmmath judge` wrote, one file
    a judge; the scores of the judges' agreement are kept for the record.

    Raises:
        InputError: a file is not of that kind, or the files are about other responses.
    """
    files = [_judged(path) for path in paths]
    for path, found in zip(paths[1:], files[1:], strict=True):
        other = next((k for k in files[0] if k not in found or found[k]["response"] != files[0][k]["response"]), None)
        if other is not None or len(found) != len(files[0]):
            raise InputError(
                f"{path}: not about the same responses as {paths[0]}: see id {other or next(iter(found))!r}"
            )
    judges = [_model(found, path) for path, found in zip(paths, files, strict=True)]
    problems, lines, verdicts, tied = [], [], [], []
    for key, first in files[0].items():
        problem = Problem.from_dict(first["problem"])
        votes = [Verdict.from_dict(found[key]["verdict"]) for found in files]
        verdict, chosen = _majority(votes, judges)
        problems.append(problem)
        verdicts.append(verdict)
        if verdict.reason == TIED:
            tied.append(key)
        detail = files[chosen][key].get("detail") or {}
        shown = {name: [v.official, v.verified] for name, v in zip(judges, votes, strict=True)}
        line = {"problem": first["problem"], "response": first["response"], "verdict": verdict.to_dict()}
        lines.append({**line, "detail": {**detail, "votes": shown}})
    spent = [[row.get("judge") or {} for row in found.values()] for found in files]
    account = {
        "model": f"panel of {', '.join(judges)}",
        "tied": len(tied),
        "agreement": {score.metric: score.value for score in scores if not math.isnan(score.value)},
        "cost": round(sum(float(one.get("cost") or 0) for own in spent for one in own), 6),
        "tokens": sum(int(one.get(side) or 0) for own in spent for one in own for side in ("tokens_in", "tokens_out")),
    }
    card = benchmark(problems[0].benchmark).summarise(problems, verdicts)
    note = f"Verdicts of the majority of {len(judges)} judges ({', '.join(judges)}); {len(tied)} tied, left unscored."
    card = dataclasses.replace(card, notes=(*card.notes, note), provenance={**card.provenance, "judge": account})
    return Panel(card, lines, tied, judges)


def write(found: Panel, folder: Path, name: str) -> Path:
    """Write samples_<name>.jsonl and scorecard_<name>.json; returns the samples."""
    samples = folder / f"samples_{name}.jsonl"
    write_json_lines(samples, found.rows)
    write_atomic(folder / f"scorecard_{name}.json", found.card.to_json() + "\n")
    return samples


def _judged(path: Path) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for number, row in rows(path):
        problem, verdict = row.get("problem"), row.get("verdict")
        if not (isinstance(problem, Mapping) and isinstance(verdict, Mapping) and isinstance(row.get("response"), str)):
            raise InputError(f"{path}: row {number}: expected a line of samples that `mmmath judge` wrote")
        found[str(problem.get("id"))] = row
    if not found:
        raise InputError(f"{path}: holds no rows")
    return found


def _model(found: Mapping[str, Mapping[str, Any]], path: Path) -> str:
    named = (row["judge"].get("model") for row in found.values() if isinstance(row.get("judge"), Mapping))
    return str(next(filter(None, named), path.stem))


def _majority(votes: Sequence[Verdict], judges: Sequence[str]) -> tuple[Verdict, int]:
    """Return the verdict of the majority, and the place of the judge whose reading it is."""
    won = {rule: _most([getattr(vote, rule) for vote in votes]) for rule in ("official", "verified")}
    # the reading that stands beside the verdict: of the first judge who is with the majority, in both if there is one
    agreed = [(vote.official is won["official"], vote.verified is won["verified"]) for vote in votes]
    chosen = agreed.index(max(agreed))
    winner, none = votes[chosen], all(vote.official is None and vote.verified is None for vote in votes)
    tied = not none and any(
        said is None and any(getattr(vote, rule) is not None for vote in votes) for rule, said in won.items()
    )
    who = f"judge:panel of {', '.join(judges)}"
    return (
        dataclasses.replace(
            winner,
            official=won["official"],
            verified=won["verified"],
            rule=who if winner.rule.startswith("judge:") else winner.rule,
            reader=who if winner.reader.startswith("judge:") else winner.reader,
            reason=TIED if tied else winner.reason,
        ),
        chosen,
    )


def _most(said: Sequence[bool | None]) -> bool | None:
    right, wrong = said.count(True), said.count(False)
    return None if right == wrong else right > wrong
