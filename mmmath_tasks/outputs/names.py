"""Names of saved files and of their columns, as harnesses, authors and people choose them."""

import re
from collections.abc import Sequence
from pathlib import Path

NORMALISED_COLUMNS = ("prediction", "predictions", "predict", "pred", "predicted_answer")
"""Columns that hold the model's text (VLMEvalKit), or what was made of it to be compared (the authors of MathVista)."""

RESPONSE_COLUMNS = (
    "response",
    "model_response",
    "model_answer",
    "output",
    "model_output",
    "generated_text",
    "completion",
    "generation",
    "responses",
    "outputs",
    "completions",
    "generations",
    "messages",
    "conversations",
    "answer_text",
    "text",
    "resps",
    "filtered_resps",
    *NORMALISED_COLUMNS,
)
"""Columns that may hold the model's text, the surest first."""

ID_COLUMNS = ("pid", "id", "question_id", "problem_id", "sample_index", "index", "ID")
"""Columns that may hold a problem's id, the surest first."""


# "mathvista_testmini_2026-01-31T10-00-00.000000", as lm-eval names files
_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")

# "Qwen2.5-VL-7B_MathVision_MINI_gpt-4o-mini"
_MINI = re.compile(r"_Math\w+_MINI(?![A-Za-z])")


def without_date(name: str) -> str:
    """Return a name without lm-eval's date; as it is where nothing would be left."""
    return _DATE.sub("", name) or name


def undated(names: Sequence[str]) -> list[str]:
    """Return names without lm-eval's dates; as they are where some would come out alike."""
    found = [*map(without_date, names)]
    return found if len(set(found)) == len(set(names)) else list(names)


def run_name(path: Path) -> str:
    """Return what a run is called after its file: "mathvista" for samples_mathvista.jsonl, a harness's or ours."""
    return path.stem.removeprefix("samples_") or path.stem


def split_named(path: Path, benchmark: str, splits: Sequence[str]) -> str | None:
    """Return the split that a harness told by a file's name; None where it tells none.

    lm-eval calls samples of ours after their task, which begins with benchmark and split; VLMEvalKit's tables of a
    testmini have _MINI behind the benchmark.
    """
    if _DATE.search(path.stem) and path.stem.startswith("samples_"):
        task = run_name(path)
        return max((s for s in (*splits, "sample") if task.startswith(f"{benchmark}_{s}")), key=len, default=None)
    return "testmini" if "testmini" in splits and _MINI.search(path.stem) else None
