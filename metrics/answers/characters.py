"""One alphabet for all responses: ASCII digits, signs and punctuation; no invisible characters; bounded length."""

from __future__ import annotations

import re

MAX_LENGTH = 16_000  # characters read of one response: its head and its tail
_HEAD = 4_000

_TABLE: dict[int, str | None] = {
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
        (*range(0x1F300, 0x1F534), *range(0x1F53C, 0x1F7E0), *range(0x1F7EC, 0x1FB00), 0xFE0F)
    ),  # decoration beside an answer
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
_RUNS = re.compile(r"\n{3,}| {3,}")
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
    if "\n\n\n" in text or "   " in text:
        text = _RUNS.sub(lambda m: m.group()[:2], text)
    if not text.isascii():
        text = _MINUS_RAISED.sub(lambda m: "^{-" + "".join(SUPERSCRIPTS[d] for d in m[1]) + "}", text)
        # A degree sign that went through the wrong code page.
        text = _VULGAR.sub(lambda m: " " + _VULGARS[m[1]], text)
        text = text.replace("\u63b3", "°").replace("\u00c2\u00b0", "°").translate(_TABLE)
    elif "\x00" in text:
        text = text.replace("\x00", "")
    return text
