r"""What VLMEvalKit's own rules say of a response, before it asks its judge (its "prefetch").

Facts of ms-vlmeval 0.0.20: `can_infer` of vlmeval/utils/matching_util.py, `post_check` and `is_equal` of
vlmeval/dataset/utils/mathvista.py and mathv.py, `extract_answer_from_item` of multiple_choice.py (We-Math). What these
rules do not settle it hands to a judge, gpt-4o-mini unless the user names another: for MathVista and MATH-Vision the
judge reads an answer out of the response, which the same rules then compare; for We-Math it names an option, and where
it names none three times, one is drawn at random; for MathVerse it reads and compares every response, so that there are
no rules of its own. The numbers that model cards quote are made with the judge: what the rules settle and call right
is the least that such a number can be, and with what they leave open it is the most.

A benchmark whose responses VLMEvalKit reads by rules has them as `vlmeval_rule` in its metrics module.

Deviation: VLMEvalKit evaluates model text as Python and through a LaTeX parser (`is_equal`); here values are read by
mathvision_values, without `eval`. Python that is no arithmetic has no value; roots, \pi and functions have none there
either, whose names it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mmmath_tasks.metrics.mathvision_values import value
from mmmath_tasks.metrics.tally import proportion
from mmmath_tasks.problem import Problem, Score, Verdict

RIGHT = "acc_vlmeval_prefetch"
SETTLED = "vlmeval_prefetched"

EXPLAINED = {
    RIGHT: "settled and called right by VLMEvalKit's rules alone, of all responses; what is left open counts as wrong "
    "here, and its judge reads it in the numbers that cards quote",
    SETTLED: "settled by VLMEvalKit's rules, of all responses (its prefetch rate); the others go to its judge",
}

REFUSED = "Z"

_REFUSALS = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)
_MARKS = str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))
_LAST_WORDS = 4
# "\sqrt{2}"
_NAMED = re.compile(r"\\(?:sqrt|pi|exp|log|ln|(?:arc)?(?:sin|cos|tan)|binom|floor)")


def inferred(text: str, options: Mapping[str, str]) -> str:
    """Return the option that VLMEvalKit reads in a text.

    Args:
        text: a response, or what a judge said of it.
        options: letter to text.

    Returns:
        the letter that stands alone (marks around it dropped) where only one option's letter does, and it comes first
        among the last four words; `REFUSED` for a few refusals or the letter Z; else the only option whose text is in a
        text at most twice as long as all options together; "" for none.
    """
    return _by_letter(text, options) or _by_text(text, options)


def _by_letter(text: str, options: Mapping[str, str]) -> str:
    if "Failed to obtain answer via API" in text:
        return ""
    if any(refusal in text for refusal in _REFUSALS):
        return REFUSED
    words = text.translate(_MARKS).split()
    named = [letter for letter in options if letter in words]
    if len(named) == 1:
        return named[0] if words.index(named[0]) >= len(words) - _LAST_WORDS else ""
    return REFUSED if not named and REFUSED in words else ""


def _by_text(text: str, options: Mapping[str, str]) -> str:
    if len(text) > 2 * sum(map(len, options.values())):
        return ""
    found = [letter for letter, option in options.items() if option.lower() in text.lower()]
    return found[0] if len(found) == 1 else ""


def options_of(problem: Problem) -> dict[str, str]:
    """Return a problem's options, letter to text; a letter that has none (We-Math skips some) is left out."""
    letters = (chr(ord("A") + i) for i in range(len(problem.choices)))
    return {letter: text for letter, text in zip(letters, problem.choices, strict=False) if text}


def same(text: str, gold: str) -> bool:
    """Say whether VLMEvalKit calls two free-form answers of MATH-Vision equal: as texts, or as numbers to 1e-6.

    A lone "a" equals every gold that is a number: VLMEvalKit has the gold's value under that name when it evaluates.
    """
    text, gold = text.lower().strip(), gold.lower().strip()
    if text == gold:
        return True
    wanted = _number(gold)
    found = wanted if text == "a" else _number(text)
    try:
        return wanted is not None and found is not None and abs(wanted - found) < 1e-6
    except OverflowError:  # an integer beyond any float, less a float
        return False


def _number(text: str) -> int | float | None:
    return None if _NAMED.search(text) else value(text)


def scores(settled: bool | None) -> dict[str, float]:
    """Return what a response adds to its verdict's scores: 1 or 0 each."""
    return {RIGHT: float(bool(settled)), SETTLED: float(settled is not None)}


def summary(verdicts: Iterable[Verdict]) -> tuple[list[Score], str]:
    """Return the scores of a run and a sentence on what VLMEvalKit's own number can be; none without such verdicts."""
    found = [verdict.scores for verdict in verdicts if SETTLED in verdict.scores]
    if not found:
        return [], ""
    right, settled = (proportion(name, [one[name] == 1 for one in found]) for name in (RIGHT, SETTLED))
    most = right.value + 1 - settled.value
    return [right, settled], (
        f"VLMEvalKit's own accuracy on these {len(found):,} responses lies between {100 * right.value:.1f} and "
        f"{100 * most:.1f}, whatever its judge reads; {RIGHT} is the lower end and not what cards quote."
    )
