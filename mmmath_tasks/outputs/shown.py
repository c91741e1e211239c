"""What a saved row shows of the problem that it answers, and whether that is the problem that its id names.

Ids of benchmarks coincide ("1", "2", ...), so that a file of one is joined to the problems of another, or of another
split, without a word; its questions, options and golds do not.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.cells import identifier, literal, text
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import Benchmark, benchmark, benchmarks

_QUESTIONS = ("question", "query", "prompt", "question_for_eval", "problem", "instruction", "input")
_OPTIONS = ("choices", "options")
_GOLDS = ("gold", "gt", "ground_truth", "gold_answer", "correct_answer", "reference_answer")  # no harness's target
_QUESTION = 20  # letters and digits: a question shorter than this may stand in another by chance
_ALIKE = 80  # of 100: questions are copied with other markup, images and spaces, seldom with other words
_WORDS = 4  # an ASCII text of fewer is a path, an address or a picture in base64, and no question
_PROMPTS = 3  # so many different texts in all rows are instructions, and no questions
_KEPT = 100
# "<image1>" of MATH-Vision, "<image 1>" of others
_PICTURE = re.compile(r"<image ?\d*>")
# "A. 7", "(B) 8"
_LETTER = re.compile(r"^\s*\(?[A-H][.):]\s*(?=\S)")


@dataclass(slots=True)
class Shown:
    """Counts of what rows show, filled in as a file is joined.

    Attributes:
        fits: "question", "list of options" or "gold" to how often that is the problem's (True) and another's (False).
        contrary: ids of problems whose rows show nothing of theirs, but something else.
        asked: of these, those whose rows show a question only.
        questions: the first questions of those rows.
        columns: column to the rows that have it, those of records in it as "metadata_grade".
    """

    fits: dict[str, Counter[bool]] = field(default_factory=dict)
    contrary: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
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
            if [*found] == ["question"]:
                self.asked.add(problem.id)
            if len(self.questions) < _KEPT:
                self.questions += _questions(saved)

    def wrong(self, name: str, problems: Iterable[Problem]) -> str:
        """Say how many rows show what is not their problem's, and whose it is likely, where most do, of every kind.

        Returns:
            "" elsewhere, and where only questions contradict that are nobody's at hand: they may be translated.
        """
        if 0 < len({*self.questions}) <= _PROMPTS < len(self.contrary):
            if not self.fits.get("question", Counter())[True]:
                self.fits.pop("question", None)
            self.contrary = [known for known in self.contrary if known not in self.asked]
        if not self.fits or any(count[True] >= count[False] for count in self.fits.values()):
            return ""
        whose = self._whose_questions(name, problems)
        if not whose and 2 * max((n[False] for kind, n in self.fits.items() if kind != "question"), default=0) <= len(
            self.contrary
        ):
            return ""
        rows = " and ".join(f"{n[False]} of {n.total()} rows show another {kind}" for kind, n in self.fits.items())
        ids = some(list(dict.fromkeys(self.contrary[:3])))
        return f"{rows} than {name}'s problem with their id ({ids}): {whose or self._whose_columns(name)}"

    def columns_of_another(self, name: str) -> str:
        """Say that columns are those of another benchmark's data alone, where nothing shows `name`'s; "" elsewhere.

        Only columns of a record ("metadata_grade", of "metadata") tell, and most of them: a user's own record may have
        a "task" and a "language", too.
        """
        records = Counter(column.partition("_")[0] for column in self.columns if "_" in column)
        if max(records.values(), default=0) < 2:  # spares the import of `datasets`
            return ""
        if any(count[True] > count[False] for count in self.fits.values()):
            return ""
        known = {other: {*_columns(features)} - features.keys() for other, features in _features().items()}
        for other, columns in known.items():
            rest = set().union(*(names for own, names in known.items() if own != other))
            own = columns - rest
            alone = sorted(own & self.columns.keys())
            if other != name and len(own) > 2 and 2 * len(alone) > len(own):
                return (
                    f"its columns {some(alone, 3)} are of {other}'s data (--benchmark {other}), not of {name}'s (leave "
                    "them out to score it all the same)"
                )
        return ""

    def _whose_questions(self, name: str, problems: Iterable[Problem]) -> str:
        """Say whose the questions are, as the end of a message; "" for nobody's at hand."""
        if self._are_of([_plain(problem.question) for problem in problems]):
            return f"its questions are those of {name}, under other ids"
        for other, split in _at_hand():
            if self._are_of(_asked(other, split)):
                return f"its questions are those of {other} (--benchmark {other} --split {split})"
        return ""

    def _are_of(self, asked: Iterable[str]) -> bool:
        known = [question for question in asked if len(question) >= _QUESTION]
        return 2 * sum(any(one in said for one in known) for said in self.questions) > len(self.questions)

    def _whose_columns(self, name: str) -> str:
        """Say whose the columns rather are, else ask, as the end of a message."""
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
    mine, theirs = ({_plain(_LETTER.sub("", str(one))) for one in many} for many in (problem.choices, options))
    if len(mine) > 1 and len(theirs) > 1 and max(map(len, theirs)) > 1:
        yield "list of options", 2 * len(mine & theirs) >= min(len(mine), len(theirs))
    golds = (*_GOLDS, "answer") if shown else _GOLDS  # beside no question it may be the model's
    gold = next(filter(None, (_gold(saved.row.get(name)) for name in golds if name != saved.column)), None)
    if gold and problem.answer is not None and (gold == problem.answer or not (problem.choices and _is_index(gold))):
        right = gold == problem.answer or known.score(problem, gold, extraction=gold).verified
        yield "gold", right is not False


def _gold(value: Any) -> str | None:
    """Return a gold as text, out of a list of one."""
    found = literal(value)
    return text(found[0] if isinstance(found, list) and len(found) == 1 else value)


def _is_index(gold: str) -> bool:
    """Say whether it may be the number of an option rather than its letter or text."""
    return len(identifier(gold)) == 1 and identifier(gold).isdigit()


def _questions(saved: Saved) -> list[str]:
    row = {name: saved.row.get(name) for name in _QUESTIONS if name != saved.column}
    texts = [said for said in (saved.asked, *row.values()) if isinstance(said, str)]
    found = [_plain(said) for said in texts if len(said.split()) >= _WORDS or not said.isascii()]
    return [said for said in found if len(said) >= _QUESTION]


def _alike(asked: str, said: str) -> bool:
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(asked, said, score_cutoff=_ALIKE) > 0


def _plain(words: str) -> str:
    return "".join(c for c in _PICTURE.sub("", words).lower() if c.isalnum())
