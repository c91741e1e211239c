"""Scores, differences and remarks as plain text for a terminal of a certain width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from mmmath_tasks.metrics.readers import KEY
from mmmath_tasks.name_text import shortened
from mmmath_tasks.number_text import p_value, score_text, signed
from mmmath_tasks.outputs.paired_difference import CORRECTED, Difference
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.score_labels import (
    AUTHORS,
    count_by_rules,
    how_read,
    label,
    read_by,
    readers_differ,
    setting,
    settings_differ,
)
from mmmath_tasks.scoring import benchmark

Key = tuple[str, str, str]
"""A score's metric, group and slice."""

HEAD, STRONG, FAINT = "head", "strong", "faint"
"""Styles of lines: what a table is about, what stands out of it, what need not be read every time."""

_GAP = "  "
_LEVEL = 0.05
_LONGEST_HEAD = 18
_LEAST, _SHORT = 16, 26


class Line(str):
    """A line of text that a terminal may show otherwise than plain lines.

    Attributes:
        style: HEAD, STRONG, FAINT, or "" for none.
    """

    __slots__ = ("style",)
    style: str

    def __new__(cls, text: str, style: str = "") -> Line:
        """Make a line of text."""
        made = super().__new__(cls, text)
        made.style = style
        return made


def terminal_width() -> int:
    """Return the columns of the terminal; COLUMNS overrules it, and 80 where the output is no terminal."""
    from shutil import get_terminal_size

    return max(40, get_terminal_size((80, 24)).columns)


def wrapped(text: str, width: int, indent: str = "  ") -> list[str]:
    """Return a sentence as lines behind an indent, continued two characters further in; no word is broken."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def shown(score: Score | None) -> str:
    """Return "67.9 [65.0, 70.7] n=1000": percent (ratings, correlations: as they are), 95 % interval, count; or "-"."""
    value = _value(score)
    return value if score is None or value == "-" else f"{value} n={score.count}"


def _value(score: Score | None) -> str:
    if score is None or score.value != score.value:
        return "-"
    value, low, high = score_text(score)
    return f"{value} [{low}, {high}]" if low else value


def score_table(names: Sequence[str], cards: Sequence[Scorecard], keys: Sequence[Key], width: int) -> Iterator[str]:
    """Yield lines that show scores of runs of one benchmark, and what the metrics mean that do not say so.

    Runs are rows, in as many tables one below the other as the width asks for; a single one is a column, and so are two
    with their sub-scores.
    """
    yield Line(f"{cards[0].benchmark}, percent [95 % interval], n: how many are counted", HEAD)
    in_rows = len(cards) > 2 or (len(cards) == 2 and not any(group for _, group, _ in keys))
    yield from (_runs_as_rows if in_rows else _runs_as_columns)(names, cards, keys, width)
    explained: Mapping[str, str] = benchmark(cards[0].benchmark).metrics.EXPLAINED
    for metric in dict.fromkeys(metric for metric, _, _ in keys):
        if metric in explained:
            yield from _styled(FAINT, wrapped(f"{metric}: {explained[metric]}", width))


def _styled(style: str, lines: Sequence[str]) -> Iterator[str]:
    yield from (Line(line, style) for line in lines)


def _runs_as_columns(
    names: Sequence[str], cards: Sequence[Scorecard], keys: Sequence[Key], width: int
) -> Iterator[str]:
    columns = [[shown(card.get(*key)) for key in keys] for card in cards]
    widest = max((len(cell) for cells in columns for cell in cells), default=0)
    room = max(_LEAST, width - len(cards) * (widest + len(_GAP)))
    rows: list[list[str]] = []
    if readers_differ(cards):
        rows.append(["read by rules", *(_by_rules(card) for card in cards)])
    if settings_differ(cards):
        rows.append(["prompt", *(setting(card) or AUTHORS for card in cards)])
    shown_group = ("", "")
    for i, (metric, group, part) in enumerate(keys):
        named = label(cards, metric)
        if group and (metric, group) != shown_group:
            rows.append(_spanning(f"{named}, by {group.replace('_', ' ')}", len(cards)))
        shown_group = (metric, group)
        rows.append([_folded(f"  {part}" if group else named, room), *(cells[i] for cells in columns)])
    left = max((len(line) for first, *rest in rows if any(rest) for line in first.split("\n")), default=0)
    called = shortened(names, max(widest, (width - left) // len(names) - len(_GAP)))
    yield from table([list(column) for column in zip(["", *called], *rows, strict=True)])


def _by_rules(card: Scorecard) -> str:
    """Return how many of a run's answers our rules read: "988 of 1000", "?" where that is not recorded."""
    found = card.provenance.get(KEY)
    return f"{count_by_rules(card)} of {sum(found.values())}" if isinstance(found, dict) else "?"


def _spanning(text: str, columns: int) -> list[str]:
    return [text, *[""] * columns]


def _runs_as_rows(names: Sequence[str], cards: Sequence[Scorecard], keys: Sequence[Key], width: int) -> Iterator[str]:
    longest = max(_LEAST, width // 3)
    rooms = (longest, min(longest, _SHORT))  # shorter names where that makes fewer tables
    tries = [_blocks(shortened(names, room), cards, keys, width) for room in rooms]
    yield from _one_below_the_other(min(tries, key=len))


def _blocks(names: Sequence[str], cards: Sequence[Scorecard], keys: Sequence[Key], width: int) -> list[list[list[str]]]:
    """Return the columns of as many tables as the width asks for."""
    runs = [["", *names]]
    if readers_differ(cards):
        runs.append(["read by\nrules", *(_by_rules(card).partition(" ")[0] for card in cards)])
    if settings_differ(cards):
        runs.append(["prompt", *(setting(card) or AUTHORS for card in cards)])
    blocks: list[list[list[str]]] = []
    for metric, *where in keys:
        head = "\n".join(line for part in (*label(cards, metric).split(", "), *where) for line in _head(part))
        scores = [card.get(metric, *where) for card in cards]
        values = [head, *map(_value, scores)]
        counts = ["n", *("-" if score is None or _value(score) == "-" else f"{score.count}" for score in scores)]
        last = blocks[-1] if blocks else []
        # the counts stand once before all the metrics that have them; where a metric has none, others may
        before = next((column for column in reversed(last) if column[0] == "n"), [])
        alike = before and all(one == other or "-" in (one, other) for one, other in zip(before, counts, strict=True))
        added = [values] if alike else [counts, values]
        if not last or _width([*last, *added]) > width:
            blocks.append([*runs, counts, values])
        else:
            if alike:
                before[:] = [other if one == "-" else one for one, other in zip(before, counts, strict=True)]
            last += added
    return blocks


def side_by_side(first: Sequence[str], columns: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield a table's lines, in as many tables one below the other as the width asks for, each with the first column.

    The head of a column is its first cell; all may be of several lines.
    """
    blocks: list[list[Sequence[str]]] = []
    for column in columns:
        if not blocks or _width([*blocks[-1], column]) > width:
            blocks.append([first])
        blocks[-1].append(column)
    yield from _one_below_the_other(blocks)


def _one_below_the_other(blocks: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    for i, block in enumerate(blocks):
        yield from ([""] if i else [])
        yield from table(block)


def _head(text: str) -> list[str]:
    return textwrap.wrap(text.replace("_", " ") if len(text) > _LONGEST_HEAD else text, _LONGEST_HEAD)


def _folded(text: str, width: int) -> str:
    """Return a cell in as many lines as it needs, the later ones further in."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return "\n".join(textwrap.wrap(text, width, subsequent_indent=indent))


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(map(_column_width, columns)) + len(_GAP) * (len(columns) - 1)


def _column_width(column: Sequence[str]) -> int:
    return max((len(line) for cell in column for line in cell.split("\n")), default=0)


def table(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table's lines: of each column its head and its cells, all of which may be of several lines.

    The first column stands to the left of its place, the others to the right, heads at the foot of theirs. A row with
    nothing but its first cell is a heading: it may be longer than its column.
    """
    rows = list(zip(*columns, strict=True))
    plain = [row for row in rows if any(row[1:])]
    widths = [_column_width(column) for column in zip(*plain, strict=True)]
    for number, row in enumerate(rows):
        parts = [cell.split("\n") for cell in row]
        height = max(map(len, parts))
        for i in range(height):
            cells = []
            for j, (part, width) in enumerate(zip(parts, widths, strict=True)):
                at = i - (height - len(part)) if number == 0 else i
                cell = part[at] if 0 <= at < len(part) else ""
                cells.append(cell.ljust(width) if j == 0 else cell.rjust(width))
            text = _GAP.join(cells).rstrip()
            yield Line(text, HEAD) if number == 0 else text


def difference_table(
    names: Sequence[str], cards: Sequence[Scorecard], rule: str, found: Sequence[Difference], width: int
) -> Iterator[str]:
    """Yield lines that show how a second run differs from a first by a rule, as `compare` found."""
    metric = "acc" if rule == "official" else "acc_verified"
    yield from _styled(HEAD, wrapped(f"{names[1]} (2nd) less {names[0]} (1st), {label(cards, metric)}", width, ""))
    if not found:
        yield "  no problem was scored in both"
        return
    yield from _unlike(names, cards, metric, width)
    numbers = [
        ["points [95 %]", *(_points(d) for d in found)],
        ["p", *(p_value(d.p) for d in found)],
        ["right only\nin the 1st", *(str(d.only_first) for d in found)],
        ["right only\nin the 2nd", *(str(d.only_second) for d in found)],
        ["n", *(str(d.count) for d in found)],
    ]
    room = max(_LEAST, width - _width(numbers) - len(_GAP))
    rows: list[list[str]] = []
    for i, d in enumerate(found, 1):
        if d.group and d.group != (found[i - 2].group if i > 1 else ""):
            rows.append(_spanning(f"by {d.group.replace('_', ' ')}", len(numbers)))
        rows.append([_folded(f"  {d.slice}" if d.group else "all", room), *(column[i] for column in numbers)])
    head = ["", *(column[0] for column in numbers)]
    yield from table([list(column) for column in zip(head, *rows, strict=True)])
    yield from wrapped("p: exact McNemar test of the problems that only one of the two has right.", width)
    if any(d.group for d in found):
        yield from wrapped(CORRECTED, width)


def _unlike(names: Sequence[str], cards: Sequence[Scorecard], metric: str, width: int) -> Iterator[str]:
    """Yield in what runs differ beside the model: who read their answers, by whose prompt they were asked."""
    if readers_differ(cards) and any(how_read(card, metric) for card in cards):
        said = "; ".join(f"{name}: {read_by(card)}" for name, card in zip(names, cards, strict=True))
        yield from wrapped(f"their answers were not read alike ({said})", width)
    if settings_differ(cards):
        said = "; ".join(f"{name}: {setting(card) or AUTHORS}" for name, card in zip(names, cards, strict=True))
        yield from wrapped(f"they were not asked alike, so that more than the model differs ({said})", width)


def many_differences(
    names: Sequence[str],
    cards: Sequence[Scorecard],
    rule: str,
    pairs: Sequence[tuple[int, int, Difference | None, float]],
    width: int,
) -> Iterator[str]:
    """Yield lines that show how pairs of runs differ over the whole set.

    A pair is the index of the run that is subtracted, of the other, their difference (None: no problem was scored in
    both) and its p, corrected for the number of pairs.
    """
    metric = "acc" if rule == "official" else "acc_verified"
    firsts = {first for first, *_ in pairs}
    from_first = len(firsts) == 1
    from_whom = f"Differences from {names[pairs[0][0]]}" if from_first else "Differences, each run less one before it"
    yield from _styled(HEAD, wrapped(f"{from_whom}, {label(cards, metric)}", width, ""))
    yield from _unlike(names, cards, metric, width)
    known = [d for *_, d, _ in pairs]
    numbers = [
        ["points [95 %]", *(_points(d) if d else "-" for d in known)],
        ["p (Holm)", *(p_value(p) if d else "-" for *_, d, p in pairs)],
        ["lost", *(str(d.only_first) if d else "-" for d in known)],
        ["gained", *(str(d.only_second) if d else "-" for d in known)],
        ["n", *(str(d.count) if d else "0" for d in known)],
    ]
    room = max(_LEAST, width - _width(numbers) - len(_GAP))
    if from_first:
        said_pairs = shortened([names[second] for _, second, *_ in pairs], room)
    else:
        for i, name in enumerate(names, 1):
            yield from wrapped(f"{i} {name}", width)
        said_pairs = [f"{second + 1} less {first + 1}" for first, second, *_ in pairs]
    for line, pair in zip(table([["", *said_pairs], *numbers]), [None, *pairs], strict=True):
        yield Line(line, HEAD if pair is None else STRONG if pair[3] < _LEVEL else "")
    yield from wrapped(
        f"p: exact McNemar test, corrected for {len(pairs)} pairs (Holm). lost, gained: right only in the run that is "
        "subtracted, only in the other. The intervals are not corrected.",
        width,
    )


def _points(d: Difference) -> str:
    change, low, high = (signed(100 * x) for x in (d.second - d.first, d.low, d.high))
    return f"{change} [{low}, {high}]"


def notes(names: Sequence[str], cards: Sequence[Scorecard], width: int) -> Iterator[str]:
    """Yield what a reader of the numbers must know, each sentence once; with the runs it is about, if not all."""
    about: dict[str, list[str]] = {}
    for name, card in zip(names, cards, strict=True):
        for note in card.notes:
            about.setdefault(note, []).append(name)
    for note, whose in about.items():
        said = "" if len(whose) == len(names) else f" ({', '.join(whose)})"
        yield from _styled(FAINT, wrapped(f"note{said}: {note}", width))
