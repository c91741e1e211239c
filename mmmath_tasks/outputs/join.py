"""Saved responses joined to problems by id, with an account of whatever does not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.model_names import models_of
from mmmath_tasks.outputs.names import ID_COLUMNS
from mmmath_tasks.outputs.saved import Saved, SavedFile
from mmmath_tasks.outputs.shown import Shown
from mmmath_tasks.outputs.upstream_row import upstream_row
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import benchmark

DATED = "rows hold a date as response or short answer: a spreadsheet made it of 1/2 or the like (not scored)"
UNPROVED = "rows name their problem by its position in the split only, and show nothing else of it"
UNLIKE = "rows show another question, options or answer than the problem that they are joined to"

_ENOUGH = 1_000
_MOST_ROWS = 1_000_000
_MOST_PROBLEMS = 50_000
_LOOKED_THROUGH = 100
_QUESTION = 20  # characters: a question shorter than this may stand in another's prompt by chance


@dataclass(slots=True)
class Account:
    """What did not fit, counted as a file is read; `lines` names up to ten of each kind.

    Attributes:
        rows: rows read so far.
        responses: responses in them, one a row unless it holds several.
        joined: rows that found their problem.
        missing: ids of problems without a row, known when the file has been read.
        extra: ids in the file that no problem has.
        duplicate: ids that came again; the first row counts.
        failed: ids of rows without a response, or with an error in its place; not scored.
        no_gold: ids of problems whose answer was not released.
        truncated: ids of responses that were cut at the token limit or in the middle of their thinking.
        unread: ids of responses in which a judge found no answer.
        unlike: ids of problems whose rows show another question, other options or another gold.
        unproved: ids of problems that rows name by their position only, where nothing in any row shows that it is so.
        dated: ids of rows of which the response or the short answer is a date; not scored.
        models: what rows that came again call their model.
        several_models: that rows taken for one model's seem to be of several; "" where they do not.
    """

    rows: int = 0
    responses: int = 0
    joined: int = 0
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    duplicate: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    no_gold: list[str] = field(default_factory=list)
    truncated: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    dated: list[str] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    several_models: str = ""

    def lines(self) -> list[str]:
        """Return a sentence for each kind that occurred."""
        said = {
            "missing": "problems have no response",
            "extra": "responses belong to no problem",
            "duplicate": "rows repeat an id (the first response counts)",
            "failed": "rows hold no response, or an error in its place (not scored)",
            "no_gold": "problems have no released answer (not scored)",
            "truncated": "responses were cut, at the token limit or in the middle of their thinking",
            "unread": "short answers in the file are empty: a judge found none (--responses-only reads the responses)",
            "unlike": f"{UNLIKE} (scored all the same)",
            "unproved": f"{UNPROVED} (scored all the same)",
            "dated": DATED,
        }
        found = [f"{len(ids)} {text}: {_some(ids)}" for name, text in said.items() if (ids := getattr(self, name))]
        return [self.several_models, *found] if self.several_models else found

    def notes(self) -> list[str]:
        """Return what a reader of the scorecard must know: rows left out, or that may be of others."""
        found = [
            self.several_models,
            f"{len(self.unlike)} of {self.joined} {UNLIKE}" if self.unlike else "",
            f"{len(self.unproved)} of {self.joined} {UNPROVED}" if self.unproved else "",
            f"{len(self.dated)} of {self.joined} {DATED}" if self.dated else "",
            f"{len(self.extra)} of {self.rows} rows belong to no problem, and are left out" if self.extra else "",
            f"{len(self.duplicate)} of {self.rows} rows repeat an id: the first one counts" if self.duplicate else "",
        ]
        return [f"{said}." for said in found if said]


def _some(ids: Sequence[str]) -> str:
    return some(list(dict.fromkeys(ids)))


def join(
    file: SavedFile, name: str, problems: Sequence[Problem] | None, account: Account, repeats: bool = False
) -> Iterator[tuple[Problem, Saved]]:
    """Yield every saved response with its problem, in the file's order, and fill an account in on the way.

    Without problems (the whole split, in its order) each is rebuilt from the file's own columns. With `repeats` rows
    that repeat an id are yielded, too.

    Raises:
        InputError: no row of the first thousand finds a problem, a problem cannot be rebuilt, the file holds more rows
            or problems than a run of any benchmark (so that memory is bounded), or, when it has been read, most of its
            prompts or golds are not those of the problems that it gives by position only (of prompts, more than one in
            ten where any holds another problem's question), or its ids count its rows, or most of its questions,
            options and golds are not those of the problems with their ids (of questions alone, where they are others'
            at hand), or its columns are those of another benchmark's data.
    """
    known = {problem.id: problem for problem in problems or ()}
    shown = Shown()
    seen: set[str] = set()
    without_id = 0
    agreed: dict[bool, list[bool]] = {True: [], False: []}  # by prompts, by targets
    strange: list[str] = []
    numbers: set[str] = set()
    for saved in file:
        account.rows += 1
        account.responses += max(1, len(saved.responses))
        if account.rows > _MOST_ROWS or len(seen) > _MOST_PROBLEMS:
            what = f"{_MOST_ROWS:,} rows" if account.rows > _MOST_ROWS else f"{_MOST_PROBLEMS:,} problems"
            raise InputError(f"{file.path}: more than {what}; expected one run of {name}")
        numbers.update(saved.ids[:1])
        problem = _rebuilt(file, name, saved) if problems is None else _found(name, saved, known, problems)
        if problem is None:
            account.extra.append((saved.ids or (f"row {saved.where}",))[0])
            without_id += not saved.ids and saved.position is None
            if account.rows >= _ENOUGH and not account.joined:
                raise _no_match(file, name, account, problems, without_id)
            continue
        if problem.id in seen and not repeats:
            account.duplicate.append(problem.id)
            account.models |= dict.fromkeys(models_of(saved))
            continue
        seen.add(problem.id)
        account.joined += 1
        if saved.position is not None and not saved.ids:
            account.unproved.append(problem.id)
            for prompted, fits in _agreement(name, problem, saved):
                agreed[prompted].append(fits)
                if prompted and not fits:
                    account.unlike.append(problem.id)
                    strange += [_line(saved.asked)] if len(strange) < _LOOKED_THROUGH else []
        elif problems is not None:
            shown.add(benchmark(name), problem, saved)
        if saved.truncated:
            account.truncated.append(problem.id)
        if saved.extraction == "" and any(saved.responses) and not saved.unread:
            account.unread.append(problem.id)
        if saved.dated:
            account.dated.append(problem.id)
        elif not saved.responses and saved.extraction is None:
            account.failed.append(problem.id)
        elif problem.answer is None:
            account.no_gold.append(problem.id)
        yield problem, saved
    if not account.joined:
        raise _no_match(file, name, account, problems, without_id)
    if any(agreed.values()):
        account.unproved.clear()
    if account.extra and _are_positions(numbers, account.rows, known):
        first, last = min(map(int, numbers)), max(map(int, numbers))
        raise InputError(
            f"{file.path}: its ids, {first} to {last}, are positions of its rows and not {name}'s ids (such as "
            f"{some([*known][:3])}); give those, or, where the rows stand in the order of the split, call that column "
            "doc_id (from 0)"
        )
    for prompted, found in agreed.items():
        # a harness may ask in other words, as a target may be the gold in others; another's question is no such thing
        if found.count(False) > len(found) / (10 if prompted and _hold_others(strange, problems or ()) else 2):
            splits = ", ".join(benchmark(name).rows.SPLITS)
            raise InputError(
                f"{file.path}: names problems by their position only, and {found.count(False)} of its {len(found)} "
                f"{'prompts do not hold their questions' if prompted else 'targets are not their answers'}: "
                "the rows of another split, in another order, or several for each? Name it with --split "
                f"({name} has {splits})"
                + ("; evalscope's reviews say which rows are of one problem" if prompted else "")
            )
    if columns := shown.columns_of_another(name):
        raise InputError(f"{file.path}: {columns}")
    if wrong := shown.wrong(name, problems or ()):
        raise InputError(f"{file.path}: {wrong}")
    account.unlike += shown.contrary
    account.missing += [known_id for known_id in known if known_id not in seen]


def _rebuilt(file: SavedFile, name: str, saved: Saved) -> Problem:
    try:
        return _own(name, saved)
    except InputError as error:
        rows = benchmark(name).rows
        hub = f"--split {rows.SPLITS[0]} (the Hub's) or " if rows.HUB_ID else ""
        raise InputError(
            f"{file.path}: row {saved.where}: the problem is not in the file ({error}); name the data with --data DIR, "
            f"{hub}--split sample (ours)"
        ) from None


def _own(name: str, saved: Saved) -> Problem:
    """Return the problem that the row's own columns make, or, in a sample of ours, describe.

    Raises:
        InputError: they make none, or one with fields of other types: a row may hold anything.
    """
    if not ("groups" in saved.row and "benchmark" in saved.row):
        return benchmark(name).problem(upstream_row(name, saved))
    try:
        return Problem.from_dict(saved.row)
    except TypeError as error:
        raise InputError(str(error)) from None


def _found(name: str, saved: Saved, known: Mapping[str, Problem], problems: Sequence[Problem]) -> Problem | None:
    if saved.position is not None and not saved.ids:
        return problems[saved.position] if 0 <= saved.position < len(problems) else None
    for candidate in _candidates(name, saved):
        if candidate in known:
            return known[candidate]
    return None


def _agreement(name: str, problem: Problem, saved: Saved) -> list[tuple[bool, bool]]:
    """Return whether a row that gives a position only tells by its prompt, and is of its problem; [] where none shows.

    By its prompt, which holds the question, else by the harness's target, in whatever form: a right answer to the
    problem, as far as rules can tell.
    """
    question = _line(problem.question)
    if saved.asked and question:
        return [(True, question in _line(saved.asked))]
    if not saved.target or problem.answer is None:
        return []
    known = benchmark(name)
    right = saved.target == problem.answer or known.score(problem, saved.target, extraction=saved.target).verified
    return [(False, right is not False)]


def _are_positions(ids: Collection[str], rows: int, known: Collection[str]) -> bool:
    """Say whether ids, of which some are no problem's, count rows: from 0, or from 1 to the size of the split."""
    if "0" in known or not all(one.isdecimal() for one in ids) or len(ids) != rows:
        return False
    first, last = min(map(int, ids)), max(map(int, ids))
    return last - first + 1 == rows and (first == 0 or (first == 1 and rows == len(known)))


def _hold_others(prompts: Sequence[str], problems: Sequence[Problem]) -> bool:
    """Say whether any of the prompts, none of which holds its own problem's question, holds one of the problems'."""
    questions = {line for problem in problems if len(line := _line(problem.question)) >= _QUESTION}
    return any(question in prompt for prompt in prompts for question in questions)


def _line(text: str) -> str:
    return " ".join(text.split())


def _candidates(name: str, saved: Saved) -> Iterator[str]:
    """Yield what may be the problem's id: as its own columns make it, then the plain id columns."""
    with suppress(InputError):
        yield _own(name, saved).id
    yield from saved.ids


def _no_match(
    file: SavedFile, name: str, account: Account, problems: Sequence[Any] | None, without_id: int
) -> InputError:
    if without_id == account.rows:
        return InputError(f"{file.path}: no column of problem ids (one of {', '.join(ID_COLUMNS)}), or nothing in it")
    have = ", ".join(problem.id for problem in (problems or ())[:3])
    first = "first " if account.rows >= _ENOUGH else ""
    return InputError(
        f"{file.path}: none of its {first}{account.rows:,} rows belongs to {name}: ids such as "
        f"{_some(account.extra[:3])}, expected ids such as {have}"
    )
