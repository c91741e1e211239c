"""A response taken apart: what is thinking, what is said, what it sets apart as its answer, what follows it."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.dress import boxed, final_box, plain
from mmmath_tasks.metrics.answers.lexicon import cue, denies, in_english, language
from mmmath_tasks.metrics.answers.markup import undecorated
from mmmath_tasks.metrics.answers.records import Question, names, nearness
from mmmath_tasks.metrics.answers.sentences import announcements, begins_conclusion, sentences

_THINKS = r"(?:think|thinking|thought|thoughts|reasoning|reason|scratchpad|analysis|reflection)"
# "</think>"
_THINK_END = re.compile(
    rf"</\s*{_THINKS}\s*>|<\|end_of_thought\|>|\u25c1/think\u25b7|\[/THINK\]|</seed:think>"
    r"|<\|channel\|>\s*final\s*(?:<\|message\|>)?",
    re.I,
)
# "<think>"
_THINK_START = re.compile(
    rf"<\s*{_THINKS}\s*>(?!\s*:)|<\|begin_of_thought\|>|\u25c1think\u25b7|\[THINK\]|<seed:think>"
    r"|<\|channel\|>\s*(?:analysis|commentary)\s*(?:<\|message\|>)?",
    re.I,
)
_OPENS = frozenset("<\u25c1[")
"""With which of them the marks of thinking begin."""
_TAGS = (
    r"(?:answer|final[_ -]?answer|ans|solution|box|conclusion|summary|result|final|response|output|verdict|choice"
    r"|option)"
)
# "<final answer>"
_TAG = re.compile(rf"<\s?\|?(?:begin_of_)?({_TAGS})(?:\s+[a-z]+=[^<>]{{0,40}})?\|?\s?>", re.I)
# "</answer>"
_TAG_CLOSED = re.compile(rf"</\s?{_TAGS}\s?>", re.I)
# "#### 13"
_MARKED = re.compile(
    r"(?:^|\n)[ \t]*####[ \t]*((?:[-+$\\(\[{]*(?:\d|\\[a-z]+|[a-z]\s?[-+*/^(<>=\\])|[A-H](?![A-Za-z]))[^\n#]{0,80})\s*$"
)  # as models trained on GSM8K end
# "</answer"
_TAG_END = re.compile(rf"<\s?/\s?{_TAGS}|<\|end_of_box\|>|<\s?/", re.I)
_JSON_KEYS = (
    "final_answer", "finalanswer", "final answer", "correct_answer", "correct answer", "answer", "final", "choice",
    "option", "correct_option", "result", "solution", "conclusion", "prediction", "value",
)  # fmt: skip
_JSON_OPENS = re.compile(r"\{\s*[\"']")
# A backslash of LaTeX that was not doubled in JSON.
# "\frac{1}{2}"
_LATEX_ESCAPE = re.compile(
    r"(?<!\\)\\(?=[^\"\\/bfnrtu]|(?:frac|fbox|boxed|beta|bar|binom|big|neq?(?![A-Za-z])|nu(?![A-Za-z])|right|rho|times|text|theta|tan"
    r"|tfrac|triangle|tau|to(?![A-Za-z]))|u(?![0-9a-fA-F]{4}))"
)
MAX_DEPTH = 4  # tags, boxes and JSON within each other that are read
_MOST_INSIDE = 4_000  # characters of a tag that are read


class Visible(NamedTuple):
    """What a reader is shown of a response: what is said after thinking, whether that never ended, the language."""

    text: str
    cut_off: bool
    language: str = "en"


def visible(text: str) -> Visible:
    """Return a response (in one alphabet) without its thinking.

    Of thinking that never ended there remains the final statement with which it breaks off: an answer tag, or a last
    sentence that announces the answer or boxes it. Where it has none, or goes on behind it, `cut_off` is True.
    """
    if _OPENS.isdisjoint(text):
        return Visible(text, False)
    ends = list(_THINK_END.finditer(text))
    if ends:
        after = text[ends[-1].end() :]
        if re.search(r"\w", after):
            return Visible(after, False)
        return Visible(_THINK_START.sub(" ", _THINK_END.sub(" ", text)), False)
    start = _THINK_START.search(text)
    if start is None:
        return Visible(text, False)
    closed = [m.end() for m in _TAG_CLOSED.finditer(text, start.end())]
    if closed and not _TAG.search(text, start.end()) and re.search(r"\w", text[closed[-1] :]):
        return Visible(text[closed[-1] :], False)  # the thought was closed with the wrong tag
    thought = text[: start.start()] + text[start.end() :]
    tags = list(_TAG.finditer(thought))
    if tags and re.search(r"\w", thought[tags[-1].end() :]):
        return Visible(thought[tags[-1].start() :], False)
    last = _final_statement(thought)
    return Visible(thought, True) if last is None else Visible(last, False)


def _final_statement(thought: str) -> str | None:
    """Return the last sentence of a thought if it announces or boxes an answer and nothing follows."""
    parts = sentences(undecorated(thought[-3_000:]))
    last = parts[-1].text if parts else ""
    boxes, cues = boxed(last), announcements(last)
    if boxes and boxes[-1][2] and not re.search(r"[^\W_]", last[boxes[-1][1] :]):
        return last
    said = last[cues[-1] :] if cues else ""
    told = re.search(r"\w", said) and len(said) < 80 and not cue("open end of a thought").search(said)
    return last if told else None


def shown(response: str) -> Visible:
    """Return what a response says, in one alphabet, without thinking and without decoration."""
    seen = visible(plain(response))
    text = undecorated(seen.text)
    written = language(text)
    text = in_english(text, written)
    last = text.rpartition("\n")[2]
    missing = last.count("{") - last.count("}")
    if 0 < missing < 4 and not last.rstrip().endswith("{"):
        text = text.rstrip("$. ") + "}" * missing
    return Visible(text, seen.cut_off, written)


def ends_in_thought(response: str, prompt: str = "") -> bool:
    """Say whether a response ends in the middle of its thinking.

    Args:
        response: the model's text.
        prompt: what the model was asked, as its chat template wrote it, where that is known: some templates end with
            the mark that opens the thinking, so that the response holds none.
    """
    if prompt:
        tail = prompt.rstrip()[-40:]
        opened = [match.end() for match in _THINK_START.finditer(tail)]
        response = "<think>" + response if opened and opened[-1] == len(tail) else response
    if _OPENS.isdisjoint(response):
        return False
    return _last(_THINK_START, response) > _last(_THINK_END, response)


def closes_unopened(response: str) -> bool:
    """Say whether a response ends a thought that it never began: its prompt did."""
    end = _THINK_END.search(response)
    return end is not None and not _THINK_START.search(response, 0, end.start())


def has_thought_mark(response: str) -> bool:
    """Say whether a response begins or ends a thought."""
    return bool(_THINK_START.search(response) or _THINK_END.search(response))


def _last(mark: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in mark.finditer(text)), default=-1)


class Enclosed(NamedTuple):
    """What a response sets apart as its answer.

    Attributes:
        rule: the form, "tag", "json" or "box".
        inside: what stands in it.
        behind: the text behind a tag or a box.
        passage: the inside with what opens it.
    """

    rule: str
    inside: str
    behind: str
    passage: str


def enclosed(text: str) -> Enclosed | None:
    """Return the answer that a text sets apart in an answer tag, in a JSON reply or in its last box; else None."""
    tag, box = tagged(text), final_box(text)
    if tag is not None:
        return Enclosed("tag", tag[0], _TAG_CLOSED.sub(" ", text[tag[1] :]), tag[2])
    inside = in_json(text)
    if inside and inside.strip():
        return Enclosed("json", inside, "", inside)
    return Enclosed("box", box[0], text[box[1] :], text[box[2] : box[1]]) if box and box[0].strip() else None


def tagged(text: str) -> tuple[str, int, str] | None:
    """Return the inside of the last <answer> (or like) tag or last line "#### 5", where it ends, and all of it."""
    mark = _MARKED.search(text) if "####" in text else None
    if mark:
        return mark[1], len(text), mark[1]
    if "<" not in text:
        return None
    for match in list(_TAG.finditer(text))[:-4:-1]:
        end = _TAG_END.search(text, match.end(), match.end() + _MOST_INSIDE)
        inside = text[match.end() : end.start() if end else match.end() + _MOST_INSIDE].strip().lstrip(":").strip()
        if inside:
            last = end.start() if end else len(text)
            return inside, last, text[match.start() : last]
    return None


def in_json(text: str) -> str | None:
    """Return the answer of a reply that is (or ends in) a JSON object with an "answer"; None where it is none."""
    end = text.rfind("}")
    if end < 0 or len(text) - end > 40 or not _JSON_OPENS.search(text):
        return None
    if '"' not in text:
        text = text.replace("'", '"')  # as Python prints it
    for at in (text.find("{"), max(0, text.rfind("{", 0, end))):
        try:
            data = json.loads(_LATEX_ESCAPE.sub(r"\\\\", text[at : end + 1]), parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            lowered = {str(key).lower(): value for key, value in data.items()}
            for key in _JSON_KEYS:
                found = lowered.get(key)
                if isinstance(found, str | list):
                    return found if isinstance(found, str) else json.dumps(found).replace('"', "")
    return None


def turns(text: str) -> list[str]:
    """Split off follow-up questions that the model asked itself; the first part is the answer to ours.

    A question repeated before any answer stays with its answer.
    """
    if ":" not in text and "<" not in text and "roblem" not in text and "uestion" not in text:
        return [text]
    parts: list[str] = []
    at = 0
    for match in cue("follow-up").finditer(text):
        said = text[at : match.start()]
        if (
            cue("own heading").match(match[0])
            and not cue("answers").search(said)
            and (len(said) > 60 or cue("answers").search(text, match.end()))
        ):
            continue  # "Example:" before any answer is part of the explanation
        if said.strip():
            parts.append(text[at : match.start()])
            at = match.start()
    parts.append(text[at:])
    return parts


_CLOSES = (
    "hope", "et me know", "eel free", "questions", "ould you like", "o you ", "anything else", "to help", "reat ",
    "ood luck",
)  # fmt: skip
_TICK_MARKS = "\u2713\u2714\u2705"
_DRESS = " \n*_.)"
# "\n(And the other angle is 35°.)"
_ASIDE = re.compile(
    r"(?:\n[^\S\n]*|(?<=[.!?]) )\(((?=[A-Za-z\d][^()\n]*[a-z]{2} [a-z]{2})(?:[^()\n]|\([^()\n]*\))*)\)[.\s]*\Z"
)
_CROSS = re.compile(r"[\u2717\u2718\u274c]")
_LETTER = re.compile(r"\W*[A-H]\W*\Z")
# "**6 square units**"
_RESULT = re.compile(r"[=\u2264\u2265]|\w\s?[<>]\s?[\w-]|\*\*[^*]+\*\*|\\approx|\u2248|^\W*\$[^$]+\$[.\s]*$")


def without_remarks(text: str, asked: Question) -> str:
    """Return a response without the remarks with which it ends, where what stands before them states an answer.

    A remark that announces an answer, draws a conclusion or corrects what stands before it is no mere remark.
    """
    text = _without_line(text)
    if any(word in text[-400:] for word in _CLOSES):
        text = cue("pleasantry").sub("", text) or text
    text = cue("note").sub("", text) or text
    aside = _ASIDE.search(text[-600:])
    if aside and (" would " in aside[1] or not announcements(aside[1])):
        before = text[: len(text) - len(aside[0])].rstrip()
        stated = before.rpartition("\n")[2] if aside[0][0] == "\n" else sentences(before)[-1].text
        text = before if _states(stated, asked) else text
    if not text.isascii() and _CROSS.search(text):
        return text  # ticks and crosses tell the options apart
    parts = sentences(text)
    said = [part.text for part in parts]
    end = _before_heading(said, asked)
    end = _end(said[:end], asked)
    text = text[: parts[end].start] if end < len(parts) else text
    bare = text.rstrip(_DRESS)
    return bare.rstrip(_TICK_MARKS + _DRESS) if bare[-1:] in _TICK_MARKS else text


def _without_line(text: str) -> str:
    """Return a text without a line of dashes at its end."""
    body, _, last = text.rstrip().rpartition("\n")
    return body if len(last.strip()) > 2 and not last.strip(" -*_=") else text


def _before_heading(parts: list[str], asked: Question) -> int:
    """Return how many sentences stand before a last section of remarks, which announces and concludes nothing."""
    for i in range(len(parts) - 1, 0, -1):
        if announcements(parts[i]) or begins_conclusion(parts[i]):
            break
        if cue("heading of remarks").fullmatch(parts[i]):
            return i if _states(parts[i - 1], asked) or len(parts[i - 1]) < 40 else len(parts)
    return len(parts)


def _end(parts: list[str], asked: Question) -> int:
    """Return how many sentences stand before the remarks."""
    end = len(parts)
    while end > 1:
        said = parts[end - 1]
        earlier = (p for p in parts[end - 2 :: -1] if re.search(r"\w", p) and not cue("check").match(p))
        before = next(earlier, "")
        if not (_states(before, asked) or (cue("check").match(said) and cue("is value").search(before))):
            break
        mistake = cue("mistake").match(said) and not cue("of mistakes").search(asked.text)
        remark = (cue("remark").match(said) or cue("check").match(said)) and not _decides(
            said.lstrip(" ("), before, asked
        )
        ticked = said.rstrip(_DRESS).endswith(tuple(_TICK_MARKS)) and any(
            map(cue("check").match, parts[max(1, end - 6) : end - 1])
        )
        if not (mistake or remark or ticked):
            break
        end -= 1
    return end


def _states(said: str, asked: Question) -> bool:
    """Tell whether a sentence gives a result, so that what stands behind it may be a remark on it."""
    if any(re.search(r"\w", said[end:]) for end in announcements(said)) or _RESULT.search(said) or _LETTER.match(said):
        return True
    if begins_conclusion(said) or cue("so").search(said):
        return not said.rstrip().endswith(":")
    return (cue("is value").search(said) is not None or denies(said)) and nearness(said, asked) > 0.3


def _decides(said: str, before: str, asked: Question) -> bool:
    """Tell whether what looks like a remark announces, concludes, corrects, or names what is asked for at last."""
    if announcements(said) or begins_conclusion(said):
        return True
    if cue("so").search(said):
        return not cue("mere aside").match(said)
    if cue("check").match(said):
        return cue("corrects").search(said) is not None
    if asked.named & names(said) - names(before):
        return True
    named = _NAMED.search(said)
    return named is not None and named[1].lower() in asked.text and named[1] not in before


_NAMED = re.compile(r"(\w\([^()\s]{1,8}\))\s*=")
