"""What MathVista's extraction step yields for a response where no language model is asked.

Upstream: github.com/lupantech/MathVista, evaluation/extract_answer.py at commit 53d5258; paper: arXiv 2310.02255,
section 3.1 and Table 8. Upstream shows its model the whole response and takes whatever it writes down, so the stand-in
for it keeps two habits that a careful reader does not share (they change `official` only, never `verified`).
"""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers import Expectation, Reading, read
from mmmath_tasks.metrics.answers.document import shown, turns
from mmmath_tasks.problem import Problem

# "cannot be determined"
_CANNOT_BE = re.compile(r"\b(?:can ?not|can't|could not) be (determined|answered|solved)\b", re.I)


def quick_extraction(response: str, problem: Problem) -> str | None:
    """Return the extraction that upstream makes without its model; None where it would ask the model."""
    if not response or (problem.question_type == "multi_choice" and response in problem.choices):
        return response
    number = {"integer": int, "float": float}.get(problem.answer_type)
    if number is None or len(response) > 400:
        return None
    try:
        return str(number(response))
    except ValueError:
        return None


def stand_in(response: str, reading: Reading, wanted: Expectation) -> str:
    """Return what upstream's model would write down, from what our reader found in the same response.

    Beyond the reading itself, as upstream's model does:
    - where a response goes on with questions of its own, the last of them that is answered counts;
    - where it declines to answer, "Cannot be determined" and its like are repeated, and else "N/A" is written.

    Returns:
        the extraction; "" where the response is empty or simply holds no answer.
    """
    if reading.text is None:
        return declined(response, reading)
    for turn in reversed(turns(shown(response).text)[1:]):
        later = _answer(turn, wanted)
        if later is not None:
            return later
    return reading.text


def declined(response: str, reading: Reading) -> str:
    """Return what upstream's model writes down where a response declines to answer; "" where it merely has no answer.

    In the published runs that is "N/A" or a phrase of the response such as "Cannot be determined".
    """
    if reading.reason != "refusal":
        return ""
    found = _CANNOT_BE.findall(response[:10_000])
    return f"Cannot be {found[-1].lower()}" if found else "N/A"


def _answer(turn: str, wanted: Expectation) -> str | None:
    """Return the answer to a question that the model made up: an option's letter if it gives one, else a number."""
    found = read(turn, wanted)
    if found.text is not None and (wanted.kind != "choice" or found.choice is not None):
        return found.text
    return read(turn, Expectation("float")).text or found.text
