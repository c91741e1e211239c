"""Names of saved files and of their columns, as harnesses, authors and people choose them."""

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


def run_name(path: Path) -> str:
    """Return what a run is called after its file: "mathvista" for samples_mathvista.jsonl, a harness's or ours."""
    return path.stem.removeprefix("samples_") or path.stem
