"""Which option a response finally commits to: the first kind of evidence in the ranking that finds one."""

from __future__ import annotations

import re
from dataclasses import replace

from mmmath_tasks.metrics.answers import evidence
from mmmath_tasks.metrics.answers.claims import EITHER, Claim, is_formula, several, short
from mmmath_tasks.metrics.answers.document import MAX_DEPTH, enclosed
from mmmath_tasks.metrics.answers.dress import in_words, undress
from mmmath_tasks.metrics.answers.evidence import NOTHING, announced_in, value_and_letter
from mmmath_tasks.metrics.answers.letters import letter_at_start, letter_beside
from mmmath_tasks.metrics.answers.lexicon import refuses
from mmmath_tasks.metrics.answers.options import LETTERS, options
from mmmath_tasks.metrics.answers.quantities import read_number
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.response import Response, first
from mmmath_tasks.metrics.answers.sentences import sentences


def read_choice(text: str, expectation: Expectation) -> Reading | None:
    """Return the option that a text commits to; None where nothing in it does."""
    if "(A" in text:
        text = _LETTERS_LISTED.sub("", text)
    claim = first(RANKING, Response(text.strip(), expectation))
    if claim is NOTHING:
        return None
    if claim is None:
        return _not_offered(text, expectation)
    if claim.choice is None:
        return Reading(claim.text[:200], None, claim.rule, reason="unextracted", passage=claim.text)
    letter = LETTERS[claim.choice] if claim.choice < len(LETTERS) else expectation.choices[claim.choice]
    return Reading(letter, claim.choice, claim.rule, passage=claim.text)


# "(A, B, C, or D)"
_LETTERS_LISTED = re.compile(r"\(A(?:\s?,\s?(?:or |and )?[A-H]){2,7}(?:,? (?:or|and) [A-H])?\s*\)")


def _alone(response: Response) -> Claim | None:
    """Read a text that is an answer and nothing else; two letters or two texts of options are none."""
    text = response.text
    if len(text) >= 300 or "boxed" in text:
        return None
    claim = short(text, "whole", response.asking)
    if claim is not None and claim.choice is not None:
        return claim
    return NOTHING if several(text, response.offered) or (len(text) < 120 and EITHER.match(text)) else None


def _set_apart(response: Response) -> Claim | None:
    """Read an answer in a tag, a JSON reply or a box, unless the text behind it announces another."""
    apart = enclosed(response.text)
    if apart is None:
        return None
    later = announced_in(sentences(apart.behind), response.asking)
    if later is not None and later.choice is not None:
        return later
    before, _, _ = response.text.rpartition(apart.passage)
    beside = letter_beside(before, apart.behind, response.offered)
    if beside is not None and letter_at_start(apart.inside, response.offered) is None:
        return Claim(beside[1], f"{beside[0]} {apart.passage}", apart.rule)
    found = short(apart.inside, apart.rule, response.asking)
    if found is not None:
        return found._replace(text=found.text if found.choice is None else apart.passage)
    inside = in_words(apart.inside)
    named = value_and_letter(inside, response.offered)
    if named is not None:
        return Claim(named, apart.passage, apart.rule)
    if several(inside, response.offered):
        return NOTHING
    if response.depth < MAX_DEPTH and ("boxed" in inside or not is_formula(inside)):
        found = first(RANKING, Response(inside.strip(), response.expectation, response.depth + 1))
    return found or Claim(None, undress(inside), apart.rule)


RANKING = (
    _alone,
    _set_apart,
    evidence.options_again,
    evidence.judged,
    evidence.question_again,
    evidence.announced,
    evidence.rejected,
    evidence.broken_off,
    evidence.filled_in,
    evidence.yes_or_no,
    evidence.undecided,
    evidence.in_bold,
    evidence.impossible,
    evidence.last_value,
    evidence.listed_values,
    evidence.last_letter,
    evidence.denied,
    evidence.restated,
    evidence.concluded,
    evidence.first_letter,
    evidence.nearest_sentence,
    evidence.cannot_be,
    evidence.last_picture,
)
"""What counts more stands before what counts less; a kind may also find that nothing behind it counts."""


def _not_offered(text: str, expectation: Expectation) -> Reading | None:
    """Return what stands in the answer's place but matches no option: a short text, a number."""
    if refuses(text):
        return None
    bare = undress(text)
    if 0 < len(bare) < 40 and "\n" not in text.strip() and not text.rstrip().endswith("?"):
        return Reading(bare, None, "whole", reason="unextracted", passage=bare)
    if options(expectation.choices).numeric:
        found = read_number(text, Expectation("float", question=expectation.question))
        return found and replace(found, reason="unextracted")
    return None
