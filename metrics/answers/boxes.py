r"""What stands in the \boxed{...} of a response, found in one pass with balanced braces."""

from __future__ import annotations

import re

# "\boxed{12}"
_OPEN = re.compile(r"\\?\b(?:boxed|fbox|framebox)\s*(?:\[[^\]\n]{0,20}\])?\s*(?:\{|(?=[\dA-Za-z(\\]))")
_BRACES = re.compile(r"[{}\\]")
_SPAN = 2_000  # characters of one box that are read


def boxed(text: str) -> list[tuple[int, int, str]]:
    r"""Return (start, end, inside) of every box in order; a box that is never closed ends at its line's end.

    A box inside a box gives the outer one only; `\boxed 7` without braces gives the next token.
    """
    if "box" not in text:
        return []
    found: list[tuple[int, int, str]] = []
    position = 0
    while (match := _OPEN.search(text, position)) is not None:
        start = match.end()
        if text[start - 1] == "{":
            end = _closing(text, start)
            inside = text[start:end]
            position = min(end + 1, len(text))
        else:
            if not text.startswith("\\", match.start()):
                position = start
                continue
            token = re.compile(r"\\?[A-Za-z]+|[\d.,]+|\S").match(text, start)
            position = token.end() if token else start
            inside = text[start:position].rstrip(".,")
        found.append((match.start(), position, _without_braces(inside.strip())))
    return found


def _without_braces(text: str) -> str:
    """Return a text without a pair of braces around all of it."""
    while text.startswith("{") and text.endswith("}") and len(text) > 2 and _closing(text, 1) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def _closing(text: str, start: int) -> int:
    depth = 1
    limit = min(len(text), start + _SPAN)
    position = start
    while (brace := _BRACES.search(text, position, limit)) is not None:
        position = brace.end()
        sign = brace.group()
        if sign == "\\":
            position += 1
        elif sign == "{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return brace.start()
    line = text.find("\n", start, limit)
    return limit if line < 0 else line


# "$, and $x = $"
_JOINED = re.compile(r"[\s$]*(?:,|and|or|;|&|, and|, or)?[\s$]*(?:[A-Za-z]\w{0,3}\s*=\s*)?[\s$]*")


def final_box(text: str) -> tuple[str, int, int] | None:
    """Return the inside of the last box, where it ends and where it begins; None where there is none.

    Boxes joined by "and", "or" or a comma are one answer of several parts: "2, 3".
    """
    boxes = boxed(text)
    if not boxes:
        return None
    parts, start = [boxes[-1][2]], boxes[-1][0]
    for before, after in zip(boxes[-2::-1], boxes[:0:-1], strict=False):
        between = text[before[1] : after[0]]
        if len(between) > 30 or _JOINED.fullmatch(between) is None:
            break
        start = before[0]
        if before[2] != parts[0]:
            parts.insert(0, before[2])
    return ", ".join(parts), boxes[-1][1], start
