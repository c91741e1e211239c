"""Markup of a whole response undone in one place: HTML, Markdown, fonts of LaTeX, chat marks, tables.

A response keeps one mark of emphasis, `**`, whatever it was written with, since what is set in bold is a hint at the
answer. All else that only decorates is gone before anything is read.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_Rule = tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]]
_FONTS = "i em u s mark code small big tt font span kbd samp center pre a math"
_BLOCKS = "p div br hr li ul ol h1 h2 h3 h4 h5 h6 table tbody thead tr td th section body html details blockquote"
_TAGS = dict.fromkeys(_FONTS.split(), "") | dict.fromkeys(_BLOCKS.split(), "\n") | {"b": "**", "strong": "**"}
_ROLE = r"(?:assistant|model|gpt|bot)"
# "<|im_start|>assistant"
_CHAT = re.compile(
    rf"<\|?(?:im_start|start_header_id|start|start_of_turn)\|?>\s*{_ROLE}\s*(?:<\|end_header_id\|>)?\n?"
    r"|<\|?(?:/s|s|im_end|endoftext|end_of_text|begin_of_text|eot_id|eot|eos|bos|end|return|unk|pad|end_of_turn"
    r"|end_of_utterance|(?:begin|end)_of_solution)\|?>|\[/?INST\]"
    # vLLM keeps every special token in a response; what sets the answer apart is read elsewhere.
    # "<|object_ref_start|>"
    r"|<\|(?!(?:begin_of_|end_of_)?(?:box|(?:final_?)?answer|ans|solution|conclusion|summary|result|final|response|output"
    r"|verdict|choice|option)\|)[A-Za-z][\w\u2581-]{2,40}\|>"
    rf"|\A\s*(?:{_ROLE.upper()}|Assistant|###\s*(?:Assistant|Response))\s*:",
)
# Each is tried where one of its signs stands in the text: the signs, what is undone, and what remains of it.
_HTML: tuple[_Rule, ...] = (
    (
        "<",
        # "<Final Answer>:"
        re.compile(r"<\s*((?:final |my )?answer|thought process|final option|reasoning process)\s*>\s*:", re.I),
        r"\1:",
    ),
    ("<", re.compile(r"<<([^<>\n]{1,400})>>"), r"\1"),
    ("<", re.compile(r"<<|>>"), " "),
    # "<|im_start|>assistant"
    ("<", _CHAT, ""),
    # "<C>"
    ("<", re.compile(r"(?<![<\w])<\s?([A-Z]|[a-h](?=\s?>\s*[.\n]|\s?>\s*\Z)|-?[$]?\d[\d.,]{0,20}%?)\s?>(?!\w)"), r"\1"),
    (
        "<",
        re.compile(r"<(su[pb])>\s*([^<>]{1,12}?)\s*</\1>", re.I),
        lambda m: ("^" if m[1].lower() == "sup" else "_") + "{" + m[2] + "}",
    ),
    (
        "<",
        # "<b class='final'>"
        re.compile(r"</?([a-z]{1,10}|h[1-6])(?:\s+[a-z-]{2,12}=[^<>]{0,120})?\s*/?>", re.I),
        lambda m: _TAGS.get(m[1].lower(), m[0]),
    ),
)
_MARKDOWN: tuple[_Rule, ...] = (
    # "$$\nx = 5\n$$"
    ("$\\", re.compile(r"^[^\S\n]*(\\\[|\$\$)\s*\n\s*([^\n$]{1,400})\n\s*(\\\]|\$\$)[^\S\n]*$", re.M), r"\1\2\3"),
    # "x \\[2pt] y"
    ("\\", re.compile(r"(\\\\)\[-?[\d.]{1,5}\s?(?:pt|em|ex|mm|cm)\]"), r"\1"),
    ("[", re.compile(r"\[\[\s*([^\[\],\n]{1,60}?)\s*\]\]"), r"\1"),
    # "[answer]"
    ("[", re.compile(r"\[(/?)(?:final )?answer\](?!\s*:)", re.I), r"<\1answer>"),
    ("`~", re.compile(r"^[^\S\n]*(?:```|~~~)[\w+-]*[^\S\n]*$\n?", re.M), ""),
    # "`12`"
    ("`", re.compile(r"(?<!`)`([^`\n]{1,160})`(?!`)"), r"\1"),
    # "__12 cm__"
    ("_", re.compile(r"(?<![\w\\])__(?=[^\s_])([^_\n]{1,160}?)(?<=[^\s_])__(?!\w)"), r"**\1**"),
    # "_twelve_"
    ("_", re.compile(r"(?<![\w\\^}$)\]])_(?=[^\s_{(])([^_\n{}\\$^]{1,80}?)(?<=[^\s_])_(?![\w{(])"), r"\1"),
    # "***12***"
    ("*", re.compile(r"(?<![*\s])\*{3}(?!\*)|(?<!\*)\*{3}(?![*\s])"), "**"),
    (
        "*",
        # "*twelve*"
        re.compile(r"(?<![\w*)\]}\\^$])\*(?=[^\s*])([^*\n]{1,160}?)(?<=[^\s*])\*(?![\w*($\\])"),
        lambda m: m[0] if m[1].count("$") % 2 else m[1],
    ),
    # "> The answer is 12."
    (">", re.compile(r"^[^\S\n]{0,3}(?:>[^\S\n]?)+(?=[^\s=])", re.M), ""),
)
_LEADS: tuple[_Rule, ...] = (
    (
        "|",
        # "| Final answer | 12 |"
        re.compile(
            r"^[^\S\n]*\|?[^\S\n]*\**((?:final |correct )?(?:answer|option|choice|total))\**:?[^\S\n]*\|"
            r"[^\S\n]*([^|\n]{1,120}?)[^\S\n]*\|?[^\S\n]*$",
            re.M | re.I,
        ),
        r"\1: \2",
    ),
    (
        "|",
        # "| Answer |\n|--------|\n| 12 |"
        re.compile(
            r"^[^\S\n]*\|?[^\S\n|]*((?:final |correct )?(?:answer|option|choice))[^\S\n|]*\|?[^\S\n]*\n"
            r"[^\S\n]*\|?[\s:-]{2,20}\|?\n"
            r"[^\S\n]*\|?[^\S\n]*([^|\n]{1,120}?)[^\S\n]*\|?[^\S\n]*$",
            re.M | re.I,
        ),
        r"\1: \2",
    ),
    (
        "#",
        # "## Final Answer:\n12"
        re.compile(
            r"^[^\S\n]*#{1,6}[^\S\n]*\**((?:final |correct )?answer)\**[^\S\n]*:?\**[^\S\n]*(?=\n)", re.M | re.I
        ),
        r"\1: ",
    ),
    (
        "*",
        # "**Result.** They sum up to 11."
        re.compile(r"^[^\S\n]*\*\*((?:final )?(?:answer|result|conclusion|solution))\.\*\*(?=[^\S\n]+\S)", re.M | re.I),
        r"\1:",
    ),
    (
        ">\\\u21d2\u2192\u27f9\u27a1\u2794\u279c\u2234",
        # "=> x = 5"
        re.compile(
            r"^[^\S\n]*(?:\$\s*)?(?:=>|->|\u21d2|\u2192|\u27f9|\u27a1|\u2794|\u279c|\\(?:Rightarrow|rightarrow|Longrightarrow|implies|to)(?![A-Za-z])"
            r"|\u2234|\\therefore(?![A-Za-z]))\s*(?=[^\s=])",
            re.M,
        ),
        lambda m: "So " if m.start() else "",
    ),
    (
        ">\u21d2\u2192\u27a1",
        # "Answer -> "
        re.compile(r"(\b(?:answer|option|choice|result)\b[\s*]*)(?:=>|->|\u21d2|\u2192|\u27a1)\s*", re.I),
        r"\1: ",
    ),
    (
        "\\",
        # "x = 2 \qquad\Rightarrow\qquad (A)$$"
        re.compile(
            r"\\(?:Rightarrow|Longrightarrow|rightarrow|implies)(?![A-Za-z])\s{0,9}(?:\\q?quad\s{0,9}){0,3}"
            r"((?:\\text\s*\{\s*)?\(?[A-H]\)?\}?)\s*(\$\$?|\\[\])]|)[.\s]*$",
            re.M,
        ),
        "\\2 \u2192 \\1",
    ),
)
# "\textbf{12}"
_FONT = re.compile(
    r"\\(?:textbf|textit|textsl|textsf|texttt|textsc|textnormal|mathbf|mathit|mathsf|mathtt|boldsymbol|bm|pmb|emph|underline"
    r"|underbar|uline|textcolor\s*(?:\[[a-z]{1,9}\])?\s*\{[^{}]{1,30}\}|colorbox\s*\{[^{}]{1,30}\}|mathop)"
    r"\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,120}+\}){0,200}+\}){0,400}+)\}"
)
# "\color{red}"
_SWITCH = re.compile(
    r"\\color\s*(?:\[[a-z]{1,9}\])?\s*\{[^{}]{1,30}\}"
    r"|\\(?:large|Large|LARGE|huge|Huge|small|footnotesize|scriptsize|tiny|normalsize|bf|bfseries|it|itshape|rm|rmfamily|sf"
    r"|displaystyle|textstyle)(?![A-Za-z])"
)
_TICKS = "\u2713\u2714\u2705\u2611"
_CROSSES = "\u2717\u2718\u274c\u2715\u2716"
# "- [x] B"
_CHECKBOX = re.compile(r"^[^\S\n]*[-*+] \[[xX\u2713\u2714]\][^\S\n]*", re.M)
# "$\checkmark$"
_TICK = re.compile(rf"[{_TICKS}][^\S\n]*|\\\(\\checkmark\\\)|\$\\checkmark\$")


_UNDONE = frozenset("&").union(_TICKS, *(signs for signs, _, _ in (*_HTML, *_MARKDOWN, *_LEADS)))


def undecorated(text: str) -> str:
    """Return a response (in one alphabet) without markup that only decorates; all emphasis is written `**`."""
    if _UNDONE.isdisjoint(text):
        return text
    text = _rewritten(text, _HTML) if "<" in text else text
    text = html.unescape(text).replace("\xa0", " ") if "&" in text else text
    if "[" in text and len(_CHECKBOX.findall(text)) == 1:
        text = _CHECKBOX.sub("Answer: ", text)
    text = _rewritten(text, _MARKDOWN)
    if "\\" in text:
        text = unfonted(text)
    text = _rewritten(text, _LEADS)
    ticks = _TICK.findall(text) if "checkmark" in text or not text.isascii() else ()
    if len(ticks) == 1 and not any(sign in text for sign in _CROSSES):
        text = _TICK.sub("", text)
    return text


def _rewritten(text: str, rules: tuple[_Rule, ...]) -> str:
    for signs, pattern, remains in rules:
        if any(map(text.__contains__, signs)):
            text = pattern.sub(remains, text)
    return text


def unfonted(text: str) -> str:
    r"""Return a text without LaTeX's commands for fonts, sizes and colours; `\text` stays: it marks words."""
    for _ in range(3):
        text, count = _FONT.subn(r"\1", text)
        if not count:
            break
    return _SWITCH.sub("", text)
