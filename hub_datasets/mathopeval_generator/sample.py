"""The records that the generator makes: a sample with its four states and the questions on it."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPES = ("geometry", "function", "bar", "line", "pie")
STATES = ("original", "deleted", "modified", "annotated")
TASKS = ("mcg", "mce_deletion", "mce_modification", "mce_annotation")
STATE_OF_TASK = dict(zip(TASKS, STATES, strict=True))

# Table 1 of the paper.
COUNTS = {"geometry": 426, "function": 101, "bar": 456, "line": 452, "pie": 453}
QUESTIONS = {"mc": 10_293, "gen": 7_552}

EDITIONS = (1, 2)
"""Of the set: 1, the first; 2, with whole scripts as options, varied codes and pictures, values from statements."""
EDITION = 2


@dataclass(frozen=True, slots=True)
class State:
    """One state of a figure.

    Attributes:
        code: the whole script (Matplotlib) or document (LaTeX with TikZ) that draws it.
        instruction: what a model is told to do to reach this state (for "original": to draw it).
    """

    code: str
    instruction: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One text that the annotated state has and the original has not.

    Attributes:
        text: the text as drawn ("42", "(1, -3)", "57°").
        kind: "x", "y" or "extreme" (functions), "angle" or "line" (geometry), "value" (charts).
        element: what it stands at: "ABC", "AB", a category, "(1, -3)".
    """

    text: str
    kind: str
    element: str


@dataclass(frozen=True, slots=True)
class Deck:
    """Four options of which any could have been the right one; `truth` was drawn evenly among them.

    The options stand in their natural order (by value, by place in the figure, by the grid that made them), so that
    balancing `truth` balances ranks. Whoever sees only the options has one chance in four.

    Attributes:
        task: one of TASKS.
        text: the question.
        options: four different texts of one form.
        truth: index of the right option.
        element: "angle", "line", "x", "y", "extreme" or "".
        direction: "forward" (element given, value asked), "backward" (value given, element asked) or "".
    """

    task: str
    text: str
    options: tuple[str, ...]
    truth: int
    element: str = ""
    direction: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One figure in its four states, with its multiple-choice questions before letters are dealt.

    Attributes:
        type: one of TYPES.
        index: from 0 within its type.
        topic: the field a chart is about; the family of a function; the construction of a geometric figure.
        style: how a chart is drawn ("grouped", "exploded", ...); "" elsewhere.
        language: "python" or "latex".
        states: by name, all of STATES.
        decks: the multiple-choice questions, MCG, deletion, modification, then annotation.
        marks: what the annotated state adds.
    """

    type: str
    index: int
    topic: str
    style: str
    language: str
    states: dict[str, State]
    decks: tuple[Deck, ...]
    marks: tuple[Mark, ...] = field(default=())

    @property
    def id(self) -> str:
        """The sample's name, unique in the set."""
        return f"{self.type}-{self.index:04d}"
