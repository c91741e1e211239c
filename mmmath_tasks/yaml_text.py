"""YAML from anywhere: whatever is wrong with it is one kind of error."""

from __future__ import annotations

from typing import Any

import yaml


def loads(text: str) -> Any:
    """Read YAML like yaml.safe_load, from text that nobody vouches for.

    Raises:
        yaml.YAMLError: it is no YAML, is nested deeper than can be read and written back, or holds a date or number
            that is none (for which safe_load raises whatever Python's own constructors do).
    """
    try:
        loaded = yaml.safe_load(text)
        yaml.safe_dump(loaded)  # takes more of the stack, and no number of too many digits
        return loaded
    except yaml.YAMLError:
        raise
    except RecursionError:
        raise yaml.YAMLError("brackets nested too deep") from None
    except Exception as error:
        raise yaml.YAMLError(f"a value cannot be read: {error}") from error
