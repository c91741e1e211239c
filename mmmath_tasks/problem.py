"""The records that every part of the package exchanges: frozen, standard library only, JSON round trip.

All scores are fractions between 0 and 1 unless a metric says otherwise; an empty denominator is `nan`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import reprlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from mmmath_tasks import json_text

QuestionType = Literal["multi_choice", "free_form"]
AnswerType = Literal["text", "integer", "float", "list", "expression"]


class Record:
    """JSON in and out for a frozen dataclass."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, strings, numbers, booleans and None; nan becomes None."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def to_json(self) -> str:
        """Return one line of JSON (RFC 8259: no NaN), keys in the order of the fields."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the record that `to_dict` described.

        Raises:
            TypeError: a field is missing, unknown, or of another type; the message names it.
        """
        if not isinstance(data, Mapping):
            raise TypeError(f"expected an object, got {type(data).__name__}")
        hints = _hints(cls)  # type: ignore[arg-type]
        for name, value in data.items():
            if name not in hints:
                raise TypeError(f"unknown field {name!r}")
            if not _fits(value, hints[name]):
                raise TypeError(f"{name} should be {cls.__annotations__[name]}, is {reprlib.repr(value)}")
        try:
            return cls(**data)
        except TypeError as error:
            raise TypeError(str(error).removeprefix(f"{cls.__name__}.__init__() ")) from None

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild the record that `to_json` described.

        Raises:
            json.JSONDecodeError: the text is no JSON (`json_text.loads`).
            TypeError: as `from_dict`.
        """
        return cls.from_dict(json_text.loads(text))


@cache
def _hints(cls: type[Record]) -> dict[str, Any]:
    return get_type_hints(cls)


def _fits(value: Any, hint: Any) -> bool:
    """Say whether a value out of JSON is what a field's annotation means: null is a nan, a list is a tuple."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Literal:
        return value in inner
    if origin is UnionType:
        return any(_fits(value, one) for one in inner)
    if origin in (tuple, list):
        return isinstance(value, list | tuple) and all(_fits(one, inner[0]) for one in value)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
    if issubclass(hint, Record):
        return isinstance(value, hint | Mapping)
    if hint is float and value is None:
        return True
    if hint in (int, float):
        return isinstance(value, int | hint) and not isinstance(value, bool) and not abs(value) > sys.float_info.max
    return isinstance(value, hint)


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """One question of a benchmark, without its picture.

    Attributes:
        benchmark: the benchmark's name, "mathvista" say.
        id: unique within the split; the key by which responses are joined.
        question: the question's text; may be "" where it is drawn into the picture (MathVerse Vision Only).
        choices: the texts of the options in order of their letters A, B, ...; () for free-form questions.
        answer: the gold as upstream stores it, never patched; None where the authors did not release it.
        question_type: whether an option is asked for.
        answer_type: what kind of text the gold is.
        precision: decimals of a float answer (MathVista); None elsewhere.
        unit: the unit the question asks for; None where none is named.
        groups: for each breakdown of the paper ("task", "skill", "level", ...) the slices this problem is in.
        extra: what one benchmark needs beside this (its `query`, `question_for_eval`, `key`, ...), JSON values only.

    >>> Problem("mathvision", "1", "How many?", answer="12").question_type
    'free_form'
    """

    benchmark: str
    id: str
    question: str
    choices: tuple[str, ...] = ()
    answer: str | None = None
    question_type: QuestionType = "free_form"
    answer_type: AnswerType = "text"
    precision: int | None = None
    unit: str | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Accept the lists that JSON gives where tuples are meant, but no text, which would be a tuple of letters."""
        for name, value in {"choices": self.choices, **self.groups}.items():
            if isinstance(value, str):
                raise TypeError(f"{name} should be a tuple of texts, is {value!r}")
        object.__setattr__(self, "choices", tuple(self.choices))
        object.__setattr__(self, "groups", {k: tuple(v) for k, v in self.groups.items()})


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """What one response is worth, and why.

    Attributes:
        id: the problem's id.
        official: the authors' rule to the letter; None: not scored (no gold, a judge failed, a judge is needed).
        verified: what a careful reader says; None: not scored.
        extracted: the answer as read from the response; None: nothing could be read.
        prediction: `extracted` after the official normalisation, which is what is compared; None: unparseable.
        rule: the name of the reading rule that found `extracted` ("boxed", "final_answer", ...), "extraction" where
            it was handed in, "judge:<model>" where a judge read it, "" where nothing was found.
        confidence: how sure the reading is, 0 to 1.
        reason: one or two words of cause: "" for a plain verdict, else "empty", "refusal", "truncated",
            "unextracted", "no_gold", "judge_failed: ...", "judge_needed", ...
        scores: further numbers for this response (cot_e, execution, ...), each on the scale its benchmark documents.
        truncated: the response was cut before its end: the harness, the server or the file says so, it ends in the
            middle of its thinking, or it breaks off before any answer. It may be right nevertheless.
        reader: who read the answer that the official verdict is about, where the authors have a language model read it:
            one of metrics.readers, or "judge:<model>"; "" where their rule reads the response itself, or it is not
            known.
        span: where in the response stands the passage from which `extracted` was read, from the first character to
            behind the last; None where it is not known, as where a judge or another reader handed the answer in.
        features: the names of what decided how sure the reading is ("announced", "hedged", ...).

    >>> Verdict.from_json(Verdict("1", official=True, verified=None).to_json()).verified is None
    True
    """

    id: str
    official: bool | None
    verified: bool | None
    extracted: str | None = None
    prediction: str | None = None
    rule: str = ""
    confidence: float = 0.0
    reason: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    reader: str = ""
    span: tuple[int, int] | None = None
    features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Read the None that JSON has for nan, and the lists that it has for tuples."""
        object.__setattr__(self, "features", tuple(self.features))
        if self.span is not None:
            object.__setattr__(self, "span", tuple(self.span))
        if self.confidence is None:
            object.__setattr__(self, "confidence", math.nan)
        if None in self.scores.values():
            scores = {name: math.nan if value is None else value for name, value in self.scores.items()}
            object.__setattr__(self, "scores", scores)


@dataclass(frozen=True, slots=True)
class Score(Record):
    """One number of a scorecard.

    Attributes:
        metric: "acc", "acc_verified", "score_strict", ...
        group: the breakdown ("task", "level", "subject x level", ...); "" for the whole set.
        slice: the part of that breakdown ("GPS", "3", ...); "" for the whole set.
        value: 0 to 1 unless the metric says otherwise; nan where nothing was counted.
        count: how many problems the value rests on.
        low: lower end of the 95 % interval; nan where there is none.
        high: upper end of the 95 % interval; nan where there is none.

    >>> Score("acc", "level", "3", 0.25, 16).high
    nan
    """

    metric: str
    group: str
    slice: str
    value: float
    count: int
    low: float = math.nan
    high: float = math.nan

    def __post_init__(self) -> None:
        """Read the None that JSON has for nan."""
        for name in ("value", "low", "high"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, math.nan)


@dataclass(frozen=True, slots=True)
class Scorecard(Record):
    """All that one run on one benchmark is worth.

    Attributes:
        benchmark: the benchmark's name.
        headline: the metric that names the run (a metric of `scores` with group "" and slice "").
        scores: the headline first, then every other metric and sub-score.
        counts: how many problems were "total", "scored", "empty", "refusal", "truncated" (cut, whatever the verdict),
            "unextracted" (no answer was read), "unmatched" (one was read that is no option or no number), "unscored",
            "missing" and whatever else the benchmark counts.
        provenance: what the numbers depend on: task, data_revision, prompt_hash, rule_version, judge, version of this
            package, generation settings, limit; keys that are not known are absent. "answers_read_by", where the
            authors have a language model read the answers: how many of the headline's answers were read by whom.
        notes: sentences that a reader of the numbers must know.

    >>> card = Scorecard("mathvision", "acc", (Score("acc", "", "", 0.5, 2), Score("acc", "level", "3", 1.0, 1)))
    >>> card.value("acc", "level", "3"), card.get("acc", "level", "4")
    (1.0, None)
    """

    benchmark: str
    headline: str
    scores: tuple[Score, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Accept the dicts and lists that JSON gives where records and tuples are meant."""
        scores = tuple(s if isinstance(s, Score) else Score.from_dict(s) for s in self.scores)
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "notes", tuple(self.notes))

    def get(self, metric: str, group: str = "", slice: str = "") -> Score | None:
        """Return one score, None where the card has no such number."""
        return next((s for s in self.scores if (s.metric, s.group, s.slice) == (metric, group, slice)), None)

    def value(self, metric: str, group: str = "", slice: str = "") -> float:
        """Return one score's value, nan where the card has no such number."""
        found = self.get(metric, group, slice)
        return math.nan if found is None else found.value
