"""Which saved responses were cut: what a row says, and what the other responses of its file let one know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mmmath_tasks.metrics.answers.document import closes_unopened, ends_in_thought, has_thought_mark
from mmmath_tasks.truncation import CutResponse

_CUT = ("length", "max_tokens", "model_length", "max_output_tokens")
_SOME = 0.05


def says_cut(row: Mapping[str, Any]) -> bool:
    """Say whether a row says that its response was cut.

    By its `finish_reason` or `stop_reason`, by `truncated` (lm-eval's samples of our tasks have it as a metric), by our
    own verdict, or by the prompt in lm-eval's samples, where that opened a thought which the response does not close.
    """
    if any(str(row.get(name)).lower() in _CUT for name in ("finish_reason", "stop_reason")):
        return True
    verdict = row.get("verdict")
    stated = [row.get("truncated"), verdict.get("truncated") if isinstance(verdict, Mapping) else None]
    if any(str(value).lower() in ("true", "1", "1.0") for value in stated):
        return True
    drawn = row.get("resps")
    while isinstance(drawn, list) and drawn:
        drawn = drawn[0]
    return isinstance(drawn, str) and ends_in_thought(drawn, _prompt(row.get("arguments")))


def ended(response: str | None, reason: Any) -> str | None:
    """Return a response, marked as cut if the reason for its end is a limit ("length", "max_tokens", ...)."""
    return CutResponse(response) if response is not None and str(reason).lower() in _CUT else response


def _prompt(arguments: Any) -> str:
    """Return the prompt in the `arguments` of one of lm-eval's samples, "" where there is none."""
    while isinstance(arguments, list | dict) and arguments:
        arguments = next(iter(arguments.values())) if isinstance(arguments, dict) else arguments[0]
    return arguments if isinstance(arguments, str) else ""


def prompts_open_thoughts(responses: Iterable[str]) -> bool:
    """Say whether the prompts of these responses opened the thinking, so that one without any mark ends in it.

    That is so where responses close thoughts that they never began: one in twenty at least, for the rest may have been
    cut, and more than there are that begin them.
    """
    found = [response for response in responses if response.strip()]
    closing = sum(map(closes_unopened, found))
    opening = sum(has_thought_mark(response) for response in found) - closing
    return closing > opening and closing >= _SOME * len(found)
