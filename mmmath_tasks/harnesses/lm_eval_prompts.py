"""How many tokens lm-eval's models are given of a prompt, and what a user may do about too many.

Pictures become tokens in lm-eval (models of transformers) or in vLLM, which is handed text and pictures and has them
counted by the model's processor, with the options of `mm_processor_kwargs`, as is done here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class UncountedError(Exception):
    """Nobody but vLLM knows how many tokens a prompt has; the text says why."""


def tokens(model: Any, request: Any) -> int:
    """Return how many tokens a request's prompt has as the model is given it; raises UncountedError."""
    context, _, *pictures = request.args
    if not pictures:
        if hasattr(model, "tok_batch_encode"):
            return int(model.tok_batch_encode([context])[0].shape[1])
        return len(model.tok_encode(context))
    resize = import_module("lm_eval.models.utils").resize_image
    size = (model.image_width, model.image_height, model.image_max_side)
    opened = [resize(picture, *size) for picture in pictures[0]["visual"]]
    encoded = model.tok_batch_multimodal_encode([context], [opened])
    if not hasattr(model, "_model_multimodal_generate"):
        return _of_vllm(model, encoded[0])
    return int(encoded["input_ids"].shape[1])


def _of_vllm(model: Any, given: Any) -> int:
    """Return how many tokens vLLM makes of the prompt and the pictures that lm-eval gives it."""
    kind = type(model.processor).__name__
    if not hasattr(model.processor, "image_processor"):  # a mere tokenizer, which would overlook the pictures
        raise UncountedError(f"{kind} reads no pictures")
    options = {"return_tensors": "pt", **(model.model_args.get("mm_processor_kwargs") or {})}
    try:
        made = model.processor(text=[given["prompt"]], images=[given["multi_modal_data"]["image"]], **options)
        return len(made["input_ids"][0])
    except Exception as error:  # it may be the model's own code, which vLLM calls otherwise
        raise UncountedError(f"{kind}: {error}".partition("\n")[0]) from error


def remedies(model: Any) -> tuple[str, str]:
    """Return what helps where a model's context leaves too little, and the argument that names a context."""
    smaller, longer = "max_pixels=N or image_max_side=N", "max_length=N"
    if "max_model_len" in getattr(model, "model_args", ()):  # vLLM's
        smaller, longer = "image_max_side=N", "max_model_len=N"
    return (
        f"make pictures smaller (--model_args {smaller}), or name a longer context that the model has "
        f"(--model_args {longer})"
    ), longer
