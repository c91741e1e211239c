"""What may leave the jail: the schema of a reply. The bytes come from the script's own process, so they are data.

A script that writes them itself can say what it could have drawn, and no more: it is scored by what they say, against
a reference it never saw. Whatever is not of this shape is "forged".
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

from mmmath_tasks.errors import InputError

LIMIT = 20_000
"""The most elements of one figure."""

POINTS = 200_000
"""The most points of all its lines and curves together."""

TEXT = 1_000
"""The most characters of one text or label."""

_PNG = b"\x89PNG\r\n\x1a\n"


class Reply(NamedTuple):
    """A reply that holds to the schema: `cause` is "" for a figure that was read (see figures.Drawing)."""

    cause: str
    message: str
    elements: tuple[dict[str, Any], ...]
    png: bytes


FORGED = Reply("forged", "the reply is not one that our reader writes", (), b"")


@cache
def _schema() -> Any:
    """Return the validator of a reply's JSON."""
    try:
        from pydantic import ConfigDict, Field, TypeAdapter, with_config
        from typing_extensions import NotRequired, TypedDict  # noqa: UP035 (pydantic needs these before Python 3.12)
    except ModuleNotFoundError:
        raise InputError('figures are read with pydantic: pip install "mmmath-tasks[sandbox]"') from None

    number = Annotated[float, Field(gt=-1e100, lt=1e100)]
    maybe = number | None
    text = Annotated[str, Field(max_length=TEXT)]
    point = tuple[number, number]
    points = Annotated[list[point], Field(min_length=2)]
    index = Annotated[int, Field(ge=-1, le=LIMIT)]
    common: dict[str, Any] = {"figure": index, "axes": index}
    series: dict[str, Any] = {"series": text, "x": list[maybe], "y": list[maybe], "labels": list[text] | None}
    fields: dict[str, dict[str, Any]] = {
        "axes": {"xlim": point, "ylim": point, "box": tuple[maybe, maybe]},
        "bar": {"series": text, "label": text, "value": number, "base": number, "horizontal": bool},
        "line": series,
        "points": series,
        "wedge": {"label": text, "fraction": number},
        "text": {"text": text, "x": maybe, "y": maybe},
        "area": {"shape": NotRequired[text]},
        "segment": {"points": points, "dashed": bool},
        "circle": {"x": number, "y": number, "radius": number},
        "arc": {"points": points},
        "curve": {"points": points},
        "dot": {"x": number, "y": number},
    }
    strict = ConfigDict(strict=True, allow_inf_nan=False)
    shapes: Any = None
    for kind, own in fields.items():
        record = TypedDict(kind, {"kind": Literal[kind], **common, **own})  # type: ignore[misc]
        shapes = with_config(strict)(record) if shapes is None else shapes | with_config(strict)(record)
    cause = Literal["", "syntax", "exception", "exit", "timeout", "memory", "disk", "blank", "killed"]
    elements = Annotated[list[Annotated[shapes, Field(discriminator="kind")]], Field(max_length=LIMIT)]
    message = Annotated[str, Field(max_length=2_000)]
    whole = {"cause": cause, "message": message, "elements": elements}
    return TypeAdapter(with_config(strict)(TypedDict("whole", whole)))  # type: ignore[operator]


def parse(left: bytes) -> Reply:
    """Return what a script's process left, checked: one line of JSON, then a PNG or nothing.

    Returns:
        the reply; FORGED for anything that does not hold to the schema. Never raises for what the bytes are.

    Raises:
        InputError: pydantic is missing.
    """
    schema = _schema()
    line, _, png = left.partition(b"\n")
    if png and not png.startswith(_PNG):
        return FORGED
    try:
        reply = schema.validate_json(line)
    except (ValueError, RecursionError):
        return FORGED
    elements = tuple(reply["elements"])
    if not all(map(_sound, elements)) or sum(_points(e) for e in elements) > POINTS:
        return FORGED
    if bool(reply["cause"]) and (elements or png):
        return FORGED
    return Reply(reply["cause"], reply["message"], elements, png)


def _sound(element: dict[str, Any]) -> bool:
    """Tell whether lists that belong together are of one length, and limits two different numbers."""
    if element["kind"] == "axes":
        return all(abs(b - a) > 1e-12 * max(abs(a), abs(b)) for a, b in (element["xlim"], element["ylim"]))
    if "x" in element and isinstance(element["x"], list):
        return len({len(element[name]) for name in ("x", "y", "labels") if element[name] is not None}) == 1
    return True


def _points(element: dict[str, Any]) -> int:
    many = element.get("points") or element.get("x")
    return len(many) if isinstance(many, list) else 0
