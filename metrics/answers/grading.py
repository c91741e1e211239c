"""Whether a given answer equals the gold: by kind, cheapest means first."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.letters import option_named
from mmmath_tasks.metrics.answers.lexicon import denies, values
from mmmath_tasks.metrics.answers.numbers import numbers, split_unit
from mmmath_tasks.metrics.answers.options import LETTERS, options
from mmmath_tasks.metrics.answers.records import Expectation
from mmmath_tasks.metrics.answers.relations import equivalent, value

_LONGEST = 2_000  # characters of an answer or a gold that are compared


def equal(given: str, gold: str, expectation: Expectation) -> bool:
    """Tell whether an answer, as read or as extracted elsewhere, equals the gold in the form asked.

    Args:
        given: the answer without its sentence: a letter, an option's text, a number, an expression.
        gold: the gold as the data set stores it; for kind "choice" a letter or an option's text.
        expectation: the same that `read` was given.

    Returns:
        False also where either cannot be understood. Never raises, and is bounded in time for any text.
    """
    given, gold = given[:_LONGEST], gold[:_LONGEST]
    if expectation.kind == "choice" and expectation.choices:
        return _equal_choice(given, gold, expectation)
    if expectation.kind in {"integer", "float"}:
        return _equal_number(given, gold, expectation)
    if expectation.kind == "list":
        return [n.value for n in numbers(given)] == [n.value for n in numbers(gold)] != []
    return equivalent(given, gold) or _number_in_words(given, gold)


_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
# "6 SMS", "Das Känguru braucht 3 Sprünge", "1 (Flächeneinheit)"
_WORDED = re.compile(r"(?:[^\W\d_]{2,} ){0,6}(?P<number>-?\d+(?:\.\d+|,\d{1,2})?)(?: \(?[^\W\d_]{3,}\)?){1,3}")


def _number_in_words(given: str, gold: str) -> bool:
    """Tell whether one number between words, its noun behind it, is a gold that is a bare number."""
    found = _WORDED.fullmatch(given.strip(" .*")) if _PLAIN.fullmatch(gold.strip(" $")) else None
    scaled = not values("scale").keys().isdisjoint(given.lower().split())  # "3 million visitors"
    if found is None or scaled or split_unit(found[0])[1] is not None or denies(given):
        return False
    told = numbers(given.replace(found["number"], found["number"].replace(",", ".")), words=True)
    return len(told) == 1 and told[0].value == value(gold)


def _equal_choice(given: str, gold: str, expectation: Expectation) -> bool:
    """Compare options; those that repeat a text are the same answer."""
    offered, texts, gold = options(expectation.choices), [text.strip() for text in expectation.choices], gold.strip()
    if gold in [*LETTERS[: len(texts)]]:
        wanted: int | None = LETTERS.index(gold)  # a letter, even where an option's text is that letter too
    else:
        wanted = texts.index(gold) if gold in texts else option_named(gold, offered)
    chosen = option_named(given, offered)
    return chosen is not None and wanted is not None and texts[chosen] == texts[wanted]


def _equal_number(given: str, gold: str, expectation: Expectation) -> bool:
    wanted, found = value(gold), value(given)
    if wanted is None or found is None or expectation.kind != "float" or expectation.precision is None:
        return wanted is not None and wanted == found
    if max(abs(found), abs(wanted)) > 10**15:
        return wanted == found
    return round(float(found), expectation.precision) == round(float(wanted), expectation.precision)
