"""JSON from anywhere: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import json
from typing import Any

from mmmath_tasks.errors import InputError


class Unplaced(json.JSONDecodeError):
    """What is wrong with a value as a whole, at no one place in it."""

    def __str__(self) -> str:
        """Return the message alone."""
        return self.msg


def loads(text: str, **options: Any) -> Any:
    """Read JSON like json.loads, with its options, from text that nobody vouches for; a hook's InputError goes through.

    Raises:
        json.JSONDecodeError: it is no JSON, is nested deeper than Python reads, or holds a number of more digits than
            Python converts (for which json.loads raises RecursionError and ValueError, and this `Unplaced`).
    """
    try:
        return json.loads(text, **options)
    except (json.JSONDecodeError, InputError):
        raise
    except RecursionError:
        raise Unplaced("Brackets nested too deep", text, 0) from None
    except ValueError as error:  # of int()
        raise Unplaced("A number of too many digits", text, 0) from error


def fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong and where: the column, in a text of several lines also the line; from 1."""
    if isinstance(error, Unplaced):
        return error.msg
    text = error.doc.rstrip("\r\n")  # the parser names the place after a last line break
    place = json.JSONDecodeError(error.msg, text, min(error.pos, len(text)))
    line = f"line {place.lineno}, " if "\n" in text else ""
    what = error.msg.removesuffix(" at")  # some of the parser's messages end so, to be followed by the place
    return f"{what} at {line}column {place.colno}"
