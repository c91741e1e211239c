"""The tiny model behind an OpenAI-style chat endpoint; keeps what it was sent."""

from __future__ import annotations

import base64
import io
import threading
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from support import json_server


@contextmanager
def serve(folder: Path, tokens: int = 2):
    """Yield (url, requests): every request's JSON body, with its pictures opened under "pictures"."""
    import torch
    from transformers import AutoModelForImageTextToText, AutoProcessor

    processor = AutoProcessor.from_pretrained(folder)
    model = AutoModelForImageTextToText.from_pretrained(folder)
    requests: list[dict] = []
    one_at_a_time = threading.Lock()

    def answer(messages: list[dict]) -> tuple[str, list[Image.Image]]:
        pictures = [
            Image.open(io.BytesIO(base64.b64decode(part["image_url"]["url"].partition("base64,")[2])))
            for message in messages
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "image_url"
        ]
        text = processor.apply_chat_template(messages, add_generation_prompt=True)
        # lm-eval leaves its mark beside the picture; here it would count as a second one.
        text = text.replace("<image><image>", "<image>")
        inputs = processor(text=text, images=pictures or None, return_tensors="pt")
        with torch.no_grad():
            made = model.generate(**inputs, max_new_tokens=tokens, do_sample=False)
        return processor.decode(made[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True), pictures

    def reply(body: dict) -> tuple[int, dict]:
        with one_at_a_time:
            text, body["pictures"] = answer(body["messages"])
            requests.append(body)
        return 200, json_server.chat_completion(text)

    with json_server.serving(reply) as url:
        yield f"{url}/chat/completions", requests
