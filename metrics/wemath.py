"""We-Math: right or wrong by row, then the four dimensions by problem, the steps, topics, domains and concepts.

Paper: arXiv 2407.01284, section 4 and Tables 2 and 3. Upstream: github.com/We-Math/We-Math,
evaluation/four_dimensional_metrics.py and evaluation/accuracy.py at commit a57a0e8.

A problem is two or three one-step rows and one multi-step row. Its class:

- IK, insufficient knowledge: the multi-step row wrong, some step wrong;
- IG, inadequate generalisation: the multi-step row wrong, all steps right;
- CM, complete mastery: the multi-step row right, and all steps right (strict) or at least one (loose);
- RM, rote memorisation: the multi-step row right, and some step wrong (strict) or all wrong (loose).

With N problems ik, ig and cm are counts over N, rm is RM / (RM + CM), nan where that is 0/0, and
score = 0 * ik + 0.5 * ig + cm (the paper's alpha and beta).

Deviations of the official numbers from upstream's, all of them: numbers in place of percent strings; N is the number of
problems of which every row was scored, where upstream takes 525 and computes 1 - rm - ik - 0.5 * ig, so that a problem
with a row missing counts as mastered there; here it is counted apart as incomplete. With all rows present the numbers
are the same.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mmmath_tasks.contract import Shares
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.metrics.answers import Expectation, Reading, read
from mmmath_tasks.metrics.tally import counts, proportion, proportions
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict

RULE_VERSION = "4"

RADARS = ("topic",)

EXPLAINED = vlmeval.EXPLAINED

TOPICS = (
    "Understanding and Conversion of Units",
    "Angles and Length",
    "Calculation of Plane Figures",
    "Understanding of Plane Figures",
    "Calculation of Solid Figures",
    "Understanding of Solid Figures",
    "Basic Transformations of Figures",
    "Cutting and Combining of Figures",
    "Direction",
    "Position",
    "Route Map",
    "Correspondence of Coordinates and Positions",
)
"""The columns of Table 2 in its order."""

DOMAINS = (
    "Measurement",
    "Plane Figures",
    "Solid Figures",
    "Transformation and Motion of Figures",
    "Position and Direction",
)
"""The five domains in the order of Table 2."""

DIMENSIONS = (
    "score_strict",
    "score_loose",
    "ik",
    "ig",
    "cm_strict",
    "cm_loose",
    "rm_strict",
    "rm_loose",
)
"""The numbers of Table 3. ik and ig are the same in both readings."""

TABLE_SUMMARIES = (*DIMENSIONS, *(f"{name}_verified" for name in ("score_strict", "score_loose")))
"""What a table of results shows of a whole run: these need all rows of a problem."""

TABLE_HEADLINES = ("score_strict", "score_strict_verified")
"""What a table of many benchmarks shows."""

SHARES = tuple(
    Shares(
        name=f"dimensions_{reading}",
        title=f"Four dimensions, {reading}",
        score=f"score_{reading}",
        classes={"IK": "ik", "IG": "ig", "RM": f"rm_{reading}", "CM": f"cm_{reading}"},
        rest="RM",  # a share of RM and CM, as in Table 3
        meaning="insufficient knowledge, inadequate generalisation, rote memorisation, complete mastery. Score: "
        "IG / 2 + CM.",
    )
    for reading in ("strict", "loose")
)

_STEP_METRIC = {"one-step": "s1", "two-step": "s2", "three-step": "s3"}
_LETTERS = "ABCDEFGH"
_RESAMPLES = 2000


def expectation(problem: Problem) -> Expectation:
    """Return what kind of answer the reader should look for; without options, five without text."""
    return Expectation("choice", problem.choices or ("",) * 5, question=problem.question)


def official_letter(response: str) -> str | None:
    r"""Return what upstream reads: the first character behind the last "Answer", marks dropped; None if not A to H.

    "Answer: (B)", "**Answer:** B", "\boxed{B}" and a small letter give nothing; "Answer: Cannot be determined" gives C.
    """
    tail = response.rpartition("Answer")[2]
    first = next((c for c in tail if c not in "<>:." and not c.isspace()), "")
    return first if first and first in _LETTERS else None


def score(problem: Problem, response: str | None, *, extraction: str | None = None) -> Verdict:
    """Score one response.

    Args:
        problem: a We-Math row.
        response: the model's text; None counts as "".
        extraction: a short answer read elsewhere (a judge); replaces the response.

    Returns:
        the verdict; `prediction` is the letter upstream reads, None for none. official and verified are None without a
        gold.
    """
    text = (response or "") if extraction is None else extraction
    reading = read(text, expectation(problem))
    if extraction is not None and reading.text is not None:
        reading = Reading(reading.text, reading.choice, "extraction", reading.confidence, reading.reason)
    prediction = official_letter(text)
    known = problem.answer is not None
    return Verdict(
        id=problem.id,
        official=prediction == problem.answer if known else None,
        verified=_letter(reading) == problem.answer if known else None,
        extracted=reading.text,
        prediction=prediction,
        rule=reading.rule,
        confidence=reading.confidence,
        span=reading.span,
        features=reading.features,
        reason=reading.reason if known else "no_gold",
    )


def _letter(reading: Reading) -> str | None:
    return None if reading.choice is None else chr(ord("A") + reading.choice)


def vlmeval_rule(problem: Problem, text: str, judged: bool = False) -> bool | None:
    """Say what VLMEvalKit's rules make of a text: whether the letter of its option is the gold.

    Without a judge (`--judge exact_matching`) VLMEvalKit scores by the authors' rule instead: that is `official`.

    Args:
        problem: a We-Math row with a gold.
        text: a response, or what VLMEvalKit's judge said of one.
        judged: whether it is the latter.

    Returns:
        None: the response goes to the judge.
    """
    letter = vlmeval.inferred(text, vlmeval.options_of(problem))
    return letter == problem.answer if letter or judged else None


def table_scores(problem: Problem, verdict: Verdict) -> dict[str, float]:
    """Return s1, s2 and s3: the official verdict under the row's kind, nan under the others; {} without a verdict."""
    if verdict.official is None:
        return {}
    step = problem.groups["step"][0]
    return {name: float(verdict.official) if kind == step else math.nan for kind, name in _STEP_METRIC.items()}


@dataclass(frozen=True, slots=True)
class Mastery:
    """How many problems are in each class.

    Attributes:
        ik: insufficient knowledge.
        ig: inadequate generalisation.
        mastered: complete mastery in the strict reading (and the loose).
        partly: some steps right, some wrong, the whole right: RM strictly, CM loosely.
        rote: the whole right, no step right: RM in both readings.
        incomplete: problems with a row that was not scored, in no class.
    """

    ik: int = 0
    ig: int = 0
    mastered: int = 0
    partly: int = 0
    rote: int = 0
    incomplete: int = 0

    @property
    def complete(self) -> int:
        """The problems in a class: N of every share."""
        return self.ik + self.ig + self.mastered + self.partly + self.rote

    def dimensions(self) -> dict[str, float]:
        """Return the numbers of `DIMENSIONS`, nan over no problems."""
        n, right = self.complete, self.mastered + self.partly + self.rote
        ik, ig, strict, loose = (_share(x, n) for x in (self.ik, self.ig, self.mastered, self.mastered + self.partly))
        return {
            "score_strict": 0.5 * ig + strict,
            "score_loose": 0.5 * ig + loose,
            "ik": ik,
            "ig": ig,
            "cm_strict": strict,
            "cm_loose": loose,
            "rm_strict": _share(self.partly + self.rote, right),
            "rm_loose": _share(self.rote, right),
        }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def mastery(outcomes: Mapping[str, Mapping[str, bool | None]]) -> Mastery:
    """Class every problem.

    Args:
        outcomes: problem (the row's ID) to key ("2steps_1", ..., "2steps_multi") to right, wrong, or None for a row
            that was not scored. A key that is not there was not scored either.
    """
    found: Counter[str] = Counter()
    for rows in outcomes.values():
        kind = next(iter(rows)).partition("_")[0]  # "2steps" or "3steps"
        steps = [rows.get(f"{kind}_{i}") for i in range(1, int(kind[0]) + 1)]
        whole = rows.get(f"{kind}_multi")
        if whole is None or None in steps:
            found["incomplete"] += 1
        elif not whole:
            found["ig" if all(steps) else "ik"] += 1
        else:
            found["mastered" if all(steps) else "partly" if any(steps) else "rote"] += 1
    return Mastery(**found)


def _intervals(found: Mastery) -> dict[str, tuple[float, float]]:
    """Return 95 % intervals of the dimensions over problems.

    A smoothed Bayesian bootstrap (half a problem is added to each class, so that an empty class leaves an interval);
    seeded, so the same for the same counts.
    """
    import numpy as np

    values = found.dimensions()
    if not found.complete:
        return dict.fromkeys(DIMENSIONS, (math.nan, math.nan))
    counted = np.array([found.ik, found.ig, found.mastered, found.partly, found.rote])
    ik, ig, mastered, partly, rote = np.random.default_rng(525).dirichlet(counted + 0.5, _RESAMPLES).T
    right = mastered + partly + rote
    samples = {
        "score_strict": 0.5 * ig + mastered,
        "score_loose": 0.5 * ig + mastered + partly,
        "ik": ik,
        "ig": ig,
        "cm_strict": mastered,
        "cm_loose": mastered + partly,
        "rm_strict": (partly + rote) / right,
        "rm_loose": rote / right,
    }
    intervals = {}
    for name, drawn in samples.items():
        low, high = (float(x) for x in np.quantile(drawn, [0.025, 0.975]))
        known = not math.isnan(values[name])
        intervals[name] = (min(low, values[name]), max(high, values[name])) if known else (math.nan, math.nan)
    return intervals


def _dimension_scores(found: Mastery, suffix: str) -> list[Score]:
    right = found.mastered + found.partly + found.rote
    intervals = _intervals(found)
    return [
        Score(f"{name}{suffix}", "", "", value, right if name.startswith("rm_") else found.complete, *intervals[name])
        for name, value in found.dimensions().items()
    ]


def _macro(metric: str, group: str, order: Sequence[str], pairs: Sequence[tuple[Problem, bool]]) -> list[Score]:
    """Return for each topic or domain the mean over its concepts of the share of right one-step rows.

    The interval is that of a stratified mean: normal, with each concept's share drawn towards one half by two rows.
    """
    rows: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for problem, outcome in pairs:
        for name in problem.groups.get(group, ()):
            rows[name][problem.groups["concept"][0]].append(outcome)
    scores = []
    for name in (*order, *sorted(set(rows) - set(order))):
        concepts = list(rows[name].values())
        count = sum(map(len, concepts))
        if not count:
            scores.append(Score(metric, group, name, math.nan, 0))
            continue
        value = math.fsum(sum(found) / len(found) for found in concepts) / len(concepts)
        drawn = [((sum(found) + 1) / (len(found) + 2), len(found)) for found in concepts]
        spread = 1.96 * math.sqrt(math.fsum(p * (1 - p) / n for p, n in drawn)) / len(concepts)
        scores.append(Score(metric, group, name, value, count, max(0.0, value - spread), min(1.0, value + spread)))
    return scores


def _side(pairs: Sequence[tuple[Problem, bool | None]], suffix: str) -> tuple[list[Score], list[Score], Mastery]:
    """Return the overall scores, the scores by slice, and the classes, of one kind of verdict."""
    outcomes: dict[str, dict[str, bool | None]] = defaultdict(dict)
    steps: dict[str, list[bool]] = {name: [] for name in _STEP_METRIC}
    single: list[tuple[Problem, bool]] = []
    for problem, outcome in pairs:
        outcomes[problem.extra["problem"]][problem.extra["key"]] = outcome
        if outcome is None:
            continue
        step = problem.groups["step"][0]
        steps[step].append(outcome)
        if step == "one-step":
            single.append((problem, outcome))
    found = mastery(outcomes)
    overall = [
        *_dimension_scores(found, suffix),
        *(proportion(f"{_STEP_METRIC[step]}{suffix}", values) for step, values in steps.items()),
        proportion(f"acc{suffix}", [outcome for _, outcome in pairs if outcome is not None]),
    ]
    metric = f"s1{suffix}"
    slices = [
        *_macro(metric, "domain", DOMAINS, single),
        *_macro(metric, "topic", TOPICS, single),
        *proportions(metric, single, ["concept"])[1:],
    ]
    return overall, slices, found


def summarise(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
    """Sum verdicts up: Tables 2 and 3 of the paper.

    Returns:
        a scorecard with, overall, `DIMENSIONS` (headline score_strict), s1, s2, s3 (shares of right one-, two- and
        three-step rows) and acc (of all rows); s1 by domain and topic (each the mean over its concepts) and by concept;
        all of these again for the verified verdicts, with "_verified" behind the name. Counts hold "problems",
        "problems_complete" and "problems_incomplete" beside the rows.
    """
    by_id = {verdict.id: verdict for verdict in verdicts}
    joined = [(problem, by_id.get(problem.id)) for problem in problems]
    official, official_slices, found = _side([(p, v.official if v else None) for p, v in joined], "")
    verified, verified_slices, _ = _side([(p, v.verified if v else None) for p, v in joined], "_verified")
    known = [v for _, v in joined if v]
    return Scorecard(
        benchmark="wemath",
        headline="score_strict",
        scores=(*official, *verified, *official_slices, *verified_slices),
        counts={
            **counts(problems, known),
            "problems": found.complete + found.incomplete,
            "problems_complete": found.complete,
            "problems_incomplete": found.incomplete,
        },
        provenance={"rule_version": RULE_VERSION},
        notes=(
            "A problem counts in the four dimensions only if all its rows were scored; the others are counted as "
            "incomplete.",
            "The official reading takes the first character behind the last 'Answer' and nothing else.",
        ),
    )
