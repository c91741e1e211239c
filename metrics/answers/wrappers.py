"""What surrounds an answer: thinking blocks, answer tags, JSON replies, made-up follow-up questions."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers.boxes import final_box

_THINK_END = re.compile(
    r"</\s*(?:think|thinking|thought|reasoning|reason)\s*>|<\|end_of_thought\|>|\u25c1/think\u25b7", re.I
)
_THINK_START = re.compile(
    r"<\s*(?:think|thinking|thought|reasoning)\s*>|<\|begin_of_thought\|>|\u25c1think\u25b7", re.I
)
# Beside those: what Mistral's, ByteDance's and OpenAI's open models write.
_THOUGHT_END = re.compile(_THINK_END.pattern + r"|\[/THINK\]|</seed:think>|<\|channel\|>final", re.I)
_THOUGHT_START = re.compile(_THINK_START.pattern + r"|\[THINK\]|<seed:think>|<\|channel\|>analysis", re.I)
_TAG = re.compile(r"<\s?\|?(?:begin_of_)?(?:answer|final[_ ]?answer|ans|solution|box)\|?\s?>", re.I)
_MARKED = re.compile(
    r"(?:^|\n)[ \t]*####[ \t]*((?:[-+$\\(\[{]*\d|[A-H](?![A-Za-z]))[^\n#]{0,80})\s*$"
)  # as models trained on GSM8K end
_TAG_END = re.compile(r"<\s?/|<\|end_of_box\|>")
_FOLLOW = re.compile(
    r"\n {0,8}(?:#{1,4} ?)?(?:\*\*)?(?:(?:next |new )?(?:question|problem|q|human|user|instruction|input|hint|example)"
    r"\s?\d{0,3}(?:\*\*)?\s?:|(?:question|problem) \d{1,3}\b|<\|?(?:im_start|user|eot)|USER:)",
    re.I,
)
_SPECIAL = re.compile(r"<\|?(?:/s|im_end|endoftext|eot_id|end|s|unk|pad)\|?>")
_JSON_KEYS = ("final_answer", "final answer", "answer", "Answer", "final", "choice", "option", "result", "solution")


class Visible(NamedTuple):
    """What a reader is shown of a response: the text after thinking, and whether the thinking never ended."""

    text: str
    cut_off: bool


def visible(text: str) -> Visible:
    """Return the response without its thinking blocks and special tokens."""
    if "<" in text or "\u25c1" in text:
        text = _SPECIAL.sub(" ", text)
        ends = list(_THINK_END.finditer(text))
        if ends:
            after = text[ends[-1].end() :]
            if after.strip():
                return Visible(after, False)
            return Visible(_THINK_START.sub(" ", _THINK_END.sub(" ", text)), False)
        start = _THINK_START.search(text)
        if start:
            return Visible(text[: start.start()] + text[start.end() :], True)
    return Visible(text, False)


def ends_in_thought(response: str, prompt: str = "") -> bool:
    """Say whether a response ends in the middle of its thinking.

    Args:
        response: the model's text.
        prompt: what the model was asked, as its chat template wrote it, where that is known: some templates end with
            the mark that opens the thinking, so that the response holds none.
    """
    tail = prompt.rstrip()[-40:]
    opened = [match.end() for match in _THOUGHT_START.finditer(tail)]
    text = "<think>" + response if opened and opened[-1] == len(tail) else response
    return _last(_THOUGHT_START, text) > _last(_THOUGHT_END, text)


def closes_unopened(response: str) -> bool:
    """Say whether a response ends a thought that it never began: its prompt did."""
    end = _THOUGHT_END.search(response)
    return end is not None and not _THOUGHT_START.search(response, 0, end.start())


def has_thought_mark(response: str) -> bool:
    """Say whether a response begins or ends a thought."""
    return bool(_THOUGHT_START.search(response) or _THOUGHT_END.search(response))


def _last(mark: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in mark.finditer(text)), default=-1)


class Enclosed(NamedTuple):
    """What a response sets apart as its answer: the form ("tag", "json", "box"), its inside, the text behind a box."""

    rule: str
    inside: str
    behind: str


def enclosed(text: str) -> Enclosed | None:
    """Return the answer that a text sets apart in an answer tag, in a JSON reply or in its last box; else None."""
    box = final_box(text)
    for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", box and box[0])):
        if inside and inside.strip():
            return Enclosed(rule, inside, text[box[1] :] if rule == "box" and box else "")
    return None


def tagged(text: str) -> str | None:
    """Return the inside of the last <answer> (or like) tag, or a last line "#### 5"; None where there is none."""
    mark = _MARKED.search(text) if "####" in text else None
    if mark:
        return mark[1]
    if "<" not in text:
        return None
    for match in list(_TAG.finditer(text))[:-4:-1]:
        end = _TAG_END.search(text, match.end(), match.end() + 2_000)
        inside = text[match.end() : end.start() if end else match.end() + 2_000].strip().lstrip(":").strip()
        if inside:
            return inside
    return None


def in_json(text: str) -> str | None:
    """Return the answer of a reply that is (or ends in) a JSON object with an "answer"; None where it is none."""
    if '"' not in text or "}" not in text:
        return None
    end = text.rfind("}")
    start = text.rfind("{", 0, end)
    if start < 0 or end - start > 4_000 or len(text) - end > 40:
        return None
    first = text.find("{")
    for at in (first, start) if first != start and end - first <= 20_000 else (start,):
        try:
            data = json.loads(text[at : end + 1], parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            for key in _JSON_KEYS:
                found = data.get(key)
                if isinstance(found, str | list) and found:
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
    for match in _FOLLOW.finditer(text):
        if text[at : match.start()].strip():
            parts.append(text[at : match.start()])
            at = match.start()
    parts.append(text[at:])
    return parts
