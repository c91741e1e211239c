"""What grows, shrinks, stays or dies out: options that say so, and sentences that say it in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.options import Options, words
from mmmath_tasks.metrics.answers.question import Question, content, stem, vocabulary

_DIRECTIONS = {
    "up": r"increas\w*|gr[eo]w\w*|ris(?:e|es|ing)|rose|expand\w*|multipl(?:y|ies)|thriv\w*|more|go(?:es)? up|soar\w*"
    r"|surg\w+",
    "down": r"decreas\w*|declin\w*|drop\w*|fall\w*|fell|reduc\w*|shrink\w*|dwindl\w*|diminish\w*|fewer|less|lower"
    r"|go(?:es)? down",
    "same": r"same|constant|unchanged|unaffected|stable|no (?:change|effect)|nothing"
    r"|(?:not|\w+n't) (?:be affected|change|affect)\w*",
    "gone": r"extinct\w*|di(?:e|es|ed)(?: out)?|disappear\w*|vanish\w*|perish\w*|starv\w* to death",
}
# "the mice would decline"
_DIRECTION = re.compile("|".join(rf"(?P<{name}>\b(?:{forms})\b)" for name, forms in _DIRECTIONS.items()))
_NO_SUBJECT = frozenset(
    stem(word)
    for word in vocabulary(
        "the a an number population amount supply size will would may might most likely numerous be become of in and "
        "or their its it remain stay then to there also out up down effect change ecosystem this that happen them they"
    )
)


def trend(text: str, offered: Options, asked: Question) -> int | None:
    """Return the option that a sentence amounts to: "fewer ducks" is "The number of ducks will decrease".

    Returns:
        the option's index; None where the options are no such statements or the sentence tells no one of them.
    """
    wanted = [_statement(item.words) for item in offered.items]
    known = [w for w in wanted if w is not None]
    if len(known) < 2 or 2 * len(known) < len(wanted):
        return None
    if not any(subject for _, subject in known):  # "increase", "stay the same": what the first clause says
        subject = _subject(asked)
        others = asked.words - subject if subject else frozenset()
        statements = [
            s for c in _clauses(cue("leading condition").sub("", text).lower()) if (s := _statement(words(c)))
        ]
        meant = [s for s in statements if s[1] & subject] or [s for s in statements if not s[1] & others]
        told = next(iter(meant), None)
        same = [i for i, w in enumerate(wanted) if told is not None and w is not None and w[0] == told[0]]
        denied = cue("negation").search(cue("unchanged").sub("", text))
        return same[0] if len(same) == 1 and not denied and not cue("either way").search(text) else None
    found = set()
    for clause in _clauses(cue("leading condition").sub("", text).lower()):
        noun = cue("trend as a noun").search(clause)
        said = _statement(words(noun[1] if noun else clause))
        if said is None or (said[0] != "same" and cue("negation").search(clause)):
            continue
        found |= {i for i, w in enumerate(wanted) if w is not None and w[0] == said[0] and w[1] and w[1] <= said[1]}
    return found.pop() if len(found) == 1 else None


def _subject(asked: Question) -> frozenset[str]:
    """Return what a question asks the fate of: "What happens to the mice if the owls die out?" asks it of the mice."""
    return (
        content(cue("trend condition").split(asked.text)[0] if cue("happens").search(asked.text) else "") - _NO_SUBJECT
    )


@lru_cache(maxsize=2048)
def _statement(text: str) -> tuple[str, frozenset[str]] | None:
    """Return the one direction of a statement and the stems of what it speaks of; None where it has no one."""
    directions = {m.lastgroup for m in _DIRECTION.finditer(text)}
    if len(directions) != 1:
        return None
    rest = _DIRECTION.sub(" ", text).split()
    return str(directions.pop()), frozenset(map(stem, rest)) - _NO_SUBJECT


def _clauses(text: str) -> Iterator[str]:
    """Cut a sentence where a conjunction does, and at commas behind which a new statement stands."""
    for part in cue("clause of a trend").split(text):
        clause = ""
        for piece in part.split(","):
            clause += " " + piece
            if _DIRECTION.search(piece):
                yield clause
                clause = ""
