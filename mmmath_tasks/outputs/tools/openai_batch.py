"""The output of OpenAI's batch service, and of servers that answer batches as it does (vLLM's run-batch).

One line a request: {"custom_id", "response": {"status_code", "body"}, "error"}; the body is that of the endpoint that
was asked, /v1/chat/completions, /v1/completions or /v1/responses. Format: OpenAI API reference, "The request output
object". Requests are named by whoever wrote them: the problem's id must be their `custom_id`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.outputs.sheets import Row

NAME = "OpenAI batch output"


def row(raw: Row) -> Row | None:
    """Return a line as a row: one response a choice, None where the request failed."""
    answer = raw.get("response")
    if "custom_id" not in raw or "response" not in raw or not (answer is None or isinstance(answer, Mapping)):
        return None
    body = (answer or {}).get("body")
    body = body if isinstance(body, Mapping) else {}
    choices = [choice for choice in body.get("choices") or () if isinstance(choice, Mapping)]
    said = [choice.get("message", choice.get("text")) for choice in choices]
    cuts = [choice.get("finish_reason") for choice in choices]
    if isinstance(body.get("output"), list):
        said, cuts = [_output_text(body["output"])], [(body.get("incomplete_details") or {}).get("reason")]
    found = {"id": raw["custom_id"], "response": said or None, "finish_reason": _CUTS.get(cuts[0], cuts[0]) if cuts else ""}
    error = raw.get("error") or body.get("error")
    return {**found, "error": error} if error else found


_CUTS = {"max_output_tokens": "length"}
"""Reasons of /v1/responses in the words of the other endpoints."""


def _output_text(output: Sequence[Any]) -> str:
    """Return the text among the items that /v1/responses gives, which may be thoughts and calls, too."""
    parts = [part for item in output if isinstance(item, Mapping) for part in item.get("content") or ()]
    return "".join(str(part.get("text", "")) for part in parts if part.get("type") == "output_text")
