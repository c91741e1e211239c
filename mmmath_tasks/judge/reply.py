"""What a judge may reply: strict JSON, checked by pydantic; anything else is asked for again once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_NUMBER = re.compile(r"(\d{1,4})(?:\s*\(.*\))?", re.DOTALL)


class Reply(BaseModel):
    """A judge's reply: every field required unless it has a default, no other field, no conversion of types.

    `number` names the field that a bare number fills; "" where a bare number is no reply. `whole` names the field that
    the whole text fills, for prompts that ask for no JSON; "" where they do.
    """

    number: ClassVar[str] = ""
    whole: ClassVar[str] = ""
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Extraction(Reply):
    """The final answer of a response; None where it gives none."""

    extracted_answer: str | int | float | list[int | float | str] | None

    def text(self) -> str:
        """Return the answer as text; "" for none."""
        return "" if self.extracted_answer is None else str(self.extracted_answer)


Mark = Annotated[Literal[0, 1], BeforeValidator(lambda value: int(value) if isinstance(value, bool) else value)]
"""1 right, 0 wrong; true and false are taken too."""

R = TypeVar("R", bound=Reply)


class ReplyError(ValueError):
    """A reply that is not what was asked for; the message says what is wrong with it, without quoting it."""


def parse(text: str, kind: type[R], context: Mapping[str, Any] | None = None, *, cut: bool = False) -> R:
    """Read a judge's reply as a class; `context` is for its validators (the number of steps, the classes allowed).

    The whole text must be one JSON object, bare or in one code fence, after an optional <think> block. JSON inside
    prose is refused, since it may be the model's answer quoted by the judge. Where `kind.number` names a field, the
    number alone is enough, with or without a remark in parentheses: "10" is ten and "0 (expected 13)" is zero; not
    where the reply was `cut` at the token limit, for it may lack its end. Where `kind.whole` names one, the text is
    that field and no JSON.

    Raises:
        ReplyError: the text is anything else.
    """
    text = _THOUGHT.sub("", text, count=1) if text.lstrip().startswith("<think>") else text
    text = text.strip()
    if not text:
        raise ReplyError("it was empty")
    fenced = _FENCED.fullmatch(text)
    number = _NUMBER.fullmatch(text)
    try:
        if kind.number and number and not cut:
            data: Any = {kind.number: int(number[1])}
        elif kind.whole:
            data = {kind.whole: text}
        else:
            data = json.loads(fenced[1] if fenced else text, object_pairs_hook=_unique, parse_constant=_no_constant)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # what could not be stored is no reply
        return kind.model_validate(data, context=dict(context or {}))
    except ValidationError as error:
        raise ReplyError(_summary(error)) from None
    except RecursionError:
        raise ReplyError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ReplyError(f"it was not one JSON object ({error.msg})") from None
    except ValueError as error:
        raise ReplyError(str(error)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that names a key twice: which of the two is meant cannot be known."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key stands twice in the object")
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _summary(error: ValidationError) -> str:
    """Name the fields and what is wrong with them; the values are left out, they may be long or hostile."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in found[:5])
