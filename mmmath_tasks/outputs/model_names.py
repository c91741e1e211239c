"""Whose responses a file holds, as far as its rows, its name and what lies beside it say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.names import run_name, undated
from mmmath_tasks.outputs.saved import Saved

_COLUMNS = ("model", "model_name", "model_id")
_WORD = re.compile("[a-z]{2,}")
_NUMBERED = {"draw", "rank", "run", "sample", "samples", "seed", "split", "try"}


@dataclass(slots=True)
class ModelNames:
    """Names, filled in as files of samples are read.

    Attributes:
        models: what columns, or lm-eval's results beside a file, call the models.
        runs: what the rows' column `run` holds.
        files: the names of the files that say neither.
    """

    models: dict[str, None] = field(default_factory=dict)
    runs: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)

    def add(self, path: Path, saved: Saved) -> None:
        """Take what a row says, and its file where the row says nothing."""
        found = dict.fromkeys(models_of(saved))
        if run := str(saved.row.get("run") or ""):
            self.runs[run] = None
        self.models |= found
        if not found and not run:
            self.files[run_name(path)] = None

    def add_beside(self, path: Path) -> None:
        """Take what lm-eval's results beside a file say, which goes before the file's name."""
        name, model = run_name(path), model_beside(path)
        if model and name in self.files:
            del self.files[name]
            self.models[model] = None

    def of_rows(self) -> str:
        """Say that the rows of one file are of several models, by their own columns; "" where these do not tell it."""
        if len(self.models) < 2:
            return ""
        names = some([*self.models])
        return f"The rows are of {len(self.models)} models ({names}), and make one score: save each model's alone"

    def of_samples(self) -> str:
        """Say that samples taken for one model's seem to be of several; "" where nothing tells it.

        Runs and files are numbered, so that only names that differ in words tell: "b" of "a_1", "a_2" and "b_1".
        """
        files = undated([*self.files])
        for what, names in (("models", [*self.models]), ("runs", _unlike(self.runs)), ("files", _unlike(files))):
            if len(names) > 1:
                return (
                    f"The samples, which are taken for one model's, are of {len(names)} {what} ({some(names)}): scores "
                    "of several models are mixed, unless that is one model"
                )
        return ""


def models_of(saved: Saved) -> Iterator[str]:
    """Yield what a row's columns call its model."""
    yield from (str(saved.row[name]) for name in _COLUMNS if saved.row.get(name))


def model_beside(path: Path) -> str | None:
    """Return the model that lm-eval's results beside its samples name; None where there are none."""
    date = path.stem.rpartition("_")[2]
    with suppress(OSError, ValueError, AttributeError):
        found: Any = json.loads(path.with_name(f"results_{date}.json").read_text(encoding="utf-8"))
        return str(found["model_name"]) if found.get("model_name") else None
    return None


def _unlike(names: Iterable[str]) -> list[str]:
    """Return the names, one for each set of words, if two have words that the other lacks; else []."""
    words = {frozenset({*_WORD.findall(name.lower())} - _NUMBERED): name for name in reversed([*names])}
    return [*words.values()][::-1] if any(a - b and b - a for a, b in combinations(words, 2)) else []
