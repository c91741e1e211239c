"""The option with which a response ends, or which it sets in bold, without announcing an answer."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers.claims import EQUALS, Asking, Claim, sentence
from mmmath_tasks.metrics.answers.letters import PICTURE, letters_in
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.mentions import mentions
from mmmath_tasks.metrics.answers.options import LETTERS, Options, matching
from mmmath_tasks.metrics.answers.question import names, nearness, overlap
from mmmath_tasks.metrics.answers.refusals import denies, refuses, rejects
from mmmath_tasks.metrics.answers.sentences import LETTER_MARK, Sentence, begins_conclusion

_BOLD = re.compile(r"\*\*([^*\n]{1,120}?)[.,:;]?\*\*")
# "27, which is C"
_BEHIND_COMMA = re.compile(r"(?<=[\d$\u00b0]),\s[^=\d]*$")
_TICKS = "\u2713\u2714\u2705"
# "D: four odd corners ✗"
_TICKED = re.compile(
    rf"[\s*(-]*(?:(?i:option|{PICTURE})\s)?([A-H])[).:*\s].*([{_TICKS}\u2717\u2718\u274c\u2715\u2716])[\ufe0f\s.*)]*$",
    re.S,
)


def bold(parts: list[Sentence], asking: Asking) -> Claim | None:
    """Return the only option in bold, where no other sentence is nearer to the question."""
    found = [
        (
            1.0
            if begins_conclusion(p.text) or (p is parts[-1] and p.text.strip(" .").endswith(m[0]))
            else overlap(p.text, asking.question),
            i,
            p.text,
        )
        for p in parts
        for m in _BOLD.finditer(p.text)
        if (i := matching(m[1], asking.offered)) is not None
    ]
    named = {i for _, i in mentions(parts[-1].text, asking.offered)}
    if found and found[0][0] < 1 and len(named) == 1 and named != {found[0][1]}:
        return None  # the last sentence names another
    nearest = max((overlap(p.text, asking.question) for p in parts), default=0.0)
    if len({i for _, i, _ in found}) != 1 or found[0][0] < nearest:
        return None
    return Claim(found[0][1], found[0][2], "bold", 0.8)


def last_value(parts: list[Sentence], asking: Asking) -> Claim | None:
    """Return the option with which the last sentence ends, alone or behind a sign of equality.

    It is not the answer where an earlier sentence is nearer to the question and names another: "Indeed 2(7) + 1 = 15."
    """
    last, offered = parts[-1].text, asking.offered
    if LETTER_MARK.match(last) or refuses(last):
        return None
    if not offered.valued:
        whole = None if offered.lettered else matching(last, offered)
        return None if whole is None else Claim(whole, last, "last_value", 0.85)
    *chain, end = EQUALS.split(_BEHIND_COMMA.sub("", last))
    found = matching(end, offered) if len(end) < 60 else None
    if found is None and len(chain) > 1 and re.search(r"\d", end):
        found = matching(chain[-1], offered) if len(chain[-1]) < 60 else None  # "= 1/3 = 0.333"
    ours = asking.question.named & names(last) or last.lstrip().startswith("=")
    if found is None or (not ours and _named_nearer(parts, found, asking)):
        return None
    return Claim(found, last, "last_value", 0.85)


def _named_nearer(parts: list[Sentence], found: int, asking: Asking) -> bool:
    near = nearness(parts[-1].text, asking.question)
    for part in parts[:-1]:
        if nearness(part.text, asking.question) > near:
            claim = sentence(part.text, "sentence", asking)
            if claim is not None and claim.choice not in (None, found):
                return True
    return False


def ticked(parts: list[Sentence], offered: Options) -> Claim | None:
    """Return the only option with a tick behind it, where others have a cross."""
    lines: list[str] = []
    for part in parts:
        if lines and not re.search(r"\w", part.text):
            lines[-1] += part.text
        else:
            lines.append(part.text)
    marks = [(m[1], m[2] in _TICKS, line) for line in lines if (m := _TICKED.match(line)) and m[1] in offered.letters]
    ticks = {letter: line for letter, tick, line in marks if tick}
    if len(ticks) != 1 or len({mark[0] for mark in marks}) < 2:
        return None
    (letter, line), *_ = ticks.items()
    return Claim(offered.letters.index(letter), line, "tick", 0.8)


def undecided(text: str, offered: Options) -> bool:
    """Tell whether a sentence leaves it at two options: "it could be D or it could be E"."""
    named = {letter for _, letter, _ in letters_in(text, offered)}
    if offered.lettered and refuses(text):
        named |= {LETTERS[i] for _, i in mentions(text, offered)}
    return len(named) > 1 and re.search(r"\bor\b", text) is not None


def none_of_them(offered: Options, said: str) -> Claim | None:
    """Return the option that says "none of the above", as a sentence does, where there is one."""
    found = [i for i, text in enumerate(offered.texts) if rejects(text) or cue("none of these").match(text)]
    return Claim(found[0], said, "none", 0.7) if len(found) == 1 else None


def impossible(last: str, asking: Asking) -> Claim | None:
    """Return the only option that says that it cannot be, where the last sentence does and names no other."""
    found = [
        i
        for i, text in enumerate(asking.offered.texts)
        if denies(text) and not refuses(text) and not cue("none of these").match(text)
    ]
    if len(found) != 1 or not denies(last) or refuses(last) or denies(asking.question.text):
        return None
    if not {i for _, i in mentions(last, asking.offered)} <= set(found):
        return None
    return Claim(found[0], last, "none", 0.7)


def unknown(parts: list[Sentence], offered: Options) -> Claim | None:
    """Return the option that says that nothing can be known where the first or the last sentence says so."""
    found = [i for i, text in enumerate(offered.texts) if refuses(text)]
    said = refuses(parts[0].text) or refuses(parts[-1].text)
    return Claim(found[0], parts[-1].text, "sentence", 0.8) if said and len(found) == 1 else None
