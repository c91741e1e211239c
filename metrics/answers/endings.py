"""The result that a response's last sentence sets apart: behind a label, in bold, in front of brackets, as a point."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace

from mmmath_tasks.metrics.answers.lexicon import cue, refuses
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.records import Expectation, Reading, stem
from mmmath_tasks.metrics.answers.response import Response
from mmmath_tasks.metrics.answers.sentences import cut_off, sentences

# "**6 objects**"
_IN_BOLD = re.compile(r"\*\*([^*\n]{1,60})\*\*")
# ", and $"
_AND = re.compile(r"[\s$,]*(?:and|or|,|\u548c)[\s$,]*")
# "**Total: 14**"
_LABELLED = re.compile(r"[\W_]*((?:[^\W\d_]+[ -]){0,3}[^\W\d_]+)\s?\**:\**\s*(\S[^:\n]{0,60})")
# "12 (four rows of three)"
_IN_BRACKETS = re.compile(r"^[\W_]*?(-?\d[\d.,]*(?:\s[^\W\d_]{1,12}){0,2})\s+\((?=[^()\\]*[a-z]{3} )[^()\\]*\)$")
# "5 (11 - 6 = 5)"
_CALCULATED = re.compile(r"(-?\d[\d.,]*)(?:\s[^\W\d_]{1,12}){0,2}\s+\([^()=]*=\s*\1(?!\d)[^()]{0,10}\)$")
# "a slope of 2"
_OF_NOUN = re.compile(
    r"\ban? (?:[a-z]+ )?([a-z]+) of (?:about |exactly )?([-$\\(]?\d\S{0,20}(?:\s?[^\W\d_]{1,12}){0,2})$"
)
# "the vertex is at $(2, -3)$."
_AT_POINT = re.compile(
    r"(?:\b(?:at|is|are|to|point|coordinates)|:)[\s$*]*[A-Z]?'?\s?(\((?:[^()]|\([^()]{0,20}\)){1,60},[^()]{1,40}\))[\s$*.]*$"
)
# "$y = x^2$ - the vertex is at (0, 0)"
_AND_REMARK = re.compile(r"\W{0,3}(\$[^$=]{1,40}=[^$]{1,80}\$)\**\s+-\s+[a-z][^\n]*")
NUMBERS = frozenset({"integer", "float"})
"""The kinds of answer that are one number."""


def at_end(response: Response, reader: Callable[[str, Expectation], Reading | None]) -> Reading | None:
    """Read the result that the last sentence sets apart."""
    parts = [] if response.depth or len(response.text) < 8 else sentences(response.text)
    said = None if not parts or cut_off(parts) else _result([one.text for one in parts], response)
    marked = reader(said, response.expectation) if said else None
    return replace(marked, rule="marked", passage=parts[-1].text) if marked and not marked.reason else None


def _result(parts: list[str], response: Response) -> str | None:
    last, formula, asked = parts[-1].rstrip(" ."), response.expectation.kind not in NUMBERS, response.asked
    if refuses(last) or last.endswith("?"):
        return None
    if formula and (remarked := _AND_REMARK.fullmatch(last)):
        return remarked[1]
    if "(" in last and (explained := _IN_BRACKETS.search(last) or _CALCULATED.search(last)):
        return explained[1]
    noun = _OF_NOUN.search(last) if " of " in last else None
    if noun and stem(noun[1]) in asked.words:
        return noun[2]
    bolds = list(_IN_BOLD.finditer(last))
    joined = [last[a.end() : b.start()] for a, b in itertools.pairwise(bolds)]
    if formula and joined and all(map(_AND.fullmatch, joined)) and all(numbers(m[1]) for m in bolds):
        return ", ".join(m[1] for m in bolds)
    if cue("undecided").search(last):
        return None
    label = _LABELLED.fullmatch(last) if ":" in last else None
    listed = label and any(map(_LABELLED.fullmatch, parts[-2:-1]))
    if label and (not listed or cue("result of a list").search(label[1])) and len(numbers(label[2], words=True)) == 1:
        return label[2].replace("*", "")
    if len(bolds) == 1 and len(told := numbers(bolds[0][1], words=True)) == 1 and told[0].value not in asked.values:
        return None if numbers(last[bolds[0].end() :]) else bolds[0][1]
    point = _AT_POINT.search(last[-120:]) if cue("asks for a point").search(asked.text) else None
    return point[1] if point else None
