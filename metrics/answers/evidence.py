"""What in a response speaks for an option, one kind of evidence after the other: each finds its claim or none."""

from __future__ import annotations

import re
from itertools import pairwise

from mmmath_tasks.metrics.answers import statements
from mmmath_tasks.metrics.answers.claims import EQUALS, NAMES_LETTER, Asking, Claim, left_open, lists, sentence, span
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.letters import END_PICTURE, PICTURE, letter_at_end, letter_at_start, letters_in
from mmmath_tasks.metrics.answers.lexicon import beyond, cue, denies, refuses, rejects
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.options import LETTERS, Options, matching, mentions, words
from mmmath_tasks.metrics.answers.records import BLANK, nearness, overlap
from mmmath_tasks.metrics.answers.response import Response
from mmmath_tasks.metrics.answers.sentences import (
    LETTER_MARK,
    Sentence,
    announcements,
    begins_conclusion,
    cut_off,
)

NOTHING = Claim(None, "", "")
"""The response commits to no option, whatever else stands in it."""


def options_again(response: Response) -> Claim | None:
    """Read what is announced before the whole list of options, where a response ends with it again."""
    parts, count = response.parts, len(response.offered.texts)
    marks = [LETTER_MARK.match(p.text) for p in parts[-count:]]
    again = [matching(m.string[m.end() :], response.offered) for m in marks if m]
    return announced_in(parts[:-count], response.asking) or NOTHING if again == [*range(count)] else None


def question_again(response: Response) -> Claim | None:
    """Find nothing in the question, the list of options or yes and no, where they are said again and no more."""
    parts = response.parts
    if not parts or lists(response.text, response.offered):  # or all that is said is what somebody else says
        return NOTHING
    if response.asking.yes_no is not None and len(cue("yes no alone").findall(response.text[:1_000])) > 3:
        return NOTHING  # "Yes. No. Yes. No."
    marks = [m[1] for m in (LETTER_MARK.match(p.text) for p in parts) if m]
    listed = LETTER_MARK.match(response.last) or len(response.last) < 6
    if listed and len(set(marks)) > 1 and len(marks) >= len(parts) - 2:
        return None if any(announcements(p.text) for p in parts) else NOTHING
    asked = response.asking.question
    asks = "?" in response.text and overlap(response.text, asked) > 0.7
    again = asks and all(p.text.rstrip().endswith("?") or words(p.text) in words(asked.text) for p in parts)
    return NOTHING if again else None


# "- **D (h = 9):** four odd corners \u2717"
_JUDGED_LETTER = re.compile(rf"[\s*(|-]*(?:(?i:option|\u9009\u9879|{PICTURE})\s?)?\(?([A-H])(?:[).:*\s|]|$)")
# "B: no. C: yes"
_IN_ONE_LINE = re.compile(r"(?<=[.;,\n\u2717\u2718\u274c\u2715\u2716\u2713\u2714\u2705])[\s*|]+(?=\(?[A-H][).:\s*|])")
# "- ✅ B: 4 cm"
_MARK_FIRST = re.compile(r"^[\s*(|>-]*([\u2717\u2718\u274c\u2715\u2716\u2713\u2714\u2705])\s*(\S.*)", re.S)
# "cube -> 6"
_BEFORE_VERDICT = re.compile(r"[:|(\u2192\u2713\u2714\u2705\u2717\u2718\u274c\u2715\u2716]|->|\s[-=]\s")


def judged(response: Response) -> Claim | None:
    """Read the only option that is called right, by a tick or a word, where others are called wrong.

    The one that remains counts where all others are.
    """
    if response.asking.yes_no is not None:
        return None
    right: dict[int, str] = {}
    wrong: set[int] = set()
    index = None
    said = (_MARK_FIRST.sub(r"\2 \1", part.text) for part in response.parts)
    for line in (line for text in said for line in _IN_ONE_LINE.split(text)):
        if re.search(r"\w", line):
            index = _judged_option(line, response.offered)
        if index is not None and cue("called wrong").search(line):
            wrong.add(index)
        elif index is not None and cue("called right").search(line):
            right[index] = line
    if len(right) == 1 and wrong - right.keys():
        return Claim(*right.popitem(), "tick")
    left = set(range(len(response.offered.texts))) - wrong
    if not wrong or len(left) != 1 or announced_in(response.parts, response.asking) is not None:
        return None
    return Claim(left.pop(), response.last, "tick")


def _judged_option(line: str, offered: Options) -> int | None:
    """Return the option with whose letter or text a line begins."""
    letter = _JUDGED_LETTER.match(line)
    if letter:
        return offered.index(letter[1])
    verdict = _BEFORE_VERDICT.search(line, 0, 60)
    return offered.by_words.get(words(line[: verdict.start()])) if verdict else None


def announced(response: Response) -> Claim | None:
    """Read the last announcement; what a last conclusion says where it announces no option."""
    claim = announced_in(response.parts, response.asking)
    if claim not in (None, NOTHING) and claim.choice is None and begins_conclusion(response.last):
        claim = sentence(response.last, "conclusion", response.asking) or claim
    return claim


def announced_in(parts: list[Sentence], asking: Asking) -> Claim | None:
    """Read the last of some sentences that announces the answer, unless a later conclusion replaces it."""
    unoffered = conditional = None
    for i in range(len(parts) - 1, -1, -1):
        said = parts[i].text
        if rejects(said) and not letter_at_end(said, asking.offered):
            if announcements(said):
                return _none_of_them(said, asking.offered) or NOTHING  # the answer is that there is none
            continue
        if (cue("heading").match(said) and i < len(parts) - 1) or cue("ruled out").match(said):
            continue
        for end in reversed(announcements(said)):
            rest = _behind(parts, i, end)
            if rest is None:
                continue
            claim = span(rest, asking)
            open_values = cue("two values").search(said) and not letters_in(said, asking.offered)
            if open_values or cue("two possible").search(said) or (claim is None and left_open(rest, asking.offered)):
                return NOTHING  # "The answers are A and D."
            if claim is not None and claim.choice is not None:
                claim = claim._replace(text=f"{said.removesuffix(rest)} {rest}")
                if not cue("supposes").search(said):
                    return _replaced(claim, parts[i + 1 :], asking.offered) or claim
                if (conditional or claim).choice != claim.choice or cue("otherwise").search(said):
                    return NOTHING  # "if ..., the answer is A; if not, the answer is B"
                conditional = claim
                continue
            unoffered = unoffered or claim
    if conditional is not None and cue("either one").search(parts[-1].text):
        return NOTHING
    return conditional or unoffered


def _behind(parts: list[Sentence], i: int, end: int) -> str | None:
    """Return what stands behind an announcement, in its sentence or the next one; None where nothing fits."""
    said = parts[i].text
    if re.search(r"\w", said[end:]):
        return said[end:]
    if said.rstrip(" *").endswith(".") or i + 1 >= len(parts) or cue("the choices").search(said):
        return None  # "... is what I choose.", "Comparing with the choices:"
    return parts[i + 1].text


def _replaced(claim: Claim, later: list[Sentence], offered: Options) -> Claim | None:
    """Return a later conclusion that names another option by its letter."""
    for part in reversed(later):
        if begins_conclusion(part.text):
            end = letter_at_end(part.text, offered)
            named = {index for _, index in letters_in(part.text, offered)} or ({end[1]} if end else set())
            if len(named) == 1 and not named & {claim.choice, None}:
                return Claim(named.pop(), part.text, "conclusion")
    return None


# "It is (_) past six.", "The fraction is ___ of the circle."
_BLANK = re.compile(rf"([^.?!]*?){BLANK}([^.?!_]*)")


def filled_in(response: Response) -> Claim | None:
    """Read the option that stands where the question leaves a blank, between the words around that."""
    blank = _BLANK.search(response.asking.question.text)
    before, behind = (words(part).split() for part in blank.groups()) if blank else ([], [])
    if not (before and behind):
        return None
    around = rf"{re.escape(' '.join(before[-2:]))} (.{{1,60}}) {re.escape(' '.join(behind[:2]))}\b"
    for part in reversed(response.parts):
        found = re.search(around, words(part.text.replace("**", "")))
        index = matching(found[1], response.offered) if found else None
        if index is not None:
            return Claim(index, part.text, "restated")
    return None


# "(25 would be twice as much, which is not among the options.)"
_ASIDE = re.compile(r"\s*\(.*\)[.\s]*", re.S)


def rejected(response: Response) -> Claim | None:
    """Read that no option is right: the one that says so, or nothing."""
    said = [p.text for p in response.parts[-3:] if not _ASIDE.fullmatch(p.text)]
    if letter_at_end(response.last, response.offered) or not any(map(rejects, said)):
        return None
    return _none_of_them(response.last, response.offered) or NOTHING


def _none_of_them(said: str, offered: Options) -> Claim | None:
    """Return the option that says "none of the above", where there is one."""
    found = [i for i, text in enumerate(offered.texts) if rejects(text) or cue("none of these").match(text)]
    return Claim(found[0], said, "none") if len(found) == 1 else None


def broken_off(response: Response) -> Claim | None:
    """Find nothing in a text that is cut off, but the yes or no with which it begins."""
    if not cut_off(response.parts):
        return None
    first, yes_no = response.parts[0].text, response.asking.yes_no
    said = statements.plain_start(first, *yes_no) if yes_no else None
    return NOTHING if said is None else Claim(said, first, "yes_no")


def yes_or_no(response: Response) -> Claim | None:
    """Read the last plain yes or no, and where the first or the last sentence declines the option that does."""
    yes_no = response.asking.yes_no
    if yes_no is None:
        return None
    for part in reversed(response.parts):
        named = {index for _, index in letters_in(part.text, response.offered)}
        if part is response.parts[-1] and len(named) == 1 and None not in named and not refuses(part.text):
            return Claim(named.pop(), part.text, "sentence")  # "Option B is correct" says no, and not yes
        said = None if named else statements.plain_word(part.text, *yes_no)
        if said is not None:
            return Claim(said, part.text, "yes_no")
    supposed = [cue("supposes").search(part.text) is not None for part in response.parts[-4:]]
    if (True, True) in pairwise(supposed) and not begins_conclusion(response.last):
        return NOTHING  # it says when it would be yes and when no, and not which
    unknown = [i for i, text in enumerate(response.offered.texts) if refuses(text)]
    declines = refuses(response.parts[0].text) or refuses(response.last)
    return Claim(unknown[0], response.last, "sentence") if declines and len(unknown) == 1 else None


# "either an acute triangle or a right one"
_EITHER_OR = re.compile(r"\beither\b[^.;\n]*\bor\b")
# "it might be B"
_MAY_BE = re.compile(r"\b(?:could|might|may|can) be \(?([A-H])\b")


def undecided(response: Response) -> Claim | None:
    """Find nothing where the last sentence leaves it at two: "it could be D or it could be E", "it is 12 or 15"."""
    last, offered = response.held, response.offered
    named = {letter for letter, _ in letters_in(last, offered)} | set(_MAY_BE.findall(last))
    two = len(named) > 1 and re.search(r"\bor\b", last)
    values = len(set(mentions(last, offered))) > 1 and (cue("undecided").search(last) or _EITHER_OR.search(last))
    values = values or (not named and cue("two values").search(last))
    return NOTHING if two or values or cue("two possible").search(last) else None


_IN_BOLD = re.compile(r"\*\*([^*\n]{1,120}?)[.,:;]?\*\*")


def in_bold(response: Response) -> Claim | None:
    """Read the only option in bold, unless the last sentence names another."""
    if "**" not in response.text:
        return None
    found: dict[int | None, str] = {}
    for part in response.parts:
        if "**" in part.text and not letters_in(part.text, response.offered):
            found |= {matching(bold, response.offered): part.text for bold in _IN_BOLD.findall(part.text)}
    found.pop(None, None)
    named = set(mentions(response.last, response.offered)) if found else set()
    if len(found) != 1 or (len(named) == 1 and named != set(found)):
        return None
    return Claim(*found.popitem(), "bold")


def impossible(response: Response) -> Claim | None:
    """Read that it cannot be, where a last conclusion says so."""
    last = response.last
    return cannot_be(response) if begins_conclusion(last) or cue("reasoned").match(last) else None


def cannot_be(response: Response) -> Claim | None:
    """Read the only option that says that it cannot be, where the last sentence does and names no other."""
    last, texts = response.last, response.offered.texts
    found = [i for i, text in enumerate(texts) if denies(text) and not cue("none of these").match(text)]
    if len(found) != 1 or not denies(last) or (NAMES_LETTER.search(last) and not response.offered.lettered):
        return None  # "It cannot be D."
    return Claim(found[0], last, "none") if set(mentions(last, response.offered)) <= set(found) else None


# "27, which is C"
_BEHIND_COMMA = re.compile(r"(?<=[\d$\u00b0]),\s[^=\d]*$")


# "= 12", "d = 3"
_DERIVED = re.compile(r"[\s$]*[A-Za-z]?\s*=")


# "6, which makes the diameter 12"
_WORDED = re.compile(r"\b[a-z]{4,}")


def last_value(response: Response) -> Claim | None:
    """Read the option with which the last sentence ends, alone or behind a sign of equality.

    It is not the answer where an earlier sentence is nearer to the question and names another: "Indeed 2(7) + 1 = 15."
    """
    last, offered, asked = response.last, response.offered, response.asking.question
    if offered.lettered or (len(response.parts) == 1 and "=" not in last):
        return None
    if not offered.valued:
        found = matching(last, offered)
        return None if found is None else Claim(found, last, "last_value")
    rather = cue("in other words").split(last)[-1]
    *chain, end = EQUALS.split(_BEHIND_COMMA.sub("", rather) if len(response.parts) > 1 else rather)
    found = matching(end, offered) if len(end) < 60 else None
    if found is None and len(chain) > 1 and not _WORDED.search(end):
        found = matching(chain[-1], offered)  # "= 1/3 = 0.333"
    if found is None:
        return None
    near = nearness(last, asked)
    for part in () if _DERIVED.match(last) else response.parts[:-1]:
        claim = sentence(part.text, "sentence", response.asking) if nearness(part.text, asked) > near else None
        if claim is not None and claim.choice not in (None, found):
            return None
    return Claim(found, last, "last_value")


def listed_values(response: Response) -> Claim | None:
    """Read the option whose values the last sentence gives in their order: "a = 7 dm and b = 3 dm" of "7, 3"."""
    given = [] if letters_in(response.held, response.offered) else [n.value for n in numbers(response.held)]
    offered = [[n.value for n in numbers(text)] for text in response.offered.texts] if len(given) > 1 else []
    found = [i for i, values in enumerate(offered) if values == given]
    return Claim(found[0], response.held, "last_value") if len(found) == 1 else None


# "the ratio is 3:1 (B)."
_ENDS_IN_LETTER = re.compile(r"(?<=\S)[\s,:;=$]*\(\s*([A-H])\s*\)[\s.$]*$")


def value_and_letter(text: str, offered: Options) -> int | None:
    """Return the option of which a line gives the text, maybe as a result, and then the letter: "x = 6 (B)"."""
    ends = _ENDS_IN_LETTER.search(text) if "\n" not in text else None
    if ends is None:
        return None
    said, letter = text[: ends.start()], LETTERS.index(ends[1])
    return letter if any(matching(part, offered) == letter for part in {said, said.rpartition("=")[2]}) else None


def last_letter(response: Response) -> Claim | None:
    """Read the letter with which the last sentence ends, or which it is."""
    last, offered = response.held, response.offered
    index = value_and_letter(undress(last), offered)
    if index is None:
        begins = letter_at_start(last, offered) if len(last.strip()) < 40 and len(response.discussed) < 4 else None
        letter = begins or letter_at_end(last, offered)
        index = None if letter is None else letter[1]
    return None if index is None else Claim(index, last, "last_letter")


# "I can't help with figure B", "it cannot be determined whether it is B"
_DECLINED = re.compile(r"\bI\b|\bdetermined\b")


def denied(response: Response) -> Claim | None:
    """Read what cannot be where that is asked for, "A can't be made", and what a sentence that declines still says."""
    last, asking = response.held, response.asking
    named = set(mentions(last, response.offered))
    if len(named) == 1 and denies(last) and denies(asking.question.text) and not _DECLINED.search(last):
        return Claim(named.pop(), last, "last_sentence")
    if refuses(last) and not letters_in(last, response.offered):
        return response.start or sentence(last, "last_sentence", asking) or NOTHING
    return None


def restated(response: Response) -> Claim | None:
    """Read a last sentence that restates the question with an option's value."""
    last, asking = response.held, response.asking
    if len(response.parts) < 2 or not response.offered.numeric or nearness(last, asking.question) < 0.5:
        return None
    claim = sentence(last, "restated", asking)
    return claim if claim is not None and claim.choice is not None else None


def concluded(response: Response) -> Claim | None:
    """Read the last conclusion."""
    drawn = (p.text for p in reversed(response.parts) if begins_conclusion(p.text))
    return next(filter(None, (sentence(text, "conclusion", response.asking) for text in drawn)), None)


def first_letter(response: Response) -> Claim | None:
    """Read the letter with which the response begins, unless it ends by restating the question with another answer."""
    last, asking = response.held, response.asking
    # "the others are wrong"
    others = re.search(r"\b(?:other|others|incorrect|wrong)\b", last)
    if response.start is None or asking.yes_no is not None or others or overlap(last, asking.question) < 0.5:
        return response.start
    return sentence(last, "restated", asking) or response.start


def nearest_sentence(response: Response) -> Claim | None:
    """Read the sentence nearest to the question: the first or the last where several are."""
    parts, asking, many = response.parts, response.asking, len(response.offered.texts)
    if len(response.discussed) > 2:  # one option after the other, and then what follows
        parts = [p for p in parts if letter_at_start(p.text, response.offered) is None] or parts
    if asking.yes_no is not None and any(refuses(p.text) for p in (parts[0], *parts[-2:])):
        return None
    found: list[tuple[float, Claim]] = []
    shares = [overlap(p.text, asking.question) for p in parts]
    for i, (part, share) in enumerate(zip(parts, shares, strict=True)):
        claim = sentence(beyond(part.text), "sentence", asking)
        if claim is None or claim.choice is None:
            continue
        ends = i == len(parts) - 1
        loosely = claim.weight <= 0.6 and len(parts) > 2 and share < 0.4 and not (ends and len(part.text) < 60)
        if loosely or (i > 0 and not ends and share < 0.25 and max(shares) > 0.6):
            continue  # named in passing
        first, last = (0.35, 0.1) if asking.yes_no else (0.15, 0.2)
        weight = claim.weight + 0.5 * share + 0.25 * bool(cue("so").search(part.text))
        found.append((weight + last * ends + first * (i == 0), claim))
    found.sort(key=lambda f: f[0], reverse=True)
    if len({claim.choice for _, claim in found if claim.rule == "trend"}) > 1:
        return None  # of several things it is said what becomes of them
    every = many > 2 and len({claim.choice for _, claim in found}) == many
    return None if not found or (every and found[0][0] - found[1][0] < 0.15) else found[0][1]


def last_picture(response: Response) -> Claim | None:
    """Read the picture with which the last sentence ends, whatever it says of it."""
    match = END_PICTURE.search(response.held) if response.offered.lettered else None
    index = response.offered.index(match["letter"]) if match else None
    return None if index is None else Claim(index, response.held, "last_letter")
