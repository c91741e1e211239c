"""YAML that somebody wrote, with one part of it replaced: every other line stays as it is.

Written anew as a whole it would say something else to who reads YAML 1.2, as the Hub does: `language: no` would be
`false`, `version: 1.10` would be 1.1; and comments, quotes and the order of the keys would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from mmmath_tasks import yaml_text

# "---\nlicense: mit\n---\n"
BLOCK = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?\r?\n|)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def with_key(card: str, key: str, value: Any) -> str:
    """Return a model card with one key of its block of metadata set, without a byte order mark.

    Args:
        card: its metadata, where it has any, are a mapping.
        key: its lines are replaced where they stand; those of a new one come last.
        value: anything that YAML has.
    """
    card = card.removeprefix("\ufeff")
    found = BLOCK.match(card)
    front, rest = (found[1], card[found.end() :]) if found else ("", card)
    made = _spliced(front, yaml_text.loads(front) or {}, key, value)
    return _ended(f"---\n{made}---\n", found[0] if found else card) + rest


def with_item(text: str, place: int, value: Any) -> str:
    """Return a file of a list with the item at a place replaced; a place behind the last one is a new item's."""
    return _ended(_spliced(text, yaml_text.loads(text) or [], place, value), text)


def _spliced(text: str, loaded: Any, place: Any, value: Any) -> str:
    """Return what is in `text`, of which `loaded` is made, with the value at a key or index, in LF."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    wanted: Any
    part: Any
    if isinstance(loaded, Mapping):
        wanted, part = {**loaded, place: value}, {place: value}
    else:
        wanted, part = [*loaded[:place], value, *loaded[place + 1 :]], [value]
    start, end = _span(text, place)
    before = text[:start] + ("\n" if text[:start] and not text[:start].endswith("\n") else "")
    made = before + _dumped(part) + text[end:]
    try:
        same = yaml_text.loads(made) == wanted
    except yaml.YAMLError:
        same = False
    return made if same else _dumped(wanted)  # all in brackets, or an anchor that was in the lines


def _span(text: str, place: Any) -> tuple[int, int]:
    """Return where the lines of a key, or of an item, begin and end; the end of the text, twice, where there is none.

    Comments and empty lines at their end are the next one's.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    begun = {}
    for i, part in enumerate(root.value if root else ()):
        name, node = (part[0].value, part[0]) if isinstance(part, tuple) else (i, part)
        begun[name] = text.rfind("\n", 0, node.start_mark.index) + 1
    if place not in begun:
        return len(text), len(text)
    start = begun[place]
    end = min((other for other in begun.values() if other > start), default=len(text))
    own = text[start:end].splitlines(keepends=True)
    while len(own) > 1 and (not own[-1].strip() or own[-1].startswith("#")):
        end -= len(own.pop())
    return start, end


def _dumped(value: Any) -> str:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)
    return text


def _ended(made: str, like: str) -> str:
    """Return a text in the line endings of another one."""
    return made.replace("\n", "\r\n") if "\r\n" in like else made
