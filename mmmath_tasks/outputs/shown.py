"""What a saved row shows of the problem that it answers, and whether that is the problem that its id names.

Ids of benchmarks coincide ("1", "2", ...), so that a file of one is joined to the problems of another, or of another
split, without a word; its questions, options and golds do not.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.cells import literal, text
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import Benchmark, benchmark, benchmarks

_QUESTIONS = ("question", "query", "prompt", "question_for_eval", "problem", "instruction", "input")
_OPTIONS = ("choices", "options")
_GOLDS = ("gold", "gt", "ground_truth", "gold_answer", "correct_answer", "reference_answer")  # no harness's target
_QUESTION = 20  # letters and digits: a question shorter than this may stand in another by chance
_ALIKE = 80  # of 100: questions are copied with other markup, images and spaces, seldom with other words
_KEPT = 100
# "<image1>" of MATH-Vision, "<image 1>" of others
_PICTURE = re.compile(r"<image ?\d*>")


@dataclass(slots=True)
class Shown:
    """Counts of what rows show, filled in as a file is joined.

    Attributes:
        fits: "question", "list of options" or "gold" to how often that is the problem's (True) and another's (False).
        contrary: ids of problems whose rows show nothing of theirs, but something else.
        questions: the first questions of those rows.
        columns: column to the rows that have it, those of records in it as "metadata_grade".
    """

    fits: dict[str, Counter[bool]] = field(default_factory=dict)
    contrary: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    columns: Counter[str] = field(default_factory=Counter)

    def add(self, known: Benchmark, problem: Problem, saved: Saved) -> None:
        """Count one row."""
        found = dict(_evidence(known, problem, saved))
        for kind, fits in found.items():
            self.fits.setdefault(kind, Counter())[fits] += 1
        self.columns.update(_columns(saved.row))
        if found and not any(found.values()):
            self.contrary.append(problem.id)
            if len(self.questions) < _KEPT:
                self.questions += _questions(saved)

    def wrong(self) -> str:
        """Say how many rows show what is not their problem's, where most do, of every kind; "" elsewhere."""
        if self.contrary[1:] and len({*self.questions}) == 1:  # one instruction for all, and no question
            self.fits.pop("question")
            self.contrary.clear()
        if not self.fits or any(count[True] >= count[False] for count in self.fits.values()):
            return ""
        return " and ".join(f"{n[False]} of {n.total()} rows show another {kind}" for kind, n in self.fits.items())

    def columns_of_another(self, name: str) -> str:
        """Say that columns are those of another benchmark's data alone, where nothing shows `name`'s; "" elsewhere.

        Only columns of a record ("metadata_grade", of "metadata") tell, and two of them: no harness or user calls their
        own so, as they do "level" or "task".
        """
        if any(count[True] > count[False] for count in self.fits.values()):
            return ""
        known = {other: {*_columns(features)} - features.keys() for other, features in _features().items()}
        for other, columns in known.items():
            rest = set().union(*(names for own, names in known.items() if own != other))
            alone = sorted((columns - rest) & self.columns.keys())
            if other != name and len(alone) > 1:
                return f"its columns {some(alone, 3)} are of {other}'s data (--benchmark {other}), not of {name}'s"
        return ""

    def likely(self, name: str) -> str:
        """Say whose problems these are, by their questions, else by their columns, as the end of a message."""
        for other, split in _at_hand():
            known = [asked for asked in _asked(other, split) if len(asked) >= _QUESTION]
            if 2 * sum(any(asked in said for asked in known) for said in self.questions) > len(self.questions):
                return f"its questions are those of {other} (--benchmark {other} --split {split})"
        shared = {other: len(names.keys() & self.columns.keys()) for other, names in _features().items()}
        best = [other for other, count in shared.items() if count == max(shared.values())]
        if len(best) == 1 and best != [name]:
            return f"its columns are rather those of {best[0]} (--benchmark {best[0]})"
        return f"is it of another of {', '.join(benchmarks())}, or of another split?"


def _columns(row: Mapping[Any, Any]) -> Iterator[str]:
    """Yield the names of columns, and of what is in records ("metadata_grade", which pandas calls "metadata.grade")."""
    for name, value in row.items():
        yield str(name).replace(".", "_")
        if isinstance(value, Mapping):
            yield from (f"{name}_{key}" for key in value)


def _features() -> dict[str, Mapping[str, Any]]:
    """Return the columns of each benchmark's data."""
    return {name: benchmark(name).rows.features(benchmark(name).rows.SPLITS[0]) for name in benchmarks()}


def _at_hand() -> Iterator[tuple[str, str]]:
    """Yield benchmarks and their splits that can be looked at without asking the Hub."""
    for name in benchmarks():
        yield name, "sample"
        if os.environ.get("MMMATH_DATA"):
            yield from ((name, split) for split in benchmark(name).rows.SPLITS)


def _asked(name: str, split: str) -> list[str]:
    from mmmath_tasks.sources import find_split

    known = benchmark(name)
    try:
        return [_plain(known.problem(row).question) for row in find_split(known, split).texts]
    except InputError:  # not there
        return []


def _evidence(known: Benchmark, problem: Problem, saved: Saved) -> Iterator[tuple[str, bool]]:
    """Yield what the row shows, and whether it is the problem's."""
    asked, shown = _plain(problem.question), _questions(saved)
    if asked and shown:
        yield "question", any(asked in said or said in asked or _alike(asked, said) for said in shown)
    options = next((found for name in _OPTIONS if isinstance(found := literal(saved.row.get(name)), list)), [])
    mine, theirs = {_plain(choice) for choice in problem.choices}, {_plain(str(option)) for option in options}
    if len(mine) > 1 and len(theirs) > 1 and max(map(len, theirs)) > 1:
        yield "list of options", 2 * len(mine & theirs) >= min(len(mine), len(theirs))
    golds = (*_GOLDS, "answer") if shown else _GOLDS  # beside no question it may be the model's
    gold = next(filter(None, (text(saved.row.get(name)) for name in golds if name != saved.column)), None)
    if gold and problem.answer is not None:
        right = gold == problem.answer or known.score(problem, gold, extraction=gold).verified
        yield "gold", right is not False


def _questions(saved: Saved) -> list[str]:
    row = {name: saved.row.get(name) for name in _QUESTIONS if name != saved.column}
    found = [_plain(said) for said in (saved.asked, *row.values()) if isinstance(said, str)]
    return [said for said in found if len(said) >= _QUESTION]


def _alike(asked: str, said: str) -> bool:
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(asked, said, score_cutoff=_ALIKE) > 0


def _plain(words: str) -> str:
    return "".join(c for c in _PICTURE.sub("", words).lower() if c.isalnum())
