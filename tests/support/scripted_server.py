"""A model behind an OpenAI-compatible endpoint on loopback that answers from a list and keeps what it was sent."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(answers):
    """Serve a model that answers each prompt with `answers[prompt]`.

    Yields:
        the base URL, and the list to which the content of each message is added as it arrives.
    """
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.reply({"data": [{"id": "scripted", "object": "model"}], "object": "list"})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content = body["messages"][-1]["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            asked.append(parts)
            prompt = "".join(part["text"] for part in parts if part["type"] == "text")
            message = {"role": "assistant", "content": answers[prompt]}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            self.reply(
                {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": "scripted",
                    "choices": [choice],
                    "usage": usage,
                }
            )

        def reply(self, value):
            data = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
