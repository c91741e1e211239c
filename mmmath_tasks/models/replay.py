"""Saved responses by problem id, from any file that `mmmath rescore` reads."""

from __future__ import annotations

from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.names import ID_COLUMNS, RESPONSE_COLUMNS
from mmmath_tasks.outputs.saved import open_saved


def read(path: Path) -> dict[str, str]:
    """Return problem id to response.

    Args:
        path: see mmmath_tasks.outputs.saved. The first of several samples counts; a response that is null, or absent
            beside an `error`, counts as "".

    Raises:
        InputError: no such file, not readable, a row without id or response, or two responses for one id.
    """
    responses: dict[str, str] = {}
    for saved in open_saved(path):
        if not saved.ids:
            looked, columns = ", ".join(ID_COLUMNS), ", ".join(map(str, saved.row))
            raise InputError(f"{path}: row {saved.where}: no problem id; looked for {looked}; columns: {columns}")
        if not saved.responses and not saved.row.keys() & {*RESPONSE_COLUMNS, "error"}:
            raise InputError(f"{path}: row {saved.where}: no response; looked for {', '.join(RESPONSE_COLUMNS)}")
        key, response = saved.ids[0], saved.responses[0] if saved.responses else ""
        if responses.setdefault(key, response) != response:
            raise InputError(f"{path}: row {saved.where}: a second, different response for problem {key!r}")
    return responses
