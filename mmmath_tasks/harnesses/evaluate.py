"""Our scoring as metrics of Hugging Face's `evaluate` library, which is in maintenance: the thinnest possible wrapper.

`evaluate.load` takes a folder for each metric; `mmmath path evaluate` fills the templates in evaluate_files/ for every
benchmark and prints where.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from mmmath_tasks import __version__, json_text, papers
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import user_cache, write_if_changed
from mmmath_tasks.problem import Problem
from mmmath_tasks.score_labels import label, official_reader
from mmmath_tasks.scoring import benchmark, benchmarks

if TYPE_CHECKING:
    from evaluate import MetricInfo


def write_metrics() -> Path:
    """Write a folder for each benchmark into the user's cache, with what a Space of that metric holds; return where.

    Raises:
        OSError: the cache cannot be written to.
    """
    folder = user_cache() / f"evaluate_metrics-{__version__}"
    for name in benchmarks():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for template in (files(__package__) / "evaluate_files").iterdir():
            if template.is_file():
                text = Template(template.read_text(encoding="utf-8"))
                file = f"{name}.py" if template.name == "metric.py" else template.name
                write_if_changed(folder / name / file, text.substitute(name=name, title=papers.title(name)))
    return folder


def info(name: str) -> MetricInfo:
    """Return what `evaluate` wants to know of the metric of one benchmark.

    Both features are text: predictions are responses, references are `Problem.to_json()` or a row of upstream's file as
    JSON.
    """
    import datasets
    import evaluate

    rows = benchmark(name).rows
    reader = official_reader(name)
    instead = f" Where the authors ask {reader}, answers are read by rules." if reader else ""
    return evaluate.MetricInfo(
        description=f"Scores responses to {name} by the authors' rule (acc) and by a careful reader's (acc_verified)."
        + instead,
        citation=f"https://arxiv.org/abs/{rows.PAPER}",
        inputs_description="predictions: responses; references: Problem.to_json() or upstream's rows as JSON text",
        features=datasets.Features({"predictions": datasets.Value("string"), "references": datasets.Value("string")}),
    )


class Texts:
    """What evaluate's metrics here add to its own: a prediction may be None, nan or hold half a character.

    To be named before `evaluate.Metric`, which keeps predictions in an Arrow file and refuses all three.
    """

    def add_batch(self, *, predictions: Sequence[str | None] | None = None, **columns: Any) -> None:
        """Add predictions and references.

        Raises:
            InputError: a prediction is no text; the message names its position.
        """
        texts = None if predictions is None else [_text(i, said) for i, said in enumerate(predictions)]
        super().add_batch(predictions=texts, **columns)  # type: ignore[misc]

    def add(self, *, prediction: str | None = None, **columns: Any) -> None:
        """Add one of each.

        Raises:
            InputError: the prediction is no text.
        """
        super().add(prediction=_text(0, prediction), **columns)  # type: ignore[misc]


def _text(position: int, said: object) -> str:
    """Return a prediction as Arrow can hold it: half a character, which is none, becomes a question mark."""
    if said is None or (isinstance(said, float) and said != said):
        return ""
    if not isinstance(said, str):
        raise InputError(f"prediction {position}: expected text or None, got {said!r:.80} ({type(said).__name__})")
    return said.encode("utf-8", "replace").decode()


def compute(name: str, predictions: Sequence[str | None], references: Sequence[str]) -> dict[str, Any]:
    """Score responses, None for an empty one, to problems, which `references` has as `info` says.

    Returns:
        every metric of the scorecard that is about the whole set by its name, as a fraction (None for nan);
        "scorecard": the whole scorecard as a dict; "verdicts": a dict for each response; "labels": what to call a
        metric in a table where its name alone would mislead ("acc": "acc, read by rules"); "notes": what a reader of
        the numbers must know.

    Raises:
        InputError: a reference is neither a problem nor a row; the message names its position.
    """
    known = benchmark(name)
    problems = [_problem(name, i, text) for i, text in enumerate(references)]
    verdicts = known.score_many(list(zip(problems, predictions, strict=True)))
    found = known.summarise(problems, verdicts)
    card = found.to_dict()
    overall = {score["metric"]: score["value"] for score in card["scores"] if not score["group"]}
    labels = {metric: named for metric in overall if (named := label([found], metric)) != metric}
    return {
        **overall,
        "labels": labels,
        "notes": card["notes"],
        "scorecard": card,
        "verdicts": [verdict.to_dict() for verdict in verdicts],
    }


def _problem(name: str, position: int, text: str) -> Problem:
    try:
        row = json_text.loads(text)
        if not isinstance(row, dict):
            raise InputError(f"got {type(row).__name__}")
        return Problem.from_dict(row) if "benchmark" in row else benchmark(name).problem(row)
    except (ValueError, TypeError) as error:  # InputError is a ValueError
        raise InputError(f"reference {position}: expected a {name} problem or row as JSON text: {error}") from None
