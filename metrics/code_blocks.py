r"""The code in a response: fenced blocks as models write them, and code without a fence.

A fence may stand in a list item or a quotation, behind words ("Code: ```python"), close at the end of a line of code,
or be left open (a response cut off). Line ends of any system and a byte-order mark are no part of code.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

# "Code: ```python"
_OPENING = re.compile(r"^(?P<before>[^`]*?)(?P<fence>`{3,}|~{3,})[ \t]*(?P<mark>[^`~]*)$")
# What may stand before a fence of tildes, and before one that parts a block left open
# "> 1. "
_MARGIN = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?[ \t]*$")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_LANGUAGE = re.compile(r"[\s{.]*([A-Za-z][\w+-]*)")
_CODE_MARKS = frozenset("python python3 py py3 ipython matplotlib latex tex tikz pgf pgfplots".split())  # noqa: SIM905
_OTHER_MARKS = frozenset(
    """bash sh shell zsh console terminal powershell cmd bat text txt plaintext plain output stdout result json yaml
    yml markdown md html csv diff none""".split()  # noqa: SIM905
)

# "for i in range(3):"
_PYTHON = r"(?:import|from)[ \t]+\w|(?:def|class|async|with|for|while|if|try|@)\b.*:[ \t]*(?:#.*)?$|@\w"
_TEX = (
    r"\\(?:documentclass|begin|usepackage|usetikzlibrary|tikz|draw|RequirePackage|pgfplotsset|definecolor|def"
    r"|newcommand)"
)
# "import math"
_BEGINS = re.compile(
    rf"(?:{_PYTHON}|{_TEX}|\"\"\"|'''|[rRuU]?\"\"\"|#|%|[A-Za-z_][\w.,\[\] \t'\"()*]*(?::[ \t]*\w+[ \t]*)?=[^=]"
    r"|[A-Za-z_][\w.]*\()",
    re.MULTILINE,
)
# "plt.plot("
_DRAWS = re.compile(
    rf"^[ \t]*(?:(?:import|from)[ \t]+[\w.]+[ \t]*(?:$|[,;#]|as\b|import\b)|{_TEX})|\b(?:plt|ax|axes|fig)\.\w+\(",
    re.MULTILINE,
)
_DOCUMENT = re.compile(r"\\documentclass.*?\\end\s*\{document\}", re.DOTALL)
# "\begin{tikzpicture} \end{tikzpicture}"
_PICTURE = re.compile(
    r"(?:^[ \t]*\\use\w+.*\n)*^[ \t]*\\begin\s*\{tikzpicture\}.*\\end\s*\{tikzpicture\}", re.DOTALL | re.MULTILINE
)
# "import math as m"
_IMPORT = re.compile(r"^(?:import|from)[ \t]+[\w.]+[ \t]*(?:$|[,;#]|as\b|import\b)", re.MULTILINE)
# "x = 3"
_SIGNS = re.compile(r"[=()\[\]{}\\#:]|^(?:import|from|pass|return|else|try)\b|^[ \t]+\S")
# Names that a block uses for things which an earlier block must have made
_ALIASES = ("plt", "np", "pd", "sns", "mpl", "fig", "ax", "math")


@dataclass(frozen=True, slots=True)
class _Block:
    mark: str
    body: str


def code(response: str) -> str | None:
    """Return the code of a free-form response; None where there is none.

    Args:
        response: the model's text.

    Returns:
        the last block of code, with the blocks before it that it builds on (imports in one block, the plot in the
        next; a preamble and a picture). Blocks marked as a shell's, as text or as output count only where there is no
        other, unmarked ones that do not look like code only where no block is marked as code. Without any fence,
        the whole response where it begins like a script or a document, else the document, picture or script in it.
    """
    text = response.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    blocks = [block for block in _blocks(text) if block.body.strip()]
    if not blocks:
        return _bare(text)
    chosen = [b for b in blocks if b.mark in _CODE_MARKS or (b.mark not in _OTHER_MARKS and _looks_like_code(b.body))]
    chosen = chosen or [b for b in blocks if b.mark not in _OTHER_MARKS] or blocks[-1:]
    return _joined([b.body for b in chosen])


def _blocks(text: str) -> list[_Block]:
    """Return the fenced blocks in order."""
    found: list[_Block] = []
    fence, mark, body, quoted = "", "", [""], False
    for line in text.split("\n"):
        opening = _OPENING.match(line)
        if not fence:
            if opening and (opening["fence"][0] == "`" or _MARGIN.match(opening["before"])):
                fence, mark, body = opening["fence"], _language(opening["mark"]), []
                quoted = ">" in opening["before"] and _QUOTE.match(line) is not None
            continue
        content = _QUOTE.sub("", line) if quoted else line
        stripped = content.rstrip()
        # "print(12)```"
        if re.search(rf"(?<!{re.escape(fence[0])}){re.escape(fence[0])}{{{len(fence)},}}$", stripped):
            rest = stripped.rstrip(fence[0])
            found.append(_Block(mark, _tidy([*body, rest if rest.strip() else ""])))
            fence = ""
        elif (
            opening and opening["fence"][0] == fence[0] and _MARGIN.match(opening["before"]) and opening["mark"].strip()
        ):
            # A new block begins although the last was not closed
            found.append(_Block(mark, _tidy([*body, ""])))
            fence, mark, body = opening["fence"], _language(opening["mark"]), []
        else:
            body.append(content)
    if fence:
        found.append(_Block(mark, _tidy(body)))
    return found


def _language(mark: str) -> str:
    found = _LANGUAGE.match(mark)
    return found[1].lower() if found else ""


def _tidy(lines: Sequence[str]) -> str:
    """Return a block's lines without the margin of the list item that it stands in."""
    return textwrap.dedent("\n".join(lines))


def _looks_like_code(body: str) -> bool:
    """Tell whether an unmarked block is a script or a picture, not what one printed."""
    first = body.strip().partition("\n")[0].rstrip()
    return _BEGINS.match(first) is not None and _DRAWS.search(body) is not None


def _joined(bodies: list[str]) -> str:
    """Return the last block, after those before it that make what it uses."""
    last, missing = bodies[-1], _missing(bodies[-1])
    parts = [last]
    for body in reversed(bodies[:-1]):
        if not missing:
            break
        if any(_makes(body, name) for name in missing):
            parts.insert(0, body)
            missing = _missing("\n".join(parts))
    return "\n".join([*(part.rstrip("\n") for part in parts[:-1]), last])


def _missing(code: str) -> list[str]:
    """Return the names that a block uses and does not make; "document" for a picture without a preamble of its own."""
    if "\\begin{tikzpicture}" in code or re.search(r"\\(?:draw|tikz)\b", code):
        return [] if "\\documentclass" in code else ["document"]
    return [name for name in _ALIASES if re.search(rf"(?<![\w.]){name}\.\w", code) and not _makes(code, name)]


def _makes(code: str, name: str) -> bool:
    if name == "document":
        # "\usepackage"
        preamble = re.search(r"\\(?:documentclass|usepackage|usetikzlibrary|tikzset|definecolor)\b", code)
        return preamble is not None and "\\end{document}" not in code and "\\begin{tikzpicture}" not in code
    bound = (
        rf"\bas[ \t]+{name}\b|\bimport[ \t]+(?:[\w.]+,[ \t]*)*{name}\b|^[ \t]*(?:\w+,[ \t]*)*\(?{name}\b[^=\n(.]*=[^=]"
    )
    return re.search(bound, code, re.MULTILINE) is not None


def _bare(text: str) -> str | None:
    """Return the code of a response without a fence."""
    stripped = text.strip()
    if _BEGINS.match(stripped) and _DRAWS.search(stripped) and _prose_free(stripped):
        return text
    for pattern in (_DOCUMENT, _PICTURE):
        found = pattern.search(text)
        if found:
            return found.group() + "\n"
    begin = _IMPORT.search(text)
    if begin is None:
        return text if re.match(rf"{_TEX}|(?:import|from)[ \t]+\w", stripped) else None
    paragraphs = text[begin.start() :].split("\n\n")
    while len(paragraphs) > 1 and not any(_SIGNS.search(line) for line in paragraphs[-1].split("\n")):
        paragraphs.pop()
    return "\n\n".join(paragraphs).rstrip() + "\n"


def _prose_free(code: str) -> bool:
    """Tell whether the lines before the first statement are comments or code (a heading has prose under it)."""
    before = code[: found.start()] if (found := _IMPORT.search(code)) else ""
    lines = [line for line in before.split("\n") if line.strip()]
    return not any(re.match(r"[A-Z][\w',-]* [\w',-]+ [\w',-]+", line) for line in lines) or before.count('"""') >= 2
