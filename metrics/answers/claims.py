"""What one part of a response commits to among the options: a short answer, a sentence, an ending."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from mmmath_tasks.metrics.answers import statements
from mmmath_tasks.metrics.answers.dress import mathematics, undress
from mmmath_tasks.metrics.answers.letters import letter_at_end, letter_at_start, letters_in
from mmmath_tasks.metrics.answers.lexicon import cue, refuses
from mmmath_tasks.metrics.answers.options import (
    LETTERS,
    RELATES,
    Options,
    matching,
    mentions,
    nearest,
    options,
    subsequences,
    words,
)
from mmmath_tasks.metrics.answers.picks import concludes, pick
from mmmath_tasks.metrics.answers.records import Expectation, Question, question
from mmmath_tasks.metrics.answers.sentences import announcements, sentences
from mmmath_tasks.metrics.answers.statements import relations_said, told_time, trend, without_denial


class Claim(NamedTuple):
    """What a part of a response commits to: an option, in a passage, or (`choice` None) what is not offered.

    `weight` ranks what several sentences say: 0.6 what a sentence says loosely, 0.85 what it says by letter.
    """

    choice: int | None
    text: str
    rule: str
    weight: float = 0.8


@dataclass(frozen=True, slots=True)
class Asking:
    """The options and the question that one response is read for; `yes_no`: the indices of yes and no."""

    offered: Options
    question: Question
    yes_no: tuple[int, int] | None


@lru_cache(maxsize=4096)
def asking(expectation: Expectation) -> Asking:
    """Prepare what a response to a choice question is read for."""
    offered = options(expectation.choices)
    return Asking(offered, question(expectation), statements.yes_and_no(offered))


_FORMAL = re.compile(rf"{RELATES.pattern}|^[\[(].+,")  # the dense form of an equation, an inequality, an interval
# "(C) 27 or (D)"
EITHER = re.compile(
    r"\W*(?i:either\W+|both\W+)?[A-H](?![A-Za-z])(?:(?!\b[A-H]\b)[^.\n]){0,40}?"
    r"(?:\b(?i:or|and)\W+(?i:option |choice )?"
    r"|(?:\u8fd8\u662f|\u6216\u8005?|\u548c|\u4e0e|\u307e\u305f\u306f|\u3068|\u3084|\ub610\ub294|\uc640|\uacfc)\s*)"
    r"[A-H](?![A-Za-z])(?! [a-z])"
)
# "x \approx 3"
EQUALS = re.compile(r"=|\u2248|\u2192|\\approx(?![a-z])")
# "A is red, B is blue, C is green"
_LISTING = re.compile(r"\W*A\b[^\n]{1,60}?\bB\b[^\n]{1,60}?\bC\b", re.S)
# "area", "答案"
_A_WORD = re.compile(r"[A-Za-z]{3}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_JOINED = re.compile(r",? and |,? or |[,;&]")
# "A, B", "A and B", "A B"
_APART = re.compile(rf"{_JOINED.pattern}|[/\s]+", re.I)


# "1. B"
_ITEM = re.compile(r"^\d{1,2}[.)]\s+(?=\W*[A-Za-z]\W*$)")


def short(text: str, rule: str, asking: Asking) -> Claim | None:
    """Read a text that is an answer and nothing else: "B", "(B) text", "B: text", the option's text."""
    bare, offered = undress(text), asking.offered
    label = _LABEL.match(text)
    if label and not announcements(text[label.end() :]):  # "A: No" is "Answer: No"
        behind = text[label.end() :]
        said = statements.plain_word(behind, *asking.yes_no) if asking.yes_no else None
        found = matching(behind, offered) if said is None else said
        if found is not None:
            return Claim(found, text, rule)
    alone = _ITEM.sub("", bare).strip("()[]{}*#\"'$: .")
    if len(alone) == 1 and alone.upper() in LETTERS:
        return lettered(alone, (alone.upper(), offered.index(alone.upper())), rule, asking)
    found = matching(text, offered)
    if found is not None:
        return Claim(found, text, rule)
    letter = letter_at_start(text, offered) or letter_at_start(bare, offered)
    if letter is None or "\n" in text.strip():
        return None
    end = letter_at_end(bare, offered)
    if end is not None and end[0] != letter[0]:
        return None  # "B. Wait, ... so it is C"
    # "C. ... be 4 or 5" is the letter and the text of C
    whole = matching(bare[1:].lstrip(".): "), offered) == letter[1]
    marked = _MARKED.match(bare) and len(sentences(bare)) == 1
    return lettered(text, letter, rule, asking) if whole or marked else None


# "Ans: 12"
_LABEL = re.compile(r"\s*(?:A\s*:|Ans\s*[:-])\s*(?=\S)")
# "(B)"
_MARKED = re.compile(r"\W*[A-Za-z](?:\s*[).:\]}]|\s*- |\W*$)")


def span(text: str, asking: Asking) -> Claim | None:
    """Read what follows "the answer is"."""
    offered = asking.offered
    whole, letter = matching(text, offered), letter_at_start(text, offered)
    if letter is not None and letter[1] is None and (near := nearest(text, offered)) is not None:
        return Claim(near, text, "statement")
    if letter is not None and (whole is None or len(text.strip(" .()*$")) == 1):
        return lettered(text, letter, "statement", asking)
    if whole is not None:
        return Claim(whole, text, "statement")
    found = letters_in(text, offered)
    if len({f[0] for f in found}) == 1:
        return Claim(found[0][1], text, "statement")
    if found or refuses(text):
        return None
    if asking.yes_no is not None:
        said = statements.plain_word(text, *asking.yes_no)
        if said is not None:
            return Claim(said, text, "statement")
        if cue("no such").search(text):
            return None
    named = set() if left_open(text, offered) else {*mentions(text, offered)} or {nearest(text, offered)} - {None}
    return Claim(named.pop(), text, "statement") if len(named) == 1 else None


def lettered(text: str, letter: tuple[str, int | None], rule: str, asking: Asking) -> Claim | None:
    """Return the claim of a text that begins with a letter; none if it goes on "or B"."""
    if EITHER.match(text) or _LISTING.match(text):
        return None
    if letter[1] is not None:
        return Claim(letter[1], text, rule)
    # A letter that is not offered is no answer, whatever stands behind it, unless an option's text is that letter.
    alone = re.fullmatch(r"\W*[A-Za-z]\W*", text) is not None
    return Claim(matching(letter[0], asking.offered) if alone else None, letter[0], rule)


# "I cannot tell whether it is D or E"
NAMES_LETTER = re.compile(r"(?<![A-Za-z'$\\])[B-H](?![A-Za-z'$=])")


def sentence(text: str, rule: str, asking: Asking) -> Claim | None:
    """Read a sentence that gives the answer in its own words."""
    found = [letter for letter in letters_in(text, asking.offered) if letter[1] is not None]
    letter = found[0] if len({f[0] for f in found}) == 1 else letter_at_end(text, asking.offered)
    if letter is not None and letter[1] is not None:
        return Claim(letter[1], text, rule, 0.85)
    if asking.yes_no is not None:
        told = statements.restated(text, *asking.yes_no, asking.question)
        return None if told is None else Claim(told[0], text, rule, told[1])
    if text.rstrip().endswith("?") and not any(option.endswith("?") for option in asking.offered.texts):
        return None
    if refuses(text):
        unknown = [i for i, option in enumerate(asking.offered.texts) if refuses(option)]
        return Claim(unknown[0], text, rule, 1.0) if len(unknown) == 1 and not NAMES_LETTER.search(text) else None
    compared = statements.option_compared(text, asking.offered)
    if compared is not None:
        return Claim(compared, text, rule)
    return by_name(text, rule, asking)


def by_name(text: str, rule: str, asking: Asking) -> Claim | None:
    """Read the option whose text or value a sentence names."""
    *_, behind = cue("so").split(text)
    if len(behind) < len(text) and concludes(behind, text[: len(text) - len(behind)], asking.question):
        claim = by_name(behind, rule, asking)
        if claim is not None and claim.choice is not None:
            return claim
    dismissed = cue("dismissed").match(text)
    rest = text[dismissed.end() :] if dismissed else ""
    if mentions(rest, asking.offered):
        claim = by_name(rest, rule, asking)
        return claim and claim._replace(weight=1.2)  # it says what is right against what is not
    formula = None if asking.offered.numeric else _by_formula(text, asking.offered)
    if formula is not None:
        return Claim(formula, text, rule, 0.75)
    named = mentions(text, asking.offered)
    if asking.offered.numeric and (claim := _by_value(text, named, rule, asking)) is not None:
        return claim
    if not named:
        return _unnamed(text, rule, asking)
    return Claim(named[0], text, rule) if len(set(named)) == 1 else _among(text, named, rule, asking)


def _by_value(text: str, named: list[int], rule: str, asking: Asking) -> Claim | None:
    """Read the number that a sentence gives, where the options are numbers."""
    picked = pick(text, asking.question)
    if picked is None or picked.value is None:
        return None
    index = next((i for i, item in enumerate(asking.offered.items) if item.value == picked.value), None)
    if index is not None:
        # "one time in four" is 1/4
        return Claim(index, text, rule, 0.8 if named else 0.7) if named or picked.weight > -1 else None
    if picked.weight < 2 and len(set(named)) == 1:
        return Claim(named[0], text, rule, 0.6)
    return Claim(None, picked.text, rule, 0.4) if named or picked.weight >= 1 else None


def _unnamed(text: str, rule: str, asking: Asking) -> Claim | None:
    """Read a sentence in which no option's text stands: a time, a trend, an option's words among others."""
    time = told_time(text, asking.offered)
    if time is not None:
        return Claim(time, text, rule, 0.75)
    told = trend(text, asking.offered, asking.question)
    if told is not None:
        return Claim(told, text, "trend", 0.65)
    loose = subsequences(text, asking.offered)
    return Claim(loose[0], text, rule, 0.6) if len(loose) == 1 else None


def _among(text: str, named: list[int], rule: str, asking: Asking) -> Claim | None:
    """Read which of several options that a sentence names it is about."""
    predicate = cue("predicate").search(text) or cue("left over").search(text)
    claims = [m[1] for m in cue("superlative").finditer(text) if m[2].lower() in asking.question.text]
    claims += [m[2] for m in cue("superlative of").finditer(text) if m[1].lower() in asking.question.text]
    for said in [*claims, *([predicate[1]] if predicate else [])]:
        index = matching(said, asking.offered)
        if index is not None:
            return Claim(index, text, rule, 0.75)
    main = cue("aside").split(text, maxsplit=1)[0]
    if len(main) < len(text):
        claim = by_name(main, rule, asking)
        if claim is not None:
            return claim._replace(weight=0.7)
    fresh = [n for n in named if asking.offered.items[n].words not in asking.question.text]
    return Claim(fresh[0], text, rule, 0.7) if len(set(fresh)) == 1 else None


def _by_formula(text: str, offered: Options) -> int | None:
    """Return the option that equals the formula with which a sentence ends, where options are formulas."""
    if not any(item.tree is not None or _FORMAL.search(item.dense) for item in offered.items):
        return None
    math = mathematics(text)
    given = cue("ends in").search(text)
    text = without_denial(cue("lead").sub("", cue("in other words").split(text)[-1]))
    for said in [*(given.groups() if given else ()), *math[-1:], text, *relations_said(text)]:
        found = matching(said, offered)
        for part in reversed(EQUALS.split(said)[1:] if found is None else ()):  # "= 1 - 1/3 = 2/3 = 0.67"
            found = matching(part, offered) if found is None else found
        if found is not None:
            return found
    return None


def left_open(text: str, offered: Options) -> bool:
    """Tell whether what is announced is two letters, two texts of options, or one value or another."""
    values = offered.valued and cue("undecided").search(text[:60])
    return bool(values or EITHER.match(text) or several(text, offered))


def several(text: str, offered: Options) -> bool:
    """Tell whether a text is two or more letters, or texts of options, and nothing else."""
    head = text[:300]
    parts = [words(part) for part in _JOINED.split(head)]
    if len(set(parts)) > 1 and all(part in offered.by_words for part in parts):
        return True
    letters = {part.strip(" ()[].*'\"") for part in _APART.split(undress(head))} - {"", "both", "option", "options"}
    return len(letters) > 1 and all(len(one) == 1 and one.isascii() and one.isalpha() for one in letters)


# "Options: (A"
_FIRST_LETTER = re.compile(r"\W{0,40}(?:(?:options|choices)\W{1,40})?A\b", re.I)
# "(A) 10, (B) 11, (C) 12"
_ENTRIES = re.compile(r"(?:\W{0,4}\b[A-H][).:]\s*[^\s,;()]{1,12}[,;]?(?=\s|\(|$)){3,}\s*")


def lists(text: str, offered: Options) -> bool:
    """Tell whether a text is the list of the options, or its beginning, and no more."""
    behind = next(iter(announcements(text[:40])), 0)
    if not _FIRST_LETTER.match(text, behind):
        return False
    if _ENTRIES.fullmatch(text, behind, 300):
        return True
    listed = [f"{letter} {item.words}".casefold() for letter, item in zip(LETTERS, offered.items, strict=False)]
    said = words(text[behind:4_000]).removeprefix("options ").removeprefix("choices ")
    return f"{' '.join(listed)} ".startswith(f"{said} ") and said.startswith(" ".join(listed[:2]))


def is_formula(text: str) -> bool:
    """Tell whether a text is mathematics and no words, so that no option is named within it."""
    return not _A_WORD.search(re.sub(r"\\[A-Za-z]+", "", undress(text)))
