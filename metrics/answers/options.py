"""The options of a question, and where a text names them: by letter, by text, by an equal value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.equality import same
from mmmath_tasks.metrics.answers.expressions import Node, parse, ratio
from mmmath_tasks.metrics.answers.numbers import number, numbers
from mmmath_tasks.metrics.answers.question import stem
from mmmath_tasks.metrics.answers.relations import equal_relations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its words, its form without blanks and dress, its value and unit where it has one."""

    words: str
    dense: str
    value: Fraction | None
    tree: Node | None
    unit: units.Unit | None


@dataclass(frozen=True, slots=True)
class Options:
    """All options of a question, prepared once."""

    texts: tuple[str, ...]
    items: tuple[Option, ...]
    numeric: bool
    lettered: bool
    valued: bool
    worded: tuple[str, ...]
    by_words: dict[str, int] = field(default_factory=dict)

    @property
    def letters(self) -> str:
        """The letters offered."""
        return LETTERS[: len(self.texts)]


@lru_cache(maxsize=4096)
def options(texts: tuple[str, ...]) -> Options:
    """Prepare the options of a question."""
    items = []
    for text in texts:
        bare, unit = units.split(undress(text))
        if unit is not None and _VARIABLE.search(bare):
            bare, unit = undress(text), None  # the last letter of "\pi d n" is no newton
        value = number(_DECIMAL_COMMA.sub(r"\1.\2", _VAGUE.sub("", bare)))
        tree = ("num", value) if value is not None else parse(bare) or ratio(bare)
        if tree is not None and value is None and not re.search(r"\d|\\|\u221a|\u03c0", bare):
            tree = None  # a word that happens to parse as a product of letters
        items.append(Option(words(text), dense(text), value, tree, unit))
    by_words: dict[str, int] = {}
    for i, item in enumerate(items):
        # Different formulas may have the same words: X+Y<Z and X+Y=Z, or those of what is not offered: X+Y>Z.
        if (
            item.words
            and not RELATES.search(item.dense)
            and all(o.words != item.words or o.dense == item.dense for o in items)
        ):
            by_words.setdefault(item.words, i)
    worded = tuple(
        sorted((w for w in by_words if re.search(r"[^\W\d_]{2}", w) or not w.isascii()), key=len, reverse=True)
    )
    lettered = sum(bool(re.fullmatch(r"[A-Za-z]", t.strip(" $()"))) for t in texts) > len(texts) / 2
    numeric = bool(items) and all(item.value is not None for item in items)
    valued = (
        numeric
        or sum(item.tree is not None or RELATES.search(item.dense) is not None for item in items) > len(items) / 2
    )
    return Options(texts, tuple(items), numeric, lettered, valued and not lettered, worded, by_words)


_VAGUE = re.compile(r"^(?:around|about|approximately|roughly)\s+|(?<=\d)\s*[\u4e00-\u9fff]{1,4}$", re.I)
# An option that is an equation or an inequality: its dense form has the sign, its words do not.
RELATES = re.compile(r"[<>=\u2264\u2265\u2260]")
_DECIMAL_COMMA = re.compile(r"^(\d{1,3}),(\d{1,2})$")
_VARIABLE = re.compile(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])")
_HALF_DAY = re.compile(r"\b([ap])\. ?m\b\.?")
_NOT_WORD = re.compile(r"[^\w%$\u00b0.'/+-]+")
_LOOSE = re.compile(r"(?<!\d)\.|\.(?!\d)|(?<!\w)['/+-]|['/+-](?!\w)|(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")


@lru_cache(maxsize=2048)
def words(text: str) -> str:
    """Return a text in lower case as words with single blanks: no punctuation, no dress."""
    if "\\" in text or "$" in text:
        text = undress(text)
    text = text.casefold()
    if ".m" in text or ". m" in text:
        text = _HALF_DAY.sub(r"\1m", text)
    found: list[str] = []
    for word in _NOT_WORD.sub(" ", text).split():
        found += (word,) if word.isalnum() else _LOOSE.sub(" ", word).split()
    return " ".join(found)


_DENSE = [
    (re.compile(r"\s*,?\s*\band\b\s*|\s*&\s*"), ","),
    (re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"\1/\2"),
    (re.compile(r"\\?\bsqrt\s*[({]([^(){}]*)[)}]|\\sqrt\s*(?=\d)"), "\u221a\\1"),
    (re.compile(r"\u221a\s*[({]([^(){}]*)[)}]"), "\u221a\\1"),
    (re.compile(r"\\pi\b|\bpi\b"), "\u03c0"),
    (re.compile(r"\\(?:leqslant|leq|le)(?![a-z])|<="), "\u2264"),
    (re.compile(r"\\(?:geqslant|geq|ge)(?![a-z])|>="), "\u2265"),
    (re.compile(r"(?<=\w)\s+by\s+(?=\d)"), ""),
    (re.compile(r"\\cdot|\\times|\u00b7|\u00d7|\*"), ""),
    (re.compile(r"\\(?:left|right|text|mathrm|mathbf|circ|degree|angle)\b|[\s${}\\]|\u00b0|degrees?\b"), ""),
]


def dense(text: str) -> str:
    """Return a text in lower case without blanks, braces, degree signs and LaTeX commands: "30\u221a3m"."""
    text = text.casefold()
    for pattern, replacement in _DENSE:
        text = pattern.sub(replacement, text)
    return text


_BARE_LETTER = re.compile(r"(?<![A-Za-z0-9$\\'])([AI](?! [a-z])|[B-HJ-Z])(?![A-Za-z0-9'=])")
_SMALL_LETTER = re.compile(
    r"\$([a-z])\$|\(([a-z])\)|\b(?:line|graph|curve|point|side|angle|segment|figure|edge) ([a-z])\b"
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bno|\bnever|\brather than|\binstead of|\bneither|\bnor|\bother than|\bthan|\bcompared (?:to|with)"
    r"|\bexcept|\bunlike|\bbesides|\b(?:right|just|immediately) (?:after|before))"
    r"\s+(?:(?:an?|the|to|be|option|in|at|of|from)\s+){0,2}$"
)


def mentions(text: str, offered: Options) -> list[tuple[int, int]]:
    """Return the options whose text stands in a text: (position in it, index), denied ones left out.

    Numeric options are matched by value, worded ones as whole words, the longest first, others without blanks.
    """
    found: list[tuple[int, int]] = []
    if offered.lettered:
        named = {t.strip(" $()").upper(): i for i, t in enumerate(offered.texts)}
        for match in (*_BARE_LETTER.finditer(text), *_SMALL_LETTER.finditer(text)):
            index = named.get(next(g for g in match.groups() if g).upper())
            if index is not None and not _DENIED.search(text[max(0, match.start() - 24) : match.start()]):
                found.append((match.start(), index))
        if found:
            return found
    plain_words = words(text)
    if any(_SHORT_YEAR.search(option) for option in offered.texts):
        plain_words = _LONG_YEAR.sub(r"\1", plain_words)
    for start, option in _worded(plain_words, offered.worded):
        if not _DENIED.search(plain_words[max(0, start - 24) : start]):
            found.append((start, offered.by_words[option]))
    if offered.numeric or (not found and any(item.value is not None for item in offered.items)):
        found += _valued(text, offered)
    if not found and not offered.lettered:
        found += _dense_mentions(text, offered)
    found.sort()
    return found


_SHORT_YEAR = re.compile(r"'\d\d\b")
_LONG_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
_PLURAL = re.compile(r"(?:s|es)(?!\w)")


def _worded(text: str, worded: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return where the texts of options stand in a text as whole words; within a longer one they do not count."""
    taken: list[tuple[int, int]] = []
    found = []
    for option in worded:
        at = text.find(option)
        while at >= 0:
            end = at + len(option)
            plural = _PLURAL.match(text, end)
            end = plural.end() if plural and option[-1].isalpha() else end
            whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
            if whole and not any(a < end and at < b for a, b in taken):
                taken.append((at, end))
                found.append((at, option))
            at = text.find(option, end)
    return found


def _valued(text: str, offered: Options) -> list[tuple[int, int]]:
    found = []
    for n in numbers(text, words=True):
        if _PART_OF_FORM.match(text, n.end) or text[max(0, n.start - 1) : n.start] in ("\u221a", "^"):
            continue
        for i, item in enumerate(offered.items):
            if item.value is not None and item.value == n.value:
                found.append((n.start, i))
                break
    return found


_DENIAL = re.compile(r"\b(?:not|neither|nor|no|never)\b|n't\b", re.I)
_PART_OF_FORM = re.compile(r"\s?(?:\u221a|\\sqrt|\u03c0|\\pi|pi\b|\^|sqrt)")


def subsequences(text: str, offered: Options) -> list[int]:
    """Return the options all of whose content words stand in a text in their order, the fullest only."""
    if _DENIAL.search(text):
        return []
    said = [stem(w) for w in words(text).split()]
    found: list[tuple[int, int]] = []
    for i, item in enumerate(offered.items):
        wanted = [stem(w) for w in item.words.split() if w in content_words(item.words)]
        rest = iter(said)
        if (
            wanted
            and not RELATES.search(item.dense)
            and len(item.words) > 3
            and (
                all(any(s == w or (len(w) > 3 and s.startswith(w)) for s in rest) for w in wanted)
                or (len(wanted) == 2 and wanted[::-1] in [said[j : j + 2] for j in range(len(said))])
            )
        ):
            found.append((len(wanted), i))
    most = max(found, default=(0, 0))[0]
    return [i for n, i in found if n == most]


def content_words(text: str) -> list[str]:
    """Return the words of an option that carry meaning; all of them where none does."""
    if len(text.split()) < 3:
        return text.split()
    light = {"the", "a", "an", "it", "would", "will", "also", "to", "of", "in", "be", "is", "are"}
    parts = text.split()
    return [w for i, w in enumerate(parts) if w not in light or i == len(parts) - 1]


def _dense_mentions(text: str, offered: Options) -> list[tuple[int, int]]:
    packed = dense(text)
    found: list[tuple[int, int, int]] = []
    for i, item in enumerate(offered.items):
        forms = {item.dense, dense(units.split(undress(offered.texts[i]))[0]) if item.unit else item.dense}
        for form in sorted(forms, key=len, reverse=True):
            if not form or (form.isalpha() and form.isascii()):
                continue
            at = packed.rfind(form)
            while (
                at > 0 and (packed[at - 1].isalnum() or packed[at - 1] in "\u221a.-/") and not packed[at - 1].isalpha()
            ):
                at = packed.rfind(form, 0, at)
            if at >= 0 and not (
                packed[at + len(form) : at + len(form) + 1].isdigit() or packed[at + len(form) :][:1] in "/\u221a\u03c0"
            ):
                found.append((at, at + len(form), i))
                break
    # What lies inside a longer match is part of it.
    return [(a, i) for a, b, i in found if not any(c <= a and b <= d and (a, b) != (c, d) for c, d, _ in found)]


_LONG_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{3,}")
_RELATION = re.compile(r"^\\?[{\[(].*,|[<>\u2264\u2265]|\\[lg](?:eq?|t)\b")


def matching(text: str, offered: Options) -> int | None:
    """Return the option that a whole text equals: by words, without blanks, or by value; None where none does."""
    if not text.strip() or len(text) > 600:
        return None
    as_words = words(text)
    if as_words in offered.by_words:
        return offered.by_words[as_words]
    packed = dense(text).strip(".:;,")
    for i, item in enumerate(offered.items):
        if packed and packed == item.dense:
            return i
    bare, unit = undress(text), None
    if not _RELATION.search(bare):
        bare, unit = units.split(bare)
    if len(bare) > 120:
        return None
    if _RELATION.search(bare) or ("=" in bare and all("=" in option for option in offered.texts)):
        equal = [i for i, option in enumerate(offered.texts) if equal_relations(bare, undress(option))]
        if len(equal) == 1:
            return equal[0]
    value = number(bare)
    if value is None and re.match(r"\\?[A-Za-z]{1,8}\s*=|[^=]{0,3}[A-Z]{1,3}\s*=", bare):
        bare = bare.rpartition("=")[2].strip()
        value = number(bare)
    tree = ("num", value) if value is not None else parse(bare) or ratio(bare)
    if (
        tree is None
        and value is None
        and "=" in bare
        and not any("=" in o for o in offered.texts)
        and len(_LONG_WORD.findall(bare)) < 4
    ):
        behind = bare.rpartition("=")[2].strip()
        tree = parse(behind) or ratio(behind)
    if tree is None:
        return None
    for i, item in enumerate(offered.items):
        if item.tree is not None and (tree == item.tree or same(tree, item.tree)):
            return i
    if unit is None and value is not None and all("%" in text for text in offered.texts):
        return next((i for i, item in enumerate(offered.items) if item.value == value * 100), None)
    for i, item in enumerate(offered.items):  # 0.5 m is 50 cm
        factor = units.ratio(unit, item.unit)
        if item.tree is not None and factor != 1 and same(("mul", tree, ("num", factor)), item.tree):
            return i
    return None
