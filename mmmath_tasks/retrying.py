"""When a request is worth another try, and how long to wait for it.

Not tenacity: the loops differ in what they do between two tries (budget, messages, an interrupt), it reads no
Retry-After, and what it would spare is a `for`.
"""

from __future__ import annotations

import email.utils
import math
import random
import time
from collections.abc import Callable


def is_transient(status: int) -> bool:
    """Say whether another try can succeed after this HTTP status."""
    return status in (408, 409, 425, 429) or status >= 500


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or an HTTP date); None where it has none."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def backoff(
    attempt: int,
    asked: float | None = None,
    *,
    first: float = 0.5,
    longest: float = 30.0,
    dice: Callable[[], float] = random.random,
) -> float:
    """Return the seconds to wait after a failed attempt, random, so that two that met once do not meet again.

    Args:
        attempt: 0 is the first.
        asked: what `retry_after` says; kept, with at most a tenth on top. None or 0: see below.
        first: the span of which half to all is waited; doubled with each attempt.
        longest: where doubling ends.
        dice: gives a number from 0 to 1.
    """
    if asked:
        return asked * (1 + 0.1 * dice())
    return min(longest, first * 2.0 ** min(attempt, 60)) * (0.5 + 0.5 * dice())
