"""Yes or no, more or less: what a sentence says of the question where the options are such words."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.options import Options
from mmmath_tasks.metrics.answers.picks import SO
from mmmath_tasks.metrics.answers.question import Question, content, overlap
from mmmath_tasks.metrics.answers.refusals import refuses
from mmmath_tasks.metrics.answers.sentences import begins_conclusion


class Polarity(NamedTuple):
    """The option a sentence amounts to, and how sure that is (0.9 plain word, 0.5 to 0.8 restated question)."""

    choice: int
    confidence: float


_YES = {"yes", "true", "correct", "right"}
_NO = {"no", "false", "incorrect", "wrong"}
# "black is larger"
_MORE = re.compile(r"\b(?:larger|greater|bigger|higher|more|above|exceeds?|longer|taller|heavier|older)\b|>")
# "black is smaller"
_LESS = re.compile(r"\b(?:smaller|less|lower|fewer|below|shorter|lighter|younger)\b|<")
# "the two are equal"
_SAME = re.compile(r"\b(?:equal|equals|same|identical|equivalent)\b")
# "f(2) = f(3)"
_FORMULA_SAME = re.compile(r"\W*[a-z]\([^()]*\)\s*=\s*[a-z]\([^()]*\)\W*")
_OPPOSITES = [
    (_MORE, _LESS),
    (_MORE, _SAME),
    (_LESS, _SAME),
    (
        # "the largest"
        re.compile(r"\b(?:maxim(?:um|al)|highest|largest|most|greatest|biggest)\b"),
        # "the fewest"
        re.compile(r"\b(?:minim(?:um|al)|lowest|smallest|least|fewest)\b"),
    ),
    (re.compile(r"\brough(?:er|est)?\b"), re.compile(r"\bsmooth(?:er|est)?\b")),
    (re.compile(r"\bincreas\w+"), re.compile(r"\bdecreas\w+")),
    (re.compile(r"\bcontinuous\b"), re.compile(r"\b(?:discontinuous|discontinuity)\b")),
    (re.compile(r"\beven\b"), re.compile(r"\bodd\b")),
    (re.compile(r"\bpositive\b"), re.compile(r"\bnegative\b")),
    (re.compile(r"\bfinite\b"), re.compile(r"\binfinite\b")),
    (re.compile(r"\bleft\b"), re.compile(r"\bright\b")),
]
# "Yes, because"
_PLAIN_YES = re.compile(r"^\W*(?:yes|yeah|true|correct(?! ?:)|indeed)\b|^[\W]*\u662f\u7684", re.I)
# "No, because"
_PLAIN_NO = re.compile(
    r"^\W*(?:no|nope|false|incorrect)\b(?! (?:information|data|one|other|matter|answer|image|need)\b)"
    r"|^\W*\u4e0d(?:\u662f|,)",
    re.I,
)
# "the statement is not true"
_SAID_NO = re.compile(
    r"\b(?:is|are|be|statement|answer)\s+(?:therefore |thus |also )?"
    r"(?:false|incorrect|not (?:true|correct)|untrue|wrong)\b"
    r"|(?:answer|is|be|so|:)\s*[\"'(]*no\b[\"')]*\s*(?:[.,]|$)",
    re.I,
)
# "so the answer is yes"
_SAID_YES = re.compile(
    r"(?:\b(?:is|are|be)|'s)\s+(?:therefore |thus |also |indeed )?(?:true|correct)\b|(?:answer|is|be|:)\s*[\"'(]*yes\b",
    re.I,
)
# "it fails to"
_NEGATION = re.compile(r"\b(?:not|no|neither|nor|never|none|cannot|fails? to|lacks?)\b|n't\b", re.I)
# "yes, because"
_ASIDE = re.compile(
    r"(?<=\w),? (?:as|because|since|while|whereas|although|but|so|which|with the|given|meaning|indicating)\b|;", re.I
)
# "doesn't"
_DENIED_VERB = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|can|could|will|would)(?: not|n't)\b|\bcannot\b", re.I
)
# "so yes."
_LEANING = re.compile(
    r"(?:[<>=\u2264\u2265]\s?-?[\d.]+\s?(?:\u2192|->|=>|\\(?:R|r)ightarrow)"
    r"|\b(?:likely|probably|(?:i|we)(?:'d| would)? (?:say|think|guess|believe)|lean(?:ing)? (?:towards?|to)"
    r"|go with|but|so)\b)[,:]?\s+[\"'(*]*(yes|no)"
    r"[\"')*]*\s*(?:[.,:;!]|$)",
    re.I,
)
# "yes and no"
_BOTH = re.compile(r"\byes (?:and|or) no\b|\bboth\b[^.\n]{0,20}\byes\b[^.\n]{0,20}\bno\b", re.I)
# "It does."
_BRIEF_YES = re.compile(
    r"\W*(?:(?:it|they|he|she|this|that) (?:is|are|does|do|has|have|can)|of course|certainly|definitely"
    r"|\u662f|\u5bf9)\W*$",
    re.I,
)
# "It does not."
_BRIEF_NO = re.compile(
    r"\W*(?:(?:definitely |certainly |probably |of course )?not(?: really| at all)?|i don't think so"
    r"|\u5426|\u4e0d|\u4e0d\u5bf9|(?:it|that)'s not"
    r"|(?:it|they|he|she|this|that) (?:is|are|does|do|has|have|can)(?: not|n't|not))\W*$",
    re.I,
)
# "it depends"
_HEDGED = re.compile(r"\b(?:whether|if|unless|depends?|would need|may or may not|it seems|is asking)\b", re.I)


def yes_and_no(offered: Options) -> tuple[int, int] | None:
    """Return the indices of yes (or true) and no (or false) where the options are these; else None."""
    if not 2 <= len(offered.texts) <= 3:
        return None
    yes = next((i for i, item in enumerate(offered.items) if item.words in _YES), None)
    no = next((i for i, item in enumerate(offered.items) if item.words in _NO), None)
    return None if yes is None or no is None else (yes, no)


def plain_word(text: str, yes: int, no: int) -> Polarity | None:
    """Read a sentence that begins with yes or no or calls the statement true or false."""
    if _BOTH.search(text):
        return None
    if _BRIEF_YES.match(text):
        return Polarity(yes, 0.8)
    if _BRIEF_NO.match(text):
        return Polarity(no, 0.8)
    begun = plain_start(text, yes, no)
    if begun is not None:
        return begun
    leaning = _LEANING.findall(text)
    if leaning:
        return Polarity(yes if leaning[-1].lower() == "yes" else no, 0.8)
    if refuses(text) or _HEDGED.search(text):
        return None
    if _SAID_NO.search(text):
        return Polarity(no, 0.85)
    if _SAID_YES.search(text):
        return Polarity(yes, 0.85)
    return None


def plain_start(text: str, yes: int, no: int) -> Polarity | None:
    """Read a text that begins with yes or no."""
    if _PLAIN_YES.match(text):
        return Polarity(yes, 0.9)
    return Polarity(no, 0.9) if _PLAIN_NO.match(text) else None


def restated(text: str, yes: int, no: int, asked: Question) -> Polarity | None:
    """Read a sentence that restates the question as a fact or denies it; its confidence grows with what it repeats."""
    if not asked.words or refuses(text) or text.rstrip().endswith("?") or _HEDGED.search(text):
        return None
    main = _ASIDE.split(text, maxsplit=1)[0]
    share = overlap(main, asked)
    if share <= 0.5:  # the aside may be what answers
        main, share = text, overlap(text, asked)
    opposed = _opposed(main.lower(), asked.text)
    if _compares(asked.text) and not _compares(main.lower()) and not _NEGATION.search(main):
        return None  # it names what is compared, and not how it compares
    if share < 0.4 or (share <= 0.5 and len(asked.words) < 5 and not opposed):
        return None  # it speaks of the same thing, and may say anything of it
    denied = (len(_NEGATION.findall(main)) - len(_NEGATION.findall(asked.text))) % 2 == 1
    denied ^= opposed ^ _exchanged(text, asked.text)
    return Polarity(no if denied else yes, 0.4 + 0.4 * share)


def concluded(text: str, yes: int, no: int, asked: Question) -> Polarity | None:
    """Read the clause that ends a derivation with a denial in the question's words: "so he does not have enough"."""
    clause = SO.split(text)[-1]
    if (len(clause) == len(text) and not begins_conclusion(text)) or refuses(text) or _HEDGED.search(clause):
        return None
    if not _DENIED_VERB.search(clause) or overlap(clause, asked) < 0.2 or _DENIED_VERB.search(asked.text):
        return None
    return Polarity(no, 0.7)


# "the red bar is longer than the blue bar."
_THAN = re.compile(
    r"(?:^|[:,;]\s|\b(?:is|are|was|were|does|do|did|that)\s)\s*(?:the )?([\w' -]{1,50}?)\s+"
    r"(?:(?:is|are|was|were|has|have|had)\s+)?(?:\w{2,}er|(?:more|less|fewer)(?: [\w-]+){0,3}) than\s+"
    r"([\w' -]{1,50}?)(?=\s+(?:in|of|by|at|on)\s|[.?,;:]|$)",
    re.I,
)


def _exchanged(said: str, asked: str) -> bool:
    """Tell whether a comparison names the two sides of the question's the other way round."""
    a, b = _THAN.search(said), _THAN.search(asked)
    if a is None or b is None:
        return False
    left, right = content(a[1]) - content(a[2]), content(a[2]) - content(a[1])
    first, second = content(b[1]) - content(b[2]), content(b[2]) - content(b[1])
    return bool(left and right and left <= second and right <= first)


def _compares(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_MORE, _LESS, _SAME))


def _opposed(said: str, asked: str) -> bool:
    for pair in _OPPOSITES:
        for a, b in (pair, pair[::-1]):
            if a.search(asked) and not b.search(asked) and b.search(said) and not a.search(said):
                return True
    return False


def option_compared(text: str, offered: Options) -> Polarity | None:
    """Read a comparison in words where the options are "larger than", "equal to", "smaller than" or the like."""
    kinds = {}
    for i, item in enumerate(offered.items):
        for name, pattern in (("more", _MORE), ("less", _LESS), ("same", _SAME)):
            if pattern.search(item.words) and len(item.words.split()) <= 3:
                kinds[name] = i
    if len(kinds) < 2 or len(kinds) != len(offered.texts) or refuses(text) or _NEGATION.search(text):
        return None
    lowered = text.lower()
    if "same" in kinds and _FORMULA_SAME.fullmatch(lowered):
        return Polarity(kinds["same"], 0.8)
    found = [name for name, pattern in (("more", _MORE), ("less", _LESS), ("same", _SAME)) if pattern.search(lowered)]
    return Polarity(kinds[found[0]], 0.8) if len(found) == 1 and found[0] in kinds else None
