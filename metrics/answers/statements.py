"""What a sentence says in other words than the options: yes or no, more or less, a trend, a relation, a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.lexicon import cue, refuses
from mmmath_tasks.metrics.answers.options import Options, words
from mmmath_tasks.metrics.answers.records import Question, content, overlap, stem, vocabulary
from mmmath_tasks.metrics.answers.sentences import begins_conclusion

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
    said = [item.words for item in offered.items] if len(offered.texts) <= 3 else []
    yes, no = (next((i for i, text in enumerate(said) if text in known), None) for known in (_YES, _NO))
    return None if yes is None or no is None else (yes, no)


def plain_word(text: str, yes: int, no: int) -> int | None:
    """Read a sentence that begins with yes or no or calls the statement true or false."""
    begun = plain_start(text, yes, no)
    if begun is not None:
        return begun
    leaning = cue("leaning").findall(text)
    if leaning and not cue("yes and no offered").search(text):
        return yes if leaning[-1].lower() == "yes" else no
    if refuses(text) or cue("yes and no offered").search(text) or cue("open question").search(text):
        return None
    return no if cue("said no").search(text) else yes if cue("said yes").search(text) else None


def plain_start(text: str, yes: int, no: int) -> int | None:
    """Read a text that begins with yes or no."""
    return yes if cue("plain yes").match(text) else no if cue("plain no").match(text) else None


def restated(text: str, yes: int, no: int, asked: Question) -> tuple[int, float] | None:
    """Read a sentence that restates the question as a fact or denies it, and how sure that is by what it repeats.

    So does the clause that ends a derivation with a denial: "so he does not have enough".
    """
    if refuses(text) or text.rstrip().endswith("?") or cue("open question").search(text):
        return None
    *before, clause = cue("so").split(text)
    denied = (before or begins_conclusion(text)) and cue("denied verb").search(clause) and overlap(clause, asked) >= 0.2
    concluded = (no, 0.7) if denied else None
    main = cue("aside of a comparison").split(text, maxsplit=1)[0]
    share = overlap(main, asked)
    if share <= 0.5:  # the aside may be what answers
        main, share = text, overlap(text, asked)
    opposed = _opposed(main.lower(), asked.text)
    if _compares(asked.text) and not _compares(main.lower()):
        return concluded  # it names what is compared, and not how it compares
    if share < 0.4 or (share <= 0.5 and len(asked.words) < 5 and not opposed):
        return concluded  # it speaks of the same thing, and may say anything of it
    negated = (len(cue("negation").findall(main)) - len(cue("negation").findall(asked.text))) % 2 == 1
    return no if negated ^ opposed ^ _exchanged(text, asked.text) else yes, 0.4 + 0.4 * share


def _exchanged(said: str, asked: str) -> bool:
    """Tell whether a comparison begins with what stands behind "than" in the question's."""
    a, b = cue("than").search(said), cue("than").search(asked)
    left = content(a[1]) - content(a[2]) if a and b else frozenset()
    return bool(b and left and left <= content(b[2]) - content(b[1]))


def _compares(text: str) -> bool:
    return any(cue(kind).search(text) for kind in _KINDS)


def _opposed(said: str, asked: str) -> bool:
    pairs = ((cue(a), cue(b)) for pair in _OPPOSITES for a, b in (pair, pair[::-1]))
    return any(x.search(asked) and not y.search(asked) and y.search(said) and not x.search(said) for x, y in pairs)


def option_compared(text: str, offered: Options) -> int | None:
    """Read a comparison in words where the options are "larger than", "equal to", "smaller than" or the like."""
    brief = [(i, item.words) for i, item in enumerate(offered.items) if item.words.count(" ") < 3]
    kinds = {name: i for i, said in brief for name in _KINDS if cue(name).search(said)}
    lowered = text.lower()
    if len(kinds) < 2 or cue("negation").search(text):
        return None
    if _FORMULA_SAME.fullmatch(lowered):
        return kinds.get("same")
    found = [name for name in _KINDS if cue(name).search(lowered)]
    return kinds.get(found[0]) if len(found) == 1 else None


_DIRECTIONS = ("goes up", "goes down", "stays", "is gone")


@cache
def _direction() -> re.Pattern[str]:
    return re.compile("|".join(f"({lexicon.either(role)})" for role in _DIRECTIONS))


_LIGHT = vocabulary(
    "the a an number population amount supply size will would may might most likely numerous be become of in and or "
    "their its it remain stay then to there also out up down effect change ecosystem this that happen them they"
)
_NO_SUBJECT = frozenset(map(stem, _LIGHT))


def trend(text: str, offered: Options, asked: Question) -> int | None:
    """Return the option that a sentence amounts to: "fewer ducks" is "The number of ducks will decrease".

    None where the options are no such statements or the sentence tells no one of them.
    """
    wanted = [(i, known) for i, item in enumerate(offered.items) if (known := _statement(item.words))]
    if len(wanted) < 2 or cue("either way").search(text):
        return None
    said = []
    for clause in _clauses(cue("leading condition").sub("", text).lower()):
        statement = _statement(words(clause))
        if statement and not cue("negation").search(cue("unchanged").sub("", clause)):
            said.append(statement)
    if not any(subject for _, (_, subject) in wanted):  # "increase", "stay the same": what the first clause says
        # "What happens to the mice if the owls die out?" asks it of the mice.
        condition = asked.text if cue("happens").search(asked.text) else ""
        others = asked.words - content(cue("trend condition").split(condition)[0]) if condition else frozenset()
        said = [s for s in said if not s[1] & others][:1]
    found = {i for way, about in said for i, known in wanted if known[0] == way and known[1] <= about}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=2048)
def _statement(text: str) -> tuple[str, frozenset[str]] | None:
    """Return the one direction of a statement and the stems of what it speaks of; None where it has no one."""
    directions = {_DIRECTIONS[(m.lastindex or 1) - 1] for m in _direction().finditer(text)}
    if len(directions) != 1:
        return None
    rest = _direction().sub(" ", text).split()
    return directions.pop(), frozenset(map(stem, rest)) - _NO_SUBJECT


def _clauses(text: str) -> Iterator[str]:
    """Cut a sentence where a conjunction does, and at commas behind which a new statement stands."""
    for part in cue("clause of a trend").split(text):
        clause = ""
        for piece in part.split(","):
            clause += " " + piece
            if _direction().search(piece):
                yield clause
                clause = ""


_SIGNS = {"greater": ">", "larger": ">", "bigger": ">", "more": ">", "less": "<", "smaller": "<", "fewer": "<"}
# "2x + y"
_SUM = r"[\w.\u00b0]+(?:\s?[-+*/]\s?[\w.\u00b0]+)*"
# "they satisfy b < a < c"
_ENDS_IN_RELATION = re.compile(
    rf"(?:(?<!would )\b[a-z]{{2,}}|[:,])\s+(-?{_SUM}(?:\s?[<=>\u2264\u2265]\s?-?{_SUM}){{1,2}})$"
)


def relations_said(text: str) -> list[str]:
    """Return the relations with which a sentence ends, in signs: "x>3" for "we see that x is greater than 3"."""
    related, ends = cue("related").search(text), _ENDS_IN_RELATION.search(text)
    said = []
    if related and not cue("denied relation").search(text):
        said.append(related[1] + _SIGNS.get(related[2].split()[0].lower(), "=") + related[3])
    if ends:
        said.append(ends[1])
    return said


def without_denial(text: str) -> str:
    """Return a sentence without its full stop and without what it says not to be: "x = 3, not x = 4."."""
    return cue("not this").sub("", text)


# "3:30"
_TIME = re.compile(r"(?<![\d:.])(\d{1,2})\s?[:.]\s?([0-5]\d)(?![\d:])")
_QUARTERS = {
    "o'clock": (0,), "quarter past": (15,), "quarter after": (15,), "half past": (30,), "half": (30,),
    "quarter to": (45,), "quarter before": (45,), "quarter": (15, 45),
}  # fmt: skip
# "a quarter past eight", "8 o'clock"
_SPOKEN = re.compile(r"\b(?:(half|twenty-five|[a-z]+) (past|after|to|before) )?([a-z]+|\d{1,2})\b( o'?clock)?")


def told_time(text: str, offered: Options) -> int | None:
    """Return the option that a time amounts to which is in words where they are in digits, or the other way round.

    "A quarter to eight" is 7:45, and 3:30 is "half" past three; None where the text tells no one such time.
    """
    digits = [m for m in map(_TIME.fullmatch, offered.texts) if m]
    if len(digits) < len(offered.texts):
        minutes = {int(m[2]) for m in _TIME.finditer(text)}
        told = minutes.pop() if len(minutes) == 1 else None
        return next((i for i, item in enumerate(offered.items) if told in _QUARTERS.get(item.words, ())), None)
    said = set()
    ones = lexicon.values("ones") | {"half": 30, "quarter": 15, "twenty": 20, "twenty-five": 25}
    for part, side, named, full in _SPOKEN.findall(text.lower()):
        hour, minute = int(named) if named.isdigit() else ones.get(named, 0), ones.get(part, 0)
        if hour and (minute or full):
            said.add((hour - 1 or 12, 60 - minute) if side in {"to", "before"} else (hour, minute))
    found = [i for i, m in enumerate(digits) if (int(m[1]), int(m[2])) in said]
    return found[0] if len(said) == 1 == len(found) else None
