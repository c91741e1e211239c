"""The one exception that user mistakes raise, and the one line that is said of it or of the system's refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class InputError(ValueError):
    """Bad input: the message names the file, the row and what was expected.

    The command line prints the message without a traceback and exits with status 2.
    """


def check_all(*checks: Callable[[], Any]) -> list[Any]:
    """Return what all checks return; who has several things to mend hears of them at once.

    Raises:
        InputError: some failed: the messages, a line each, in the order of the checks.
    """
    found, said = [], []
    for check in checks:
        try:
            found.append(check())
        except InputError as error:
            said.append(str(error))
    if said:
        raise InputError("\n".join(dict.fromkeys(said)))
    return found


def message_of(error: InputError | OSError) -> str:
    """Return the message; of what the system refused (no permission, no space), the path and why."""
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, error.strerror) if part) or str(error)
