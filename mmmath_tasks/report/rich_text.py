"""Text of a model or a benchmark as HTML: Markdown, LaTeX as MathML, marks of pictures.

The HTML has the elements of `ELEMENTS` and of `formula.ELEMENTS` only: none that the text itself spells, no link, no
picture, no attribute but a list's `start`. Headings are bold paragraphs, since the page has its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from mmmath_tasks.report.formula import mathml

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ELEMENTS = "p br strong em s ul ol li blockquote hr pre code table thead tbody tr th td mark span"

ELEMENTS = frozenset(_ELEMENTS.split())
"""Elements beside those of formulas; scripts/rich_text.js has the same list."""


_LONGEST = 200_000
_PIECE, _START, _END = 0xF0000, "\U000ffff0", "\U000ffff1"
_PRIVATE = re.compile("[\U000f0000-\U000fffff]")

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
_ENVIRONMENTS = "align|aligned|alignat|array|cases|equation|eqnarray|gather|gathered|multline|split|[bBpvV]?matrix"
_PIECES = re.compile(
    # "`$x$`" and fences: code, where nothing is a formula
    r"(?<!`)(?P<ticks>`+)(?!`)(?s:.*?)(?<!`)(?P=ticks)(?!`)"
    # r"\$5" is money
    r"|\\\$"
    # "$$x^2$$", r"\[ x \\[2pt] y \]"
    r"|\$\$(?P<dollars>(?:\\(?s:.)|[^$\\])+?)\$\$"
    r"|\\\[(?P<brackets>(?:\\\\|(?!\\[\[\]])(?s:.))+?)\\\]"
    # r"\(x\)", "$x$"; the dollars of "$5 to $10" are none of a formula
    r"|\\\((?P<parentheses>(?:\\\\|(?!\\[()])(?s:.))+?)\\\)"
    r"|\$(?P<dollar>(?=\S)(?:\\(?s:.)|[^$\\\n]|\n(?!\s*\n))+?(?<=\S))\$(?!\d)"
    # "$ x = 5 $": with spaces at its ends a formula has no words
    r"|\$(?P<loose>(?:(?!\s[a-z]{2,}\b)(?:\\(?s:.)|[^$\\\n]))+?)\$(?!\d)"
    # r"\begin{cases} ... \end{cases}" and r"\boxed{7}" without either
    rf"|(?P<environment>\\begin\{{(?P<name>(?:{_ENVIRONMENTS})\*?)\}}"
    r"(?:(?!\\(?:begin|end)\{(?P=name)\})(?s:.))*\\end\{(?P=name)\})"
    r"|(?P<bare>\\(?:boxed|fbox|[dtc]?frac|sqrt|text|textbf|mathrm|mathbf|overline)(?:\[[^\]\n]*\])?"
    rf"(?:{_BRACES})+)"
    # "<image1>", "<image>"
    r"|<(?:image|img)\s?(?P<picture>\d{0,3})>"
    # "2*3*4", "x**2", "+ 5" at the start of a line: signs of operations, no Markdown
    r"|(?P<sign>(?<=[0-9A-Za-z)\]])\*{1,2}(?=[0-9A-Za-z(\[])|(?m:^)[ \t]*\+(?=\s))"
)
_INLINE, _DISPLAYED = ("parentheses", "dollar", "loose", "bare"), ("dollars", "brackets", "environment")

# r"3\sqrt{2}", "x^2", "a_1": an answer that is a formula though nothing encloses it
_LATEX = re.compile(r"\\[A-Za-z]|[\w)}]\s*[\^_]\s*[\w{(]")

# "<p>", "<br>": what a text without any markup has, too; the page marks what was read in that by itself
_PLAIN = re.compile(r"</?p>|<br>|</?mark>")

# "$", "- item", "2) next", "----": without any of these there is nothing to render
_MARKUP = re.compile(r"[\\$*_`<>^~&#|]|(?m:^)[ \t]*(?:[-+](?=\s)|\d{1,9}[.)](?=\s)|[-=]+[ \t]*$)")

# "<p>", "<li>", "<span>picture 1</span>": what breaks a line, or a picture would
_BLOCKS = re.compile(
    r"<span>picture \d+</span>|</?(?:p|br|[uo]l|li|blockquote|hr|pre|table|t(?:head|body|[rhd]))\b[^>]*>"
)


@dataclass(frozen=True, slots=True)
class RichText:
    """A text as HTML.

    Attributes:
        html: the HTML; "" where it would show just what the text is.
        formulas: how many formulas were found.
        raw: those that could not be converted and stand as they were.
    """

    html: str
    formulas: int = 0
    raw: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part that is no Markdown: where it stands, its text, its HTML (None: as it is), whether it is a formula."""

    start: int
    end: int
    source: str
    html: str | None
    formula: bool


def rich_text(text: str, mark: tuple[int, int] | None = None) -> RichText:
    """Return a text of a model or a benchmark as HTML.

    `mark`: a span of characters that gets `mark` elements; a formula that it begins or ends in is marked as a whole.
    """
    if len(text) > _LONGEST or not _MARKUP.search(text) or _PRIVATE.search(text):
        return RichText("")
    pieces = list(_pieces(text))
    if len(pieces) >= 0xFFF0:
        return RichText("")
    formulas = [piece for piece in pieces if piece.formula]
    left = tuple(piece.source for piece in formulas if piece.html is None)
    html = _markdown().render(_with_marks(text, pieces, mark), {"pieces": pieces, "marked": False})
    said = _PLAIN.sub("", html)
    plain = "<" not in said and "".join(unescape(said).split()) == "".join(text.split())
    return RichText("" if plain else html.strip(), len(formulas), left)


def rich_answer(text: str | None) -> str:
    """Return a short answer as HTML of one line; "" where that would show just what the text is."""
    if not text:
        return ""
    if _LATEX.search(text) and not any(piece.formula for piece in _pieces(text)):
        return mathml(text) or ""
    html = rich_text(text).html
    return html[3:-4] if html.startswith("<p>") and html.find("</p>") == len(html) - 4 else ""


def rich_line(text: str, most: int = 160) -> str:
    """Return the beginning of a text as HTML of one line without blocks; marks of pictures are left out."""
    end = next((piece.start for piece in _pieces(text) if piece.start < most < piece.end), most)
    html = rich_text(text[:end]).html or escape(text[:end], quote=False)
    return " ".join(_BLOCKS.sub(" ", html).split())


def _pieces(text: str) -> Iterator[_Piece]:
    for match in _PIECES.finditer(text):
        inline = next((match[name] for name in _INLINE if match[name] is not None), None)
        latex = next((match[name] for name in _DISPLAYED if match[name] is not None), inline)
        html = None
        if latex is not None:
            html = mathml(latex, latex is not inline)
        elif match["picture"] is not None:
            html = f"<span>picture {match['picture'] or 1}</span>"
        elif match["sign"] is None:
            continue
        yield _Piece(match.start(), match.end(), match[0], html, latex is not None)


def _with_marks(text: str, pieces: Sequence[_Piece], mark: tuple[int, int] | None) -> str:
    """Return the text with a private character in place of each piece, and at either end of what is marked."""
    edits = [(piece.start, piece.end, chr(_PIECE + i)) for i, piece in enumerate(pieces)]
    if mark:
        start, end = mark
        for piece in pieces:
            start = piece.start if piece.start < start < piece.end else start
            end = piece.end if piece.start < end < piece.end else end
        edits += [(start, start, _START), (end, end, _END)]
    parts, at = [], 0
    for start, end, character in sorted(edits):
        parts += [text[at:start], character]
        at = end
    return "".join([*parts, text[at:]])


def _shown(content: str, env: MutableMapping[str, Any], code: bool = False) -> str:
    """Return text as HTML, with the pieces and the marks that it has; in code a piece is its text."""
    parts = ["<mark>" if env["marked"] else ""]
    at = 0
    for match in _PRIVATE.finditer(content):
        parts.append(escape(content[at : match.start()], quote=False))
        at = match.end()
        if match[0] in (_START, _END):
            env["marked"] = match[0] == _START
            parts.append("<mark>" if env["marked"] else "</mark>")
        else:
            piece = env["pieces"][ord(match[0]) - _PIECE]
            parts.append(escape(piece.source, quote=False) if code or piece.html is None else piece.html)
    parts.append(escape(content[at:], quote=False))
    parts.append("</mark>" if env["marked"] else "")
    return "".join(parts).replace("<mark></mark>", "")


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    found = MarkdownIt("commonmark", {"html": False, "breaks": True, "xhtmlOut": False})
    found.enable(["table", "strikethrough"])
    # models indent what is no code; links and pictures lead out of the page; references hide what they define
    found.disable(["code", "html_block", "html_inline", "link", "image", "autolink", "reference"])
    for name, html in {
        "heading_open": "<p><strong>",
        "heading_close": "</strong></p>\n",
        "th_open": "<th>",
        "td_open": "<td>",
    }.items():
        found.add_render_rule(name, lambda *_, html=html: html)
    found.add_render_rule("text", lambda self, tokens, i, options, env: _shown(tokens[i].content, env))
    for name, around in {"code_inline": ("<code>", "</code>"), "fence": ("<pre><code>", "</code></pre>\n")}.items():
        found.add_render_rule(
            name,
            lambda self, tokens, i, options, env, around=around: (
                around[0] + _shown(tokens[i].content, env, code=True) + around[1]
            ),
        )
    return found
