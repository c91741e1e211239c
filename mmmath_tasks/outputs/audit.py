"""An audit of a scored file: responses drawn to be labelled, and, with the labels, what all of them are worth.

metrics/audit.py has the estimate, docs/decisions/audit.md its reasons.
"""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import open_atomic, write_json_lines
from mmmath_tasks.metrics.audit import Audited, Stratum, allocation, audited, strata
from mmmath_tasks.metrics.tally import wilson
from mmmath_tasks.name_text import some
from mmmath_tasks.number_text import percent
from mmmath_tasks.outputs.cells import flag, identifier
from mmmath_tasks.outputs.rescoring import rescore
from mmmath_tasks.outputs.run import Run
from mmmath_tasks.outputs.tables import rows
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict
from mmmath_tasks.score_labels import LABELLED, audits_of
from mmmath_tasks.scoring import Benchmark, benchmark

NONE = "none"
"""What a reader writes who finds no answer in a response."""

_COLUMNS = ("id", "drawn", "question", "choices", "response", "answer", "right")
_YES_NO = {"yes": True, "no": False, "right": True, "wrong": False}
_METRICS = {"official": "acc", "verified": "acc_verified"}


@dataclass(frozen=True, slots=True)
class Responses:
    """A scored file with its responses.

    Attributes:
        run: the file, scored.
        rule: the verdicts that are audited, "official" or "verified".
        strata: of these verdicts.
        texts: problem id to problem and response.
    """

    run: Run
    rule: str
    strata: Sequence[Stratum]
    texts: Mapping[str, tuple[Problem, str]]

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that the file is of."""
        return benchmark(self.run.card.benchmark)


@dataclass(frozen=True, slots=True)
class Labels:
    """What somebody read in the responses that were drawn.

    Attributes:
        right: problem id to whether the response is right.
        empty: rows without a label.
        drawn: how the rows were drawn, as the table says; "" where it does not.
        by: who labelled, to how many.
    """

    right: Mapping[str, bool]
    empty: int
    drawn: str
    by: Mapping[str, int]


def load(path: Path, rule: str = "verified", **options: Any) -> Responses:
    """Score a file as `rescore` does, with its arguments, and keep its responses.

    Raises:
        InputError: as `rescore`; nothing has such a verdict; or the authors read no answer for their verdict, so that
            it has no reading error.
    """
    texts: dict[str, tuple[Problem, str]] = {}

    def keep(problem: Problem, response: str, verdict: Verdict, short: str | None) -> None:
        texts[problem.id] = problem, response

    run = rescore(path, sink=keep, **options)
    if rule == "official" and not benchmark(run.card.benchmark).metrics.OFFICIAL_READER:
        raise InputError(
            f"{path}: the official verdict of {run.card.benchmark} rests on no reading; audit the verified"
        )
    found = strata(run.verdicts, rule)
    if not found:
        raise InputError(f"{path}: no response has an {rule} verdict to audit")
    return Responses(run, rule, found, texts)


def draw(loaded: Responses, size: int, seed: int) -> list[str]:
    """Return the problem ids of `size` responses to label, or of all, so ordered that any first part will do.

    The same file, size and seed give the same draw.
    """
    dice = random.Random(seed)
    counts = allocation(loaded.strata, size)
    found = [key for one, n in zip(loaded.strata, counts, strict=True) for key in dice.sample(one.ids, n)]
    dice.shuffle(found)
    return found


def _strata_mark(found: Sequence[Stratum]) -> str:
    """Return what changes when any response comes into another stratum, and tells a reader of no verdict."""
    return hashlib.sha256(repr([one.ids for one in found]).encode()).hexdigest()[:8]


def write_draw(folder: Path, loaded: Responses, drawn: Sequence[str], seed: int) -> tuple[Path, Path]:
    """Write the responses to label: audit_<file>.csv for people, without verdicts, audit_<file>.jsonl for a judge.

    Returns:
        the two files.
    """
    run = loaded.run
    of = sum(len(one.ids) for one in loaded.strata)
    said = f"{len(drawn)} of {of} by {loaded.rule} verdicts {_strata_mark(loaded.strata)}, seed {seed}"
    table, samples = (folder / f"audit_{run.name}{ending}" for ending in (".csv", ".jsonl"))
    with open_atomic(table, newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        for key in drawn:
            problem, response = loaded.texts[key]
            choices = "\n".join(f"({chr(ord('A') + i)}) {choice}" for i, choice in enumerate(problem.choices))
            writer.writerow([key, said, *map(_cell, (problem.question, choices, response)), "", ""])
    by_id = {v.id: v for v in run.verdicts}
    write_json_lines(
        samples,
        (
            {
                "problem": loaded.texts[key][0].to_dict(),
                "response": loaded.texts[key][1],
                "verdict": by_id[key].to_dict(),
                "drawn": said,
            }
            for key in drawn
        ),
    )
    return table, samples


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: a response may hold anything."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def read_labels(path: Path, loaded: Responses) -> Labels:
    """Read the labels of a draw.

    The file is the table of `write_draw` with `answer` (what the response answers, or "none") or `right` (yes or no)
    filled in; or what `mmmath judge` made of the samples.

    Raises:
        InputError: a row of another file, drawn by other verdicts, twice, or with a label that is none; or no labels.
    """
    known = {key for one in loaded.strata for key in one.ids}
    mark = f"{loaded.rule} verdicts {_strata_mark(loaded.strata)}"
    right: dict[str, bool] = {}
    by: Counter[str] = Counter()
    seen: set[str] = set()
    drawn = ""
    for number, row in rows(path):
        where = f"{path}: row {number}"
        inner = row.get("problem")
        key = identifier(row.get("id", inner.get("id") if isinstance(inner, Mapping) else None))
        if not key:
            raise InputError(f"{where}: no id; expected the rows that were drawn, of the table or the samples")
        if key not in known:
            raise InputError(f"{where}: {key!r} is the id of none of the responses that have a verdict to audit")
        if key in seen:
            raise InputError(f"{where}: id {key!r} stands there twice")
        seen.add(key)
        drawn = drawn or str(row.get("drawn") or "")
        if drawn and mark not in drawn:
            raise InputError(f"{where}: drawn {drawn}; the verdicts are others now ({mark}): draw anew")
        label, who = _label(row, loaded, key, where)
        if label is not None:
            right[key] = label
            by[who] += 1
    if not right:
        raise InputError(f"{path}: no labels; expected a column answer, right, or the verdicts of `mmmath judge`")
    return Labels(right, len(seen) - len(right), drawn, dict(by))


def _label(row: Mapping[str, Any], loaded: Responses, key: str, where: str) -> tuple[bool | None, str]:
    """Return whether a row's response is right by its label, None for no label, and who says so."""
    verdict, judge = row.get("verdict"), row.get("judge")
    if isinstance(verdict, Mapping):
        model = judge.get("model") if isinstance(judge, Mapping) else None
        return flag(verdict.get(loaded.rule)), f"judge {model}" if model else "rules"
    if said := str(row.get("right") or "").strip().lower():
        label = _YES_NO.get(said, flag(said))
        if label is None:
            raise InputError(f"{where}: right should be yes or no, is {said!r}")
        if loaded.rule == "official":
            raise InputError(f"{where}: the official verdict is the authors' rule's: fill in answer, not right")
        return label, "hand"
    answer = str(row.get("answer") or "").strip()
    if not answer:
        return None, ""
    problem, response = loaded.texts[key]
    extraction = "" if answer.lower() == NONE else answer
    return getattr(loaded.benchmark.score(problem, response, extraction=extraction), loaded.rule), "hand"


def without_audit(beside: Scorecard, loaded: Responses) -> Scorecard | None:
    """Return a scorecard of the same verdicts less what an earlier audit of the same rule added.

    Returns:
        None for a scorecard of other verdicts: an audit in it was of others, or a score that both have differs.
    """
    audits, (own, other) = audits_of(beside), map(_rights, (loaded.run.card, beside))
    marks = {account.get("verdicts") for account in audits.values()} - {None}  # 0.3 noted none
    same = beside.benchmark == loaded.run.card.benchmark and all(other.get(key, own[key]) == own[key] for key in own)
    if not same or marks - {_verdicts_mark(loaded.run)}:
        return None
    whole, *_ = names = _labelled(loaded.rule)
    return dataclasses.replace(
        beside,
        scores=tuple(score for score in beside.scores if score.metric not in names),
        notes=tuple(note for note in beside.notes if note.partition(" ")[0] != whole),
        provenance={**beside.provenance, "audit": {rule: said for rule, said in audits.items() if rule != loaded.rule}},
    )


def _rights(card: Scorecard) -> dict[tuple[str, str, str], tuple[str, int]]:
    """Return what a scorecard says of the verdicts, over all problems and in every group."""
    known = [score for score in card.scores if score.metric in _METRICS.values()]
    return {(score.metric, score.group, score.slice): (f"{score.value:.9f}", score.count) for score in known}


def _verdicts_mark(run: Run) -> str:
    """Return what changes with any verdict of either rule."""
    said = sorted((verdict.id, verdict.official, verdict.verified) for verdict in run.verdicts)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _labelled(rule: str) -> list[str]:
    return [f"{_METRICS[rule]}{ending}" for ending in LABELLED]


def with_labels(loaded: Responses, labels: Labels, card: Scorecard) -> tuple[Scorecard, Audited]:
    """Return a scorecard of the responses with what the labels say of all of them.

    Beside the metric (`acc` or `acc_verified`, as the rules read) there are `<metric>_audited`, whose interval holds
    sampling and reading error, `<metric>_audited_here`, about these responses only, and `<metric>_labels_alone`, what
    as many labels drawn without strata would tell.
    """
    found = audited(loaded.strata, labels.right)
    alone = wilson(found.value * found.labelled, found.labelled)
    whole, here, only = _labelled(loaded.rule)
    scores = (
        Score(whole, "", "", found.value, found.count, *found.whole),
        Score(here, "", "", found.value, found.count, *found.these),
        Score(only, "", "", found.value, found.labelled, *alone),
    )
    note = (
        f"{whole} is the share right by {found.labelled} labels ({_listed(labels.by)}) and the rules' verdicts on all "
        f"{found.count} responses; its interval holds sampling and reading error, that of {here} reading error only, "
        f"that of {only} what the labels tell without the verdicts."
    )
    account = {
        "verdicts": _verdicts_mark(loaded.run),
        "labels": found.labelled,
        "labelled_by": dict(labels.by),
        **({"drawn": labels.drawn} if labels.drawn else {}),
        "strata": {one.name: _read(one, labels.right) for one in loaded.strata},
    }
    provenance = {**card.provenance, "audit": {**audits_of(card), loaded.rule: account}}
    card = dataclasses.replace(card, scores=(*card.scores, *scores), notes=(*card.notes, note), provenance=provenance)
    return card, found


def _read(one: Stratum, right: Mapping[str, bool]) -> str:
    own = [right[key] for key in one.ids if key in right]
    return f"{len(own)} of {len(one.ids)} labelled, {sum(label != one.right for label in own)} otherwise"


def _listed(by: Mapping[str, int]) -> str:
    return ", ".join(f"{count} by {who}" for who, count in by.items())


def lines(loaded: Responses, labels: Labels, found: Audited, card: Scorecard) -> Iterator[str]:
    """Yield what the audit says: the strata, the estimates with their intervals, which labels are not the verdicts."""
    metric = _METRICS[loaded.rule]
    yield f"{loaded.run.name}: {found.count:,} responses, {found.labelled} labelled ({_listed(labels.by)})"
    if labels.empty:
        yield f"  {labels.empty} drawn responses have no label and are left out"
    for name, said in audits_of(card)[loaded.rule]["strata"].items():
        yield f"  {name}: {said}"
    told = (
        "as the rules read; sampling error",
        "sampling and reading error",
        "of these responses; reading error",
        f"the {found.labelled} labels without the rules",
    )
    for name, said in zip((metric, *_labelled(loaded.rule)), told, strict=True):
        if (score := card.get(name)) is not None:
            ends = f"[{percent(score.low)}, {percent(score.high)}]"
            yield f"  {name:<26} {percent(score.value):>5} {ends:<14} {said}"
    verdicts = {key: one.right for one in loaded.strata for key in one.ids}
    other = [key for key, label in labels.right.items() if label != verdicts[key]]
    if other:
        yield f"  labelled otherwise than the rules' verdict: {some(other, 20)}"
