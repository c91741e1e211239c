"""Secret seeds: a set whose golds nobody can make without a file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from mmmath_tasks.errors import InputError

LEAST = 16
"""Bytes of a secret seed; who guesses fewer could hold guesses against the digest that a card publishes."""


def private_seed(file: Path) -> int:
    """Return the seed that a file stands for; blanks and line ends around what it holds do not count.

    Raises:
        InputError: the file cannot be read or is too short to be a secret.
    """
    try:
        held = file.read_bytes().strip()
    except OSError as error:
        raise InputError(f"{file}: the seed cannot be read: {error.strerror or error}") from None
    if len(held) < LEAST or len(set(held)) < LEAST // 2:
        raise InputError(
            f"{file}: {len(held)} bytes are no secret; expected {LEAST} random ones or more (`openssl rand -hex 32`)"
        )
    return int.from_bytes(sha256(b"mathopeval seed\n" + held).digest(), "big")


def digest(seed: int) -> str:
    """Return what tells a secret seed from others and does not give it away: a SHA-256 in hexadecimal."""
    return sha256(f"mathopeval digest\n{seed}".encode()).hexdigest()
