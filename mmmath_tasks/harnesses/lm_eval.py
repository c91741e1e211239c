"""The functions that the YAML files of yaml_tasks/ name; short, for lm-eval copies their source into every result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmmath_tasks.harnesses import lm_eval_documents, lm_eval_results, lm_eval_run, lm_eval_seams
from mmmath_tasks.pictures import Pictures
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from datasets import Dataset


def load(**metadata: Any) -> dict[str, Dataset]:
    """Return {"test": documents} for a task's metadata, a user's --metadata and the model's arguments in one."""
    lm_eval_seams.attach("settings", "run", "saving")
    lm_eval_run.speak_plainly()
    # A run that replays responses looks at no picture; any other stops at the first that is missing, and asks nothing.
    return {"test": lm_eval_documents.documents(**{**metadata, "refuse_without_pictures": False})}


def doc_to_text(doc: Mapping[str, Any]) -> str:
    """Return the prompt after one "<image>" for each picture, which is how lm-eval marks where they go."""
    return "<image>" * len(doc["pictures"]) + str(doc["prompt"])


def doc_to_image(doc: Mapping[str, Any]) -> Pictures:
    """Return the pictures, checked; lm-eval asks for all of them before it asks the model anything."""
    return Pictures(picture.encoded() for picture in doc["pictures"])


def doc_to_target(doc: Mapping[str, Any]) -> str:
    """Return the gold answer for the log; "" where it was not released."""
    return benchmark(doc["benchmark"]).problem(doc).answer or ""


def process_results(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the metrics of one response; see lm_eval_results.metrics."""
    return lm_eval_results.metrics(doc, results[0])


def headlines(doc: Mapping[str, Any], results: Sequence[str | None]) -> dict[str, Any]:
    """Return the headline metrics of one response: `process_results` of the groups whose table is to be short."""
    return lm_eval_results.headlines(doc, results[0])
