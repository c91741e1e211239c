r"""Texts in one alphabet, and answers without dress: the insides of boxes, no dollars, no `\text`, no full stop."""

from __future__ import annotations

import re
from functools import lru_cache

from mmmath_tasks.metrics.answers.markup import unfonted

MAX_LENGTH = 16_000  # characters read of one response: its head and its tail
_HEAD = 4_000

_ALPHABET: dict[int, str | None] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width forms
    **{0x0660 + d: str(d) for d in range(10)},  # Arabic-Indic digits
    **{0x06F0 + d: str(d) for d in range(10)},  # Persian digits
    **{0x0966 + d: str(d) for d in range(10)},  # Devanagari digits
    **{ord(c): " " for c in "\u3000\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2007\u2008\u2009\u200a\u202f\x0b"},
    **{ord(c): None for c in "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\ufeff\u2060\x00\u2061\u2062\ufe0f"},
    **{ord(c): "'" for c in "\u2018\u2019\u02bc"},
    **{ord(c): '"' for c in "\u201c\u201d\u300c\u300d"},
    **{ord(c): "-" for c in "\u2212\u2010\u2011\u2012\u2013\u207b"},
    **dict.fromkeys(
        (*range(0x1F300, 0x1F534), *range(0x1F53C, 0x1F7E0), *range(0x1F7EC, 0x1FB00), 0x2B50, 0xFE0F)
    ),  # decoration beside an answer
    **{0x24B6 + i: chr(ord("A") + i) for i in range(26)},  # letters in circles
    **{ord(c): "\n" for c in "\u2028\u2029\x85"},
    # Traditional signs of the words by which answers are announced: one lexicon serves both scripts.
    **dict(
        zip(
            map(
                ord,
                "\u9078\u64c7\u70ba\u7232\u78ba\u61c9\u8a72\u984c\u8a8d\u7d9c\u7d42\u7121\u500b\u9805\u5169\u986f\u9019\u7d50\u8ad6\u5c0d\u932f\u7b97\u6578\u95dc\u8f38\u89e3",
            ),
            "\u9009\u62e9\u4e3a\u4e3a\u786e\u5e94\u8be5\u9898\u8ba4\u7efc\u7ec8\u65e0\u4e2a\u9879\u4e24\u663e\u8fd9\u7ed3\u8bba\u5bf9\u9519\u7b97\u6570\u5173\u8f93\u89e3",
            strict=True,
        )
    ),
    0x2014: " - ",
    0x3002: ". ",
    0x3001: ", ",
    0x060C: ", ",
    0x066B: ".",
    0x066C: ",",
    0x2026: "...",
    0x3010: " ",
    0x3011: " ",
    0x00BA: "°",
    0x02DA: "°",
    0x223C: "~",
    0x2236: ":",
    0x2044: "/",
    0x2215: "/",
}
_SIGNS = {code: sign for code, sign in _ALPHABET.items() if sign is not None and len(sign) == 1}


def same_length(text: str) -> str:
    """Return a text in one alphabet as far as every character keeps its place."""
    return text if text.isascii() else text.translate(_SIGNS)


# LaTeX commands whose backslash and first letter were swallowed as an escape of a string literal.
# "\x0crac{1}{2}"
_SWALLOWED = re.compile(r"\x0c(?=rac\b|rac\{|rac\d)|\x08(?=oxed)|\t(?=imes\b|ext\{|extbf|an\b|heta\b)|\r(?=ight)")
SUPERSCRIPTS = dict(zip("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789", strict=True))
_MINUS_RAISED = re.compile(f"\u207b([{''.join(SUPERSCRIPTS)}]{{1,4}})")
_VULGARS = {"\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
# "2 ½"
_VULGAR = re.compile(r"(?<![\^\u221a{]) ?([\u00bd\u00bc\u00be\u2153\u2154])(?!\s?[\w(\\\u221a]\b|[\w(\\\u221a])")
# "<<2*9=18>>"
_CALCULATOR = re.compile(r"<<[-+*/().\d %$,xX]{1,150}=[-\d.,/ $%]{1,50}>>")  # "<<3*4=12>>12", GSM8K's marks
_RESTORED = {"\x0c": "\\f", "\x08": "\\b", "\t": "\\t", "\r": "\\r"}


def plain(text: str) -> str:
    """Return the text in one alphabet, CR LF as LF, no NUL, and at most MAX_LENGTH characters of it.

    A longer text keeps its head and its tail, where answers are.
    """
    if len(text) > MAX_LENGTH:
        text = text[:_HEAD] + "\n\n" + text[_HEAD - MAX_LENGTH :]
    if "\x0c" in text or "\x08" in text or "\t" in text or "\r" in text:
        text = _SWALLOWED.sub(lambda m: _RESTORED[m.group()], text)
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").replace("\x0c", "\n")
    if "<<" in text:
        text = _CALCULATOR.sub("", text)
    if not text.isascii():
        text = _MINUS_RAISED.sub(lambda m: "^{-" + "".join(SUPERSCRIPTS[d] for d in m[1]) + "}", text)
        # A degree sign that went through the wrong code page.
        text = _VULGAR.sub(lambda m: " " + _VULGARS[m[1]], text)
        text = text.replace("\u63b3", "°").replace("\u00c2\u00b0", "°").translate(_ALPHABET)
    elif "\x00" in text:
        text = text.replace("\x00", "")
    return text


# "\boxed{12}"
_OPEN = re.compile(
    r"\\?\b(?:boxed|fbox|framebox)\s*(?:\[[^\]\n]{0,20}\])?\s*\{|\\boxed\s*(\\?[A-Za-z]+|\d(?:[\d.,]*\d)?|\()"
)
_BEFORE_BOX = len("\\frame")
_BRACES = re.compile(r"[{}\\]")
_SPAN = 2_000  # characters of one box that are read


def boxed(text: str) -> list[tuple[int, int, str]]:
    r"""Return (start, end, inside) of every box in order; a box that is never closed ends at its line's end.

    A box inside a box gives the outer one only; `\boxed 7` without braces gives the next token.
    """
    found: list[tuple[int, int, str]] = []
    position = 0
    while (at := text.find("box", position)) >= 0:
        match = _OPEN.search(text, max(position, at - _BEFORE_BOX))
        if match is None:
            break
        start = position = match.end()
        inside = match[1]
        if inside is None:
            end = _closing(text, start)
            inside = text[start:end]
            position = min(end + 1, len(text))
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


MAX_ANSWER = 600  # characters of an answer that are looked at

# "\text{ cm}"
_WRAPPED = re.compile(
    r"\\(?:text|textrm|mathrm|mbox|hbox|operatorname\*?)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,120}+\}){0,200}+\}){0,400}+)\}"
)
# "\overline{AB}"
_SIDE = re.compile(r"\\(?:overline|overleftrightarrow|overrightarrow|widehat)\s*\{\s*([A-Z]{2})\s*\}")
# "\quad"
_SPACES = re.compile(
    r"\\[,;:!> ]|\\(?:quad|qquad|left|right|displaystyle|textstyle|limits|bigl|bigr|Bigl|Bigr)(?![A-Za-z])|~"
)
_MATH = re.compile(r"\$\$?|\\[()\[\]]")
# "$x + 1$"
_DELIMITED = re.compile(r"\$\$?((?:[^$\\]|\\.){1,300})\$\$?|\\\(([^$\n]{1,300}?)\\\)|\\\[([^$]{1,300}?)\\\]")
# "60^\circ"
_DEGREE = re.compile(
    r"\s*(?:\^\s*\{?\s*\\?circ(?![a-z])\s*\}?|\\circ(?![a-z])|\\degree\b|\^\s*\{?°\}?|(?<=\d)\^\s*(?:o(?![A-Za-z])|\{\s*o\s*\})|\\textdegree)"
)
# "\begin{pmatrix}1\\2\end{pmatrix}"
_MATRIX = re.compile(
    r"(?:\\left\s*)?[(\[]?\s*\\begin\s*\{(?:[pb]?matrix|smallmatrix|array)\}(?:\s*\{[lcr|]{1,9}\})?(.{1,300}?)"
    r"\\end\s*\{(?:[pb]?matrix|smallmatrix|array)\}\s*(?:\\right\s*)?[)\]]?",
    re.S,
)
# "1 & 2 \\ 3 & 4"
_ROWS = re.compile(r"\\\\(?:\[[^\]]{1,9}\])?|\\cr(?![a-z])")
# "11,\!111"
_LOOSE_THOUSANDS = re.compile(r"(?<=\d),\s*(?:\\!\s*|\\,\s*|\{\}\s*)(?=\d{3})|(?<=\d)\{,\}(?=\d{3})")
# "3{,}5"
_TEX_COMMA = re.compile(r"(?<=\d)\{,\}(?=\d{1,2}(?!\d))")
# "\pi{inches}"
_WORD_IN_BRACES = re.compile(r"(?<=[\d})\]i])\{([A-Za-z ]{3,})\}")
_END = ".,;:? \n\t"
# "12입니다"
_COPULA = re.compile(
    r"(?<=[^\s])\s*(?:\u3067\u3059|\u3067\u3042\u308b|\u3067\u3042\u308a\u307e\u3059|\u3068\u306a\u308a\u307e\u3059|\uc785\ub2c8\ub2e4|\uc774\ub2e4|\uc608\uc694|\uc774\uc5d0\uc694)$"
)


@lru_cache(maxsize=8192)
def undress(text: str) -> str:
    """Return the bare answer: the inside of its last box, no math delimiters, no markup, no end punctuation."""
    text = plain(text[: 4 * MAX_ANSWER]).strip()
    if text.startswith("rac{"):
        text = "\\f" + text  # a form feed lost on the way
    boxes = boxed(text)
    if boxes:
        text = boxes[-1][2] or text
    missing = text.count("{") - text.count("}") if len(text) < 120 else 0
    if 0 < missing < 4 and "\\" in text and not text.rstrip().endswith("{"):
        text = text.rstrip(".$ ") + "}" * missing  # braces that were never closed
    text = (
        text[:MAX_ANSWER].replace("**", "").replace("__", "").replace("`", "").replace("\\%", "%").replace("\\$", "$")
    ).replace("\\textdollar", "$")
    if "\\" in text or "$" in text or "{" in text or "^" in text:
        text = unfonted(text)
        if "\\begin" in text:
            text = _MATRIX.sub(_tuple, text)
        if "," in text:
            text = _TEX_COMMA.sub(".", _LOOSE_THOUSANDS.sub("", text))
        text = in_words(text).replace("{:}", ":")
        text = _SIDE.sub(r"\1", text)
        text = _MATH.sub(" ", text) if not re.match(r"\s*-?\$\d[\d,.]*\s*$", text) else text
        text = _DEGREE.sub("°", text)
        text = text.replace("\\,", "").replace("{,}", "")
        text = _SPACES.sub(" ", text)
        text = _WORD_IN_BRACES.sub(r" \1", text)
    text = " ".join(text.split())
    text = text.rstrip(_END).lstrip(",;:!?= \n\t")
    text = text if text.isascii() else _COPULA.sub("", text)
    return text.strip()


def _tuple(match: re.Match[str]) -> str:
    """Write a matrix as a tuple of its rows, a row or a column as a tuple of its numbers."""
    rows = [[cell.strip() for cell in row.split("&")] for row in _ROWS.split(match[1]) if row.strip()]
    if len(rows) == 1 or all(len(row) == 1 for row in rows):
        return "(" + ", ".join(cell for row in rows for cell in row) + ")"
    return "(" + ", ".join("(" + ", ".join(row) + ")" for row in rows) + ")"


def in_words(text: str) -> str:
    r"""Return a text with the inside of `\text{...}` and its like as plain words, and without outer braces."""
    if "\\" in text and "{" in text:
        for _ in range(3):
            text, count = _WRAPPED.subn(r" \1 ", text)
            if not count:
                break
    return text


def mathematics(text: str) -> list[str]:
    r"""Return what stands between dollar signs, \(...\) and \[...\] in a text, in order."""
    return [next(inside for inside in m.groups() if inside) for m in _DELIMITED.finditer(text)]
