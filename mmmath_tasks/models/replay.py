"""Saved responses by problem id, from any file that `mmmath rescore` reads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.model_names import model_beside, models_of
from mmmath_tasks.outputs.names import ID_COLUMNS, RESPONSE_COLUMNS
from mmmath_tasks.outputs.saved import Saved, open_saved
from mmmath_tasks.problem import Problem


@dataclass(frozen=True, slots=True)
class Replayed:
    """The responses of one file.

    Attributes:
        path: the file.
        benchmark: the one whose columns or name the file has; None where it does not say.
        responses: problem id to response; of several samples the first, "" for null or an `error` in its place.
        questions: problem id to what the row says of its question, be it that or the whole prompt.
        model: whose responses they are.
    """

    path: Path
    benchmark: str | None
    responses: Mapping[str, str]
    questions: Mapping[str, str] = field(default_factory=dict)
    model: str = ""

    def origin(self) -> dict[str, str]:
        """Return what a scorecard says of where the responses come from: "file", "sha256" (of its bytes), "model"."""
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"file": self.path.name, "sha256": digest, "model": self.model}

    def check(self, problems: Iterable[Problem]) -> Iterator[str]:
        """Yield a line for what a user must know of these responses as answers to these problems.

        Raises:
            InputError: the file is another benchmark's, by its columns, its name or its questions, or lacks a response.
        """
        asked = {problem.id: problem for problem in problems}
        for name in {problem.benchmark for problem in asked.values()}:
            if self.benchmark not in (None, name):
                raise InputError(f"{self.path}: its columns or its name are those of {self.benchmark}, not of {name}")
        missing = [name for name in asked if name not in self.responses]
        if missing:
            raise InputError(
                f"{self.path}: no response for {len(missing)} of {len(asked)} problems; first: {', '.join(missing[:5])}"
            )
        known = [(p, self.questions[p.id]) for p in asked.values() if p.id in self.questions and p.question.strip()]
        others = [problem.id for problem, text in known if not _holds(text, problem.question)]
        if 2 * len(others) > len(known):
            raise InputError(
                f"{self.path}: {len(others)} of {len(known)} questions in it are not those of the problems with the "
                f"same ids; first: {', '.join(others[:5])}"
            )
        if others:
            yield (
                f"{self.path}: {len(others)} of {len(known)} questions in it are not those of the problems with the "
                f"same ids: {', '.join(others[:5])}"
            )
        extra = [name for name in self.responses if name not in asked]
        if extra:
            yield (
                f"{self.path}: {len(extra)} of its {len(self.responses)} responses are to problems that this run does "
                f"not ask; first: {', '.join(extra[:5])}"
            )


def read_responses(path: Path) -> Replayed:
    """Read a file of responses, as mmmath_tasks.outputs.saved does.

    Raises:
        InputError: no such file, not readable, a row without id or response, or two responses for one id.
    """
    responses: dict[str, str] = {}
    questions: dict[str, str] = {}
    models: set[str] = set()
    file = open_saved(path)
    for saved in file:
        if not saved.ids:
            looked, columns = ", ".join(ID_COLUMNS), ", ".join(map(str, saved.row))
            raise InputError(f"{path}: row {saved.where}: no problem id; looked for {looked}; columns: {columns}")
        if not saved.responses and not saved.row.keys() & {*RESPONSE_COLUMNS, "error"}:
            raise InputError(f"{path}: row {saved.where}: no response; looked for {', '.join(RESPONSE_COLUMNS)}")
        key, response = saved.ids[0], saved.responses[0] if saved.responses else ""
        if responses.setdefault(key, response) != response:
            raise InputError(f"{path}: row {saved.where}: a second, different response for problem {key!r}")
        if text := _question(saved):
            questions[key] = text
        models |= {*models_of(saved)}
    model = models.pop() if len(models) == 1 else model_beside(path) or path.name.split(".")[0]
    return Replayed(path, file.benchmark, responses, questions, model)


def _question(saved: Saved) -> str:
    """Return what a row says of its question."""
    return " ".join(str(saved.row[name]) for name in ("question", "problem", "query", "prompt") if saved.row.get(name))


def _holds(text: str, question: str) -> bool:
    """Say whether a text is about a question: it holds half of its words, for harnesses change its dress."""
    words = set(re.findall(r"\w+", question.lower()))
    return 2 * len(words & set(re.findall(r"\w+", text.lower()))) >= len(words)
