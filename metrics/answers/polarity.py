"""Yes or no, more or less: what a sentence says of the question where the options are such words."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.options import Options
from mmmath_tasks.metrics.answers.question import Question, content, overlap
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.sentences import begins_conclusion


class Polarity(NamedTuple):
    """The option a sentence amounts to, and how sure that is (0.9 plain word, 0.5 to 0.8 restated question)."""

    choice: int
    confidence: float


_YES = {"yes", "true", "correct", "right"}
_NO = {"no", "false", "incorrect", "wrong"}
# "f(2) = f(3)"
_FORMULA_SAME = re.compile(r"\W*[a-z]\([^()]*\)\s*=\s*[a-z]\([^()]*\)\W*")
_KINDS = ("more", "less", "same")
_OPPOSITES = (
    ("more", "less"), ("more", "same"), ("less", "same"), ("most", "least"), ("rough", "smooth"),
    ("increasing", "decreasing"), ("continuous", "discontinuous"), ("even", "odd"), ("positive", "negative"),
    ("finite", "infinite quantity"), ("left", "right"),
)  # fmt: skip


def yes_and_no(offered: Options) -> tuple[int, int] | None:
    """Return the indices of yes (or true) and no (or false) where the options are these; else None."""
    if not 2 <= len(offered.texts) <= 3:
        return None
    yes = next((i for i, item in enumerate(offered.items) if item.words in _YES), None)
    no = next((i for i, item in enumerate(offered.items) if item.words in _NO), None)
    return None if yes is None or no is None else (yes, no)


def plain_word(text: str, yes: int, no: int) -> Polarity | None:
    """Read a sentence that begins with yes or no or calls the statement true or false."""
    if cue("both").search(text):
        return None
    if cue("brief yes").match(text):
        return Polarity(yes, 0.8)
    if cue("brief no").match(text):
        return Polarity(no, 0.8)
    begun = plain_start(text, yes, no)
    if begun is not None:
        return begun
    leaning = cue("leaning").findall(text)
    if leaning:
        return Polarity(yes if leaning[-1].lower() == "yes" else no, 0.8)
    if refuses(text) or cue("open question").search(text):
        return None
    if cue("said no").search(text):
        return Polarity(no, 0.85)
    if cue("said yes").search(text):
        return Polarity(yes, 0.85)
    return None


def plain_start(text: str, yes: int, no: int) -> Polarity | None:
    """Read a text that begins with yes or no."""
    if cue("plain yes").match(text):
        return Polarity(yes, 0.9)
    return Polarity(no, 0.9) if cue("plain no").match(text) else None


def restated(text: str, yes: int, no: int, asked: Question) -> Polarity | None:
    """Read a sentence that restates the question as a fact or denies it; its confidence grows with what it repeats."""
    if not asked.words or refuses(text) or text.rstrip().endswith("?") or cue("open question").search(text):
        return None
    main = cue("aside of a comparison").split(text, maxsplit=1)[0]
    share = overlap(main, asked)
    if share <= 0.5:  # the aside may be what answers
        main, share = text, overlap(text, asked)
    opposed = _opposed(main.lower(), asked.text)
    if _compares(asked.text) and not _compares(main.lower()) and not cue("negation").search(main):
        return None  # it names what is compared, and not how it compares
    if share < 0.4 or (share <= 0.5 and len(asked.words) < 5 and not opposed):
        return None  # it speaks of the same thing, and may say anything of it
    denied = (len(cue("negation").findall(main)) - len(cue("negation").findall(asked.text))) % 2 == 1
    denied ^= opposed ^ _exchanged(text, asked.text)
    return Polarity(no if denied else yes, 0.4 + 0.4 * share)


def concluded(text: str, yes: int, no: int, asked: Question) -> Polarity | None:
    """Read the clause that ends a derivation with a denial in the question's words: "so he does not have enough"."""
    clause = cue("so").split(text)[-1]
    if (
        (len(clause) == len(text) and not begins_conclusion(text))
        or refuses(text)
        or cue("open question").search(clause)
    ):
        return None
    if not cue("denied verb").search(clause) or overlap(clause, asked) < 0.2 or cue("denied verb").search(asked.text):
        return None
    return Polarity(no, 0.7)


def _exchanged(said: str, asked: str) -> bool:
    """Tell whether a comparison names the two sides of the question's the other way round."""
    a, b = cue("than").search(said), cue("than").search(asked)
    if a is None or b is None:
        return False
    left, right = content(a[1]) - content(a[2]), content(a[2]) - content(a[1])
    first, second = content(b[1]) - content(b[2]), content(b[2]) - content(b[1])
    return bool(left and right and left <= second and right <= first)


def _compares(text: str) -> bool:
    return any(cue(kind).search(text) for kind in _KINDS)


def _opposed(said: str, asked: str) -> bool:
    for pair in _OPPOSITES:
        for a, b in (pair, pair[::-1]):
            x, y = cue(a), cue(b)
            if x.search(asked) and not y.search(asked) and y.search(said) and not x.search(said):
                return True
    return False


def option_compared(text: str, offered: Options) -> Polarity | None:
    """Read a comparison in words where the options are "larger than", "equal to", "smaller than" or the like."""
    kinds = {}
    for i, item in enumerate(offered.items):
        for name in _KINDS:
            if cue(name).search(item.words) and len(item.words.split()) <= 3:
                kinds[name] = i
    if len(kinds) < 2 or len(kinds) != len(offered.texts) or refuses(text) or cue("negation").search(text):
        return None
    lowered = text.lower()
    if "same" in kinds and _FORMULA_SAME.fullmatch(lowered):
        return Polarity(kinds["same"], 0.8)
    found = [name for name in _KINDS if cue(name).search(lowered)]
    return Polarity(kinds[found[0]], 0.8) if len(found) == 1 and found[0] in kinds else None
