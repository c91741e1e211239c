"""The one exception that user mistakes raise."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: the message names the file, the row and what was expected.

    The command line prints the message without a traceback and exits with status 2.
    """
