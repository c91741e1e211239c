"""The one exception that user mistakes raise, and the one line that is said of it or of the system's refusal."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: the message names the file, the row and what was expected.

    The command line prints the message without a traceback and exits with status 2.
    """


def message_of(error: InputError | OSError) -> str:
    """Return the message; of what the system refused (no permission, no space), the path and why."""
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, error.strerror) if part) or str(error)
