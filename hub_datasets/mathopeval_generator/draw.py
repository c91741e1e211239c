"""Random draws that depend on nothing but the seed, the figure's type, its index and what is drawn.

So sample i of a seed is the same on every machine, in any order, in any number of processes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import TypeVar

_T = TypeVar("_T")


def key(*parts: object) -> int:
    """Return a 256-bit number that stands for these parts."""
    return int.from_bytes(sha256("/".join(map(str, parts)).encode()).digest(), "big")


def draws(seed: int, type: str, index: int, purpose: str = "figure") -> random.Random:
    """Return the generator of one sample for one purpose; purposes do not disturb each other."""
    return random.Random(key(seed, type, index, purpose))


def turn(seed: int, type: str, index: int, purpose: str, size: int = 4) -> int:
    """Return 0 ... size - 1 so that every block of `size` consecutive indices holds each number once.

    The order within a block is random. Used where a share must be even by construction: which of four options
    is the right one, and which letter it gets.
    """
    order = list(range(size))
    random.Random(key(seed, type, index // size, purpose, "turn")).shuffle(order)
    return order[index % size]


def share(index: int, total: int, of: int) -> int:
    """Return how many of `total` things fall on `index` when they are spread evenly over `of` indices (then again)."""
    index %= of
    return (index + 1) * total // of - index * total // of


def first_possible(make: Callable[[int], _T], attempts: int = 300) -> _T:
    """Return what is made of the first of the numbers 0, 1, ... for which `make` raises no ValueError."""
    for attempt in range(attempts):
        with suppress(ValueError):
            return make(attempt)
    raise AssertionError(f"{attempts} attempts, and none to ask about")
