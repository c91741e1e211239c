"""What one cell of a saved file holds: text, an id, a number, a verdict, or the model's texts in any wrapping."""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections.abc import Iterator, Mapping
from typing import Any

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError

CALL_FAILED = "Failed to obtain answer"
"""How VLMEvalKit begins the text that it saves in place of a response when a call failed."""

_FORMS = (("role", "content"), ("from", "value"))
_MODELS = ("assistant", "gpt", "model", "bot")
_LONGEST_LITERAL = 200_000
_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def text(value: Any) -> str | None:
    """Return a cell as text; None for an empty cell and for pandas' nan."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value if isinstance(value, str) else str(value)


def identifier(value: Any) -> str:
    """Return an id as text; 7.0 from a spreadsheet, or from what pandas made of one, is 7."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else re.sub(r"^(\d+)\.0$", r"\1", str(value).strip())


def number(value: Any) -> Any:
    """Return a CSV cell that holds a number as one."""
    try:
        return json_text.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def integer(value: Any) -> int | None:
    """Return an integer; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def flag(value: Any) -> bool | None:
    """Return a stored verdict where it is plain: true, false, 1 or 0, as text too; a 2, or other text, is none."""
    return {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}.get(str(value).lower())


def literal(value: Any) -> Any:
    """Return the list or mapping that a table stored as a Python or JSON literal; other cells as they are."""
    bracketed = isinstance(value, str) and value[:1] in ("[", "{") and value.rstrip()[-1:] in ("]", "}")
    if not bracketed or len(value) >= _LONGEST_LITERAL:
        return value
    for parse in (json_text.loads, ast.literal_eval):  # literal_eval reads literals only; it runs nothing
        try:
            found = parse(value)
            return _array(value) or found if parse is ast.literal_eval else found
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return value


def _array(printed: str) -> list[Any]:
    """Return the texts of a list that numpy printed, without commas, which Python would join to one; [] for any other.

    Raises:
        SyntaxError: the text is no Python.
    """
    names = [t for t in tokenize.generate_tokens(io.StringIO(printed).readline) if t.type not in _LAYOUT]
    found = [ast.literal_eval(t.string) for t in names[1:-1] if t.type == tokenize.STRING]
    return found if len(found) > 1 and len(found) == len(names) - 2 else []


def texts(value: Any, where: str = "") -> list[str | None]:
    """Return what a model said: a text, those of a list (of lists), or the end of each conversation.

    Args:
        value: a text; a list of texts, one for each sample drawn; a message ({"role", "content"} or {"from", "value"});
            a list of messages, of which the last counts if it is the model's; lists of those.
        where: for the message of an error.

    Returns:
        one text a sample, None where the cell is empty; [] for a list of none, and for a conversation that ends with a
        question.

    Raises:
        InputError: an object that is no message.
    """
    found = list(_flat(value))
    if any(isinstance(one, Mapping) for one in found):
        raise InputError(f"{where} should be text or a list of texts, got an object")
    return [text(one) for one in found]


def _flat(value: Any) -> Iterator[Any]:
    """Yield what lists within lists hold, in its order, conversations as their last text."""
    rest = [value]
    while rest:
        value = rest.pop()
        if is_conversation(value):
            speaker, said = _message(value[-1])
            if speaker in _MODELS:
                yield said
        elif isinstance(value, list):
            rest += reversed(value)
        else:
            yield _message(value)[1] if _is_message(value) else value


def is_conversation(value: Any) -> bool:
    """Say whether a cell is a list of messages."""
    return isinstance(value, list) and bool(value) and all(map(_is_message, value))


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and any(value.keys() >= {*form} for form in _FORMS)


def _message(value: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return who speaks and what is said, of which the parts that are text are joined."""
    speaker, said = next((value[role], value[content]) for role, content in _FORMS if {role, content} <= value.keys())
    if not isinstance(said, list):
        return speaker, said
    return speaker, "".join(str(part.get("text") or "") for part in said if isinstance(part, Mapping))
