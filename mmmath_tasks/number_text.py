"""Numbers as a person reads them, the same in the terminal and on the page."""

from __future__ import annotations

import math

from mmmath_tasks.problem import Score

NONE = "\u2013"
"""What stands where there is no number."""

_LEAST_P = 0.001


def fixed(value: float, digits: int = 1) -> str:
    """Return "67.9", a dash for nan; what rounds to nothing has no sign."""
    if math.isnan(value):
        return NONE
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def percent(fraction: float, digits: int = 1) -> str:
    """Return a fraction in percent, as `fixed` does."""
    return fixed(100 * fraction, digits)


def signed(value: float, digits: int = 1) -> str:
    """Return a difference with its sign: "+3.2", "-3.2", and "0.0" for what rounds to nothing."""
    text = fixed(value, digits)
    return f"+{text}" if value > 0 and float(text) != 0 else text


def counted(count: int, what: str) -> str:
    """Return "1 row" and "1,000 rows"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def p_value(p: float) -> str:
    """Return "0.012"; below a thousandth "<0.001", since no test is as exact as further digits say."""
    return f"<{_LEAST_P:g}" if p < _LEAST_P else f"{p:.3f}"


def is_rating(metric: str) -> bool:
    """Say whether a metric counts points of ten; the others are fractions, their differences, or a correlation."""
    return metric.startswith("rating")


def is_correlation(metric: str) -> bool:
    """Say whether a metric goes from -1 to 1 and is no percentage."""
    return metric.endswith("correlation")


def score_text(score: Score) -> tuple[str, str, str]:
    """Return a score and the ends of its interval ("" where there is none): percent, points of ten, a correlation."""
    plain = is_rating(score.metric) or is_correlation(score.metric)
    value, low, high = (fixed(x, 2) if plain else percent(x) for x in (score.value, score.low, score.high))
    return (value, "", "") if math.isnan(score.value) or math.isnan(score.low) else (value, low, high)
