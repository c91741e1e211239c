"""The final answer of a response, and how sure it is: features weighed by a table fitted on labelled responses."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from mmmath_tasks.metrics.answers.choices import read_choice
from mmmath_tasks.metrics.answers.document import Visible, shown, turns, without_remarks
from mmmath_tasks.metrics.answers.dress import same_length
from mmmath_tasks.metrics.answers.endings import NUMBERS
from mmmath_tasks.metrics.answers.formulas import read_expression
from mmmath_tasks.metrics.answers.lexicon import cue, refuses, rejects, signed
from mmmath_tasks.metrics.answers.numbers import numbers, with_points
from mmmath_tasks.metrics.answers.options import LETTERS, differing, options, words
from mmmath_tasks.metrics.answers.quantities import read_number
from mmmath_tasks.metrics.answers.records import Expectation, Reading, question, vocabulary
from mmmath_tasks.metrics.answers.sentences import cut_off, sentences, stops_short

# "(E) none of the above"
_OPTION_LINE = re.compile(r"[^\S\n]*[-*]?\s?[(\[]?([A-Z])[)\].:]\s*([^\n]*)(?:\n|$)")
_LIST_HEADING = re.compile(r"\s*(?:Choices|Options)\s*:?[^\S\n]*\n", re.I)


def unrepeated(text: str, expectation: Expectation) -> str:
    """Return a response without the question and the list of options that it repeats first."""
    question = expectation.question.strip()
    bare = text.lstrip()
    if len(question) > 20 and bare.startswith(question[:60]) and question in bare[: len(question) + 200]:
        bare = bare[len(question) :].lstrip()
    heading = _LIST_HEADING.match(bare)
    at = heading.end() if heading else 0
    count = 0
    while (line := _OPTION_LINE.match(bare, at)) is not None:
        index = ord(line[1]) - ord("A")
        if index >= len(expectation.choices) or words(line[2]) != words(expectation.choices[index]):
            break
        count += 1
        at = line.end()
    return bare[at:] if count > 1 else bare


def repeats(text: str, question: str) -> bool:
    """Tell whether a response is a part of the question and nothing else."""
    if len(text) > len(question) + 20:
        return False
    if not text.rstrip().endswith("?") and question.rstrip(" '\"").endswith("?"):
        return False  # "The sum is greater." answers "Is the sum greater?"
    said = words(text)
    return len(said) > 25 and said in words(question[:4_000])


_TAIL = 300  # characters of a response's end that are looked at
_KINDS = {"choice": "choice", "integer": "number", "float": "number", "list": "number"}
_RULES = {
    "tag": "set apart", "json": "set apart", "box": "set apart", "whole": "the whole text", "statement": "announced",
    "conclusion": "concluded", "yes_no": "yes or no", "first_letter": "a letter at an end",
    "last_letter": "a letter at an end", "bold": "marked", "marked": "marked", "tick": "marked",
    "entry": "marked", "first_line": "marked",
}  # fmt: skip
_ANY_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ANY_WORD = re.compile(r"[a-z]+")
_HEDGED = vocabulary(
    "maybe perhaps likely probably appear appears seem seems assume assumed assuming approximately about roughly "
    "might if"
)
# "(A)"
_LETTER = re.compile(r"(?<![A-Za-z'\\])[B-H](?![A-Za-z'])|\(A\)|\bA[.):]")


def features(reading: Reading, text: str, expectation: Expectation) -> tuple[str, ...]:
    """Return the names of what speaks for or against a reading.

    Args:
        reading: what was found in a response.
        text: what the response says, without thinking and decoration.
        expectation: what kind of answer was asked for.
    """
    tail = text[-_TAIL:]
    kind = _KINDS.get(expectation.kind, "formula")
    offered = options(expectation.choices)
    told = {
        kind: True,
        f"no answer: {reading.reason}": reading.text is None,
        _RULES.get(reading.rule, "in a sentence"): reading.text is not None,
        "no option or several values": reading.text is not None and reading.reason != "",
        "long": len(text) > 1_500,
        "short": len(text) < 60,
        "hedged": not _HEDGED.isdisjoint(_ANY_WORD.findall(tail.lower())),
        "declines": refuses(tail[-200:]),
        "options in words": kind == "choice" and not offered.valued and not offered.lettered,
        "several letters": kind == "choice" and len(set(_LETTER.findall(tail))) > 1,
        "many numbers": kind != "choice" and len(set(_ANY_NUMBER.findall(tail))) > 5,
    }
    return tuple(name for name, there in told.items() if there)


@cache
def table() -> dict[str, float]:
    """Return the weight of each feature, in logits; "" is that of every reading."""
    found: dict[str, float] = json.loads(Path(__file__).with_name("confidence.json").read_text("utf-8"))
    return found


def read(response: str, expectation: Expectation) -> Reading:
    """Find the final answer in a response.

    Args:
        response: the model's text, of any length and with any characters.
        expectation: what kind of answer is asked for.

    Returns:
        the answer with the rule that found it; `text` None and a `reason` where there is none. Never raises, is
        deterministic, and is bounded in time for any text.
    """
    seen = shown(response)
    found = _found(seen, expectation)
    named = features(found, seen.text, expectation)
    logit = table()[""] + sum(table().get(name, 0.0) for name in named)
    confidence = round(1 / (1 + math.exp(-logit)), 4)
    span = located(found.passage, response)
    return Reading(found.text, found.choice, found.rule, confidence, found.reason, named, found.passage, span)


# "12" of "x=12"
_PIECE = re.compile(r"[^\W\d_\u2e80-\uffff]+|\d+|[\u2e80-\uffff]")
_LOOKED_THROUGH = 20_000  # characters of a response's end in which they are looked for
_PIECES = 40  # words and numbers of a passage that are looked for
_OPENS, _CLOSES, _AROUND = "([{<$\\-", ")]}%\u00b0$", " \n.,;:!?*_"


def _word(piece: str) -> str:
    """Return the pattern of a word, a number or a sign of another script, and no part of a longer one."""
    more = r"\d" if piece.isdigit() else "[a-z]" if piece[0] < "\u2e80" else r"\Z."
    return rf"(?<!{more}){re.escape(piece)}(?!{more})"


def located(passage: str, response: str) -> tuple[int, int] | None:
    """Return where a passage stands last in a response, whatever markup is between its words; None: not found."""
    bare = passage.strip(_AROUND)
    at = response.rfind(bare) if bare else -1
    start, end = at, at + len(bare)
    if at < 0 or (response[at - 1 : at] + response[end : end + 1]).strip().isalnum():
        pieces = _PIECE.findall(passage)[-_PIECES:]
        found = None
        for wanted in (pieces, pieces[len(pieces) // 2 :], pieces[-2:]) if pieces else ():
            # Each word is taken where it comes first, so that no time is lost in trying others.
            pattern = _word(wanted[0]) + "".join(rf"(?>.{{0,60}}?{_word(word)})" for word in wanted[1:])
            matches = re.compile(pattern, re.I | re.S).finditer(same_length(response), len(response) - _LOOKED_THROUGH)
            found = max(matches, key=lambda m: m.start() - 2 * len(m[0]), default=None)
            if found is not None:
                break
        if found is None:
            return None
        start, end = found.span()
    before, behind = response[max(0, start - 20) : start], response[end : end + 20]
    return start - len(before) + len(before.rstrip(_OPENS)), end + len(behind) - len(behind.lstrip(_CLOSES))


# "Answer:" with nothing behind it
_NAMES = vocabulary("so thus hence therefore the my final correct answer is \u7b54\u6848 thought process")
# "<answer></answer>", "\boxed{}"; a ">" alone may be an answer
_NO_SIGN = re.compile(r"</?[a-z]+>|<+\s*>+|\\boxed\s*\{\s*\}|[*#_:.,$\s]")
_SAYS = re.compile(r"[^\W_]")
_BARE_LETTER = re.compile(r"\(?([A-H])[).]?")
# "-2.5"
_BARE_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,5})(?:\.\d{1,6})?")


def _bare(text: str, expectation: Expectation) -> Reading | None:
    """Read a letter or a number and nothing else at once, as most responses to prompts for a short answer are."""
    if len(text) > 12:
        return None
    if expectation.kind == "expression" or (expectation.kind in NUMBERS and text.isdecimal()):
        return Reading(text, None, "whole", passage=text) if _BARE_NUMBER.fullmatch(text) else None
    letter = _BARE_LETTER.fullmatch(text) if expectation.kind == "choice" else None
    if letter is None:
        return None
    offered = options(expectation.choices)
    index = offered.index(letter[1])
    if index is None or (offered.lettered and offered.texts[index] != letter[1]):
        return None
    return Reading(letter[1], index, "whole", passage=text)


def _found(seen: Visible, expectation: Expectation) -> Reading:
    if seen.cut_off:
        return Reading(None, reason="truncated")
    if (bare := _bare(seen.text, expectation)) is not None:
        return bare
    if not _SAYS.search(seen.text):
        return Reading(None, reason="empty")
    if len(seen.text) < 200 and _NAMES.issuperset(_NO_SIGN.sub(" ", seen.text.lower()).split()):
        return Reading(None, reason="unextracted")
    if _ends_in_mark(seen.text):
        return Reading(None, reason="truncated")
    if repeats(seen.text, expectation.question) and not words(seen.text).endswith(
        tuple(words(text) for text in expectation.choices if text)
    ):
        return Reading(None, reason="unextracted")
    said = seen.text
    if _ENDS_IN_BOX.search(said[-200:]) is None:
        said = without_remarks(said, question(expectation))
    if expectation.kind in {"expression", "text", "float"}:
        said = with_points(said, expectation.kind == "float", seen.language != "en")
    body = unrepeated(said, expectation)
    if _left_open(body):
        # "It cannot be determined" may be an option, and then it is the answer.
        unknown = [i for i, text in enumerate(expectation.choices) if refuses(text) and not rejects(text)]
        if len(unknown) != 1:
            return Reading(None, reason="refusal")
        return Reading(LETTERS[unknown[0]], unknown[0], "sentence", passage=sentences(body[-600:])[-1].text)
    for turn in turns(body):
        found = _read(turn, expectation)
        if found is not None:
            unread = found.text is None or (expectation.choices and found.choice is None)
            stops = unread and _RULES.get(found.rule) != "set apart" and stops_short(turn)
            return replace(found, reason="truncated") if stops else found
        if refuses(turn):
            break  # it was our question that found no answer, and not its repetition
    parts, short = sentences(body), stops_short(body)
    # "cannot be" in the middle of a derivation that breaks off declines nothing.
    if refuses(seen.text[:4_000]) and not (short and not any(refuses(p.text) for p in (parts[0], parts[-1]))):
        return Reading(None, reason="refusal")
    return Reading(None, reason="truncated" if short or cut_off(parts) else "unextracted")


# "(B)", "7"
_ANSWER_LIKE = re.compile(r"\d|(?<![A-Za-z'])[A-H](?![A-Za-z'])")


def _left_open(text: str) -> bool:
    """Tell whether a response ends by saying that several answers may be right, and names none behind that."""
    end = text[-600:]
    if not signed("sign of two", end.lower(), english=True):
        return False
    said = sentences(end)[-1].text
    match = cue("left open").search(said)
    return match is not None and not _ANSWER_LIKE.search(said[match.end() :]) and "boxed" not in said


# "so $\boxed{12}$."
_ENDS_IN_BOX = re.compile(r"\\boxed\s*\{[^\n]{0,120}\}[\s.$*\\\])]*\Z")  # no remark stands behind it
_LAST_MARK = re.compile(r"\n[^\S\n]*(\d{1,2})(?:[.)][\s*]*)?\s*\Z")


def _ends_in_mark(text: str) -> bool:
    """Tell whether a response breaks off behind the number of a list's next item."""
    last = _LAST_MARK.search(text[-16:])
    if last is None:
        return False
    line = text[: max(0, len(text) - 16) + last.start()].rstrip(" ").rpartition("\n")[2]
    return re.match(rf"[^\S\n]*{int(last[1]) - 1}[.)]\s", line) is not None


def _read(text: str, expectation: Expectation) -> Reading | None:
    match expectation.kind:
        case "choice" if expectation.choices:
            found = read_choice(text, expectation)
            missed = (found is None or found.choice is None) and not options(expectation.choices).numeric
            parts = differing(expectation.choices) if missed else ()
            told = read_choice(text, replace(expectation, choices=parts)) if parts else None
            if told is None or told.choice is None:
                return found
            return replace(told, text=LETTERS[told.choice])
        case "list":
            return _read_list(text)
    return (read_number if expectation.kind in NUMBERS else read_expression)(text, expectation)


def _read_list(text: str) -> Reading | None:
    for line in reversed(text.splitlines()):
        found = () if refuses(line) else numbers(line)
        if len(found) > 1:
            return Reading("[" + ", ".join(n.text for n in found) + "]", None, "listed", passage=line)
    return None
