"""Names as they fit in little room, the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Return names of at most `most` characters, cut where it tells least: different names stay different.

    The middle goes, which two long names are likeliest to share; where it is the middle that differs, another part.
    """
    for tail in sorted(range(most), key=lambda tail: abs(2 * tail - most)):
        found = [_without_middle(name, most, tail) for name in names]
        if len(set(found)) == len(set(names)):
            return found
    number = {name: f"{i} " for i, name in enumerate(dict.fromkeys(names), 1)}
    return [number[name] + _without_middle(name, most - len(number[name]), most // 3) for name in names]


def _without_middle(name: str, most: int, tail: int) -> str:
    return name if len(name) <= most else f"{name[: most - tail - 1]}…{name[len(name) - tail :]}"
