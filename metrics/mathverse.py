"""MathVerse: the judge's verdict where there is one, the rules' beside it; by version, subject and subfield.

Paper: arXiv 2403.14624, sections 2.2 and 3.1, Table 2. Upstream: github.com/ZrrSkywalker/MathVerse,
evaluation/score_answer_s2.py at commit 937b090.

`official` is what a language model says that has read the answer out of the response and compared it with the gold; no
rule can stand in for it, so without a judge it is None ("judge_needed") and the score is `acc_verified`, by rules. Its
score is `acc` where the judge was asked in the authors' own words, else `acc_judged` (mmmath_tasks.judge.mathverse).

The headline is the mean over the five versions with a picture of the accuracy on each; Text Only is an ablation beside
it and has no part in it (Table 2).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from mmmath_tasks.metrics.answers import Expectation, Kind, Reading, equal, read
from mmmath_tasks.metrics.readers import GIVEN, JUDGE, KEY, NOBODY, RULES, readers
from mmmath_tasks.metrics.tally import counts, interval, joined, proportion, proportions, shares
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict

RULE_VERSION = "4"

PROFILES = ("version",)

OFFICIAL_READER = "a language model"
"""Whom the authors have read an answer and compare it with the gold (upstream: evaluation/, both of its steps)."""

VERSIONS = ("Text Dominant", "Text Lite", "Text Only", "Vision Intensive", "Vision Dominant", "Vision Only")
"""In the order of Table 2."""

TEXT_ONLY = "Text Only"
"""The version without a picture."""

OWN_JUDGE = "acc_judged"
"""What the official verdict is called where a judge was not asked by the authors' prompts; a verdict of that kind
repeats itself under this name in its scores."""

TABLE_HEADLINES = (
    *("acc", "acc_judged", "acc_verified"),
    *("acc_text_only", "acc_text_only_judged", "acc_text_only_verified"),
)
"""What a table of many benchmarks shows."""

EXPLAINED = dict.fromkeys(
    (OWN_JUDGE, "acc_text_only_judged"),
    "by a judge, but not (or not everywhere) asked in the authors' words, and more is forgiven: not their acc, which "
    "needs their file of prompts (--prompts)",
)

_LETTER = re.compile(r"\(?([A-H])\)?")
# "(A), (B) and C"
_LETTER_LIST = re.compile(r"\(?\b[A-H]\b\)?(?:\s*(?:,|;|&|/|and|\n)+\s*\(?\b[A-H]\b\)?)+")
_LAST = 2_000  # characters of a response's end in which several letters are looked for
# "60º"
_DEGREE = re.compile(r"掳|(?<=\d)\s*º")


def gold_letters(problem: Problem) -> tuple[str, ...]:
    """Return the letters of the right options: one, or two where the gold has two lines; () for a free-form question.

    A gold that is an option's text (problem_index 339, 340, 429, 430) stands for that option's letter.
    """
    gold = (problem.answer or "").strip()
    if problem.question_type != "multi_choice" or not gold:
        return ()
    lines = [_LETTER.fullmatch(line.strip()) for line in gold.splitlines()]
    letters = tuple(match[1] for match in lines if match)
    if len(letters) == len(lines):
        return letters
    return tuple(chr(ord("A") + i) for i, text in enumerate(problem.choices) if _plain(text) == _plain(gold))[:1]


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def readable_gold(gold: str) -> str:
    """Return a free-form gold as its author meant it: "掳" and "º" stand for a degree sign."""
    return _DEGREE.sub("°", gold).strip()


def expectation(problem: Problem) -> Expectation:
    """Return what kind of answer the reader should look for."""
    kind: Kind = "choice" if problem.choices else "expression"
    question = problem.extra.get("question_for_eval") or problem.question
    return Expectation(kind, problem.choices, question=question)


def score(
    problem: Problem, response: str | None, *, extraction: str | None = None, judged: bool | None = None
) -> Verdict:
    """Score one response.

    Args:
        problem: a MathVerse problem, of any version.
        response: the model's text; None counts as "".
        extraction: a short answer read elsewhere (a judge); replaces the response for the rules.
        judged: what a judge says, the official verdict; None: no judge.

    Returns:
        the verdict. official and verified are None without a gold.
    """
    text = (response or "") if extraction is None else extraction
    wanted = expectation(problem)
    letters = gold_letters(problem)
    reading = (_several(text) if len(letters) > 1 else None) or read(text, wanted)
    if extraction is not None and reading.text is not None:
        kept = reading.text if wanted.kind == "choice" else extraction
        reading = Reading(kept, reading.choice, "extraction", 1.0, reading.reason)
    if problem.answer is None:
        official = verified = None
        reason = "no_gold"
    else:
        official = judged
        verified = _agrees(reading, problem, wanted) or _plain(text.strip("*.")) == _plain(problem.answer.strip("."))
        reason = reading.reason or ("judge_needed" if judged is None else "")
    return Verdict(
        id=problem.id,
        official=official,
        verified=verified,
        extracted=reading.text,
        prediction=reading.text,
        rule=reading.rule,
        confidence=reading.confidence,
        span=reading.span,
        features=reading.features,
        reason=reason,
        reader=_reader(response, extraction, judged),
    )


def _reader(response: str | None, extraction: str | None, judged: bool | None) -> str:
    if judged is None:
        return RULES if extraction is None else GIVEN
    return JUDGE if (response or "").strip() else NOBODY


def _agrees(reading: Reading, problem: Problem, wanted: Expectation) -> bool:
    """Say whether a careful reader would call the answer right."""
    letters = gold_letters(problem)
    if reading.text is None:
        return False
    if len(letters) > 1:
        return reading.text.split(", ") == sorted(letters)
    if wanted.kind == "choice" and letters:
        return reading.choice is not None and chr(ord("A") + reading.choice) == letters[0]
    return equal(reading.text, readable_gold(problem.answer or ""), wanted)


def _several(text: str) -> Reading | None:
    """Return the letters of the last list in a text ("C and D", "C, D"), sorted, as "C, D"; None for none."""
    lists = _LETTER_LIST.findall(text[-_LAST:])
    if not lists:
        return None
    return Reading(", ".join(sorted(set(re.findall(r"\b[A-H]\b", lists[-1])))), None, "letters", 0.8)


def table_scores(problem: Problem, verdict: Verdict) -> dict[str, bool | None]:
    """Return verdicts under other names: Text Only's, so that no mean over versions counts them, and `OWN_JUDGE`."""
    judged = "_judged" if OWN_JUDGE in verdict.scores else ""
    if TEXT_ONLY not in problem.groups["version"]:
        return {"acc": None, OWN_JUDGE: verdict.official} if judged else {}
    own = {f"acc_text_only{judged}": verdict.official, "acc_text_only_verified": verdict.verified}
    return {"acc": None, "acc_verified": None, **own}


def chance(problem: Problem) -> float:
    """Return the chance of a random option; 0 for free-form questions, which the baseline leaves empty (Table 2)."""
    return 1 / len(problem.choices) if problem.choices and len(gold_letters(problem)) == 1 else 0.0


def _macro(metric: str, pairs: Sequence[tuple[Problem, bool | None]]) -> Score:
    """Return the mean over versions of the share of True, with an interval that knows versions share their problems.

    The interval is `tally.interval` over as many problems as the smallest version has. Its variance sums, over
    problems, the square of what one problem adds to the mean in all its versions together; of one problem nothing is
    known of that, and it is Wilson's.
    """
    by_version: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for problem, outcome in pairs:
        if outcome is not None:
            by_version[problem.groups["version"][0]].append((problem.extra["problem_index"], outcome))
    count = sum(map(len, by_version.values()))
    if not count:
        return Score(metric, "", "", math.nan, 0)
    means = {name: sum(o for _, o in rows) / len(rows) for name, rows in by_version.items()}
    pull: dict[str, float] = defaultdict(float)
    for name, rows in by_version.items():
        for index, outcome in rows:
            pull[index] += (outcome - means[name]) / len(rows) / len(by_version)
    value = math.fsum(means.values()) / len(means)
    fewest = min(map(len, by_version.values()))
    variance = value * (1 - value) if fewest == 1 else fewest * math.fsum(x * x for x in pull.values())
    return Score(metric, "", "", value, count, *interval(value, variance, fewest))


def summarise(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
    """Sum verdicts up: Table 2 of the paper.

    Returns:
        a scorecard with `acc` (judged; `acc_judged` if any verdict is of that kind) and `acc_verified` (by rules),
        overall, by version, subject and subfield, where overall, subjects and subfields leave Text Only out;
        `acc_text_only` and `acc_text_only_verified` beside them. The headline is acc or acc_judged where a judge has
        spoken, else acc_verified; of a run on Text Only alone the corresponding text-only number.
    """
    pairs = joined(problems, verdicts)
    overall: list[Score] = []
    slices: list[Score] = []
    own = any(OWN_JUDGE in v.scores for _, v in pairs)
    for metric, name in ((OWN_JUDGE if own else "acc", "official"), ("acc_verified", "verified")):
        outcomes = [(p, getattr(v, name)) for p, v in pairs]
        seen = [(p, o) for p, o in outcomes if TEXT_ONLY not in p.groups["version"]]
        unseen = [o for p, o in outcomes if TEXT_ONLY in p.groups["version"] and o is not None]
        overall += [_macro(metric, seen), proportion(f"acc_text_only{metric[len('acc') :]}", unseen)]
        versions = proportions(metric, outcomes, ["version"], {"version": VERSIONS})[1:]
        slices += versions + proportions(metric, seen, ["subject", "subfield"])[1:]
    judged = any(v.official is not None for _, v in pairs)
    read_by = readers((v for _, v in pairs), "official" if judged else "verified")
    only_text = bool(pairs) and all(TEXT_ONLY in p.groups["version"] for p, _ in pairs)
    headline = ("acc_text_only" if only_text else "acc") + ("_judged" if own else "" if judged else "_verified")
    present = [name for name in VERSIONS if any(name in p.groups["version"] for p, _ in pairs) and name != TEXT_ONLY]
    missing = [name for name in VERSIONS if name not in present and name != TEXT_ONLY]
    notes = ["The overall value is the mean over the versions with a picture; Text Only has no part in it."]
    if missing and not only_text:
        notes.append(f"Not among the problems: {', '.join(missing)}; the overall value is the mean of the others.")
    if not judged:
        notes.append("Scored by rules: the authors' own score needs a judge (acc is empty without one).")
    elif own:
        notes.append(f"{headline}: {EXPLAINED[OWN_JUDGE]}.")
    elif "Vision Only" in present:
        notes.append("acc: the judge compares Vision Only answers with the question before it, upstream's without.")
    return Scorecard(
        benchmark="mathverse",
        headline=headline,
        scores=(*sorted(overall, key=lambda s: s.metric != headline), *shares(v for _, v in pairs), *slices),
        counts=counts(problems, [v for _, v in pairs]),
        provenance={"rule_version": RULE_VERSION, KEY: read_by},
        notes=tuple(notes),
    )
