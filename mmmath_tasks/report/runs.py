"""What a report is about: scorecards, and beside each the responses it was made from."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from mmmath_tasks import json_text, papers
from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import shortened
from mmmath_tasks.outputs.names import without_date
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.report.themes import RUNS
from mmmath_tasks.scoring import benchmark

Identity = tuple[str, str, tuple[str, ...], str | None]
"""A problem's id, question, choices and answer."""

_SCORE_FIRST = "`mmmath rescore FILE --out DIR` scores responses of any harness, and `mmmath report DIR` shows them"


@dataclass(frozen=True, slots=True)
class Run:
    """One scorecard of a report.

    Attributes:
        name: what readers call the run; different for every run of a benchmark.
        card: the scorecard.
        responses: the file of responses beside it; None where there is none.
        colour: the index of its colour, the same for runs of one name; None where a benchmark has more runs than there
            are colours.
        model: what it is a run of; the name that was given for it, else the scorecard's model, else as `name`.
    """

    name: str
    card: Scorecard
    responses: Path | None
    colour: int | None = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One response of a run.

    Attributes:
        problem: what was asked.
        prompt: the text that the model got; None where the file does not say.
        response: the model's text.
        verdict: what it is worth.
        extraction: the short answer that was scored in place of the response; None where the response was.
    """

    problem: Problem
    prompt: str | None
    response: str
    verdict: Verdict
    extraction: str | None = None


def read_card(path: Path) -> Scorecard:
    """Return the scorecard in a JSON file.

    Raises:
        InputError: there is no such file, or it holds no scorecard.
    """
    try:
        card = Scorecard.from_dict(json_text.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise InputError(f"{path}: {'a folder, not a scorecard' if path.is_dir() else error.strerror}") from None
    except (ValueError, TypeError) as error:
        wanted = "expected scorecard_*.json as `mmmath rescore --out` and lm-eval runs write it"
        what: object = error
        if isinstance(error, UnicodeDecodeError):
            what = "not UTF-8 text"
        elif isinstance(error, JSONDecodeError):
            what = f"not JSON: {json_text.fault(error)}" if error.doc.strip() else "is empty"
        if isinstance(error, JSONDecodeError) and error.msg == "Extra data":
            what = f"{what} (of responses, `mmmath rescore {path.name} --out DIR` makes one)"
        raise InputError(f"{path}: not a scorecard ({wanted}): {what}") from None
    try:
        benchmark(card.benchmark)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return card


def read_runs(paths: Sequence[Path], names: Sequence[str] = ()) -> list[Run]:
    """Return the runs of scorecard files, or of folders that hold some (scorecard_*.json).

    Args:
        paths: files or folders; each scorecard counts once. The responses of scorecard_NAME.json are
            samples_NAME.jsonl beside it, and that stands for its scorecard.
        names: what to call them, one each; else the model that the scorecard names, else the file's name.

    Raises:
        InputError: nothing is there, a file is no scorecard, or the names are too few or too many.
    """
    files: list[Path] = []
    for path in paths:
        found = sorted(path.glob("**/scorecard_*.json")) if path.is_dir() else [_scored(path)]
        if not found:
            raise InputError(f"{path}: the folder holds no scorecard_*.json; {_SCORE_FIRST}")
        files += [file for file in found if file not in files]
    if names and len(names) != len(files):
        raise InputError(f"{len(names)} names for {len(files)} scorecards")
    cards = [read_card(file) for file in files]
    called = list(names) or [_name(file, card) for file, card in zip(files, cards, strict=True)]
    models = called
    called = _distinct([card.benchmark for card in cards], called, files)
    colours = _colours([card.benchmark for card in cards], called)
    each = zip(called, cards, files, colours, models, strict=True)
    return [Run(name, card, _responses(file), colour, model) for name, card, file, colour, model in each]


def _colours(kinds: Sequence[str], names: Sequence[str]) -> list[int | None]:
    """Return a colour's index for every run: of one name the same on all benchmarks, of others different on each.

    None for all runs of a benchmark for which the colours do not last.
    """
    homes: dict[str, set[str]] = {}
    for kind, name in zip(kinds, names, strict=True):
        homes.setdefault(name, set()).add(kind)
    crowded = {kind for kind in kinds if sum(kind in own for own in homes.values()) > len(RUNS)}
    found: dict[str, int] = {}
    for name, own in homes.items():
        taken = {index for other, index in found.items() if (own & homes[other]) - crowded}
        found[name] = min(set(range(len(taken) + 1)) - taken)
    crowded |= {kind for kind, name in zip(kinds, names, strict=True) if found[name] >= len(RUNS)}
    return [None if kind in crowded else found[name] for kind, name in zip(kinds, names, strict=True)]


def _scored(file: Path) -> Path:
    """Return the scorecard that is meant by a file: itself, or the one beside its responses."""
    if file.suffix != ".jsonl" or not file.is_file():
        return file
    card = file.with_name(f"scorecard_{file.stem.removeprefix('samples_')}.json")
    if not card.is_file():
        raise InputError(f"{file}: responses without their scorecard ({card.name} beside them); {_SCORE_FIRST}")
    return card


def _stem(file: Path) -> str:
    return file.stem.removeprefix("scorecard_")


def _name(file: Path, card: Scorecard) -> str:
    model = card.provenance.get("model")
    return Path(str(model)).name if model else without_date(_stem(file))


def _distinct(kinds: Sequence[str], names: Sequence[str], files: Sequence[Path]) -> list[str]:
    """Return names that differ within a benchmark: by the file where the model is the same, else by a number."""
    pairs = list(zip(kinds, names, strict=True))
    longer = [
        name if pairs.count((kind, name)) == 1 else f"{name} ({without_date(_stem(file))})"
        for (kind, name), file in zip(pairs, files, strict=True)
    ]
    seen: dict[tuple[str, str], int] = {}
    found = []
    for kind, name in zip(kinds, longer, strict=True):
        seen[kind, name] = seen.get((kind, name), 0) + 1
        found.append(name if seen[kind, name] == 1 else f"{name} #{seen[kind, name]}")
    return found


def _responses(file: Path) -> Path | None:
    beside = file.with_name(f"samples_{_stem(file)}.jsonl")
    return beside if beside.is_file() else None


def progress(items: Iterable[Any], what: str, unit: str) -> Iterator[Any]:
    """Yield items behind a progress bar where they take long and the output is a terminal."""
    from tqdm import tqdm

    yield from tqdm(items, desc=what, unit=unit, leave=False, disable=None, delay=0.5)


def samples(run: Run) -> Iterator[Sample]:
    """Yield the responses of a run, as `mmmath rescore --out` or lm-eval wrote them; none without a file.

    Raises:
        InputError: a line is broken, or was written by something else.
    """
    if run.responses is None:
        return
    seen: set[str] = set()
    with run.responses.open("rb") as file:
        for number, line in enumerate(progress(file, f"responses of {shortened([run.name], 30)[0]}", "line"), 1):
            if not line.strip():
                continue
            try:
                sample = _sample(json_text.loads(line.decode("utf-8-sig").rstrip()), run.card.benchmark)
            except (ValueError, TypeError) as error:
                wrong = json_text.fault(error) if isinstance(error, JSONDecodeError) else str(error)
                raise InputError(
                    f"{run.responses}: line {number}: not a response that mmmath or lm-eval wrote: {wrong}"
                ) from None
            if sample.problem.id not in seen:  # lm-eval writes a document once for every filter
                seen.add(sample.problem.id)
                yield sample


def _sample(row: Any, name: str) -> Sample:
    own = isinstance(row, dict) and "problem" in row
    wanted = ("problem", "response", "verdict") if own else ("doc", "resps", "extracted")
    if not (isinstance(row, dict) and row.keys() >= set(wanted)):
        raise TypeError("expected an object with problem, response and verdict, or with doc, resps and extracted")
    asked, response, verdict = (row[column] for column in wanted)
    if not isinstance(asked, dict):
        raise TypeError(f"{wanted[0]} should be an object, is {reprlib.repr(asked)}")
    problem = Problem.from_dict(asked) if own else benchmark(name).problem(asked)
    prompt = (row if own else asked).get("prompt")
    detail = row.get("detail") if own else None
    short = detail.get("extraction") if isinstance(detail, dict) else None
    return Sample(problem, prompt, _first(response), Verdict.from_dict(verdict), None if short is None else str(short))


def _first(value: Any) -> str:
    while isinstance(value, list):
        value = value[0] if value else ""
    return "" if value is None else str(value)


def identity(problem: Problem) -> Identity:
    """Return what makes two problems one: an id alone may be another problem's in another split, file or revision."""
    return problem.id, problem.question, problem.choices, problem.answer


@dataclass(frozen=True, slots=True)
class Section:
    """Runs whose scores compare: of one split, and whole, or not.

    Attributes:
        name: a file name, different for every section of a page.
        title: what readers call it.
        benchmark: its name.
        split: the split; None where it is not known.
        size: how many problems (We-Math: rows) the split has; None where it is not known.
        partial: whether the runs leave out some of the split.
        runs: at least one.
    """

    name: str
    title: str
    benchmark: str
    split: str | None
    size: int | None
    partial: bool
    runs: tuple[Run, ...]


def sections(runs: Iterable[Run]) -> list[Section]:
    """Return the runs by benchmark, split, and whether they are whole.

    Benchmarks and splits come in the order of the runs, whole runs before the others.
    """
    found: dict[str, dict[tuple[str | None, bool], list[Run]]] = {}
    for run in runs:
        split = papers.split_of(run.card)
        known = found.setdefault(run.card.benchmark, {})
        for partial in (False, True):  # so that both stand side by side
            known.setdefault((split, partial), [])
        known[split, papers.is_partial(run.card)].append(run)
    return [
        _section(name, split, partial, chosen, alone=sum(map(bool, kinds.values())) == 1)
        for name, kinds in found.items()
        for (split, partial), chosen in kinds.items()
        if chosen
    ]


def _section(benchmark: str, split: str | None, partial: bool, runs: Sequence[Run], alone: bool) -> Section:
    which = split or "split not known"
    name = re.sub(r"[^\w-]", "_", benchmark if alone else f"{benchmark}_{which}{'_partial' if partial else ''}")
    title = papers.title(benchmark) + ("" if alone else f", {which}") + (", partial runs" if partial else "")
    size = max(filter(None, (papers.size_of(run.card) for run in runs)), default=None)
    return Section(name, title, benchmark, split, size, partial, tuple(runs))
