"""Times of day in digits and in words, where a question offers "half", "quarter past", "o'clock" or digits."""

from __future__ import annotations

import re

_TIME = re.compile(r"(?<![\d:.])(\d{1,2})\s?[:.]\s?([0-5]\d)(?![\d:])")
_WORDS = {
    0: ("o'clock",),
    15: ("quarter past", "quarter after", "quarter"),
    30: ("half past", "half"),
    45: ("quarter to", "quarter before", "quarter"),
}


def time_words(text: str, offered: tuple[str, ...]) -> int | None:
    """Return the option in words that a time in digits amounts to: 3:30 is "half" past three.

    Args:
        text: a sentence of the response.
        offered: the options in lower case.

    Returns:
        the option's index; None where the options are no such words or the text tells no one such time.
    """
    if "o'clock" not in offered and not any(option.startswith(("half", "quarter")) for option in offered):
        return None
    minutes = {int(m[2]) for m in _TIME.finditer(text) if int(m[1]) <= 24}
    if len(minutes) != 1:
        return None
    for words in _WORDS.get(minutes.pop(), ()):
        if words in offered:
            return offered.index(words)
    return None
