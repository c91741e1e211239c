"""What publishing results changes on a model card."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mmmath_tasks.errors import InputError, check_all
from mmmath_tasks.model_card import results
from mmmath_tasks.model_card.doubts import CONFLICT, Doubt, doubts
from mmmath_tasks.model_card.merge import FOLDER, Conflict, merged_entry, merged_readme
from mmmath_tasks.model_card.repo import README, Held
from mmmath_tasks.model_card.results import Subject
from mmmath_tasks.problem import Scorecard
from mmmath_tasks.report.runs import read_card

_DATE = re.compile(r"_(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)")  # scorecard_wemath_2026-01-31T12-30-00.123.json


@dataclass(frozen=True, slots=True)
class Publication:
    """Results of one model, and how they are to stand on its card.

    Attributes:
        model: its repo, ORG/NAME.
        results: scorecards and what each is about.
        forms: "eval-results" (.eval_results/*.yaml), "model-index" (README.md), or both.
        redate: whether a result that differs in its date only is written anew.
        replace: whether what stands there with another value is replaced.
    """

    model: str
    results: tuple[tuple[Scorecard, Subject], ...]
    forms: tuple[str, ...] = ("eval-results", "model-index")
    redate: bool = False
    replace: bool = False

    def change(self, held: Held) -> tuple[dict[str, str], list[Conflict]]:
        """Return the files that would be written, and what stands there with another value."""
        files = dict(held.files)
        conflicts: list[Conflict] = []
        for card, about in self.results:
            if "eval-results" in self.forms:
                existing = {name: text for name, text in files.items() if name.startswith(f"{FOLDER}/")}
                path = f"{FOLDER}/{card.benchmark}.yaml"
                files |= merged_entry(existing, results.entry(card, about), path, conflicts, redate=self.redate)
            if "model-index" in self.forms:
                name = self.model.split("/")[1]
                readme = merged_readme(files.get(README), results.index(card, about), name, conflicts)
                files |= {} if readme is None else {README: readme}
        return {name: text for name, text in files.items() if held.files.get(name) != text}, conflicts

    def files(self, held: Held) -> dict[str, str]:
        """Return the files to write.

        Raises:
            InputError: something stands there with another value, and is not to be replaced.
        """
        changed, conflicts = self.change(held)
        if conflicts and not self.replace:
            raise InputError(f"{'; '.join(map(str, conflicts))}. To replace what stands there: --force {CONFLICT}")
        return changed

    def title(self) -> str:
        """Return the title of a pull request."""
        return f"Add results of {', '.join(dict.fromkeys(about.task for _, about in self.results))}"

    def description(self) -> str:
        """Return the description of a pull request."""
        return "\n".join(f"- {card.benchmark}: {results.notes(card, about)}" for card, about in self.results)


def read_result(
    path: Path, *, date: str | None = None, forced: Collection[str] = (), **stated: str | None
) -> tuple[Scorecard, Subject, list[Doubt]]:
    """Read a scorecard that is to be published in spite of doubts of some names; `stated`: see `results.subject`.

    Returns:
        the scorecard, what it is about (its date: that in the file's name, if None is given), and the doubts that were
        overruled.

    Raises:
        InputError: it cannot be read, does not say what it is about, or there are other doubts.
    """
    card = read_card(path)
    task = str(stated.get("task") or card.provenance.get("task") or "")
    try:
        about, found = check_all(
            partial(results.subject, card, date=date or _date(path), **stated), partial(_overruled, card, task, forced)
        )
    except InputError as error:
        raise InputError("\n".join(f"{path}: {line}" for line in str(error).splitlines())) from None
    return card, about, found


def _overruled(card: Scorecard, task: str, forced: Collection[str]) -> list[Doubt]:
    """Return the doubts there are; raises InputError where one of them is not among the forced."""
    found = list(doubts(card, task))
    if left := [doubt for doubt in found if doubt.name not in forced]:
        why = "; ".join(f"{doubt.why} [{doubt.name}]" for doubt in left)
        names = " ".join(dict.fromkeys(doubt.name for doubt in left))
        raise InputError(f"not for a model card: {why}. To publish it all the same: --force {names}")
    return found


def _date(path: Path) -> str | None:
    """Return the time in the name of a file that lm-eval wrote; it is the time of the machine, without a zone."""
    found = _DATE.search(path.name)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}" if found else None
