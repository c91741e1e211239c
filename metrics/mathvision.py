"""MATH-Vision: the authors' rule beside a careful reader's verdict, by level, subject, and subject and level.

Paper: arXiv 2402.14804, section 4.1 and Tables 2 to 5. Upstream: github.com/mathllm/MATH-V, evaluation/evaluate.py at
commit a1f5cc3; `official` follows it in mmmath_tasks.metrics.mathvision_official, where its oddities are listed.

Deviation of `official`: a response of None or "" is scored as "", and a multiple-choice gold that is no letter of the
options, on which upstream stops, is compared as text only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from mmmath_tasks.metrics import mathvision_official as official
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.metrics.answers import Expectation, Kind, Reading, equal, read
from mmmath_tasks.metrics.tally import counts, joined, proportions, shares
from mmmath_tasks.problem import Problem, Scorecard, Verdict

RULE_VERSION = "4"

RADARS = ("subject",)

EXPLAINED = vlmeval.EXPLAINED

GROUPS = ("level", "subject", "subject x level")
"""The breakdowns of upstream's score files; Tables 2 and 3 have the subjects, Table 5 the levels."""


def expectation(problem: Problem) -> Expectation:
    """Return what kind of answer the reader should look for."""
    kind: Kind = "choice" if problem.question_type == "multi_choice" else "expression"
    return Expectation(kind, problem.choices, question=problem.question)


def readable_gold(gold: str) -> str:
    r"""Return a gold as its author meant it, for the verified verdict only.

    "\x0crac" is a \frac whose backslash and f became a form feed (id 2830); "$\boxed{...}$" is its content (2828,
    2833, 2875, 2877); a word of units in braces ("{degrees}") is text (2947, 3007, 3008).
    """
    gold = gold.replace("\x0crac", "\\frac").strip()
    if gold.startswith("$\\boxed{") and gold.endswith("}$"):
        gold = gold[len("$\\boxed{") : -len("}$")]
    for words in ("{degrees}", "{squareinches}", "{inches}"):
        if gold.endswith(words):
            gold = gold[: -len(words)]
    return gold


def _option(problem: Problem) -> int | None:
    """Return the index of the right option; None where the gold is no letter of the options."""
    gold = problem.answer or ""
    index = ord(gold) - ord("A") if len(gold) == 1 else -1
    return index if 0 <= index < len(problem.choices) else None


def score(problem: Problem, response: str | None, *, extraction: str | None = None) -> Verdict:
    """Score one response.

    Args:
        problem: a MATH-Vision problem.
        response: the model's text; None counts as "".
        extraction: a short answer read elsewhere (a judge, the `model_answer` of a published file); replaces our
            reading and upstream's, and is compared as it stands.

    Returns:
        the verdict; `prediction` is upstream's `model_answer`. official and verified are None without a gold.
    """
    response = response or ""
    wanted = expectation(problem)
    if extraction is None:
        reading = read(response, wanted)
        answer = official.model_answer(response)
    else:
        reading = _given(extraction, wanted)
        answer = extraction
    known = problem.answer is not None
    return Verdict(
        id=problem.id,
        official=is_official(problem, answer) if known else None,
        verified=_agrees(reading, problem, wanted) if known else None,
        extracted=reading.text,
        prediction=answer,
        rule=reading.rule,
        confidence=reading.confidence,
        span=reading.span,
        features=reading.features,
        reason=reading.reason if known else "no_gold",
    )


def is_official(problem: Problem, answer: str) -> bool:
    """Say whether upstream calls a `model_answer` right: it equals the gold, or the text of the right option."""
    right = _option(problem)
    return official.equal(problem.answer or "", answer) or (
        right is not None and official.equal(problem.choices[right], answer)
    )


def official_equal(problem: Problem, first: str, second: str) -> bool:
    """Say whether upstream's rule calls two `model_answer`s of a problem equal, to one another or to one option."""
    if official.equal(first, second):
        return True
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(problem.choices)]
    options = [replace(problem, answer=letter) for letter in letters]
    return any(is_official(option, first) and is_official(option, second) for option in options)


def _given(extraction: str, wanted: Expectation) -> Reading:
    found = read(extraction, wanted)
    if wanted.kind == "choice" or found.text is None:
        return Reading(found.text, found.choice, "extraction", found.confidence, found.reason)
    return Reading(extraction, None, "extraction", 1.0)


@lru_cache(maxsize=8192)
def _text_equal(text: str, gold: str, wanted: Expectation) -> bool:
    return equal(text, gold, wanted)


def _agrees(reading: Reading, problem: Problem, wanted: Expectation) -> bool:
    """Say whether a careful reader would call the reading right.

    Options are compared by index, but two options of the same text (ids 1843, 1893) are one.
    """
    if reading.text is None or problem.answer is None:
        return False
    if wanted.kind != "choice":
        return _text_equal(reading.text, readable_gold(problem.answer), wanted)
    right = _option(problem)
    if reading.choice is None or right is None:
        return False
    return reading.choice == right or problem.choices[reading.choice] == problem.choices[right]


def vlmeval_rule(problem: Problem, text: str, judged: bool = False) -> bool | None:
    """Say what VLMEvalKit's rules make of a text: its option's letter, or the whole text, is the gold.

    Args:
        problem: a MATH-Vision problem with a gold.
        text: a response; or, `judged`, what VLMEvalKit's judge read in one (its column `res`).
        judged: whether it is the latter.

    Returns:
        None: the response goes to the judge, as every free-form one that is not the gold and nothing else does.
    """
    gold = problem.answer or ""
    if not problem.choices:
        return vlmeval.same(text, gold) or (False if judged else None)
    letter = vlmeval.inferred(text, vlmeval.options_of(problem))
    return letter == gold.strip().upper() if letter or judged else None


def table_scores(problem: Problem, verdict: Verdict) -> dict[str, float]:
    """Return acc_level1 to acc_level5: the official verdict under the problem's level, nan under the others.

    There is none without an official verdict.
    """
    if verdict.official is None:
        return {}
    found = {f"acc_level{level}": float(verdict.official) for level in problem.groups["level"]}
    return {**{f"acc_level{level}": math.nan for level in range(1, 6)}, **found}


def summarise(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
    """Sum verdicts up as upstream's score file does.

    Returns:
        a scorecard with `acc` (headline) and `acc_verified`, overall and by level, subject, and both; `share_empty`
        and `share_unextracted`: of the responses, those without text and those from which nothing could be read.
    """
    pairs = joined(problems, verdicts)
    plain = proportions("acc", [(p, v.official) for p, v in pairs], GROUPS)
    verified = proportions("acc_verified", [(p, v.verified) for p, v in pairs], GROUPS)
    return Scorecard(
        benchmark="mathvision",
        headline="acc",
        scores=(plain[0], verified[0], *shares(v for _, v in pairs), *plain[1:], *verified[1:]),
        counts=counts(problems, [v for _, v in pairs]),
        provenance={"rule_version": RULE_VERSION},
        notes=(
            "acc keeps the authors' rule, which rounds to two decimals (3.14 is \\pi) and reads few forms of answers. "
            "acc_verified does neither.",
        ),
    )
