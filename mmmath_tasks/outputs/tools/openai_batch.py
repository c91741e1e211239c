"""The output of OpenAI's batch service, and of servers that answer batches as it does (vLLM's run-batch).

One line a request: {"custom_id", "response": {"status_code", "body"}, "error"}; the body is that of the endpoint that
was asked, /v1/chat/completions, /v1/completions or /v1/responses. Format: OpenAI API reference, "The request output
object". Requests are named by whoever wrote them: the problem's id must be their `custom_id`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmmath_tasks.outputs.cuts import ended
from mmmath_tasks.outputs.sheets import Row
from mmmath_tasks.outputs.tools import said

NAME = "OpenAI batch output"


def row(raw: Row) -> Row | None:
    """Return a line as a row: one response a choice, None where the request failed."""
    answer = raw.get("response")
    if "custom_id" not in raw or "response" not in raw or not (answer is None or isinstance(answer, Mapping)):
        return None
    body = (answer or {}).get("body")
    body = body if isinstance(body, Mapping) else {}
    answers = [said(choice) for choice in body.get("choices") or () if isinstance(choice, Mapping)]
    if isinstance(body.get("output"), list):
        cause = body.get("incomplete_details")
        answers = [ended(_output_text(body["output"]), cause.get("reason") if isinstance(cause, Mapping) else None)]
    found = {"id": raw["custom_id"], "response": answers or None}
    error = raw.get("error") or body.get("error")
    return {**found, "error": error} if error else found


def _output_text(output: Sequence[Any]) -> str:
    """Return the text among the items that /v1/responses gives, which may be thoughts and calls, too."""
    parts = [part for item in output if isinstance(item, Mapping) for part in item.get("content") or ()]
    spoken = (part for part in parts if isinstance(part, Mapping) and part.get("type") == "output_text")
    return "".join(str(part.get("text") or "") for part in spoken)
