"""The options of a question, prepared once; which one a text equals, and where one is named by letter or text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.evaluation import same
from mmmath_tasks.metrics.answers.expressions import Node, parse, ratio
from mmmath_tasks.metrics.answers.lexicon import cue, entries
from mmmath_tasks.metrics.answers.numbers import Unit, number, numbers, split_unit, unit_ratio
from mmmath_tasks.metrics.answers.records import stem, vocabulary
from mmmath_tasks.metrics.answers.relations import equal_relations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its words, its form without blanks and dress, also without unit, its value and unit if any."""

    words: str
    dense: str
    forms: frozenset[str]
    value: Fraction | None
    tree: Node | None
    unit: Unit | None


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

    def index(self, letter: str) -> int | None:
        """Return the place of a letter; None where it is not offered."""
        return LETTERS.index(letter) if letter in LETTERS[: len(self.texts)] else None


@lru_cache(maxsize=4096)
def options(texts: tuple[str, ...]) -> Options:
    """Prepare the options of a question."""
    items = []
    for text in texts:
        bare, unit = split_unit(undress(text))
        packed = dense(text)
        forms = frozenset(form for form in (packed, dense(bare)) if form and not form.isalpha())
        if _VARIABLE.search(bare):
            bare, unit = undress(text), None  # the last letter of "\pi d n" is no newton
        value = number(bare)
        # A word may happen to parse as a product of letters.
        tree = _parsed(bare) if value is not None or _NO_WORD.search(bare) else None
        items.append(Option(words(text), packed, forms, value, tree, unit))
    by_words: dict[str, int] = {}
    for i, item in enumerate(items):
        # Different formulas may have the same words: X+Y<Z and X+Y=Z, or those of what is not offered: X+Y>Z.
        if not RELATES.search(item.dense) and all(o.words != item.words or o.dense == item.dense for o in items):
            by_words.setdefault(item.words, i)
    by_words.pop("", None)
    by_words |= {name: by_words[means] for name, means in _foreign_names() if means in by_words}
    worded = sorted((w for w in by_words if re.search(r"[^\W\d_]{2}|[^\x00-\x7f]", w)), key=len, reverse=True)
    naming = [i for i, item in enumerate(items) if _NAMES_LETTERS.search(item.words)]
    naming.sort(key=lambda i: len(items[i].words), reverse=True)
    lettered = sum(bool(re.fullmatch(r"[A-Za-z]", undress(t).strip(" ()"))) for t in texts) > len(texts) / 2
    valued = sum(item.tree is not None or RELATES.search(item.dense) is not None for item in items) > len(items) / 2
    # We-Math offers "No correct answer" beside its values.
    numeric = len(items) > 1 and all(item.value is not None or item.words == "no correct answer" for item in items)
    valued = valued and not lettered
    return Options(texts, tuple(items), numeric, lettered, valued, tuple(worded), tuple(naming), by_words)


@cache
def _foreign_names() -> list[tuple[str, str | None]]:
    """Return words of other languages with the option's word that they mean."""
    return [(entry.pattern, entry.means) for entry in entries() if entry.role == "name"]


def _parsed(bare: str) -> Node | None:
    value = number(bare)
    return ("num", value) if value is not None else parse(bare) or ratio(bare)


# "2x"
_NO_WORD = re.compile(r"\d|\\|\u221a|\u03c0")
# "a or b"
_NAMES_LETTERS = re.compile(r"\b(?:only|or|and|nor) [a-h]$")  # the words of "only C", "A or B"
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
    text = _HALF_DAY.sub(r"\1m", text) if "m" in text and "." in text else text
    found: list[str] = []
    for word in _NOT_WORD.sub(" ", text).split():
        found += (word,) if word.isalnum() else _LOOSE.sub(" ", word).split()
    return " ".join(found)


@lru_cache(maxsize=2048)
def differing(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the one word or number in which options differ: ("2", "4") of "2-times as big" and "4-times as big".

    () where they differ in more than that, or are no more than that.
    """
    rows = [_PIECES.findall(undress(text).casefold()) for text in texts]
    head, tail = _alike(rows), _alike([row[::-1] for row in rows])
    cores = tuple(" ".join(row[head : len(row) - tail]) for row in rows)
    return cores if head + tail and all(map(_CORE.fullmatch, cores)) else ()


def _alike(rows: list[list[str]]) -> int:
    """Return how many pieces are the same at the start of all rows."""
    columns = [*zip(*rows, strict=False)]
    return next((i for i, column in enumerate(columns) if len(set(column)) > 1), len(columns))


_PIECES = re.compile(r"\\?[^\W\d_]+|\d+(?:\.\d+)?|[^\w\s]")
_CORE = re.compile(r"\\?[^\W\d_]+|\d+(?:\.\d+)?")
# "3 by 4", "3 x 4", "3 \times 4", "\left( 30^{\circ} \right)"
_DROPPED = re.compile(
    r"(?<=\w)\s+by\s+(?=\d)|(?<=[\d\s])x(?=\s?\d)|degrees?\b|[\s${}\u00b0\u00b7\u00d7*]"
    r"|\\(?:cdot|times|(?:left|right|text|mathrm|mathbf|circ|degree|angle)\b)?"
)
_DENSE = [
    # "a and b"
    (re.compile(r"\s*,?\s*\band\b\s*|\s*[&\u548c\u4e0e]\s*"), ","),
    # "\frac{1}{2}"
    (re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]*)\}\s*\{([^{}]*)\}|(\d)\s*(\d))"), r"\1\3/\2\4"),
    # "\sqrt{3}"
    (re.compile(r"(?:\\?\bsqrt|\u221a)\s*(?:[({]([^(){}]*)[)}]|(?=\d))"), "\u221a\\1"),
    (re.compile(r"\\pi\b|\bpi\b"), "\u03c0"),
    # "\leq"
    (re.compile(r"\\(?:leqslant|leq|le)(?![a-z])|<="), "\u2264"),
    # "\geq"
    (re.compile(r"\\(?:geqslant|geq|ge)(?![a-z])|>="), "\u2265"),
    (_DROPPED, ""),
]


@lru_cache(maxsize=512)
def dense(text: str) -> str:
    """Return a text in lower case without blanks, braces, degree signs and LaTeX commands: "30\u221a3m"."""
    text = text.casefold().replace("\u00b2", "^2").replace("\u00b3", "^3")
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
    if not 3 <= len(said) <= 200 or (offered.lettered and len(said) < 12) or len(offered.texts) < 2:
        return None
    found = []
    for i, item in enumerate(offered.items):
        option = item.words.replace("the same", "equal")
        a, b = ((_NUMBER.findall(text), bool(_DENIAL.search(text))) for text in (said, option))
        inside = a == b and f" {said} " in f" {option} "
        found.append((0.9 if inside else Levenshtein.normalized_similarity(said, option), a == b, i))
    (best, alike, index), (second, *_) = sorted(found, reverse=True)[:2]
    return index if alike and best >= _SLIP and best - second >= _APART else None


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "the square"
_LONG_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{3,}")
# "x < 5"
_RELATION = re.compile(r"^\\?[{\[(].*,|[<>\u2264\u2265]|\\[lg](?:eq?|t)\b")


def matching(text: str, offered: Options) -> int | None:
    """Return the option that a whole text equals: by words, without blanks, or by value; None where none does."""
    if len(text) > 600:
        return None
    as_words = words(text)
    if as_words in offered.by_words:
        return offered.by_words[as_words]
    packed = dense(text).strip(".:;,")
    for i, item in enumerate(offered.items):
        if packed == item.dense != "":
            return i
    bare = undress(text)
    relates = _RELATION.search(bare) is not None
    bare, unit = (bare, None) if relates else split_unit(bare)
    if len(bare) > 120:
        return None
    equations = all("=" in option for option in offered.texts)
    if relates or ("=" in bare and equations):
        equal = [i for i, option in enumerate(offered.texts) if equal_relations(bare, undress(option))]
        if len(equal) == 1:
            return equal[0]
    tree = _tree(bare, equations)
    if tree is None:
        return None
    for i, item in enumerate(offered.items):
        if item.tree is not None and same(tree, item.tree):
            return i
    return _converted(tree, unit, offered)


def _tree(bare: str, equations: bool) -> Node | None:
    """Return the value that a text stands for: of all of it, or behind its sign of equality."""
    tree = _parsed(bare)
    # "\alpha = 30"
    labelled = re.match(r"\\?[A-Za-z]{1,8}\s*=|[^=]{0,3}[A-Z]{1,3}\s*=", bare)
    if tree is None and "=" in bare and (labelled or (not equations and len(_LONG_WORD.findall(bare)) < 4)):
        return _tree(bare.rpartition("=")[2].strip(), equations)
    return tree


def _converted(tree: Node, unit: Unit | None, offered: Options) -> int | None:
    """Return the option that a value is in another unit: 0.25 or 1/4 is 25%, 0.5 m is 50 cm."""
    value = tree[1] if tree[0] == "num" else None
    percents = unit is None and all("%" in text for text in offered.texts)
    if value is not None and (percents or (unit is not None and unit.measures == "share")):
        wanted = value * 100 if percents else value / 100
        return next((i for i, item in enumerate(offered.items) if item.value == wanted), None)
    for i, item in enumerate(offered.items):
        factor = unit_ratio(unit, item.unit)
        if item.tree is not None and factor != 1 and same(("mul", tree, ("num", factor)), item.tree):
            return i
    return None


# "graph B"
_BARE_LETTER = re.compile(r"(?<![A-Za-z0-9$\\'])([AI](?! [a-z])|[B-HJ-Z])(?![A-Za-z0-9'=])")
# "line m"
_SMALL_LETTER = re.compile(
    r"\$([a-z])\$|\(([a-z])\)|\b(?:line|graph|curve|point|side|angle|segment|figure|edge) ([a-z])\b"
)


def mentions(text: str, offered: Options) -> list[int]:
    """Return the options whose text stands in a text, in the order of their places, denied ones left out.

    Numeric options are matched by value, worded ones as whole words, the longest first, others without blanks.
    """
    found: list[tuple[int, int]] = []
    if offered.lettered:
        spans = [m.span() for m in cue("span").finditer(text)]
        named = {undress(t).strip(" ()").upper(): i for i, t in enumerate(offered.texts)}
        for match in (*_BARE_LETTER.finditer(text), *_SMALL_LETTER.finditer(text)):
            index = named.get(next(g for g in match.groups() if g).upper())
            spanned = any(start < match.start() < end for start, end in spans)
            if index is not None and not (spanned or denied(text, match)):
                found.append((match.start(), index))
        if found:
            return [index for _, index in sorted(found)]
    plain_words = words(text)
    if any(_SHORT_YEAR.search(option) for option in offered.texts):
        plain_words = _LONG_YEAR.sub(r"\1", plain_words)
    for start, option in _worded(plain_words, offered.worded):
        if not cue("denied option").search(plain_words[max(0, start - 24) : start]):
            found.append((start, offered.by_words[option]))
    if offered.numeric or not found:
        found += _valued(text, offered)
    if not found and not offered.lettered:
        found = _dense_mentions(text, offered)
    return [index for _, index in sorted(found)]


def denied(text: str, letter: re.Match[str]) -> bool:
    """Tell whether a letter in a text is named to be denied: "not B", "B is wrong"."""
    behind = cue("rejected after").match(text, letter.end())
    return behind is not None or cue("denied letter").search(text[: letter.start()][-60:]) is not None


_SHORT_YEAR = re.compile(r"'\d\d\b")
_LONG_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
# "sharks"
_PLURAL = re.compile(r"(?:s|es)(?!\w)")


def _worded(text: str, worded: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return where the texts of options stand in a text as whole words; within a longer one they do not count."""
    taken: list[tuple[int, int]] = []
    found = []
    for option in worded:
        unspaced = len(option) > 1 and option > "\u3000"  # Chinese words stand without blanks
        at = text.find(option)
        while at >= 0:
            end = at + len(option)
            plural = _PLURAL.match(text, end)
            end = plural.end() if plural and option[-1].isalpha() else end
            whole = unspaced or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
            if whole and not any(a < end and at < b for a, b in taken):
                taken.append((at, end))
                found.append((at, option))
            at = text.find(option, end)
    return found


def _valued(text: str, offered: Options) -> list[tuple[int, int]]:
    values = {item.value: i for i, item in reversed([*enumerate(offered.items)]) if item.value is not None}
    return [
        (n.start, values[n.value])
        for n in (numbers(text, words=True) if values else ())
        if n.value in values
        and not _PART_OF_FORM.match(text, n.end)
        and text[n.start - 1 : n.start] not in ("\u221a", "^")
    ]


# "2\sqrt"
_PART_OF_FORM = re.compile(r"\s?(?:\u221a|\\sqrt|\u03c0|\\pi|pi\b|\^|sqrt)")


def subsequences(text: str, offered: Options) -> list[int]:
    """Return the fullest options all of whose content words stand in a text, fewer than four in their order."""
    if cue("negation").search(text):
        return []
    said = _carrying(words(text))
    found: list[tuple[float, int]] = []
    for i, item in enumerate(offered.items):
        wanted = _carrying(item.words)
        if RELATES.search(item.dense) or len(item.words) <= 3:
            continue
        first, _, second = " ".join(wanted).partition(" and ")  # two things joined may stand the other way round
        ordered = _in_order(wanted, said) or _in_order(f"{second} and {first}".split(), said)
        ordered = ordered or wanted[::-1] in map(list, pairwise(said))
        if ordered or (len(wanted) > 3 and set(wanted) <= set(said)):
            found.append((len(wanted) + 0.5 * ordered, i))
    most = max(found, default=(0.0, 0))[0]
    return [i for n, i in found if n == most]


def _in_order(wanted: list[str], said: list[str]) -> bool:
    rest = iter(said)
    return all(any(s == w or (len(w) > 3 and s.startswith(w)) for s in rest) for w in wanted)


_LIGHT = vocabulary("the a an it would will also to of in be is are")


def _carrying(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, and of the last one: "square A"."""
    *others, last = text.split() or [""]
    return ["equal" if word == "same" else stem(word) for word in (*(w for w in others if w not in _LIGHT), last)]


def _dense_mentions(text: str, offered: Options) -> list[tuple[int, int]]:
    packed = dense(text)
    found = []
    for i, item in enumerate(offered.items):
        for form in item.forms:
            if form in packed:
                # What stands at the very end is read as a value.
                whole = rf"(?<![^\W_a-z\u4e00-\u9fff])(?<![\u221a./-]){re.escape(form)}(?=[^\d/\u221a\u03c0])"
                found += [(*m.span(), i) for m in re.finditer(whole, packed)]
    # What lies inside a longer match is part of it.
    return [(a, i) for a, b, i in found if not any(c <= a and b <= d and (a, b) != (c, d) for c, d, _ in found)]
