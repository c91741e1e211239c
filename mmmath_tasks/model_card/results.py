"""A scorecard as huggingface_hub's own records. Values are percent (a judge's ratings: points of ten), two decimals."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mmmath_tasks import papers
from mmmath_tasks.errors import InputError, check_all
from mmmath_tasks.model_card.tasks import split_of, task_ids
from mmmath_tasks.name_text import did_you_mean
from mmmath_tasks.number_text import is_correlation, is_rating
from mmmath_tasks.outputs.columns import ASKED, AUTHORS
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.names import is_verified, rule_of, verified_of, words
from mmmath_tasks.score_labels import audits_of, conditions, how_read, label, official_reader, read_by
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from huggingface_hub import EvalResult, EvalResultEntry

# "AI4Math/MathVista@2b6ad69445fbb5695c9b165475e8decdbeb97747"
_COMMIT = re.compile(r"(?P<id>[^@\s]+/[^@\s]+)@(?P<sha>[0-9a-f]{40})")

_LONGEST_PROMPT = 200


@dataclass(frozen=True, slots=True)
class Subject:
    """What a result is about, beside its numbers.

    Attributes:
        dataset: the data set's id on the Hub.
        revision: its commit; None where the data did not come from there.
        task: our task's name, an id in the data set's eval.yaml.
        split: the split; None where it is not known.
        prompt: how the model was asked: one of the benchmark's prompt styles, or other words for it.
        stated: which of "task" and "prompt" the run does not record, so that the user vouches for them.
        date: ISO date or time of the run; None: the Hub takes the commit's.
        source_url: where the evaluation can be looked at; None: nowhere.
        source_name: what to call that place.
    """

    dataset: str
    revision: str | None
    task: str
    split: str | None
    prompt: str
    stated: tuple[str, ...] = ()
    date: str | None = None
    source_url: str | None = None
    source_name: str | None = None


def subject(
    card: Scorecard,
    *,
    task: str | None = None,
    prompt: str | None = None,
    dataset: str | None = None,
    date: str | None = None,
    source_url: str | None = None,
    source_name: str | None = None,
) -> Subject:
    """Return what a scorecard is about.

    Args:
        card: the scorecard.
        task: our task's name, where its provenance has none of ours.
        prompt: how the model was asked, where its provenance does not say.
        dataset: ORG/NAME of the data set; None: the one the data came from, else upstream's.
        date: ISO date or time.
        source_url: see `Subject`.
        source_name: see `Subject`.

    Raises:
        InputError: no task, prompt or data set is known, the task is none of the benchmark's, what is stated
            contradicts what the run records, or the headline is not a number.
    """
    _headline(card)  # raises where there is nothing to publish
    origin = card.provenance
    found = _COMMIT.fullmatch(str(origin.get("data_revision", "")))
    own = found["id"] if found else benchmark(card.benchmark).rows.HUB_ID
    (chosen, split), style, asked = check_all(
        partial(_known_task, card, task),
        partial(_known_prompt, card, prompt),
        partial(_known_dataset, card, dataset, own),
    )
    said = {"task": origin.get("task") == chosen, "prompt": bool(origin.get("prompt_style"))}
    revision = found["sha"] if found and dataset in (None, own) else None
    stated = tuple(name for name, recorded in said.items() if not recorded)
    return Subject(asked, revision, chosen, split, style, stated, date, source_url, source_name)


def _known_dataset(card: Scorecard, stated: str | None, own: str) -> str:
    """Return the data set that the user states, else the one that the data came from, else upstream's."""
    if not (stated or own):
        raise InputError(f"it is not known where the data set of {card.benchmark} stands; name it with --dataset")
    return stated or own


def _known_task(card: Scorecard, stated: str | None) -> tuple[str, str | None]:
    """Return the task that the run records, else the one that the user states; and its split."""
    recorded, known = card.provenance.get("task"), task_ids(card.benchmark)
    if not (stated or recorded):
        raise InputError(f"the scorecard names no task; name it with --task, one of {', '.join(known)}")
    if (stated or recorded) not in known:
        near = did_you_mean(str(stated or recorded), known)
        raise InputError(
            f"{stated or recorded!r} is no task of {card.benchmark}: eval.yaml has {', '.join(known)}{near}"
        )
    if recorded in known and stated not in (None, recorded):
        raise InputError(f"--task {stated}, but the run records the task {recorded}")
    chosen = str(recorded if recorded in known else stated)
    split, own = split_of(card.benchmark, chosen), card.provenance.get("split")
    if split and own not in (None, split):
        raise InputError(f"{chosen} asks the split {split}, but the run is about {own}")
    return chosen, split


def _known_prompt(card: Scorecard, stated: str | None) -> str:
    """Return the prompt style that the run records, else the one that the user states."""
    recorded = card.provenance.get("prompt_style")
    if recorded:
        if stated and stated != _listed(recorded):
            raise InputError(f"--prompt {stated}, but the run records the prompt {_listed(recorded)}")
        return _listed(recorded)
    styles = ", ".join(benchmark(card.benchmark).rows.PROMPT_STYLES)
    if not stated:
        raise InputError(
            "the scorecard does not say how the model was asked (how many examples? with the picture?); name it with "
            f"--prompt: {styles}, or another in a few words"
        )
    if "\n" in stated or len(stated) > _LONGEST_PROMPT:
        raise InputError(f"--prompt should be a name or a few words (up to {_LONGEST_PROMPT} characters)")
    return stated


def entry(card: Scorecard, about: Subject) -> EvalResultEntry:
    """Return the entry of .eval_results/*.yaml: the headline.

    Raises:
        InputError: the headline is not a number.
    """
    from huggingface_hub import EvalResultEntry

    return EvalResultEntry(
        dataset_id=about.dataset,
        task_id=about.task,
        value=_number(_headline(card)),
        dataset_revision=about.revision,
        date=about.date,
        source_url=about.source_url,
        source_name=about.source_name,
        notes=notes(card, about),
    )


def index(card: Scorecard, about: Subject) -> list[EvalResult]:
    """Return the results of model-index: every score over the whole set, the headline first.

    Raises:
        InputError: the headline is not a number.
    """
    from huggingface_hub import EvalResult

    scores = [_headline(card), *(s for s in card.scores if not s.group and s.metric != card.headline)]
    text_only = about.task.endswith(("_text", "_text_only"))
    return [
        EvalResult(
            task_type="text-generation" if text_only else "image-text-to-text",
            task_name=about.task,
            dataset_type=about.dataset,
            dataset_name=f"{papers.title(card.benchmark)} ({about.split or about.task})",
            dataset_split=about.split,
            dataset_revision=about.revision,
            dataset_args={"task": about.task, **_settings(card, about)},
            metric_type=score.metric,
            metric_name=_metric_name(card, score.metric),
            metric_value=_number(score),
            source_url=about.source_url,
            source_name=about.source_name,
        )
        for score in scores
        if not math.isnan(score.value) and not is_correlation(score.metric)
    ]


def _headline(card: Scorecard) -> Score:
    score = card.get(card.headline)
    if score is None or math.isnan(score.value):
        raise InputError(f"the scorecard's headline {card.headline!r} is not a number: there is nothing to publish")
    return score


def _number(score: Score) -> float:
    return round(score.value if is_rating(score.metric) else 100 * score.value, 2)


def _metric_name(card: Scorecard, metric: str) -> str:
    """Return a metric in words with its rule, where there are two, who read the answers, if not theirs, its scale."""
    rule = rule_of(metric) if is_verified(metric) or verified_of(card, metric) else ""
    scale = "points of ten" if is_rating(metric) else "percent"
    return ", ".join(filter(None, [words(metric), rule, conditions(card, metric), scale]))


def _settings(card: Scorecard, about: Subject) -> dict[str, Any]:
    """Return what makes two numbers comparable, where it is known."""
    names = ("task_version", "rule_version", "prompt_style", "prompt_hash", "setting", "integer_rule")
    found: dict[str, Any] = {name: card.provenance[name] for name in names if card.provenance.get(name) is not None}
    judge = _judge(card)
    if "prompt" in about.stated:
        found["prompt_style"] = about.prompt
    if about.stated:
        found["stated_by_publisher"] = list(about.stated)
    return {**found, **({"judge": judge} if judge else {})}


def _judge(card: Scorecard) -> str | None:
    judge = card.provenance.get("judge")
    if isinstance(judge, Mapping):
        return str(judge.get("model") or judge.get("id") or "unnamed")
    return str(judge) if judge else None


def notes(card: Scorecard, about: Subject) -> str:
    """Return how the headline came about, in one line: scale, rule, interval, prompt, data, task, settings, counts."""
    return "; ".join(_notes(card, about))


def _notes(card: Scorecard, about: Subject) -> Iterator[str]:
    origin, counts = card.provenance, card.counts
    score = _headline(card)
    rule = rule_of(card.headline)
    yield "points of ten" if is_rating(card.headline) else "percent"
    yield f"{label([card], card.headline)}, {rule}, version {origin.get('rule_version') or 'unknown'}"
    if how_read(card) and (readers := read_by(card)):
        yield f"answers read by: {readers} (the authors: {official_reader(card.benchmark)})"
    if not math.isnan(score.low):
        unit = 1 if is_rating(card.headline) else 100
        yield f"95 % interval {unit * score.low:.1f} to {unit * score.high:.1f}"
    name = verified_of(card, card.headline)
    other = card.get(name) if name else None
    if other is not None and not math.isnan(other.value):
        yield f"verified rule {100 * other.value:.2f}"
    for rule, account in audits_of(card).items():
        ending = "" if rule == "official" else f"_{rule}"
        found = card.get(f"acc{ending}_audited")
        if found is not None and not math.isnan(found.value):
            labels = account.get("labels", "some")
            ends = f"95 % interval {100 * found.low:.1f} to {100 * found.high:.1f}"
            yield f"audited by {labels} labels: acc{ending} {100 * found.value:.1f}, sampling and reading error {ends}"
    if origin.get("extraction_origin") in (AUTHORS, ASKED):
        count, column = origin.get("extractions"), origin.get("extraction_column")
        yield f"scored are the short answers in column {column!r} ({count}), whoever read them out of the responses"
    if judge := _judge(card):
        yield f"judge {judge}"
    if about.stated:
        stated = " and ".join(f"{name} {getattr(about, name)}" for name in about.stated)
        yield f"{stated} as stated by the publisher of this result, not recorded with the responses"
    if "prompt" not in about.stated:
        yield f"prompt {about.prompt} ({_listed(origin.get('prompt_hash') or 'no hash')})"
    if origin.get("setting"):
        yield f"asked by {_listed(origin['setting'])}, not as the authors ask, and not comparable with that"
    yield f"data {_listed(origin.get('data_revision') or 'unknown')}"
    if origin.get("task_version") is not None:
        yield f"task version {origin['task_version']}"
    generation = origin.get("generation")
    if isinstance(generation, Mapping):
        yield "generation " + ", ".join(f"{name} {value}" for name, value in generation.items())
    causes = ("empty", "extraction_empty", "refusal", "truncated", "unextracted", "unmatched", "unscored", "missing")
    said = [f"{counts[name]} {name.replace('_', ' ')}" for name in causes if counts.get(name)]
    rows = {"extra": "rows of no problem left out", "duplicate": "rows that repeat an id left out"}
    said += [f"{counts[name]} {which}" for name, which in rows.items() if counts.get(name)]
    yield f"{counts.get('total', 0)} problems" + (f" ({', '.join(said)})" if said else "")
    made = [origin.get("harness"), f"mmmath-tasks {origin.get('package_version') or origin.get('mmmath_tasks') or ''}"]
    yield ", ".join(str(part).strip() for part in made if part)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
