"""The options of a question, prepared once, and which of them a whole text equals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from mmmath_tasks.metrics.answers import units
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.equality import same
from mmmath_tasks.metrics.answers.expressions import Node, parse, ratio
from mmmath_tasks.metrics.answers.numbers import number
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
    """All options of a question, prepared once; `naming`: those that end with another's letter, the longest first."""

    texts: tuple[str, ...]
    items: tuple[Option, ...]
    numeric: bool
    lettered: bool
    valued: bool
    worded: tuple[str, ...]
    naming: tuple[int, ...]
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
        value = number(_VAGUE.sub("", bare))
        tree = ("num", value) if value is not None else parse(bare) or ratio(bare)
        # "2x"
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
    naming = [i for i, item in enumerate(items) if _NAMES_LETTERS.search(item.words)]
    naming.sort(key=lambda i: len(items[i].words), reverse=True)
    lettered = sum(bool(re.fullmatch(r"[A-Za-z]", undress(t).strip(" ()"))) for t in texts) > len(texts) / 2
    numeric = bool(items) and all(item.value is not None for item in items)
    valued = (
        numeric
        or sum(item.tree is not None or RELATES.search(item.dense) is not None for item in items) > len(items) / 2
    )
    return Options(texts, tuple(items), numeric, lettered, valued and not lettered, worded, tuple(naming), by_words)


# "a or b"
_NAMES_LETTERS = re.compile(r"\b(?:only|or|and|nor) [a-h]$")  # the words of "only C", "A or B"
# "about 12"
_VAGUE = re.compile(r"^(?:around|about|approximately|roughly)\s+|(?<=\d)\s*[\u4e00-\u9fff]{1,4}$", re.I)
# An option that is an equation or an inequality: its dense form has the sign, its words do not.
RELATES = re.compile(r"[<>=\u2264\u2265\u2260]")
# "2 x"
_VARIABLE = re.compile(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])")
_HALF_DAY = re.compile(r"\b([ap])\. ?m\b\.?")
_NOT_WORD = re.compile(r"[^\w%$\u00b0.'/+-]+")
# "well-known"
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
    (re.compile("\u00b2"), "^2"),
    (re.compile("\u00b3"), "^3"),
    (re.compile(r"\s*,?\s*\band\b\s*|\s*&\s*"), ","),
    # "\frac{1}{2}"
    (re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"\1/\2"),
    # "\sqrt{3}"
    (re.compile(r"\\?\bsqrt\s*[({]([^(){}]*)[)}]|\\sqrt\s*(?=\d)"), "\u221a\\1"),
    (re.compile(r"\u221a\s*[({]([^(){}]*)[)}]"), "\u221a\\1"),
    (re.compile(r"\\pi\b|\bpi\b"), "\u03c0"),
    # "\leq"
    (re.compile(r"\\(?:leqslant|leq|le)(?![a-z])|<="), "\u2264"),
    # "\geq"
    (re.compile(r"\\(?:geqslant|geq|ge)(?![a-z])|>="), "\u2265"),
    # "3 by 4"
    (re.compile(r"(?<=\w)\s+by\s+(?=\d)"), ""),
    # "3 x 4"
    (re.compile(r"(?<=[\d\s])x(?=\s?\d)"), ""),
    # "3 \times 4"
    (re.compile(r"\\cdot|\\times|\u00b7|\u00d7|\*"), ""),
    # "\left("
    (re.compile(r"\\(?:left|right|text|mathrm|mathbf|circ|degree|angle)\b|[\s${}\\]|\u00b0|degrees?\b"), ""),
]


def dense(text: str) -> str:
    """Return a text in lower case without blanks, braces, degree signs and LaTeX commands: "30\u221a3m"."""
    text = " ".join(text.casefold().split())
    for pattern, replacement in _DENSE:
        text = pattern.sub(replacement, text)
    return text


# "doesn't"
_DENIAL = re.compile(r"\b(?:not|no|never|nor|none|neither|im|un)\b|n't\b")
_SLIP, _APART = 0.8, 0.2  # how alike a text must be to one option, and how much less to the others


def nearest(text: str, offered: Options) -> int | None:
    """Return the option that a text names with a slip: a letter or a word mistyped, left out or put in.

    Numbers and denials must be the option's own. A part of one option with all of its numbers counts, where no other
    option has it.
    """
    said = words(text).replace("the same", "equal")
    if not 3 <= len(said) <= 200 or (offered.lettered and len(said) < 12):
        return None
    found = []
    for i, item in enumerate(offered.items):
        option = item.words.replace("the same", "equal")
        alike = _NUMBER.findall(said) == _NUMBER.findall(option) and bool(_DENIAL.search(said)) == bool(
            _DENIAL.search(option)
        )
        inside = alike and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", option) is not None
        found.append((0.9 if inside else Levenshtein.normalized_similarity(said, option), alike and bool(option), i))
    found.sort(reverse=True)
    if len(found) < 2 or not found[0][1] or found[0][0] < _SLIP or found[0][0] - found[1][0] < _APART:
        return None
    return found[0][2]


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "the square"
_LONG_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{3,}")
# "x < 5"
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
    tree = _tree(bare, offered)
    if tree is None:
        return None
    for i, item in enumerate(offered.items):
        if item.tree is not None and (tree == item.tree or same(tree, item.tree)):
            return i
    return _converted(tree, unit, offered)


def _tree(bare: str, offered: Options) -> Node | None:
    """Return the value that a text stands for: of all of it, or behind its sign of equality."""
    value = number(bare)
    # "\alpha = 30"
    if value is None and re.match(r"\\?[A-Za-z]{1,8}\s*=|[^=]{0,3}[A-Z]{1,3}\s*=", bare):
        bare = bare.rpartition("=")[2].strip()
        value = number(bare)
    tree = ("num", value) if value is not None else parse(bare) or ratio(bare)
    if tree is None and "=" in bare and not any("=" in o for o in offered.texts) and len(_LONG_WORD.findall(bare)) < 4:
        behind = bare.rpartition("=")[2].strip()
        tree = parse(behind) or ratio(behind)
    return tree


def _converted(tree: Node, unit: units.Unit | None, offered: Options) -> int | None:
    """Return the option that a value is in another unit: 0.25 or 1/4 is 25%, 0.5 m is 50 cm."""
    value = tree[1] if tree[0] == "num" else None
    if unit is None and value is not None and all("%" in text for text in offered.texts):
        return next((i for i, item in enumerate(offered.items) if item.value == value * 100), None)
    if unit is not None and unit.measures == "share" and value is not None:
        return next((i for i, item in enumerate(offered.items) if item.value == value / 100), None)
    for i, item in enumerate(offered.items):
        factor = units.ratio(unit, item.unit)
        if item.tree is not None and factor != 1 and same(("mul", tree, ("num", factor)), item.tree):
            return i
    return None
