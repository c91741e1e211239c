"""What a dry run counts in place of asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.judge.reply import Reply

_PICTURE_TOKENS = 800  # for estimates only: what a medium picture costs with common endpoints


@dataclass(slots=True)
class Plan:
    """What a dry run counted: questions to ask, those answered already, estimated and largest tokens."""

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    largest_out: int = 0

    def count(self, question: Question, parameters: Mapping[str, Any]) -> None:
        """Count a question that would be asked."""
        self.calls += 1
        self.tokens_in += estimate(question)
        self.tokens_out += len(example(question).model_dump_json()) // 4
        self.largest_out += largest(parameters)


def example(question: Question) -> Reply:
    """Return the example of the question's prompt, which stands for the reply."""
    return question.prompt.reply.model_validate(question.prompt.example, context=dict(question.context))


def estimate(question: Question) -> int:
    """Return about how many tokens a question has: four bytes of UTF-8 a token, 800 tokens a picture."""
    size = sum(len(message["content"].encode("utf-8", "replace")) for message in question.messages(pictures=False))
    return size // 4 + _PICTURE_TOKENS * len(question.pictures)


def largest(parameters: Mapping[str, Any]) -> int:
    """Return the most tokens that a reply may have, 0 where the request sets no limit."""
    return int(parameters.get("max_completion_tokens") or parameters.get("max_tokens") or 0)
