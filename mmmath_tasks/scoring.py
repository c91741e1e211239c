"""Problems and responses in, verdicts and a scorecard out: the face that harnesses, rescore and report call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeVar

from mmmath_tasks import contract
from mmmath_tasks.errors import InputError
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.metrics.tally import proportion
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.truncation import marked

Kind = TypeVar("Kind", Problem, Verdict, Scorecard)


@dataclass(frozen=True, slots=True)
class Benchmark:
    r"""One benchmark: its rows, its prompts, its scoring. Get one from `benchmark(name)`.

    >>> b = benchmark("wemath")
    >>> p = Problem("wemath", "7", "Which one?", ("2", "4"), "B", "multi_choice", extra={"options": ["A", "B"]})
    >>> v = b.score(p, "<Thought process>: it doubles\n<Answer>: <<B. 4>>")
    >>> v.official, v.verified, v.extracted
    (True, True, 'B')
    """

    name: str

    @property
    def metrics(self) -> contract.Metrics:
        """What the module mmmath_tasks.metrics.<name> gives: score, summarise, RULE_VERSION, ..."""
        return contract.metrics(self.name)

    @property
    def rows(self) -> contract.Rows:
        """What the module mmmath_tasks.hub_datasets.<name> gives: problem, prompt, read, features, ..."""
        return contract.rows(self.name)

    def problem(self, row: Mapping[str, Any]) -> Problem:
        """Turn a row in upstream's own columns (picture optional) into a Problem.

        Where the row is a document of a harness, asked in a prompt style that is not the authors' (`Rows.SETTINGS`),
        its `extra` names that as "setting": verdicts and scorecard then have what VLMEvalKit's own rules say, too.

        Raises:
            InputError: a column is missing or of the wrong type; the message names it.
        """
        try:
            found = Problem.from_dict(_of_kind(self.rows.problem(row), Problem, self.name, "hub_datasets").to_dict())
            origin = row.get("provenance")
            style = origin.get("prompt_style") if isinstance(origin, Mapping) else None
            setting = self.rows.SETTINGS.get(style) if isinstance(style, str) else None
            return replace(found, extra={**found.extra, "setting": setting}) if setting else found
        except InputError:
            raise
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:  # a row may hold anything
            raise InputError(f"not a row of {self.name}: {error}") from None

    def prompt(self, problem: Problem, style: str = "default") -> str:
        """Return the text a model is asked, in one of the styles that the benchmark's module documents."""
        return self.rows.prompt(problem, style)

    def score(self, problem: Problem, response: str | None, **options: Any) -> Verdict:
        """Score one response by the authors' rule and by the verified one.

        Args:
            problem: from `problem`.
            response: the model's text; None (and nan, which tables hold for it) counts as empty.
            **options: `extraction=` an answer read elsewhere (a judge, a published file) that replaces our reading;
                what else a benchmark takes stands in its module (MathVista: `integer_rule="int_float" | "int"`).

        Returns:
            the verdict; never raises on any text.

        >>> p = Problem("mathvision", "1", "How many?", answer="12", extra={"level": "1"})
        >>> v = benchmark("mathvision").score(p, "I cannot determine it from the image.")
        >>> v.verified, v.extracted, v.reason
        (False, None, 'refusal')

        Raises:
            InputError: the response is no text.
        """
        if isinstance(response, float) and response != response:
            response = None
        if response is not None and not isinstance(response, str):
            raise InputError(f"a response should be text or None, is {response!r:.80} ({type(response).__name__})")
        verdict = _of_kind(self.metrics.score(problem, response, **options), Verdict, self.name, "metrics")
        if options.get("extraction") is not None and not verdict.rule:  # an empty one, too, is what was read
            verdict = replace(verdict, rule="extraction")
        rule = self.metrics.vlmeval_rule
        if rule and "setting" in problem.extra and problem.answer is not None and options.get("extraction") is None:
            verdict = replace(verdict, scores={**verdict.scores, **vlmeval.scores(rule(problem, response or ""))})
        return marked(verdict, response)

    def summarise(self, problems: Iterable[Problem], verdicts: Iterable[Verdict]) -> Scorecard:
        """Sum verdicts up; problems without a verdict are counted as missing, never as wrong.

        To what the benchmark's module counts comes `share_truncated`: of the responses, those that were cut.

        >>> b = benchmark("mathvision")
        >>> problems = [Problem("mathvision", str(i), "How many?", answer="12") for i in range(4)]
        >>> card = b.summarise(problems, [b.score(p, r) for p, r in zip(problems, ["12", "It is 12.", "13"])])
        >>> card.headline, round(card.value("acc"), 3), card.counts["scored"], card.counts["missing"]
        ('acc', 0.667, 3, 1)
        """
        known, asked = list(verdicts), list(problems)
        card = _of_kind(self.metrics.summarise(asked, known), Scorecard, self.name, "metrics")
        if card.get(card.headline) is None:
            have = ", ".join(dict.fromkeys(score.metric for score in card.scores))
            raise InputError(f"metrics/{self.name}.py: the headline {card.headline!r} is none of the scores: {have}")
        settings = list(dict.fromkeys(p.extra.get("setting", "the authors' prompt") for p in asked))
        if any("setting" in p.extra for p in asked):
            found, bounds = vlmeval.summary(known)
            said = f"Asked by {', '.join(settings)}, not as the authors ask: not comparable with runs of their prompts."
            card = replace(
                card,
                scores=(*card.scores, *found),
                provenance={**card.provenance, "setting": settings[0] if len(settings) == 1 else settings},
                notes=(said, *filter(None, [bounds]), *card.notes),
            )
        cut = proportion("share_truncated", [v.truncated or v.reason == "truncated" for v in known])
        return replace(card, scores=(*card.scores, cut))

    def score_many(
        self, pairs: Iterable[tuple[Problem, str | None]], *, workers: int = 1, **options: Any
    ) -> list[Verdict]:
        """Score pairs in order, in `workers` processes; the verdicts equal those of one-by-one scoring."""
        todo = list(pairs)
        if workers <= 1 or len(todo) < 2:
            return [self.score(problem, response, **options) for problem, response in todo]
        from concurrent.futures import ProcessPoolExecutor

        size = max(1, min(256, len(todo) // (4 * workers)))
        chunks = [todo[i : i + size] for i in range(0, len(todo), size)]
        with ProcessPoolExecutor(workers) as pool:
            done = pool.map(_score_chunk, [self.name] * len(chunks), chunks, [options] * len(chunks))
            return [verdict for chunk in done for verdict in chunk]


def _of_kind(found: Kind, kind: type[Kind], name: str, folder: str) -> Kind:
    """Return what a benchmark's module made; raises InputError where it is another kind of thing, or another's."""
    where = f"{folder}/{name}.py"
    if not isinstance(found, kind):
        raise InputError(f"{where}: expected a {kind.__name__}, got {type(found).__name__}")
    own = getattr(found, "benchmark", name)
    if own != name:
        raise InputError(f"{where}: a {kind.__name__} of the benchmark {own!r}")
    return found


def _score_chunk(name: str, pairs: Sequence[tuple[Problem, str | None]], options: Mapping[str, Any]) -> list[Verdict]:
    return Benchmark(name).score_many(pairs, **options)


@cache
def benchmarks() -> tuple[str, ...]:
    """Return the names of the benchmarks: those with a module in both metrics/ and hub_datasets/.

    >>> benchmarks()
    ('mathopeval', 'mathverse', 'mathvision', 'mathvista', 'wemath')
    """
    return tuple(sorted(_modules("metrics") & _modules("hub_datasets")))


@cache
def _modules(folder: str) -> set[str]:
    return {m.name for m in iter_modules([str(Path(p)) for p in import_module(f"mmmath_tasks.{folder}").__path__])}


def benchmark(name: str) -> Benchmark:
    """Return the benchmark of that name.

    Raises:
        InputError: there is none; the message names the known ones.

    >>> benchmark("mathvista").rows.LICENCE
    'CC-BY-SA-4.0'
    """
    if name not in benchmarks():
        lack = [folder for folder in ("metrics", "hub_datasets") if name not in _modules(folder)]
        near = f"; it lacks {lack[0]}/{name}.py" if len(lack) == 1 else did_you_mean(name, benchmarks())
        raise InputError(f"unknown benchmark {name!r}; known: {', '.join(benchmarks())}{near}")
    return Benchmark(name)


def was_cut(known: Benchmark, verdict: Verdict, problem: Problem, response: str, **options: Any) -> bool:
    """Return whether a response was cut, as its verdict says, or as shows where the response itself is read.

    A verdict on a short answer, or a judge's, need not rest on that. `options` are those of `Benchmark.score`.
    """
    return verdict.truncated or known.score(problem, response, **options).truncated
