"""Where a text names an option by its letter or its place: at its start, at its end, anywhere in it."""

from __future__ import annotations

import re
from functools import cache

from mmmath_tasks.metrics.answers import lexicon
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.lexicon import cue
from mmmath_tasks.metrics.answers.options import LETTERS, Options, denied, matching, words
from mmmath_tasks.metrics.answers.sentences import announcements

# A letter that names an option: "(B)", "B)", "B.", "option B", "**B**", "B: text", a line "B".
# "Option (B): 5 cm"
_LETTER_START = re.compile(
    r"[\s\"'*_:.>$#\\\[(\u2020<-]*(?:(?:option|choice|letter|answer|\\text|\\textbf|\\mathrm|\\mathbf|\\boxed)\b[\s:{(*\"']*)*"
    r"[({\[<]*(?P<letter>(?a:(?-i:[A-Za-z])))(?P<close>[)\]}>]?)(?![A-Za-z0-9\u00c0-\u024f])(?!['\u2019]\w)"
    r"(?!(?<![\"'].)' [a-z])(?P<after>.{0,24})",
    re.I | re.S,
)


@cache
def _named() -> re.Pattern[str]:
    """Return the pattern of a letter that names an option: in brackets, in quotes, behind "option", as a subject."""
    return re.compile(
        # "B is correct"
        rf"(?<![A-Za-z'])(?P<subject>[A-H])(?={lexicon.either('subject')})"
        # "(B)"
        r"|(?<![A-Za-z0-9\\_^{])[(\[<]\s*(?P<letter>[A-Z])\s*[)\]>](?!\s*=|\w)"
        # "'B'"
        r"|(?<!\w)[\"'](?P<quoted>[A-H])[\"'](?!\w)"
        # "only graph B has"
        r"|\b[Oo]nly (?:[a-z]+ )?(?P<only>[A-H])"
        r"(?= (?:has|is|remains|shows|fits|matches|works|can|satisfies|contains)\b)"
        # "It is B because"
        r"|\b[Ii]t(?: is|'s| must be)\s+[(\"'*]*(?P<it>[A-H])(?=[)\"'*]*,? (?:because|since|as)\b)"
        # "Option: (B"
        r"|(?:\b[Oo]ption|\b[Cc]hoice|\bOPTION|\u9009\u9879?)\s*:?\s*[(\"'*]*(?P<named>[A-H])(?![A-Za-z0-9])"
    )


# "a square", "A 3 x 4 grid"
_ARTICLE_NEXT = re.compile(r"\s+(?:[a-z]{2,}|\d+(?:\s?[x\u00d7]|\s+[a-z]{3,}\s+[a-z]{2,}))")
# "C = 40", "A B"
_NAME_NEXT = re.compile(r"\s*(?:[=^_+/]|[A-Z]{1,2}\b)")


def letter_at_start(text: str, offered: Options) -> tuple[str, int | None] | None:
    """Return the letter that a text begins with, and its index (None: not offered); None where there is no letter.

    A lower-case letter counts only where it stands alone; "A" before a lower-case word is an article.
    """
    match = _LETTER_START.match(text)
    if match is None or cue("denied after letter").match(match["after"]):
        return None
    letter, after, close = match["letter"], match["after"].lstrip("$"), match["close"]
    if letter.islower():
        opened = text.startswith(("(", "["), max(0, match.start("letter") - 1))
        if after.strip(" .)]}*\"'$\n\\") and not (opened and close):
            return None
        letter = letter.upper()
    elif not close:
        article = _ARTICLE_NEXT.match(after)
        if article and (letter > "H" or (letter == "A" and not cue("not article").match(after))):
            return None  # "A 5 x 5 board with", "P is at (2, 1)": a point
        if _NAME_NEXT.match(after):
            return None
    return letter, offered.index(letter)


def letters_in(text: str, offered: Options) -> list[tuple[str, int | None]]:
    """Return the letters in brackets or after "option" in a text: (letter, index or None)."""
    found = []
    for match in _named().finditer(text):
        passing = match["only"] and not offered.lettered and not cue("suits").match(text, match.end())
        if not passing and not denied(text, match):
            letter = match[str(match.lastgroup)]
            found.append((letter, offered.index(letter)))
    return found


PICTURE = r"figure|diagram|picture|image|drawing|graph|shape|arrangement|pattern|path|piece|card|grid|net|view"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "last")
# "it must be the last one."
_END_PLACE = re.compile(
    r"(?:\b(?:it's|that's|is|are|(?:must|has to|could) be|looks? like|choose|pick|select|so|thus|therefore),?|[:=→]|^)"
    r"\s*(?:clearly |therefore |thus |only )?(?:the )?"
    rf"({'|'.join(_ORDINALS)})\s+({PICTURE}|option|choice|answer|one)[\s.!*]*$",
    re.I,
)
# "it looks like figure C."
END_PICTURE = re.compile(
    rf"(?<!than )(?<!unlike )(?<!unlike in )(?<!opposite in )(?<!as in )(?<!from )(?<!with )(?<!as )\b(?:{PICTURE})\s+"
    r"(?P<letter>(?-i:[A-H]))[\s.!*]*$",
    re.I,
)


def place_at_end(text: str, offered: Options) -> tuple[str, int] | None:
    """Return the picture (or option, where it says "option") that a sentence ends with: "it must be the third one"."""
    match = _END_PLACE.search(text[-80:])
    if match is None or not (offered.lettered or match[2].lower() in {"option", "choice", "answer"}):
        return None
    which, count = match[1].lower(), len(offered.texts)
    index = count - 1 if which == "last" else _ORDINALS.index(which)
    return (LETTERS[index], index) if index < count else None


def letter_at_end(text: str, offered: Options) -> tuple[str, int | None] | None:
    """Return the letter with which a sentence ends ("... is D."), and its index (None: not offered)."""
    end = text[-60:]
    said = f" {words(end)}" if offered.naming else ""
    for i in offered.naming:
        if said.endswith(f" {offered.items[i].words}"):
            return LETTERS[i], i  # "only C" is the text of B
    match = cue("end letter").search(end)
    if match is None:
        return place_at_end(text, offered)
    if cue("denied letter").search(end[: match.start("letter")].rstrip("(\"' ")):
        return None
    return match["letter"], offered.index(match["letter"])


# A letter and no word; "A:" may be short for "Answer:".
_ALONE = r"[\s*_$\\(\[]*(?!A\s*:)([A-H])[\s*_$\\)\].:,;-]*"
# "(B), so"
_LETTER_BEFORE = re.compile(rf"{_ALONE}(?:(?:so|i\.e\.|that is|namely|which is),?\s*)?")
# ", which is option (B)."
_LETTER_BEHIND = re.compile(
    r"(?:(?:(?:which|that|it|is|so|thus|hence|i\.e\.|correspond(?:s|ing) to|(?:the )?(?:option|choice)),?\s+){1,4}"
    rf"|(?=[*_]*[(\[])){_ALONE}"
)


def letter_beside(before: str, behind: str, offered: Options) -> tuple[str, int] | None:
    r"""Return the letter right before or right behind a box or a tag: "the answer is (B) \boxed{4}"."""
    line = before.rstrip(" \n$*\\([").rpartition("\n")[2]
    said = line[(announcements(line) or (0,))[-1] :]
    match = _LETTER_BEFORE.fullmatch(said)
    match = match or _LETTER_BEHIND.fullmatch(behind.lstrip(" \n$*\\)],.;").partition("\n")[0])
    index = offered.index(match[1]) if match else None
    return None if index is None else (LETTERS[index], index)


def option_named(text: str, offered: Options) -> int | None:
    """Return the option that a short answer names, by letter ("B", "(B)", "B. text") or by text; None where none."""
    bare = undress(text)
    letter = letter_at_start(bare, offered)
    whole = matching(text, offered) if letter is None or len(bare) > 1 else None
    return letter[1] if whole is None and letter is not None else whole
