"""JSON from anywhere: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import json
from typing import Any

from mmmath_tasks.errors import InputError


def loads(text: str, **options: Any) -> Any:
    """Read JSON like json.loads, from text that nobody vouches for.

    Args:
        text: the JSON text.
        options: json.loads's own; an InputError of a hook goes through as it is.

    Returns:
        the value.

    Raises:
        json.JSONDecodeError: it is no JSON, is nested deeper than Python reads, or holds a number of more digits than
            Python converts (for which json.loads raises RecursionError and ValueError).
    """
    try:
        return json.loads(text, **options)
    except (json.JSONDecodeError, InputError):
        raise
    except RecursionError:
        raise json.JSONDecodeError("Brackets nested too deep", text, 0) from None
    except ValueError as error:  # of int()
        raise json.JSONDecodeError("A number of too many digits", text, 0) from error
