"""Names as they fit in little room, the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Return names of at most `most` characters, all different, cut where that tells least.

    The middle goes, which two long names are likeliest to share; where it is the middle that differs, another part, or
    two parts around what differs. A name that comes again gets a number.
    """
    numbered = _numbered(names)
    for tail in sorted(range(most), key=lambda tail: abs(2 * tail - most)):
        found = [_without_middle(name, most, tail) for name in numbered]
        if len(set(found)) == len(names):
            return found
    for at in range(max(map(len, numbered))):
        found = [_with_window(name, most, at) for name in numbered]
        if len(set(found)) == len(names) and max(map(len, found)) <= most:
            return found
    return [f"{i} {_without_middle(name, most - len(f'{i} '), most // 3)}" for i, name in enumerate(numbered, 1)]


def some(names: Sequence[str], most: int = 10) -> str:
    """Return names with commas between them; of more than `most` the first, and dots."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'mathvista'?" with the known words that are near another, at most three; "" for none."""
    found = get_close_matches(word, sorted(set(known)), n=3, cutoff=0.7)
    return f"; did you mean {' or '.join(map(repr, found))}?" if found else ""


def _numbered(names: Sequence[str]) -> list[str]:
    """Return the names, with " #2" and so on behind those that come again."""
    found: dict[str, None] = {}
    for name in names:
        free = (f"{name} #{i}" if i > 1 else name for i in range(1, len(names) + 1))
        found[next(one for one in free if one not in found)] = None
    return list(found)


def _without_middle(name: str, most: int, tail: int) -> str:
    return name if len(name) <= most else f"{name[: most - tail - 1]}…{name[len(name) - tail :]}"


def _with_window(name: str, most: int, at: int) -> str:
    """Return a name's begin, what stands around a place in it, and its end."""
    if len(name) <= most:
        return name
    head = tail = (most - 2) // 4
    room = most - 2 - head - tail
    begin = min(max(head + 1, at - room // 2), len(name) - tail - room - 1)
    return f"{name[:head]}…{name[begin : begin + room]}…{name[len(name) - tail :]}"
