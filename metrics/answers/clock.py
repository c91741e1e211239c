"""Times of day in digits and in words, where a question offers "half", "quarter past", "o'clock" or digits."""

from __future__ import annotations

import re

# "3:30"
_TIME = re.compile(r"(?<![\d:.])(\d{1,2})\s?[:.]\s?([0-5]\d)(?![\d:])")
_WORDS = {
    0: ("o'clock",),
    15: ("quarter past", "quarter after", "quarter"),
    30: ("half past", "half"),
    45: ("quarter to", "quarter before", "quarter"),
}


_HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_PARTS = {
    "half": 30,
    "a half": 30,
    "quarter": 15,
    "a quarter": 15,
    "five": 5,
    "ten": 10,
    "twenty": 20,
    "twenty-five": 25,
}
# "a quarter past eight"
_SPOKEN = re.compile(
    rf"\b(?:(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))}) (?P<side>past|after|to|before) )?"
    rf"(?P<hour>{'|'.join(_HOURS)}|\d{{1,2}})(?P<full> o'?clock)?\b",
    re.I,
)


def spoken_time(text: str, offered: tuple[str, ...]) -> int | None:
    """Return the option in digits that a time in words amounts to: "a quarter to eight" is 7:45.

    Returns:
        the option's index; None where the options are no times in digits or the text tells no one such time.
    """
    times = [_TIME.fullmatch(option) for option in offered]
    if not all(times):
        return None
    said = set()
    for match in _SPOKEN.finditer(text.replace("\u2019", "'")):
        if not match["part"] and not match["full"]:
            continue
        name = match["hour"].lower()
        hour = _HOURS.index(name) + 1 if name in _HOURS else int(name)
        minutes = _PARTS[match["part"].lower()] if match["part"] else 0
        if minutes and match["side"].lower() in {"to", "before"}:
            hour, minutes = hour - 1 or 12, 60 - minutes
        said.add((hour, minutes))
    found = [i for i, m in enumerate(times) if m and (int(m[1]), int(m[2])) in said]
    return found[0] if len(said) == 1 == len(found) else None


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
