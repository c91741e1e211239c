"""A file of saved responses scored anew."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from mmmath_tasks import __version__
from mmmath_tasks.errors import InputError
from mmmath_tasks.metrics import sampling
from mmmath_tasks.metrics.majority import vote
from mmmath_tasks.name_text import shortened
from mmmath_tasks.outputs.asked import Asked
from mmmath_tasks.outputs.join import Account, join
from mmmath_tasks.outputs.model_names import ModelNames
from mmmath_tasks.outputs.names import run_name
from mmmath_tasks.outputs.saved import Saved, SavedFile, open_saved
from mmmath_tasks.outputs.scored_texts import ScoredTexts
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.score_labels import how_read, read_by
from mmmath_tasks.scoring import Benchmark, benchmark, benchmarks, was_cut

_BAR_NAME = 30
_CAUSES = {
    **{name: name for name in ("empty", "refusal", "truncated")},
    "unextracted": "unextracted otherwise (no answer was found)",
    "unmatched": "unmatched (an answer was found that is no option or number)",
    "unscored": "unscored",
}

Sink = Callable[[Problem, str, Verdict, str | None], None]


@dataclass(frozen=True, slots=True)
class Run:
    """One scored file.

    Attributes:
        name: the file's name without its ending, and without the "samples_" that it may begin with.
        file: path, format, benchmark.
        card: the scorecard; with several samples a problem it is about the first, and what metrics/sampling.py has
            stands beside it.
        problems: those that the file is about, the unanswered among them.
        verdicts: one for each problem that has a response, of its first sample.
        account: what did not fit.
        texts: which columns were scored, and how the file's own verdicts compare.
    """

    name: str
    file: SavedFile
    card: Scorecard
    problems: tuple[Problem, ...]
    verdicts: tuple[Verdict, ...]
    account: Account
    texts: ScoredTexts

    @property
    def disagree(self) -> tuple[str, ...]:
        """Ids whose stored verdict is not ours."""
        return tuple(self.texts.wrong)

    def lines(self) -> Iterator[str]:
        """Yield a sentence for each thing that a reader of the scores must know of the file."""
        yield from self.texts.lines()
        yield from self.account.lines()
        if how_read(self.card) and (said := read_by(self.card)):
            yield f"answers read by: {said}"
        counted = [f"{n} {said}" for name, said in _CAUSES.items() if (n := self.card.counts.get(name))]
        if counted:
            yield ", ".join(counted)


def problems_of(name: str, split: str | None, data_dir: str | None) -> tuple[list[Problem], str]:
    """Return the problems of a split (see `rescoring.rescore`) and the revision of the data.

    Raises:
        InputError: the data cannot be had.
    """
    from mmmath_tasks import sources

    found = benchmark(name)
    source = sources.find_split(found, split, data_dir=data_dir)
    return [found.problem(row) for row in source.texts], source.revision


def score_file(
    path: Path,
    *more: Path,
    repeats: bool = False,
    name: str | None = None,
    problems: Sequence[Problem] | None = None,
    revision: str | None = None,
    split: str | None = None,
    use_extractions: bool = True,
    response_column: str | None = None,
    extraction_column: str | None = None,
    options: dict[str, Any] | None = None,
    sink: Sink | None = None,
    place: str = "",
) -> Run:
    """Score every response of a file.

    Args:
        path: any file that `open_saved` knows.
        more: further files of the same model: their responses are further samples of the same problems.
        repeats: rows that repeat an id are further samples, too; False: the first counts.
        name: the benchmark; None where the file says.
        problems: the split, from `problems_of`; None: from the file's own columns.
        revision: of the data that the problems came from, for the record.
        split: the one that the problems are, for the record.
        use_extractions: score the short answers that the authors' rule reads in such a file, or that a judge left in
            samples of ours; False: read the responses.
        response_column: the column of responses; None: see mmmath_tasks.outputs.columns.
        extraction_column: a column of short answers to score in place of the responses, whoever wrote it.
        options: further arguments of the benchmark's `score`.
        sink: called with every problem, response, verdict and short answer that was used (None: the response was read)
            as they come; memory then holds no response.
        place: what the progress bar says before the file's name, such as "3 of 13".

    Raises:
        InputError: the file cannot be read, or its benchmark is unknown or has no such option.
    """
    files = [
        open_saved(one, name=name, response=response_column, extraction=extraction_column) for one in (path, *more)
    ]
    file = files[0]
    known = benchmark_of(file, name)
    for other in files[1:]:
        benchmark_of(other, known.name)
    for option in (options or {}).keys() - signature(known.metrics.score).parameters:
        raise InputError(f"{known.name} has no option {option}")
    account = Account()
    asked: dict[str, Problem] = {}
    draws: dict[str, list[Verdict]] = {}
    seeds: dict[str, None] = {}
    texts, how, whose = ScoredTexts(file.columns, use_extractions), Asked(), ModelNames()
    for one in files:
        for problem, saved in _shown(join(one, known.name, problems, account, repeats), one, account, place):
            asked.setdefault(problem.id, problem)
            how.add(one, saved)
            whose.add(one.path, saved)
            short = saved.extraction if use_extractions else None
            drawn = list(_verdicts(known, problem, saved, short, options or {}))
            if not drawn:
                continue
            if saved.seed is not None:
                seeds[str(saved.seed)] = None
            texts.add(saved, short, drawn[0])
            if sink is not None and problem.id not in draws:
                sink(problem, saved.responses[0] if saved.responses else "", drawn[0], short)
            draws.setdefault(problem.id, []).extend(drawn)
        whose.add_beside(one.path)
    whose.models |= account.models
    account.several_models = whose.of_samples() if more or repeats else whose.of_rows()
    account.missing[:] = [p.id for p in problems or () if p.id not in asked]
    verdicts = [drawn[0] for drawn in draws.values()]
    everything = tuple(asked.values() if problems is None else problems)
    card = known.summarise(everything, verdicts)
    provenance = {
        **card.provenance,
        "responses": path.name,
        "format": file.format,
        "data_revision": revision or "the file's own columns",
        **({"split": split} if split else {}),
        **({"models": [*whose.models]} if len(whose.models) > 1 else {}),
        **how.provenance(),
        **texts.provenance(),
        "mmmath_tasks": __version__,
        **(options or {}),
    }
    counts = {
        **card.counts,
        "extra": len(account.extra),
        "duplicate": len(account.duplicate),
        **texts.counts(),
    }
    card = dataclasses.replace(
        card,
        scores=tuple(texts.share_truncated(verdicts) if s.metric == "share_truncated" else s for s in card.scores),
        provenance=provenance,
        counts=counts,
        notes=(*card.notes, *texts.notes(), *account.notes()),
    )
    if any(len(drawn) > 1 for drawn in draws.values()):
        card = _with_samples(card, known, asked, draws, [*seeds], [one.path.name for one in files])
    return Run(run_name(path), file, card, everything, tuple(verdicts), account, texts)


def benchmark_of(file: SavedFile, name: str | None) -> Benchmark:
    """Return the benchmark that a file is of: what the user says (`name`), else what the file does.

    Raises:
        InputError: nobody says, there is no such benchmark, or the file is of another one.
    """
    chosen = name or file.benchmark
    if chosen is None:
        raise InputError(f"{file.path}: which benchmark is it? Name it with --benchmark: {', '.join(benchmarks())}")
    try:
        found = benchmark(chosen)
    except InputError as error:
        raise error if name else InputError(f"{file.path}: {error}") from None
    if name and file.benchmark in benchmarks() and name != file.benchmark:
        raise InputError(f"{file.path}: its name or columns are those of {file.benchmark}, not of {name}")
    return found


def _verdicts(
    known: Benchmark, problem: Problem, saved: Saved, short: str | None, options: dict[str, Any]
) -> Iterator[Verdict]:
    """Yield the verdicts of a row's samples; none for a row that holds an error."""
    if short is not None:
        first = saved.responses[0] if saved.responses else ""
        verdict = known.score(problem, first, extraction=short, **options)
        if saved.unread:
            # the authors' rule scores the empty answer; what the model said is in the response, and is read there
            read = next(_verdicts(known, problem, saved, None, options))
            yield dataclasses.replace(
                read, official=verdict.official, prediction=verdict.prediction, reader=verdict.reader
            )
            return
        if first.strip():
            # it is the short answer that is empty
            reason = "unextracted" if verdict.reason == "empty" else verdict.reason
            cut = was_cut(known, verdict, problem, first, **options)
            verdict = dataclasses.replace(verdict, reason=reason, truncated=cut)
        yield verdict
        return
    for response in saved.responses:
        yield known.score(problem, response, **options)


def _with_samples(
    card: Scorecard,
    known: Benchmark,
    asked: Mapping[str, Problem],
    draws: Mapping[str, Sequence[Verdict]],
    seeds: Sequence[str],
    names: Sequence[str],
) -> Scorecard:
    """Return a scorecard with what several responses a problem are worth, and how they were drawn."""
    rules, drawn = known.metrics, [*draws.values()]
    votes = [vote(asked[key], own, rules.expectation, rules.official_equal) for key, own in draws.items()]
    errors = {}
    for metric, rule in sampling.RULES.items():
        rights = [[right for v in own if (right := getattr(v, rule)) is not None] for own in drawn]
        parts = sampling.spread([right for right in rights if right])
        if parts.samples == parts.samples:
            errors[metric] = {"problems": round(parts.problems, 6), "samples": round(parts.samples, 6)}
    account = {
        "responses": sum(map(len, drawn)),
        "seeds": [*seeds] or "not recorded",
        **({"files": [*names]} if len(names) > 1 else {}),
        "standard_error": errors,
    }
    return dataclasses.replace(
        card,
        provenance={**card.provenance, "sampling": account},
        scores=(*card.scores, *sampling.scores(drawn, votes)),
        notes=(*card.notes, sampling.note(drawn, votes)),
    )


def _shown(
    pairs: Iterator[tuple[Problem, Saved]], file: SavedFile, account: Account, place: str
) -> Iterator[tuple[Problem, Saved]]:
    """Yield the pairs behind a progress bar, of as many steps as the file has responses; none where nobody looks."""
    from tqdm import tqdm

    seen = sys.stderr.isatty()
    name = f"{place} {shortened([file.path.name], _BAR_NAME)[0]}".lstrip()
    with tqdm(
        total=file.responses() if seen else None, desc=name, unit="response", leave=False, disable=not seen
    ) as bar:
        for pair in pairs:
            yield pair
            bar.update(account.responses - bar.n)
        bar.update(account.responses - bar.n)
