"""The tiny model behind an OpenAI-style chat endpoint; keeps what it was sent."""

from __future__ import annotations

import base64
import io
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from PIL import Image


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

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with one_at_a_time:
                text, body["pictures"] = answer(body["messages"])
                requests.append(body)
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            reply = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions", requests
    finally:
        server.shutdown()
        server.server_close()
